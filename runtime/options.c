/* SPDX-License-Identifier: MIT */
/* options.c - the command line read by the table in options.def. */
#include "options.h"
#include "terminal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option {
  char letter;
  const char *name, *argument, *words, *help;
} option;
static const option OPTION[OPTIONS] = {
#define OPT(id, letter, name, argument, words, help)                                     \
  {letter, name, argument, words, help},
#include "options.def"
#undef OPT
};

static const char USAGE[] =
    "usage: vapl [options]                a session, or the program on standard input\n"
    "       vapl [options] file [args]    a script; its arguments are \u2395ARG\n"
    "       vapl [options] folder [args]  what the files of a folder define\n"
    "       vapl [options] -e text [args] a text\n"
    "       vapl [options] - [args]       the program on standard input\n"
    "       vapl --check file…              all syntax errors of programs\n"
    "       vapl fmt [--check] file…      programs in one form: glyphs, indentation\n"
    "       vapl lsp                      a language server, for editors\n";

int usage_error(const char *what, const char *arg) {
  terminal_print(stderr, "vapl: %s%s\n%s", what, arg, USAGE);
  return EXIT_USAGE;
}

void options_help(void) {
  printf("%s\n", USAGE);
  for (int i = 0; i < OPTIONS; i++) {
    const option *o = &OPTION[i];
    char letter[8] = "    ", name[40];
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(name, sizeof name, "--%s %s", o->name, o->argument);
    printf("  %s%-18s %s\n", letter, name, o->help);
  }
  printf("\nexit codes: 0 done, 1 APL error, 2 wrong usage, 3 no such device, 130 "
         "interrupted,\nn after \u2395OFF n.\n");
}

/* ── completions ────────────────────────────────────────────────────────────────────── */

static void complete_bash(void) {
  puts("_vapl() {\n  local now=${COMP_WORDS[COMP_CWORD]} "
       "before=${COMP_WORDS[COMP_CWORD-1]}\n"
       "  COMPREPLY=()\n  case $before in");
  for (int i = 0; i < OPTIONS; i++) {
    const option *o = &OPTION[i];
    if (!*o->argument) continue;
    if (o->letter) printf("  -%c) return ;;\n", o->letter);
    printf("  --%s) COMPREPLY=($(compgen -W '%s' -- \"$now\")); return ;;\n", o->name,
           o->words);
  }
  printf("  esac\n  [[ $now == -* ]] && COMPREPLY=($(compgen -W '");
  for (int i = 0; i < OPTIONS; i++) printf("--%s ", OPTION[i].name);
  puts("' -- \"$now\"))\n}\ncomplete -o default -F _vapl vapl");
}

static void complete_zsh(void) {
  puts("#compdef vapl\n_arguments -s \\");
  for (int i = 0; i < OPTIONS; i++) {
    const option *o = &OPTION[i];
    char argument[120] = "";
    if (*o->argument)
      snprintf(argument, sizeof argument, ":%s:(%s)", o->argument, o->words);
    if (o->letter) printf("  '-%c[%s]%s' \\\n", o->letter, o->help, argument);
    printf("  '--%s%s[%s]%s' \\\n", o->name, *o->argument ? "=" : "", o->help, argument);
  }
  puts("  '1:file:_files' '*:argument:_files'");
}

static void complete_fish(void) {
  for (int i = 0; i < OPTIONS; i++) {
    const option *o = &OPTION[i];
    printf("complete -c vapl -l %s", o->name);
    if (o->letter) printf(" -s %c", o->letter);
    if (*o->argument) printf(" -x -a '%s'", o->words);
    printf(" -d '%s'\n", o->help);
  }
}

int options_completion(const char *shell) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
  for (size_t i = 0; i < ARRAY_LEN(shells); i++)
    if (!strcmp(shell, shells[i].name)) {
      shells[i].print();
      return 0;
    }
  return usage_error("no such shell: ", shell);
}

/* ── values ─────────────────────────────────────────────────────────────────────────── */

typedef struct unit_row {
  const char *name;
  double worth;
} unit_row;
static const unit_row SIZES[] = {{"K", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30},
                                 {"T", 0x1p40}, {"", 1},       {NULL, 0}};
static const unit_row TIMES[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60},
                                 {"h", 3600},  {"", 1},  {NULL, 0}};
static const unit_row COUNTS[] = {{"", 1}, {NULL, 0}};

/* A number above 0, with a unit behind it; 0 after a message. */
static double read_number(const options *o, int id, const unit_row *u) {
  const char *text = o->value[id];
  char *end;
  double d = strtod(text, &end);
  while (u->name && strcmp(u->name, end)) u++;
  d *= u->worth;
  if (end > text && d > 0 && d < 0x1p63) return d;
  terminal_print(stderr, "vapl: --%s takes a %s such as %s, not %s\n", OPTION[id].name,
                 OPTION[id].argument, OPTION[id].words, text);
  return 0;
}

static bool read_limits(options *o) {
  if (o->value[OPT_MAX_MEMORY]) {
    o->max_memory = (size_t)read_number(o, OPT_MAX_MEMORY, SIZES);
    if (!o->max_memory) return false;
  }
  if (o->value[OPT_MAX_TIME]) {
    o->max_time = read_number(o, OPT_MAX_TIME, TIMES);
    if (o->max_time <= 0) return false;
  }
  if (!o->value[OPT_MAX_STEPS]) return true;
  o->max_steps = (uint64_t)read_number(o, OPT_MAX_STEPS, COUNTS);
  return o->max_steps != 0;
}

/* ── options ────────────────────────────────────────────────────────────────────────── */

/* The option that arg is, OPTIONS if none; *value is behind its =, or NULL. */
static int find_option(const char *arg, const char **value) {
  *value = NULL;
  bool is_long = arg[1] == '-';
  for (int i = 0; i < OPTIONS; i++) {
    const option *o = &OPTION[i];
    size_t n = strlen(o->name);
    if (!is_long && arg[1] == o->letter && !arg[2]) return i;
    if (!is_long || strncmp(arg + 2, o->name, n)) continue;
    if (arg[2 + n] == '=' && *o->argument) *value = arg + n + 3;
    if (!arg[2 + n] || *value) return i;
  }
  return OPTIONS;
}

/* One option at argv[*i]; 0, or the exit code of a wrong one. */
static int read_option(options *o, char **argv, int argc, int *i) {
  const char *arg = argv[*i], *value;
  int id = find_option(arg, &value);
  if (id == OPTIONS) return usage_error("unknown option ", arg);
  if (!*OPTION[id].argument) value = "";
  else if (!value && *i + 1 < argc) value = argv[++*i];
  if (!value) return usage_error("a value is missing after ", arg);
  o->value[id] = value;
  if (id == OPT_EVAL) o->texts[o->n_texts++] = value;
  if (id == OPT_ALLOW_DIR) o->folders[o->n_folders++] = value;
  return 0;
}

/* The arguments from argv[from] on, `n` of them, are for the processes that -n starts. */
static void keep_others(options *o, char **argv, int from, int n) {
  size_t k = 0;
  while (o->others[k]) k++;
  for (int i = from; i < from + n; i++) o->others[k++] = argv[i];
}

static bool starts_processes(const char *arg) {
  const char *value;
  int id = find_option(arg, &value);
  return id == OPT_PROCESSES || id == OPT_MPIRUN;
}

/* Options come first; the first other argument is the file, unless there was -e. */
int options_read(options *o, int argc, char **argv) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
    if (!strcmp(argv[i], "--")) {
      keep_others(o, argv, i++, 1);
      break;
    }
    int first = i;
    int wrong = read_option(o, argv, argc, &i);
    if (wrong) return wrong;
    if (!starts_processes(argv[first])) keep_others(o, argv, first, i - first + 1);
  }
  keep_others(o, argv, i, argc - i);
  if (!read_limits(o)) return EXIT_USAGE;
  if (i < argc && !o->n_texts) o->file = argv[i++];
  if (i < argc && o->file && !strncmp(argv[i], "--call", 6)) { /* may stand here, too */
    int wrong = read_option(o, argv, argc, &i);
    if (wrong) return wrong;
    i++;
  }
  o->argc = argc - i;
  o->argv = (const char *const *)argv + i;
  return 0;
}
