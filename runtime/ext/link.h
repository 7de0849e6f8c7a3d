/* SPDX-License-Identifier: MIT */
/* link.h - programs in folders: what link.c (⎕SE.Link and its commands), link_read.c (files to
 * definitions) and link_write.c (definitions to files) share. */
#ifndef VAPL_EXT_LINK_H
#define VAPL_EXT_LINK_H
#include "../../src/eval/value/space.h"
#include <sys/stat.h>

typedef struct link_item { /* a file that was taken up */
  char *path;
  arr *in;   /* the namespace of what it defines, owned; NULL: the workspace */
  sym *name; /* NULL: it defined nothing */
  struct timespec changed;
  off_t bytes;
  bool seen, failed;
} link_item;
typedef struct linked {
  arr *in; /* owned; NULL: the workspace */
  str path;
  bool flatten;    /* what sub-folders have belongs into `in`, too */
  uint32_t clears; /* vm.clears then */
  VEC(link_item) items;
} linked;
void link_free(vm *v, linked *l);
link_item *link_item_at(linked *l, const char *path);               /* NULL: none */
link_item *link_item_of(linked *l, const arr *in, const sym *name); /* likewise */
bool link_note(vm *v, linked *l, const char *path, arr *in,
               sym *name); /* it is as it is now */
void link_drop(vm *v, linked *l, link_item *k);

/* link_read.c: takes up the files that are new or changed (`again`: all), and forgets the names
 * of those that are gone. What is wrong in a file goes into *errors, which the others do not
 * mind; false: an error that ends it all. */
bool link_read(vm *v, const char *who, linked *l, bool again, str *errors);
/* Runs the text of definitions in the namespace; *name: of the last one, or NULL. */
bool link_define(vm *v, arr *in, const vm_text *t, sym **name, value *got);
/* The recorded error goes into *errors; false: it ends what was asked for. */
bool link_tell(vm *v, str *errors);
/* Is that the name of a file of definitions? */
bool link_is_code(const char *name);

/* link_write.c */
typedef struct link_writing {
  vm *v;
  const char *who;
  bool overwrite, arrays;
  linked *l;   /* to note the files in; NULL: none */
  str *errors; /* what could not be written */
} link_writing;
bool link_write(link_writing *w, arr *in, const char *folder); /* all of the namespace */
/* One name, in the folder, or where it came from. */
bool link_write_name(link_writing *w, arr *in, sym *name, value x, const char *folder);
/* source.c: an array as an expression */
bool array_source(vm *v, arr *a, str *s);

/* The namespace; NULL for #. */
static inline arr *link_space(arr *in) {
  return in && space_of(in)->is_workspace ? NULL : in;
}
#endif
