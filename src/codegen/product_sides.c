/* SPDX-License-Identifier: MIT */
/* product_sides.c - tiles of x and of y on their way to the registers of threads: from memory, one
 * tile ahead, by loads of an element or of 16 bytes; into workgroup memory, by k; and from there by
 * vectors of 16 bytes. */
#include "product.h"

static uint32_t strided_slot(cg *g, int number, uint32_t dim, uint32_t what) {
  return cg_strided_slot(g->k, (uint32_t)number, dim) + what;
}

/* Elements below 32 bits have a number, others an address. */
static bool is_narrow(const tile_side *s) { return elt_bits(s->type) < 32; }
static uint32_t log_bytes(const tile_side *s) {
  if (s->pair) return 4;
  return is_narrow(s) ? 0 : cg_log2((uint32_t)elt_bits(s->type) / 8);
}

/* Where a load begins: the element at place k (u32) of the part, of line `line` (u32). */
static uint32_t place_at(cg *g, const tile_side *s, uint32_t line, uint32_t k) {
  uint32_t n = cg_u(g, SpvOpIAdd, s->first, line);
  if (!s->inside) n = cg_least(g, g->u32, n, s->last);
  uint32_t at = add64(g, s->base, mul64(g, to64(g, n), s->line));
  at = add64(g, at, mul64(g, to64(g, k), s->step));
  if (is_narrow(s)) return at;
  at = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, at, cg_u64(g, log_bytes(s)));
  return add64(g, g->base[s->in], at);
}

/* Load i of this thread: which line of the tile, which place of its bk. */
static void load_place(cg *g, const tiles *t, const tile_side *s, uint32_t i,
                       uint32_t *line, uint32_t *k) {
  uint32_t fast = (s->along ? t->bk : s->tile) / s->wide, v = g->thread;
  uint32_t low = cg_ui(g, SpvOpBitwiseAnd, v, fast - 1);
  if (s->wide > 1) low = cg_ui(g, SpvOpIMul, low, s->wide);
  uint32_t high = cg_ui(g, SpvOpShiftRightLogical, v, cg_log2(fast));
  high = cg_next(g, high, i * (g->o->workgroup / fast));
  *line = s->along ? high : low;
  *k = s->along ? low : high;
}

static uint32_t load_element(cg *g, const tile_side *s, uint32_t at) {
  kty t = kir_arg_type(s->type);
  uint32_t type = spv_vec(g->b, cg_scalar_type(g, t), s->pair ? 2 : s->wide);
  if (!is_narrow(s)) return cg_load(g, type, at, s->wide << log_bytes(s));
  if (g->ix == g->u32) at = spv_op(g->b, g->u32, SpvOpUConvert, at);
  return cg_get_at(g, s->type, g->base[s->in], at);
}

/* What workgroup memory has of an element. */
static uint32_t made_of(cg *g, const tiles *t, const tile_side *s, uint32_t element) {
  uint32_t raw[KIR_MAX_IN] = {0}, v[MOST_PARTS];
  cg_pos p = {.i = cg_ixc(g, 0)};
  const uint32_t *in = t->part.in[s->number];
  raw[in[0]] = element;
  for (uint32_t i = 0; s->pair && i < MOST_PARTS; i++)
    raw[in[i]] = spv_op(g->b, cg_scalar_type(g, KF64), SpvOpCompositeExtract, element, i);
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (t->part.of[n] == 1 << s->number) cg_range(g, n, n + 1, &p, raw);
  for (uint32_t i = 0; i < s->parts; i++) {
    kv bound = t->part.bound[s->number][i];
    v[i] = cg_cvt(g, g->val[bound], (kty)g->k->ins[bound].ty, s->t);
  }
  if (s->parts == 1) return v[0];
  return spv_op(g->b, s->vec_type, SpvOpCompositeConstruct, v[0], v[1]);
}

void product_load_next(cg *g, tiles *t, uint32_t more) {
  for (int n = 0; n < SIDES; n++) {
    tile_side *s = &t->of[n];
    uint32_t by = s->by;
    if (more) by = spv_op(g->b, g->u64, SpvOpSelect, more, by, cg_u64(g, 0));
    for (uint32_t i = 0; i < s->loads; i++) {
      uint32_t var = s->inside ? s->at[0] : s->at[i];
      uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, var), skip = cg_u64(g, i);
      if (s->inside && i) at = add64(g, at, mul64(g, s->apart, skip));
      s->raw[i] = load_element(g, s, at);
    }
    for (uint32_t i = 0; i < (s->inside ? 1 : s->loads); i++) {
      uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, s->at[i]);
      spv_do(g->b, SpvOpStore, s->at[i], add64(g, at, by));
    }
  }
}

void product_load_rest(cg *g, tiles *t, uint32_t first, uint32_t count) {
  for (int n = 0; n < SIDES; n++) {
    tile_side *s = &t->of[n];
    uint32_t last = cg_ui(g, SpvOpISub, count, s->along ? s->wide : 1);
    for (uint32_t i = 0; i < s->loads; i++) {
      uint32_t line, k;
      load_place(g, t, s, i, &line, &k);
      k = cg_u(g, SpvOpIAdd, first, cg_least(g, g->u32, k, last));
      s->raw[i] = load_element(g, s, place_at(g, s, line, k));
    }
  }
}

static uint32_t vector_ptr(cg *g, const tile_side *s, uint32_t index) {
  return cg_shared_ptr(g, s->vec_type, s->shared, index);
}

/* At vector `at` (u32); the element at place `lane` (u32) of it, or all. */
static void store_one(cg *g, const tile_side *s, uint32_t at, uint32_t lane, uint32_t v) {
  uint32_t type = spv_ptr(g->b, SpvStorageClassWorkgroup, cg_scalar_type(g, s->t)), ptr;
  if (s->vec == 1) ptr = vector_ptr(g, s, at);
  else ptr = spv_op(g->b, type, SpvOpAccessChain, s->shared, at, lane);
  spv_do(g->b, SpvOpStore, ptr, v);
}

static void store_vector(cg *g, const tile_side *s, uint32_t at, const uint32_t *v) {
  uint32_t x = v[0];
  if (s->vec == 2) x = spv_op(g->b, s->vec_type, SpvOpCompositeConstruct, v[0], v[1]);
  if (s->vec == 4)
    x = spv_op(g->b, s->vec_type, SpvOpCompositeConstruct, v[0], v[1], v[2], v[3]);
  spv_do(g->b, SpvOpStore, vector_ptr(g, s, at), x);
}

/* Elements of load i, neighbours along k or along lines, to the buffer that begins at `from` (u32). */
static void store_load(cg *g, const tiles *t, const tile_side *s, uint32_t from,
                       uint32_t i) {
  uint32_t type = cg_scalar_type(g, kir_arg_type(s->type)), v[MOST_WIDE];
  for (uint32_t j = 0; j < s->wide; j++) {
    v[j] = s->raw[i];
    if (s->wide > 1) v[j] = spv_op(g->b, type, SpvOpCompositeExtract, v[j], j);
    v[j] = made_of(g, t, s, v[j]);
  }
  uint32_t at = cg_u(g, SpvOpIAdd, s->put[i], from), lane = s->lane[i];
  if (!s->along && s->wide >= s->vec) {
    for (uint32_t j = 0; j < s->wide; j += s->vec)
      store_vector(g, s, cg_next(g, at, j / s->vec), v + j);
    return;
  }
  for (uint32_t j = 0; j < s->wide; j++) {
    if (s->along) store_one(g, s, cg_next(g, at, j * s->stride), lane, v[j]);
    else store_one(g, s, at, cg_next(g, lane, j), v[j]);
  }
}

void product_store_tile(cg *g, tiles *t, uint32_t buffer) {
  for (int n = 0; n < SIDES; n++) {
    const tile_side *s = &t->of[n];
    uint32_t from = cg_ui(g, SpvOpIMul, buffer, t->bk * s->stride);
    for (uint32_t i = 0; i < s->loads; i++) store_load(g, t, s, from, i);
  }
}

void product_fragment(cg *g, const tiles *t, const tile_side *s, uint32_t at,
                      product_values v) {
  uint32_t abreast = s->number == LEFT ? ROWS_ABREAST : COLUMNS_ABREAST;
  uint32_t type = cg_scalar_type(g, s->t), n = s->vec * s->parts;
  kty bound = (kty)g->k->ins[t->part.bound[s->number][0]].ty;
  for (uint32_t i = 0; i < s->each; i += s->vec) {
    uint32_t index = cg_next(g, at, i / s->vec * abreast);
    uint32_t x = spv_op(g->b, s->vec_type, SpvOpLoad, vector_ptr(g, s, index));
    for (uint32_t j = 0; j < n; j++) {
      uint32_t e = n > 1 ? spv_op(g->b, type, SpvOpCompositeExtract, x, j) : x;
      v[i + j / s->parts][j % s->parts] = cg_cvt(g, e, s->t, bound);
    }
  }
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

void product_open_side(cg *g, tiles *t, int number, uint32_t tile_at) {
  tile_side *s = &t->of[number];
  const product_opts *o = &g->o->product;
  uint32_t lines = number == LEFT ? t->rows : t->columns, dim = number == LEFT ? 1 : 3;
  s->number = number;
  s->in = t->part.in[number][0];
  s->pair = t->part.n_in[number] > 1;
  s->parts = t->part.n_bound[number];
  s->type = (elt)g->k->in[s->in].type;
  s->t = product_shared_type(g->k, &t->part, number);
  s->tile = number == LEFT ? o->bm : o->bn;
  s->each = number == LEFT ? o->tm : o->tn;
  s->vec = 16 / product_shared_bytes(g->k, &t->part, number);
  if (s->vec > s->each) s->vec = s->each;
  s->along = o->along >> number & 1;
  s->wide = 1;
  if (o->along >> (2 * SIDES + number) & 1) s->wide = 16u >> log_bytes(s);
  s->loads = s->tile * t->bk / g->o->workgroup / s->wide;
  s->line = cg_slot(g, strided_slot(g, number, dim, CG_STRIDED_STRIDE));
  s->step = cg_slot(g, strided_slot(g, number, 2, CG_STRIDED_STRIDE));
  uint32_t batch = cg_slot(g, strided_slot(g, number, 0, CG_STRIDED_STRIDE));
  s->base = cg_slot(g, CG_SLOT_INPUTS + 3 * s->in + 1);
  if (s->pair) /* it counts doubles */
    s->base = spv_op(g->b, g->u64, SpvOpShiftRightLogical, s->base, cg_u64(g, 1));
  s->base = add64(g, s->base, mul64(g, to64(g, t->batch), batch));
  s->base = add64(g, s->base, mul64(g, to64(g, t->k0), s->step));
  s->first = cg_ui(g, SpvOpIMul, tile_at, s->tile);
  s->last = cg_ui(g, SpvOpISub, lines, 1);
  s->inside = o->along >> (SIDES + number) & 1;
  if (s->inside) /* the last tile begins before its place */
    s->first = cg_least(g, g->u32, s->first, cg_ui(g, SpvOpISub, lines, s->tile));
  uint32_t each = g->o->workgroup * s->wide / (s->along ? t->bk : s->tile);
  s->apart = mul64(g, s->along ? s->line : s->step, cg_u64(g, each));
  uint32_t shift = cg_u64(g, log_bytes(s));
  s->apart = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, s->apart, shift);
  s->by = mul64(g, s->step, cg_u64(g, t->bk));
  s->by = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, s->by, shift);
  s->vec_type = spv_vec(g->b, cg_scalar_type(g, s->t), s->vec * s->parts);
  s->stride = s->tile / s->vec + (number == LEFT); /* one more, for other banks */
  s->shared = spv_shared(g->b, s->vec_type, 2 * t->bk * s->stride);
  for (uint32_t i = 0; i < s->loads; i++) {
    uint32_t line, k;
    load_place(g, t, s, i, &line, &k);
    s->put[i] = cg_ui(g, SpvOpShiftRightLogical, line, cg_log2(s->vec));
    s->put[i] = cg_u(g, SpvOpIAdd, s->put[i], cg_ui(g, SpvOpIMul, k, s->stride));
    s->lane[i] = cg_ui(g, SpvOpBitwiseAnd, line, s->vec - 1);
    if (s->inside && i) continue;
    s->at[i] = spv_local(g->b, g->u64, 0);
    spv_do(g->b, SpvOpStore, s->at[i], place_at(g, s, line, k));
  }
}

/* Squares of four threads side by side: of 32, 8 lie down the rows and 4 across. */
void product_place_thread(cg *g, tiles *t) {
  tile_side *x = &t->of[LEFT], *y = &t->of[RIGHT];
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  uint32_t unit = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  uint32_t low = cg_ui(g, SpvOpBitwiseAnd, lane, 1);
  uint32_t high = cg_ui(g, SpvOpShiftRightLogical, lane, 2);
  high = cg_ui(g, SpvOpShiftLeftLogical, cg_ui(g, SpvOpBitwiseAnd, high, 3), 1);
  uint32_t row = cg_u(g, SpvOpBitwiseOr, low, high);
  low = cg_ui(g, SpvOpBitwiseAnd, cg_ui(g, SpvOpShiftRightLogical, lane, 1), 1);
  high = cg_ui(g, SpvOpShiftLeftLogical, cg_ui(g, SpvOpShiftRightLogical, lane, 4), 1);
  uint32_t column = cg_u(g, SpvOpBitwiseOr, low, high);
  uint32_t units = x->tile / (ROWS_ABREAST * x->each); /* down the tile */
  uint32_t down = cg_ui(g, SpvOpBitwiseAnd, unit, units - 1);
  uint32_t across = cg_ui(g, SpvOpShiftRightLogical, unit, cg_log2(units));
  down = cg_ui(g, SpvOpIMul, down, ROWS_ABREAST * (x->each / x->vec));
  across = cg_ui(g, SpvOpIMul, across, COLUMNS_ABREAST * (y->each / y->vec));
  x->own = cg_u(g, SpvOpIAdd, down, row);
  y->own = cg_u(g, SpvOpIAdd, across, column);
}

uint32_t product_line(cg *g, const tile_side *s, uint32_t i) {
  uint32_t abreast = s->number == LEFT ? ROWS_ABREAST : COLUMNS_ABREAST;
  uint32_t at = cg_ui(g, SpvOpIMul, cg_next(g, s->own, i / s->vec * abreast), s->vec);
  return cg_u(g, SpvOpIAdd, s->first, cg_next(g, at, i % s->vec));
}
