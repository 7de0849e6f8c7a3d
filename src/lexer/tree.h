/* SPDX-License-Identifier: MIT */
/* tree.h - what a text becomes: a tree of statements with source spans.
 *
 * Whether a name is an array, a function or an operator is known only when it runs, so the
 * tree keeps a statement as the row of its items, left to right; the evaluator's binder turns
 * the row into applications. Trees live in an arena and are freed whole. */
#ifndef VAPL_TREE_H
#define VAPL_TREE_H
#include "../base/mem.h"
#include "../base/str.h"
#include "../tables/prim.h"
#include "literal.h"

typedef enum tkind {
  /* ── items of a statement ── */

  T_NUMBERS, /* one or more adjacent numeric literals: num[n] */
  /* 'text' or "text" (code: the quote): chars[n]; one character in single quotes is a
   * scalar */
  T_STRING,
  T_ZILDE,   /* ⍬ */
  T_NAME,    /* identifier: text/len */
  T_SYSNAME, /* ⎕ ⍞ ⎕IO …: text/len, letters in upper case */
  T_ALPHA,   /* ⍺ */
  T_OMEGA,   /* ⍵ */
  T_ALPHA2,  /* ⍺⍺ */
  T_OMEGA2,  /* ⍵⍵ */
  T_DEL,     /* ∇ */
  T_DEL2,    /* ∇∇ */
  T_PRIM,    /* a primitive function: prim */
  /* a primitive operator: code (the glyph): ¨ ⍨ ⍣ . ∘ ⍤ ⍥ ⍛ @ ⌸ ⌺ ⍠ & ⌶ / ⌿ \ ⍀ */
  T_OPER,
  T_HASH,    /* # or ## (n: 1 or 2) */
  T_PAREN,   /* ( … ): kid[0] a statement */
  T_BRACKET, /* [ ; ; ]: kids, each a statement or NULL where elided */
  T_DFN, /* { … }: kids are statements; dop: 0 function, 1 has ⍺⍺, 2 has ⍵⍵ */
  T_ASSIGN, /* ← */
  T_BRANCH, /* → */
  T_DOT,    /* . between names: a namespace path; as an operator it is T_OPER */
  T_VECTOR, /* array notation (a ⋄ b): kids are statements */
  T_MATRIX, /* array notation [a ⋄ b] */
  T_SPACE,  /* namespace notation (n: v ⋄ m: w): kids alternate T_NAME, statement */

  /* ── statements ── */

  T_STMT,     /* kids are items, at least one */
  T_GUARD,    /* cond : result: kid[0], kid[1] (kid[1] NULL: nothing) */
  T_ERRGUARD, /* codes :: handler: kid[0], kid[1] */
  T_PROGRAM,  /* a whole text: kids are statements */
  T_TRAD,     /* ∇ … ∇: trad */
  T_CONTROL,  /* :If … :EndIf and the like outside functions: trad, without a header */
  /* :Namespace … :EndNamespace: kids are its name (NULL: none) and statements. code: SCRIPT_…; of another
   * kind kid[1] is what stands behind the name */
  T_SCRIPT,
  /* :Field, :Access …: kids are the word, what is behind it and, if there is a :Base, what is behind that;
   * T_STMT or NULL */
  T_DECLARE,
  T_COMMAND, /* a line such as )OFF or ]box on */
  T_EDIT,    /* ∇f[2] … ∇: from the name on */
} tkind;

enum { SCRIPT_NAMESPACE, SCRIPT_CLASS, SCRIPT_INTERFACE, SCRIPT_PROPERTY };
typedef struct tnode {
  uint8_t kind;
  uint8_t dop;         /* T_DFN */
  uint16_t prim;       /* T_PRIM */
  uint32_t code;       /* T_OPER: the glyph; T_STRING: the quote; T_DFN: its bracket */
  uint32_t begin, end; /* bytes of the source */
  uint32_t n;          /* kids, numbers, characters, or bytes of text */
  union {
    struct tnode **kid;
    tnum *num;
    uint32_t *chars;
    const char *text; /* names: in the arena, NUL-terminated */
    struct trad *trad;
  };
  /* What the evaluator keeps here: a name's symbol, a dfn's body, bound statements. */
  void *cache;
} tnode;

/* ── traditional functions (parse_trad.c) ── */

/* A definition's lines are a flat list of steps, run in order but for their jumps. */
typedef enum tstep_op {
  STEP_EXPR,   /* expr, which is shown */
  STEP_BRANCH, /* →expr */
  STEP_ABORT,  /* → alone */
  STEP_RETURN,
  STEP_JUMP,      /* to `to` */
  STEP_LEAVE,     /* to `to`, out of the blocks that it is not in */
  STEP_UNLESS,    /* to `to` if expr is 0 */
  STEP_WHEN,      /* to `to` if expr is 1 */
  STEP_FOR,       /* a block begins: names go along expr; code: of :InEach */
  STEP_NEXT,      /* its next round, or to `to` */
  STEP_SELECT,    /* a block begins: of the value of expr */
  STEP_CASE,      /* to `to` unless expr is that value; list: an item of expr */
  STEP_TRAP,      /* a block begins: its errors of the numbers expr go to `to` */
  STEP_TRAP_END,  /* all that its block did is right, and the block ends */
  STEP_TRAP_CASE, /* to `to` unless the error's number is in expr */
  STEP_WITH,      /* a block begins: in the namespace expr */
  STEP_HOLDS, /* a block begins, which one thread at a time runs that has the tokens expr */
  STEP_EVAL, /* expr, which is not shown */
  STEP_BASE, /* of a constructor: the base's one runs, of expr */
  STEP_END   /* the innermost block ends */
} tstep_op;

#define NO_BLOCK UINT32_MAX
enum { LOOK_STOP = 1, LOOK_TRACE = 2 }; /* before the step; at its value */

typedef struct tstep {
  uint8_t op;
  uint8_t look; /* LOOK_…: what ⎕STOP and ⎕TRACE ask for */
  bool
      list; /* STEP_CASE: of :CaseList; STEP_FOR: of :InEach; STEP_HOLDS: it has :Else, at `to` */
  uint32_t line; /* of the function */
  uint32_t to;
  uint32_t in;         /* the step with which the block around it begins, or NO_BLOCK */
  uint32_t begin, end; /* bytes of the source */
  tnode *expr;         /* T_STMT; NULL: none */
  tnode *names;        /* of STEP_FOR, a T_STMT of names */
} tstep;

typedef struct tnames { /* of a header: T_NAME, among local ones T_SYSNAME too */
  tnode **at;
  uint32_t n;
} tnames;

typedef struct trad {
  tnode *name, *lop, *rop; /* operands, NULL: it is no operator, of one */
  tnames result, right, local, label;
  tnode *left;                  /* NULL: none */
  tnode *axis;                  /* f[axis] x: a local name without a value; NULL: none */
  bool shy, optional;           /* {r}←, {x} */
  bool result_list, right_list; /* (a b)←, (x y) */
  bool niladic;
  uint32_t *label_line; /* of each label */
  tnames declared;      /* T_DECLARE: what it says of itself for a class */
  tstep *step;
  uint32_t n;
  uint32_t *line;         /* the first step of each line; lines + 1 of them */
  uint32_t lines;         /* behind the header */
  uint32_t begin, end;    /* its text: from the header to behind the last line */
  uint64_t *stop, *trace; /* a bit for each line, of ⎕STOP and ⎕TRACE; NULL: none */
  int64_t fixed;        /* when it was defined last, in seconds since 1970; 0: not yet */
  uint8_t lock;         /* LOCK_… */
  uint8_t look_at_exit; /* LOOK_…, of line 0 */
} trad;

/* What ⎕LOCK and ⍫ forbid: its text is not shown, and nothing is suspended in it. */
enum { LOCK_TEXT = 1, LOCK_SUSPENSION = 2, LOCK_ALL = 3 };

typedef struct tree {
  arena mem;
  source *src;
  tnode *root; /* T_PROGRAM */
} tree;

/* Parses a whole text. NULL after recording SYNTAX ERROR with its span (or LIMIT ERROR: nested
 * too deeply, a number too long). The tree holds a reference to src. */
tree *parse(ctx *c, source *src);
/* The same; what a text may be besides statements. */
enum {
  TEXT_COMMANDS = 1, /* lines of it may be commands of the session */
  TEXT_DEFINITION =
      2 /* all of it may be a traditional function without ∇, header first */
};
tree *parse_as(ctx *c, source *src, unsigned as);
void tree_release(ctx *c, tree *t);
/* How far a text is from being complete, for the REPL: 0 complete (or wrong whatever follows),
 * else how many of ( [ { are open, at least 1. */
int parse_open(const char *text, size_t n);
/* editor_lines.c: the editing of a function by its lines, ∇f[2] … ∇. p: behind the first ∇. The byte
 * behind the last one, or `end` where there is none; NULL: this begins something else. */
const char *parse_edit(const char *p, const char *end, bool *closed);
/* Where the ∇ stands that ends the line from p to end; NULL: none does. */
const char *parse_edit_close(const char *p, const char *end);
const char *parse_control_word(size_t i); /* "If"; NULL behind the last one */
void tree_dump(const tnode *t, str *s);   /* VAPL_DUMP=ast: one S-expression a line */
#endif
