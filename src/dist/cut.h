/* SPDX-License-Identifier: MIT */
/* cut.h - where an array is cut: a rule of its shape and of the number of ranks alone, so that arrays of one
 * shape are cut alike and nobody has to keep, or to send, a layout. */
#ifndef VAPL_DIST_CUT_H
#define VAPL_DIST_CUT_H
#include <stdint.h>

/* The first of the n rows that rank r of so many has, r from 0 to ranks: those of rank r end before the first of
 * rank r + 1. n is at least `ranks`, and then no rank has none.
 *
 * Rows go in units that are whole tiles of every tree of folds (tables/fold.h), and whole words of bits, as long
 * as a rank has 8 of them, of which there are 245,760 in each: parts differ by less than a unit. */
int64_t cut_at(int64_t n, int ranks, int r);
/* The rank that has row i. */
int cut_owner(int64_t n, int ranks, int64_t i);
#endif
