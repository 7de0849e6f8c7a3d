/* SPDX-License-Identifier: MIT */
/* hints.h - what a word of another language is called here. */
#ifndef VAPL_HINTS_H
#define VAPL_HINTS_H

const char *hint_of(const char *word); /* NULL: none is known */
#endif
