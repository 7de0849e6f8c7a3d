/* SPDX-License-Identifier: MIT */
/* move.h - the memory by which bytes go from an array of one rank to an array of another.
 *
 *    sender's array ──put──▶ │ slot │ slot │ … ◀── ring of one host's shared memory ──▶ ──take──▶ receiver's array
 *    sender's array ──put──▶ │ slot │ … ══ message ══▶ │ slot │ … ──take──▶             between hosts
 *    sender's array ──put──▶ │ slot │ … ── comm.put ─▶ │ slot │ … ──take──▶             between devices of one host
 *
 * Two ranks of a host use a ring in memory that they share; all others use messages, from slots and to slots of
 * memory of their own. Devices of one host that reach one another have rings in their own memory, too: the sender's
 * slot is copied to the receiver's by the engine. An array on a device goes to and from a slot by its device, which imports the slots'
 * memory; where it cannot, by gpu_download and gpu_upload. An array on the host is copied; a message takes and
 * leaves it where it is, if it can. What a rank's own device can do is nobody else's matter.
 *
 * exchange.h is what others include. */
#ifndef VAPL_DIST_MOVE_H
#define VAPL_DIST_MOVE_H
#include "../../runtime/vapl_comm.h"
#include "../vk/gpu.h"
#include "exchange.h"

enum { MOVE_SLOTS = 16, MOVE_MAIL = VAPL_COMM_MESSAGES / 2, MOVE_TAG = 1 };

/* Memory that slots lie in; the device's view of it is made when it is first needed. */
typedef struct move_area {
  char *at; /* NULL: the host does not see it, and the device does */
  uint64_t bytes;
  gpu_buf *dev;
  bool asked; /* dev NULL: the device refuses it */
} move_area;

/* How many slots were ever filled and emptied: each is written by one side. */
typedef struct ring_counts {
  _Alignas(128) _Atomic uint64_t filled;
  _Alignas(128) _Atomic uint64_t emptied;
} ring_counts;

/* One direction between two ranks of a host, as one of them sees it. */
typedef struct move_ring {
  int peer, host; /* the other one's number, and that on the host */
  ring_counts *count;
  move_area own, *area; /* `area` is `own`, or what all rings between devices are in */
  uint64_t at,
      to; /* where its slots begin; of the receiver's, as the sender knows them */
  uint64_t begun, sent,
      told; /* slots that this side began to copy, sent, and told the other of */
  gpu_mark mark[MOVE_SLOTS];
  void *put[MOVE_SLOTS]; /* its request, while it is under way */
  uint64_t bytes[MOVE_SLOTS];
} move_ring;

/* The rings of one sort. */
typedef struct move_rings {
  uint64_t slot;
  uint64_t n_slots;
  move_ring *out, *in; /* to each rank of this host, and from it */
} move_rings;
enum { BY_HOST, BY_DEVICE, RING_SORTS };

/* Slots for messages of one direction. */
typedef struct move_mail {
  move_area area;
  uint32_t used; /* a bit a slot */
} move_mail;

/* Where a reader of a list is: byte `done` of entry i. */
typedef struct list_place {
  size_t i;
  uint64_t done;
} list_place;

/* All that goes from this rank to another one in an exchange, or comes from it: its entries of the list, one
 * behind the other, cut into chunks. */
typedef struct move_stream {
  list_place at;
  uint64_t left;  /* bytes of chunks that are still to begin */
  uint64_t chunk; /* of those by rings, but for the last one */
} move_stream;

struct mover {
  ctx *c;
  move_config cfg;
  const vapl_comm *comm;
  int me, ranks;
  bool opened; /* the rings are, if there are any */
  bool broken; /* it gave up within an exchange */
  int spins;   /* looks before the processor is given to others */
  bool has_rings;
  move_rings rings[RING_SORTS];
  move_peers peers;
  char why[120];         /* there are none */
  uint64_t wanted;       /* bytes that would have gone from device to device */
  move_area peer_memory; /* of this rank: slots to receive, then those to send */
  void **shared;
  bool *by_ring; /* of each rank */
  move_mail mail_out, mail_in;
  move_stream *streams; /* of each rank: to it; then of each rank: from it */
  size_t *each;         /* for gathering a byte a rank */
  char *have;
  move_usage usage;
};

/* Makes what exchanges need, when the first one begins; all ranks call it, with the same number. */
bool move_ready(mover *m, uint64_t by_device);
int mail_slot(move_mail *mail); /* a free one, whose bit is set; -1: there is none */

/* The mark of copies that the device has not been handed yet. */
#define MOVE_RECORDED UINT64_MAX
/* n bytes of an array from `from` on, into the area at `at`; or out of it. A mark (gpu_set_mark) stands behind them:
 * move_is_done asks. They return false after an error. */
bool move_put(mover *m, move_area *a, uint64_t at, move_end array, int64_t from,
              uint64_t n);
bool mover_take(mover *m, move_area *a, uint64_t at, move_end array, int64_t to,
                uint64_t n);
bool move_is_done(mover *m, gpu_mark mark, bool *done);
/* Within this rank. */
bool move_here(mover *m, move_end from, int64_t at, move_end to, int64_t to_at,
               uint64_t n);
/* Nothing moved at so many looks in a row: lets others work. False: it gives up, after an error. */
bool move_pause(mover *m, int looks);
bool move_failed(mover *m, int error); /* records what the engine says; false */
#endif
