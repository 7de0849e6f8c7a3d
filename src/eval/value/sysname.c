/* SPDX-License-Identifier: MIT */
/* sysname.c - which ⎕-names there are. What is part of the language but has no row answers
 * NONCE ERROR; any other name is a SYNTAX ERROR. */
#include "sysname.h"
#include <string.h>
#include "../../tables/oper.h"

enum { PLAIN, STANDS_ALONE, INVERTS_ITSELF, TURNS_BACK };
typedef struct sysname {
  const char *name;
  uint8_t cls, valence, kind;
  uint32_t oper;
  const char *help;
} sysname;

#define INT(f, lo, hi) PLAIN, 0
#define VAR(get, set) PLAIN, 0
#define CALL(f) PLAIN, 0
#define INVERTS(f) INVERTS_ITSELF, 0
#define TURNS(f) TURNS_BACK, 0
#define BOTH(get, f) STANDS_ALONE, 0
#define OPER(id) PLAIN, OP_##id
#define SYSNAME(name, nc, valence, does, help) {name, nc, valence, does, help},
static const sysname rows[] = {
#include "../../tables/sysname.def"
};

/* What Dyalog APL has and this version has not. */
static const char elsewhere[] =
    " AN ARBIN ARBOUT AT ATX AVU BASE CLASS CLEAR CMD CS CSV CT CY DCT DF DQ DT ED "
    "EXCEPTION EXPORT"
    " FAPPEND FAVAIL FCHK FCOPY FCREATE FDROP FERASE FHIST FHOLD FIX FLIB FNAMES FNUMS "
    "FPROPS"
    " FRDAC FRDCI FREAD FRENAME FREPLACE FRESIZE FSIZE FSTAC FSTIE FTIE FUNTIE FX "
    "INSTANCES JSON"
    " KL LC LOAD LOCK LX MAP MKDIR MONITOR NA NAPPEND NATTRIBUTES NCOPY NCREATE NDELETE "
    "NERASE NEW"
    " NEXISTS NGET NINFO NLOCK NMOVE NNAMES NNUMS NPARTS NPUT NQ NREAD NRENAME NREPLACE "
    "NRESIZE"
    " NSI NSIZE NTIE NULL NUNTIE NXLATE OR PATH PFKEY PROFILE REFS RSI RTL SAVE SD SE SH"
    " SHADOW SHELL SI SIZE SM SPACE SR SRC STACK STATE STOP SVC SVE SVO SVQ SVR SVS "
    "TALLOC TCNUMS "
    "TGET"
    " TID TKILL TNAME TNUMS TPOOL TPUT TRACE TRAP TREQ TSYNC UCSX USING WC WG "
    "WN WS WX XML"
    " XSI XT FIO SQL ";

bool sys_known(const char *name, size_t n) {
  char word[16] = " ";
  size_t skip = strlen("⎕");
  if (n <= skip || n - skip > sizeof word - 3) return false;
  memcpy(word + 1, name + skip, n - skip);
  word[n - skip + 1] = ' ';
  return strstr(elsewhere, word) != NULL;
}

int sys_find(const char *name, size_t n) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n)) return (int)i;
  return -1;
}

int sys_class(int row) { return rows[row].cls; }

int sys_valence(int row) { return rows[row].valence; }

bool sys_stands_alone(int row) { return rows[row].kind == STANDS_ALONE; }

bool sys_inverts_itself(int row) { return rows[row].kind == INVERTS_ITSELF; }

bool sys_turns(int row) { return rows[row].kind == TURNS_BACK; }

uint32_t sys_oper(int row) { return rows[row].oper; }

const char *sys_name(int row) {
  return row < (int)ARRAY_LEN(rows) ? rows[row].name : NULL;
}

const char *sys_help(int row) { return rows[row].help; }
