/* SPDX-License-Identifier: MIT */
/* measure.c - what a device does, asked of itself when it is opened (codegen/facts.c), for what it says of itself
 * may be wrong: a driver says that subgroups have 64 threads and runs 32. The answers are kept beside its
 * pipelines, with what the device had said, and are asked for again when it says otherwise.
 *
 * Subgroups: under a pipeline as kernels have them every thread stores how many are with it, by a ballot, and what
 * it gets from the others. If all subgroups have one size, that is the size, whatever was said. If not, or if a
 * shuffle brings another thread's value, no kernel can run: the device is not opened.
 *
 * Progress: as many workgroups as look ahead wait for one another in the order in which they began. If one waits in
 * vain, three times of three, no workgroup reads what others of its dispatch store: scans, orders and folds take
 * dispatches more (schedule.c). */
#include <string.h>
#include "place.h"
#include "schedule.h"
#include "show.h"

enum { THREADS = CG_WORKGROUP, WORDS = CG_FACT_WORDS, INPUTS = 5 };
enum { MOST_GROUPS = 1024, TRIES = 3 };

/* A summary of what the device says, and what was asked for. */
static uint32_t said_of(const gpu_info *i, uint32_t wanted) {
  return i->subgroup | i->subgroup_min << 8 | i->subgroup_max << 16 |
         (uint32_t)i->subgroup_control << 24 | wanted << 25;
}

typedef bool asking(ctx *c, const cg_opts *o, cg_module *m);

static gpu_kernel *kernel_of(ir *g, uint32_t wanted, asking *emit, const char *name) {
  const gpu_info *i = gpu_get_info(g->dev);
  cg_opts o;
  cg_module m;
  memset(&o, 0, sizeof o);
  o.subgroup = wanted;
  o.workgroup = THREADS;
  o.width = 1;
  o.float64 = i->float64;
  o.words = !i->int64;
  o.keeps32 =
      (uint8_t)(i->preserve32 * CG_KEEPS_SPECIAL + i->subnormal32 * CG_KEEPS_SUBNORMAL);
  if (!emit(g->c, &o, &m)) return NULL;
  gpu_kernel *kernel = gpu_kernel_get(g->dev, m.words, m.n, wanted, name);
  mem_free(g->c, m.words);
  return kernel;
}

/* Runs it on n words; what it stores behind 256 bytes, or 0: in their place, are n_r words. */
static bool run(ir *g, gpu_kernel *kernel, uint64_t groups, const uint32_t *in, size_t n,
                uint64_t behind, uint32_t *r, size_t n_r) {
  uint64_t bytes = behind + 4 * (n > n_r ? n : n_r);
  gpu_buf *b = kernel ? gpu_alloc(g->dev, bytes) : NULL;
  if (!b) return false;
  uint64_t at = gpu_address(b);
  uint64_t args[CG_SLOT_INPUTS + 4] = {[CG_SLOT_LEN] = THREADS,
                                       [CG_SLOT_ROWS] = 1,
                                       [CG_SLOT_GROUPS] = groups,
                                       [CG_SLOT_INPUTS] = at,
                                       [CG_SLOT_INPUTS + 3] = at + behind};
  gpu_use use = {b, true};
  bool ok = gpu_upload(g->dev, b, 0, in, 4 * n) &&
            gpu_record(g->dev, &(gpu_dispatch){.kernel = kernel,
                                               .groups = groups,
                                               .args = args,
                                               .arg_bytes = sizeof args,
                                               .uses = &use,
                                               .n_uses = 1}) &&
            gpu_download(g->dev, b, behind, r, 4 * n_r);
  gpu_free(g->dev, b);
  return ok;
}

static uint32_t shuffled(uint32_t size) { /* the facts of shuffles within it */
  uint32_t bits = 1u << CG_FACT_BY_INDEX;
  for (uint32_t i = 0; (2u << i) <= size; i++) bits |= 1u << i;
  return bits;
}

/* The size that all subgroups have, which each thread knows; 0: there is none. *facts: what holds for
 * all threads. */
static uint32_t size_of(const uint32_t r[THREADS * WORDS], uint32_t *facts) {
  bool seen[THREADS] = {false};
  uint32_t size = r[1];
  *facts = UINT32_MAX;
  if (size < 4 || size > 128 || (size & (size - 1))) return 0;
  for (int i = 0; i < THREADS; i++, r += WORDS) {
    if (r[0] != size || r[1] != size || r[2] >= size) return 0;
    if (r[3] >= THREADS || seen[r[3]] || r[3] % size != r[2]) return 0;
    seen[r[3]] = true;
    *facts &= r[WORDS - 1];
  }
  return size;
}

/* Asks, into g->note. */
static bool ask(ir *g, uint32_t wanted, uint32_t said) {
  static const uint32_t in[INPUTS] = {1, 0, 0x80000000, 0x00012345, 0x3F800000};
  uint32_t r[THREADS * WORDS], facts, size;
  gpu_kernel *kernel = kernel_of(g, wanted, cg_emit_facts, "facts");
  if (!run(g, kernel, 1, in, INPUTS, 256, r, THREADS * WORDS)) return false;
  size = size_of(r, &facts);
  if (size && (facts & shuffled(size)) != shuffled(size)) size = 0;
  g->note.said = said;
  g->note.subgroup = size;
  g->note.facts = facts;
  g->note.progress = PROGRESS_UNKNOWN;
  gpu_note_write(g->dev, &g->note, sizeof g->note);
  return true;
}

/* Whether all workgroups that began came to their end, into g->note; no answer: it is asked again next time. */
static void ask_progress(ir *g, uint32_t wanted, int64_t resident) {
  uint32_t word[CG_PROGRESS_WORDS + MOST_GROUPS], groups = MOST_GROUPS;
  if (resident < groups) groups = (uint32_t)resident;
  size_t n = CG_PROGRESS_WORDS + groups;
  gpu_kernel *kernel = kernel_of(g, wanted, cg_emit_progress, "progress");
  bool goes_on = false;
  for (int i = 0; i < TRIES && !goes_on; i++) {
    memset(word, 0, sizeof word);
    word[2] = 1;
    if (!run(g, kernel, groups, word, n, 0, word, n)) return;
    goes_on = word[0] == groups && !word[1] && word[n - 1];
  }
  g->note.progress = goes_on ? PROGRESS_MADE : PROGRESS_NONE;
  gpu_note_write(g->dev, &g->note, sizeof g->note);
}

bool device_measure(ir *g) {
  cg_choice choice = choice_of(g);
  uint32_t wanted = choice.subgroup;
  uint32_t said = said_of(gpu_get_info(g->dev), wanted);
  if (g->tune.measure == 0) return true;
  note_load(g);
  if (g->note.said != said && !ask(g, wanted, said)) {
    err_clear(g->c); /* nothing is known: the device is believed */
    return true;
  }
  if (!g->note.subgroup)
    return err_set(
        g->c, ERR_DEVICE,
        "%.80s cannot be used: its subgroups have no one size, or their shuffles "
        "are wrong",
        gpu_get_info(g->dev)->name);
  /* A size that nobody chooses may be another for the next kernel: only the least is relied on. */
  const gpu_info *i = gpu_get_info(g->dev);
  bool varies = !i->subgroup_control && i->subgroup_min != i->subgroup_max;
  if (g->note.subgroup < wanted || (g->note.subgroup > wanted && !varies))
    gpu_set_subgroup(g->dev, g->note.subgroup);
  if (choice.resident && g->note.progress == PROGRESS_UNKNOWN) {
    ask_progress(g, choice_of(g).subgroup, choice.resident);
    err_clear(g->c);
  }
  return true;
}

/* ── what is shown ── */

static const char *right(const ir *g, int fact, const char *yes, const char *no) {
  return g->note.facts >> fact & 1 ? yes : no;
}

void show_facts(const ir *g, str *s) {
  const device_note *n = &g->note;
  if (!n->said) return;
  bool lies = (n->said & 255) != n->subgroup && !gpu_get_info(g->dev)->subgroup_control;
  show_row(s, "measured");
  str_printf(s, "subgroups of %u%s, shuffles right; ", (unsigned)n->subgroup,
             lies ? ", whatever it says" : "");
  str_printf(s, "selections of booleans %s, the least integer's magnitude %s\n",
             right(g, CG_FACT_SELECT, "right", "wrong"),
             right(g, CG_FACT_LEAST, "right", "wrong"));
  show_row(s, "");
  str_printf(s, "f32 below the normal numbers: %s by arithmetic, %s by comparisons\n",
             right(g, CG_FACT_KEPT, "kept", "taken for 0"),
             right(g, CG_FACT_COMPARED, "kept", "taken for 0"));
  show_row(s, "");
  static const char *const progress[] = {"not asked, not relied on", "right",
                                         "none, not relied on"};
  str_printf(s, "progress of workgroups while others wait: %s\n", progress[n->progress]);
}

bool ir_examine(ir *g, str *s) {
  static const char *const natives[CG_NATIVE_KINDS] = {
      "quotients", "square roots of f32", "of f64", "products and sums in one (fma)"};
  const char *why, *where;
  if (!g->dev) return true;
  show_facts(g, s);
  show_row(s, "");
  for (int i = 0; i < CG_NATIVE_KINDS; i++) /* which are asked for here */
    str_printf(s, "%s %s%s", natives[i],
               device_rounds(g, i) ? "right" : "wrong, not relied on",
               i + 1 < CG_NATIVE_KINDS ? ", " : "\n");
  for (int n = 0; (why = gpu_known(gpu_get_info(g->dev), n, &where)); n++) {
    show_row(s, n ? "" : "known");
    str_printf(s, "%s (%s)\n", why, where);
  }
  return !s->failed;
}
