/* SPDX-License-Identifier: MIT */
/* session_ranks.h - the interpreter of a process that is one of several, the ranks (--ranks): all run one program,
 * rank 0 reads and writes for all.
 *
 * Where `vapl -n N` started them (launch.c), it keeps the terminal, and speaks with rank 0:
 *
 *   launch.c ──▶ standard input of rank 0:    "WORD COLUMNS LINES BYTES\n", then so many bytes
 *            ◀── standard output of rank 0:   what is shown; in it, ASK KEY "WORD text\n"
 *
 *   rank 0 says         and is answered
 *   entry               text (an entry), cancel (Ctrl-C) or end
 *   line PROMPT         likewise: a line of data
 *   names A B C         (it was asked: names) what Tab completes to
 *   open 0 or 1         (it was asked: open, with a text) does it need more lines?
 *   code N              nothing: the exit code
 *
 * KEY was drawn by launch.c, so that no program says such a thing by chance. */
#ifndef VAPL_SESSION_RANKS_H
#define VAPL_SESSION_RANKS_H
#include "session.h"

enum { ASK = 0x1E, KEY_BYTES = 17, ASK_WORD = 16 };

/* What launch.c says of the streams of the process that a person started: "KEY,COLUMNS,LINES,FLAGS". */
typedef struct front {
  char key[KEY_BYTES]; /* "": nobody started the job by -n */
  int columns, lines;  /* of the terminal that output goes to; 0: it is none */
  bool typed;          /* s: a session */
  bool asks;           /* i: input is from a terminal */
  bool merged;         /* m: errors go to the same terminal as output */
} front;

void front_print(const front *f, char *to, size_t n);
bool front_read(front *f, const char *text);

struct vapl_comm;
typedef struct ranks {
  const struct vapl_comm *comm;
  front front;
  int errors;      /* where a rank other than 0 may write when all is lost */
  char kept[4096]; /* the end of what it would have written */
  size_t n_kept;
  str text; /* of the latest entry */
  char device[256];
} ranks;

/* Opens the engine in the file `comm` (NULL: vapl-mpi.so) and sets s->ranks. From here on the standard output and
 * the standard error of ranks other than 0 lead nowhere. 0, or the exit code after a message. */
int ranks_begin(session *s, ranks *r, const char *comm, const char *front);
/* All ranks meet; the exit code of this process. */
int ranks_end(session *s, int code);
/* The device that this rank is to open, of a list with commas. */
const char *ranks_device(session *s, const char *list);
int ranks_threads(
    const session *s); /* its share of the machine's processors; 0: all of them */

/* Without ranks the following are what they are for one process. */
bool ranks_first(const session *s); /* is it for this process to read? */
/* What the first one read becomes everybody's: a text of mem_alloc, or NULL with its error recorded, which is then
 * anything on the others. */
bool ranks_same_text(session *s, bool ok, char **text, size_t *n);
/* A number; and whether the first one was interrupted, which is recorded. */
bool ranks_same_number(session *s, int64_t *number);
/* An entry of a program on standard input; `more`: it may not be the last. False after an error. */
bool ranks_same_entry(session *s, str *entry, bool *more);
/* As line_read: an entry, for all ranks; a line of data, which the first one alone asks for. */
line_status ranks_entry(session *s, const char *prompt, const char **text, size_t *n);
line_status ranks_data(session *s, const char *prompt, const char **text, size_t *n);
/* Of hints to a rank other than 0, which all ranks are given, those are shown that it alone has: "rank N …". */
void ranks_hint(session *s, const char *text);
void ranks_keep(session *s, const char *text, size_t n);
#endif
