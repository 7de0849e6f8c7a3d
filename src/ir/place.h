/* SPDX-License-Identifier: MIT */
/* place.h - the host's threads, the device, the choice between them, and what it rests
 * on. */
#ifndef VAPL_IR_PLACE_H
#define VAPL_IR_PLACE_H
#include "graph.h"

struct plan;
/* ── place.c ── */
bool host_pool_open(ir *g); /* ir.pool; false after WS FULL */
/* The device that was asked for, or the best. */
bool device_open(ir *g);
/* Did the user name no device? */
bool is_automatic(const ir *g);
bool chooses_ways(const ir *g); /* no: one device is to do all that it can */
/* Should this kernel run on the device? It is opened if that may be. */
bool on_device(ir *g, const struct plan *p, bool may_open);
const char *device_lacks(const ir *g, const struct plan *p); /* NULL: nothing */
/* Would a kernel that moves so many bytes run on a device? None is opened to find out. */
bool prefers_device(const ir *g, uint64_t bytes);
/* The same; automatic choice opens a device for it as it would for a kernel. */
bool opens_device(ir *g, uint64_t bytes);
/* The same as prefers_device, by the elements of the plan's map or of a line of its fold, of the device that is open. */
bool plan_prefers_device(const struct plan *p);
/* ── measure.c ── */
bool device_measure(
    ir *g); /* of a device that was just opened; false: it cannot be used */
/* ── costs.c ── */
enum { COSTS_READ_FROM = 1 << 16 };
/* ── probe.c ── */
bool device_rounds(
    ir *g, int native); /* does it round what that bit of CG_NATIVE_… says correctly? */
void note_load(ir *g);  /* ir.note, once */
void find_crossover(ir *g); /* tune.device_min, unless it was given */
#endif
