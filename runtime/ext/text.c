/* SPDX-License-Identifier: MIT */
/* text.c - ⎕NGET and ⎕NPUT: files of text.
 *
 *   bytes ─▶ encoding (asked for, a byte order mark, zero bytes, or UTF-8) ─▶ characters ─▶
 *   line ends as ⎕UCS 10 ─▶ one vector, or a vector of lines
 *
 * A byte that is not of the encoding is an error that says where it is. A file that is plain
 * ASCII with ⎕UCS 10 as its line end is the result as it was read. */
#include "../../src/base/utf8.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/array/element.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "text.h"

enum { FEED = 10, RETURN = 13, LOOK_EVERY = 1 << 20 };
static const uint32_t BAD = UINT32_MAX;

typedef struct encoding_row {
  const char *name, *mark; /* its byte order mark */
  uint8_t mark_bytes;
  bool ascii_only;
} encoding_row;
static const encoding_row encodings[ENCODINGS] = {
    [UTF_8] = {"UTF-8", "\xEF\xBB\xBF", 3, false},
    [UTF_16LE] = {"UTF-16LE", "\xFF\xFE", 2, false},
    [UTF_16BE] = {"UTF-16BE", "\xFE\xFF", 2, false},
    [LATIN_1] = {"ISO-8859-1", "", 0, false},
    [ASCII] = {"ASCII", "", 0, true}};

/* ── encodings ──────────────────────────────────────────────────────────────────────── */

static bool has_mark(const char *p, size_t n, encoding e) {
  size_t k = encodings[e].mark_bytes;
  return k && n >= k && !memcmp(p, encodings[e].mark, k);
}

bool text_encoding(vm *v, const char *name, text_format *f) {
  static const char *const more[][2] = {
      {"Latin-1", "ISO-8859-1"}, {"ANSI", "ISO-8859-1"}, {"UTF-16", "UTF-16LE"}};
  char word[24];
  size_t n = strlen(name);
  bool with = n > 4 && !strcasecmp(name + n - 4, "-BOM"),
       without = n > 6 && !strcasecmp(name + n - 6, "-NOBOM");
  if (with) n -= 4;
  if (without) n -= 6;
  snprintf(word, sizeof word, "%.*s", (int)n, name);
  for (size_t i = 0; i < ARRAY_LEN(more); i++)
    if (!strcasecmp(word, more[i][0])) strcpy(word, more[i][1]);
  for (encoding e = 0; e < ENCODINGS; e++) {
    if (strcasecmp(word, encodings[e].name)) continue;
    f->e = e;
    f->mark = with;
    return true;
  }
  return err_set(v->c, ERR_DOMAIN,
                 "there is no encoding %s: UTF-8, UTF-16LE, UTF-16BE, ISO-8859-1 and "
                 "ASCII are known",
                 name);
}

/* What the bytes say themselves: a mark; else, of UTF-16, zeros in every other place of the
 * first characters. */
static void recognise(const char *p, size_t n, text_format *f) {
  size_t zeros[2] = {0}, look = n < 64 ? n : 64;
  for (encoding e = 0; e < LATIN_1; e++)
    if (has_mark(p, n, e)) {
      *f = (text_format){e, true};
      return;
    }
  for (size_t i = 0; i < look; i++) zeros[i % 2] += !p[i];
  *f = (text_format){UTF_8, false};
  if (n % 2 || look < 2) return;
  if (zeros[1] > look / 4 && !zeros[0]) f->e = UTF_16LE;
  if (zeros[0] > look / 4 && !zeros[1]) f->e = UTF_16BE;
}

static unsigned unit_at(const unsigned char *u, encoding e) {
  return e == UTF_16LE ? u[0] | (unsigned)u[1] << 8 : u[1] | (unsigned)u[0] << 8;
}

static uint32_t next_16(const char *p, const char *end, encoding e, const char **next) {
  const unsigned char *u = (const unsigned char *)p;
  *next = p + 1;
  if (end - p < 2) return BAD;
  uint32_t a = unit_at(u, e);
  *next = p + 2;
  if (a < 0xD800 || a > 0xDFFF) return a;
  if (a > 0xDBFF || end - p < 4) return BAD;
  uint32_t b = unit_at(u + 2, e);
  if (b < 0xDC00 || b > 0xDFFF) return BAD;
  *next = p + 4;
  return 0x10000 + ((a - 0xD800) << 10) + (b - 0xDC00);
}

/* The character at p; BAD if that is none. */
static inline uint32_t next_char(const char *p, const char *end, encoding e,
                                 const char **next) {
  unsigned char byte = (unsigned char)*p;
  if (e == UTF_16LE || e == UTF_16BE) return next_16(p, end, e, next);
  *next = p + 1;
  if (byte < 0x80 || e == LATIN_1) return byte;
  if (e == ASCII) return BAD;
  uint32_t u = utf8_next(p, end, next);
  return u == 0xFFFD && *next == p + 1 ? BAD : u;
}

static bool bad_byte(vm *v, const char *who, const char *from, const char *p,
                     encoding e) {
  const char *advice = "";
  if (e == UTF_8) advice = "; 'ISO-8859-1' as left argument reads any byte";
  return err_set(v->c, ERR_DOMAIN, "%s: the byte %d at offset %lld is not %s%s", who,
                 *p & 0xFF, (long long)(p - from), encodings[e].name, advice);
}

/* ── bytes to characters ────────────────────────────────────────────────────────────── */

typedef struct survey { /* what the characters are */
  int64_t count;        /* line ends counted as one */
  uint32_t top;
  int line_end; /* of the first line: FEED, RETURN, both FEED + RETURN; 0: there is none */
  bool returns; /* there is a RETURN */
} survey;

/* A RETURN with or without a FEED behind it is one line end, moves *next behind both. */
static bool ends_line(uint32_t u, const char *end, encoding e, const char **next) {
  if (u == FEED) return true;
  if (u != RETURN) return false;
  const char *behind;
  if (*next < end && next_char(*next, end, e, &behind) == FEED) *next = behind;
  return true;
}

static bool look_through(vm *v, const char *who, const char *from, size_t skip, size_t n,
                         encoding e, survey *s) {
  const char *end = from + n, *look = from;
  for (const char *p = from + skip, *next; p < end; p = next) {
    uint32_t u = next_char(p, end, e, &next);
    if (u == BAD) return bad_byte(v, who, from, p, e);
    s->count++;
    if (u > s->top) s->top = u;
    if (p > look) {
      look = p + LOOK_EVERY;
      if (interrupted(v->c)) return false;
    }
    if (u != FEED && u != RETURN) continue;
    s->returns |= u == RETURN;
    const char *behind = next;
    ends_line(u, end, e, &next);
    if (s->line_end) continue;
    s->line_end = (int)u;
    if (next > behind) s->line_end = FEED + RETURN;
  }
  return true;
}

/* Are they ASCII, without a RETURN? */
static bool is_plain(const char *p, size_t n, int *line_end) {
  if (utf8_ascii(p, p + n) != p + n || memchr(p, RETURN, n)) return false;
  *line_end = memchr(p, FEED, n) ? FEED : 0;
  return true;
}

bool text_stands(vm *v, const char *from, size_t n, const char *who, text_format *f) {
  const char *end = from + n, *next;
  if (f->e == ENCODINGS) recognise(from, n, f);
  if (f->e != UTF_8 && f->e != ASCII) return false;
  for (const char *p = utf8_ascii(from, end); p < end; p = utf8_ascii(next, end))
    if (next_char(p, end, f->e, &next) == BAD) {
      bad_byte(v, who, from, p, f->e);
      return false;
    }
  return true;
}

static arr *decoded(vm *v, const char *from, size_t skip, size_t n, encoding e,
                    const survey *s) {
  arr *r = arr_vec(v->c, elt_for_char(s->top), s->count);
  const char *end = from + n;
  int64_t i = 0;
  for (const char *p = from + skip, *next; r && p < end; p = next, i++) {
    uint32_t u = next_char(p, end, e, &next);
    if (ends_line(u, end, e, &next)) u = FEED;
    if (r->type == ET_C8) ((uint8_t *)r->host)[i] = (uint8_t)u;
    else if (r->type == ET_C16) ((uint16_t *)r->host)[i] = (uint16_t)u;
    else ((uint32_t *)r->host)[i] = u;
  }
  return r;
}

arr *text_decode(vm *v, arr *bytes, const char *who, text_format *f, int *line_end) {
  const char *p = bytes->host;
  size_t n = (size_t)bytes->count;
  survey s = {0};
  if (f->e == ENCODINGS) recognise(p, n, f);
  size_t skip = has_mark(p, n, f->e) ? encodings[f->e].mark_bytes : 0;
  bool bytewise = f->e != UTF_16LE && f->e != UTF_16BE;
  if (!skip && bytewise && is_plain(p, n, line_end)) return arr_retain(bytes);
  if (!look_through(v, who, p, skip, n, f->e, &s)) return NULL;
  *line_end = s.line_end;
  return decoded(v, p, skip, n, f->e, &s);
}

/* Elements of a character vector from number `from` on. */
static arr *part_of(vm *v, arr_pool *pool, const arr *text, int64_t from, int64_t n) {
  arr *r = arr_pool_vec(v->c, pool, (elt)text->type, n);
  size_t each = elt_bytes((elt)text->type, 1);
  if (r && n)
    memcpy(r->host, (const char *)text->host + (size_t)from * each, (size_t)n * each);
  return r;
}

/* Where the next line feed is, from number `from` on; the end if there is none. */
static int64_t next_feed(const arr *text, int64_t from) {
  if (text->type == ET_C8) {
    const char *at = text->host;
    const char *feed = memchr(at + from, FEED, (size_t)(text->count - from));
    return feed ? feed - at : text->count;
  }
  while (from < text->count && arr_get_int(text, from) != FEED) from++;
  return from;
}

static bool add_lines(vm *v, const arr *text, arr_pool *pool, arr_list *lines) {
  for (int64_t from = 0; from < text->count;) {
    int64_t to = next_feed(text, from);
    if (!list_add(lines, part_of(v, pool, text, from, to - from))) return false;
    from = to + 1;
    if (lines->n % 4096 == 0 && interrupted(v->c)) return false;
  }
  return true;
}

/* The list itself becomes the result: no line is looked at again. */
arr *text_lines(vm *v, const arr *text) {
  OWNED_LIST arr_list lines = {.v = v};
  arr_pool pool = {0};
  bool ok = add_lines(v, text, &pool, &lines);
  arr_pool_end(&pool);
  if (!ok) return NULL;
  if (!lines.n) return list_array(&lines);
  arr *r = arr_vec(v->c, ET_NEST, (int64_t)lines.n);
  if (!r) return NULL;
  memcpy(r->host, lines.at, lines.n * sizeof *lines.at);
  lines.n = 0;
  return r;
}

static arr *encoding_name(vm *v, const text_format *f) {
  OWNED_STR str s = {.c = v->c};
  str_puts(&s, encodings[f->e].name);
  if (encodings[f->e].mark_bytes) str_puts(&s, f->mark ? "-BOM" : "-NOBOM");
  return str_take(v, &s);
}

static arr *line_end_codes(vm *v, int line_end) {
  int64_t codes[2] = {RETURN, FEED};
  if (line_end == FEED + RETURN) return arr_int_vec(v->c, 2, codes);
  return arr_int_vec(v->c, 1, line_end == RETURN ? codes : codes + 1);
}

/* The encoding that x asks for: a name, or the first of several items. */
static bool asked_encoding(vm *v, arr *x, text_format *f) {
  OWNED_STR str name = {.c = v->c};
  f->e = ENCODINGS;
  if (x && is_nested(x) && x->rank < 2 && x->count) x = arr_item(x, 0);
  if (!x) return true;
  return arg_text(v, x, "⎕NGET's encoding", &name) &&
         (!name.n || text_encoding(v, name.at, f));
}

bool ext_nget(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  int64_t flag;
  text_format f;
  int line_end = 0;
  if (!ext_may(v, MAY_READ, "⎕NGET") || !asked_encoding(v, x, &f)) return false;
  if (!ext_path_flag(v, y, "⎕NGET", 1, &path, &flag)) return false;
  OWNED arr *bytes = ext_read(v, "⎕NGET", path.at);
  OWNED arr *text = bytes ? text_decode(v, bytes, "⎕NGET", &f, &line_end) : NULL;
  if (!text) return false;
  arr *content = flag ? text_lines(v, text) : arr_retain(text);
  arr *items[] = {content, encoding_name(v, &f), line_end_codes(v, line_end)};
  return give_result(r, items_of(v, 3, items));
}

/* ── characters to bytes ────────────────────────────────────────────────────────────── */

typedef struct writer {
  vm *v;
  int fd;
  const char *path;
  text_format f;
  uint32_t line_end[2];
  int line_end_n;
  str out; /* what is not written yet */
  int64_t bytes;
} writer;

static bool flush(writer *w) {
  if (w->out.failed) return false;
  w->bytes += (int64_t)w->out.n;
  bool ok = ext_write(w->v, w->fd, w->out.at, w->out.n, "⎕NPUT", w->path);
  w->out.n = 0;
  return ok;
}

static void put_unit(str *s, uint32_t code, encoding e) {
  char lo = (char)(code & 0xFF), hi = (char)(code >> 8);
  char pair[2] = {lo, hi};
  if (e == UTF_16BE) pair[0] = hi, pair[1] = lo;
  str_put(s, pair, 2);
}

static bool put_char(writer *w, uint32_t u) {
  encoding e = w->f.e;
  if (e == UTF_8) str_putc(&w->out, u);
  else if (e == UTF_16LE || e == UTF_16BE) {
    if (u < 0x10000) put_unit(&w->out, u, e);
    else {
      put_unit(&w->out, 0xD800 + ((u - 0x10000) >> 10), e);
      put_unit(&w->out, 0xDC00 + ((u - 0x10000) & 0x3FF), e);
    }
  } else {
    if (u >= (e == ASCII ? 0x80u : 0x100u))
      return err_set(w->v->c, ERR_DOMAIN, "⎕NPUT: the character ⎕UCS %u is not in %s", u,
                     encodings[e].name);
    str_put(&w->out, &(char){(char)u}, 1);
  }
  return w->out.n < LOOK_EVERY || flush(w);
}

static bool put_line_end(writer *w) {
  for (int i = 0; i < w->line_end_n; i++)
    if (!put_char(w, w->line_end[i])) return false;
  return true;
}

static bool put_text(writer *w, arr *a, const char *what) {
  if (!ir_host(w->v->g, a)) return false;
  if (a->rank > 1) return err_set(w->v->c, ERR_RANK, "⎕NPUT: %s is a vector", what);
  if (a->count && !elt_is_char((elt)a->type))
    return err_set(w->v->c, ERR_DOMAIN, "⎕NPUT: %s is text", what);
  bool feeds = w->line_end_n == 1 && w->line_end[0] == FEED;
  int unused;
  if (a->type == ET_C8 && w->f.e != UTF_16LE && w->f.e != UTF_16BE && feeds &&
      is_plain(a->host, (size_t)a->count, &unused)) {
    if (a->count < LOOK_EVERY) {
      str_put(&w->out, a->host, (size_t)a->count);
      return w->out.n < LOOK_EVERY || flush(w);
    }
    w->bytes += a->count;
    return flush(w) &&
           ext_write(w->v, w->fd, a->host, (size_t)a->count, "⎕NPUT", w->path);
  }
  bool ok = true, shown = share_begins(w->v->c, a->count);
  for (int64_t i = 0; ok && i < a->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    if (i % LOOK_EVERY == 0) share_is(w->v->c, shown, i);
    ok = u == FEED ? put_line_end(w) : put_char(w, u);
  }
  share_ends(w->v->c, shown);
  return ok;
}

static bool put_content(writer *w, arr *content) {
  if (w->f.mark) str_put(&w->out, encodings[w->f.e].mark, encodings[w->f.e].mark_bytes);
  if (!is_nested(content)) return put_text(w, content, "the content") && flush(w);
  bool ok = true, shown = share_begins(w->v->c, content->count);
  for (int64_t i = 0; ok && i < content->count; i++) {
    if (i % 4096 == 0) share_is(w->v->c, shown, i);
    ok = put_text(w, arr_item(content, i), "a line") && put_line_end(w);
  }
  share_ends(w->v->c, shown);
  return ok && flush(w);
}

/* Which characters end a line: 10, 13, or both. */
static bool read_line_end(writer *w, arr *a) {
  if (!ir_host(w->v->g, a)) return false;
  bool ok = elt_is_int((elt)a->type) && a->rank < 2 && (a->count == 1 || a->count == 2);
  w->line_end_n = (int)a->count;
  for (int i = 0; ok && i < w->line_end_n; i++) {
    int64_t u = arr_get_int(a, i);
    ok = u == FEED || u == RETURN || u == 133;
    w->line_end[i] = (uint32_t)u;
  }
  return ok || err_set(w->v->c, ERR_DOMAIN, "⎕NPUT: a line end is 10, 13 or 13 10");
}

/* x: the content; or content, encoding and line end. */
static arr *read_parts(writer *w, arr *x) {
  OWNED_STR str name = {.c = w->v->c};
  if (!is_nested(x)) return x;
  if (x->rank > 1 || x->count > 3 || !x->count)
    return err_null(w->v->c, ERR_LENGTH,
                    "⎕NPUT takes (⊂content), or content, encoding and line end");
  if (x->count > 1 && (!arg_text(w->v, arr_item(x, 1), "⎕NPUT's encoding", &name) ||
                       !text_encoding(w->v, name.at, &w->f)))
    return NULL;
  if (x->count > 2 && !read_line_end(w, arr_item(x, 2))) return NULL;
  return arr_item(x, 0);
}

bool ext_nput(vm *v, arr *x, arr *y, arr **r) {
  static const int how[] = {O_EXCL, O_TRUNC, O_APPEND};
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str out = {.c = v->c};
  int64_t flag;
  if (!ext_may(v, MAY_WRITE, "⎕NPUT")) return false;
  if (!ext_path_flag(v, y, "⎕NPUT", 2, &path, &flag)) return false;
  writer w = {.v = v, .path = path.at, .line_end = {FEED}, .line_end_n = 1, .out = out};
  arr *content = read_parts(&w, x);
  if (!content || !ir_host(v->g, content)) return false;
  w.fd = ext_open(v, "⎕NPUT", path.at, O_WRONLY | O_CREAT | how[flag]);
  if (w.fd < 0) return false;
  bool ok = put_content(&w, content);
  if (close(w.fd) && ok) ok = ext_os_error(v, "⎕NPUT", path.at);
  str_free(&w.out);
  return ok && give_result(r, arr_int(v->c, w.bytes));
}
