/* SPDX-License-Identifier: MIT */
/* device.h - arrays and plans on the device, which is open. */
#ifndef VAPL_IR_DEVICE_H
#define VAPL_IR_DEVICE_H
#include "../codegen/codegen.h"
#include "graph.h"

struct plan;
/* ── resident.c ── */
bool ir_upload(ir *g, arr *a);   /* its elements are on the device, too */
bool ir_download(ir *g, arr *a); /* ... on the host */
/* gpu_alloc; where memory is short other arrays leave the device. The buffer is that of
 * `tag`, an array that may leave in its turn; NULL: of nobody, and stays. */
gpu_buf *device_alloc(ir *g, uint64_t bytes, arr *tag);
/* After gpu_begin_exports (vk/share.h). a, which the device has in one allocation, is in memory that another API may
 * open: by a copy where it was in other memory. */
bool device_export(ir *g, arr *a);
/* Such memory for a, whose elements, at least one, another API will write; the device does nothing with it now. */
bool device_room(ir *g, arr *a);
/* Lets go of a's device memory, which other arrays may share. */
void device_release(ir *g, arr *a);
void device_forget(ir *g, arr *a); /* its elements are on the host alone */
/* ── rate.c ── */
/* As gpu_copy, as fast as the device's memory is. */
bool device_copy(ir *g, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
                 uint64_t n);
/* ── pipeline.c ── */
void pipelines_free(ir *g);
/* ── device.c ── */
/* Leaves the root with its elements; flags NULL: it is the next kernel of ir.chain, recorded, which nobody waits for
 * yet. */
bool device_run(struct plan *p, uint32_t *flags);
/* Submits; waits if the chain tells something: then its areas are in ir.back. */
bool device_read_chain(ir *g);
/* Device time of one run of the plan's passes, the mean of `repeat`; stores no result. */
bool device_time(struct plan *p, int repeat, double *ns);
#endif
