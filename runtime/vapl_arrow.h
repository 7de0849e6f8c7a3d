/* SPDX-License-Identifier: MIT */
/* vapl_arrow.h - columns between vapl and other programs by the Arrow C data interface: two structures
 * and a function that gives them back, no library. Numbers of 8 to 64 bits are used where they lie.
 *
 *   Arrow                          vapl
 *   int8 … int64, float, double    the same, without a copy
 *   uint8 … uint64                 the next wider integer; uint64 that needs 64 bits: double
 *   bool                           bits
 *   utf8, large utf8, utf8 view    a nested vector of texts
 *   a dictionary of these          the elements that its indices mean
 *   dates, times, durations        their integers. ⎕DT knows them: 13 days (tdD), 20 seconds (tss), 12 milli-
 *                                  (tdm, tsm), 15 micro- (tsu), 16 nanoseconds (tsn) since 1970
 *   struct                         a nested vector of its columns
 *
 * Other types are VAPL_DOMAIN. What goes out has no dictionaries. An array that is given out, or taken over, belongs to the
 * thread that is in its interpreter: call `release` there. */
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

/* *values becomes a vector of the array's elements; *valid a vector of bits, 0 for each that is null, or NULL if
 * none is. Of a struct both are nested, with a column for each field, an empty one in *valid where none is null.
 * A null element is 0, or an empty text. valid may be NULL: then nulls are VAPL_DOMAIN. On success the array is
 * taken over (its release becomes NULL), on failure it is not; the schema stays yours. */
VAPL_API vapl_status vapl_arrow_import(vapl *v, const struct ArrowSchema *schema,
                                       struct ArrowArray *array, vapl_array **values,
                                       vapl_array **valid);

/* Fills both structures, which you release, with the vector a: numbers where they lie, texts and characters as utf8,
 * a nested vector of texts, or of numbers, with ⎕NULL as null. `name` may be NULL. VAPL_RANK for what is no
 * vector, VAPL_DOMAIN for complex numbers and mixed items. */
VAPL_API vapl_status vapl_arrow_export(vapl *v, vapl_array *a, const char *name,
                                       struct ArrowSchema *schema,
                                       struct ArrowArray *array);

/* The same of n columns of one length, as a struct: a record batch. */
VAPL_API vapl_status vapl_arrow_export_table(vapl *v, size_t n, const char *const *names,
                                             vapl_array *const *columns,
                                             struct ArrowSchema *schema,
                                             struct ArrowArray *array);

/* As vapl_arrow_import, of all arrays of the stream one behind the other; a stream of one array is used where it lies.
 * The stream is read to its end, or to its failure (VAPL_DOMAIN), and stays yours. *schema, unless it is NULL, becomes
 * the stream's schema, which you release. */
VAPL_API vapl_status vapl_arrow_import_stream(vapl *v, struct ArrowArrayStream *stream,
                                              struct ArrowSchema *schema,
                                              vapl_array **values, vapl_array **valid);

/* A stream of one record batch of n columns, which you release. With names NULL n is 1, and the stream is of that column
 * alone. What vapl_arrow_export_table refuses is refused here. */
VAPL_API vapl_status vapl_arrow_export_stream(vapl *v, size_t n, const char *const *names,
                                              vapl_array *const *columns,
                                              struct ArrowArrayStream *stream);

#ifdef __cplusplus
}
#endif
#endif
