/* SPDX-License-Identifier: MIT */
/* csv.h - what ⎕CSV's reader and writer share: the options, and numbers as plain text. */
#ifndef VAPL_EXT_CSV_H
#define VAPL_EXT_CSV_H
#include "../../src/eval/value/vm.h"

typedef struct csv_options {
  int64_t
      invert; /* 0 a table, 1 columns (texts as matrices), 2 columns (texts as vectors) */
  char separator, quote, escape, decimal, thousands; /* 0: none */
  int64_t double_quote, trim, overwrite, ragged;     /* 0 or 1 */
  int64_t records; /* no more than these are read; 0: all */
  arr *fill;       /* borrowed, a number; NULL: 0 */
  arr *widths;     /* borrowed, integers above 0; NULL: there are separators */
  arr *force;      /* borrowed, 0 to 2, for all columns or each; NULL: 0 */
  char line_end[3];
} csv_options;

/* Types of columns, and how one is held. */
enum { SKIPPED, TEXT, NUMBER, NUMBER_OR_FILL, NUMBER_OR_TEXT, NUMBER_OR_EMPTY };
enum { INTS, FLOATS, ITEMS };

typedef struct cached {
  uint64_t hash; /* 0: there is none */
  arr *a;        /* borrowed from the column */
} cached;

typedef struct column {
  int type, held;
  union {
    int64_t *i;
    double *d;
    arr **a;
    void *at;
  };
  size_t n, cap;
  arr_pool pool; /* of texts */
  cached *cache; /* of them, once there is one: so many places */
  size_t cached, hits;
} column;

typedef struct csv_reader {
  vm *v;
  const csv_options *o;
  const char *at, *end;
  bool stops[256];  /* bytes that end a plain field, or are special in it */
  int64_t record;   /* the one that is read, from 1 */
  str unquoted;     /* a field with its quotes resolved */
  const arr *types; /* NULL: all TEXT */
  column *columns;
  int64_t n_columns, rows;
} csv_reader;

typedef struct csv_field {
  const char *at;
  size_t n;
  bool quoted, last; /* last: of its record */
} csv_field;

static inline bool csv_at_end(const csv_reader *p) {
  return p->at == p->end || *p->at == p->o->separator || *p->at == '\n' || *p->at == '\r';
}

/* Moves behind what ends a field: a separator, or a line end (*last). */
static inline void csv_pass_end(csv_reader *p, csv_field *f) {
  f->last = p->at == p->end || *p->at != p->o->separator;
  if (p->at == p->end) return;
  bool carriage = *p->at++ == '\r' && f->last;
  if (carriage && p->at < p->end && *p->at == '\n') p->at++;
}

/* DOMAIN ERROR at column k, from 0, of the record that is read. */
bool csv_wrong(const csv_reader *p, int64_t k, const char *why);
/* The field at p->at, which is of column k; false: an error is recorded. */
bool csv_next_field(csv_reader *p, int64_t k, csv_field *f);
void csv_trim(csv_field *f); /* blanks at its ends left out */

/* The records from p to end by several threads, if they are many and numbers alone: how many
 * there were; 0: they are not read, or (an error is recorded) cannot be. */
int64_t csv_numbers(vm *v, const csv_options *o, const char *p, const char *end,
                    column *columns, int64_t n);

bool csv_read_options(vm *v, csv_options *o);
bool csv_write(vm *v, const csv_options *o, arr *x, arr *y, arr **r);

/* The decimal number in [p, end) as JSON, C and most files write it; a high minus is fine. With
 * a space or plus in front, beyond every float, or nothing at all, it is none. *i is the number
 * if it is whole and below 2*63 (true in *whole). Returns behind it, or NULL. */
const char *csv_number(const char *p, const char *end, char point, bool *whole,
                       int64_t *i, double *d);
/* The same of most numbers, faster; NULL: it is none of these, or no number. */
const char *csv_plain_number(const char *p, const char *end, char point, bool *whole,
                             int64_t *i, double *d);
/* As few digits as give the same float again, with - for negative ones and e for exponents. */
void csv_put_float(str *s, double d, bool narrow, char point);
#endif
