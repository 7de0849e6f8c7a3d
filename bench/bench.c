/* SPDX-License-Identifier: MIT */
/* bench.c - how near to the speed of the memory map, reduce and scan run.
 *
 *   bench [--device D] [--min LOG2] [--max LOG2] [--by N] [--types f32,f64,…] [--peer FILE]
 *   bench --shapes LOG2 [--lines "ROWS AXIS COLUMNS, …"] [--device D] [--types f32,f64,…]
 *
 * With --shapes: +/ of 2^LOG2 elements in tables of every aspect ratio, along rows and along
 * columns, beside the same sum of the whole array, which is taken for the best read. With
 * --lines "0 1025 1, 0 300 5" besides: of these alone, rows × axis × columns, where 0 takes
 * the rest.
 *
 *   bench --scans LOG2 …: +\ of 2^LOG2 elements along rows and columns of every aspect ratio
 *
 * With --peer: beside the rows that another library has in FILE, how many times as fast as
 * that they are (its µs ÷ ours). A line there is op, type, n, µs, … with tabs between, op one
 * of sum max scan (or cub_sum …), and µs may be `best MS` and `med MS` in two fields instead.
 *
 * For each size from 2^10 upward: GB/s of the bytes that must move, and the ratio to a copy
 * kernel's GB/s, measured in the same run on the same device. Device time by timestamps, the
 * median and the best of several samples, taken when the clock has settled (steady.h); a row
 * that never settled is marked. Sizes whose data fit the cache measure the cache, for the copy
 * too. */
#include "src/ir/graph.h"
#include "src/base/utf8.h"
#include "src/array/element.h"
#include "src/ir/steady.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A primitive called with the defaults of a clear workspace. */
#define CALL(b)                                                                          \
  (&(ir_call){.g = (b)->g, .env = {.c = &(b)->c, .ct = 1e-14, .io = 1, .pp = 10}})

typedef struct peer_row {
  char op[16], type[8];
  int64_t n;
  double us;
} peer_row;

typedef struct bench {
  ctx c;
  ir *g;
  VEC(peer_row) peer;
} bench;

static _Noreturn void die(bench *b, const char *what) {
  fprintf(stderr, "bench: %s: %s %s\n", what, err_name(b->c.err.code), b->c.err.msg);
  exit(1);
}

/* ── a peer's figures ── */

/* One line of the file; false: it is none of a time. */
static bool peer_parse(const char *line, peer_row *r) {
  long long n;
  double second;
  char op[16];
  if (sscanf(line, "%15s %7s %lld best %lf med %lf", op, r->type, &n, &second, &r->us) ==
      5)
    r->us *= 1e3;
  else if (sscanf(line, "%15s %7s %lld %lf", op, r->type, &n, &r->us) != 4) return false;
  const char *name = strncmp(op, "cub_", 4) ? op : op + 4;
  snprintf(r->op, sizeof r->op, "%s", name);
  r->n = n;
  return r->us > 0;
}

static void peer_read(bench *b, const char *file) {
  char line[256];
  FILE *f = fopen(file, "r");
  if (!f) {
    fprintf(stderr, "bench: %s cannot be read\n", file);
    exit(2);
  }
  while (fgets(line, sizeof line, f)) {
    peer_row r;
    if (peer_parse(line, &r) && !vec_push(&b->c, &b->peer, r)) die(b, "memory");
  }
  fclose(f);
}

/* The peer's time for a row of ours, in µs; 0: it has none. */
static double peer_of(const bench *b, const char *what, elt t, int64_t n) {
  static const char *const ops[][2] = {
      {"reduce +/", "sum"}, {"reduce max/", "max"}, {"scan +\\", "scan"}};
  for (size_t k = 0; k < ARRAY_LEN(ops); k++)
    for (size_t i = 0; i < b->peer.n && !strcmp(ops[k][0], what); i++) {
      const peer_row *r = &b->peer.at[i];
      if (!strcmp(r->op, ops[k][1]) && !strcmp(r->type, elt_table[t].name) && r->n == n)
        return r->us;
    }
  return 0;
}

/* ── what is timed ── */

typedef struct kernel_job {
  bench *b;
  arr *a; /* pending */
  uint64_t bytes;
} kernel_job;

static double run_kernel(void *user, int repeat) {
  kernel_job *j = user;
  double ns = 0;
  return ir_bench(j->b->g, j->a, 1, repeat, &ns, &j->bytes) ? ns : -1;
}

/* The time of a pending array's kernel, and the bytes that it must move. */
static steady time_kernel(bench *b, arr *a, uint64_t *bytes) {
  kernel_job j = {.b = b, .a = a};
  steady t = steady_time(run_kernel, &j);
  if (t.failed) die(b, "kernel");
  *bytes = j.bytes;
  return t;
}

/* GB/s of a copy that moves as many bytes. */
static double copy_of(bench *b, uint64_t moved) {
  double rate = ir_copy_rate(b->g, true, moved);
  if (rate <= 0) die(b, "copy");
  return rate;
}

/* The bits of a vector, 32 at a time: there may be 2^33 of them. */
static void random_bits(arr *a, int64_t n) {
  uint32_t *word = a->host, r = 12345;
  for (int64_t i = 0; i < n / 32; i++) word[i] = r = r * 1664525u + 1013904223u;
}

/* The device has waited for the host to make x. */
static void wake(bench *b, arr *x) {
  kernel_job j = {.b = b, .a = ir_reduce(CALL(b), P_PLUS, x, 0)};
  if (!j.a) die(b, "reduce");
  steady_wake(run_kernel, &j);
  arr_release(j.a);
}

static arr *vector(bench *b, elt t, int64_t n) {
  arr *a = arr_vec(&b->c, t, n);
  if (!a) die(b, "data");
  uint32_t r = 12345;
  if (t == ET_BIT) random_bits(a, n);
  for (int64_t i = 0; i < n && t != ET_BIT; i++) {
    r = r * 1664525u + 1013904223u;
    if (elt_is_float(t)) arr_put_float(a, i, (double)(r >> 8) / 16777216.0);
    else arr_put_int(a, i, (int64_t)(r >> 8) % 100);
  }
  if (!ir_device(b->g, a)) die(b, "upload");
  wake(b, a);
  return a;
}

static const char *mark(steady s) { return s.settled ? "" : "  unsettled"; }

static void line(bench *b, const char *what, elt t, int log2n, arr *a) {
  uint64_t bytes;
  if (!a) die(b, what);
  steady s = time_kernel(b, a, &bytes);
  double rate = (double)bytes / s.median, copy = copy_of(b, bytes);
  printf("%s%*s %-4s 2^%-3d %12.2f us, best %10.2f %9.1f GB/s  %6.3f of copy (%.1f)%s",
         what, (int)(14 - utf8_count(what, strlen(what))), "", elt_table[t].name, log2n,
         s.median / 1e3, s.best / 1e3, rate, rate / copy, copy, mark(s));
  double peer = peer_of(b, what, t, INT64_C(1) << log2n);
  if (peer > 0) printf("  %.2f x peer (%.2f us)", peer * 1e3 / s.median, peer);
  printf("\n");
  fflush(stdout);
  arr_release(a);
}

static void one_size(bench *b, elt t, int log2n) {
  int64_t n = INT64_C(1) << log2n;
  arr *x = vector(b, t, n), *two = arr_int(&b->c, 2), *half = arr_float(&b->c, 0.5);
  arr *s = elt_is_float(t) ? half : two;
  arr *m = ir_dyadic(CALL(b), P_TIMES, x, s);
  line(b, "map x×s", t, log2n, m ? ir_dyadic(CALL(b), P_PLUS, m, s) : NULL);
  arr_release(m);
  line(b, "reduce +/", t, log2n, ir_reduce(CALL(b), P_PLUS, x, 0));
  line(b, "reduce max/", t, log2n, ir_reduce(CALL(b), P_CEIL, x, 0));
  arr *sq = ir_dyadic(CALL(b), P_TIMES, x, x);
  line(b, "reduce +/x×x", t, log2n, sq ? ir_reduce(CALL(b), P_PLUS, sq, 0) : NULL);
  arr_release(sq);
  arr *y = ir_dyadic(CALL(b), P_PLUS, x, s), *dot = NULL;
  if (y && ir_settle(b->g, y)) dot = ir_dyadic(CALL(b), P_TIMES, x, y);
  line(b, "reduce +/x×y", t, log2n, dot ? ir_reduce(CALL(b), P_PLUS, dot, 0) : NULL);
  arr_release(dot);
  arr_release(y);
  line(b, "scan +\\", t, log2n, ir_scan(CALL(b), P_PLUS, x, 0));
  arr_release(x);
  arr_release(two);
  arr_release(half);
}

/* ── scans of tables ── */

/* +\ along the middle axis of the first rows × len × inner elements of x. */
static void scan_line(bench *b, arr *x, int log2n, int64_t rows, int64_t len,
                      int64_t inner) {
  int64_t dims[3] = {rows, len, inner};
  char what[64];
  if (rows * inner == 0 || len < 2) return;
  arr *shape = arr_vec(&b->c, ET_I64, 3);
  if (!shape) die(b, "shape");
  memcpy(shape->host, dims, sizeof dims);
  arr *table = ir_dyadic(CALL(b), P_RHO, shape, x);
  snprintf(what, sizeof what, "%9lld x %9lld x %9lld", (long long)rows, (long long)len,
           (long long)inner);
  line(b, what, (elt)x->type, log2n, table ? ir_scan(CALL(b), P_PLUS, table, 1) : NULL);
  arr_release(table);
  arr_release(shape);
}

static void scans(bench *b, elt t, int log2n) {
  static const int64_t lens[] = {3, 8, 50, 128, 1000, 5000, 100000};
  static const int64_t columns[] = {2,    3,    16,   31,     100,    1000,
                                    1024, 4096, 5001, 100000, 1 << 20};
  static const int64_t mid[][2] = {{3, 3},    {8, 4},      {100, 7},
                                   {100, 64}, {1000, 100}, {9000, 12}};
  int64_t n = INT64_C(1) << log2n;
  arr *x = vector(b, t, n);
  scan_line(b, x, log2n, 1, n, 1);
  for (size_t i = 0; i < ARRAY_LEN(lens); i++)
    scan_line(b, x, log2n, n / lens[i], lens[i], 1);
  for (size_t i = 0; i < ARRAY_LEN(columns); i++)
    scan_line(b, x, log2n, 1, n / columns[i], columns[i]);
  for (size_t i = 0; i < ARRAY_LEN(mid); i++)
    scan_line(b, x, log2n, n / mid[i][0] / mid[i][1], mid[i][0], mid[i][1]);
  arr_release(x);
}

/* ── tables ── */

/* +/ along the middle axis of the first rows × len × inner elements of x; `best` 0: returns
 * GB/s, else prints them and the ratio. */
static double shape_line(bench *b, arr *x, int64_t rows, int64_t len, int64_t inner,
                         double best) {
  int64_t dims[3] = {rows, len, inner};
  arr *shape = arr_vec(&b->c, ET_I64, 3);
  if (!shape) die(b, "shape");
  memcpy(shape->host, dims, sizeof dims);
  arr *table = ir_dyadic(CALL(b), P_RHO, shape, x),
      *r = table ? ir_reduce(CALL(b), P_PLUS, table, 1) : NULL;
  uint64_t bytes;
  if (!r) die(b, "reduce");
  steady s = time_kernel(b, r, &bytes);
  double rate = (double)bytes / s.median;
  if (best > 0)
    printf("%-4s %10lld x %10lld x %10lld %10.2f us, best %10.2f %8.1f GB/s  %6.3f%s\n",
           elt_table[x->type].name, (long long)rows, (long long)len, (long long)inner,
           s.median / 1e3, s.best / 1e3, rate, rate / best, mark(s));
  fflush(stdout);
  arr_release(r);
  arr_release(table);
  arr_release(shape);
  return rate;
}

/* Of "0 1025 1, 0 300 5": rows, axis and columns, where a 0 takes the rest of n. */
static void some_lines(bench *b, arr *x, int64_t n, double best, const char *lines) {
  for (const char *at = lines; at; at = strchr(at, ',')) {
    int64_t d[3], *rest = NULL, all = n;
    long long a, l, i;
    at += *at == ',';
    if (sscanf(at, "%lld %lld %lld", &a, &l, &i) != 3) break;
    d[0] = a, d[1] = l, d[2] = i;
    for (int k = 0; k < 3; k++) {
      if (!d[k]) rest = &d[k];
      else all /= d[k];
    }
    if (rest) *rest = all;
    shape_line(b, x, d[0], d[1], d[2], best);
  }
}

static void shapes(bench *b, elt t, int log2n, const char *lines) {
  static const int64_t odd[] = {3,    5,    6,    7,    9,    12,    15,    17,
                                24,   31,   33,   47,   63,   65,    100,   127,
                                129,  255,  257,  500,  513,  1000,  1001,  1023,
                                1025, 1500, 2047, 3001, 4097, 10007, 65537, 1000003};
  int64_t n = INT64_C(1) << log2n;
  arr *x = vector(b, t, n);
  double best = shape_line(b, x, 1, n, 1, 0);
  printf("%s 2^%d, the whole: %.1f GB/s\n", elt_table[t].name, log2n, best);
  if (lines) {
    some_lines(b, x, n, best, lines);
    arr_release(x);
    return;
  }
  for (int k = 1; k < log2n; k++) shape_line(b, x, n >> k, INT64_C(1) << k, 1, best);
  for (int k = 1; k < log2n; k++) shape_line(b, x, 1, INT64_C(1) << k, n >> k, best);
  for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
    int64_t m = n / odd[i], side = n / 300 / odd[i];
    if (m < 2) break;
    shape_line(b, x, m, odd[i], 1, best);
    shape_line(b, x, 1, m, odd[i], best);
    if (side > 1) shape_line(b, x, 300, side, odd[i], best);
    if (side > 1) shape_line(b, x, side, 300, odd[i], best);
  }
  arr_release(x);
}

static int unknown(const char *option) {
  fprintf(stderr,
          "bench: %s: no such option, or without its value; bench/bench.c tells them\n",
          option);
  return 2;
}

int main(int argc, char **argv) {
  bench b = {0};
  ctx_init(&b.c, NULL, NULL);
  const char *device = NULL, *types = "f32,f64,i32,i8,bit", *lines = NULL;
  int top = 0, from = 10, by = 2, scan = 0, table = 0;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return unknown(argv[i]);
    else if (!strcmp(argv[i], "--device")) device = argv[i + 1];
    else if (!strcmp(argv[i], "--max")) top = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--peer")) peer_read(&b, argv[i + 1]);
    else if (!strcmp(argv[i], "--by")) by = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--min")) from = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--by")) by = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--scans")) scan = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--shapes")) table = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--lines")) lines = argv[i + 1];
    else if (!strcmp(argv[i], "--types")) types = argv[i + 1];
    else return unknown(argv[i]);
  }
  const char *tune = getenv("VAPL_TUNE");
  char all[128];
  snprintf(all, sizeof all, "direct=0 %s", tune ? tune : "");
  ir_config cfg = {.c = &b.c, .device = device, .tune = all};
  b.g = ir_new(&cfg);
  if (!b.g || !ir_gpu(b.g)) die(&b, "device");
  const gpu_info *info = gpu_get_info(ir_gpu(b.g));
  printf("device %s, driver %s\n", info->name, info->driver);
  if (!top) top = info->cpu ? 22 : 28;
  for (elt t = ET_BIT; t <= ET_F64; t++) {
    if (!strstr(types, elt_table[t].name) || (t == ET_F64 && !info->float64)) continue;
    if (scan) scans(&b, t, scan);
    if (table) shapes(&b, t, table, lines);
    for (int k = from; !scan && !table && k <= top; k += by) one_size(&b, t, k);
  }
  ir_free(b.g);
  vec_free(&b.c, &b.peer);
  return 0;
}
