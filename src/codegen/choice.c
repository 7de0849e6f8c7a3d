/* SPDX-License-Identifier: MIT */
/* choice.c - the tuner's rule in one place: a row for each class of device, and the lists of shapes
 * that templates choose from.
 *
 * The row of NVIDIA is measured, on one H200 (docs/performance.md), and so are the shapes. The
 * others are by study and NOT measured: from what the makers publish about registers and workgroup
 * memory, and from which devices were seen to let every workgroup go on (Sorensen and others,
 * "Specifying and testing GPU workgroup progress models", OOPSLA 2021; the decoupled fallback of
 * Smith and others, 2025). Unknown devices have the last row, whose values are right for all. A device that
 * allows less than its row gets less; a pipeline that spills all the same is made smaller
 * (ir/pipeline.c).
 *
 *   AMD       RDNA: 256 registers a lane where subgroups have 32, workgroup memory of 128 KiB for
 *             two units; GCN and CDNA: subgroups of 64, 64 KiB a unit (its ISA guides)
 *   Intel     128 registers of 32 bytes a thread: 64 words a lane of 16, but 32 of 32 (its
 *             architecture papers, Gen9 to Xe)
 *   Apple     104 to 128 registers a lane, 32 KiB of workgroup memory (its Metal feature tables);
 *             no promise that a workgroup goes on while others wait
 *   Arm       subgroups of 16, 64 registers a lane and 32 for a full core, workgroup memory lies in
 *             the cache (its best practices); no such promise
 *   Qualcomm  subgroups of 64 and 128, 32 KiB; Imagination: 32 lanes, 16 KiB; neither is known to
 *             give that promise
 *   CPU       llvmpipe, SwiftShader: as NVIDIA, for tests run there what users run elsewhere */
#include "choice.h"

enum { LEAST_FOR_MATRICES = 40 << 10 /* bytes of workgroup memory: product_matrix.c */ };
enum { KIB = 1024, NVIDIA = 0x10DE, AMD = 0x1002, INTEL = 0x8086, APPLE = 0x106B };
enum { ARM = 0x13B5, QUALCOMM = 0x5143, IMAGINATION = 0x1010 };

enum {
  C_NVIDIA,
  C_RDNA,
  C_GCN,
  C_INTEL,
  C_APPLE,
  C_ARM,
  C_QUALCOMM,
  C_POWERVR,
  C_CPU,
  C_UNKNOWN
};
/* clang-format off */
static const cg_choice classes[CG_CLASSES] = {
  /*            class                subgroup   shared results keys loads busy resident */
  [C_NVIDIA]   = {"NVIDIA",                32, 24 * KIB,    64,  26,   32, 128,     512, 0, false, false},
  [C_RDNA]     = {"AMD RDNA",              32, 24 * KIB,    64,  26,   32,  64,     256, 0, false, false},
  [C_GCN]      = {"AMD GCN or CDNA",       64, 24 * KIB,    64,  26,   32, 128,     256, 0, false, false},
  [C_INTEL]    = {"Intel",                 16, 24 * KIB,    16,   8,   16,  32,     128, 0, false, false},
  [C_APPLE]    = {"Apple",                 32, 16 * KIB,    32,  16,   16,  32,       0, 0, false, false},
  [C_ARM]      = {"Arm Mali",              16, 16 * KIB,    16,   8,    8,  16,       0, 0, false, false},
  [C_QUALCOMM] = {"Qualcomm Adreno",       64, 16 * KIB,    16,   8,    8,  16,       0, 0, false, false},
  [C_POWERVR]  = {"Imagination PowerVR",   32, 12 * KIB,    16,   8,    8,  16,       0, 0, false, false},
  [C_CPU]      = {"CPU",                   32, 24 * KIB,    64,  26,   32, 128,       0, 0, false, false},
  [C_UNKNOWN]  = {"unknown",               32, 12 * KIB,    16,   8,    8,  64,       0, 0, false, false},
};
/* clang-format on */

static int class_of(const cg_device *d) {
  if (d->cpu) return C_CPU;
  switch (d->vendor) {
  case NVIDIA: return C_NVIDIA;
  case AMD: return d->least && d->least <= 32 ? C_RDNA : C_GCN;
  case INTEL: return C_INTEL;
  case APPLE: return C_APPLE;
  case ARM: return C_ARM;
  case QUALCOMM: return C_QUALCOMM;
  case IMAGINATION: return C_POWERVR;
  default: return C_UNKNOWN;
  }
}

cg_choice cg_choose(const cg_device *d, uint32_t forced) {
  int row = class_of(d);
  if (forced && forced <= CG_CLASSES) row = (int)forced - 1;
  cg_choice c = classes[row];
  bool holds = d->shared >= LEAST_FOR_MATRICES;
  c.matrix = d->matrix && holds;
  c.halves = d->halves && holds;
  if (c.subgroup < d->least || c.subgroup > d->most) c.subgroup = d->subgroup;
  /* A quarter is left for arguments, and for what threads tell one another. */
  if (c.shared > d->shared / 4 * 3) c.shared = d->shared / 4 * 3;
  if (c.resident && d->processors) c.resident = 2 * d->processors;
  if (d->cpu) c.resident = 0; /* workgroups do not run side by side */
  return c;
}

/* ── products ── */

static const cg_tile
    words[] = {{128, 128, 8, 8, 8},
               {64, 64, 8, 8, 4},
               {32, 32, 16, 4, 2},
               {16, 16, 64, 2, 1}},
    blocks[] = {{64, 64, 8, 8, 4}, {32, 32, 16, 4, 2}, {16, 16, 64, 2, 1}},
    doubles[] = {{64, 64, 8, 8, 4}, {32, 32, 8, 4, 2}, {16, 16, 32, 2, 2}},
    blocks_8[] = {{64, 64, 8, 4, 4}, {32, 32, 8, 4, 2}, {16, 16, 32, 2, 2}},
    sums[] = {{64, 64, 16, 4, 4}, {16, 16, 64, 2, 2}},
    wide[] = {{32, 32, 16, 2, 2}, {16, 16, 32, 2, 2}},
    complex[] = {{64, 64, 4, 4, 4}, {32, 32, 8, 2, 2}, {16, 16, 16, 2, 2}},
    much[] = {{16, 16, 16, 1, 1}};
#define LIST(a)                                                                          \
  { a, (int)(sizeof(a) / sizeof *(a)) }

const cg_tile *cg_tiles_of(cg_tiles kind, int *n) {
  static const struct {
    const cg_tile *at;
    int n;
  } lists[CG_TILES_KINDS] = {LIST(words), LIST(blocks), LIST(doubles), LIST(blocks_8),
                             LIST(sums),  LIST(wide),   LIST(complex), LIST(much)};
  *n = lists[kind].n;
  return lists[kind].at;
}

/* Two buffers of bk places each: x by vectors, one of which is padding, and y. */
static uint32_t tile_bytes(const cg_tile *s, uint32_t value) {
  uint32_t vector = 16 / value < s->tm ? 16 / value : s->tm;
  return 2 * s->bk * value * (s->bm + vector + s->bn);
}

bool cg_tile_feeds(const cg_tile *s, uint32_t bk) {
  uint32_t threads = s->bm / s->tm * (s->bn / s->tn);
  return bk >= 4 && (s->bm < s->bn ? s->bm : s->bn) * bk >= threads;
}

/* Half the places of k are fewer loads of every thread, but no thread is without one. Lanes of a
 * subgroup lie on 8 rows and 4 columns. */
static bool halve_memory(cg_tile *s) {
  if (cg_tile_feeds(s, s->bk / 2)) s->bk /= 2;
  else if (s->bm >= s->bn && s->bm > 8 * s->tm) s->bm /= 2;
  else if (s->bn > 4 * s->tn) s->bn /= 2;
  else return false;
  return true;
}

cg_tile cg_tile_within(const cg_choice *c, cg_tile s, uint32_t result, uint32_t value) {
  uint32_t most = (c->results >> c->smaller) * 4;
  while (s.tm * s.tn * result > most && s.tm * s.tn > 1) {
    if (s.tm >= s.tn) s.tm /= 2, s.bm /= 2;
    else s.tn /= 2, s.bn /= 2;
    if (!cg_tile_feeds(&s, s.bk)) s.bk *= 2;
  }
  while (tile_bytes(&s, value) > c->shared && halve_memory(&s)) {}
  return s;
}

/* ── orders ── */

enum { SORTERS = 4 };
static const cg_sorter sorters[CG_SORTERS_KINDS][SORTERS] = {
    [CG_SORTERS_WORDS] = {{12, 26, 2}, {8, 24, 2}, {8, 16, 2}, {8, 8, 1}},
    [CG_SORTERS_PAIRS] = {{8, 24, 2}, {8, 16, 2}, {8, 8, 1}},
    [CG_SORTERS_WIDE] = {{8, 24, 3}, {8, 16, 2}, {8, 8, 2}},
    [CG_SORTERS_WIDE_PAIRS] = {{8, 16, 2}, {8, 8, 2}},
    [CG_SORTERS_SHORT] = {{8, 8, 1}, {8, 8, 2}},
    [CG_SORTERS_ROWS] = {{8, 16, 1}, {8, 8, 1}, {8, 4, 1}},
    [CG_SORTERS_UNITS] = {{8, 8, 2}}};

/* Counters of each unit, or elements of a round in their place, and where digits begin. */
static uint32_t sorter_bytes(const cg_sorter *s, uint32_t value, uint32_t unit) {
  enum { DIGITS = 256 };
  uint32_t counters = 4 * DIGITS * s->units;
  uint32_t elements = unit * s->units * s->keys / s->rounds * value;
  return (elements > counters ? elements : counters) + 4 * DIGITS;
}

cg_sorter cg_sorter_of(const cg_choice *c, cg_sorters kind, uint32_t value,
                       uint32_t unit) {
  const cg_sorter *s = sorters[kind], *end = s + SORTERS;
  while (s + 1 < end && s[1].units &&
         (s->keys > c->keys || sorter_bytes(s, value, unit) > c->shared))
    s++;
  for (uint32_t n = 0; n < c->smaller && s + 1 < end && s[1].units; n++) s++;
  return *s;
}
