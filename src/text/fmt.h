/* SPDX-License-Identifier: MIT */
/* fmt.h - the format of ⎕FMT, from its text (fmt_parse.c) to the text of a field
 * (fmt_field.c). */
#ifndef VAPL_FMT_H
#define VAPL_FMT_H
#include "../base/mem.h"
#include "../base/str.h"

enum { FMT_MAX_GROUPS = 32, FMT_MAX_SUBSTITUTES = 8 };

/* A text in the format, which it borrows. */
typedef struct text {
  const uint32_t *at;
  int64_t n;
} text;

typedef struct substitute {
  double v;
  text t;
} substitute;

typedef struct phrase {
  uint32_t kind; /* A I F E G T X, < for text, ( and ) */
  int64_t r;     /* how often */
  int64_t w, d;  /* width, decimals or digits */
  bool blank, commas, left, zeros;
  int64_t scale; /* a power of ten */
  text t;        /* the pattern of G, the text of < */
  text before_neg, behind_neg, before, behind;
  text preset;  /* what the field begins as */
  text symbols; /* pairs: a standard symbol, the one shown in its place */
  int substitutes;
  substitute o[FMT_MAX_SUBSTITUTES];
} phrase;

typedef VEC(phrase) phrase_list;

/* Parses n characters into phrases, which borrow them; FORMAT ERROR. */
bool fmt_parse(ctx *c, const uint32_t *spec, int64_t n, phrase_list *phrases);

/* Appends the text of v by a phrase of I, F, E or G to s, in whose place a substitute may
 * stand; `num` is room for digits. False: it does not fit the pattern. */
bool fmt_number(const phrase *p, double v, double ct, str *num, str *s);
/* Draws a field of p->w characters: what it begins as, then the text, flush left or right;
 * stars if it does not fit or is too wide. */
void fmt_draw(const phrase *p, const str *s, bool fits, uint32_t *to);
/* Appends a text of the format. */
void fmt_put(str *s, text t);
#endif
