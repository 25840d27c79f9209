// The three files of float arithmetic: op_float.c (decoder, nearest rounding), float_slow.c, float_approx.c.
#ifndef SL_SIM_FLOAT_H
#define SL_SIM_FLOAT_H

#include "sim/form.h"
#include "sim/half.h"

extern const sl_form sl__float_slow_forms[], sl__float_approx_forms[];
extern const size_t sl__n_float_slow_forms, sl__n_float_approx_forms;

#endif
