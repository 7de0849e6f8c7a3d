/* SPDX-License-Identifier: MIT */
/* kept.h - files of what was made or measured once, and could be again: pipelines, costs.
 *
 *   "vaplpc2\0"  size of the rest  its hash  the rest
 *
 * (8 bytes each), since others do not check what they are given. A file that does not fit is as
 * good as none. A new one is written to a temporary name and renamed. All goes well without,
 * so no failure is an error; but kept_read may record WS FULL. */
#ifndef VAPL_KEPT_H
#define VAPL_KEPT_H
#include "ctx.h"

#define KEPT_MAX ((size_t)64 << 20)

/* Makes the file's folder with those above it; failures show when the file is opened. */
void kept_folder(char *path);
/* The file's contents, mem_alloc'ed, *n bytes; NULL if there is no intact file. */
void *kept_read(ctx *c, const char *path, size_t *n);
void kept_write(ctx *c, const char *path, const void *blob, size_t n);
#endif
