/* SPDX-License-Identifier: MIT */
/* system.c - the ⎕-names, a row each: which functions read, assign and call a name. run/sys_call.c calls them. */
#include "../run/eval.h"
#include "system.h"

#define INT(f, lo, hi) NULL, NULL, NULL, offsetof(sysvars, f), lo, hi
#define VAR(get, set) get, set, NULL, 0, 0, 0
#define CALL(f) NULL, NULL, f, 0, 0, 0
#define INVERTS(f) CALL(f)
#define TURNS(f) CALL(f)
#define BOTH(get, f) get, NULL, f, 0, 0, 0
#define OPER(id) NULL, NULL, NULL, 0, 0, 0
#define SYSNAME(name, nc, valence, does, help) {name, valence, does},
const sys_row sys_rows[] = {
#include "../../tables/sysname.def"
};
