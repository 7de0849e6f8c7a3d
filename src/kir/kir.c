/* SPDX-License-Identifier: MIT */
/* kir.c - building, checking and printing kernels.
 *
 * kir_add keeps a hash table of the instructions so that equal ones are found in constant
 * time: lowered bodies of ⍟ and * repeat hundreds of constants. The table lives behind the
 * instructions in the same block, so it costs no field and is freed with them:
 *
 *   ins[cap] | next[cap] | head[cap]        next, head: number of an instruction + 1, 0: none
 *
 * head[h] starts the chain of hash h, newest first. Every link goes to a smaller number, so
 * a chain ends even if somebody has rewritten `ins` in place; what it finds is compared in
 * full, so the worst that a stale table can do is to miss a merge.
 *
 * Nothing is merged across the FOLD: an instruction behind it may use no value from before.
 * kir_add also keeps `fold_at`, so that a builder need not. */
#include "kir.h"
#include "../base/hash.h"
#include "../base/mem.h"

#include <string.h>

const kop_row kop_table[KOP_COUNT] = {
#define OP(name, n, what) {#name, n},
#include "ops.def"
};

_Static_assert(sizeof(kins) == 16, "kir_add compares and hashes instructions as bytes");

kty kir_arg_type(elt t) {
  switch (t) {
  case ET_BIT: return KB;
  case ET_I64: return KI64;
  case ET_F32: return KF32;
  case ET_F64: return KF64;
  default: return KI32;
  }
}

/* ── building ───────────────────────────────────────────────────────────────────────── */

static kv *kir_next(const kir *k) { return (kv *)(void *)(k->ins + k->cap); }
static kv *kir_head(const kir *k) { return kir_next(k) + k->cap; }

static size_t kir_hash(const kir *k, const kins *in) { /* cap is a power of two */
  return (size_t)hash_bytes(in, sizeof *in, 0) & (k->cap - 1);
}

static void kir_link(kir *k, size_t at) {
  kv *head = kir_head(k) + kir_hash(k, &k->ins[at]);
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
  for (size_t i = 0; i < k->n_ins; i++) kir_link(k, i);
  return true;
}

static kv kir_find(const kir *k, const kins *in) { /* number + 1, or 0 */
  size_t from = k->fold_at < k->n_ins ? k->fold_at + 1 : 0;
  for (size_t n = kir_head(k)[kir_hash(k, in)]; n > from; n = kir_next(k)[n - 1])
    if (n <= k->n_ins && !memcmp(&k->ins[n - 1], in, sizeof *in)) return (kv)n;
  return 0;
}

kv kir_add(ctx *c, kir *k, kins in) {
  if (err_is(c)) return 0;
  if (k->n_ins && in.op != KOP_FOLD) {
    kv found = kir_find(k, &in);
    if (found) return (kv)(found - 1);
  }
  if (k->n_ins >= KIR_MAX_INS) {
    err_set(c, ERR_LIMIT, "a kernel of more than %d instructions", KIR_MAX_INS);
    return 0;
  }
  if (k->n_ins >= k->cap && !kir_grow(c, k)) return 0;
  size_t at = k->n_ins++;
  if (in.op != KOP_FOLD && k->fold_at == at) k->fold_at = k->n_ins; /* still none */
  else if (in.op == KOP_FOLD) k->fold_at = (uint32_t)at;
  k->ins[at] = in;
  kir_link(k, at);
  return (kv)at;
}

void kir_free(ctx *c, kir *k) {
  mem_free(c, k->ins);
  *k = (kir){0};
}

/* ── checking ───────────────────────────────────────────────────────────────────────── */

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

static bool kir_fold_ok(const kir *k, kty from, kty to) {
  switch (k->fold) {
  case KF_AND:
  case KF_OR: return to == KB;
  case KF_ADD:
    if (kty_is_int(from)) return to == KI64 || (k->wide && to == KF64);
    return kty_is_float(from) && to == from && !k->wide;
  case KF_MUL:
  case KF_MIN:
  case KF_MAX: return from != KB && to == from;
  default: return false;
  }
}

/* The rule of one instruction; A, B, C are its operands' types (its own, if it has fewer). */
static bool kir_ins_ok(const kir *k, const kins *n, kty A, kty B, kty C) {
  kty T = n->ty;
  bool flt = kty_is_float(T), integer = kty_is_int(T), same = A == T && B == T;
  bool fault = n->imm.i >= 0 && n->imm.i < k->n_fault;
  int bits = 8 * kty_bytes(T);
  switch ((kop)n->op) {
  case KOP_ARG:
    return n->imm.i >= 0 && n->imm.i < k->n_in && kir_arg_ok(k->in[n->imm.i].type, T);
  case KOP_IOTA: return integer;
  case KOP_CONST: return T != KB || n->imm.i == 0 || n->imm.i == 1;
  case KOP_PARAM:
    return n->imm.i >= 0 && n->imm.i < k->n_param && k->param[n->imm.i] == T;
  case KOP_CVT: return true;
  case KOP_BITS: return A != KB && T != KB && kty_bytes(A) == kty_bytes(T);
  case KOP_ADD:
  case KOP_SUB:
  case KOP_MUL:
  case KOP_MIN:
  case KOP_MAX:
  case KOP_NEG:
  case KOP_ABS: return same && T != KB;
  case KOP_DIV:
  case KOP_SQRT:
  case KOP_FLOOR:
  case KOP_TRUNC:
  case KOP_RINT: return same && flt;
  case KOP_QUOT: return same && integer;
  case KOP_AND:
  case KOP_OR:
  case KOP_XOR:
  case KOP_NOT: return same && !flt;
  case KOP_SHL:
  case KOP_SHR:
  case KOP_SAR: return same && integer && n->imm.i >= 0 && n->imm.i < bits;
  case KOP_EQ:
  case KOP_NE:
  case KOP_LT:
  case KOP_LE:
  case KOP_GT:
  case KOP_GE: return T == KB && A == B;
  case KOP_SEL: return A == KB && B == T && C == T;
  case KOP_ADDO:
  case KOP_SUBO:
  case KOP_MULO: return same && integer && fault;
  case KOP_FIN: return same && C == T && flt && fault;
  case KOP_ERR:
  case KOP_ESC: return A == KB && T == 0 && fault;
  case KOP_FOLD: {
    bool may_escape = kty_is_int(A) &&
                      ((k->fold == KF_ADD && k->wide && T == KI64) || k->fold == KF_MUL);
    return kir_fold_ok(k, A, T) && (!may_escape || fault);
  }
  default: return false;
  }
}

bool kir_check(const kir *k) {
  if (k->n_ins > KIR_MAX_INS || k->n_in > KIR_MAX_IN || k->n_out > KIR_MAX_OUT ||
      k->n_param > KIR_MAX_PARAM || k->n_fault > KIR_MAX_FAULT ||
      k->n_strided > KIR_MAX_STRIDED)
    return false;
  for (uint32_t i = 0; i < k->n_strided; i++)
    if (k->strided[i] < 1 || k->strided[i] > KIR_STRIDED_DIMS) return false;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].view >= KV_STRIDED + k->n_strided) return false;
  bool folds = k->kind != KIR_MAP;
  if (folds ? k->fold_at >= k->n_ins : k->fold_at != k->n_ins) return false;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    if (n->op >= KOP_COUNT || n->ty >= KTY_COUNT) return false;
    if ((n->op == KOP_FOLD) != (i == k->fold_at)) return false;
    kv v[3] = {n->a, n->b, n->c};
    kty t[3] = {n->ty, n->ty, n->ty};
    for (int j = 0; j < kop_table[n->op].operands; j++) {
      if (v[j] >= i || (i > k->fold_at && v[j] < k->fold_at)) return false;
      const kins *o = &k->ins[v[j]];
      if (o->op == KOP_ERR || o->op == KOP_ESC) return false;
      t[j] = o->ty;
    }
    if (!kir_ins_ok(k, n, t[0], t[1], t[2])) return false;
  }
  for (uint32_t i = 0; i < k->n_out; i++) {
    kv v = k->out[i].value;
    if (v >= k->n_ins || (folds && v < k->fold_at)) return false;
    if (k->ins[v].op == KOP_ERR || k->ins[v].op == KOP_ESC) return false;
    if (!kir_out_ok(k->out[i].type, k->ins[v].ty)) return false;
  }
  return true;
}

/* ── printing ───────────────────────────────────────────────────────────────────────── */

static const char *const kty_name[KTY_COUNT] = {"b", "i32", "i64", "f32", "f64"};
static const char *const kfold_name[KF_COUNT] = {"+", "×", "⌊", "⌈", "∧", "∨"};
static const char *const kview_name[] = {"flat", "step", "one", "strided"};
static const char *const kind_name[] = {"map", "reduce", "scan"};

static void kir_dump_ins(const kir *k, uint32_t i, str *s) {
  const kins *n = &k->ins[i];
  bool none = n->op == KOP_ERR || n->op == KOP_ESC;
  str_printf(s, none ? "        " : "  %%%-3u = ", (unsigned)i);
  str_printf(s, "%s", kop_table[n->op].name);
  if (!none) str_printf(s, ".%s", kty_name[n->ty]);
  kv v[3] = {n->a, n->b, n->c};
  for (int j = 0; j < kop_table[n->op].operands; j++)
    str_printf(s, " %%%u", (unsigned)v[j]);
  switch (n->op) {
  case KOP_CONST:
    if (kty_is_float(n->ty)) str_printf(s, " %.17g", n->imm.f);
    else str_printf(s, " %lld", (long long)n->imm.i);
    break;
  case KOP_ARG:
  case KOP_PARAM:
  case KOP_SHL:
  case KOP_SHR:
  case KOP_SAR: str_printf(s, " #%lld", (long long)n->imm.i); break;
  case KOP_ADDO:
  case KOP_SUBO:
  case KOP_MULO:
  case KOP_FIN:
  case KOP_ERR:
  case KOP_ESC: str_printf(s, " !%lld", (long long)n->imm.i); break;
  case KOP_FOLD:
    str_printf(s, " %s%s !%lld", kfold_name[k->fold], k->wide ? " wide" : "",
               (long long)n->imm.i);
    break;
  default: break;
  }
  str_putc(s, '\n');
}

void kir_dump(const kir *k, str *s) {
  str_puts(s, kind_name[k->kind]);
  for (uint32_t i = 0; i < k->n_in; i++)
    str_printf(s, " in%u:%s.%s", (unsigned)i, elt_table[k->in[i].type].name,
               kview_name[k->in[i].view < KV_STRIDED ? k->in[i].view : KV_STRIDED]);
  for (uint32_t i = 0; i < k->n_param; i++)
    str_printf(s, " p%u:%s", (unsigned)i, kty_name[k->param[i]]);
  str_printf(s, " faults:%u\n", (unsigned)k->n_fault);
  for (uint32_t i = 0; i < k->n_ins; i++) kir_dump_ins(k, i, s);
  for (uint32_t i = 0; i < k->n_out; i++)
    str_printf(s, "  out%u:%s = %%%u\n", (unsigned)i, elt_table[k->out[i].type].name,
               (unsigned)k->out[i].value);
}
