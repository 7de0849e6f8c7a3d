/* SPDX-License-Identifier: MIT */
/* cells.c - the operators that take arrays apart into cells: ⍤ ⌸ ⌺ @.
 *
 * ⍤ ⌸ ⌺ call their operand for each cell, group of cells or window, and mix what it gives
 * into one array, filled up where results differ in shape. Where there is nothing to call
 * it for, it is called once with fills, and the shape of what it gives decides the
 * result's.
 * @ hands the selected part over as a whole and puts the result in its place. */
#include <string.h>
#include "../run/primitive.h"
#include "../value/items.h"
#include "oper.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/args.h"
#include "../../prim/index.h"

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* The results become the cells of one array, filled up where they differ. Frees s. */
static arr *mix_items(vm *v, pile *s, bool ok, int rank, const int64_t *shape) {
  bool simple = true;
  for (int64_t i = 0; ok && i < s->n; i++) {
    simple = simple && !s->at[i]->rank && !is_nested(s->at[i]);
    ok = ir_host(v->g, s->at[i]);
  }
  if (simple || !ok || !s->n) return pile_end(v, s, ok, rank, shape);
  arr *all = arr_new(v->c, ET_NEST, rank, shape), *r = NULL;
  if (all) {
    memcpy(all->host, s->at, (size_t)s->n * sizeof *s->at);
    s->n = 0;
    prim_env pe = env_of(v);
    r = prim_mix(&pe, all);
    arr_release(all);
  }
  pile_end(v, s, false, rank, shape);
  return r;
}

/* The same for no results at all: they would look like t, which is consumed. */
static arr *mix_none(vm *v, arr *t, int rank, const int64_t *shape) {
  arr *all = t && ir_host(v->g, t) ? arr_new(v->c, ET_NEST, rank, shape) : NULL,
      *r = NULL;
  prim_env pe = env_of(v);
  if (all && (((arr **)all->host)[0] = arr_proto(v->c, t))) r = prim_mix(&pe, all);
  arr_release(all);
  arr_release(t);
  return r;
}

/* An array of y's fill elements. */
static arr *fills(vm *v, const arr *y, int rank, const int64_t *shape) {
  prim_env pe = env_of(v);
  arr *fill = arr_fill_of(v->c, y), *to = fill ? arr_int_vec(v->c, rank, shape) : NULL,
      *r = NULL;
  if (to) r = prim_reshape(&pe, to, fill);
  arr_release(to);
  arr_release(fill);
  return r;
}

/* ── ⍤ ──────────────────────────────────────────────────────────────────────────────── */

/* The rank of the cells that ⍤'s operand k asks for: which 0 monadic, 1 left, 2 right. */
static bool cell_rank(vm *v, arr *k, int which, int rank, int *cell) {
  static const uint8_t from[4][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 1}, {0, 1, 2}};
  if (!ir_host(v->g, k)) return false;
  if (k->rank > 1 || k->type > ET_F64)
    return err_set(v->c, k->rank > 1 ? ERR_RANK : ERR_DOMAIN,
                   "⍤ needs one to three ranks");
  if (k->count < 1 || k->count > 3)
    return err_set(v->c, ERR_LENGTH, "⍤ needs one to three ranks");
  double d = arr_get_float(k, from[k->count][which]);
  int64_t n = d > 99 ? 99 : d < -99 ? -99 : (int64_t)d;
  if ((double)n != d && d < 99 && d > -99)
    return err_set(v->c, ERR_DOMAIN, "a rank must be an integer");
  if (n < 0) n = rank + n < 0 ? 0 : rank + n;
  *cell = (int)(n > rank ? rank : n);
  return true;
}

/* Cell i of rank `cell`; a cell of rank 0 is the element, an item still enclosed. */
static arr *cell_at(vm *v, const arr *a, int cell, int64_t i) {
  arr *r = arr_new(v->c, (elt)a->type, cell, a->shape + (a->rank - cell));
  if (!r) return NULL;
  arr_copy(r, 0, a, i * r->count, r->count);
  if (a->type == ET_NEST && !r->count) ((arr **)r->host)[0] = arr_retain(arr_item(a, 0));
  if (elt_is_int((elt)a->type)) r->has_range = a->has_range, r->lo = a->lo, r->hi = a->hi;
  return r;
}

/* No cells: the result is shaped by what f makes of cells of fills. */
static arr *rank_none(vm *v, fn *f, arr *x, int cx, arr *y, int cy, int rank,
                      const int64_t *frame) {
  arr *b = fills(v, y, cy, y->shape + (y->rank - cy)), *a = NULL, *t = NULL;
  if (b && x) a = fills(v, x, cx, x->shape + (x->rank - cx));
  if (b && (a || !x)) t = call2(v, f, a, b);
  arr_release(a);
  arr_release(b);
  return mix_none(v, t, rank, frame);
}

/* An argument whose cells have rank `cell`, as an array of the result's shape. */
static arr *spread_cells(vm *v, arr *a, int cell, int frame, int rank,
                         const int64_t *shape) {
  int k[ARR_MAX_RANK], own = a->rank - cell;
  if (a->rank == rank) return arr_retain(a);
  for (int i = 0; i < a->rank; i++) k[i] = i < own ? i : frame + i - own;
  ir_call call = call_of(v);
  return ir_spread(&call, a, rank, shape, k);
}

/* x (f⍤cx cy) y of a scalar function whose cells agree, or are scalars on one side: one
 * application to whole arrays. `frame` axes stand in front; like has the larger frame. */
static arr *rank_scalar(vm *v, prim p, arr *x, int cx, arr *y, int cy, const arr *like,
                        int frame) {
  int64_t shape[ARR_MAX_RANK];
  const arr *cell = cx > cy ? x : y;
  int n = cx > cy ? cx : cy;
  for (int i = 0; i < frame; i++) shape[i] = like->shape[i];
  for (int i = 0; i < n; i++) shape[frame + i] = cell->shape[cell->rank - n + i];
  arr *a = spread_cells(v, x, cx, frame, frame + n, shape), *r = NULL;
  arr *b = a ? spread_cells(v, y, cy, frame, frame + n, shape) : NULL;
  if (b) r = prim2(v, p, a, b);
  arr_release(a);
  arr_release(b);
  return r;
}

static bool cells_agree(const arr *x, int cx, const arr *y, int cy) {
  if (!cx || !cy) return true;
  if (cx != cy) return false;
  for (int i = 1; i <= cx; i++)
    if (x->shape[x->rank - i] != y->shape[y->rank - i]) return false;
  return true;
}

/* Applies f to whole arrays where that is the same as to the cells one by one. */
static bool rank_whole(vm *v, fn *f, arr *x, int cx, arr *y, int cy, const arr *like,
                       int frame, arr **r) {
  if (is_nested(y) || !y->count || (x && (is_nested(x) || !x->count))) return false;
  if (fn_is_scalar(f, x != NULL)) {
    int n = cx > cy ? cx : cy;
    if (x && (!cells_agree(x, cx, y, cy) || frame + n > ARR_MAX_RANK)) return false;
    *r = !x ? prim1(v, (prim)f->prim, y)
            : rank_scalar(v, (prim)f->prim, x, cx, y, cy, like, frame);
    return true;
  }
  bool last = f->code == OP_REDUCE, first = f->code == OP_REDUCE1;
  if (f->kind != F_DERIVED || x || !cy || f->axis || !(last || first) ||
      f->l.cls != C_FN || !fn_is_scalar(f->l.f, true))
    return false;
  *r = fold_with(v, f->l.f, y, last ? y->rank - 1 : y->rank - cy);
  return true;
}

arr *rank_call(vm *v, fn *f, arr *k, arr *x, arr *y) {
  int cx = 0, cy = 0;
  pile s;
  if (!cell_rank(v, k, x ? 2 : 0, y->rank, &cy) ||
      (x && !cell_rank(v, k, 1, x->rank, &cx)))
    return NULL;
  int fx = x ? x->rank - cx : 0, fy = y->rank - cy;
  const arr *like = fx > fy ? x : y;
  int rank = fx > fy ? fx : fy;
  for (int i = 0; x && fx && fy && i < rank; i++)
    if (fx != fy || x->shape[i] != y->shape[i])
      return err_set(v->c, fx != fy ? ERR_RANK : ERR_LENGTH,
                     "the frames of the arguments differ"),
             NULL;
  arr *whole = NULL;
  if (rank_whole(v, f, x, cx, y, cy, like, rank, &whole)) return whole;
  if (!ir_host(v->g, y) || (x && !ir_host(v->g, x))) return NULL;
  int64_t n = 1;
  for (int i = 0; i < rank; i++) n *= like->shape[i];
  if (!n) return rank_none(v, f, x, cx, y, cy, rank, like->shape);
  if (!pile_new(v, &s, n)) return NULL;
  bool ok = true;
  for (int64_t i = 0; ok && i < n; i++) {
    arr *b = cell_at(v, y, cy, fy ? i : 0),
        *a = x && b ? cell_at(v, x, cx, fx ? i : 0) : NULL;
    arr *r = b && (a || !x) ? call2(v, f, a, b) : NULL;
    arr_release(a);
    arr_release(b);
    ok = pile_add(v, &s, r);
  }
  return mix_items(v, &s, ok, rank, like->shape);
}

/* ── ⌸ ──────────────────────────────────────────────────────────────────────────────── */

typedef struct groups { /* which cells have which key */
  arr *keys;            /* the different ones */
  int64_t n, count;     /* cells; keys */
  int64_t *start, *at;  /* key k's cells: at[start[k]] … at[start[k+1]-1] */
} groups;

static bool groups_new(vm *v, groups *g, arr *x) {
  prim_env pe = env_of(v);
  g->keys = prim_unique(&pe, x);
  if (!g->keys) return false;
  g->n = x->shape[0];
  g->count = g->keys->shape[0];
  if (g->n > PTRDIFF_MAX / 64)
    return err_set(v->c, ERR_WS_FULL, "%lld cells", (long long)g->n);
  int64_t *of = mem_alloc(v->c, (size_t)(g->n + 1) * sizeof *of);
  g->start = mem_zalloc(v->c, (size_t)(g->count + 2) * sizeof *g->start);
  g->at = mem_alloc(v->c, (size_t)(g->n + 1) * sizeof *g->at);
  bool ok = of && g->start && g->at && prim_lookup(&pe, g->keys, x, of);
  for (int64_t i = 0; ok && i < g->n; i++) g->start[of[i] + 2]++;
  for (int64_t k = 2; ok && k < g->count + 2; k++) g->start[k] += g->start[k - 1];
  for (int64_t i = 0; ok && i < g->n; i++) g->at[g->start[of[i] + 1]++] = i;
  mem_free(v->c, of);
  return ok;
}

static void groups_free(vm *v, groups *g) {
  arr_release(g->keys);
  mem_free(v->c, g->start);
  mem_free(v->c, g->at);
}

/* The positions, from ⎕IO, of the cells with key k. */
static arr *group_at(vm *v, const groups *g, int64_t k) {
  int64_t from = g->start[k], n = g->start[k + 1] - from, io = v->sv->io;
  arr *r = arr_vec(v->c, elt_for_range(0, g->n), n);
  for (int64_t i = 0; r && i < n; i++) arr_put_int(r, i, g->at[from + i] + io);
  return r;
}

/* Is f one of the forms in which only the number of cells matters: 1 {≢⍵}, 2 {⍺,≢⍵}; else
 * 0. */
static int counts_only(const fn *f) {
  static const char *const forms[] = {"{≢⍵}", "{⍺,≢⍵}", "{⍺(≢⍵)}"};
  if (f->kind == F_DERIVED && f->code == OP_JOT && f->l.cls == C_FN && f->r.cls == C_FN &&
      fn_is(f->r.f, P_TALLY))
    return fn_is(f->l.f, P_COMMA) ? 2 : fn_is(f->l.f, P_RIGHT);
  if (f->kind != F_DFN) return 0;
  const char *p = f->u->t->src->text + f->node->begin;
  size_t n = f->node->end - f->node->begin;
  for (int i = 0; i < 3; i++)
    if (n == strlen(forms[i]) && !memcmp(p, forms[i], n)) return i ? 2 : 1;
  return 0;
}

/* The counts, with the keys before them if `with`: one row for each key. */
static arr *count_groups(vm *v, const groups *g, bool with) {
  prim_env pe = env_of(v);
  arr *n = arr_vec(v->c, elt_for_range(0, g->n), g->count), *col = NULL, *rows = NULL,
      *r = NULL;
  for (int64_t k = 0; n && k < g->count; k++)
    arr_put_int(n, k, g->start[k + 1] - g->start[k]);
  if (!with) return n;
  if (n && (col = prim_table_of(&pe, n)) && (rows = prim_table_of(&pe, g->keys)))
    r = prim_catenate(&pe, rows, col);
  arr_release(rows);
  arr_release(col);
  arr_release(n);
  return r;
}

/* f of one key and its cells; y NULL: their positions. k -1: of fills. */
static arr *key_one(vm *v, fn *f, const groups *g, int64_t k, arr *y) {
  arr *at[ARR_MAX_RANK] = {NULL}, *key, *part = NULL, *r = NULL;
  prim_env pe = env_of(v);
  if (k < 0) key = fills(v, g->keys, g->keys->rank - 1, g->keys->shape + 1);
  else key = cell_at(v, g->keys, g->keys->rank - 1, k);
  at[0] = key ? (k < 0 ? arr_vec(v->c, ET_BIT, 0) : group_at(v, g, k)) : NULL;
  if (at[0]) part = y ? prim_index(&pe, y, y->rank, at) : arr_retain(at[0]);
  if (part) r = call2(v, f, key, part);
  arr_release(part);
  arr_release(at[0]);
  arr_release(key);
  return r;
}

arr *key_call(vm *v, fn *f, arr *x, arr *y) {
  prim_env pe = env_of(v);
  groups g = {0};
  pile s;
  arr *keys = NULL, *cells = NULL, *r = NULL;
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  if (x && arr_first_axis(x) != arr_first_axis(y))
    return err_set(v->c, ERR_LENGTH, "there must be as many keys as cells"), NULL;
  keys = (x ? x : y)->rank ? arr_retain(x ? x : y) : prim_ravel(&pe, x ? x : y);
  if (keys && x) cells = y->rank ? arr_retain(y) : prim_ravel(&pe, y);
  if ((x && !cells) || !keys || !groups_new(v, &g, keys)) goto done;
  int form = counts_only(f);
  if (form && keys->rank <= 2 && g.count &&
      (form == 1 || keys->rank == 1 || keys->shape[1]))
    r = count_groups(v, &g, form == 2);
  else if (!g.count) r = mix_none(v, key_one(v, f, &g, -1, cells), 1, &g.count);
  else if (pile_new(v, &s, g.count)) {
    bool ok = true;
    for (int64_t k = 0; ok && k < g.count; k++)
      ok = pile_add(v, &s, key_one(v, f, &g, k, cells));
    r = mix_items(v, &s, ok, 1, &g.count);
  }
done:
  groups_free(v, &g);
  arr_release(keys);
  arr_release(cells);
  return r;
}

/* ── ⌺ ──────────────────────────────────────────────────────────────────────────────── */

typedef struct stencil {
  int n; /* axes that it moves along */
  int64_t size[ARR_MAX_RANK], step[ARR_MAX_RANK], frame[ARR_MAX_RANK];
} stencil;

static bool stencil_new(vm *v, stencil *s, arr *g, const arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, g)) return false;
  if (g->rank > 2 || (g->rank == 2 && g->shape[0] != 2))
    return err_set(v->c, g->rank > 2 ? ERR_RANK : ERR_LENGTH,
                   "⌺ needs sizes, or a row of sizes and one of steps");
  int64_t n = g->rank == 2 ? g->shape[1] : g->count;
  if (n > y->rank || !y->rank)
    return err_set(v->c, y->rank ? ERR_LENGTH : ERR_RANK,
                   "⌺ has more sizes than the array axes");
  arr *m = prim_ints(&pe, g, "the sizes of ⌺");
  bool ok = m != NULL;
  s->n = (int)n;
  for (int k = 0; ok && k < n; k++) {
    s->size[k] = arr_get_int(m, k);
    s->step[k] = g->rank == 2 ? arr_get_int(m, n + k) : 1;
    if (s->size[k] < 1 || s->step[k] < 1)
      ok = err_set(v->c, ERR_DOMAIN, "the sizes and steps of ⌺ must be positive");
    else if (s->size[k] - (s->size[k] > 2) >
             y->shape[k]) /* as Dyalog: fills on one side */
      ok = err_set(v->c, ERR_DOMAIN, "windows of %lld are too long for an axis of %lld",
                   (long long)s->size[k], (long long)y->shape[k]);
    if (ok) s->frame[k] = (y->shape[k] - (s->size[k] % 2 == 0) - 1) / s->step[k] + 1;
  }
  arr_release(m);
  return ok;
}

/* f of the i-th window, and how many of its cells along each axis are fills: before, or
 * negative after. */
static arr *stencil_one(vm *v, fn *f, const stencil *s, arr *y, int64_t i) {
  prim_env pe = env_of(v);
  int64_t from[ARR_MAX_RANK];
  arr *pad = arr_vec(v->c, ET_I64, s->n), *box = NULL, *r = NULL;
  for (int k = s->n - 1; pad && k >= 0; k--) {
    from[k] = i % s->frame[k] * s->step[k] - (s->size[k] - 1) / 2;
    i /= s->frame[k];
    int64_t after = from[k] + s->size[k] - y->shape[k];
    arr_put_int(pad, k, from[k] < 0 ? -from[k] : after > 0 ? -after : 0);
  }
  if (pad) box = prim_window(&pe, y, s->n, from, s->size);
  if (box) r = call2(v, f, pad, box);
  arr_release(box);
  arr_release(pad);
  return r;
}

arr *stencil_call(vm *v, fn *f, arr *g, arr *y) {
  stencil s;
  pile all;
  int64_t n = 1;
  bool ok = true;
  if (!ir_host(v->g, y) || !stencil_new(v, &s, g, y)) return NULL;
  for (int k = 0; k < s.n; k++) n *= s.frame[k];
  if (!pile_new(v, &all, n)) return NULL;
  for (int64_t i = 0; ok && i < n; i++)
    ok = pile_add(v, &all, stencil_one(v, f, &s, y, i));
  return mix_items(v, &all, ok, s.n, s.frame);
}

/* ── @ ──────────────────────────────────────────────────────────────────────────────── */

/* y with the part at `at` replaced by f, or by what f gives for it. */
static arr *at_replace(vm *v, value f, arr *x, arr *y, int n, arr **at) {
  prim_env pe = env_of(v);
  arr *old = NULL, *new = NULL, *r = NULL;
  if (f.cls == C_ARR) new = arr_retain(f.a);
  else if ((old = prim_index(&pe, y, n, at))) new = call2(v, f.f, x, old);
  if (new &&ir_host(v->g, new)) r = prim_index_set(&pe, y, n, at, new);
  arr_release(new);
  arr_release(old);
  return r;
}

/* The positions where the mask is 1, from ⎕IO, in the ravel of y. */
static arr *at_mask(vm *v, arr *mask, const arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, mask)) return NULL;
  if (!arr_same_shape(mask, y))
    return err_set(v->c, mask->rank != y->rank ? ERR_RANK : ERR_LENGTH,
                   "the mask of @ must have the argument's shape"),
           NULL;
  arr *flat = prim_ravel(&pe, mask),
      *bits = flat ? prim_ints(&pe, flat, "the mask of @") : NULL;
  bool ok = bits != NULL;
  for (int64_t i = 0; ok && i < bits->count; i++)
    if (arr_get_int(bits, i) & ~1ll)
      ok = err_set(v->c, ERR_DOMAIN, "the mask of @ must be 0s and 1s");
  arr *r = ok ? prim_where(&pe, bits) : NULL;
  arr_release(bits);
  arr_release(flat);
  return r;
}

arr *at_call(vm *v, value f, value g, arr *x, arr *y) {
  prim_env pe = env_of(v);
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  if (x && f.cls == C_ARR)
    return err_set(v->c, ERR_SYNTAX, "@ with new values takes no left argument"), NULL;
  if (!ir_host(v->g, y) || (f.cls == C_ARR && !ir_host(v->g, f.a))) return NULL;
  if (g.cls == C_ARR) {
    at[0] = g.a;
    if (!ir_host(v->g, g.a)) return NULL;
    if (!y->rank && !is_nested(g.a))
      return err_set(v->c, ERR_RANK, "a scalar has no cells for @"), NULL;
    return at_replace(v, f, x, y, is_nested(g.a) ? 1 : y->rank, at);
  }
  arr *mask = call1(v, g.f, y), *flat = mask ? prim_ravel(&pe, y) : NULL, *flat_r = NULL;
  if (flat && (at[0] = at_mask(v, mask, y))) flat_r = at_replace(v, f, x, flat, 1, at);
  if (flat_r) r = arr_reshape(v->c, flat_r, y->rank, y->shape);
  arr_release(flat_r);
  arr_release(at[0]);
  arr_release(flat);
  arr_release(mask);
  return r;
}
