/* SPDX-License-Identifier: MIT */
/* steps.c - the ladder's dispatches and the lines of its table. */
#include "bench/rungs/ladder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void ladder_die(ladder *b, const char *what) {
  fprintf(stderr, "ladder: %s: %s %s\n", what, err_name(b->c.err.code), b->c.err.msg);
  exit(2);
}

/* ── dispatches ── */

gpu_kernel *ladder_kernel(ladder *b, bool made, cg_module *m, const char *name) {
  if (!made) ladder_die(b, name);
  const char *dump = getenv("VAPL_TEST_SPIRV");
  static int number;
  if (dump && b->check) {
    char path[512];
    snprintf(path, sizeof path, "%s/ladder-%d.spv", dump, number++);
    FILE *f = fopen(path, "wb");
    if (f) fwrite(m->words, 4, m->n, f), fclose(f);
  }
  gpu_kernel *k = gpu_kernel_get(b->d, m->words, m->n, b->subgroup, name);
  mem_free(&b->c, m->words);
  if (!k) ladder_die(b, name);
  return k;
}

static uint64_t address(part p) { return p.buf ? gpu_address(p.buf) + 4 * p.at : 0; }

void steps_add(steps *s, gpu_kernel *k, kern_args a, part in, part out, part scratch) {
  int i = s->n++;
  gpu_use *u = s->uses[i];
  uint32_t n = 0;
  if (i == MAX_STEPS) ladder_die(s->b, "too many steps");
  a.in = address(in);
  a.out = address(out);
  a.scratch = address(scratch);
  s->args[i] = a;
  u[n++] = (gpu_use){out.buf ? out.buf : scratch.buf, true};
  if (scratch.buf && scratch.buf != u[0].buf) u[n++] = (gpu_use){scratch.buf, true};
  if (in.buf && in.buf != u[0].buf && (n < 2 || in.buf != u[1].buf))
    u[n++] = (gpu_use){in.buf, false};
  s->at[i] = (gpu_dispatch){.kernel = k,
                            .groups = a.groups,
                            .args = &s->args[i],
                            .arg_bytes = sizeof a,
                            .uses = u,
                            .n_uses = n};
}

bool steps_record(const steps *s) {
  gpu *d = s->b->d;
  if (s->clear_bytes && !gpu_clear(d, s->clear, 0, s->clear_bytes)) return false;
  for (int i = 0; i < s->n; i++)
    if (!gpu_record(d, &s->at[i])) return false;
  return true;
}

static double run_steps(void *user, int repeat) {
  steps *s = user;
  double ns = -1;
  bool ok = gpu_time_begin(s->b->d);
  for (int i = 0; ok && i < repeat; i++) ok = steps_record(s);
  if (!gpu_time_end(s->b->d, &ns) || !ok) return -1;
  return ns / repeat;
}

steady steps_time(steps *s) { return steady_time(run_steps, s); }

/* ── lines ── */

static const char *const monoid_names[] = {"+ f32", "+ i32", "⌈ u32"};

void put_heading(const ladder *b, const char *what, bool folds) {
  const char *name = monoid_names[b->m];
  if (!folds) name = strchr(name, ' ') + 1;
  if (b->timing)
    printf("\n%s, %s, %llu elements\n", what, name, (unsigned long long)b->n);
}

static void put_explanation(const ladder *b, const char *text) {
  if (b->explain) printf("      %s\n", text);
}

void count_verdict(ladder *b, rung_text r, verdict v) {
  if (v.right) b->passed++;
  else b->failed++;
  if (b->check && !v.right) printf("FAIL %s %s: %s\n", r.name, monoid_names[b->m], v.why);
}

void put_line(ladder *b, rung_text r, steady t, uint64_t moved, verdict v) {
  double rate = (double)moved / t.median, copy = ir_copy_rate(b->g, true, moved);
  if (copy <= 0) ladder_die(b, "copy");
  printf("  %-32s %11.2f us %8.1f GB/s  %6.3f of copy  error %.1e%s%s%s\n", r.name,
         t.median / 1e3, rate, rate / copy, v.error, t.settled ? "" : "  unsettled",
         v.right ? "" : "  WRONG: ", v.right ? "" : v.why);
  put_explanation(b, r.change);
  fflush(stdout);
}

void put_skipped(ladder *b, rung_text r, const char *why) {
  if (!b->timing) return;
  printf("  %-32s not on this device: %s\n", r.name, why);
  put_explanation(b, r.change);
}
