/* SPDX-License-Identifier: MIT */
/* display.h - arrays as text, as Dyalog shows them. */
#ifndef VAPL_DISPLAY_H
#define VAPL_DISPLAY_H
#include "../base/str.h"
#include "array.h"

enum { BOX_NONE, BOX_MIN, BOX_MID, BOX_MAX, BOX_DISP }; /* ]box -style=, ]disp */
typedef struct fmt_opts {
  int pp, pw, boxed; /* ⎕PP, ⎕PW, BOX_… */
} fmt_opts;

/* Lines, each ended by \n; nothing for an empty vector but one \n, and nothing at all for
 * arrays with an empty leading part, as Dyalog. Folded at pw. */
bool arr_display(ctx *c, const arr *a, const fmt_opts *o, str *out);
/* ⍕a: what is displayed, unfolded. */
arr *arr_format(ctx *c, arr *a, int pp);
/* ⎕FMT a: the same, always a matrix. */
arr *arr_format_matrix(ctx *c, const arr *a, int pp);
#endif
