// Bounds as formulas of the number of elements, as in lab.json and handouts: "1.25 * (n*L - m + 1)".
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SL_FORMULA_CHARS = 64 };

// The value of the formula [text] for [n] elements, rounded down. m is the least power of two that is not
// below n, L its logarithm. + - * / and parentheses as usual, and max(a, b). False: no formula, or negative.
bool sl_formula(const char *text, uint64_t n, uint64_t *value);
