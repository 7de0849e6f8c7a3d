/* SPDX-License-Identifier: MIT */
/* exchange.h - runs of bytes go from arrays of some ranks to arrays of others.
 *
 * All ranks call exchange_run at the same place of the program with the same list, which each of them makes from
 * the cuts alone; so no sizes are sent. It begins with no agreement: the caller has agreed that all ranks come.
 *
 * A rank that fails within an exchange (its device is lost, say) sends and takes what is expected of it until
 * the end, without copying, and returns false: nobody waits for it, and the next agreement tells the others. */
#ifndef VAPL_DIST_EXCHANGE_H
#define VAPL_DIST_EXCHANGE_H
#include "../base/ctx.h"

struct gpu;
struct gpu_buf;
struct vapl_comm;
typedef struct mover mover;

typedef struct move_config {
  const struct vapl_comm *comm;
  struct gpu *dev; /* as of move_set_device */
  /* Of a ring between two ranks of a host, and of one message; 0: 64 MiB, less where a host has many ranks,
   * and 8 MiB. The same on all ranks. */
  uint64_t ring_bytes, chunk_bytes;
  /* Bytes that exchanges would have sent from device to device, from which on they do: to open that takes time. The same
   * on all ranks. */
  uint64_t peers_from;
  /* Copies between two buffers of the device; NULL: gpu_copy. */
  bool (*copy)(void *user, struct gpu_buf *from, uint64_t at, struct gpu_buf *to,
               uint64_t to_at, uint64_t n);
  /* Called now and then while nothing moves, `begins`: since something did for the first time. False after recording an
   * error: the exchange is given up, others may wait for ever, and there will be no other exchange. NULL: it waits as
   * long as it takes. */
  bool (*waits)(void *user, bool begins);
  void *user;
} move_config;

/* A rank's own array: on its device, or else on the host. */
typedef struct move_end {
  struct gpu_buf *dev;
  void *host;
} move_end;

/* n bytes of rank `from`, beginning at byte at_from of its array number `array`, to byte at_to of the target of
 * rank `to`. No two of a list write the same byte. */
typedef struct exchange {
  int from, to;
  int64_t at_from, at_to, n;
  int array; /* the sender's matter */
} exchange;

typedef struct move_usage { /* of this rank */
  uint64_t exchanges, messages;
  uint64_t ring_bytes, mail_bytes; /* sent through rings and by messages */
  uint64_t peer_bytes;             /* of those through rings: from device to device */
  uint64_t here_bytes;             /* from itself to itself */
  double ns,
      peer_ns; /* of exchanges, opening included; of opening what is between devices */
} move_usage;

/* Opens nothing yet: the first exchange does. NULL after WS FULL. */
mover *move_open(ctx *c, const move_config *cfg);
/* Before the device is closed; NULL is fine. */
void move_close(mover *m);
/* The device that arrays are on, from now on; NULL: they are on the host alone, and what the device before had imported
 * is given back. */
void move_set_device(mover *m, struct gpu *dev);

/* May exchanges go from device to device, as far as this rank knows? */
bool move_has_peers(const mover *m);
/* `to` is none of the arrays from[0] … What of the list neither comes from this rank nor goes to it may be left out.
 * by_device: 0, unless no rank has arrays on the host and all have peers; then the most bytes that one of them sends.
 * Returns when these may be written to and `to` be read, by commands of the same device or by the host. */
bool exchange_run(mover *m, const exchange *list, size_t n, const move_end *from,
                  move_end to, uint64_t by_device);
move_usage move_get_usage(const mover *m);
/* From device to device: not opened yet; this is not to be had, which *why says; they go so. */
typedef enum move_peers { PEERS_CLOSED, PEERS_NONE, PEERS_OPEN } move_peers;
move_peers move_get_peers(const mover *m, const char **why);

/* ── waiting for other ranks ──
 *
 * How many looks in a row come at once, for most answers come within microseconds; few where ranks share cores.
 * Behind so many that found nothing, others get the processor; at some of them one looks at the clock, too. */
int pause_spins(const struct vapl_comm *comm);
void pause_after(int looks, int spins);
enum { PAUSE_ASKS = 256 };
static inline bool pause_asks(int looks) { return looks % PAUSE_ASKS == PAUSE_ASKS - 1; }
#endif
