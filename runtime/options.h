/* SPDX-License-Identifier: MIT */
/* options.h - what the command line asks for. */
#ifndef VAPL_OPTIONS_H
#define VAPL_OPTIONS_H
#include "session.h"

enum {
#define OPT(id, ...) OPT_##id,
#include "options.def"
#undef OPT
  OPTIONS
};

typedef struct options {
  const char **texts; /* of -e; the caller's, for argc of them */
  int n_texts;
  const char **folders; /* of --allow-dir; the caller's, for argc of them and a NULL */
  int n_folders;
  const char *file;           /* NULL: none; "-": standard input */
  const char *value[OPTIONS]; /* of an option that was given; "" if it takes none */
  char **
      others; /* the arguments but for -n and --mpirun, up to a NULL; the caller's, for argc */
  size_t max_memory; /* 0: not limited, as these: */
  double max_time;
  uint64_t max_steps;
  int argc; /* what ⎕ARG will hold */
  const char *const *argv;
} options;

/* 0, or the exit code after a message. argv is kept. */
int options_read(options *o, int argc, char **argv);
int usage_error(const char *what, const char *arg);
void options_help(void);
int options_completion(const char *shell); /* for bash, zsh or fish; an exit code */
#endif
