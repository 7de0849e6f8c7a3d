/* SPDX-License-Identifier: MIT */
/* csv_threads.c - large files of numbers, read by all of the host's threads.
 *
 *   text ─▶ chunks that end with a line ─▶ lines counted ─▶ where each chunk's rows go
 *                                                            ─▶ numbers, chunk by chunk
 *
 * Only what is plain is read here: no quotes, numbers in every field that is wanted, as many
 * fields in each line. Where anything else turns up, nothing has been read, and csv.c begins
 * again one field after another: it knows about the rest, and about errors. A chunk's part of a
 * column is integers until a float comes; at the end all parts of a column are made alike. */
#include "../../src/base/mem.h"
#include "../../src/host/threads.h"
#include "../../src/ir/place.h"
#include "csv.h"
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, LEAST_BYTES = 2 << 20, LOOK_EVERY = 4096 };

typedef struct chunk {
  const char *from, *to;
  int64_t row, rows; /* the first one, how many */
  bool plain;
} chunk;

typedef struct job {
  blk_job j; /* first, for tasks are given its address */
  const csv_options *o;
  chunk *chunks;
  int64_t n_columns;
  column *columns;
  uint8_t *held; /* of each chunk's part of each column */
} job;

/* ── chunks ─────────────────────────────────────────────────────────────────────────── */

/* Every chunk but the last ends behind a line feed. */
static void cut(job *k, const char *p, const char *end) {
  for (int64_t i = 0; i < k->j.n_task; i++) {
    const char *to = (end - p) > CHUNK_BYTES ? p + CHUNK_BYTES : end;
    const char *feed = to < end ? memchr(to, '\n', (size_t)(end - to)) : NULL;
    if (to < end) to = feed ? feed + 1 : end;
    if (i == k->j.n_task - 1) to = end;
    k->chunks[i] = (chunk){.from = p, .to = to};
    p = to;
  }
}

/* Line feeds, eight bytes at a time: a byte that is none keeps its highest bit here. */
static int64_t count_feeds(const char *p, const char *end) {
  int64_t n = 0;
  while (end - p >= 8) {
    uint64_t w, sums = 0; /* in each byte those of its place, at most 255 */
    for (int k = 0; k < 255 && end - p >= 8; k++, p += 8) {
      memcpy(&w, p, 8);
      w ^= 0x0A0A0A0A0A0A0A0Au;
      w = ((w & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | w;
      sums += ~w >> 7 & 0x0101010101010101u;
    }
    for (int k = 0; k < 64; k += 8) n += (int64_t)(sums >> k & 255);
  }
  for (; p < end; p++) n += *p == '\n';
  return n;
}

static void count_task(blk_job *j, blk_thread *t, int64_t i) {
  job *k = (job *)(void *)j;
  chunk *c = &k->chunks[i];
  UNUSED(t);
  c->plain = true;
  if (k->o->quote && memchr(c->from, k->o->quote, (size_t)(c->to - c->from)))
    c->plain = false;
  if (!c->plain || blk_stopped(j)) return;
  c->rows = count_feeds(c->from, c->to);
  if (c->to > c->from && c->to[-1] != '\n') c->rows++;
}

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* A number goes to row `at` of a column, of which rows from `first` on are this chunk's. */
static inline void csv_put(column *c, uint8_t *held, int64_t first, int64_t at,
                           bool whole, int64_t i, double d) {
  if (*held == INTS && whole) {
    c->i[at] = i;
    return;
  }
  if (*held == INTS)
    for (int64_t r = first; r < at; r++) c->d[r] = (double)c->i[r];
  *held = FLOATS;
  c->d[at] = d;
}

/* The field at *p into its column, and *p behind its end; false: it is not plain. */
static inline bool read_field(job *k, int64_t column_index, chunk *c, uint8_t *held,
                              int64_t at, const char **p) {
  column *to = &k->columns[column_index];
  const char *q = *p, *end = c->to;
  bool last = column_index == k->n_columns - 1;
  if (to->type == SKIPPED) {
    while (q < end && *q != k->o->separator && *q != '\n') q++;
  } else {
    bool whole;
    int64_t i = 0;
    double d;
    q = csv_plain_number(*p, end, k->o->decimal, &whole, &i, &d);
    if (!q) q = csv_number(*p, end, k->o->decimal, &whole, &i, &d);
    if (!q) return false;
    csv_put(to, held, c->row, at, whole, i, d);
  }
  if (last && q < end && *q == '\r') q++;
  if (q == end) {
    *p = q;
    return last;
  }
  *p = q + 1;
  return *q == (last ? '\n' : k->o->separator);
}

static void read_task(blk_job *j, blk_thread *t, int64_t i) {
  job *k = (job *)(void *)j;
  chunk *c = &k->chunks[i];
  const char *p = c->from;
  UNUSED(t);
  for (int64_t r = c->row; r < c->row + c->rows; r++) {
    if (r % LOOK_EVERY == 0 && blk_stopped(j)) return;
    for (int64_t n = 0; n < k->n_columns; n++)
      if (!read_field(k, n, c, &k->held[i * k->n_columns + n], r, &p)) {
        c->plain = false;
        return;
      }
  }
  c->plain = p == c->to;
}

/* All parts of the columns as floats where one of them is. */
static void unify(job *k) {
  for (int64_t n = 0; n < k->n_columns; n++) {
    column *c = &k->columns[n];
    for (int64_t i = 0; i < k->j.n_task; i++)
      if (k->held[i * k->n_columns + n] == FLOATS) c->held = FLOATS;
    for (int64_t i = 0; c->held == FLOATS && i < k->j.n_task; i++) {
      const chunk *part = &k->chunks[i];
      bool ints = k->held[i * k->n_columns + n] == INTS;
      for (int64_t r = part->row; ints && r < part->row + part->rows; r++)
        c->d[r] = (double)c->i[r];
    }
  }
}

/* ── all of it ──────────────────────────────────────────────────────────────────────── */

static bool csv_run(job *k, void (*task)(blk_job *j, blk_thread *t, int64_t i),
                    blk_pool *pool) {
  k->j.task = task;
  blk_each(pool, &k->j);
  if (interrupted(k->j.c)) return false;
  for (int64_t i = 0; i < k->j.n_task; i++)
    if (!k->chunks[i].plain) return false;
  return true;
}

/* Room for all rows in every column that is wanted. */
static bool make_room(job *k, int64_t rows) {
  for (int64_t n = 0; n < k->n_columns; n++) {
    column *c = &k->columns[n];
    if (c->type == SKIPPED) continue;
    c->at = mem_alloc(k->j.c, (size_t)rows * 8);
    if (!c->at) return false;
    c->cap = (size_t)rows;
  }
  return true;
}

static int64_t read_all(job *k, blk_pool *pool) {
  int64_t rows = 0;
  if (!csv_run(k, count_task, pool)) return 0;
  for (int64_t i = 0; i < k->j.n_task; i++) {
    k->chunks[i].row = rows;
    rows += k->chunks[i].rows;
  }
  if (!make_room(k, rows)) return 0;
  if (!csv_run(k, read_task, pool)) return 0;
  unify(k);
  for (int64_t n = 0; n < k->n_columns; n++)
    if (k->columns[n].type != SKIPPED) k->columns[n].n = (size_t)rows;
  return rows;
}

int64_t csv_numbers(vm *v, const csv_options *o, const char *p, const char *end,
                    column *columns, int64_t n) {
  bool separated = !o->escape && !o->thousands && !o->widths;
  bool numbers = end - p >= LEAST_BYTES && separated && !o->records;
  for (int64_t i = 0; i < n; i++) numbers &= columns[i].type != TEXT;
  blk_pool *pool = numbers ? v->g->pool : NULL;
  if (!pool) return 0;
  job k = {.j = {.c = v->c, .n_task = (end - p) / CHUNK_BYTES + 1},
           .o = o,
           .n_columns = n,
           .columns = columns};
  k.j.threads = blk_threads_for(pool, INT64_MAX);
  k.chunks = mem_zalloc(v->c, (size_t)k.j.n_task * sizeof *k.chunks);
  k.held = mem_zalloc(v->c, (size_t)(k.j.n_task * n));
  int64_t rows = 0;
  if (k.chunks && k.held) {
    cut(&k, p, end);
    rows = read_all(&k, pool);
  }
  for (int64_t i = 0; !rows && i < n; i++) {
    mem_free(v->c, columns[i].at);
    columns[i].at = NULL;
    columns[i].cap = 0;
  }
  mem_free(v->c, k.chunks);
  mem_free(v->c, k.held);
  return rows;
}
