/* SPDX-License-Identifier: MIT */
/* api_handle.c - the handles that the host program holds. */
#include "api.h"
#include "../src/array/element.h"
#include "../src/base/mapped.h"
#include "../src/vk/gpu.h"

int vapl_fault(vapl *v, void *address) { return v && mapped_fault(&v->c, address); }

void api_drop_core(vapl *v) {
  if (--v->refs) return;
  api_clear_record(v);
  err_clear(&v->c);
  mem_free(&v->c, v->device);
  mem_free(&v->c, v->cache_dir);
  mem_free(&v->c, v->given);
  ctx_close(&v->c);
  v->c.resize(v->c.user, v, sizeof *v, 0);
}

bool api_give(vapl *v, arr *a, bool shy, vapl_array **out) {
  OWNED arr *own = a;
  if (!own) return false;
  vapl_array *h = mem_zalloc(&v->c, sizeof *h);
  if (!h) return false;
  *h = (vapl_array){.owner = v, .refs = 1, .shy = shy, .next = v->arrays};
  h->a = arr_move(&own);
  if (v->arrays) v->arrays->prev = h;
  v->arrays = h;
  v->refs++;
  *out = h;
  return true;
}

/* What vapl_vk_export gave out goes back; with the device it is gone already. */
static void unshare(vapl *v, vapl_array *h) {
  if (h->shared && v->m) gpu_free(ir_gpu(vm_ir(v->m)), h->shared);
  h->shared = NULL;
}

vapl_array *vapl_retain(vapl_array *a) {
  if (a) a->refs++;
  return a;
}

void vapl_release(vapl_array *a) {
  if (!a || --a->refs) return;
  vapl *v = a->owner;
  if (a->prev) a->prev->next = a->next;
  else v->arrays = a->next;
  if (a->next) a->next->prev = a->prev;
  arr_release(a->a);
  unshare(v, a);
  for (size_t i = 0; i < a->copies.n; i++) mem_free(&v->c, a->copies.at[i].data);
  vec_free(&v->c, &a->copies);
  mem_free(&v->c, a);
  api_drop_core(v);
}

/* Detaches an array and its items from the interpreter's device and graph, all of whose
 * elements are on the host. */
static void part_from_graph(arr *a) {
  if (a->owner) a->owner->release(a->owner, a);
  if (!arr_nests(a)) return;
  for (int64_t i = 0; i < arr_item_count(a); i++)
    if (arr_item(a, i)) part_from_graph(arr_item(a, i));
}

void api_detach(vapl *v, vapl_array *h) {
  unshare(v, h);
  if (ir_host(vm_ir(v->m), h->a)) {
    part_from_graph(h->a);
    return;
  }
  err_clear(&v->c);
  arr_release(h->a);
  h->a = NULL;
}

static bool still_there(vapl *v, const vapl_array *h) {
  if (h->a) return true;
  return err_set(&v->c, ERR_WS_FULL, "the array was lost when its interpreter closed");
}

bool api_settle(vapl *v, const vapl_array *h) {
  if (!still_there(v, h)) return false;
  return (!v->m || ir_settle(vm_ir(v->m), h->a)) && mapped_whole(&v->c);
}

bool api_to_host(vapl *v, const vapl_array *h) {
  if (!still_there(v, h)) return false;
  return (!v->m || ir_host(vm_ir(v->m), h->a)) && mapped_whole(&v->c);
}

vapl *api_home(vapl *v, const vapl_array *h) {
  if (!h) {
    api_bad(v, "the array is NULL");
    return NULL;
  }
  if (v && v != h->owner) {
    api_bad(v, "the array belongs to another interpreter");
    return NULL;
  }
  return h->owner;
}

bool api_is_whole(vapl *v, const vapl_array *h) {
  if (!h || !h->part) return true;
  api_bad(v, "the array is a part, of this rank alone (vapl_from_part joins parts)");
  return false;
}
