/* SPDX-License-Identifier: MIT */
/* text.h - bytes of a file as characters; text.c, which other formats use. */
#ifndef VAPL_EXT_TEXT_H
#define VAPL_EXT_TEXT_H
#include "../../src/eval/value/vm.h"

typedef enum encoding { UTF_8, UTF_16LE, UTF_16BE, LATIN_1, ASCII, ENCODINGS } encoding;
typedef struct text_format {
  encoding e; /* ENCODINGS: whichever the bytes say */
  bool mark;  /* they begin with a byte order mark */
} text_format;

bool text_encoding(vm *v, const char *name, text_format *f); /* DOMAIN ERROR */
/* Bytes (characters below 256) as text, owned; every line end is ⎕UCS 10 there. *line_end is
 * the first one, 10, 13 or their sum; 0: there is none. DOMAIN ERROR with the offset of a byte
 * that is not of the encoding. */
arr *text_decode(vm *v, arr *bytes, const char *who, text_format *f, int *line_end);
/* Are the bytes UTF-8 or ASCII, asked for in f or recognised, and so to be used as they stand?
 * False too where they should be and are not, after DOMAIN ERROR. */
bool text_stands(vm *v, const char *p, size_t n, const char *who, text_format *f);
arr *text_lines(vm *v, const arr *text); /* cut behind each ⎕UCS 10 */
#endif
