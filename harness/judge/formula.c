// Formulas of n, m and L: a parser that computes as it reads.
//
// Interface: formula.h. A formula is short and is asked a few times a case, so it stays text.
#include "judge/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *at;
  double n, m, log;
  unsigned depth; // of parentheses
  bool bad;
} reader;

static double sum(reader *r);

static bool take(reader *r, const char *word) {
  r->at += strspn(r->at, " ");
  if (strncmp(r->at, word, strlen(word)) != 0) return false;
  r->at += strlen(word);
  return true;
}

static double expect(reader *r, const char *word, double value) {
  r->bad |= !take(r, word);
  return value;
}

static double inner(reader *r) {
  enum { DEEPEST = 16 };
  if (++r->depth > DEEPEST) r->bad = true;
  double value = r->bad ? 0 : sum(r);
  r->depth--;
  return value;
}

static double number(reader *r) {
  static const char digits[] = "0123456789.";
  char text[32] = "", *end;
  size_t len = strspn(r->at, digits);
  if (len == 0 || len >= sizeof text) return r->bad = true, 0;
  memcpy(text, r->at, len);
  r->at += len;
  double value = strtod(text, &end);
  r->bad |= *end != 0;
  return value;
}

static double factor(reader *r) {
  if (take(r, "max(")) {
    double a = expect(r, ",", inner(r)), b = expect(r, ")", inner(r));
    return fmax(a, b);
  }
  if (take(r, "(")) return expect(r, ")", inner(r));
  return take(r, "n") ? r->n : take(r, "m") ? r->m : take(r, "L") ? r->log : number(r);
}

static double product(reader *r) {
  double value = factor(r);
  while (!r->bad) {
    if (take(r, "*")) value *= factor(r);
    else if (take(r, "/")) value /= factor(r);
    else break;
  }
  return value;
}

static double sum(reader *r) {
  double value = product(r);
  while (!r->bad) {
    if (take(r, "+")) value += product(r);
    else if (take(r, "-")) value -= product(r);
    else break;
  }
  return value;
}

bool sl_formula(const char *text, uint64_t n, uint64_t *value) {
  reader r = {.at = text, .n = (double)n, .m = 1};
  while (r.m < r.n) r.m *= 2, r.log++;
  double found = sum(&r);
  r.at += strspn(r.at, " ");
  if (r.bad || *r.at || !(found >= 0 && found < 0x1p53)) return false;
  *value = (uint64_t)found;
  return true;
}
