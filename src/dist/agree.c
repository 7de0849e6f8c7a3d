/* SPDX-License-Identifier: MIT */
/* agree.c - what all ranks have to know alike. */
#include "agree.h"
#include "exchange.h"
#include "../ir/exec.h"
#include "../ir/show.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ── waiting ── */

/* Records what the engine says. */
static bool dist_failed(dist *d, int error) {
  return err_set(d->c, ERR_DEVICE, "ranks: %s", d->comm->text(d->comm->user, error));
}

bool dist_wait(dist *d, int begun, void **request) {
  int done = 0;
  watch w = {0};
  if (begun) return dist_failed(d, begun);
  for (int looks = 0; !done; looks++) {
    int error = d->comm->test(d->comm->user, request, &done);
    if (error) return dist_failed(d, error);
    if (!done) pause_after(looks, d->spins);
    if (pause_asks(looks)) watch_wait(d, &w);
  }
  return true;
}

bool dist_send_all(dist *d, void *at, size_t n, int from) {
  enum { PART = 256 << 20 };
  for (size_t i = 0; i < n; i += PART) {
    size_t part = n - i < PART ? n - i : PART;
    void *request = NULL;
    int begun = d->comm->bcast(d->comm->user, (char *)at + i, part, from, &request);
    if (!dist_wait(d, begun, &request)) return false;
  }
  dist_sent(d, "one rank's bytes to all", from == d->me ? n : 0);
  return true;
}

bool dist_gather(dist *d, const void *mine, void *all, const size_t *each) {
  void *request = NULL;
  dist_sent(d, "each rank's bytes to all", each[d->me]);
  return dist_wait(d, d->comm->gather(d->comm->user, mine, all, each, &request),
                   &request);
}

bool dist_gather_same(dist *d, const void *mine, void *all, size_t each) {
  for (int r = 0; r < d->ranks; r++) d->each[r] = each;
  return dist_gather(d, mine, all, d->each);
}

void dist_sent(dist *d, const char *what, uint64_t n) {
  d->messages++;
  d->bytes += n;
  if (!d->g->watching) return;
  OWNED_STR str text = {.c = d->c};
  str_printf(&text, "ranks  %s: rank %d sends ", what, d->me);
  show_bytes(&text, n);
  str_puts(&text, "\n");
  steps_note(d->g, &text);
}

/* ── operations ── */

/* Behind an error that all have heard of none begins: others, which met it elsewhere, do not begin it. */
bool op_begins(dist *d, span at) {
  if (d->c->err.agreed) return false;
  op_place p = {.op = ++d->op, .at = at};
  source_retain(at.src);
  d->g->seq =
      (p.op << OP_SHIFT) + 1; /* an error of the operation is of what comes before */
  return vec_push(d->c, &d->places, p);
}

void forget_places(dist *d) {
  for (size_t i = 0; i < d->places.n; i++) {
    source_release(d->c, d->places.at[i].at.src);
    calls_drop(d->c, &d->places.at[i].calls);
  }
  d->places.n = 0;
}

static op_place *place_of(dist *d, uint64_t op) {
  for (size_t i = d->places.n; i--;)
    if (d->places.at[i].op == op) return &d->places.at[i];
  return NULL;
}

/* Such work may fail here alone, after an agreement of the same operation, too: there has to be another one; but not
 * behind an error that all have, for others may have heard of it elsewhere, and do no such work. */
void inside_begin(dist *d) {
  if (d->inside++) return;
  if (!d->c->err.agreed) d->agreed_op = NOT_AGREED;
  d->failed_before = err_is(d->c);
  d->g->cut_above = INT64_MAX;
  d->together = d->c->together;
  d->c->together = false;
}

void inside_end(dist *d) {
  if (--d->inside) return;
  d->part_failed |= !d->failed_before && err_is(d->c);
  d->g->cut_above = d->cut_from - 1;
  d->c->together = d->together;
}

int widened_to(const dist *d, uint64_t op) {
  int to = 0;
  for (size_t i = 0; i < d->wide.n; i++)
    if (d->wide.at[i].op == op) to = d->wide.at[i].to; /* the latest one is the widest */
  return to;
}

bool dist_left_call(ir *g, span at, uint64_t since) {
  dist *d = g->c->dist;
  for (size_t i = d->places.n; i-- && d->places.at[i].op >= op_of(since);)
    calls_add(d->c, &d->places.at[i].calls, at);
  return true;
}

/* ── errors ── */

/* Is it one that other ranks do not have, whatever the program? */
static bool is_of_rank(int code) {
  return code == ERR_WS_FULL || code == ERR_DEVICE || code == ERR_INTERRUPT;
}

static void describe_error(const dist *d, bool others_fine, error_note *note) {
  const err *e = &d->c->err;
  note->code = e->code;
  note->event = e->event;
  if (others_fine && is_of_rank(e->code) && e->code != ERR_INTERRUPT)
    snprintf(note->msg, sizeof note->msg, "on rank %d: %.440s", d->me, e->msg);
  else memcpy(note->msg, e->msg, sizeof note->msg);
}

void note_raise(ctx *c, const error_note *note) {
  err_set(c, note->code, "%s", "");
  memcpy(c->err.msg, note->msg, sizeof note->msg);
  c->err.event = note->event;
}

/* What was built in the operation and later is given up, as after an error that is found here. */
static void drop_later(dist *d, uint64_t op) {
  ir *g = d->g;
  while (g->unverified && op_of(g->unverified->seq) >= op) node_verified(g->unverified);
}

/* The error of rank `owner`, which is of operation op, becomes this rank's. */
static bool take_error(dist *d, uint64_t op, int owner, bool some_fine) {
  ctx *c = d->c;
  error_note note = {0};
  bool mine = err_is(c) && op_of(d->g->error_seq) == op;
  if (d->me == owner) describe_error(d, some_fine, &note);
  err own = err_take(c);
  if (!dist_send_all(d, &note, sizeof note, owner)) return false;
  if (mine && own.code == note.code) {
    err_put_back(c, own);
  } else {
    err_drop(c, &own);
    const op_place *p = place_of(d, op);
    note_raise(c, &note);
    if (p) err_at(c, p->at);
    if (p) c->err.calls = calls_copy(&p->calls);
    c->err.built = (op << OP_SHIFT) + 1;
    mine = false;
  }
  note_raise(c, &note);
  c->err.agreed = true;
  if (!mine || (some_fine && is_of_rank(note.code))) d->g->error_seq = op << OP_SHIFT;
  drop_later(d, op);
  d->g->error_is_first = true;
  d->g->error_attributed = false;
  return false;
}

static void own_error_first(dist *d);

bool op_gives_up(dist *d) {
  ir *g = d->g;
  own_error_first(d);
  bool own = err_is(d->c) && !d->c->err.agreed && op_of(g->error_seq) == d->op;
  if (!own || is_of_rank(d->c->err.code)) return false;
  err_clear(d->c);
  drop_later(d, d->op);
  g->error_is_first = g->error_attributed = false;
  return true;
}

void op_keeps_type(dist *d) {
  if (d->found.op == d->op) d->found.op = 0;
}

/* ── the message ── */

enum { WORD_KIND = 0, WORD_OP = 2, WORD_ERROR = 4, WORD_WIDER, WORD_STEPS, WORD_VALUE };
/* FINE: this rank has no error. LATE: the first rank's time is used up. */
enum { FLAG_STOP = 1, FLAG_FINE = 2, FLAG_LATE = 4 };
/* Two words of a number: they tell whether it is the same everywhere. */
static void put_twice(int64_t *most, int64_t v) {
  most[0] = v;
  most[1] = ~v;
}

/* Less is first: the greatest is asked for. 20 bits are for the rank. */
static int64_t first_key(uint64_t op, int more) {
  return INT64_MAX - (int64_t)(op << 20 | (unsigned)more);
}
static uint64_t op_of_key(int64_t key) { return (uint64_t)(INT64_MAX - key) >> 20; }
static int more_of_key(int64_t key) { return (int)((INT64_MAX - key) & 0xFFFFF); }

/* Where a rank is, for whoever finds that they have run apart. */
typedef struct rank_place {
  char at[120];
} rank_place;

static const char *const kind_names[] = {
    "nothing", "its end",  "its progress", "an input",    "an outcome",
    "types",   "a gather", "a fetch",      "an exchange", "values"};

static bool run_apart(dist *d) {
  ctx *c = d->c;
  rank_place mine = {""};
  const op_place *o = d->places.n ? &d->places.at[d->places.n - 1] : NULL;
  snprintf(mine.at, sizeof mine.at, "%.60s operation %llu, step %llu, %s",
           o && o->at.src ? o->at.src->name : "", (unsigned long long)d->op,
           (unsigned long long)d->c->limit.steps, kind_names[d->kind]);
  rank_place *all = mem_alloc(c, (size_t)d->ranks * sizeof *all);
  if (!all) return false;
  bool ok = dist_gather_same(d, &mine, all, sizeof mine);
  int other = 0;
  for (int r = 0; ok && r < d->ranks && !other; r++)
    if (strcmp(all[r].at, all[0].at)) other = r;
  if (ok)
    err_set(c, ERR_RANKS, "they have run apart: rank 0 is at %s, rank %d at %s",
            all[0].at, other, all[other].at);
  mem_free(c, all);
  c->err.agreed = true;
  d->g->error_is_first = true;
  d->g->error_seq = 0;
  return false;
}

static uint64_t flags_of(const dist *d) {
  uint64_t flags = 0;
  if (d->stop) flags |= FLAG_STOP;
  if (!err_is(d->c)) flags |= FLAG_FINE;
  if (!d->me && time_is_up(d->c)) flags |= FLAG_LATE;
  return flags;
}

/* The error that is recorded is the first one here. */
static void own_error_first(dist *d) {
  if (!err_is(d->c) || d->g->error_is_first) return;
  inside_begin(d);
  bool earlier = ir_first_error_here(d->g);
  inside_end(d);
  d->part_failed |= earlier;
}

/* Of an operation an error of a part comes before those of what is the same everywhere and comes after it; and of parts
 * that come with one another's last those that do not (err.last); an index that is not there is found when all are
 * whole numbers. */
static int64_t error_key(const dist *d) {
  bool last = d->c->err.last || d->c->err.code == ERR_INDEX;
  uint64_t behind = (uint64_t)!d->part_failed << 1 | last;
  return first_key(op_of(d->g->error_seq) << 2 | behind, d->me);
}

agreed dist_agree(dist *d, int64_t kind, int64_t *value, int n) {
  ctx *c = d->c;
  vapl_agreement mine = {{0}, {0}}, all;
  void *request = NULL;
  own_error_first(d);
  d->kind = (int)(kind & ((1 << AGREE_BITS) - 1));
  d->stop |= atomic_exchange(&c->interrupt, false);
  put_twice(&mine.most[WORD_KIND], kind);
  put_twice(&mine.most[WORD_OP], (int64_t)d->op);
  mine.most[WORD_ERROR] = err_is(c) ? error_key(d) : INT64_MIN;
  mine.most[WORD_WIDER] =
      d->found.op ? first_key(d->found.op, CLS_C - d->found.to) : INT64_MIN;
  mine.most[WORD_STEPS] = (int64_t)c->limit.steps;
  for (int i = 0; i < n; i++) mine.most[WORD_VALUE + i] = value[i];
  mine.any[0] = flags_of(d);
  d->agreements++;
  if (!dist_wait(d, d->comm->agree(d->comm->user, &mine, &all, &request), &request)) {
    c->err.agreed = true; /* whoever is still there has not heard of it */
    return AGREED_ERROR;
  }
  d->agreed_op = d->op;
  d->part_failed = false;
  if (all.most[WORD_ERROR] != INT64_MIN || all.any[0] & FLAG_STOP) d->failed_op = d->op;
  if (all.any[0] & FLAG_LATE)
    c->late = true; /* whoever looks whether to go on finds it */
  if (all.most[WORD_ERROR] != INT64_MIN) {
    int owner = more_of_key(all.most[WORD_ERROR]);
    take_error(d, op_of_key(all.most[WORD_ERROR]) >> 2, owner, all.any[0] & FLAG_FINE);
    /* Some ranks were further on than others when they heard of it: they count on alike. */
    d->op = d->agreed_op = d->failed_op = (uint64_t)all.most[WORD_OP];
    d->g->seq = (d->op << OP_SHIFT) + (1 << (OP_SHIFT - 1));
    c->limit.steps = (uint64_t)all.most[WORD_STEPS];
    return AGREED_ERROR;
  }
  if (all.most[0] != ~all.most[1] || all.most[2] != ~all.most[3]) {
    run_apart(d);
    return AGREED_ERROR;
  }
  if (all.any[0] & FLAG_STOP) {
    d->stop = false;
    err_set(c, ERR_INTERRUPT, "%s", "");
    c->err.agreed = d->g->error_is_first = true;
    d->g->error_seq = d->g->seq++;
    return AGREED_ERROR;
  }
  if (all.most[WORD_WIDER] != INT64_MIN) {
    int64_t key = all.most[WORD_WIDER];
    widening w = {.op = op_of_key(key), .to = CLS_C - more_of_key(key)};
    if (d->found.op == w.op && d->found.to <= w.to) d->found.op = 0;
    vec_push(c, &d->wide, w);
    return err_is(c) ? AGREED_ERROR : AGREED_WIDER;
  }
  for (int i = 0; i < n; i++) value[i] = all.most[WORD_VALUE + i];
  return AGREED;
}

/* ── what others ask ── */

int dist_me(const ctx *c) { return c->dist ? c->dist->me : 0; }
bool dist_meet_values(dist *d, agree_kind kind, int64_t *value, int n) {
  agreed a;
  do a = dist_agree(d, kind, value, n);
  while (a == AGREED_WIDER);
  return a == AGREED;
}

bool dist_meet(dist *d, agree_kind kind) { return dist_meet_values(d, kind, NULL, 0); }

bool dist_end(ctx *c, bool ok) {
  dist *d = c->dist;
  if (!d || c->err.agreed) return ok;
  return dist_meet(d, AGREE_END) && ok;
}

/* As many steps as this rank makes in a fiftieth of a second, by the last ones. */
static int64_t steps_to_next(dist *d) {
  enum { LEAST = 1, FIRST = 64, MOST = 1 << 16 };
  double now = now_seconds(), took = now - d->ticked, times = 0.02 / (took + 1e-9);
  bool first = !d->tick_steps;
  d->ticked = now;
  if (first) return FIRST;
  if (times > 4) times = 4;
  double n = (double)d->tick_steps * times;
  if (n > MOST) return MOST;
  return n < LEAST ? LEAST : (int64_t)n;
}

bool dist_tick(ctx *c) {
  dist *d = c->dist;
  if (d->inside) return true;
  int64_t n = d->me ? 0 : steps_to_next(d);
  if (!dist_meet_values(d, AGREE_TICK, &n, 1)) return false;
  d->tick_steps = n;
  c->tick_at = c->limit.steps + (uint64_t)n;
  return true;
}

bool dist_interrupted(ctx *c) {
  dist *d = c->dist;
  if (atomic_exchange(&c->interrupt, false)) d->stop = true;
  return d->stop && d->inside && !err_set(c, ERR_INTERRUPT, "%s", "");
}

/* ── what the graph asks ── */

bool dist_verified(ir *g, bool ok) {
  dist *d = g->c->dist;
  if (d->inside) return ok;
  if (d->op == d->agreed_op && !d->found.op && (ok || g->c->err.agreed)) return ok;
  if (!dist_meet(d, AGREE_END)) return false;
  forget_places(d);
  return ok;
}

bool dist_is_open(const ir *g) { return g->c->dist->places.n > 0; }

void dist_first_error(ir *g) {
  ctx *c = g->c;
  dist *d = c->dist;
  if (d->inside || c->err.agreed) return;
  if (d->op != d->agreed_op || is_of_rank(c->err.code)) dist_agree(d, AGREE_END, NULL, 0);
}

void dist_left_type(ir *g, uint64_t seq, bool reals) {
  dist *d = g->c->dist;
  widening w = {.op = op_of(seq), .to = reals ? CLS_C : CLS_F};
  if (widened_to(d, w.op) >= w.to) return;
  if (!d->found.op || w.op < d->found.op || (w.op == d->found.op && w.to > d->found.to))
    d->found = w;
}

/* Has an operation that began later left its type? */
static bool widened_since(const dist *d, uint64_t since) {
  bool is = false;
  for (size_t i = 0; i < d->wide.n; i++) is |= d->wide.at[i].op > op_of(since);
  return is;
}

/* The error here, of this rank alone, is one of what came before an attempt that began at `since`: nobody forgets it. */
static void keep_error(dist *d, uint64_t since) {
  const err *e = &d->c->err;
  if (!err_is(d->c) || e->agreed || !is_of_rank(e->code)) return;
  own_error_first(d);
  d->g->error_is_first = true;
  if (d->g->error_seq >= since) d->g->error_seq = op_of(since) << OP_SHIFT;
}

bool dist_all(ir *g, uint64_t since, bool ok) {
  dist *d = g->c->dist;
  int64_t fails = !ok;
  if (d->inside) return ok;
  if (op_of(since) == d->op) {
    /* Others may have gone on to an operation: what this rank alone lacks is not to send it another way. */
    if (!ok) keep_error(d, since);
    return ok;
  }
  if (d->failed_op > op_of(since)) return false; /* they have heard of it */
  bool met = dist_meet_values(d, AGREE_VALUES, &fails, 1);
  return met && !fails && !widened_since(d, since);
}
