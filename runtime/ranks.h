/* SPDX-License-Identifier: MIT */
/* ranks.h - opens the engine by which several processes run one program (vapl_comm.h). */
#ifndef VAPL_RANKS_H
#define VAPL_RANKS_H
#include "vapl_comm.h"
#include <limits.h>
#include <stdbool.h>

/* Where it is, without a path: vapl-mpi.so beside the program, or in ../lib/vapl. False after a sentence of at
 * most n bytes in `why`. */
bool ranks_find(char to[PATH_MAX], char *why, size_t n);
/* The engine in the file `path`, or (NULL) where ranks_find finds it, for all processes that a launcher
 * started. NULL after a sentence. Threads that it begins are given no signals. */
const vapl_comm *ranks_open(const char *path, char *why, size_t n);

/* The next two are collective. They may wait for long, as for a person who types, and take no processor's time
 * then. If the engine fails, the job ends with this code: */
enum { RANKS_FAILED = 70 };
/* Rank 0's bytes become everybody's. */
void ranks_share(const vapl_comm *m, void *at, size_t n);
/* Meets the others. */
void ranks_agree(const vapl_comm *m, const vapl_agreement *mine, vapl_agreement *all);
#endif
