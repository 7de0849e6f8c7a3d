/* SPDX-License-Identifier: MIT */
/* dt.h - a time as ⎕DT's files hand it on (dt.c numbers and vectors, dt_text.c patterns). */
#ifndef VAPL_EXT_DT_H
#define VAPL_EXT_DT_H
#include "../../src/eval/value/vm.h"

typedef struct instant {
  int64_t day; /* since 1970-01-01 */
  int64_t ns;  /* of that day, 0 to 86400E9-1 */
} instant;
typedef struct moment { /* the same by its parts */
  int64_t year, month, day, hour, minute, second, ns;
} moment;
#define NS_PER_SECOND 1000000000LL
#define NS_PER_DAY (86400 * NS_PER_SECOND)

int64_t day_of(int64_t year, int64_t month, int64_t day);
moment moment_of(instant t);
bool instant_of(const moment *m, instant *t); /* false: there is no such time */
int week_day(int64_t day);                    /* 1 Monday … 7 Sunday */
void iso_week(int64_t day, int64_t *year, int64_t *week);

/* A time by a pattern, and back; SYNTAX, DOMAIN or NONCE ERROR. */
bool dt_write(vm *v, const str *pattern, instant t, str *out);
bool dt_read(vm *v, const str *pattern, const char *p, size_t n, instant *t);
#endif
