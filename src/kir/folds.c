/* SPDX-License-Identifier: MIT */
/* folds.c - tables/folds.def as a table by monoid and compute type. */
#include "folds.h"

#include <math.h>

#define AT(id, ty, order, op) [KF_##id].on[ty] = {KORDER_##order, KOP_##op},
#define EACH_B(id, ...) AT(id, KB, __VA_ARGS__)
#define EACH_I(id, ...) AT(id, KI32, __VA_ARGS__) AT(id, KI64, __VA_ARGS__)
#define EACH_F(id, ...) AT(id, KF32, __VA_ARGS__) AT(id, KF64, __VA_ARGS__)

const kfold_row kfold_table[KF_COUNT] = {
#define MONOID(id, name) [KF_##id].glyph = name,
#define ON(id, class, order, op, ...) EACH_##class(id, order, op)
#include "../tables/folds.def"
};

kty kfold_type(kfold f, kty from) {
  if (kfold_table[f].on[from].order) return from;
  return kfold_table[f].on[KB].order ? KB : KTY_COUNT;
}

/* The rows of one class. */
#define SKIP(...)
#define KEEP(id, field, value)                                                           \
  case KF_##id: return (kimm){.field = value};

static kimm identity_of_truth(kfold f) {
  switch (f) {
#define CLASS_B KEEP
#define CLASS_I SKIP
#define CLASS_F SKIP
#define ON(id, class, order, op, identity, group) CLASS_##class(id, i, identity)
#include "../tables/folds.def"
  default: return (kimm){0};
  }
}

static kimm identity_of_integers(kfold f, kty ty) {
  const int64_t highest = ty == KI32 ? INT32_MAX : INT64_MAX;
  switch (f) {
#undef CLASS_B
#undef CLASS_I
#define CLASS_B SKIP
#define CLASS_I KEEP
#define HIGHEST highest
#define LOWEST (-highest - 1)
#define ON(id, class, order, op, identity, group) CLASS_##class(id, i, identity)
#include "../tables/folds.def"
  default: return (kimm){0};
  }
}

static kimm identity_of_floats(kfold f) {
  switch (f) {
#undef CLASS_I
#undef CLASS_F
#undef HIGHEST
#undef LOWEST
#define CLASS_I SKIP
#define CLASS_F KEEP
#define HIGHEST HUGE_VAL
#define LOWEST -HUGE_VAL
#define ON(id, class, order, op, identity, group) CLASS_##class(id, f, identity)
#include "../tables/folds.def"
  default: return (kimm){0};
  }
}

kimm kfold_identity(kfold f, kty ty) {
  if (ty == KB) return identity_of_truth(f);
  return kty_is_int(ty) ? identity_of_integers(f, ty) : identity_of_floats(f);
}

bool kfold_escapes(kfold f, kty from) { return kfold_table[f].on[from].op == KOP_MULO; }

bool kfold_gives(const kacc *a, kty from) {
  if (a->monoid >= KF_COUNT) return false;
  kty ty = kfold_type(a->monoid, from);
  if (ty == KTY_COUNT) return false;
  if (kfold_table[a->monoid].on[ty].order == KORDER_SUM)
    return a->ty == KI64 || (a->wide && a->ty == KF64);
  return a->ty == ty && !a->wide;
}

kty kfold_acc_type(const kir *k, uint32_t n) {
  const kacc *a = &k->acc[n];
  kty from = k->ins[a->from].ty;
  if (k->join || k->kind == KIR_ORDER || k->kind == KIR_FOURIER) return from;
  kty ty = kfold_type(a->monoid, from);
  return kfold_table[a->monoid].on[ty].order == KORDER_SUM ? KI64 : ty;
}
