/* SPDX-License-Identifier: MIT */
/* record.c - arrays with named fields: what ⎕DMX gives, and a match of ⎕R or ⎕S. */
#include "record.h"
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "items.h"

static const char *const fields[REC_KINDS][REC_FIELDS] = {
    [REC_DMX] = {"Category", "DM", "EM", "EN", "ENX", "HelpURL", "InternalLocation",
                 "Message", "OSError", "Vendor"},
    [REC_MATCH] = {"Block", "BlockNum", "Pattern", "PatternNum", "Match", "Offsets",
                   "Lengths", "Names", "ReplaceMode", "TextOnly"}};

int record_index(int kind, const char *name) {
  for (int i = 0; i < REC_FIELDS; i++)
    if (!strcmp(fields[kind][i], name)) return i;
  return -1;
}

const char *record_name(int kind, int field) { return fields[kind][field]; }

bool record_has(const char *name) {
  return record_index(REC_DMX, name) >= 0 || record_index(REC_MATCH, name) >= 0;
}

arr *record_new(vm *v, int kind, arr **items) {
  arr *r = items_of(v, REC_FIELDS, items);
  if (r) r->record = kind;
  return r;
}

/* 0: it is no record. A reshaped one still is, and shows as one, but has no fields by name. */
static int kind_of(const arr *a) {
  if (a->node || a->type != ET_NEST || a->count != REC_FIELDS) return 0;
  return (int)a->record;
}

arr *record_field(vm *v, const arr *a, const char *name) {
  int kind = kind_of(a);
  if (!kind || a->rank != 1)
    return err_null(v->c, ERR_NONCE, "namespaces are not in this version");
  int i = record_index(kind, name);
  if (i >= 0) return arr_retain(arr_item(a, i));
  return err_null(v->c, ERR_VALUE, "there is no %s in it", name);
}

arr *record_view(vm *v, const arr *a) {
  static const int shown[] = {EM, MESSAGE};
  if (kind_of(a) != REC_DMX) return NULL;
  OWNED_LIST arr_list items = {.v = v};
  int64_t shape[2] = {arr_item(a, EM)->count ? 2 : 0, 2};
  for (int64_t i = 0; i < shape[0]; i++) {
    const char *name = record_name(REC_DMX, shown[i]);
    if (!list_add(&items, arr_text(v->c, name, strlen(name)))) return NULL;
    if (!list_add(&items, arr_retain(arr_item(a, shown[i])))) return NULL;
  }
  OWNED arr *rows = list_array(&items);
  return rows ? arr_reshape(v->c, rows, 2, shape) : NULL;
}
