#ifndef VAPL_ARROW_H
#define VAPL_ARROW_H
#include "vapl.h"
#ifdef __cplusplus
extern "C" {
#endif
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};
struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif
VAPL_API vapl_status vapl_arrow_import(vapl *v, const struct ArrowSchema *schema,
                                       struct ArrowArray *array, vapl_array **values,
                                       vapl_array **valid);
VAPL_API vapl_status vapl_arrow_export(vapl *v, vapl_array *a, const char *name,
                                       struct ArrowSchema *schema,
                                       struct ArrowArray *array);
VAPL_API vapl_status vapl_arrow_export_table(vapl *v, size_t n, const char *const *names,
                                             vapl_array *const *columns,
                                             struct ArrowSchema *schema,
                                             struct ArrowArray *array);
VAPL_API vapl_status vapl_arrow_import_stream(vapl *v, struct ArrowArrayStream *stream,
                                              struct ArrowSchema *schema,
                                              vapl_array **values, vapl_array **valid);
VAPL_API vapl_status vapl_arrow_export_stream(vapl *v, size_t n, const char *const *names,
                                              vapl_array *const *columns,
                                              struct ArrowArrayStream *stream);
#ifdef __cplusplus
}
#endif
#endif
