/* SPDX-License-Identifier: MIT */
/* vapl.h - vapl as a library: an APL interpreter inside your program.
 *
 *   vapl *apl;
 *   vapl_array *r;
 *   if (vapl_open(NULL, &apl) == VAPL_OK) {
 *     if (vapl_eval(apl, "+/⍳100", VAPL_STRLEN, NULL, &r) == VAPL_OK) {
 *       int64_t sum;
 *       vapl_read(apl, r, VAPL_I64, &sum, sizeof sum);
 *       vapl_release(r);
 *     }
 *     vapl_close(apl);
 *   }
 *
 * INTERPRETERS. A `vapl` is one interpreter: a workspace of names, and the device (a GPU
 * through Vulkan, or the host) that its arrays live on. Interpreters share nothing. One
 * thread at a time may use an interpreter; any thread, and a signal handler, may call
 * vapl_interrupt. Different interpreters may run on different threads at once.
 *
 * FORK. A child may go on with its copy of an interpreter that no thread was using when it was
 * forked; from a function of your own that APL calls, too. Threads are started anew. A device
 * that was open stays the parent's: what needs it in the child is VAPL_EDEVICE (with "auto"
 * the host does what it can), and a new interpreter in the child may open it again.
 *
 * STATUS. Every fallible function returns a vapl_status; VAPL_OK is 0. Out-parameters are
 * NULL (zero) on failure. vapl_last_error then tells what went wrong and where in the APL
 * text. The workspace lives on: nothing that was assigned before is lost.
 *
 * ARRAYS. A `vapl_array` is immutable, rectangular, of rank 0 to 15, and counted: every
 * function that gives you one through an out-parameter gives you one reference, to be given
 * back by vapl_release. Functions borrow the arrays that you pass. An array belongs to the
 * interpreter that made it and is refused (VAPL_EARG) by any other. It may outlive
 * vapl_close: then vapl_retain, vapl_release, vapl_info, vapl_map, vapl_read and vapl_item
 * still work, with NULL as the interpreter.
 *
 * POINTERS that a function hands out say how long they live: shapes and mapped elements until
 * the array is released, strings until vapl_free.
 *
 * UNITS. Texts are UTF-8. Ranks, shapes, counts and indices are numbers of elements, from 0
 * whatever ⎕IO says; `bytes` are bytes. Elements stand in row-major order: the last axis
 * varies fastest.
 *
 * SANDBOX. Unless you say more in the configuration, a program can reach nothing but its
 * workspace and your callbacks: no file, process, environment, network. How much memory, time
 * and depth it takes you limit there, too: then any text may be run.
 *
 * WHAT THE LIBRARY NEVER DOES: print, exit, read the environment, change the locale, install
 * signal handlers. Output goes to your `write`, input comes from your `read`. From inside such
 * a callback only vapl_interrupt, vapl_last_error, vapl_retain and vapl_release may be
 * called. A function of yours that APL calls (vapl_def) may call nearly all. */
#ifndef VAPL_H
#define VAPL_H
#include <stddef.h>
#include <stdint.h>

#define VAPL_VERSION_MAJOR 0
#define VAPL_VERSION_MINOR 1
#define VAPL_VERSION_PATCH 0
#define VAPL_VERSION_TEXT "0.1.0"

#if defined(__GNUC__)
#define VAPL_API __attribute__((visibility("default")))
#else
#define VAPL_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct vapl vapl;
typedef struct vapl_array vapl_array;

/* As the length of a text: it ends at its NUL. */
#define VAPL_STRLEN ((size_t)-1)

/* Up to 1005, the APL event numbers. From 2001 on, vapl's own. */
typedef enum vapl_status {
  VAPL_OK = 0,
  VAPL_WS_FULL = 1, /* memory, of the host or the device, is used up */
  VAPL_SYNTAX = 2,
  VAPL_INDEX = 3,
  VAPL_RANK = 4,
  VAPL_LENGTH = 5,
  VAPL_VALUE = 6, /* a name has no value, or a function gave none */
  VAPL_FORMAT = 7,
  VAPL_LIMIT = 10,
  VAPL_DOMAIN = 11,
  VAPL_NONCE = 16, /* in the language, but not in this version */
  VAPL_FILE = 18,  /* 18 to 38: a file could not be used; 22 is "no such file" */
  VAPL_INTERRUPT = 1003,
  VAPL_EOF_INTERRUPT = 1005,
  VAPL_EPERM = 2001,
  VAPL_EDEVICE = 2002, /* the device that was asked for is not there, or failed */
  VAPL_ERANKS = 2004,  /* ranks have run apart, or one of them is gone */
  VAPL_EARG = 2003     /* a call that breaks a rule of this header: a bug of the caller */
} vapl_status;

/* Types of elements. To an APL program there are only numbers and characters; widths are
 * storage. VAPL_BIT is packed, the lowest bit of the first byte first, bits behind the last
 * element zero; VAPL_BOOL and VAPL_U8 are for exchange only: vapl keeps them as bits and i16.
 * A character is a Unicode code point in 1, 2 or 4 bytes (VAPL_CHAR8 is not UTF-8). */
typedef enum vapl_type {
  VAPL_BIT,
  VAPL_BOOL, /* one byte, 0 or 1 */
  VAPL_I8,
  VAPL_U8,
  VAPL_I16,
  VAPL_I32,
  VAPL_I64,
  VAPL_F32,
  VAPL_F64,
  VAPL_C128, /* two f64: real, imaginary */
  VAPL_CHAR8,
  VAPL_CHAR16,
  VAPL_CHAR32,
  VAPL_NESTED,       /* elements are arrays: see vapl_item */
  VAPL_NAMESPACE,    /* a scalar that refers to one: only vapl_info says so */
  VAPL_AS_IT_IS = 99 /* for vapl_map: the type that the array has */
} vapl_type;

/* ── interpreters ───────────────────────────────────────────────────────────────────── */

/* Bits of vapl_config.may. Without VAPL_MAY_RUN files are files and folders alone, no devices, pipes
 * and sockets, and none of the system's (/proc, /sys), which show the environment and the memory
 * of the program that embeds. */
enum {
  VAPL_MAY_READ = 1,  /* read files */
  VAPL_MAY_WRITE = 2, /* write, make and delete files */
  VAPL_MAY_RUN = 4,   /* run processes */
  VAPL_MAY_ENV = 8,   /* read the environment, which the program that embeds has */
  /* Use the pages of files that ⎕MAP, ⎕NPY and ⎕LOAD read where they are, without a copy. This
   * needs a handler of SIGBUS that calls vapl_fault: a file may grow shorter. */
  VAPL_MAY_MAP = 16,
  /* ⎕NA: call the functions of any C library. What they do no limit and no folder bounds. */
  VAPL_MAY_CALL = 32,
  VAPL_MAY_NET = 64 /* use the network: ⎕HTTP */
};

/* How to open an interpreter. Zero it all, set .size = sizeof(vapl_config), then what you
 * want to differ. The structure is copied; `device` and `cache_dir` are too. */
typedef struct vapl_config {
  size_t size;
  /* NULL or "auto": the best device there is, the host where that is faster, chosen per
   * expression, opened when first needed. "host": never a device. Else a number ("1"), part
   * of a name ("llvmpipe") or a UUID: opened at once, VAPL_EDEVICE if it is not there. */
  const char *device;
  /* Folder for compiled pipelines, made when missing, safe to delete. NULL: none. */
  const char *cache_dir;
  /* All memory on the host comes from here: as realloc, with the old size; new_size 0 frees;
   * aligned to 16; NULL when there is none, which becomes VAPL_WS_FULL. Called only on the
   * thread that is calling vapl. NULL: malloc. */
  void *(*resize)(void *user, void *p, size_t old_size, size_t new_size);
  /* Output of ⎕← and ⍞← and of vapl_run_file: fd 1 is output, 2 errors; n bytes of UTF-8, not
   * NUL-terminated. NULL: discarded. */
  void (*write)(void *user, int fd, const char *utf8, size_t n);
  /* Input for ⎕ (mode 0) and ⍞ (mode 1): one line into buf, at most n bytes; returns how many,
   * negative at the end of input. NULL: no input, EOF INTERRUPT. */
  ptrdiff_t (*read)(void *user, int mode, const char *prompt, char *buf, size_t n);
  /* Notes for a log file: which device was taken, what it lacks. NULL: discarded. */
  void (*log)(void *user, const char *utf8);
  /* Handed to the four above. */
  void *user;
  /* Threads of the host's own kernels; 0: one per processor, 1: none but the caller's. */
  int threads;
  /* Beyond it WS FULL; 0: half of what the machine has or its container is allowed, or all but
   * 16 GiB if that is more; with `resize`, none. */
  uint64_t max_host_bytes;
  /* Beyond it arrays leave the device for the host; 0: what it has. */
  uint64_t max_device_bytes;
  /* Depth of calls, beyond it LIMIT ERROR; 0: what the C stack holds. */
  uint32_t max_depth;
  /* What programs may do outside: VAPL_MAY_…; 0: nothing. Without it the names that would
   * answer FILE ACCESS ERROR or PERMISSION ERROR. */
  uint32_t may;
  /* What one call of this header may take, so that a program cannot keep you waiting; beyond it
   * LIMIT ERROR, which a program may trap but gets again. Steps are calls of functions and
   * statements: the same program takes as many wherever it runs. 0: no limit. What your own
   * functions and callbacks take counts, but does not end them. */
  uint64_t max_steps;
  double max_seconds;
  /* Folders that the files of VAPL_MAY_READ and VAPL_MAY_WRITE are in, up to a NULL; everything
   * outside, or that a link leads to outside, is FILE ACCESS ERROR. NULL: anywhere; an empty list:
   * nowhere. */
  const char *const *folders;
  /* Several processes run the same calls, the ranks, and long arrays are cut among them: how they reach one
   * another (vapl_comm.h, vapl_mpi.h), borrowed until vapl_close. Every call of this header is then collective: all
   * ranks make it, in one order. The first one reads input, files, clocks and the environment, and writes
   * files, and all have what it found; `write` is called on all of them. NULL: there is one process. */
  const struct vapl_comm *comm;
} vapl_config;

/* major << 16 | minor << 8 | patch of the library that is linked. */
VAPL_API uint32_t vapl_version(void);

/* Opens an interpreter with an empty workspace. cfg may be NULL: all defaults. VAPL_EARG for a
 * configuration of unknown size, VAPL_WS_FULL, VAPL_EDEVICE. */
VAPL_API vapl_status vapl_open(const vapl_config *cfg, vapl **out);

/* Closes it; NULL is fine. Arrays that you still hold are brought to the host and stay
 * readable; the handle is gone. The memory is returned with the last of them. */
VAPL_API void vapl_close(vapl *v);

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

/* A call that an error went through, where it stands. */
typedef struct vapl_frame {
  const char *file, *source; /* as in vapl_error */
  int line, column, length;
  size_t times; /* so many calls in a row stand there, as in a recursion */
} vapl_frame;

/* Lines and columns count from 1, columns in code points; 0: no place is known. Byte offsets
 * count from 0 and from the start of the text that was given. No pointer is NULL but frames,
 * if there are none. */
typedef struct vapl_error {
  size_t size;
  vapl_status status;
  const char *name;    /* "DOMAIN ERROR" */
  const char *message; /* what was wrong with what, may be "" */
  const char *file;    /* the name given with the text, the path of a file; or "" */
  const char *source;  /* the line at fault, without its end */
  int line, column;
  int length; /* code points at fault, on that line */
  size_t byte_offset, byte_length;
  /* The calls from the innermost outwards. If there are many, the last is the outermost and
   * frames_hidden of them, between it and the one before, are not kept. */
  const vapl_frame *frames;
  size_t n_frames, frames_hidden;
} vapl_error;

/* The last failure of this interpreter, with status VAPL_OK if nothing failed yet. Lives until
 * the next call that fails. NULL only for v NULL. */
VAPL_API const vapl_error *vapl_last_error(const vapl *v);

/* ── running APL ────────────────────────────────────────────────────────────────────── */

/* Runs a text of n bytes (VAPL_STRLEN: NUL-terminated): one or more statements, on any number
 * of lines. Displays nothing but what ⎕← and ⍞← say. `name` appears as the error's file; may
 * be NULL. *result (out may be NULL) is the value of the last statement, NULL if it has
 * none; it is marked shy (see vapl_view) if it was assigned. Every error of the text is found on
 * return; what cannot fail but by a want of memory or a device may be computed when it is read. */
VAPL_API vapl_status vapl_eval(vapl *v, const char *utf8, size_t n, const char *name,
                               vapl_array **result);

/* Runs a file as `vapl file` does: the value of each statement that is not assigned goes to
 * `write`. argv[0..argc) becomes ⎕ARG. A first line that begins with #! is skipped.
 * VAPL_FILE to 38 if it cannot be read. */
VAPL_API vapl_status vapl_run_file(vapl *v, const char *path, int argc,
                                   const char *const *argv);

/* Runs a text as a line of a session: every value that is not assigned goes to `write`, as it is
 * displayed there; a text that begins with ) or ] is a command, such as "]box on". For programs
 * in which people type APL. */
VAPL_API vapl_status vapl_session(vapl *v, const char *utf8, size_t n, const char *name);

/* What a person may have begun to type: calls each(user, name, text) for the names of the
 * workspace, the system and the commands, with themselves as the text; for the names of
 * primitives and the keys of glyphs ("iota", "`i") with what they become ("⍳"). The strings live
 * until each returns. */
VAPL_API vapl_status vapl_names(
    vapl *v, void (*each)(void *user, const char *name, const char *text), void *user);

/* Applies a function: the name of one, or an expression that is one, such as "+/" or
 * "{(+/⍵)÷≢⍵}". left NULL: monadic. right must not be NULL.
 * result may be NULL; *result is NULL if the function gave no value. */
VAPL_API vapl_status vapl_call(vapl *v, const char *fn, const vapl_array *left,
                               const vapl_array *right, vapl_array **result);

/* Asks a running evaluation to stop with VAPL_INTERRUPT, at the next primitive or between two
 * pieces of work on the device. May be called from any thread and from a signal handler. The
 * request is kept: if nothing runs, the next evaluation stops at once. */
VAPL_API void vapl_interrupt(vapl *v);

/* The share of a long piece of work under way that is done, 0 to 1: of a file that is read or written, of
 * cells that a function runs over. -1: nothing that counts is under way. May be called from any thread while the
 * interpreter is open. */
VAPL_API double vapl_progress(const vapl *v);

/* 1 if ⎕OFF or )OFF was evaluated, with its exit code in *code (code may be NULL); else 0. The
 * library itself never exits: it is for the host to close. */
VAPL_API int vapl_ended(const vapl *v, int *code);

/* ── functions of your own ──────────────────────────────────────────────────────────── */

/* A C function that APL calls: left is NULL in a monadic call; both are borrowed (vapl_retain
 * what you keep). *result is NULL before; put in it an array of v, whose reference goes over,
 * or leave it: then the function gives no value. Return VAPL_OK, or the status of a failure:
 * the error that APL sees then has the message of vapl_last_error(v), if that failed with the
 * same status inside this call. So `return vapl_eval(…)` hands an error on, and `return
 * vapl_fail(…)` makes one. VAPL_EARG for a result of another interpreter.
 *
 * RE-ENTRANCY. It may call every function of this header on v but vapl_close, and so run APL,
 * which runs in the workspace (not in the names of the dfn that called), and may call it
 * again: calls count against max_depth and the C stack, beyond them LIMIT ERROR. It is called
 * on the thread that is in vapl, once per call and in the order of the language, with your
 * floating-point environment. No exception or longjmp may leave it. An interrupt waits until
 * it returns, or until it runs APL itself. */
typedef vapl_status vapl_fn(void *user, vapl *v, vapl_array *left, vapl_array *right,
                            vapl_array **result);

/* Makes `name` that function, whatever it stood for before. drop(user), which may be NULL and
 * must not call vapl, comes once, when nothing refers to it any more: the name was given to
 * something else, or the interpreter closed. On failure drop is not called. VAPL_EARG if
 * `name` is not a name. */
VAPL_API vapl_status vapl_def(vapl *v, const char *name, vapl_fn *fn, void *user,
                              void (*drop)(void *user));

/* C functions that APL calls as they are, with numbers, arrays and texts as C has them: after
 * vapl_library(v, "host", 1, names, functions) `⎕NA 'F8 host|price F8 I4'` declares the one under the name
 * "price", whatever vapl_config.may says, for you have given it. How it is called is for the text to
 * say: a wrong declaration is undefined behaviour. The names are copied. VAPL_NONCE if the library was built
 * without libffi. */
typedef void (*vapl_code)(void); /* cast to it from what they are */
VAPL_API vapl_status vapl_library(vapl *v, const char *library, size_t n,
                                  const char *const *names, const vapl_code *functions);

/* Within such a function: writes the error record, and gives `status` back to be returned.
 * message may be NULL. A status of 0 is VAPL_EARG. */
VAPL_API vapl_status vapl_fail(vapl *v, vapl_status status, const char *message);

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* The array that a name, or a system variable such as ⎕IO, stands for. VAPL_VALUE if there is
 * none; VAPL_EARG if `name` is not a name. */
VAPL_API vapl_status vapl_get(vapl *v, const char *name, vapl_array **out);
/* Assigns it, whatever the name stood for before. */
VAPL_API vapl_status vapl_set(vapl *v, const char *name, const vapl_array *value);

/* ── making arrays ──────────────────────────────────────────────────────────────────── */

/* A new array holding a copy of `data`: the product of shape[0..rank) elements of type t,
 * packed, at any alignment. shape may be NULL for rank 0, data NULL for no elements.
 * VAPL_EARG: rank above 15, a negative extent, a count that overflows, a byte other than 0
 * and 1 as VAPL_BOOL, a code point above 0x10FFFF or half of a surrogate pair (so UTF-16 is
 * to be decoded first), VAPL_NESTED. */
VAPL_API vapl_status vapl_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                              const void *data, vapl_array **out);

/* As vapl_new without a copy: `data` is used where it lies, must be aligned to its elements,
 * and must not change until drop(user, data) is called, once, when nothing uses it any more
 * (drop may be NULL). On failure drop is not called. Not for VAPL_BOOL and VAPL_U8. VAPL_BIT
 * must fill whole 64-bit words, aligned to 8, the bits behind the last element zero. */
VAPL_API vapl_status vapl_wrap(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                               void *data, void (*drop)(void *user, void *data),
                               void *user, vapl_array **out);

/* An array of arrays: items[0..count), each retained. Scalars among them become plain
 * elements; if all are scalars of one kind, so does the result become a plain array. No
 * items at all: an empty numeric array. */
VAPL_API vapl_status vapl_new_nested(vapl *v, uint32_t rank, const int64_t *shape,
                                     vapl_array *const *items, vapl_array **out);

/* A character vector from n bytes of UTF-8 (VAPL_STRLEN: NUL-terminated). VAPL_EARG, with the
 * offset, for malformed UTF-8. */
VAPL_API vapl_status vapl_text(vapl *v, const char *utf8, size_t n, vapl_array **out);

VAPL_API vapl_array *vapl_retain(vapl_array *a); /* one more reference; gives back a */
VAPL_API void vapl_release(vapl_array *a);       /* one less; NULL is fine */

/* ── reading arrays ─────────────────────────────────────────────────────────────────── */

/* What an array is. Set .size = sizeof(vapl_view) before the call that fills it. */
typedef struct vapl_view {
  size_t size;
  vapl_type type;
  int shy; /* 1: the result of a statement that was assigned, not to be shown */
  uint32_t rank;
  const int64_t *shape; /* rank extents, living as long as the array */
  size_t count, bytes;  /* elements, and the bytes they take as `type` */
  const void *data;
} vapl_view;

/* Type, shape and count; data is NULL. May wait for work that decides the type, but copies no
 * element. */
VAPL_API vapl_status vapl_info(const vapl_array *a, vapl_view *out);

/* In the next three, v may be NULL: the array's own interpreter.
 *
 * The elements on the host, as type `want`: without any copy if the array has that type
 * (VAPL_AS_IT_IS: always) and is on the host, else converted once and kept. out->data is
 * aligned and lives until the array is released. Every number must fit `want` exactly,
 * except that integers become the nearest float and f64 the nearest f32: else VAPL_DOMAIN.
 * Characters are no numbers. VAPL_DOMAIN for nested arrays: use vapl_item. */
VAPL_API vapl_status vapl_map(vapl *v, vapl_array *a, vapl_type want, vapl_view *out);

/* Copies the elements, converted likewise, to dst, which has room for `bytes` bytes:
 * VAPL_EARG if that is too few; more is fine. */
VAPL_API vapl_status vapl_read(vapl *v, const vapl_array *a, vapl_type as, void *dst,
                               size_t bytes);

/* Element i of the ravel, from 0, as an array of its own: the item of a nested array, else a
 * scalar. VAPL_INDEX if there is no such element. A namespace is a VAPL_NESTED of rank 0 that has
 * no items, VAPL_DOMAIN: vapl_call with ⎕VGET reads its names. */
VAPL_API vapl_status vapl_item(vapl *v, const vapl_array *a, size_t i, vapl_array **out);

/* The characters of an array in row-major order as NUL-terminated UTF-8 of *n bytes (n may be
 * NULL), to be freed with vapl_free. VAPL_DOMAIN if its elements are no characters, or one is half
 * of a surrogate pair, which a program can make by ⎕UCS. */
VAPL_API vapl_status vapl_utf8(vapl *v, const vapl_array *a, char **utf8, size_t *n);

/* The text that a session would show, each line ended by \n, with boxes around nested items if
 * `boxed`. As vapl_utf8 otherwise. */
VAPL_API vapl_status vapl_format(vapl *v, const vapl_array *a, int boxed, char **utf8,
                                 size_t *n);

/* ── ranks ──────────────────────────────────────────────────────────────────────────── */

/* Where vapl_config.comm makes several processes one program, an array of that shape is either cut along its first
 * axis, each rank having a run of rows, or the same on all ranks. Where it is cut is a rule of the shape and the
 * number of ranks. *first: the number of this rank's first row, from 0; *rows: how many it has. Of an array that is
 * the same everywhere, and where there is one process: 0, and all (of a scalar 1). */
VAPL_API vapl_status vapl_cut(vapl *v, uint32_t rank, const int64_t *shape,
                              int64_t *first, int64_t *rows);

/* This rank's rows of a, without a copy, and the number of the first one: all ranks call it. *local may be read
 * (vapl_info, vapl_map, vapl_read, vapl_item, vapl_utf8, vapl_format, vapl_vk_export, vapl_cuda_map), by this rank alone if it
 * likes, and be given to vapl_from_part; other functions refuse it (VAPL_EARG), for the ranks would compute apart. Of
 * an array that is the same everywhere it is a itself. v NULL: the array's own interpreter. first may be NULL. */
VAPL_API vapl_status vapl_part(vapl *v, const vapl_array *a, int64_t *first,
                               vapl_array **local);

/* The array of that shape whose rows are each rank's, as vapl_cut says, one behind the other: all ranks call it.
 * `local` is made by vapl_new, vapl_wrap or vapl_cuda_new, or is a part; types may differ, the result has one that holds all.
 * Where such an array is the same everywhere, it is the first rank's `local`. VAPL_LENGTH, VAPL_RANK on all ranks if
 * one has other rows; VAPL_DOMAIN for nested arrays, and for numbers beside characters. */
VAPL_API vapl_status vapl_from_part(vapl *v, uint32_t rank, const int64_t *shape,
                                    const vapl_array *local, vapl_array **out);

/* ── housekeeping ───────────────────────────────────────────────────────────────────── */

/* Runs and checks all pending work. */
VAPL_API vapl_status vapl_sync(vapl *v);
/* Figures about the interpreter as a JSON object: version, bytes and blocks in use, peak, and
 * arrays that you hold. Free it with vapl_free. */
VAPL_API vapl_status vapl_stats(vapl *v, char **json, size_t *n);
/* In your handler of SIGBUS (SA_SIGINFO), with info->si_addr, for each interpreter with
 * VAPL_MAY_MAP that is open or of which you hold arrays: 1 if that is in a file which it has mapped
 * and which has grown shorter. Then return from the handler: zeros are read, and the call of v that
 * runs, or the next, is the error 23, FILE DAMAGED. 0: it is not vapl's; do what you would do
 * without. On any thread; async-signal-safe. */
VAPL_API int vapl_fault(vapl *v, void *address);
/* Frees a text that this interpreter gave; p may be NULL. */
VAPL_API void vapl_free(vapl *v, void *p);

#ifdef __cplusplus
}
#endif
#endif
