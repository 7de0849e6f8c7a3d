/* SPDX-License-Identifier: MIT */
/* lacking.c - emscripten begins with a mask by which nobody may read what is written. */
#include <sys/stat.h>

__attribute__((constructor)) static void let_read(void) { umask(022); }
