/* SPDX-License-Identifier: MIT */
/* eval.h - the interpreter: names, dfns, operators, control, system names and commands.
 *
 * A `vm` is one interpreter with its workspace. Nothing here prints, exits or reads the
 * environment: output goes to the `write` callback, input comes from `read`. */
#ifndef VAPL_EVAL_H
#define VAPL_EVAL_H
#include "../ir/ir.h"
#include "../lexer/tree.h"

typedef struct vm vm;
typedef struct vm_config {
  ctx *c;
  ir_config ir; /* its c is set by vm_new */
  void (*write)(void *user, int fd, const char *utf8, size_t n); /* 1 output, 2 errors */
  /* < 0: end of input. Of several ranks the first one reads, looks into the environment and edits, and all
   * have what it gives; `write` and `terminal` are called on all of them, and the first one's terminal counts. */
  ptrdiff_t (*read)(void *user, int mode, const char *prompt, char *buf, size_t n);
  const char *(*getenv)(void *user,
                        const char *name); /* for ⎕ENV; NULL: there is nothing */
  /* Columns and lines of the terminal that output goes to; 0: it is none, and lines are as
   * long as they are. NULL: 80 columns. */
  int (*terminal)(void *user, int *lines);
  /* Lets a person edit a text, in a file of that name, and gives what it is then. `again`: why it
   * was not taken; false without an error: it shall not be edited again. NULL: there is nobody, and
   * no session in which lines are asked for one by one. */
  bool (*edit)(void *user, const char *file, const char *again, str *text);
  void *user;
  const struct vapl_comm *comm; /* of several ranks; NULL: there is one */
  const char *const *folders;   /* that files are in, up to a NULL; NULL: anywhere */
  uint32_t max_depth;           /* of calls; 0: chosen so that the C stack suffices */
} vm_config;

vm *vm_new(const vm_config *cfg); /* NULL: WS FULL in c */
void vm_free(vm *v);
ir *vm_ir(vm *v);

/* A text to run: UTF-8, and the name of the file it is from, for errors; "": none. */
typedef struct vm_text {
  const char *name, *at;
  size_t n;
  uint32_t first_line; /* the number of its first line in what `name` names; 0 is 1 */
  unsigned as;         /* TEXT_… (lexer/tree.h) */
} vm_text;

/* Runs a text. Each statement's value is displayed through `write` unless it was assigned
 * (`show`), as at a prompt or in a script; without `show` nothing is displayed but by ⎕← and
 * ⍞←. *result (may be NULL) receives the last statement's value, owned, NULL if it has none,
 * and *shy whether it was assigned. False: the error is in c, with its place; everything that
 * later statements did before the error was found is undone. */
bool vm_run(vm *v, const vm_text *t, bool show, arr **result, bool *shy);
/* A line of the session or a script, in which lines may be commands, ) or ]; shown. Sets *off
 * when it asked to end ()OFF, ⎕OFF), *code to the exit code. */
bool vm_line(vm *v, const vm_text *t, bool *off, int *code);
bool vm_off(const vm *v, int *code); /* ⎕OFF was evaluated */
/* Defines what a file, or the files of a folder, define (runtime/ext/link.c). What is wrong in one
 * of them goes into *errors. `kept`: later changes of the files are taken up by vm_look. */
bool vm_import(vm *v, const char *path, bool kept, str *errors);
void vm_look(vm *v);
bool vm_is_niladic(vm *v, const char *path); /* is that a function without arguments? */
/* Does a person's entry need further lines? ∇f of a function f does not: that is edited. */
bool vm_entry_is_open(const vm *v, const char *text, size_t n);
/* From now on a traditional function in which an error stays unhandled is suspended: with the error
 * recorded, `session` is called, which shows it and has entries run by vm_line, in the function, until
 * vm_resumes. False: the session has ended, and all that runs is given up. It is for a person's session:
 * what else runs, scripts and commands too, is not to be suspended. NULL: no longer. */
void vm_suspend_by(vm *v, bool (*session)(void *user));
bool vm_resumes(const vm *v); /* what is suspended goes on, or was given up */

arr *vm_get(vm *v, const char *name);             /* owned; NULL: VALUE ERROR */
bool vm_set(vm *v, const char *name, arr *value); /* borrowed */
/* fn: a function's name, or an expression that is a function; left may be NULL. *result NULL if it gave none. */
bool vm_call(vm *v, const char *fn, arr *left, arr *right, arr **result);
/* A function of the host program under a name of the workspace: `call` as vm_call has it, its
 * error in c; `drop`, which may be NULL, once no name stands for it any more. */
typedef struct vm_host_fn {
  bool (*call)(void *user, arr *left, arr *right, arr **result);
  void (*drop)(void *user);
  void *user;
} vm_host_fn;
bool vm_def(vm *v, const char *name, const vm_host_fn *f); /* on failure no drop */
/* C functions for ⎕NA, which needs no permission for them: 'library|name'. */
bool vm_library(vm *v, const char *library, size_t n, const char *const *names,
                void (*const *functions)(void));
/* The text that a person sees for the recorded error: "DOMAIN ERROR: …", the source line, the
 * caret, as the prompt shows it; with a file name "f.apl:12:7: DOMAIN ERROR: …" first. */
void vm_error_text(const vm *v, str *out);
bool vm_format(vm *v, arr *a, int boxed, str *out); /* display, for vapl_format; BOX_… */
void vm_set_args(vm *v, int argc,
                 const char *const *argv); /* ⎕ARG; borrowed for the call */
/* What Tab completes to: names of the workspace and of the system with their classes 2, 3 or
 * 4, and commands with 0. */
void vm_names(const vm *v, void (*each)(void *user, const char *name, int name_class),
              void *user);
#endif
