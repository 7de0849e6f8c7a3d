/* SPDX-License-Identifier: MIT */
/* vapl_comm.h - what carries bytes between the processes that run one program: a table of functions,
 * which an engine fills in (runtime/comm/mpi.c does, for MPI). vapl_config.comm takes one.
 *
 * The processes are RANKS, numbered from 0. A call from outside on an interpreter with a table is
 * collective: all ranks make the same calls in the same order.
 *
 * WAITING. agree, gather, bcast, send and receive begin something and set *request; test says whether it is
 * done, and sets *request to NULL if so. Memory that was passed stays until then. At most one collective
 * one (agree, gather, bcast) is under way at a time, and up to VAPL_COMM_MESSAGES messages.
 *
 * STATUS. Functions that return an int return 0, or an error's number, of which `text` says what it means. */
#ifndef VAPL_COMM_H
#define VAPL_COMM_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  VAPL_COMM_MESSAGES = 64,
  VAPL_COMM_WORDS = 16,
  VAPL_COMM_NOTE = 64,
  VAPL_COMM_PUTS = 64
};

/* What all ranks get alike: the greatest of each number of `most`, all bits of each word of `any`. */
typedef struct vapl_agreement {
  int64_t most[VAPL_COMM_WORDS];
  uint64_t any[VAPL_COMM_WORDS];
} vapl_agreement;

/* Memory of a rank's device: Vulkan imports it by the file descriptor, which whoever imports it owns; or, if the host
 * sees it, by `host`, and fd is -1. */
typedef struct vapl_comm_memory {
  void *host;
  int fd;
  size_t bytes;
} vapl_comm_memory;

typedef struct vapl_comm {
  size_t size; /* sizeof(vapl_comm) */
  void *user;
  int rank, ranks;
  int host_rank, host_ranks; /* the same among the ranks on this machine */
  const char *name;          /* "Open MPI 4.1.4" */
  const char *(*text)(void *user, int error);
  int (*agree)(void *user, const vapl_agreement *mine, vapl_agreement *all,
               void **request);
  /* bytes[r] bytes of each rank r, at most 1 GiB, one behind the other in `all`; `mine` is not within it. */
  int (*gather)(void *user, const void *mine, void *all, const size_t *bytes,
                void **request);
  /* n is the same on all ranks, and at most 1 GiB. */
  int (*bcast)(void *user, void *at, size_t n, int from, void **request);
  /* To one rank and tag messages arrive in the order in which they were sent; n is at most 1 GiB. */
  int (*send)(void *user, const void *at, size_t n, int to, int tag, void **request);
  int (*receive)(void *user, void *at, size_t n, int from, int tag, void **request);
  int (*test)(void *user, void **request, int *done);
  /* Memory of this machine's ranks, `bytes` of each: that of rank r of the machine begins at at[r], where
   * a page does (processes map it to unlike addresses: more cannot be had), and stays until the end. A
   * collective call of them that waits. NULL in `shared`: there is none. */
  int (*shared)(void *user, size_t bytes, void **at);
  /* A note of VAPL_COMM_NOTE bytes to a rank that may be waiting in something else, without a request: it
   * is copied. told looks for one: *from is -1 if there is none. */
  int (*tell)(void *user, int to, const void *note);
  int (*told)(void *user, int *from, void *note);
  /* Ends all ranks with that exit code. */
  void (*abort)(void *user, int code);
  /* Memory on the devices of this machine's ranks that the others write to, over NVLink for example. This rank's is at
   * least `bytes` of the device with that UUID (32 hexadecimal digits; "": it has none). A collective call of them that
   * waits; it fails on all of them if on one, and as long as there is such memory. uuid NULL gives it back, without
   * waiting for others, who may still write to it. NULL in `device`: there is none. A table that ends before it has
   * none, either. */
  int (*device)(void *user, const char *uuid, size_t bytes, vapl_comm_memory *mine);
  /* n bytes of this rank's, from byte `from` on, to byte `at` of that of rank `to` of the machine. They are there when
   * test says that it is done; up to VAPL_COMM_PUTS are under way. */
  int (*put)(void *user, size_t from, int to, size_t at, size_t n, void **request);
} vapl_comm;

#ifdef __cplusplus
}
#endif
#endif
