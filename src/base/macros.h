/* SPDX-License-Identifier: MIT */
/* macros.h - what C lacks: a format string that the compiler checks, a function that is kept
 * out of its callers because it seldom runs or that is in line in all of them, the side of a branch
 * that is mostly taken, a place that is never reached, the length of an array, and a parameter that
 * is not used. */
#ifndef VAPL_MACROS_H
#define VAPL_MACROS_H

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define SELDOM __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define INLINE static inline __attribute__((always_inline))
#define NEVER __builtin_unreachable()
#else
#define PRINTF_LIKE(f, a)
#define SELDOM
#define LIKELY(x) (x)
#define INLINE static inline
#define NEVER ((void)0)
#endif
#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))
#define UNUSED(x) ((void)(x))
#endif
