/* SPDX-License-Identifier: MIT */
/* record.c - arrays with named fields: what ⎕DMX gives, and a match of ⎕R or ⎕S. */
#include "record.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include <string.h>
#include "items.h"

static const char *const fields[REC_KINDS][10] = {
    [REC_DMX] = {"Category", "DM", "EM", "EN", "ENX", "HelpURL", "InternalLocation",
                 "Message", "OSError", "Vendor"},
    [REC_MATCH] = {"Block", "BlockNum", "Pattern", "PatternNum", "Match", "Offsets",
                   "Lengths", "Names", "ReplaceMode", "TextOnly"}};

int record_index(int kind, const char *name) {
  for (int i = 0; i < 10; i++)
    if (!strcmp(fields[kind][i], name)) return i;
  return -1;
}

bool record_has(const char *name) {
  return record_index(REC_DMX, name) >= 0 || record_index(REC_MATCH, name) >= 0;
}

arr *record_new(vm *v, int kind, arr **items) {
  arr *r = items_of(v, 10, items);
  if (r) r->lo = kind;
  return r;
}

arr *record_field(vm *v, const arr *a, const char *name) {
  bool is = !a->node && a->type == ET_NEST && a->rank == 1 && a->count == 10 &&
            a->lo > 0 && a->lo < REC_KINDS;
  int i = is ? record_index((int)a->lo, name) : -1;
  if (i >= 0) return arr_retain(arr_item(a, i));
  if (is) err_set(v->c, ERR_VALUE, "there is no %s in it", name);
  else err_set(v->c, ERR_NONCE, "namespaces are not in this version");
  return NULL;
}

arr *record_view(vm *v, const arr *a) {
  static const int shown[] = {EM, MESSAGE};
  if (a->node || a->type != ET_NEST || a->count != 10 || a->lo != REC_DMX) return NULL;
  arr *items[4], *r;
  int64_t n = 0, shape[2] = {arr_item(a, EM)->count ? 2 : 0, 2};
  for (int i = 0; i < 2 * (shape[0] > 0); i++) {
    items[n++] =
        arr_text(v->c, fields[REC_DMX][shown[i]], strlen(fields[REC_DMX][shown[i]]));
    items[n++] = arr_retain(arr_item(a, shown[i]));
  }
  arr *rows = items_of(v, n, items);
  r = rows ? arr_reshape(v->c, rows, 2, shape) : NULL;
  arr_release(rows);
  return r;
}

const char *record_name(int kind, int field) { return fields[kind][field]; }
