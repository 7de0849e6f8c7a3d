/* SPDX-License-Identifier: MIT */
/* schedule.c - see schedule.h.
 *
 * A REDUCE has tiles of 16384 elements of a line, then tiles of their results, until one
 * is left: n ≤ 2^14 one pass, ≤ 2^28 two, else three; of bits ≤ 2^18 one, ≤ 2^32 two. Of
 * a whole array one pass does up to 2^24 (bits 2^28), by its last workgroup. A SCAN is one
 * pass where workgroups can look ahead, else two or more (codegen/scan_tile.c). */
#include "schedule.h"

#include <assert.h>
#include <string.h>

#include "../base/arith.h"
#include "place.h"
#include "plan.h"

typedef struct builder {
  const plan *p;
  schedule *s;
  cg_choice choice;
  cg_opts common;
  bool small;
} builder;

/* ── what all passes of a kernel have in common ── */

/* Whole subgroups are folded up to 32, where they have just that many threads: the pipeline demands it, or
 * there is but one size. */
static uint32_t group_of(const gpu_info *info, uint32_t subgroup) {
  uint32_t has = info->shuffle64 ? 0 : CG_GROUP_WORDS;
  if (info->clustered) has |= CG_GROUP_CLUSTERED;
  bool one = info->subgroup_control || info->subgroup_min == info->subgroup_max;
  if (info->arithmetic && one && subgroup <= 32) has |= CG_GROUP_WHOLE;
  return has;
}

/* What of the operations that a device may round wrongly the kernel has. */
static uint32_t roundings(const kir *k, bool float64) {
  uint32_t has = 0;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    bool f64 = n->ty == KF64;
    if (n->op == KOP_DIV && f64 == float64) has |= CG_NATIVE_DIV;
    if (n->op == KOP_SQRT) has |= f64 ? CG_NATIVE_SQRT64 : CG_NATIVE_SQRT32;
    if (n->op == KOP_FMA) has |= CG_NATIVE_FMA;
  }
  const kir *inner;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++) has |= roundings(inner, float64);
  return float64 ? has : has & (CG_NATIVE_DIV | CG_NATIVE_SQRT32);
}

static uint8_t native_of(const plan *p, bool float64) {
  uint32_t has = roundings(&p->k, float64), native = 0;
  if (p->k.kind == KIR_PANEL || p->k.kind == KIR_SOLVE)
    has |= CG_NATIVE_DIV | CG_NATIVE_SQRT64;
  if (p->k.kind == KIR_SOLVE) has |= CG_NATIVE_FMA;
  for (int i = 0; i < CG_NATIVE_KINDS; i++)
    if (has >> i & 1 && device_rounds(p->g, i)) native |= 1u << i;
  if (gpu_get_info(p->g->dev)->rounds64) native |= CG_NATIVE_ROUND64;
  return (uint8_t)native;
}

/* Positions, in the inputs of views too, are compared and rounded up within 32 bits. */
static bool needs_wide_index(const plan *p) {
  int64_t longest = p->k.product ? p->root->count : plan_domain(p);
  const arr *into = plan_into(p);
  if (into) longest = max_i64(longest, into->count);
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (p->in[i]->count > longest) longest = p->in[i]->count;
  /* Of pairs of words offsets in bytes have 32 bits, too (cg_addr); a number has at most 16. */
  int64_t most = gpu_get_info(p->g->dev)->int64 ? INT32_MAX : INT32_MAX / 8;
  return longest > most - 65536;
}

/* A loop's steps: how many an element may take on a device, where it must not wait for the
 * driver's patience, and how many are reckoned with when work is cut into dispatches. An element
 * that needs as many as it may keeps a dispatch 32 times as long as planned, which is a second or
 * two on a slow device. */
enum { LOOP_STEPS = 1 << 15, LOOP_USUAL = 1 << 10 };

static int64_t steps_at_most(const plan *p) {
  return p->g->tune.loop ? p->g->tune.loop : LOOP_STEPS;
}

bool plan_may_give_up(const plan *p) {
  for (uint32_t i = 0; i < p->k.n_loop; i++) {
    const kloop *l = &p->k.loop[i];
    if (!l->most || l->most > steps_at_most(p) || l->body->n_loop) return true;
  }
  return false;
}

static void common_options(const plan *p, const cg_choice *choice, cg_opts *o) {
  const gpu_info *info = gpu_get_info(p->g->dev);
  memset(o, 0, sizeof *o);
  o->subgroup = choice->subgroup;
  o->group = group_of(info, o->subgroup);
  if (p->k.kind == KIR_MAP) o->group &= CG_GROUP_WORDS;
  o->workgroup = CG_WORKGROUP;
  if (p->k.kind == KIR_MAP && p->g->tune.wg <= info->max_workgroup)
    o->workgroup = (uint32_t)p->g->tune.wg;
  o->wide_index = needs_wide_index(p);
  o->float64 = info->float64;
  o->words = !info->int64;
  o->keeps32 = (uint8_t)(info->preserve32 * CG_KEEPS_SPECIAL +
                         info->subnormal32 * CG_KEEPS_SUBNORMAL);
  o->keeps64 = (uint8_t)(info->preserve64 * CG_KEEPS_SPECIAL +
                         info->subnormal64 * CG_KEEPS_SUBNORMAL);
  o->native = native_of(p, info->float64);
  o->single = p->k.kind == KIR_REDUCE && p->rows * p->inner == 1;
  if (p->k.n_loop) o->loop_steps = (uint32_t)steps_at_most(p);
}

/* ── passes ── */

static int add_scratch(builder *b, int64_t accumulators) {
  schedule *s = b->s;
  assert(s->n_scratch < SCHEDULE_PASSES);
  s->scratch[s->n_scratch] = (uint64_t)accumulators * (uint64_t)cg_acc_bytes(&b->p->k);
  return (int)s->n_scratch++;
}

/* The scratch buffers that the passes of a task name. */
typedef struct buffers {
  int source, result, own[CG_OWNS];
} buffers;

static int scratch_of(cg_buffer which, const buffers *at) {
  switch (which) {
  case CG_SOURCE: return at->source;
  case CG_RESULT: return at->result;
  case CG_OWN:
  case CG_OWN_B: return at->own[which - CG_OWN];
  default: return NO_SCRATCH;
  }
}

/* Those of a loop count as often as a loop may take, on the average. */
static double steps_of(const kloop *l) {
  if (l->most) return l->most;
  return l->usual ? l->usual : LOOP_USUAL;
}

static double instructions(const kir *k) {
  double n = k->n_ins;
  for (uint32_t i = 0; i < k->n_loop; i++)
    n += steps_of(&k->loop[i]) * instructions(k->loop[i].body);
  return n;
}

/* A tile loads an element of a product once for many. */
enum { PRODUCT_REUSE = 16 };

/* Elements × instructions; what an element costs besides is worth a few. */
static double work_of(const builder *b, const sched_pass *s) {
  double all = (double)s->geom.rows * (double)s->geom.len * (double)s->geom.inner;
  if (b->p->k.segments) all = (double)b->p->len;
  if (b->p->k.product) all /= PRODUCT_REUSE;
  bool product = b->p->k.product && !s->o.from_partials; /* sides may be in scratch */
  if (s->from == NO_SCRATCH || product) return all * (instructions(&b->p->k) + 4);
  return (double)b->s->scratch[s->from] / cg_acc_bytes(&b->p->k) * 4;
}

static uint64_t bytes_of(const builder *b, const sched_pass *s) {
  const uint64_t *scratch = b->s->scratch;
  uint64_t bytes = plan_bytes_read(b->p);
  if (s->from != NO_SCRATCH) bytes = scratch[s->from];
  if (s->carry != NO_SCRATCH) bytes += scratch[s->carry];
  if (s->to != NO_SCRATCH) bytes += scratch[s->to];
  if (s->o.final) bytes += plan_bytes_written(b->p);
  return bytes;
}

/* With no result in scratch the task ends the kernel: what leaves its result, and not
 * memory of the task's own for a later pass, stores the outputs. */
static void add_passes(builder *b, const cg_passes *p, buffers at) {
  for (int n = 0; n < CG_OWNS; n++)
    if (p->own[n]) at.own[n] = add_scratch(b, p->own[n]);
  if (p->clears) b->s->cleared = at.own[0];
  for (uint32_t i = 0; i < p->n; i++) {
    const cg_pass *c = &p->at[i];
    assert(b->s->n < SCHEDULE_PASSES);
    sched_pass *s = &b->s->pass[b->s->n++];
    s->o = c->o;
    s->geom = c->geom;
    s->times = c->times;
    s->kernel = NULL;
    s->from = scratch_of(c->from, &at);
    s->to = scratch_of(c->to, &at);
    s->carry = scratch_of(c->carry, &at);
    s->o.final = at.result == NO_SCRATCH && i + 1 == p->n;
    if (s->o.final) s->words = p->words;
    else s->words = 0;
    s->work = work_of(b, s);
    s->bytes = bytes_of(b, s);
  }
}

/* May workgroups wait for one another, and read what others have stored? */
static bool see_others(const ir *g) {
  return gpu_get_info(g->dev)->ordered && g->note.progress != PROGRESS_NONE;
}

/* How many workgroups may look back at one another's totals, in a scan of one pass. 0: there are two passes, the first for
 * the totals, for example where words of 64 bits are not atomic. */
static int64_t look_back(const ir *g, const cg_choice *choice) {
  enum { SOME = 512 };
  const gpu_info *info = gpu_get_info(g->dev);
  if (!info->atomic_i64 || !see_others(g) || g->tune.scan == SCAN_TWO_PASSES) return 0;
  if (g->tune.scan == SCAN_ONE_PASS && !choice->resident) return SOME;
  return choice->resident;
}

/* How often a workgroup looks for a total that is missing before it gives up. Some drivers end all loops of a function after
 * 65535 steps together (short_loops): there the limit stays below. A sort looks for each of a thread's four digits and each
 * tile, of 2048 elements at least, whose count is missing; the limit serves if all tiles of 2^23 elements are missing. */
static uint32_t most_looks(const ir *g, int64_t len) {
  enum { SORTED = 1 << 23, MOST = 64 };
  int64_t looks = g->tune.patience, few = SORTED / max_i64(len, 1);
  if (gpu_get_info(g->dev)->short_loops)
    looks = min_i64(looks, max_i64(1, min_i64(few, MOST)));
  return (uint32_t)looks;
}

/* Binary digits of the greatest magnitude that a product of integers reads, or may; of others 64. */
static uint32_t digits_of(const plan *p) {
  uint64_t most = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    const arr *a = p->in[i];
    if (!elt_is_int((elt)a->type)) return 64;
    range r = range_of(a);
    most |= (uint64_t)(r.hi < 0 ? ~r.hi : r.hi) | (uint64_t)(r.lo < 0 ? ~r.lo : r.lo);
  }
  while (most >> n) n++;
  return n;
}

/* The last dimension of all strided index maps, if they have one and it is the same. */
static int64_t stretch_of(const plan *p) {
  int64_t n = 0;
  for (uint32_t i = 0; i < p->k.n_strided; i++) {
    int64_t last = p->strided[i]->strided.n[p->strided[i]->dims - 1];
    if (p->strided[i]->dims < 2 || (i && last != n)) return 0;
    n = last;
  }
  return n;
}

/* Is the fold one of an outer product? Then each input has one element for all of a row, or the same for every row. */
static bool is_outer_product(const plan *p) {
  if (p->inner > 1 || stretch_of(p) != p->len) return false;
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    uint32_t how = p->k.in[i].view;
    if (how == KV_ONE || how == KV_GET || (p->k.still >> i & 1)) continue;
    if (how < KV_STRIDED) return false;
    const ir_node *n = p->strided[how - KV_STRIDED];
    for (int d = 0; d + 1 < n->dims; d++)
      if (n->strided.stride[d]) return false;
  }
  return true;
}

/* Threads of a workgroup at most. */
static uint32_t most_threads(const gpu_info *i, uint32_t subgroup) {
  uint32_t most = i->max_subgroups * subgroup;
  bool required = i->subgroup_control && i->subgroup_min != i->subgroup_max && most;
  return required && most < i->max_workgroup ? most : i->max_workgroup;
}

static cg_task task_of(const builder *b, cg_task_kind kind, int64_t len) {
  const plan *p = b->p;
  cg_task t = {.k = &p->k,
               .kind = kind,
               .small = b->small,
               .strided = p->k.n_strided ? &p->strided[0]->strided : NULL,
               .stretch = stretch_of(p),
               .table = is_outer_product(p),
               .right = p->k.product ? &p->strided[1]->strided : NULL,
               .rows = p->rows,
               .columns = p->near,
               .places = plan_into(p) ? plan_into(p)->count : 0,
               .len = len,
               .inner = p->inner,
               .common = &b->common,
               .choice = &b->choice,
               .map_width = (uint32_t)p->g->tune.width,
               .map_items = (uint32_t)p->g->tune.items,
               .finish_tiles = see_others(p->g) ? p->g->tune.finish : 0,
               .most_threads = most_threads(gpu_get_info(p->g->dev), b->choice.subgroup),
               .resident = look_back(p->g, &b->choice),
               .patience = most_looks(p->g, len),
               .starve = (uint32_t)p->g->tune.starve};
  for (uint32_t i = 0; i < p->k.n_in && p->k.product; i++) /* of x and of y */
    if (p->k.in[i].view >= KV_STRIDED)
      t.first[p->k.in[i].view - KV_STRIDED] = p->at[i].off;
  if (p->k.product) t.digits = digits_of(p);
  return t;
}

static const buffers nowhere = {NO_SCRATCH, NO_SCRATCH, {NO_SCRATCH, NO_SCRATCH}};

/* What is one task. */
static void add_whole(builder *b, cg_task_kind kind) {
  const plan *of = b->p;
  cg_task t = task_of(b, kind, of->len);
  cg_passes p;
  if (kind == CG_TASK_PANEL) {
    t.columns = of->root->shape[1];
    t.places = of->root->count;
  }
  if (kind == CG_TASK_SOLVE) { /* build_solve.c has them so */
    const ir_node *n = of->fold;
    t.inverts = !n->x;
    t.systems = (solve_geom){.m = n->axis, .n = n->step};
    t.systems.count = n->y->count / n->axis / n->step;
    t.systems.cols = n->self->count / t.systems.count / n->step;
  }
  if (of->k.segments) {
    t.len = of->fold->len;
    t.strip_tiles = (of->in[of->k.segments - 1]->count - 3 * of->rows) / 4;
  }
  cg_task_passes(&t, &p);
  add_passes(b, &p, nowhere);
}

/* The fold of what a fold left: the parts of a tile are folded first, then the tiles of a
 * line. *later: tiles that are still to be folded when the parts are. */
static void fold_the_rest(cg_task *t, const cg_passes *left, int64_t *later) {
  t->from_partials = true;
  if (left->parts > 1) {
    *later *= left->tiles; /* one of them is 1: parts are fewer than a tile's lanes */
    t->rows *= left->tiles;
    t->len = left->parts;
  } else if (left->tiles == 1) {
    t->rows /= *later;
    t->len = *later;
    *later = 1;
  } else {
    t->len = left->tiles;
  }
}

static void add_fold(builder *b) {
  cg_task t = task_of(b, CG_TASK_FOLD, b->p->len);
  if (b->p->k.segments) t.longest = b->p->fold->len;
  buffers at = nowhere;
  bool final = false;
  for (int64_t later = 1; !final;) {
    cg_passes p;
    cg_task_passes(&t, &p);
    final = p.tiles == 1 && p.parts == 1 && later == 1;
    at.result = NO_SCRATCH;
    if (!final) at.result = add_scratch(b, t.rows * t.inner * p.tiles * p.parts);
    add_passes(b, &p, at);
    at.source = at.result;
    fold_the_rest(&t, &p, &later);
  }
}

static void make(const plan *p, const cg_choice *choice, schedule *s) {
  static const uint8_t tasks[] = {
      [KIR_MAP] = CG_TASK_MAP,        [KIR_SCAN] = CG_TASK_SCAN,
      [KIR_ORDER] = CG_TASK_ORDER,    [KIR_ROWS] = CG_TASK_ROWS,
      [KIR_PANEL] = CG_TASK_PANEL,    [KIR_SOLVE] = CG_TASK_SOLVE,
      [KIR_FOURIER] = CG_TASK_FOURIER};
  builder b = {.p = p, .s = s, .choice = *choice};
  /* Half as many threads to a subgroup, for each step down, where the device lets them be chosen: on some, a thread
   * then has twice the registers. */
  const gpu_info *i = gpu_get_info(p->g->dev);
  for (uint32_t k = i->subgroup_control ? choice->smaller : 0; k; k--)
    if (b.choice.subgroup / 2 >= i->subgroup_min) b.choice.subgroup /= 2;
  b.small = cg_is_small(plan_domain(p));
  s->n = s->n_scratch = 0;
  s->smaller = choice->smaller;
  s->cleared = NO_SCRATCH;
  common_options(p, &b.choice, &b.common);
  if (p->k.kind == KIR_REDUCE) add_fold(&b);
  else add_whole(&b, tasks[p->k.kind]);
}

static bool is_too_large(const plan *p, const schedule *s) {
  for (uint32_t i = 0; i < s->n; i++)
    if (pipelines_is_noted(p->g, &p->k, &s->pass[i].o)) return true;
  return false;
}

/* What is known to be too large is made smaller. */
void schedule_make(const plan *p, schedule *s) {
  cg_choice choice = choice_of(p->g);
  make(p, &choice, s);
  while (choice.smaller < CG_SMALLER && is_too_large(p, s)) {
    choice.smaller++;
    make(p, &choice, s);
  }
}

/* Has pass i other options where all shapes are the smallest? */
static SELDOM bool has_smaller(const plan *p, const schedule *s, uint32_t i) {
  schedule least;
  cg_choice choice = choice_of(p->g);
  choice.smaller = CG_SMALLER;
  make(p, &choice, &least);
  return least.n <= i || memcmp(&least.pass[i].o, &s->pass[i].o, sizeof least.pass[i].o);
}

bool schedule_ready(const plan *p, schedule *s) {
  for (bool again = true; again;) {
    uint32_t too_large;
    if (!pipelines_get(p->g, &p->k, s, &too_large)) return false;
    again = false;
    for (uint32_t i = 0; i < s->n; i++) {
      if (!(too_large >> i & 1)) continue;
      bool smaller = has_smaller(p, s, i);
      pipelines_note(p->g, &p->k, smaller ? &s->pass[i].o : NULL);
      again |= smaller;
    }
    if (again) schedule_make(p, s);
  }
  return true;
}
