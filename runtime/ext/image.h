/* SPDX-License-Identifier: MIT */
/* image.h - what image.c does for others. */
#ifndef VAPL_EXT_IMAGE_H
#define VAPL_EXT_IMAGE_H
#include "../../src/eval/value/vm.h"

/* Rows of red, green and blue as the bytes of a PNG, behind what `to` has; NONCE ERROR without
 * libpng. */
bool image_png(vm *v, const unsigned char *at, int columns, int rows, str *to);
#endif
