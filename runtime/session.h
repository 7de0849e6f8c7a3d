/* SPDX-License-Identifier: MIT */
/* session.h - what the files of the command line share: one interpreter and how it is spoken
 * to. Only the command line includes it; the library knows nothing of it. */
#ifndef VAPL_SESSION_H
#define VAPL_SESSION_H
#include "../src/eval/eval.h"
#include "line.h"

enum { EXIT_APL = 1, EXIT_USAGE = 2, EXIT_DEVICE = 3, EXIT_STOPPED = 130 };
enum { PATH_BYTES = 4096 };

typedef struct progress progress;
typedef struct session {
  ctx c;
  vm *m;
  char cache[PATH_BYTES];   /* the folder of the pipelines, borrowed by the interpreter */
  char history[PATH_BYTES]; /* the file of what was typed, likewise by the lines */
  bool typed;               /* a person is there */
  bool live;                /* entries are asked for one by one */
  bool silent;              /* complaints stay in the context */
  line *
      lines; /* what is typed; NULL in scripts and pipes, and where another process reads */
  struct ranks *ranks;        /* it is one of several processes (session_ranks.h); NULL */
  size_t max_device_bytes;    /* 0: what the device has */
  const char *const *folders; /* that files are in, up to a NULL; NULL: anywhere */
  progress *progress;         /* of long work, on a terminal; NULL: not shown */
  unsigned dump;              /* VAPL_DUMP, see dump.c */
  uint32_t taken;             /* lines that have been read from standard input */
  char tail[256]; /* what was written since the last line break: the prompt of ⍞ */
  bool ended;     /* )OFF or ⎕OFF: leave with `code` */
  int code;
} session;

/* Opens the interpreter, and at once the device if one is asked for by name; NULL: "auto".
 * 0, or the exit code after a message. session_close afterwards in any case. */
int session_open(session *s, const char *device);
void session_close(session *s);

/* A text to run: `first_line` is the number of its first line in what `name` names.
 * `commands`: ) and ] lines are commands. */
typedef struct program {
  const char *name, *text;
  size_t n;
  uint32_t first_line;
  bool commands;
  bool defines; /* it may be one definition without ∇ */
} program;
/* Runs it and prints what it shows, or its error on stderr. 0 or an exit code; s->ended if
 * the text asked to leave. */
int session_run(session *s, const program *p);
int session_report(session *s); /* prints the recorded error; an exit code */
/* What runs between them may use what the limits of s->c say. */
void session_limits_begin(session *s);
void session_limits_end(session *s);
/* Prints the recorded error on stderr as "vapl: message" and clears it; an exit code. */
int session_complain(session *s);
/* $VARIABLE/rest, or $HOME/fallback/rest; false if neither is set to an absolute path. */
bool session_path(char path[PATH_BYTES], const char *variable, const char *fallback,
                  const char *rest);

/* What a person types, with the history of sessions; NULL: see line_new. */
line *session_lines(session *s, line_config k);

/* fmt.c: vapl fmt and its arguments; the exit code. */
int format_files(session *s, int argc, const char *const *argv);
/* check.c: writes what the parser refuses in files; an exit code. file: NULL if there is none. */
int check_files(session *s, const char *file, int argc, const char *const *argv);
/* editor.c: lets the person edit a text, as vm_config.edit has it. */
/* lsp.c: a language server, until its client ends it; an exit code. */
int lsp_serve(session *s);
bool session_edit(void *user, const char *file, const char *again, str *text);
int repl(session *s); /* repl.c: a person's session; the exit code */

/* dump.c */
unsigned dump_flags(const char *words); /* of VAPL_DUMP; NULL: none */
void dump_text(session *s, const char *name, const char *text, size_t n);
void dump_attach(session *s);
#endif
