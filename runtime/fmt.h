/* SPDX-License-Identifier: MIT */
/* fmt.h - a program in one form, for vapl fmt and vapl lsp. */
#ifndef VAPL_FMT_H
#define VAPL_FMT_H
#include "../src/base/str.h"

/* Appends the text in its form to `out`; as: TEXT_… (check_as). SYNTAX ERROR: brackets do not match, a token is wrong. */
bool fmt_text(ctx *c, unsigned as, const char *text, size_t n, str *out);
#endif
