/* SPDX-License-Identifier: MIT */
/* refine.h - how small systems x⌹y are refined. The host's loops (prim/linear_loops.c) and the devices' kernels
 * (codegen/solve.c) keep it, so that both give the same bits.
 *
 * A solution, and its residual, are numbers of twice the precision. To each, REFINE_STEPS times at most, the solution
 * for what is left is added. It ends before if no further step can change a bit of the result: if no component is rounded to
 * another number when SETTLED_NEAR times the largest change by the last step, of a component or of the residual, and
 * SETTLED_NOISE times that by the first of these steps are added or taken away.
 *
 * TRIED: an end after the first step where what it changed, beside the largest component, says that the second would
 * change no bit: 1.4 times as fast, but of 240,000 systems 151, of rows that are far apart in size, had other bits.
 *
 * A component below NONE_BELOW of the first solution's largest one is 0 if the last step was more than
 * NONE_DIGITS of it: it keeps no digit. */
#ifndef VAPL_TABLES_REFINE_H
#define VAPL_TABLES_REFINE_H

enum { REFINE_STEPS = 6 };
#define SETTLED_NEAR 8
#define SETTLED_NOISE 0x1p-50
#define NONE_BELOW 0x1p-80
#define NONE_DIGITS 0x1p-20
#endif
