/* SPDX-License-Identifier: MIT */
/* lift_ragged.c - vectors of other lengths taken, dropped, rotated, put one behind the other
 * (lift_value.h): what gives groups of other sizes.
 *
 * The sizes are scalar functions of the sizes before; then each element is fetched from where it
 * was, which is a scalar function of its number within its group and of where that began:
 *
 *     {2↑⍵}⌸    sizes 2 2 2,   from: begin + own number, or behind all elements: a fill
 *     {1,⍵}⌸    sizes 1 + ≢,   from: own number = 0: the 1, else begin + own number - 1
 *
 * Vectors of one length, and scalars, are such groups where they meet others. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"

/* ── groups ── */

static bool is_vector(const lifted *x) {
  if (is_nested(x->a)) return false;
  if (x->kind == LIFT_GROUPS) return x->a->rank == 1 && x->of->in_order;
  return x->kind == LIFT_ARRAY && cell_rank(x) <= 1;
}

/* On the host calls cost less than that for long cells. */
bool lift_is_far(const lift *l, const lifted *x) {
  enum { SHORT = 32 };
  return !x->a->host || cell_tally(x) <= SHORT || ir_lifts(l->w.v->g, 1);
}

/* The least, or the sum, of numbers that there are; false after an error. */
static bool number_of_all(lift *l, prim p, arr *a, int64_t *n) {
  ir_call at = call_of(l->w.v);
  OWNED arr *r = ir_reduce(&at, p, a, 0);
  if (!r || !ir_host(at.g, r) || !elt_is_int((elt)r->type)) return false;
  *n = arr_get_int(r, 0);
  return true;
}

/* Groups of these sizes, which lie in order; NULL: there are no elements, or more than the calls would have at
 * a time. */
groups *lift_groups_add(lift *l, arr *sizes) {
  enum { MOST = 1 << 28 };
  int64_t least, n;
  if (l->owned == LIFT_RAGGED || !sizes || !ir_settle(l->w.v->g, sizes)) return NULL;
  if (!number_of_all(l, P_FLOOR, sizes, &least) || least < 0) return NULL;
  if (!number_of_all(l, P_PLUS, sizes, &n) || !n || n > MOST) return NULL;
  groups *g = &l->own[l->owned++];
  *g = (groups){.n = n, .count = sizes->count, .in_order = true, .empties = !least};
  g->sizes = arr_retain(sizes);
  return g;
}

/* A number for each group, as an array. */
static arr *by_group(lift *l, int i) { return lift_align(l, value_at(l, i), 1, 0, NULL); }

/* The groups of x asked from now on. */
static groups *ask_of(lift *l, int x) { return l->groups = value_at(l, x)->of; }

/* l->groups of the sizes that a value gives up has; false: there are none. */
static bool ask_new(lift *l, int sizes) {
  OWNED arr *a = sizes == NONE ? NULL : by_group(l, sizes);
  walk_drop(&l->w, sizes);
  groups *g = lift_groups_add(l, a);
  if (g) l->groups = g;
  return g;
}

int lift_as_groups(lift *l, int xi) {
  const lifted *x = value_at(l, xi);
  if (!is_vector(x) || x->a->type == ET_C128) return NONE;
  if (x->kind == LIFT_GROUPS) return walk_keep(&l->w, xi);
  if (l->rank != 1) return NONE;
  OWNED arr *all = lift_align(l, x, 1, cell_rank(x), cell_shape(x));
  OWNED arr *line = all ? prim1(l->w.v, P_COMMA, all) : NULL;
  OWNED arr *one = line ? arr_int(l->w.v->c, cell_tally(x)) : NULL;
  OWNED arr *sizes = one ? lift_align(l, &(lifted){.a = one}, 1, 0, NULL) : NULL;
  groups *g = lift_groups_add(l, sizes), *was = l->groups;
  if (!g) return NONE;
  l->groups = g;
  int r = lift_grouped_line(l, arr_move(&line));
  l->groups = was;
  return r;
}

int lift_own_numbers(lift *l, int64_t first) {
  return lift_both(l, P_MINUS, lift_group_numbers(l),
                   lift_of_parts(l, PART_BEGIN, -first));
}

static int own_numbers(lift *l) { return lift_own_numbers(l, 0); }

static int copy(lift *l, int x) { return walk_keep(&l->w, x); }

/* The elements of `line` at `from`, which is given up. */
static int fetched(lift *l, arr *line, int from) {
  if (from == NONE || !line) return NONE;
  arr *r = ir_certain(cells_at(l->w.v, line, value_at(l, from)->a));
  walk_drop(&l->w, from);
  return lift_grouped_line(l, r);
}

int lift_regular(lift *l, int x, int rank, const int64_t *cell) {
  if (x == NONE) return x;
  int64_t shape[ARR_MAX_RANK] = {l->shape[0]};
  for (int k = 0; k < rank; k++) shape[k + 1] = cell[k];
  OWNED arr *to = arr_int_vec(l->w.v->c, rank + 1, shape);
  OWNED arr *r = to ? prim2(l->w.v, P_RHO, to, value_at(l, x)->a) : NULL;
  walk_drop(&l->w, x);
  return lift_add(l, arr_move(&r), 1);
}

/* ── ↑ ↓ ⌽ ── */

/* x f (y f z) and the like are read from the inside: every function gives up what it is given. */
static int most(lift *l, int x, int y) { return lift_both(l, P_CEIL, x, y); }
static int plus(lift *l, int x, int y) { return lift_both(l, P_PLUS, x, y); }
static int minus(lift *l, int x, int y) { return lift_both(l, P_MINUS, x, y); }
static int times(lift *l, int x, int y) { return lift_both(l, P_TIMES, x, y); }
static int size(lift *l) { return lift_of_parts(l, PART_LENGTH, 0); }
static int zero(lift *l) { return lift_number(l, 0); }

/* What take and drop do to the groups asked: the sizes after it, and how far behind the beginning each
 * begins. */
typedef struct cut {
  int sizes, shift;
} cut;

static cut take_of(lift *l, int k) {
  int behind = minus(l, size(l), most(l, copy(l, k), minus(l, zero(l), copy(l, k))));
  int negative = lift_both(l, P_LT, copy(l, k), zero(l));
  cut r = {.shift = times(l, negative, behind)};
  r.sizes = most(l, copy(l, k), minus(l, zero(l), copy(l, k)));
  return r;
}

static cut drop_of(lift *l, int k) {
  int without = most(l, copy(l, k), minus(l, zero(l), copy(l, k)));
  return (cut){.sizes = most(l, zero(l), minus(l, size(l), without)),
               .shift = most(l, zero(l), copy(l, k))};
}

/* Where fills are wanted, behind all n elements, instead of numbers that are not in 0 ≤ number < limit. */
static int or_behind(lift *l, int number, int limit, int from, int64_t n) {
  int low = lift_both(l, P_LE, zero(l), copy(l, number));
  int in = lift_both(l, P_AND, low, lift_both(l, P_LT, number, limit));
  return plus(l, lift_number(l, n), times(l, in, minus(l, from, lift_number(l, n))));
}

static int cut_groups(lift *l, prim p, int k, int y) {
  vm *v = l->w.v;
  ask_of(l, y);
  cut c = p == P_TAKE ? take_of(l, k) : drop_of(l, k);
  int begin = lift_of_parts(l, PART_BEGIN, 0), limit = size(l), from = NONE;
  arr *line = value_at(l, y)->a;
  int64_t n = line->count;
  if (c.shift == NONE || begin == NONE || limit == NONE || !ask_new(l, c.sizes))
    return NONE;
  int number = plus(l, own_numbers(l), c.shift);
  if (number != NONE) from = plus(l, begin, copy(l, number));
  if (from == NONE || p == P_DROP) return fetched(l, line, from);
  OWNED arr *one_more = arr_int(v->c, n + 1);
  OWNED arr *padded = one_more ? prim2(v, P_TAKE, one_more, line) : NULL;
  return fetched(l, padded, or_behind(l, number, limit, from, n));
}

static int rotate_groups(lift *l, int k, int y) {
  ask_of(l, y);
  int at = lift_both(l, P_RESIDUE, size(l), plus(l, own_numbers(l), copy(l, k)));
  int from = plus(l, lift_of_parts(l, PART_BEGIN, 0), at);
  return fetched(l, value_at(l, y)->a, from);
}

/* Is it an integer for each cell? */
static bool is_count(lift *l, const lifted *k) {
  return k->kind == LIFT_ARRAY && !cell_rank(k) && !is_nested(k->a) &&
         ir_resolve(l->w.v->g, k->a) && elt_is_int((elt)k->a->type);
}

/* n of a vector that all share and has one element. */
static int as_count(lift *l, int k) {
  const lifted *x = value_at(l, k);
  bool one = x->kind == LIFT_ARRAY && !x->frame && x->a->count == 1 && !is_nested(x->a);
  return one && x->a->rank ? lift_add(l, lift_reshape(l, x->a, 0, 0, NULL), 0)
                           : copy(l, k);
}

static int moved(lift *l, prim p, int ki, int yi) {
  const lifted *y = value_at(l, yi);
  int r = NONE, k = as_count(l, ki);
  int64_t n[ARR_MAX_RANK] = {0};
  if (k == NONE || !is_count(l, value_at(l, k))) return NONE;
  bool cells = y->kind == LIFT_ARRAY, rotates = p == P_REVERSE || p == P_REVERSE1;
  if (cells && (cell_rank(y) != 1 || !lift_is_far(l, y))) return NONE;
  if (cells && rotates) n[0] = cell_tally(y);
  else if (p == P_TAKE && lift_numbers(l, value_at(l, k), n) == 1 && n[0] < 0)
    n[0] = -n[0];
  int all = lift_as_groups(l, yi);
  if (all == NONE) return NONE;
  if (rotates) r = rotate_groups(l, k, all);
  else r = cut_groups(l, p, k, all);
  walk_drop(&l->w, all);
  walk_drop(&l->w, k);
  return n[0] ? lift_regular(l, r, 1, n) : r;
}

/* ── , ⍴ ⍳ and choices ── */

static bool has_vectors(const lifted *x) {
  return x->kind == LIFT_GROUPS || cell_rank(x);
}

/* Do their elements stand behind each other as elements of one class, whichever cells have none? */
static bool go_behind(const lifted *x, const lifted *y) {
  cls a = class_of(x), b = class_of(y);
  if (!is_vector(x) || !is_vector(y) || !alike(x, y) || is_f32(x) != is_f32(y))
    return false;
  return a == b || (a <= CLS_I && b <= CLS_I);
}

/* x's elements and then y's, in each group; or, c not NONE, those of x where c is 1, those of y where it is 0. */
static int joined(lift *l, int x, int y, int c) {
  vm *v = l->w.v;
  arr *first = value_at(l, x)->a, *second = value_at(l, y)->a;
  ask_of(l, x);
  int nx = size(l), bx = lift_of_parts(l, PART_BEGIN, 0);
  ask_of(l, y);
  int ny = size(l), by = lift_of_parts(l, PART_BEGIN, first->count);
  if (nx == NONE || bx == NONE || ny == NONE || by == NONE) return NONE;
  if (c != NONE) {
    int other = lift_primitive(&l->w, P_NOT, NONE, c);
    nx = times(l, nx, copy(l, c));
    ny = times(l, ny, other);
  }
  if (!ask_new(l, plus(l, copy(l, nx), ny))) return NONE;
  int own = own_numbers(l), is_first = lift_both(l, P_LT, copy(l, own), copy(l, nx));
  int then = plus(l, by, minus(l, copy(l, own), nx));
  if (is_first == NONE || then == NONE) return NONE;
  int more = times(l, is_first, minus(l, plus(l, bx, own), copy(l, then)));
  OWNED arr *line = prim2(v, P_COMMA, first, second);
  return fetched(l, line, plus(l, then, more));
}

int lift_join(lift *l, int xi, int yi, int c) {
  groups *was = l->groups;
  if (!go_behind(value_at(l, xi), value_at(l, yi))) return NONE;
  const lifted *truth = c == NONE ? NULL : value_at(l, c);
  if (truth &&
      (truth->kind != LIFT_ARRAY || cell_rank(truth) || class_of(truth) != CLS_B))
    return NONE;
  if (truth && (!has_vectors(value_at(l, xi)) || !has_vectors(value_at(l, yi))))
    return NONE;
  int x = lift_as_groups(l, xi), y = x == NONE ? NONE : lift_as_groups(l, yi), r = NONE;
  if (y != NONE) r = joined(l, x, y, c);
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  l->groups = was;
  return r;
}

/* The first elements of each group, again and again. */
static int reshaped(lift *l, int x, int y) {
  int64_t cell[ARR_MAX_RANK];
  int n = lift_numbers(l, value_at(l, x), cell);
  arr *line = value_at(l, y)->a;
  if (n < 1 || n + 1 > ARR_MAX_RANK || ask_of(l, y)->empties) return NONE;
  for (int i = 0; i < n; i++)
    if (cell[i] <= 0) return NONE;
  int begin = lift_of_parts(l, PART_BEGIN, 0), limit = size(l);
  if (begin == NONE || limit == NONE) return NONE;
  if (!ask_new(l, lift_number(l, arr_product(n, cell)))) return NONE;
  int from = plus(l, begin, lift_both(l, P_RESIDUE, limit, own_numbers(l)));
  return lift_regular(l, fetched(l, line, from), n, cell);
}

/* n⍴y of another n for each cell: the first n elements of its vector, or scalar, again and again. */
int lift_repeat(lift *l, int n, int yi) {
  groups *was = l->groups;
  const lifted *y = value_at(l, yi);
  int k = as_count(l, n), all = NONE, begin = NONE, r = NONE;
  bool shared = y->kind == LIFT_ARRAY && !y->frame && y->a->rank <= 1 && !is_nested(y->a);
  bool fit =
      k != NONE && l->rank == 1 && value_at(l, k)->frame && is_count(l, value_at(l, k));
  arr *line = y->a;
  if (fit && shared && line->count) {
    int limit = lift_number(l, line->count);
    if (ask_new(l, copy(l, k))) r = lift_both(l, P_RESIDUE, limit, own_numbers(l));
  } else if (fit && !shared && (all = lift_as_groups(l, yi)) != NONE &&
             !ask_of(l, all)->empties) {
    int limit = size(l);
    begin = lift_of_parts(l, PART_BEGIN, 0);
    line = value_at(l, all)->a;
    if (limit != NONE && ask_new(l, copy(l, k)))
      r = plus(l, begin, lift_both(l, P_RESIDUE, limit, own_numbers(l)));
  }
  OWNED arr *of = r != NONE ? prim1(l->w.v, P_COMMA, line) : NULL;
  r = fetched(l, of, r);
  walk_drop(&l->w, all);
  walk_drop(&l->w, k);
  l->groups = was;
  return r;
}

/* ⊃ of vectors of which some have no elements, and so give fills. */
int lift_first_or_fill(lift *l, int y) {
  int one = lift_number(l, 1);
  int r = one == NONE ? NONE : cut_groups(l, P_TAKE, one, y);
  walk_drop(&l->w, one);
  return lift_regular(l, r, 0, NULL);
}

/* ⍳n of another n for each cell. */
int lift_iota(lift *l, int n) {
  groups *was = l->groups;
  const lifted *x = value_at(l, n);
  bool fit = l->rank == 1 && x->frame == 1 && is_count(l, x);
  int r = NONE;
  if (fit && ask_new(l, copy(l, n))) r = lift_own_numbers(l, l->w.v->sv->io);
  l->groups = was;
  return r;
}

/* `line` by groups of these sizes, each of which begins where `begin` says; both are given up. */
static int groups_from(lift *l, arr *line, int sizes, int begin) {
  if (begin == NONE || !ask_new(l, sizes)) return NONE;
  return fetched(l, line, plus(l, begin, own_numbers(l)));
}

/* The numbers of a value that is given up, at those places. */
static int numbers_at(lift *l, int x, arr *at) {
  arr *a = x == NONE ? NULL : cells_at(l->w.v, value_at(l, x)->a, at);
  walk_drop(&l->w, x);
  return lift_add(l, a, 1);
}

int lift_groups_at(lift *l, int x, arr *at) {
  groups *was = l->groups;
  if (!is_vector(value_at(l, x))) return NONE;
  ask_of(l, x);
  int sizes = numbers_at(l, size(l), at);
  int begin = numbers_at(l, lift_of_parts(l, PART_BEGIN, 0), at);
  int64_t count = l->shape[0];
  l->shape[0] = at->count;
  int r = sizes == NONE ? NONE : groups_from(l, value_at(l, x)->a, sizes, begin);
  l->shape[0] = count;
  l->groups = was;
  return r;
}

/* Vectors, of as many cells as it has, as groups. */
static int as_own_groups(lift *l, int xi) {
  const lifted *x = value_at(l, xi);
  int64_t count = l->shape[0];
  if (x->kind == LIFT_ARRAY && cell_rank(x) == 1) l->shape[0] = x->a->shape[0];
  else if (x->kind != LIFT_GROUPS) return NONE;
  int r = lift_as_groups(l, xi);
  l->shape[0] = count;
  return r;
}

/* Of two rows of numbers, given up, those at `at`. */
static int both_at(lift *l, int x, int y, arr *at) {
  arr *a = x == NONE || y == NONE
               ? NULL
               : prim2(l->w.v, P_COMMA, value_at(l, x)->a, value_at(l, y)->a);
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  return numbers_at(l, lift_add(l, a, 1), at);
}

int lift_groups_beside(lift *l, int xi, int yi, arr *at) {
  groups *was = l->groups;
  if (!go_behind(value_at(l, xi), value_at(l, yi))) return NONE;
  int x = as_own_groups(l, xi), y = x == NONE ? NONE : as_own_groups(l, yi), r = NONE;
  if (y != NONE) {
    arr *first = value_at(l, x)->a, *second = value_at(l, y)->a;
    ask_of(l, x);
    int nx = size(l), bx = lift_of_parts(l, PART_BEGIN, 0);
    ask_of(l, y);
    int ny = size(l), by = lift_of_parts(l, PART_BEGIN, first->count);
    OWNED arr *line = prim2(l->w.v, P_COMMA, first, second);
    int sizes = both_at(l, nx, ny, at), begin = both_at(l, bx, by, at);
    if (line && sizes != NONE) r = groups_from(l, line, sizes, begin);
  }
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  l->groups = was;
  return r;
}

/* n f/ of each group: those of all elements but where the next group's come in. */
int lift_group_windows(walk *w, const part_derived *f, int x, int yi) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi);
  groups *was = l->groups;
  int64_t n[ARR_MAX_RANK], shortest;
  if (!is_vector(y) || lift_numbers(l, value_at(l, x), n) != 1 || !n[0]) return NONE;
  int64_t before = (n[0] < 0 ? -n[0] : n[0]) - 1;
  if (!number_of_all(l, P_FLOOR, ask_of(l, yi)->sizes, &shortest) || shortest < before)
    return NONE;
  int line = lift_add(l, arr_retain(y->a), 0), r = NONE;
  int all = line == NONE ? NONE : lift_windows(w, f, x, line);
  int begin = lift_of_parts(l, PART_BEGIN, 0);
  int sizes = lift_of_parts(l, PART_LENGTH, -before);
  if (all != NONE && begin != NONE && ask_new(l, sizes))
    r = fetched(l, value_at(l, all)->a, plus(l, begin, own_numbers(l)));
  walk_drop(w, all);
  walk_drop(w, line);
  l->groups = was;
  return r;
}

int lift_ragged_move(walk *w, prim p, int x, int y) {
  lift *l = lift_of(w);
  groups *was = l->groups;
  int r = NONE;
  if (x == NONE) return p == P_IOTA ? lift_iota(l, y) : NONE;
  switch (p) {
  case P_TAKE:
  case P_DROP:
  case P_REVERSE:
  case P_REVERSE1: r = moved(l, p, x, y); break;
  case P_RHO:
    if (value_at(l, y)->kind == LIFT_GROUPS && is_vector(value_at(l, y)))
      r = reshaped(l, x, y);
    if (r == NONE) r = lift_repeat(l, x, y);
    break;
  case P_COMMA:
    if (has_vectors(value_at(l, x)) || has_vectors(value_at(l, y)))
      r = lift_join(l, x, y, NONE);
    break;
  default: break;
  }
  l->groups = was;
  return r;
}
