/* SPDX-License-Identifier: MIT */
/* relations.h - comparisons of elements of one C type to bits (relations.c), where an instruction
 * set has them. */
#ifndef VAPL_PRIM_RELATIONS_H
#define VAPL_PRIM_RELATIONS_H
#include "scalar.h"

typedef struct sc_relation sc_relation;
/* Bit i is x[i×step] f y[i×step], i < n, zeros behind the last of the byte. An argument of step 0
 * has min(n, 64) copies. No element is at fault. */
typedef void sc_relation_fn(const sc_relation *how, sc_arg x, sc_arg y, int64_t n,
                            uint8_t *bits);
struct sc_relation {
  sc_relation_fn *run; /* NULL: there is none */
  prim f;              /* < ≤ = ≥ > ≠ */
  sc_fn *fn;           /* the row, which compares tolerantly */
  int64_t size;        /* of an element */
  double ct;
  int64_t near; /* no more doubles than that go from one to another within ct of it */
};
typedef struct sc_relations {
  sc_relation_fn *of[SC_TYPES];
} sc_relations;
extern const sc_relations sc_relations_base, sc_relations_avx2, sc_relations_avx512;
/* f of elements of type t, whose row is fn. */
sc_relation sc_relation_of(prim f, sc_type t, sc_fn *fn, double ct);
/* The same by whatever there is, of which there are min(n, SC_BLOCK) copies. */
void sc_relate(const sc_relation *how, sc_arg x, sc_arg y, int64_t n, uint8_t *bits);
#endif
