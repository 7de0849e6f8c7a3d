/* SPDX-License-Identifier: MIT */
/* cg_fold.h - accumulators: the monoids of tables/fold.h as SPIR-V. */
#ifndef VAPL_CG_FOLD_H
#define VAPL_CG_FOLD_H
#include "cg.h"

/* Value n of the tuple is id[2n], and id[2n+1] the upper half if it is wide. Those that
 * there are not are 0. */
enum { CG_ACC_IDS = 2 * KIR_MAX_ACC };
typedef struct cg_acc {
  uint32_t id[CG_ACC_IDS];
} cg_acc;
/* Is there an id number i? Of which type is it? */
static inline bool cg_acc_has(const kir *k, uint32_t i) {
  return i / 2 < k->n_acc && (i % 2 == 0 || k->acc[i / 2].wide);
}
kty cg_acc_type(const kir *k, uint32_t i);
#define CG_EACH_ID(k, i)                                                                 \
  for (uint32_t i = 0; i < CG_ACC_IDS; i++)                                              \
    if (cg_acc_has(k, i))

cg_acc cg_identity(cg *g);
/* a∘b, a being the left one; ok: the lanes that may escape, or 0. */
cg_acc cg_combine(cg *g, cg_acc a, cg_acc b, uint32_t ok);
cg_acc cg_acc_sel(cg *g, uint32_t cond, cg_acc a, cg_acc b);
cg_acc cg_acc_part(cg *g, cg_acc v, uint32_t j);
cg_acc cg_acc_join(cg *g, const cg_acc v[4]);
cg_acc cg_acc_splat(cg *g, cg_acc v);
/* From lane `lane` of the subgroup, or from the lane that differs in the bits of it. */
cg_acc cg_shuffle(cg *g, cg_acc v, uint32_t lane, bool is_xor);
/* The results of the FOLD and of its PARTs from here on: g->result. */
void cg_fold_results(cg *g, cg_acc v, uint32_t ok);

/* ── within a subgroup (group.c) ── */
/* Do subgroup instructions do this fold, where the width has them? Of exact ones without
 * 128-bit sums. */
bool cg_group_exact(const kir *k, const cg_opts *o);
/* The fold of each `width` neighbouring threads, in all of them: by neighbours, or by the
 * instruction of an exact monoid. width: a power of two, at most cg_subgroup; lanes must
 * be one, and all threads of the subgroup take part. Where the order shows, the first
 * thread alone has its own value on the left at every level. */
cg_acc cg_group_reduce(cg *g, cg_acc v, uint32_t width);
/* The inclusive scan within each `width` neighbouring threads, by Sklansky or by the
 * instruction; as above. */
cg_acc cg_group_scan(cg *g, cg_acc v, uint32_t width);
bool cg_fold_escapes(const kir *k); /* combining may raise the FOLD's flag */
/* Is an identity not neutral on the left, or none known? What is missing is left out. */
bool cg_fold_selects(const kir *k);
bool cg_fold_commutes(const kir *k); /* the order of elements never matters */
/* Neither does the bracketing: every value by an EXACT or SUM row of folds.def. */
bool cg_fold_exact(const kir *k);
/* The bracketing never matters: ⌊ and ⌈ of floats, too. */
bool cg_fold_associates(const kir *k);
bool cg_fold_is_wide(const kir *k); /* a value has 128 bits: the result may raise */
/* An accumulator in memory of the Function or Workgroup class. */
typedef struct cg_var {
  uint32_t id[CG_ACC_IDS];
} cg_var;
cg_var cg_local_acc(cg *g, cg_acc initial); /* a constant */
cg_var cg_var_acc(cg *g, cg_acc v);         /* holds v */
cg_acc cg_var_get(cg *g, cg_var v);
void cg_var_set(cg *g, cg_var v, cg_acc a);
cg_var cg_shared_acc(cg *g, uint32_t count);
cg_acc cg_shared_get(cg *g, cg_var v, uint32_t index);
void cg_shared_put(cg *g, cg_var v, uint32_t index, cg_acc a);

/* ── where accumulators come from and go to (acc.c) ── */
/* The accumulators of the producer (or of `from`) at p; raw as for cg_range. */
cg_acc cg_source(cg *g, cg_pos *p, const uint32_t *raw);
/* The accumulator of what was emitted last. */
cg_acc cg_acc_here(cg *g);
/* a ∘ those at n positions, fewer than 256, one after the other; those that do not exist
 * are identities. Sums of small numbers are made in 32 bits first. */
cg_acc cg_fold_at(cg *g, cg_acc a, cg_pos *p, uint32_t (*raw)[KIR_MAX_IN], uint32_t n);
cg_acc cg_get_acc(cg *g, uint32_t base, cg_pos *p);
cg_acc cg_get_acc_at(cg *g, uint32_t base, uint32_t index);
void cg_put_acc(cg *g, uint32_t base, cg_pos *p, cg_acc v);
void cg_put_acc_at(cg *g, uint32_t base, uint32_t index, cg_acc v);
/* For threads of the same dispatch, by relaxed atomic stores of words (finish.c); the
 * lanes must be one. cg_source reads them where g->published says so. */
void cg_publish_acc(cg *g, uint32_t base, uint32_t index, cg_acc v);
/* An accumulator, lanes being one, as words of 32 bits, and back; how many there are. */
enum { CG_ACC_WORDS = 16 };
uint32_t cg_acc_words(cg *g, cg_acc v, uint32_t w[CG_ACC_WORDS]);
cg_acc cg_acc_of_words(cg *g, const uint32_t w[CG_ACC_WORDS]);
#endif
