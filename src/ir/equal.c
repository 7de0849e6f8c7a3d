/* SPDX-License-Identifier: MIT */
/* equal.c - nodes of a region that compute the same: their values are computed once. */
#include <string.h>
#include "../tables/fast.h"
#include "plan.h"

/* Do two nodes compute the same, as far as so many comparisons show? What both reach by many ways
 * would be compared as often. */
enum { COMPARISONS = 100 };
static bool same_node(const ir_node *a, const ir_node *b, int *left);

static bool same_array(const arr *a, const arr *b, int *left) {
  if (a == b || !a || !b) return a == b;
  if (is_pending(a) || is_pending(b))
    return is_pending(a) && is_pending(b) && same_node(a->node, b->node, left);
  return a->count == 1 && b->count == 1 && a->host && b->host && a->type == b->type &&
         a->rank == b->rank && !memcmp(a->host, b->host, elt_bytes((elt)a->type, 1));
}

static bool same_node(const ir_node *a, const ir_node *b, int *left) {
  if (--*left < 0) return false;
  if (a->kind != b->kind || a->p != b->p || a->ct != b->ct || a->row != b->row ||
      a->ty != b->ty || a->seeks != b->seeks || a->axis != b->axis || a->wide != b->wide)
    return false;
  if (!a->kind->comparable || a->fn || b->fn || a->link || b->link || a->pairs ||
      b->pairs)
    return false;
  if (a->first != b->first || a->step != b->step || !plan_same_strides(a, b))
    return false;
  return a->self->count == b->self->count && same_array(a->x, b->x, left) &&
         same_array(a->y, b->y, left);
}

static bool is_whole(const plan *p, const ir_node *n) {
  for (size_t i = 0; i < p->whole.n; i++)
    if (p->whole.at[i] == n) return true;
  return false;
}

/* Where all elements of `of` are computed, those of its equal a are, too; and so on below. */
static void note_equal(plan *p, const arr *a, const arr *of, int *left) {
  if (a == of || !a || !is_pending(a) || --*left < 0) return;
  if (is_whole(p, of->node) && !is_whole(p, a->node)) vec_push(p->c, &p->whole, a->node);
  note_equal(p, a->node->x, of->node->x, left);
  note_equal(p, a->node->y, of->node->y, left);
}

bool plan_find_equal(plan *p, const arr *a, index_map at, kv *v) {
  for (size_t i = 0; i < p->memo.n && p->n_row_nodes; i++) {
    const plan_memo *m = &p->memo.at[i];
    int left = COMPARISONS, all = COMPARISONS;
    if (!m->a || !m->a->node || !plan_same_map(m->at, at)) continue;
    if (!same_node(m->a->node, a->node, &left)) continue;
    *v = m->v;
    note_equal(p, a, m->a, &all);
    return true;
  }
  return false;
}
