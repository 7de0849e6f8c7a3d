/* SPDX-License-Identifier: MIT */
/* loops_isa.h - the names of the tables of loops_map.c and loops_quads.c, which base/isa.h
 * says how to compile. */
#ifndef VAPL_HOST_LOOPS_ISA_H
#define VAPL_HOST_LOOPS_ISA_H
#include "../base/isa.h"

#include "loops.h"

#include <string.h>

#include "../base/macros.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bit vectors are moved as little-endian words"
#endif

extern const blk_map ISA_CAT(blk_map, ISA);
#endif
