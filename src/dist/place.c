/* SPDX-License-Identifier: MIT */
/* place.c - searches for a short list in a long array, in parts: the first place of each is the least of all ranks'
 * places, and it is a member if it is one of any part. Of few elements that is one agreement; of more, each rank's
 * answers are a row of a table, which is folded. */
#include "../array/element.h"
#include "../ir/build.h"
#include "forms.h"

/* Places of y's elements in this rank's part of x as complements, so that the greatest of all is the first. */
static bool places_here(const ir_call *call, arr *x, arr *y, int64_t *place) {
  dist *d = dist_of(call);
  int64_t n = x->shape[0], first = my_first(d, n), rows = my_rows(d, n);
  OWNED arr *part = part_for(call, x);
  inside_begin(d);
  OWNED arr *r = part ? ir_dyadic(call, P_IOTA, part, y) : NULL;
  bool ok = r && ir_host(call->g, r);
  inside_end(d);
  for (int64_t i = 0; i < y->count; i++) {
    int64_t at = ok ? arr_get_int(r, i) - call->env.io : rows;
    place[i] = ~(at < rows ? first + at : n);
  }
  return ok;
}

arr *place_of_few(const ir_call *call, arr *x, arr *y) {
  dist *d = dist_of(call);
  int64_t place[AGREE_VALUES_MOST];
  bool few = y->count >= 1 && y->count <= AGREE_VALUES_MOST;
  if (!is_for_parts(d, x) || x->rank != 1 || !few || y->type == ET_NEST) return NULL;
  if (!op_begins(d, call->at)) return NULL;
  agreed is;
  do {
    places_here(call, x, y, place);
    is = dist_agree(d, AGREE_VALUES, place, (int)y->count);
  } while (is == AGREED_WIDER);
  if (is == AGREED_ERROR) return NULL;
  for (int64_t i = 0; i < y->count; i++) place[i] = ~place[i] + call->env.io;
  return arr_ints(call->env.c, y->rank, y->shape, place);
}

typedef struct search {
  prim f;
  arr *sought, *among;
  int rank; /* of the result: what is sought is an array of elements, or of rows, of that rank */
} search;

/* Places in this rank's part as places in all of it; what is not here has the place behind all. */
static arr *places_in_all(const ir_call *call, arr *at, int64_t n) {
  const dist *d = dist_of(call);
  int64_t first = my_first(d, n), end = first + my_rows(d, n);
  OWNED arr *in_all = with_number(call, P_PLUS, first, arr_retain(at));
  OWNED arr *missing = with_number(call, P_EQ, end - first, arr_retain(at));
  OWNED arr *more = with_number(call, P_TIMES, n - end, arr_move(&missing));
  return in_all && more ? ir_dyadic(call, P_PLUS, in_all, more) : NULL;
}

/* What this rank's part says of what is sought: a row. */
static arr *answers_here(const ir_call *call, void *user) {
  const search *s = user;
  ir_call zero = from_zero(*call);
  OWNED arr *part = part_for(call, s->among), *r = NULL;
  if (!part) return NULL;
  if (s->f == P_MEMBER) r = ir_dyadic(call, P_MEMBER, s->sought, part);
  else {
    OWNED arr *at = ir_dyadic(&zero, P_IOTA, part, s->sought);
    r = at ? places_in_all(&zero, at, s->among->shape[0]) : NULL;
  }
  return r ? ir_reshape(call, r, 2, (int64_t[]){1, r->count}) : NULL;
}

/* All ranks' rows are one: of the shape of what is sought. */
static arr *answers_folded(const ir_call *call, const search *s, arr *table) {
  prim f = s->f == P_MEMBER ? P_OR : P_FLOOR;
  OWNED arr *line = ir_reduce(call, f, table, 0);
  if (line && s->f == P_IOTA) {
    OWNED arr *at = with_number(call, P_PLUS, call->env.io, arr_move(&line));
    line = arr_move(&at);
  }
  return ir_reshape(call, line, s->rank, s->sought->shape);
}

/* Is it an array of elements, or of rows as those in which they are sought? */
static bool has_cells(search *s) {
  int cell = s->f == P_IOTA ? s->among->rank - 1 : 0;
  s->rank = s->sought->rank - cell;
  if (s->rank < 0) return false;
  for (int k = 0; k < cell; k++)
    if (s->sought->shape[s->rank + k] != s->among->shape[1 + k]) return false;
  return true;
}

arr *place_of_short(const ir_call *call, prim f, arr *x, arr *y) {
  dist *d = dist_of(call);
  search s = {f, x, y, 0};
  if (f != P_MEMBER) s = (search){f, y, x, 0};
  if (!is_cut(s.among) || is_cut(s.sought) || s.sought->type == ET_NEST) return NULL;
  if (!has_cells(&s) || !s.sought->count) return NULL;
  int64_t n = arr_product(s.rank, s.sought->shape);
  if (n > s.among->count / d->ranks || !ir_settle(call->g, s.sought)) return NULL;
  if (!op_begins(d, call->at)) return NULL;
  elt type;
  OWNED arr *part = local_part(call, answers_here, &s, &type);
  OWNED arr *table = part ? gathered(call, part, 2, (int64_t[]){d->ranks, n}) : NULL;
  return table ? answers_folded(call, &s, table) : NULL;
}
