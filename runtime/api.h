/* SPDX-License-Identifier: MIT */
/* api.h - what the files behind vapl.h share: the interpreter, its handles, and the bracket
 * that every public function is.
 *
 *   vapl ─┬─ ctx          allocator, error, interrupt flag
 *         ├─ vm           the interpreter; gone after vapl_close
 *         └─ vapl_array ⇄ vapl_array ⇄ …   the handles that the host holds
 *
 * A handle wraps one reference to an `arr`, remembers its interpreter, and keeps what vapl_map
 * converted for it. The core (this struct and its ctx) is counted by the handles, so that
 * arrays outlive vapl_close: closing first brings each to the host as an array without
 * references to the device. */
#ifndef VAPL_API_H
#define VAPL_API_H
#include "../src/base/mem.h"
#include "../src/eval/eval.h"
#include "vapl.h"
#include <fenv.h>

/* Elements as another type; data: mem_alloc'ed. */
typedef struct copy {
  vapl_type type;
  void *data;
} copy;

struct vapl_array {
  vapl *owner;
  arr *a; /* NULL: lost when the interpreter was closed */
  size_t refs;
  bool shy;
  bool part;              /* of a cut array: this rank's alone (api_ranks.c) */
  struct gpu_buf *shared; /* given out by vapl_vk_export: stays as long as the handle */
  VEC(copy) copies;
  vapl_array *prev, *next; /* in the owner's list */
};

/* What the strings of a place in the error record stand in. */
typedef struct kept_place {
  source *src;
  char *line;
} kept_place;

struct vapl {
  ctx c;
  vm *m;       /* NULL: closed */
  size_t refs; /* one for the open interpreter, one for each handle */
  vapl_array *arrays;
  bool busy;       /* inside a call that may call back */
  uint32_t inside; /* functions of the host that APL is calling */
  fenv_t fenv;
  char *device, *cache_dir;
  struct gpu_given *given; /* the device that vapl_vk_open was called with, or NULL */
  /* What api_cuda.c has to do when a call begins, and when v is closed; NULL: nothing. */
  void (*attend)(vapl *v, bool closing);
  struct api_cuda *cuda;
  void (*write)(void *user, int fd, const char *utf8, size_t n);
  ptrdiff_t (*read)(void *user, int mode, const char *prompt, char *buf, size_t n);
  void (*log)(void *user, const char *utf8);
  void *user;
  vapl_error error; /* its strings: below, or static */
  char message[480];
  vapl_frame frame[ERR_CALLS];
  kept_place kept[1 + ERR_CALLS]; /* of the error, then of its frames */
};

/* vapl_open with a device of the host program's, or NULL; why (may be NULL): what api_vulkan.c says
 * of a failure. */
enum { API_WHY = 256 };
vapl_status api_open(const vapl_config *cfg, const struct gpu_given *given,
                     char why[API_WHY], vapl **out);

/* ── api_error.c: the bracket and the error record ── */

/* Begins a call. False, with the record written, if it may not be made. */
bool api_enter(vapl *v);
/* Ends it: moves the context's error to the record, or clears both. */
vapl_status api_leave(vapl *v, bool ok);
/* A breach of the header's rules: writes the record without the context. v may be NULL. */
vapl_status api_bad(vapl *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
void api_clear_record(vapl *v);
/* Hands the host's thread over to a function of its own, and takes it back: in between it may
 * enter again. */
fenv_t api_step_out(vapl *v);
void api_step_in(vapl *v, const fenv_t *fenv);

/* ── api_handle.c: handles ── */

/* A handle for a, whose reference it takes over even when it fails. False if a is NULL. */
bool api_give(vapl *v, arr *a, bool shy, vapl_array **out);
/* Takes a reference to the core away, and frees it with the last one. */
void api_drop_core(vapl *v);
/* Makes a handle's array independent of the interpreter; if it cannot be brought to the host
 * (no memory, a lost device, nested beyond what ir_host walks) it is lost. */
void api_detach(vapl *v, vapl_array *h);
/* The interpreter to use for an array when the caller named v or none; NULL, with the record
 * written, if they do not belong together. */
vapl *api_home(vapl *v, const vapl_array *h);
/* Inside the bracket: settles an array's type; brings its elements to the host too. */
bool api_settle(vapl *v, const vapl_array *h);
bool api_to_host(vapl *v, const vapl_array *h);
/* Is it the same on all ranks? False, with the record written, of a part. */
bool api_is_whole(vapl *v, const vapl_array *h);

/* The number of elements of a shape, or -1 with the record written. */
int64_t api_count(vapl *v, uint32_t rank, const int64_t *shape);
/* What functions that make arrays check alike; the number of elements, or -1. */
int64_t api_check_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                      const void *data, vapl_array **out);
/* The length of a text that a caller gave. */
size_t api_text_length(const char *utf8, size_t n);
#endif
