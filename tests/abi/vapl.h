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
#define VAPL_STRLEN ((size_t)-1)
typedef enum vapl_status {
  VAPL_OK = 0,
  VAPL_WS_FULL = 1,
  VAPL_SYNTAX = 2,
  VAPL_INDEX = 3,
  VAPL_RANK = 4,
  VAPL_LENGTH = 5,
  VAPL_VALUE = 6,
  VAPL_FORMAT = 7,
  VAPL_LIMIT = 10,
  VAPL_DOMAIN = 11,
  VAPL_NONCE = 16,
  VAPL_FILE = 18,
  VAPL_INTERRUPT = 1003,
  VAPL_EOF_INTERRUPT = 1005,
  VAPL_EPERM = 2001,
  VAPL_EDEVICE = 2002,
  VAPL_ERANKS = 2004,
  VAPL_EARG = 2003
} vapl_status;
typedef enum vapl_type {
  VAPL_BIT,
  VAPL_BOOL,
  VAPL_I8,
  VAPL_U8,
  VAPL_I16,
  VAPL_I32,
  VAPL_I64,
  VAPL_F32,
  VAPL_F64,
  VAPL_C128,
  VAPL_CHAR8,
  VAPL_CHAR16,
  VAPL_CHAR32,
  VAPL_NESTED,
  VAPL_NAMESPACE,
  VAPL_AS_IT_IS = 99
} vapl_type;
enum {
  VAPL_MAY_READ = 1,
  VAPL_MAY_WRITE = 2,
  VAPL_MAY_RUN = 4,
  VAPL_MAY_ENV = 8,
  VAPL_MAY_MAP = 16,
  VAPL_MAY_CALL = 32,
  VAPL_MAY_NET = 64
};
typedef struct vapl_config {
  size_t size;
  const char *device;
  const char *cache_dir;
  void *(*resize)(void *user, void *p, size_t old_size, size_t new_size);
  void (*write)(void *user, int fd, const char *utf8, size_t n);
  ptrdiff_t (*read)(void *user, int mode, const char *prompt, char *buf, size_t n);
  void (*log)(void *user, const char *utf8);
  void *user;
  int threads;
  uint64_t max_host_bytes;
  uint64_t max_device_bytes;
  uint32_t max_depth;
  uint32_t may;
  uint64_t max_steps;
  double max_seconds;
  const char *const *folders;
  const struct vapl_comm *comm;
} vapl_config;
VAPL_API uint32_t vapl_version(void);
VAPL_API vapl_status vapl_open(const vapl_config *cfg, vapl **out);
VAPL_API void vapl_close(vapl *v);
typedef struct vapl_frame {
  const char *file, *source;
  int line, column, length;
  size_t times;
} vapl_frame;
typedef struct vapl_error {
  size_t size;
  vapl_status status;
  const char *name;
  const char *message;
  const char *file;
  const char *source;
  int line, column;
  int length;
  size_t byte_offset, byte_length;
  const vapl_frame *frames;
  size_t n_frames, frames_hidden;
} vapl_error;
VAPL_API const vapl_error *vapl_last_error(const vapl *v);
VAPL_API vapl_status vapl_eval(vapl *v, const char *utf8, size_t n, const char *name,
                               vapl_array **result);
VAPL_API vapl_status vapl_run_file(vapl *v, const char *path, int argc,
                                   const char *const *argv);
VAPL_API vapl_status vapl_session(vapl *v, const char *utf8, size_t n, const char *name);
VAPL_API vapl_status vapl_names(
    vapl *v, void (*each)(void *user, const char *name, const char *text), void *user);
VAPL_API vapl_status vapl_call(vapl *v, const char *fn, const vapl_array *left,
                               const vapl_array *right, vapl_array **result);
VAPL_API void vapl_interrupt(vapl *v);
VAPL_API double vapl_progress(const vapl *v);
VAPL_API int vapl_ended(const vapl *v, int *code);
typedef vapl_status vapl_fn(void *user, vapl *v, vapl_array *left, vapl_array *right,
                            vapl_array **result);
VAPL_API vapl_status vapl_def(vapl *v, const char *name, vapl_fn *fn, void *user,
                              void (*drop)(void *user));
typedef void (*vapl_code)(void);
VAPL_API vapl_status vapl_library(vapl *v, const char *library, size_t n,
                                  const char *const *names, const vapl_code *functions);
VAPL_API vapl_status vapl_fail(vapl *v, vapl_status status, const char *message);
VAPL_API vapl_status vapl_get(vapl *v, const char *name, vapl_array **out);
VAPL_API vapl_status vapl_set(vapl *v, const char *name, const vapl_array *value);
VAPL_API vapl_status vapl_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                              const void *data, vapl_array **out);
VAPL_API vapl_status vapl_wrap(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                               void *data, void (*drop)(void *user, void *data),
                               void *user, vapl_array **out);
VAPL_API vapl_status vapl_new_nested(vapl *v, uint32_t rank, const int64_t *shape,
                                     vapl_array *const *items, vapl_array **out);
VAPL_API vapl_status vapl_text(vapl *v, const char *utf8, size_t n, vapl_array **out);
VAPL_API vapl_array *vapl_retain(vapl_array *a);
VAPL_API void vapl_release(vapl_array *a);
typedef struct vapl_view {
  size_t size;
  vapl_type type;
  int shy;
  uint32_t rank;
  const int64_t *shape;
  size_t count, bytes;
  const void *data;
} vapl_view;
VAPL_API vapl_status vapl_info(const vapl_array *a, vapl_view *out);
VAPL_API vapl_status vapl_map(vapl *v, vapl_array *a, vapl_type want, vapl_view *out);
VAPL_API vapl_status vapl_read(vapl *v, const vapl_array *a, vapl_type as, void *dst,
                               size_t bytes);
VAPL_API vapl_status vapl_item(vapl *v, const vapl_array *a, size_t i, vapl_array **out);
VAPL_API vapl_status vapl_utf8(vapl *v, const vapl_array *a, char **utf8, size_t *n);
VAPL_API vapl_status vapl_format(vapl *v, const vapl_array *a, int boxed, char **utf8,
                                 size_t *n);
VAPL_API vapl_status vapl_cut(vapl *v, uint32_t rank, const int64_t *shape,
                              int64_t *first, int64_t *rows);
VAPL_API vapl_status vapl_part(vapl *v, const vapl_array *a, int64_t *first,
                               vapl_array **local);
VAPL_API vapl_status vapl_from_part(vapl *v, uint32_t rank, const int64_t *shape,
                                    const vapl_array *local, vapl_array **out);
VAPL_API vapl_status vapl_sync(vapl *v);
VAPL_API vapl_status vapl_stats(vapl *v, char **json, size_t *n);
VAPL_API int vapl_fault(vapl *v, void *address);
VAPL_API void vapl_free(vapl *v, void *p);
#ifdef __cplusplus
}
#endif
#endif
