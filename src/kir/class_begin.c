/* SPDX-License-Identifier: MIT */
/* class_begin.c - how the kernels of a class begin: the arguments of lift, join and apply. */
#include "class.h"

#include <string.h>

static kty state_type(const kclass_ask *ask) {
  return (kty)ask->body->ins[ask->body->out[0].value].ty;
}

int class_component(kclass *r, kty ty, kimm identity) {
  r->ty[r->n] = (uint8_t)ty;
  r->identity[r->n] = identity;
  return r->n++;
}

mk class_begin_lift(ctx *c, const kclass_ask *ask, kclass *r) {
  kty ty = state_type(ask);
  mk m = mk_begin(c, &r->lift, ask->body, (uint8_t[]){(uint8_t)ty, KB, (uint8_t)ty}, 3);
  m.unless = mk_arg(&m, 1);
  m.has_unless = true;
  return m;
}

mk class_begin_join(ctx *c, const kclass_ask *ask, kclass *r, kv *outer, kv *inner) {
  uint8_t ty[2 * KCLASS_MAX];
  memcpy(ty, r->ty, r->n);
  memcpy(ty + r->n, r->ty, r->n);
  mk m = mk_begin(c, &r->join, ask->body, ty, 2u * r->n);
  for (uint32_t i = 0; i < r->n; i++) {
    kv earlier = mk_arg(&m, i), later = mk_arg(&m, r->n + i);
    outer[i] = ask->forward ? later : earlier;
    inner[i] = ask->forward ? earlier : later;
  }
  return m;
}

mk class_begin_apply(ctx *c, const kclass_ask *ask, kclass *r, kv *tuple, kv *x) {
  uint8_t ty[KCLASS_MAX + 1];
  memcpy(ty, r->ty, r->n);
  ty[r->n] = (uint8_t)state_type(ask);
  mk m = mk_begin(c, &r->apply, ask->body, ty, r->n + 1u);
  for (uint32_t i = 0; i < r->n; i++) tuple[i] = mk_arg(&m, i);
  *x = mk_arg(&m, r->n);
  return m;
}
