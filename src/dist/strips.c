/* SPDX-License-Identifier: MIT */
/* strips.c - +\ of a vector of floats in parts, where it is computed: by strips of the scan tree (tables/fold.h).
 *
 *   part ─▶ the total of each strip, by step 4 ─▶ of each tile, by step 5 ─▶ to the host: P of each tile, by step 6, from
 *   these and from what the ranks before tell of theirs: super-tiles' totals, and tiles' of those that lie on several ranks
 *   P ─▶ P ∘ off of each strip ─▶ beside the part's strips, each scanned as a line of its own, which is (run ∘ T) ∘ s:
 *   step 7 in one kernel
 *
 * Each rank has whole tiles, but for the last one's, which zeros fill up: behind all elements they change none. A missing
 * part is -0, which changes no sum. What is not finite has the host scan it all (scan.c), which looks where that begins. */
#include "fold.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../fold/tree.h"
#include "../ir/build.h"
#include "../ir/device.h"
#include "../prim/scalar.h"
#include "fetch.h"

typedef struct strips {
  first_fold *z;
  const ir_call *call;
  size_t size; /* bytes of an element */
  int64_t len, tile, n,
      tiles; /* elements of a strip, of a tile; strips and tiles of this rank's part */
  arr *part, *lines; /* owned; lines: strips */
  arr *off; /* owned: a row for each tile, what its first 0, 1, … strips come to */
  arr *totals, *told,
      *before; /* owned, on the host: tiles' totals; what this rank tells of them; P of each tile */
  fold_rows_of all;
} strips;

/* Strips as lines, of which the sums of groups are added: c of step 4; and that by neighbours. */
static arr *sums_of(const strips *s) {
  const ir_call *call = s->call;
  int64_t size[2] = {s->n, KIR_SCAN_GROUP};
  OWNED arr *c = NULL;
  for (int64_t at = 0; at < s->len; at += KIR_SCAN_GROUP) {
    OWNED arr *group = ir_box(call, s->lines, (int64_t[]){0, at}, size);
    arr *sum = c && group ? ir_dyadic(call, P_PLUS, c, group) : NULL;
    if (!c) sum = arr_move(&group);
    arr_release(c);
    c = sum;
    if (!c) return NULL;
  }
  return ir_reduce(call, P_PLUS, c, 1);
}

/* r with its elements and of the type that it should have; else NULL. */
static arr *made_of_type(const strips *s, arr *r) {
  OWNED arr *own = r;
  bool ok = own && ir_settle(s->call->g, own) && own->type == s->z->type;
  return ok ? arr_move(&own) : NULL;
}

/* A row for each tile: as many missing parts as it has strips, and then their totals. */
static arr *totals_behind_none(const strips *s) {
  const ir_call *call = s->call;
  const int64_t shape[2] = {s->tiles, KIR_SCAN_STRIPS};
  OWNED arr *zero = arr_float(call->env.c, -0.0);
  OWNED arr *part = zero ? arr_convert(call->env.c, zero, s->z->type) : NULL;
  OWNED arr *none = ir_reshape(call, part, 2, shape);
  OWNED arr *each = none ? sums_of(s) : NULL;
  OWNED arr *sums = ir_reshape(call, each, 2, shape);
  OWNED arr *both = ir_dyadic(call, P_COMMA, none, sums);
  return begun(call, &both);
}

/* Column k of a row of `off` is what its first k strips come to, joined from the first to the last: what stands in as many
 * places as there are strips from number k on, of which the first are missing. */
static bool find_offsets(strips *s) {
  const ir_call *call = s->call;
  int64_t size[2] = {s->tiles, KIR_SCAN_STRIPS + 1}, last[2] = {s->tiles, 1};
  OWNED arr *row = totals_behind_none(s), *sum = NULL;
  for (int64_t k = 0; row && k < KIR_SCAN_STRIPS; k++) {
    OWNED arr *next = ir_box(call, row, (int64_t[]){0, k}, size);
    arr *more = sum && next ? ir_dyadic(call, P_PLUS, sum, next) : NULL;
    if (!sum) more = arr_move(&next);
    arr_release(sum);
    sum = more;
    if (!sum) return false;
  }
  s->off = begun(call, &sum);
  OWNED arr *end =
      s->off ? ir_box(call, s->off, (int64_t[]){0, KIR_SCAN_STRIPS}, last) : NULL;
  s->totals = end ? ir_monadic(call, P_COMMA, end) : NULL;
  return s->totals && ir_await(call->g, s->totals) && s->totals->type == s->z->type;
}

/* The first n elements of a vector, behind its last one zeros. */
static arr *as_long(const ir_call *call, arr *a, int64_t n) {
  OWNED arr *size = arr_int(call->env.c, n);
  return size ? ir_dyadic(call, P_TAKE, size, a) : NULL;
}

static bool cut_strips(strips *s) {
  const ir_call *call = s->call;
  s->part = part_for(call, s->z->y);
  if (!s->part || !ir_settle(call->g, s->part) || s->part->type != s->z->type)
    return false;
  s->tiles = ceil_div(s->part->count, s->tile);
  s->n = s->tiles * KIR_SCAN_STRIPS;
  OWNED arr *rows = as_long(call, s->part, s->n * s->len);
  s->lines = ir_reshape(call, rows, 2, (int64_t[]){s->n, s->len});
  return s->lines && find_offsets(s);
}

/* ── what is before ── */

/* A sum of the type, of which a and b are: of floats it is that of doubles, rounded. */
static inline double add(double a, double b, bool single) {
  return single ? (double)(float)(a + b) : a + b;
}
static inline double value_at(const void *v, int64_t i, bool single) {
  return single ? (double)((const float *)v)[i] : ((const double *)v)[i];
}
static inline void put_at(void *v, int64_t i, double x, bool single) {
  if (single) ((float *)v)[i] = (float)x;
  else ((double *)v)[i] = x;
}

/* The totals before a tile, by step 6: of each tier those of its super-tile that is not full, as a tree whose leaves are
 * the lanes: a total joins one of them, and changes what is above it. What is missing is -0. */
enum { LANES = TREE_BATCH };
typedef struct tier {
  double node[2 * LANES]; /* the root is 1, under i are 2i and 2i + 1 */
  int n;
} tier;
typedef struct prefix {
  tier tier[KIR_SCAN_TIERS];
  double above; /* what all tiers but the first come to */
} prefix;

static void tier_clear(tier *t) {
  for (int i = 0; i < 2 * LANES; i++) t->node[i] = -0.0;
  t->n = 0;
}

static inline void tier_push(tier *t, double total, bool single) {
  int i = LANES + t->n++ % LANES;
  t->node[i] = add(t->node[i], total, single);
  while (i /= 2) t->node[i] = add(t->node[2 * i], t->node[2 * i + 1], single);
}

/* A super-tile of that total ends. */
static void super_tile_ends(prefix *p, double total, bool single) {
  tier_clear(&p->tier[0]);
  for (int k = 1; k < KIR_SCAN_TIERS; k++) {
    tier_push(&p->tier[k], total, single);
    if (p->tier[k].n < KIR_SCAN_SUPER) break;
    total = p->tier[k].node[1];
    tier_clear(&p->tier[k]);
  }
  p->above = -0.0;
  for (int k = KIR_SCAN_TIERS; --k;) p->above = add(p->above, p->tier[k].node[1], single);
}

static inline void push(prefix *p, double total, bool single) {
  tier_push(&p->tier[0], total, single);
  if (p->tier[0].n == KIR_SCAN_SUPER) super_tile_ends(p, p->tier[0].node[1], single);
}

static void prefix_clear(prefix *p) {
  for (int k = 0; k < KIR_SCAN_TIERS; k++) tier_clear(&p->tier[k]);
  p->above = -0.0;
}

/* What rank r tells. */
static fold_told told_by(const strips *s, int r) {
  int64_t n = s->z->n, from = cut_at(n, s->z->d->ranks, r),
          to = cut_at(n, s->z->d->ranks, r + 1);
  return fold_told_of(from / s->tile, to / s->tile, KIR_SCAN_SUPER);
}

/* What is above the leaves. */
static inline void tier_nodes(tier *t, bool single) {
  for (int i = LANES; --i;) t->node[i] = add(t->node[2 * i], t->node[2 * i + 1], single);
}

/* Places of `size` leaves join what stands beside them: to the left what is new, to the right what was. */
static inline void join_beside(double *root, const double *was, const double *is,
                               int size, bool single) {
  const int first = LANES / size;
  for (int j = 0; j < first; j += 2)
    for (int k = j * size; k < (j + 1) * size; k++) {
      root[k] = add(root[k], was[first + j + 1], single);
      root[k + size] = add(is[first + j], root[k + size], single);
    }
}

/* A batch of totals; root[k] is what came before its number k. One by one each would wait for the one before. */
static inline void tier_push_batch(tier *t, const double *total, double *root,
                                   bool single) {
  double was[2 * LANES];
  memcpy(was, t->node, sizeof was);
  for (int k = 0; k < LANES; k++) {
    root[k] = was[LANES + k];
    t->node[LANES + k] = add(root[k], total[k], single);
  }
  tier_nodes(t, single);
  join_beside(root, was, t->node, 1, single);
  join_beside(root, was, t->node, 2, single);
  join_beside(root, was, t->node, 4, single);
  join_beside(root, was, t->node, 8, single);
  join_beside(root, was, t->node, 16, single);
  t->n += LANES;
}

/* The total of a super-tile of these tiles. */
static inline double super_total(const strips *s, int64_t from, bool single) {
  tier t;
  tier_clear(&t);
  for (int64_t i = 0; i < KIR_SCAN_SUPER; i++) {
    double *leaf = &t.node[LANES + i % LANES];
    *leaf = add(*leaf, value_at(s->totals->host, from + i, single), single);
  }
  tier_nodes(&t, single);
  return t.node[1];
}

/* A loop over super-tiles that threads share. Of positions as each.h has them each super-tile has as many as a stretch has
 * at least, and of elements as many. */
typedef struct supers {
  const strips *s;
  int64_t head;  /* tiles before the first one */
  double *above; /* what all super-tiles before each come to */
  bool single;
} supers;

static bool each_super(const strips *s, supers *job, int64_t n,
                       void (*task)(void *job, int64_t from, int64_t to)) {
  ctx *c = s->call->env.c;
  enum { STEPS = 50 * KIR_SCAN_SUPER };
  const int64_t cell = ceil_div(c->team.part, EACH_ALIGN);
  const each_loop l = {.n = n * EACH_ALIGN,
                       .cell = cell,
                       .steps = ceil_div(STEPS, EACH_ALIGN * cell),
                       .task = task,
                       .job = job};
  return each_part(c, &l);
}

static void total_supers(void *user, int64_t from, int64_t to) {
  const supers *x = user;
  const strips *s = x->s;
  for (int64_t i = from / EACH_ALIGN; i < to / EACH_ALIGN; i++) {
    int64_t first = x->head + i * KIR_SCAN_SUPER;
    if (x->single) put_at(s->told->host, x->head + i, super_total(s, first, true), true);
    else put_at(s->told->host, x->head + i, super_total(s, first, false), false);
  }
}

static bool tell(strips *s, bool single) {
  fold_told t = told_by(s, s->z->d->me);
  int64_t last = t.head + t.whole, end = t.head + t.whole * KIR_SCAN_SUPER;
  supers job = {.s = s, .head = t.head, .single = single};
  s->told = arr_vec(s->call->env.c, s->z->type, last + t.tail);
  if (!s->told || !each_super(s, &job, t.whole, total_supers)) return false;
  arr_copy(s->told, 0, s->totals, 0, t.head);
  arr_copy(s->told, last, s->totals, end, t.tail);
  return true;
}

/* What ranks before this one told. */
static void take_told(const strips *s, prefix *p, bool single) {
  int64_t at = 0;
  for (int r = 0; r < s->z->d->me; r++) {
    fold_told t = told_by(s, r);
    for (int64_t end = at + t.head; at < end; at++)
      push(p, value_at(s->all.all, at, single), single);
    for (int64_t end = at + t.whole; at < end; at++)
      super_tile_ends(p, value_at(s->all.all, at, single), single);
    for (int64_t end = at + t.tail; at < end; at++)
      push(p, value_at(s->all.all, at, single), single);
  }
}

/* P of tiles of one super-tile, of which *p has those before. */
static inline void find_before(const strips *s, prefix *p, int64_t from, int64_t to,
                               bool single) {
  double root[LANES], total[LANES];
  tier *t = &p->tier[0];
  for (int64_t i = from, n; i < to; i += n) {
    n = t->n % LANES == 0 && i + LANES <= to ? LANES : 1;
    for (int k = 0; k < n; k++) total[k] = value_at(s->totals->host, i + k, single);
    root[0] = t->node[1];
    if (n > 1) tier_push_batch(t, total, root, single);
    else tier_push(t, total[0], single);
    for (int k = 0; k < n; k++)
      put_at(s->before->host, i + k, add(p->above, root[k], single), single);
  }
}

static void before_in_supers(void *user, int64_t from, int64_t to) {
  const supers *x = user;
  for (int64_t i = from / EACH_ALIGN; i < to / EACH_ALIGN; i++) {
    int64_t first = x->head + i * KIR_SCAN_SUPER,
            end = min_i64(first + KIR_SCAN_SUPER, x->s->tiles);
    prefix p;
    prefix_clear(&p);
    p.above = x->above[i];
    if (x->single) find_before(x->s, &p, first, end, true);
    else find_before(x->s, &p, first, end, false);
  }
}

/* P of each tile. False: one is not finite; or an error. */
static bool find_all_before(strips *s, bool single) {
  ctx *c = s->call->env.c;
  fold_told t = told_by(s, s->z->d->me);
  int64_t begun_before = my_first(s->z->d, s->z->n) / s->tile % KIR_SCAN_SUPER;
  int64_t rest =
      begun_before ? KIR_SCAN_SUPER - begun_before : 0; /* of that super-tile */
  supers job = {.s = s, .head = min_i64(rest, s->tiles), .single = single};
  int64_t n = ceil_div(s->tiles - job.head, KIR_SCAN_SUPER);
  prefix p;
  prefix_clear(&p);
  take_told(s, &p, single);
  s->before = arr_vec(c, s->z->type, s->tiles);
  job.above = mem_alloc(c, (size_t)(n + 1) * sizeof *job.above);
  bool ok = s->before && job.above;
  if (ok) find_before(s, &p, 0, job.head, single);
  if (p.tier[0].n == KIR_SCAN_SUPER) super_tile_ends(&p, p.tier[0].node[1], single);
  for (int64_t i = 0; ok && i < n; i++) {
    job.above[i] = p.above;
    if (i < t.whole)
      super_tile_ends(&p, value_at(s->told->host, t.head + i, single), single);
  }
  ok = ok && each_super(s, &job, n, before_in_supers);
  mem_free(c, job.above);
  sc_type type = single ? SC_F32 : SC_F64;
  return ok && !sc_block()->off(type, s->before->host, s->tiles, false);
}

/* P ∘ off of each strip. */
static arr *before_strips(const strips *s) {
  const ir_call *call = s->call;
  const int64_t size[2] = {s->tiles, KIR_SCAN_STRIPS};
  OWNED arr *off = ir_box(call, s->off, (int64_t[]){0, 0}, size);
  OWNED arr *before = off ? ir_spread(call, s->before, 2, size, (int[]){0}) : NULL;
  OWNED arr *sum = before ? ir_dyadic(call, P_PLUS, before, off) : NULL;
  OWNED arr *line = ir_monadic(call, P_COMMA, sum);
  return begun(call, &line);
}

/* All strips behind what is before them: one kernel, if what is beside the lines is a view and nobody else has them. */
static arr *strips_behind(const strips *s) {
  const ir_call *call = s->call;
  const int64_t shape[2] = {s->n, s->len};
  OWNED arr *carry = before_strips(s);
  OWNED arr *own = carry ? ir_scan(call, P_PLUS, s->lines, 1) : NULL;
  OWNED arr *before = own ? ir_spread(call, carry, 2, shape, (int[]){0}) : NULL;
  OWNED arr *sum = before ? ir_dyadic(call, P_PLUS, before, own) : NULL;
  return sum ? ir_monadic(call, P_COMMA, sum) : NULL;
}

static arr *made(strips *s) {
  dist *d = s->z->d;
  bool single = s->size == 4;
  inside_begin(d);
  bool ok = cut_strips(s);
  if (ok) ok = tell(s, single);
  for (int r = 0; r < d->ranks; r++) {
    fold_told t = told_by(s, r);
    s->z->rows[r] = t.head + t.whole + t.tail;
  }
  ok = ok && fold_room(d, &s->all, s->z->rows, s->size);
  inside_end(d);
  if (!fold_agreed(s->z, ok) || !fold_gather(d, &s->all, s->told->host)) return NULL;
  inside_begin(d);
  ok = find_all_before(s, single);
  OWNED arr *all = ok ? made_of_type(s, strips_behind(s)) : NULL;
  OWNED arr *r = all ? made_of_type(s, as_long(s->call, all, s->part->count)) : NULL;
  inside_end(d);
  return fold_agreed(s->z, r) ? arr_move(&r) : NULL;
}

arr *scan_by_strips(first_fold *z) {
  strips s = {.z = z, .call = z->call, .size = z->type == ET_F32 ? 4 : 8};
  s.len = tree_strip_len(s.size);
  s.tile = KIR_SCAN_TILE((int64_t)s.size);
  arr *r = made(&s);
  arr *own[] = {s.part, s.lines, s.off, s.totals, s.told, s.before};
  for (size_t i = 0; i < ARRAY_LEN(own); i++) arr_release(own[i]);
  fold_room_free(z->d, &s.all);
  return cut_array(z->call, r, 1, z->y->shape);
}
