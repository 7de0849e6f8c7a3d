/* SPDX-License-Identifier: MIT */
/* kir.c - building, checking and printing kernels.
 *
 * kir_add keeps a hash table of the instructions so that equal ones are found in constant
 * time: lowered bodies of ⍟ and * repeat hundreds of constants. The table lives behind
 * the instructions in the same block, so it costs no field and is freed with them:
 *
 *   ins[cap] | next[cap] | head[cap]        next, head: number of an instruction + 1, 0: none
 *
 * head[h] starts the chain of hash h, newest first. Every link goes to a smaller number,
 * so a chain ends even if `ins` was rewritten in place; what it finds is
 * compared in full, so the worst that a stale table can do is to miss a merge.
 *
 * Nothing is merged across the FOLD but in a ROWS: elsewhere an instruction behind it may use
 * no value from before. kir_add also keeps `fold_at`, so that a builder need not. */
#include "folds.h"
#include "../base/hash.h"
#include "../base/mem.h"

#include <string.h>

_Static_assert(sizeof(kins) == 16, "kir_add compares and hashes instructions as bytes");

kty kir_arg_type(elt t) {
  switch (t) {
  case ET_BIT: return KB;
  case ET_I64: return KI64;
  case ET_F32: return KF32;
  case ET_F64:
  case ET_C128: return KF64;
  default: return KI32;
  }
}

elt kir_elt(kty t) {
  static const elt of[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return of[t];
}

/* ── building ──────────────────────────────────────────────────────────────────────── */

static kv *kir_next(const kir *k) { return (kv *)(void *)(k->ins + k->cap); }
static kv *kir_head(const kir *k) { return kir_next(k) + k->cap; }

static uint64_t kir_hash(const kins *in) {
  uint64_t w[2];
  memcpy(w, in, sizeof w);
  return hash_word(hash_word(0, w[0], 0x9E3779B97F4A7C15u), w[1], 0xD6E8FEB86659FD93u);
}

/* The list of the instructions of that hash; cap is a power of two. */
static kv *kir_list(const kir *k, uint64_t hash) {
  return kir_head(k) + (hash & (k->cap - 1));
}

static void kir_link(kir *k, size_t at, uint64_t hash) {
  kv *head = kir_list(k, hash);
  kir_next(k)[at] = *head;
  *head = (kv)(at + 1);
}

static bool kir_grow(ctx *c, kir *k) {
  size_t cap = 64;
  while (cap <= k->n_ins) cap *= 2;
  kins *p = mem_resize(c, k->ins, cap * (sizeof(kins) + 2 * sizeof(kv)));
  if (!p) return false;
  k->ins = p;
  k->cap = cap;
  memset(kir_head(k), 0, cap * sizeof(kv));
  for (size_t i = 0; i < k->n_ins; i++) kir_link(k, i, kir_hash(&k->ins[i]));
  return true;
}

static kv kir_find(const kir *k, const kins *in, uint64_t hash) { /* number + 1, or 0 */
  bool parts = k->kind != KIR_ROWS && k->fold_at < k->n_ins;
  size_t from = parts ? k->fold_at + 1 : 0;
  for (size_t n = *kir_list(k, hash); n > from; n = kir_next(k)[n - 1])
    if (n <= k->n_ins && !memcmp(&k->ins[n - 1], in, sizeof *in)) return (kv)n;
  return 0;
}

/* The FOLD stands at `at`. */
static void kir_folds(kir *k, const kins *in, size_t at) {
  kacc *a = &k->acc[0];
  k->fold_at = (uint32_t)at;
  if (k->kind == KIR_ROWS) return;
  if (!k->n_acc) k->n_acc = 1;
  *a = (kacc){.from = in->a,
              .monoid = a->monoid,
              .wide = a->wide,
              .ty = in->ty,
              .fault = (int16_t)in->imm.i};
}

kv kir_add(ctx *c, kir *k, kins in) {
  if (err_is(c)) return 0;
  uint64_t hash = kir_hash(&in);
  if (k->n_ins && in.op != KOP_FOLD) {
    kv found = kir_find(k, &in, hash);
    if (found) return (kv)(found - 1);
  }
  if (k->n_ins >= KIR_MAX_INS) {
    err_set(c, ERR_LIMIT, "a kernel of more than %d instructions", KIR_MAX_INS);
    return 0;
  }
  if (k->n_ins >= k->cap && !kir_grow(c, k)) return 0;
  size_t at = k->n_ins++;
  if (in.op != KOP_FOLD && k->fold_at == at) k->fold_at = k->n_ins; /* still none */
  else if (in.op == KOP_FOLD) kir_folds(k, &in, at);
  k->ins[at] = in;
  kir_link(k, at, hash);
  return (kv)at;
}

kv kir_fold(ctx *c, kir *k, const kacc *acc, uint32_t n) {
  memcpy(k->acc, acc, n * sizeof *acc);
  k->n_acc = (uint8_t)n;
  kins fold = {.op = KOP_FOLD, .ty = acc->ty, .a = acc->from, .imm.i = acc->fault};
  return kir_add(c, k, fold);
}

static bool kir_same_acc(const kacc *a, const kacc *b) {
  return a->from == b->from && a->monoid == b->monoid && a->wide == b->wide &&
         a->ty == b->ty;
}

kv kir_row_fold(ctx *c, kir *k, const kacc *acc) {
  kins fold = {.op = KOP_FOLD, .ty = acc->ty, .a = acc->from, .imm.i = acc->fault};
  for (uint32_t i = 0; i < k->n_ins && !err_is(c); i++)
    if (k->ins[i].op == KOP_FOLD && kir_same_acc(&k->acc[k->ins[i].b], acc)) return (kv)i;
  if (!err_is(c) && k->n_acc == KIR_MAX_ACC)
    err_set(c, ERR_LIMIT, "a kernel of more than %d folds", KIR_MAX_ACC);
  if (err_is(c)) return 0;
  fold.b = k->n_acc;
  k->acc[k->n_acc++] = *acc;
  return kir_add(c, k, fold);
}

kv kir_part(ctx *c, kir *k, uint32_t component) {
  kins part = {.op = KOP_PART, .ty = k->acc[component].ty, .imm.i = component};
  part.a = (kv)k->fold_at;
  if (component == 0) return part.a;
  return kir_add(c, k, part);
}

kir *kir_inner(const kir *k, uint32_t i) {
  if (k->join && !i--) return k->join;
  return i < k->n_loop ? k->loop[i].body : NULL;
}

void kir_free(ctx *c, kir *k) {
  kir *inner;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++) {
    kir_free(c, inner);
    mem_free(c, inner);
  }
  mem_free(c, k->ins);
  *k = (kir){0};
}

/* ── loops ─────────────────────────────────────────────────────────────────────────── */

/* One more input of the loop's body, which begins as v. */
static kv kir_loop_input(ctx *c, const kir *k, kloop *l, kv v) {
  kir *body = l->body;
  uint8_t ty = k->ins[v].ty;
  uint32_t i = body->n_in;
  if (i == KIR_MAX_IN) {
    err_set(c, ERR_LIMIT, "a loop of more than %d values", KIR_MAX_IN);
    return 0;
  }
  body->in[i].type = (uint8_t)kir_elt((kty)ty);
  l->from[i] = v;
  body->n_in++;
  return kir_add(c, body, (kins){.op = KOP_ARG, .ty = ty, .imm.i = i});
}

kloop *kir_loop_begin(ctx *c, kir *k, const kv *from, uint32_t n, int fault) {
  kir *body = NULL;
  if (err_is(c)) return NULL;
  if (k->n_loop == KIR_MAX_LOOP)
    err_set(c, ERR_LIMIT, "a kernel of more than %d loops", KIR_MAX_LOOP);
  else body = mem_zalloc(c, sizeof *body);
  if (!body) return NULL;
  kloop *l = &k->loop[k->n_loop++];
  *l = (kloop){.body = body, .n = (uint8_t)n, .fault = (int16_t)fault};
  body->n_param = k->n_param;
  memcpy(body->param, k->param, sizeof k->param);
  body->n_fault = k->n_fault;
  for (uint32_t i = 0; i < n; i++) kir_loop_input(c, k, l, from[i]);
  return l;
}

kv kir_import(ctx *c, const kir *k, kloop *l, kv v) {
  if (err_is(c)) return 0;
  const kins *n = &k->ins[v];
  if (n->op == KOP_CONST || n->op == KOP_PARAM) return kir_add(c, l->body, *n);
  for (uint32_t i = l->n; i < l->body->n_in; i++)
    if (l->from[i] == v)
      return kir_add(c, l->body, (kins){.op = KOP_ARG, .ty = n->ty, .imm.i = i});
  return kir_loop_input(c, k, l, v);
}

static void kir_loop_output(kir *body, kv v) {
  uint8_t type = (uint8_t)kir_elt((kty)body->ins[v].ty);
  body->out[body->n_out++] = (kout){.value = v, .type = type};
}

/* Output n is put aside as output 0 until the next values are known. */
void kir_loop_test(kloop *l, kv again) {
  l->test = (uint16_t)l->body->n_ins;
  l->body->out[0].value = again;
}

kv kir_loop_end(ctx *c, kir *k, kloop *l, const kv *next) {
  if (err_is(c)) return 0;
  kv again = l->body->out[0].value;
  for (uint32_t i = 0; i < l->n; i++) kir_loop_output(l->body, next[i]);
  kir_loop_output(l->body, again);
  return kir_add(
      c, k, (kins){.op = KOP_LOOP, .ty = k->ins[l->from[0]].ty, .imm.i = l - k->loop});
}

kv kir_loop_part(ctx *c, kir *k, kv loop, uint32_t component) {
  if (component == 0 || err_is(c)) return loop;
  const kloop *l = &k->loop[k->ins[loop].imm.i];
  kins part = {.op = KOP_PART, .a = loop, .imm.i = component};
  part.ty = k->ins[l->from[component]].ty;
  return kir_add(c, k, part);
}

/* ── checking ──────────────────────────────────────────────────────────────────────── */

/* Whether storage type t is held exactly by compute type ty. */
static bool kir_arg_ok(elt t, kty ty) {
  switch (t) {
  case ET_BIT: return true;
  case ET_I8:
  case ET_I16:
  case ET_C8:
  case ET_C16: return ty != KB;
  case ET_I32:
  case ET_C32: return ty == KI32 || ty == KI64 || ty == KF64;
  case ET_I64: return ty == KI64;
  case ET_F32: return ty == KF32 || ty == KF64;
  case ET_F64: return ty == KF64;
  default: return false;
  }
}

static bool kir_out_ok(elt t, kty ty) {
  switch (t) {
  case ET_BIT: return ty == KB;
  case ET_F32: return ty == KF32;
  case ET_F64: return ty == KF64;
  case ET_C128:
  case ET_NEST:
  case ET_COUNT: return false;
  default: return kty_is_int(ty);
  }
}

/* The rule of one value of the FOLD. A sum of 128 bits and a product of integers may
 * escape. */
static bool kir_acc_ok(const kir *k, const kacc *a) {
  if (a->from >= k->n_ins || !kop_has_value(k->ins[a->from].op)) return false;
  kty from = (kty)k->ins[a->from].ty;
  if (k->kind == KIR_ORDER) return a->ty == from && kty_is_int(from) && !a->wide;
  if (k->kind == KIR_FOURIER) return a->ty == from && from == KF64 && !a->wide;
  if (k->join) return a->ty == from && !a->wide;
  bool fault = a->fault >= 0 && (uint32_t)a->fault < k->n_fault;
  if (!kfold_gives(a, from)) return false;
  bool may_escape = kfold_escapes(a->monoid, from) || (a->wide && a->ty == KI64);
  return fault || !may_escape;
}

static bool kir_check_in(const kir *k, const kir *top);

/* A kernel inside k, in the kernel `top`: its parameters and faults are k's. */
static bool kir_inner_ok(const kir *k, const kir *j, const kir *top) {
  if (j->kind != KIR_MAP || j->join || j->n_fault > k->n_fault) return false;
  if (j->n_param > k->n_param || memcmp(j->param, k->param, j->n_param)) return false;
  for (uint32_t i = 0; i < j->n_ins; i++)
    if (j->ins[i].op == KOP_IOTA || j->ins[i].op == KOP_NUMBER) return false;
  return kir_check_in(j, top);
}

static bool kir_join_ok(const kir *k) {
  const kir *j = k->join;
  if (j->n_in != 2u * k->n_acc || j->n_out != k->n_acc || j->n_loop) return false;
  if (k->join_order > KJOIN_FORWARD || !kir_inner_ok(k, j, j)) return false;
  for (uint32_t i = 0; i < j->n_ins; i++) {
    const kins *n = &j->ins[i];
    if (n->op == KOP_ARG && n->ty != k->acc[n->imm.i % k->n_acc].ty) return false;
  }
  for (uint32_t i = 0; i < k->n_acc; i++)
    if (j->ins[j->out[i].value].ty != k->acc[i].ty) return false;
  return true;
}

static bool kir_loop_ok(const kir *k, const kloop *l, const kir *top) {
  const kir *j = l->body;
  if (l->n > KIR_MAX_CARRIED || j->n_out != l->n + 1u) return false;
  if (l->fault < 0 || l->fault >= (int32_t)k->n_fault || l->test > j->n_ins) return false;
  for (uint32_t i = 0; i < j->n_in; i++)
    if (j->in[i].view != KV_FLAT || j->in[i].type != kir_elt((kty)k->ins[l->from[i]].ty))
      return false;
  for (uint32_t i = 0; i < l->n; i++)
    if (j->out[i].put || j->out[i].type != j->in[i].type) return false;
  const kout *again = &j->out[l->n];
  if (again->put || again->type != ET_BIT || again->value >= l->test) return false;
  for (uint32_t i = 0; i < j->n_ins; i++) { /* arguments are not converted */
    const kins *n = &j->ins[i];
    if (n->op == KOP_ARG && kir_elt((kty)n->ty) != (elt)j->in[n->imm.i].type)
      return false;
  }
  return kir_inner_ok(k, j, top);
}

/* The values that LOOP i begins with come earlier, on its side of the FOLD. */
static bool kir_starts_ok(const kir *k, uint32_t i) {
  const kloop *l = &k->loop[k->ins[i].imm.i];
  if (l->n < 1 || l->n > l->body->n_in || l->body->n_in > KIR_MAX_IN) return false;
  for (uint32_t j = 0; j < l->body->n_in; j++) {
    if (l->from[j] >= i || (i > k->fold_at && l->from[j] < k->fold_at)) return false;
    if (!kop_has_value(k->ins[l->from[j]].op)) return false;
  }
  return k->ins[i].ty == k->ins[l->from[0]].ty;
}

static bool kir_part_ok(const kir *k, const kins *n) {
  const kins *of = &k->ins[n->a];
  int64_t i = n->imm.i;
  if (i < 1) return false;
  if (of->op != KOP_LOOP)
    return n->a == k->fold_at && i < k->n_acc && n->ty == k->acc[i].ty;
  const kloop *l = &k->loop[of->imm.i];
  return i < l->n && n->ty == k->ins[l->from[i]].ty;
}

static bool kir_fold_ok(const kir *k, const kins *n) {
  if (n->b >= k->n_acc) return false;
  const kacc *a = &k->acc[n->b];
  if (a->from != n->a || a->ty != n->ty || a->fault != n->imm.i) return false;
  if (k->kind == KIR_ROWS) return kir_acc_ok(k, a);
  for (uint32_t i = 0; i < k->n_acc; i++)
    if (k->acc[i].from >= k->fold_at || !kir_acc_ok(k, &k->acc[i])) return false;
  return !k->join || kir_join_ok(k);
}

static bool kir_input_ok(const kir *k, const kins *n, const kir *top) {
  int64_t i = n->imm.i;
  if (n->op == KOP_GET) k = top;
  if (i < 0 || i >= k->n_in || !kir_arg_ok(k->in[i].type, n->ty)) return false;
  if (k->in[i].view == KV_NEAR) return false;
  return (n->op == KOP_GET) == (k->in[i].view == KV_GET);
}

/* A NEAR's input has as many elements as the MAP. */
static bool kir_near_ok(const kir *k, const kins *n) {
  uint32_t i = knear_in(n->imm.i);
  int down = knear_down(n->imm.i), right = knear_right(n->imm.i);
  if (k->kind != KIR_MAP || i >= k->n_in || k->in[i].view != KV_NEAR) return false;
  if (down < -KIR_FAR || down > KIR_FAR || right < -KIR_FAR || right > KIR_FAR)
    return false;
  return kir_arg_ok(k->in[i].type, n->ty);
}

static bool kir_imm_ok(const kir *k, const kins *n, const kir *top) {
  int64_t i = n->imm.i;
  switch ((kop_imm)kop_table[n->op].imm) {
  case KIMM_INPUT: return kir_input_ok(k, n, top);
  case KIMM_NEAR: return kir_near_ok(k, n);
  case KIMM_PARAM: return i >= 0 && i < k->n_param && k->param[i] == n->ty;
  case KIMM_LITERAL: return n->ty != KB || i == 0 || i == 1;
  case KIMM_COUNT: return i >= 0 && i < 8 * kty_bytes(n->ty);
  case KIMM_FAULT: return n->op == KOP_FOLD || (i >= 0 && i < k->n_fault);
  case KIMM_LOOP: return i >= 0 && i < k->n_loop;
  default: return true;
  }
}

/* The rule of one instruction; t has its operands' types (its own, if it has fewer). */
static bool kir_ins_ok(const kir *k, uint32_t i, const kir *top, const kty t[3]) {
  const kins *n = &k->ins[i];
  const kop_row *row = &kop_table[n->op];
  kty T = n->ty;
  bool of_operand = row->form == KFORM_COMPARE || row->form == KFORM_TEST;
  if (!kop_takes(n->op, of_operand ? t[0] : T) || !kir_imm_ok(k, n, top)) return false;
  switch ((kop_form)row->form) {
  case KFORM_SAME: return t[0] == T && t[1] == T && t[2] == T;
  case KFORM_COMPARE: return T == KB && t[0] == t[1];
  case KFORM_SELECT: return t[0] == KB && t[1] == T && t[2] == T;
  case KFORM_BITS: return kty_bytes(t[0]) == kty_bytes(T);
  case KFORM_FETCH: return kty_is_int(t[0]);
  case KFORM_TEST: return T == 0;
  case KFORM_FOLD: return kir_fold_ok(k, n);
  case KFORM_LOOP: return kir_starts_ok(k, i) && kir_loop_ok(k, &k->loop[n->imm.i], top);
  case KFORM_PART: return kir_part_ok(k, n);
  default: return true;
  }
}

/* Is v before the FOLD, and so not available at i? */
static bool kir_is_gone(const kir *k, uint32_t i, kv v) {
  return k->kind != KIR_ROWS && i > k->fold_at && v < k->fold_at;
}

/* Operands come earlier, have a value, and are not fetched over the FOLD. */
static bool kir_operands_ok(const kir *k, uint32_t i, kty t[3]) {
  const kins *n = &k->ins[i];
  kv v[3] = {n->a, n->b, n->c};
  t[0] = t[1] = t[2] = n->ty;
  for (int j = 0; j < kop_table[n->op].operands; j++) {
    if (v[j] >= i || kir_is_gone(k, i, v[j])) return false;
    const kins *o = &k->ins[v[j]];
    if (!kop_has_value(o->op)) return false;
    t[j] = o->ty;
  }
  return true;
}

/* A value that an output may have. Values before the FOLD do not exist any more. */
static bool kir_leaves(const kir *k, kv v) {
  if (v >= k->n_ins || (k->kind != KIR_MAP && kir_is_gone(k, k->n_ins, v))) return false;
  return kop_has_value(k->ins[v].op);
}

/* May elements of a JOIN's type be joined by single instructions of memory? */
static bool kir_joins_ok(const kir *k, const kout *o) {
  kty ty = (kty)k->ins[o->value].ty;
  bool whole = o->type == ET_BIT || o->type == ET_I32 || o->type == ET_I64;
  if (!o->kept || !whole || kir_arg_type(o->type) != ty) return false;
  uint8_t order = kfold_table[o->monoid].on[ty].order;
  if (o->monoid == KF_EACH_AND || o->monoid == KF_EACH_OR) return false;
  return order == KORDER_EXACT || order == KORDER_SUM;
}

static bool kir_seat_ok(const kir *k, const kout *o) {
  if (!o->kept || o->type != ET_I32 || o->keys >= k->n_in || !kir_leaves(k, o->mask))
    return false;
  const kin *keys = &k->in[o->keys];
  if (keys->view != KV_GET || keys->type == ET_BIT) return false;
  return k->ins[o->value].ty == KI32 && k->ins[o->at].ty == KI32 &&
         k->ins[o->mask].ty == KI32;
}

static bool kir_put_ok(const kir *k, const kout *o) {
  if (!o->put) return !o->kept;
  if (o->put >= KPUT_KINDS || o->monoid >= KF_COUNT) return false;
  if (o->put == KPUT_JOIN && !kir_joins_ok(k, o)) return false;
  if (k->kind == KIR_REDUCE || k->kind == KIR_ROWS || !kir_leaves(k, o->at) ||
      !kir_leaves(k, o->when))
    return false;
  if (o->put == KPUT_INSERT && !kir_seat_ok(k, o)) return false;
  return kty_is_int(k->ins[o->at].ty) && k->ins[o->when].ty == KB;
}

static bool kir_pair_ok(const kir *k, uint32_t i) {
  const kout *o = &k->out[i], *next = o + 1;
  if (o->pair == PAIR_IM) return i > 0 && o[-1].pair == PAIR_RE;
  if (o->pair == PAIR_NOT) return true;
  bool two = i + 1 < k->n_out && next->pair == PAIR_IM && o->type == ET_F64;
  return two && next->type == o->type && next->put == o->put && o->put <= KPUT_ONCE &&
         next->at == o->at && next->when == o->when;
}

static bool kir_outputs_ok(const kir *k) {
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    if (!kir_pair_ok(k, i)) return false;
    if (!kir_leaves(k, o->value) || !kir_put_ok(k, o)) return false;
    if (!kir_out_ok(o->type, k->ins[o->value].ty)) return false;
  }
  return true;
}

static bool kir_sizes_ok(const kir *k) {
  if (k->n_ins > KIR_MAX_INS || k->n_in > KIR_MAX_IN || k->n_out > KIR_MAX_OUT ||
      k->n_param > KIR_MAX_PARAM || k->n_fault > KIR_MAX_FAULT ||
      k->n_strided > KIR_MAX_STRIDED || k->n_loop > KIR_MAX_LOOP)
    return false;
  for (uint32_t i = 0; i < k->n_strided; i++)
    if (k->strided[i] < 1 || k->strided[i] > KIR_STRIDED_DIMS) return false;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].view >= KV_STRIDED + k->n_strided) return false;
  if (k->exclusive && k->kind != KIR_SCAN) return false;
  if (k->kind == KIR_SCAN && k->n_acc > 1 && !k->join) return false;
  if (k->product &&
      (k->kind != KIR_REDUCE || k->n_strided != 2 || k->n_acc > 2 || k->join))
    return false;
  if (k->kind == KIR_MAP) return k->fold_at == k->n_ins && !k->n_acc && !k->join;
  if (k->kind == KIR_ROWS && (k->join || k->n_loop || k->segments)) return false;
  if (k->kind == KIR_ORDER && (k->n_acc > 2 || k->join || k->key_bits > 64)) return false;
  if (k->kind == KIR_FOURIER && (k->n_acc != 2 || k->join || k->roots >= k->n_in))
    return false;
  return k->fold_at < k->n_ins && k->n_acc >= 1 && k->n_acc <= KIR_MAX_ACC;
}

/* The input that says where segments are. */
static bool kir_segments_ok(const kir *k) {
  if (!k->segments) return true;
  if (k->kind == KIR_MAP || k->join || k->segments > k->n_in) return false;
  const kin *pairs = &k->in[k->segments - 1];
  return pairs->type == ET_I64 && pairs->view == KV_ONE;
}

/* Is instruction i a FOLD just where there is to be one? Those of a ROWS are counted. */
static bool kir_fold_stands(const kir *k, uint32_t i, uint32_t *folds) {
  bool is = k->ins[i].op == KOP_FOLD;
  if (k->kind != KIR_ROWS) return is == (i == k->fold_at);
  return !is || k->ins[i].b == (*folds)++;
}

/* GETs read the inputs of `top`. */
static bool kir_check_in(const kir *k, const kir *top) {
  if (!kir_sizes_ok(k) || !kir_segments_ok(k)) return false;
  uint32_t folds = 0;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    kty t[3];
    if (n->op >= KOP_COUNT || n->ty >= KTY_COUNT) return false;
    if (!kir_fold_stands(k, i, &folds)) return false;
    if (!kir_operands_ok(k, i, t) || !kir_ins_ok(k, i, top, t)) return false;
  }
  return kir_outputs_ok(k) && (k->kind != KIR_ROWS || folds == k->n_acc);
}

bool kir_has_near(const kir *k) {
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].view == KV_NEAR) return true;
  return false;
}

bool kir_is_for_device(const kir *k) { return k->kind == KIR_ROWS || kir_has_near(k); }

bool kir_check(const kir *k) { return kir_check_in(k, k); }

/* ── printing ──────────────────────────────────────────────────────────────────────── */

static const char *const kty_name[KTY_COUNT] = {"b", "i32", "i64", "f32", "f64"};
static const char *const kview_name[] = {"flat", "step", "one", "get", "near", "strided"};
static const char *const kind_name[] = {"map",  "reduce", "scan",  "order",
                                        "rows", "panel",  "solve", "fourier"};
static const char *const order_name[] = {"tree", "exact", "right", "forward"};

/* Writes what stands behind the operand of a, a value of the tuple. */
static void kir_dump_acc(const kir *k, const kacc *a, str *s) {
  if (!k->join) str_printf(s, " %s", kfold_table[a->monoid].glyph);
  if (a->wide) str_puts(s, " wide");
  str_printf(s, " !%d", (int)a->fault);
}

static void kir_dump_fold(const kir *k, const kins *n, str *s) {
  kir_dump_acc(k, &k->acc[n->b], s);
  if (k->kind == KIR_ROWS) return;
  for (uint32_t i = 1; i < k->n_acc; i++) {
    str_printf(s, ", %%%u.%s", (unsigned)k->acc[i].from, kty_name[k->acc[i].ty]);
    kir_dump_acc(k, &k->acc[i], s);
  }
  if (k->join) str_printf(s, " join %s", order_name[k->join_order]);
  if (k->exclusive) str_puts(s, " exclusive");
  if (k->product) str_puts(s, k->digits ? " fast product" : " product");
}

static void kir_dump_loop(const kir *k, int64_t i, str *s) {
  const kloop *l = &k->loop[i];
  str_printf(s, " #%d", (int)i);
  for (uint32_t j = 0; j < l->body->n_in; j++)
    str_printf(s, "%s%%%u", j == l->n ? "; " : " ", (unsigned)l->from[j]);
  str_printf(s, " !%d", (int)l->fault);
}

static void kir_dump_imm(const kir *k, const kins *n, str *s) {
  long long i = (long long)n->imm.i;
  switch ((kop_imm)kop_table[n->op].imm) {
  case KIMM_NONE: break;
  case KIMM_LITERAL:
    if (kty_is_float(n->ty)) str_printf(s, " %.17g", n->imm.f);
    else str_printf(s, " %lld", i);
    break;
  case KIMM_NEAR:
    str_printf(s, " #%u %+d %+d", knear_in(i), knear_down(i), knear_right(i));
    break;
  case KIMM_INPUT:
  case KIMM_PARAM:
  case KIMM_COUNT:
  case KIMM_COMPONENT: str_printf(s, " #%lld", i); break;
  case KIMM_LOOP: kir_dump_loop(k, n->imm.i, s); break;
  case KIMM_FAULT:
    if (n->op == KOP_FOLD) kir_dump_fold(k, n, s);
    else str_printf(s, " !%lld", i);
    break;
  }
}

static void kir_dump_ins(const kir *k, uint32_t i, str *s) {
  const kins *n = &k->ins[i];
  const kop_row *row = &kop_table[n->op];
  if (kop_has_value(n->op))
    str_printf(s, "  %%%-3u = %s.%s", (unsigned)i, row->name, kty_name[n->ty]);
  else str_printf(s, "        %s", row->name);
  kv v[3] = {n->a, n->b, n->c};
  for (int j = 0; j < row->operands; j++) str_printf(s, " %%%u", (unsigned)v[j]);
  kir_dump_imm(k, n, s);
  str_putc(s, '\n');
}

static void kir_dump_out(const kir *k, uint32_t i, str *s) {
  const kout *o = &k->out[i];
  str_printf(s, "  out%u:%s", (unsigned)i, elt_table[o->type].name);
  if (o->put) str_printf(s, " at %%%u when %%%u", (unsigned)o->at, (unsigned)o->when);
  if (o->put == KPUT_JOIN) str_printf(s, " %s", kfold_table[o->monoid].glyph);
  else if (o->put == KPUT_INSERT)
    str_printf(s, " seat in%u mask %%%u", (unsigned)o->keys, (unsigned)o->mask);
  else if (o->kept) str_puts(s, " kept");
  if (o->pair) str_puts(s, o->pair == PAIR_RE ? " re" : " im");
  str_printf(s, " = %%%u\n", (unsigned)o->value);
}

void kir_dump(const kir *k, str *s) {
  str_puts(s, kind_name[k->kind]);
  for (uint32_t i = 0; i < k->n_in; i++)
    str_printf(s, " in%u:%s.%s", (unsigned)i, elt_table[k->in[i].type].name,
               kview_name[k->in[i].view < KV_STRIDED ? k->in[i].view : KV_STRIDED]);
  if (k->quads) str_printf(s, " quads:%x", (unsigned)k->quads);
  if (k->still) str_printf(s, " still:%x", (unsigned)k->still);
  if (k->segments) str_printf(s, " segments:in%u", (unsigned)k->segments - 1);
  for (uint32_t i = 0; i < k->n_param; i++)
    str_printf(s, " p%u:%s", (unsigned)i, kty_name[k->param[i]]);
  str_printf(s, " faults:%u\n", (unsigned)k->n_fault);
  for (uint32_t i = 0; i < k->n_ins; i++) kir_dump_ins(k, i, s);
  for (uint32_t i = 0; i < k->n_out; i++) kir_dump_out(k, i, s);
  if (k->join) {
    str_puts(s, "join ");
    kir_dump(k->join, s);
  }
  for (uint32_t i = 0; i < k->n_loop; i++) {
    str_printf(s, "loop %u test %u ", (unsigned)i, (unsigned)k->loop[i].test);
    kir_dump(k->loop[i].body, s);
  }
}
