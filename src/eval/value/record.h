/* SPDX-License-Identifier: MIT */
/* record.h - arrays with named fields, until there are namespaces: a nested vector that
 * says so (arr.record). */
#ifndef VAPL_EVAL_RECORD_H
#define VAPL_EVAL_RECORD_H
#include "vm.h"

enum { REC_DMX = 1, REC_MATCH, REC_KINDS };
/* The fields of REC_DMX. */
enum { CATEGORY, DM, EM, EN, ENX, HELP_URL, LOCATION, MESSAGE, OS_ERROR, VENDOR };

arr *record_new(vm *v, int kind, arr **items); /* takes the items over; NULL if one is */
/* Owned; an error if there is none. */
arr *record_field(vm *v, const arr *a, const char *name);
/* How a record shows: the names and values of what it has to say. NULL without an error: `a`
 * is no record, or shows as an array. */
arr *record_view(vm *v, const arr *a);
bool record_has(const char *name);            /* is it a field of any kind? */
int record_index(int kind, const char *name); /* -1: it has no such field */
const char *record_name(int kind, int field);
#endif
