/* SPDX-License-Identifier: MIT */
/* peer_cuda.h - device memory that processes on one host reach on one another's NVIDIA GPUs, over NVLink where
 * there is one.
 *
 *    process A, GPU 0                                  process B, GPU 1
 *    peer_make ──▶ memory ──▶ fd ──(peer_serve_fd … peer_fetch_fd)──▶ fd ──▶ peer_map ──▶ the same memory
 *                    │        └▶ fd ──▶ Vulkan: imported as an opaque fd
 *                    └──◀─── peer_copy ───▶── B's own memory
 *
 * CUDA makes the memory (cuMemCreate), for Vulkan's own cannot be mapped at full speed. libcuda is opened by dlopen;
 * where it is missing, or has no such memory, peer_open says so, and nothing else is lost.
 *
 * Functions that return an int return 0, or an error's number, of which peer_text says what it means. A process
 * uses a peers from one thread. */
#ifndef VAPL_PEER_CUDA_H
#define VAPL_PEER_CUDA_H
#include <stddef.h>
#include <stdint.h>

enum { PEER_COPIES = 64 }; /* that may be under way */

typedef struct peers peers;
typedef struct peer_memory {
  uint64_t at; /* its address in this process, for peer_copy alone */
  size_t bytes;
  uint64_t handle;
  void *host; /* where the host sees it; NULL of GPUs' */
} peer_memory;

/* The device that has this UUID (32 hexadecimal digits, as gpu_info.uuid). NULL after a sentence of at most n
 * bytes in `why`. Its context takes some 500 MB of the device. */
peers *peer_open(const char *uuid, char *why, size_t n);
void peer_close(peers *p); /* what was made and mapped is dropped before; NULL is fine */
const char *peer_text(peers *p, int error);
/* Can this device copy to and from the one with that UUID? */
int peer_reaches(peers *p, const char *uuid, int *reaches);

/* At least `bytes` of this device's memory; m->bytes says how many. */
int peer_make(peers *p, size_t bytes, peer_memory *m);
/* Of what peer_make made: a new fd for one import, by a process or by Vulkan (which takes it over). */
int peer_export(peers *p, const peer_memory *m, int *fd);
/* What another process made, of so many bytes; the fd may be closed then. */
int peer_map(peers *p, int fd, size_t bytes, peer_memory *m);
void peer_drop(peers *p, peer_memory *m);

/* Begins a copy between two of these memories, this process's or mapped; copies are done in order. *request is
 * asked about with peer_test. */
int peer_copy(peers *p, uint64_t to, uint64_t from, size_t n, int *request);
int peer_test(peers *p, int request, int *done);
/* Between the host and such memory; for tests. They wait. */
int peer_write(peers *p, uint64_t to, const void *from, size_t n);
int peer_read(peers *p, void *to, uint64_t from, size_t n);

/* A file descriptor goes to another process of the same user, which learns the name by other ways. -1 with errno
 * set on failure, as after PEER_SECONDS of waiting for the other one. */
enum { PEER_NAME = 40, PEER_SECONDS = 5 };
int peer_offer_fd(
    char name[PEER_NAME]); /* a socket that listens under that name, for peer_serve_fd */
int peer_serve_fd(int socket, int fd); /* waits for one process and gives it the fd */
int peer_fetch_fd(const char *name);
#endif
