/* SPDX-License-Identifier: MIT */
/* macros.h - three macros that C lacks: a format string that the compiler checks, the
 * length of an array, and a parameter that is not used. */
#ifndef VAPL_MACROS_H
#define VAPL_MACROS_H

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif
#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))
#define UNUSED(x) ((void)(x))
#endif
