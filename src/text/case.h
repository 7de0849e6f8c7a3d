/* SPDX-License-Identifier: MIT */
/* case.h - letters in upper and lower case, by a table of Unicode; no locale has a say. */
#ifndef VAPL_CASE_H
#define VAPL_CASE_H
#include <stdint.h>

/* As ⎕C has them. Characters that differ only in case fold to the same one. */
enum { CASE_UPPER = 1, CASE_LOWER = -1, CASE_FOLD = -3 };

uint32_t case_change(uint32_t u, int to); /* CASE_… */
#endif
