/* SPDX-License-Identifier: MIT */
/* text.h - bytes of a file as characters; text.c, which other formats use. */
#ifndef VAPL_EXT_TEXT_H
#define VAPL_EXT_TEXT_H
#include "../../src/eval/value/vm.h"

typedef enum encoding {
  UTF_8,
  UTF_32LE, /* in front of UTF_16LE, whose mark begins as its own */
  UTF_32BE,
  UTF_16LE,
  UTF_16BE,
  LATIN_1,
  WINDOWS,
  ASCII,
  ENCODINGS
} encoding;
typedef struct text_format {
  encoding e; /* ENCODINGS: whichever the bytes say */
  bool mark;  /* they begin with a byte order mark */
} text_format;

/* The encoding of that name, with a mark if it asks for one or leaves open what UTF-16 and
 * UTF-32 have as a rule. DOMAIN ERROR. */
bool text_encoding(vm *v, const char *name, text_format *f);
/* Bytes (characters below 256) as text, owned; a mark says more than f does, which becomes what
 * they are. Every line end is ⎕UCS 10 there. *line_end is
 * the first one, 10, 13 or their sum; 0: there is none. DOMAIN ERROR with the offset of a byte
 * that is not of the encoding. */
arr *text_decode(vm *v, arr *bytes, const char *who, text_format *f, int *line_end);
/* Are the bytes UTF-8 or ASCII, asked for in f or recognised, and so to be used as they stand?
 * False too where they should be and are not, after DOMAIN ERROR. */
bool text_stands(vm *v, const char *p, size_t n, const char *who, text_format *f);
/* The text of a file, whatever its encoding, NUL behind it. */
bool text_read(vm *v, const char *who, const char *path, str *text);
arr *text_lines(vm *v, const arr *text); /* cut behind each ⎕UCS 10 */
#endif
