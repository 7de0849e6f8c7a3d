/* SPDX-License-Identifier: MIT */
/* agree.h - what the files of this folder share: the state of a rank, and agreement.
 *
 * AN OPERATION is one primitive on cut arrays. All ranks count them alike, and nodes of the lazy graph that are
 * built in operation k have numbers (ir_node.seq) from k << OP_SHIFT on. So an error, which is attributed to a node,
 * tells the operation that it is of, and the first of several is the same on all ranks.
 *
 * AN AGREEMENT is one message of 256 bytes from everybody to everybody. It is how every exchange begins; a rank
 * whose work has failed agrees instead of what it cannot do any more, so it meets the others wherever they are, and
 * all get its error. Which operation and what sort of agreement it is about is compared by the way: ranks that have
 * run apart never wait for one another, and are told where they are. */
#ifndef VAPL_DIST_AGREE_H
#define VAPL_DIST_AGREE_H
#include "../../runtime/vapl_comm.h"
#include "../base/mem.h"
#include "../ir/cuts.h"
#include "dist.h"

enum { OP_SHIFT = 24 };
#define NOT_AGREED UINT64_MAX /* is no operation's number */

/* An operation whose nodes are not verified yet: where it stands. */
typedef struct op_place {
  uint64_t op;
  span at; /* holds a reference to its source */
  err_calls calls;
} op_place;

/* An operation that left its type on some rank, and is computed in a wider one on all: `to` is CLS_F or CLS_C. */
typedef struct widening {
  uint64_t op;
  int to;
} widening;

/* A wait; begins as {0}. */
typedef struct watch {
  double since;
  bool told, said;
} watch;

struct dist {
  ctx *c;
  struct ir *g;
  const vapl_comm *comm;
  int me, ranks, spins;   /* spins: of a wait (exchange.h) */
  uint64_t op, agreed_op; /* the latest operation; that of the latest agreement */
  uint64_t failed_op;     /* and of the latest one by which there was an error */
  VEC(op_place) places;
  VEC(widening) wide; /* agreed, in the order in which they were found */
  widening found;     /* the first one here that is not agreed yet; op 0: none */
  size_t *each;       /* bytes of each rank, for dist_gather */
  int inside;         /* work on parts, which is this rank's alone */
  bool failed_before,
      part_failed;  /* that began with an error; has one that nobody has heard of */
  int64_t cut_from; /* elements from which arrays are cut */
  uint64_t gather_limit;
  int kind;           /* of the latest agreement */
  bool patient;       /* it waits for what another rank does alone */
  bool together;      /* as ctx.together, which is false while `inside` */
  bool stop;          /* this rank is asked to stop, and nobody has heard of it */
  double ticked;      /* when the ranks met in dist_tick, by this one's clock */
  int64_t tick_steps; /* until they meet there again: the first rank's */
  arr *(*ordered)(const ir_call *call, prim f,
                  arr *y); /* makes what order_grade puts off */
  struct mover *mover;     /* of exchanges (exchange.h); NULL: there was none yet */
  watch mover_waits;
  uint64_t messages, bytes, agreements; /* for ]ranks */
};

/* What a rank tells of an error. */
typedef struct error_note {
  int code;
  uint16_t event;
  char msg[480];
} error_note;
/* It becomes the recorded error, or tells what that is about. */
void note_raise(ctx *c, const error_note *note);

/* What an agreement is about: the same on all ranks, or they have run apart. */
typedef enum agree_kind {
  AGREE_END = 1, /* a call from outside, or verification, ends */
  AGREE_TICK,
  AGREE_SAME,     /* then the first rank's bytes */
  AGREE_OUTCOME,  /* of what the first rank did */
  AGREE_SETTLE,   /* a part has its elements; value[0] is its type */
  AGREE_GATHER,   /* then all-gathers */
  AGREE_FETCH,    /* then one rank's elements */
  AGREE_EXCHANGE, /* then messages */
  AGREE_VALUES    /* the values are all that is wanted */
} agree_kind;

typedef enum agreed { AGREED_ERROR, AGREED_WIDER, AGREED } agreed;

enum { AGREE_VALUES_MOST = 8, AGREE_BITS = 8 };
/* Meets the others. value[0…n-1] become the greatest of all ranks'. `kind` may have more above
 * AGREE_BITS, to be compared. AGREED_ERROR: an error of this rank or of
 * another is recorded, the same on all. AGREED_WIDER: an operation was found to leave its type; what was made of
 * parts is to be made anew (part_of), and agreed anew. */
agreed dist_agree(dist *d, int64_t kind, int64_t *value, int n);
/* Agrees until no operation is found to leave its type: where no part is asked for. */
bool dist_meet(dist *d, agree_kind kind);
bool dist_meet_values(dist *d, agree_kind kind, int64_t *value, int n);
/* Waits until the request that was begun with that status is done; false after an error. */
bool dist_wait(dist *d, int begun, void **request);
/* A wait goes on: it is said which ranks are missing, and ended at last (watch.c). */
void watch_wait(dist *d, watch *w);
/* A message is sent, of n bytes of this rank: for ]ranks, and for ]plan, which shows what it is. */
void dist_sent(dist *d, const char *what, uint64_t n);
/* The n bytes of rank `from` become everybody's; they have agreed. */
bool dist_send_all(dist *d, void *at, size_t n, int from);
/* Everybody's bytes, those of rank r being each[r], at most GATHER_PART of one; likewise. */
enum { GATHER_PART = 64 << 20 };
bool dist_gather(dist *d, const void *mine, void *all, const size_t *each);
bool dist_gather_same(dist *d, const void *mine, void *all,
                      size_t each); /* as many of each */

/* Operation number d->op begins, at that place. */
bool op_begins(dist *d, span at);
static inline uint64_t op_of(uint64_t seq) { return seq >> OP_SHIFT; }
/* Work on this rank's parts, by the builders that others use for whole arrays. */
void inside_begin(dist *d);
void inside_end(dist *d);
void forget_places(dist *d);
/* Has the latest operation an error here that is its own, and that it has on any rank? Then that is forgotten, and the
 * ranks are to compute it in another way, which finds the error if there is one. */
bool op_gives_up(dist *d);
/* Nobody is told that the latest operation left its type here: it knows what to do. */
void op_keeps_type(dist *d);
/* For the table of functions (dist.c): as ir/cuts.h has them. */
bool dist_verified(ir *g, bool ok);
bool dist_is_open(const ir *g);
void dist_first_error(ir *g);
bool dist_left_call(ir *g, span at, uint64_t since);
void dist_left_type(ir *g, uint64_t seq, bool reals);
bool dist_all(ir *g, uint64_t since, bool ok);
/* The class to which that operation was widened, CLS_F or CLS_C; 0: none. */
int widened_to(const dist *d, uint64_t op);
#endif
