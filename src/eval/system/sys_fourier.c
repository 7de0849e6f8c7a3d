/* SPDX-License-Identifier: MIT */
/* sys_fourier.c - ⎕FFT: along which axes, which way, and what the result is divided by. */
#include <math.h>
#include <stddef.h>
#include "../../prim/args.h"
#include "../value/arg.h"
#include "system.h"

typedef struct fft_options {
  int64_t norm; /* as `words` has it */
  arr *axes;    /* borrowed; NULL: the last one */
} fft_options;
enum { NORM_BACKWARD, NORM_ORTHO, NORM_FORWARD };

static bool set_axes(vm *v, void *to, const char *what, arr *x) {
  UNUSED(v);
  UNUSED(what);
  ((fft_options *)to)->axes = x;
  return true;
}

static bool read_options(vm *v, fft_options *o) {
  static const option_row rows[] = {{.name = "Axis", .set = set_axes, .principal = true},
                                    {.name = "Norm",
                                     .words = "Backward Ortho Forward ",
                                     .at = offsetof(fft_options, norm)},
                                    {0}};
  return arg_option_rows(v, v->options, "⎕FFT", rows, o);
}

/* What a transform of n numbers is multiplied by. */
static double factor(const fft_options *o, bool inverse, int64_t n) {
  double all = n > 1 ? (double)n : 1;
  if (o->norm == NORM_ORTHO) return 1 / sqrt(all);
  return (o->norm == NORM_BACKWARD) == inverse ? 1 / all : 1;
}

/* ¯1 is the inverse transform, 1, or no left argument, the transform. */
static bool which_way(vm *v, arr *x, bool *inverse) {
  int64_t way = 1;
  if (x && !arg_number(v, value_arr(x), -1, 1, "⎕FFT's left argument", &way))
    return false;
  *inverse = way < 0;
  return way != 0 || err_set(v->c, ERR_DOMAIN, "⎕FFT's left argument is 1 or ¯1");
}

bool sys_fft(vm *v, arr *x, arr *y, arr **r) {
  fft_options o = {0};
  prim_env e = env_of(v);
  ir_call call = call_of(v);
  int k[ARR_MAX_RANK] = {y->rank - 1}, n = 1;
  bool inverse;
  if (!which_way(v, x, &inverse) || !read_options(v, &o)) return false;
  if (!elt_is_num((elt)y->type))
    return err_set(v->c, ERR_DOMAIN, "⎕FFT: numbers are wanted");
  if (!y->rank) return err_set(v->c, ERR_RANK, "⎕FFT: a scalar has no axis");
  if (o.axes) n = axes_of(&e, o.axes, y->rank, k);
  if (n < 0) return false;
  OWNED arr *a = arr_retain(y);
  while (a && n-- > 0) {
    OWNED arr *from = a;
    a = ir_fourier(&call, from, k[n], inverse, factor(&o, inverse, y->shape[k[n]]));
  }
  return give_result(r, arr_move(&a));
}
