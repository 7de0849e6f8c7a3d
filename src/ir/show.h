/* SPDX-License-Identifier: MIT */
/* show.h - what a person sees of plans. */
#ifndef VAPL_IR_SHOW_H
#define VAPL_IR_SHOW_H
#include "graph.h"

struct plan;
/* ── report.c ── */
void show_bytes(str *s, uint64_t n);
void show_row(str *s, const char *name); /* begins a row of ]device */
/* What was measured of the device that is open, and what its driver is known for (measure.c). */
void show_facts(const struct ir *g, str *s);
/* "1 pass", "2 passes" */
void show_count(str *s, uint64_t n, const char *one, const char *more);
/* ── show.c ── */
/* Describes a kernel that is about to run to ]plan's watch and to the sink, if they are
 * set. */
void show_stages(const struct plan *p);
/* ── steps.c ── */
void steps_note(ir *g, const str *text);
/* Ends s, the step of a primitive that gave r. */
void steps_primitive(ir *g, ir_step *s, prim p, arr *x, arr *y, const arr *r);
/* n goes the reference path, and why. */
void steps_redone(ir *g, const ir_node *n, const char *why);
#endif
