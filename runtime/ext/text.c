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
#include <stddef.h>
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
} encoding_row;
static const encoding_row encodings[ENCODINGS] = {
    [UTF_8] = {"UTF-8", "\xEF\xBB\xBF", 3},
    [UTF_32LE] = {"UTF-32LE", "\xFF\xFE\0\0", 4},
    [UTF_32BE] = {"UTF-32BE", "\0\0\xFE\xFF", 4},
    [UTF_16LE] = {"UTF-16LE", "\xFF\xFE", 2},
    [UTF_16BE] = {"UTF-16BE", "\xFE\xFF", 2},
    [LATIN_1] = {"ISO-8859-1", "", 0},
    [WINDOWS] = {"Windows-1252", "", 0},
    [ASCII] = {"ASCII", "", 0}};

/* What Windows-1252 has from 128 on in place of control characters; those that it leaves out
 * stand for themselves. */
static const uint16_t windows[32] = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
    0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

/* ── encodings ──────────────────────────────────────────────────────────────────────── */

static bool is_16(encoding e) { return e == UTF_16LE || e == UTF_16BE; }
static bool is_32(encoding e) { return e == UTF_32LE || e == UTF_32BE; }

static bool has_mark(const char *p, size_t n, encoding e) {
  size_t k = encodings[e].mark_bytes;
  return k && n >= k && !memcmp(p, encodings[e].mark, k);
}

bool text_encoding(vm *v, const char *name, text_format *f) {
  static const char *const more[][2] = {{"Latin-1", "ISO-8859-1"},
                                        {"ANSI", "Windows-1252"},
                                        {"UTF-16", "UTF-16LE"},
                                        {"UTF-32", "UTF-32LE"}};
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
    if ((with || without) && !encodings[e].mark_bytes) break;
    f->e = e;
    f->mark = with || (!without && (is_16(e) || is_32(e)));
    return true;
  }
  return err_set(v->c, ERR_DOMAIN,
                 "there is no encoding %s: UTF-8, UTF-16LE, UTF-16BE, UTF-32LE, UTF-32BE "
                 "(with -BOM or -NOBOM), ISO-8859-1, Windows-1252 and ASCII are known",
                 name);
}

/* What the bytes say themselves: a mark; else what was asked for; else, of UTF-16, zeros in
 * every other place of the first characters. */
static void recognise(const char *p, size_t n, text_format *f) {
  size_t zeros[2] = {0}, look = n < 64 ? n : 64;
  for (encoding e = 0; e < LATIN_1; e++)
    if (has_mark(p, n, e)) {
      *f = (text_format){e, true};
      return;
    }
  f->mark = false;
  if (f->e != ENCODINGS) return;
  for (size_t i = 0; i < look; i++) zeros[i % 2] += !p[i];
  f->e = UTF_8;
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

static uint32_t next_32(const char *p, const char *end, encoding e, const char **next) {
  const unsigned char *u = (const unsigned char *)p;
  *next = p + 1;
  if (end - p < 4) return BAD;
  encoding half = e == UTF_32LE ? UTF_16LE : UTF_16BE;
  uint32_t lo = unit_at(u, half), hi = unit_at(u + 2, half);
  uint32_t code = e == UTF_32LE ? hi << 16 | lo : lo << 16 | hi;
  *next = p + 4;
  return utf8_holds(code) ? code : BAD;
}

/* The character at p; BAD if that is none. */
static inline uint32_t next_char(const char *p, const char *end, encoding e,
                                 const char **next) {
  unsigned char byte = (unsigned char)*p;
  if (is_16(e)) return next_16(p, end, e, next);
  if (is_32(e)) return next_32(p, end, e, next);
  *next = p + 1;
  if (byte < 0x80 || e == LATIN_1) return byte;
  if (e == WINDOWS) return byte < 0xA0 ? windows[byte - 0x80] : byte;
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
  recognise(from, n, f);
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
  OWNED arr *r = arr_vec(v->c, elt_for_char(s->top), s->count);
  const char *end = from + n;
  int64_t i = 0;
  for (const char *p = from + skip, *next; r && p < end; p = next, i++) {
    uint32_t u = next_char(p, end, e, &next);
    if (stops_at(v->c, i)) return NULL;
    if (ends_line(u, end, e, &next)) u = FEED;
    if (r->type == ET_C8) ((uint8_t *)r->host)[i] = (uint8_t)u;
    else if (r->type == ET_C16) ((uint16_t *)r->host)[i] = (uint16_t)u;
    else ((uint32_t *)r->host)[i] = u;
  }
  return arr_move(&r);
}

arr *text_decode(vm *v, arr *bytes, const char *who, text_format *f, int *line_end) {
  const char *p = bytes->host;
  size_t n = (size_t)bytes->count;
  survey s = {0};
  recognise(p, n, f);
  size_t skip = f->mark ? encodings[f->e].mark_bytes : 0;
  bool bytewise = !is_16(f->e) && !is_32(f->e);
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

bool text_read(vm *v, const char *who, const char *path, str *text) {
  text_format f = {ENCODINGS, false};
  int line_end;
  OWNED arr *bytes = ext_read(v, who, path);
  OWNED arr *chars = bytes ? text_decode(v, bytes, who, &f, &line_end) : NULL;
  return chars && arg_text(v, chars, who, text);
}

static arr *as_matrix(vm *v, arr *lines) { /* takes them over */
  OWNED arr *own = lines;
  prim_env e = env_of(v);
  if (own->count) return prim_monadic(&e, P_TAKE, own);
  return arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0});
}

static arr *encoding_name(vm *v, const text_format *f) {
  OWNED_STR str s = {.c = v->c};
  str_puts(&s, encodings[f->e].name);
  if (encodings[f->e].mark_bytes) str_puts(&s, f->mark ? "-BOM" : "-NOBOM");
  return str_take(v, &s);
}

static arr *line_end_codes(vm *v, int line_end) {
  int64_t codes[2] = {RETURN, FEED};
  if (!line_end) return arr_vec(v->c, ET_BIT, 0);
  if (line_end == FEED + RETURN) return arr_int_vec(v->c, 2, codes);
  return arr_int_vec(v->c, 1, line_end == RETURN ? codes : codes + 1);
}

/* The encoding that x asks for: a name, perhaps enclosed. */
static bool asked_encoding(vm *v, arr *x, text_format *f) {
  OWNED_STR str name = {.c = v->c};
  f->e = ENCODINGS;
  if (x && is_nested(x) && x->rank < 2 && x->count == 1) x = arr_item(x, 0);
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
  if (!ext_path_flag(v, y, "⎕NGET", 2, &path, &flag)) return false;
  OWNED arr *bytes = ext_read(v, "⎕NGET", path.at);
  OWNED arr *text = bytes ? text_decode(v, bytes, "⎕NGET", &f, &line_end) : NULL;
  if (!text) return false;
  arr *content = flag ? text_lines(v, text) : arr_retain(text);
  if (content && flag == 2) content = as_matrix(v, content);
  arr *items[] = {content, encoding_name(v, &f), line_end_codes(v, line_end)};
  return give_result(r, items_of(v, 3, items));
}

/* ── characters to bytes ────────────────────────────────────────────────────────────── */

enum { KEEPS_BARE = -1, KEEPS, FEEDS, ALL_ENDS }; /* the option NEOL */

typedef struct writer {
  vm *v;
  int fd;
  const char *path;
  text_format f;
  uint32_t line_end[2];
  int line_end_n;
  bool bare;     /* the last line gets no line end */
  int64_t neol;  /* which line ends in a text become line_end */
  uint32_t last; /* character that was written */
  str out;       /* what is not written yet */
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

/* The byte of the character u; -1: it has none. */
static int byte_of(encoding e, uint32_t u) {
  bool own = u < 0x80 || (u < 0x100 && (e == LATIN_1 || (e == WINDOWS && u >= 0xA0)));
  if (own) return (int)u;
  for (int i = 0; e == WINDOWS && i < (int)ARRAY_LEN(windows); i++)
    if (windows[i] == u) return 0x80 + i;
  return -1;
}

static bool put_char(writer *w, uint32_t u) {
  encoding e = w->f.e;
  w->last = u;
  if (e == UTF_8) str_putc(&w->out, u);
  else if (is_16(e) && u >= 0x10000) {
    put_unit(&w->out, 0xD800 + ((u - 0x10000) >> 10), e);
    put_unit(&w->out, 0xDC00 + ((u - 0x10000) & 0x3FF), e);
  } else if (is_16(e)) put_unit(&w->out, u, e);
  else if (e == UTF_32LE) {
    put_unit(&w->out, u & 0xFFFF, UTF_16LE);
    put_unit(&w->out, u >> 16, UTF_16LE);
  } else if (e == UTF_32BE) {
    put_unit(&w->out, u >> 16, UTF_16BE);
    put_unit(&w->out, u & 0xFFFF, UTF_16BE);
  } else str_put(&w->out, &(char){(char)byte_of(e, u)}, 1);
  return w->out.n < LOOK_EVERY || flush(w);
}

static bool put_line_end(writer *w) {
  for (int i = 0; i < w->line_end_n; i++)
    if (!put_char(w, w->line_end[i])) return false;
  return true;
}

static bool is_newline(uint32_t u) { return u == FEED || u == RETURN || u == 133; }

/* A line end of any kind, other separators too. */
static bool separates(uint32_t u) {
  return is_newline(u) || u == 11 || u == 12 || u == 8232 || u == 8233;
}

/* The character u of a text, behind the one `before`. */
static bool put_of_text(writer *w, uint32_t u, uint32_t before) {
  bool pair = u == FEED && before == RETURN; /* one line end */
  if (w->neol == FEEDS && u == FEED && !(pair && w->line_end_n == 2))
    return put_line_end(w);
  if (w->neol == ALL_ENDS && pair) return true;
  if (w->neol == ALL_ENDS && separates(u)) return put_line_end(w);
  return put_char(w, u);
}

/* ASCII with ⎕UCS 10 as its line end is written as it stands. */
static bool put_plain(writer *w, const arr *a) {
  if (a->count) w->last = ((const unsigned char *)a->host)[a->count - 1];
  if (a->count < LOOK_EVERY) {
    str_put(&w->out, a->host, (size_t)a->count);
    return w->out.n < LOOK_EVERY || flush(w);
  }
  w->bytes += a->count;
  return flush(w) && ext_write(w->v, w->fd, a->host, (size_t)a->count, "⎕NPUT", w->path);
}

static bool text_put(writer *w, const arr *a) {
  bool feeds = w->line_end_n == 1 && w->line_end[0] == FEED;
  int unused;
  if (a->type == ET_C8 && !is_16(w->f.e) && !is_32(w->f.e) && feeds &&
      w->neol != ALL_ENDS && is_plain(a->host, (size_t)a->count, &unused))
    return put_plain(w, a);
  bool ok = true, shown = share_begins(w->v->c, a->count);
  uint32_t before = 0;
  for (int64_t i = 0; ok && i < a->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    if (i % LOOK_EVERY == 0) share_is(w->v->c, shown, i);
    ok = put_of_text(w, u, before);
    before = u;
  }
  share_ends(w->v->c, shown);
  return ok;
}

/* A text with a line end behind it, if it has none. An empty file has no line. */
static bool text_put_line(writer *w, const arr *a, bool last) {
  w->last = 0;
  if (!text_put(w, a)) return false;
  return (last && w->bare) || is_newline(w->last) || put_line_end(w);
}

/* Rows without the blanks behind them. */
static bool text_put_rows(writer *w, const arr *a) {
  int64_t wide = a->shape[1];
  for (int64_t i = 0; i < a->shape[0]; i++) {
    int64_t n = wide;
    while (n && arr_get_int(a, i * wide + n - 1) == ' ') n--;
    OWNED arr *row = arr_vec(w->v->c, (elt)a->type, n);
    if (!row || interrupted(w->v->c)) return false;
    arr_copy(row, 0, a, i * wide, n);
    if (!text_put_line(w, row, i == a->shape[0] - 1)) return false;
  }
  return true;
}

static bool put_content(writer *w, const arr *content) {
  if (w->f.mark) str_put(&w->out, encodings[w->f.e].mark, encodings[w->f.e].mark_bytes);
  if (content->rank == 2) return text_put_rows(w, content) && flush(w);
  if (!is_nested(content))
    return (!content->count || text_put_line(w, content, true)) && flush(w);
  bool ok = true, shown = share_begins(w->v->c, content->count);
  for (int64_t i = 0; ok && i < content->count; i++) {
    if (i % 4096 == 0) share_is(w->v->c, shown, i);
    ok = text_put_line(w, arr_item(content, i), i == content->count - 1);
  }
  share_ends(w->v->c, shown);
  return ok && flush(w);
}

/* Is `a` text of at most that rank, all of whose characters the encoding has? */
static bool check_text(const writer *w, arr *a, int rank, const char *what) {
  ctx *c = w->v->c;
  encoding e = w->f.e;
  if (!ir_host(w->v->g, a)) return false;
  if (a->rank > rank) return err_set(c, ERR_RANK, "⎕NPUT: %s is a vector", what);
  if (a->count && !elt_is_char((elt)a->type))
    return err_set(c, ERR_DOMAIN, "⎕NPUT: %s is text", what);
  for (int64_t i = 0; (a->type != ET_C8 || e > LATIN_1) && i < a->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    if (e < LATIN_1 ? !utf8_holds(u) : byte_of(e, u) < 0)
      return err_set(c, ERR_DOMAIN, "⎕NPUT: the character ⎕UCS %u is not in %s", u,
                     encodings[e].name);
    if (i % LOOK_EVERY == LOOK_EVERY - 1 && interrupted(c)) return false;
  }
  return true;
}

/* Can all of it be written? Nothing is touched before that is known. */
static bool check_content(const writer *w, arr *content) {
  if (!is_nested(content)) return check_text(w, content, 2, "the content");
  if (content->rank > 1) return err_set(w->v->c, ERR_RANK, "⎕NPUT: lines are a vector");
  for (int64_t i = 0; i < content->count; i++)
    if (!check_text(w, arr_item(content, i), 1, "a line")) return false;
  return true;
}

/* Which characters end a line: 10, 13, 13 10 or 133; ⍬: none ends the last one. */
static bool read_line_end(writer *w, arr *a) {
  if (!ir_host(w->v->g, a)) return false;
  bool ok = a->rank < 2 && a->count <= 2 && (!a->count || elt_is_int((elt)a->type));
  if (ok && !a->count) {
    w->bare = true;
    return true;
  }
  w->line_end_n = (int)a->count;
  for (int i = 0; ok && i < w->line_end_n; i++)
    w->line_end[i] = (uint32_t)arr_get_int(a, i);
  ok = ok && is_newline(w->line_end[0]) &&
       (w->line_end_n == 1 || (w->line_end[0] == RETURN && w->line_end[1] == FEED));
  return ok || err_set(w->v->c, ERR_DOMAIN, "⎕NPUT: a line end is 10, 13, 13 10 or 133");
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
  static const option_row rows[] = {
      {.name = "NEOL", .lo = KEEPS_BARE, .hi = ALL_ENDS, .at = offsetof(writer, neol)},
      {0}};
  OWNED_STR str path = {.c = v->c};
  int64_t flag;
  if (!ext_may(v, MAY_WRITE, "⎕NPUT")) return false;
  if (!ext_path_flag(v, y, "⎕NPUT", 2, &path, &flag)) return false;
  writer w = {.v = v,
              .path = path.at,
              .line_end = {FEED},
              .line_end_n = 1,
              .neol = FEEDS,
              .out = {.c = v->c}};
  if (!arg_option_rows(v, v->options, "⎕NPUT", rows, &w)) return false;
  arr *content = read_parts(&w, x);
  if (!content || !ir_host(v->g, content) || !check_content(&w, content)) return false;
  w.bare |= w.neol == KEEPS_BARE;
  w.fd = ext_open(v, "⎕NPUT", path.at, O_WRONLY | O_CREAT | how[flag]);
  if (w.fd < 0) return false;
  struct stat st;
  if (flag == 2 && !fstat(w.fd, &st) && st.st_size) w.f.mark = false;
  bool ok = put_content(&w, content);
  if (close(w.fd) && ok) ok = ext_os_error(v, "⎕NPUT", path.at);
  str_free(&w.out);
  v->shy = true;
  return ok && give_result(r, arr_int(v->c, w.bytes));
}
