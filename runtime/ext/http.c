/* SPDX-License-Identifier: MIT */
/* http.c - ⎕HTTP: one request and its answer, by libcurl.
 *
 * libcurl works in small steps, between which Ctrl-C and the limits are looked at. What comes goes into
 * memory or, with OutFile, to a file that is there when all of it has come. What the network does is no
 * error of APL: rc and msg tell it. Of several ranks the first one asks, and all have the answer. */
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#ifdef __has_include
#if __has_include(<curl/curl.h>) && !defined(NO_CURL)
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#if LIBCURL_VERSION_NUM >= 0x074200 /* curl_multi_poll */
#define HAS_CURL
#endif
#endif
#endif

#ifdef HAS_CURL
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(curl_easy_init) X(curl_easy_setopt) X(curl_easy_cleanup) X(curl_easy_strerror)       \
  X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init) X(curl_multi_cleanup)   \
  X(curl_multi_add_handle) X(curl_multi_remove_handle) X(curl_multi_perform)             \
  X(curl_multi_poll) X(curl_multi_info_read)
/* clang-format on */
#define LIBRARY_USER "⎕HTTP"
#define LIBRARY_FILE "libcurl.so.4"
#include "library.h"

enum { LOOK_MS = 50, HEADS_MOST = 1 << 20 /* bytes of all heads */ };

/* ── what is asked ──────────────────────────────────────────────────────────────────── */

typedef struct http_request {
  vm *v;
  str url, command, body, out_file;
  bool has_body, has_type, has_agent;
  struct curl_slist *headers;
  double timeout; /* seconds; 0: none; below 0: so many without a byte */
  int64_t redirections, verify;
  const library *l;
} http_request;

static void request_free(http_request *q) {
  str_free(&q->url);
  str_free(&q->command);
  str_free(&q->body);
  str_free(&q->out_file);
  if (q->l) q->l->curl_slist_free_all(q->headers);
}

/* The field of the namespace, on the host; NULL: it has none. Borrowed. */
static arr *field(vm *v, const arr *in, const char *name, bool *ok) {
  const sym *s = sym_find(v, name, strlen(name));
  const value *x = s ? space_find(in, (sym *)(uintptr_t)s) : NULL;
  if (!x || x->cls != C_ARR) return NULL;
  *ok = *ok && ir_host(v->g, x->a);
  return *ok ? x->a : NULL;
}

static bool wrong(vm *v, const char *what) {
  return err_set(v->c, ERR_DOMAIN, "⎕HTTP: %s", what);
}

/* No line of a head may end within what a program gives. */
static bool is_one_line(const str *s) {
  return strlen(s->at) == s->n && !strpbrk(s->at, "\r\n");
}

static bool add_header(http_request *q, arr *name, arr *text) {
  vm *v = q->v;
  OWNED_STR str line = {.c = v->c};
  OWNED_STR str rest = {.c = v->c};
  if (!arg_text(v, name, "the name of a header", &line) ||
      !arg_text(v, text, "the text of a header", &rest))
    return false;
  if (!line.n || !is_one_line(&line) || !is_one_line(&rest) || strpbrk(line.at, ": "))
    return wrong(v, "a header is a name and one line of text");
  q->has_type |= !strcasecmp(line.at, "Content-Type");
  q->has_agent |= !strcasecmp(line.at, "User-Agent");
  if (rest.n) str_printf(&line, ": %s", rest.at);
  else str_puts(&line, ";");
  struct curl_slist *more =
      line.failed ? NULL : q->l->curl_slist_append(q->headers, line.at);
  if (!more) return err_set(v->c, ERR_WS_FULL, "⎕HTTP: headers");
  q->headers = more;
  return true;
}

/* A matrix of two columns, a vector of pairs, or one pair. */
static bool add_headers(http_request *q, arr *x) {
  vm *v = q->v;
  bool matrix = x->rank == 2 && x->shape[1] == 2;
  if (!x->count) return true;
  if (!is_nested(x)) return wrong(v, "Headers are pairs of names and texts");
  if (matrix || (x->rank == 1 && x->count == 2 && !is_nested(arr_item(x, 0)))) {
    for (int64_t i = 0; i < x->count; i += 2)
      if (!add_header(q, arr_item(x, i), arr_item(x, i + 1))) return false;
    return true;
  }
  for (int64_t i = 0; i < x->count; i++) {
    const arr *pair = arr_item(x, i);
    if (!is_nested(pair) || pair->count != 2)
      return wrong(v, "Headers are pairs of names and texts");
    if (!add_header(q, arr_item(pair, 0), arr_item(pair, 1))) return false;
  }
  return true;
}

/* Characters as UTF-8, or numbers ¯128 to 255 as bytes. */
static bool take_body(http_request *q, arr *x) {
  vm *v = q->v;
  q->has_body = true;
  if (elt_is_char((elt)x->type)) {
    OWNED arr *vector = arr_reshape(v->c, x, 1, &x->count);
    return vector && arg_text(v, vector, "⎕HTTP's Body", &q->body);
  }
  if (x->count && !elt_is_int((elt)x->type)) return wrong(v, "Body is text or bytes");
  for (int64_t i = 0; i < x->count; i++) {
    int64_t n = arr_get_int(x, i);
    char byte = (char)n;
    if (n < -128 || n > 255) return wrong(v, "Body is text or bytes");
    str_put(&q->body, &byte, 1);
    if (stops_at(v->c, i)) return false;
  }
  return !q->body.failed;
}

static bool take_number(vm *v, arr *x, const char *what, double *to) {
  if (x->count != 1 || !elt_is_num((elt)x->type)) return wrong(v, what);
  *to = arr_get_float(x, 0);
  return (*to >= -1e6 && *to <= 1e6) || wrong(v, what);
}

static bool right_command(str *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->at[i] >= 'a' && s->at[i] <= 'z') s->at[i] = (char)(s->at[i] - 32);
    if (s->at[i] < 'A' || s->at[i] > 'Z') return false;
  }
  return s->n > 0;
}

static bool take_fields(http_request *q, const arr *in) {
  vm *v = q->v;
  bool ok = true;
  double n = 0;
  arr *x = field(v, in, "URL", &ok);
  if (!x) return ok && wrong(v, "there is no URL");
  ok = arg_text(v, x, "⎕HTTP's URL", &q->url);
  if (ok && (x = field(v, in, "Command", &ok)) && x->count)
    ok = arg_text(v, x, "⎕HTTP's Command", &q->command);
  if (ok && (x = field(v, in, "Headers", &ok))) ok = add_headers(q, x);
  if (ok && (x = field(v, in, "Body", &ok))) ok = take_body(q, x);
  if (ok && (x = field(v, in, "OutFile", &ok)) && x->count)
    ok = ext_path(v, x, "⎕HTTP's OutFile", &q->out_file);
  if (ok && (x = field(v, in, "Timeout", &ok)))
    ok = take_number(v, x, "Timeout is a number of seconds", &q->timeout);
  if (ok && (x = field(v, in, "MaxRedirections", &ok))) {
    ok = take_number(v, x, "MaxRedirections is a number", &n);
    q->redirections = (int64_t)n;
  }
  if (ok && (x = field(v, in, "Verify", &ok))) {
    ok = take_number(v, x, "Verify is 0 or 1", &n);
    q->verify = n != 0;
  }
  return ok;
}

static bool take_request(http_request *q, arr *y) {
  vm *v = q->v;
  bool ok;
  if (y->ref) ok = take_fields(q, y);
  else ok = arg_text(v, y, "⎕HTTP's URL", &q->url);
  if (!q->command.n) str_puts(&q->command, q->has_body ? "POST" : "GET");
  if (!ok) return false;
  if (!q->url.n || !is_one_line(&q->url)) return wrong(v, "the URL is no line of text");
  if (!right_command(&q->command)) return wrong(v, "Command is a word such as GET");
  return !q->out_file.n || ext_may(v, MAY_WRITE, "⎕HTTP");
}

/* ── what comes ─────────────────────────────────────────────────────────────────────── */

typedef struct http_answer {
  vm *v;
  str heads, data; /* heads: of all answers, those that redirect first */
  ext_file file;
  bool to_file, failed;
  int64_t bytes;
  double elapsed;
  CURLcode code;
  char why[CURL_ERROR_SIZE];
} http_answer;

static size_t take_head(char *at, size_t one, size_t n, void *user) {
  http_answer *a = user;
  if (a->heads.n + one * n > HEADS_MOST) return 0;
  str_put(&a->heads, at, one * n);
  return a->heads.failed ? 0 : one * n;
}

static size_t take_data(char *at, size_t one, size_t n, void *user) {
  http_answer *a = user;
  a->bytes += (int64_t)(one * n);
  if (a->to_file) a->failed = !ext_put(&a->file, at, one * n);
  else str_put(&a->data, at, one * n);
  return a->failed || a->data.failed ? 0 : one * n;
}

static void set_command(const http_request *q, CURL *h) {
  const library *l = q->l;
  const char *k = q->command.at;
  if (!strcmp(k, "HEAD")) l->curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
  else if (!strcmp(k, "POST")) l->curl_easy_setopt(h, CURLOPT_POST, 1L);
  else if (strcmp(k, "GET") || q->has_body)
    l->curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, k);
  if (!q->has_body && strcmp(k, "POST")) return;
  l->curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.n);
  l->curl_easy_setopt(h, CURLOPT_POSTFIELDS, q->body.n ? q->body.at : "");
}

static void set_options(http_request *q, CURL *h, http_answer *a) {
  const library *l = q->l;
  l->curl_easy_setopt(h, CURLOPT_URL, q->url.at);
  l->curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
  l->curl_easy_setopt(h, CURLOPT_ERRORBUFFER, a->why);
#if LIBCURL_VERSION_NUM >= 0x075500
  l->curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
  l->curl_easy_setopt(h, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  l->curl_easy_setopt(h, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
  l->curl_easy_setopt(h, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
  if (!(q->v->c->may & MAY_ENV)) l->curl_easy_setopt(h, CURLOPT_PROXY, "");
  if (!q->has_agent) l->curl_easy_setopt(h, CURLOPT_USERAGENT, "vapl");
  l->curl_easy_setopt(h, CURLOPT_ACCEPT_ENCODING, "");
  l->curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, (long)(q->redirections != 0));
  l->curl_easy_setopt(h, CURLOPT_MAXREDIRS, (long)q->redirections);
  l->curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, (long)q->verify);
  l->curl_easy_setopt(h, CURLOPT_SSL_VERIFYHOST, (long)(2 * q->verify));
  if (q->timeout > 0)
    l->curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)(q->timeout * 1e3));
  if (q->timeout < 0) {
    l->curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
    l->curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME, (long)-q->timeout);
  }
  l->curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, take_head);
  l->curl_easy_setopt(h, CURLOPT_HEADERDATA, a);
  l->curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take_data);
  l->curl_easy_setopt(h, CURLOPT_WRITEDATA, a);
  l->curl_easy_setopt(h, CURLOPT_HTTPHEADER, q->headers);
  set_command(q, h);
}

/* Headers that libcurl would add by itself are left out. */
static bool leave_out(http_request *q) {
  static const char *const names[] = {"Expect:", "Content-Type:"};
  for (size_t i = 0; i < 2u - q->has_type; i++) {
    struct curl_slist *more = q->l->curl_slist_append(q->headers, names[i]);
    if (!more) return err_set(q->v->c, ERR_WS_FULL, "⎕HTTP: headers");
    q->headers = more;
  }
  return true;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool transfer(const http_request *q, CURLM *m, http_answer *a) {
  const library *l = q->l;
  int running = 1, left;
  while (running) {
    CURLMcode failed = l->curl_multi_perform(m, &running);
    if (!failed && running) failed = l->curl_multi_poll(m, NULL, 0, LOOK_MS, NULL);
    if (interrupted(q->v->c)) return false;
    if (failed) return wrong(q->v, "libcurl has failed");
  }
  const CURLMsg *said = l->curl_multi_info_read(m, &left);
  a->code = said ? said->data.result : CURLE_FAILED_INIT;
  return !err_is(q->v->c); /* of a file, or of memory */
}

static bool ask(http_request *q, http_answer *a) {
  const library *l = q->l;
  CURL *h = leave_out(q) ? l->curl_easy_init() : NULL;
  CURLM *m = h ? l->curl_multi_init() : NULL;
  bool ok = m && !l->curl_multi_add_handle(m, h);
  double from = seconds_now();
  if (!ok) err_set(q->v->c, ERR_WS_FULL, "⎕HTTP: libcurl does not begin");
  if (ok) set_options(q, h, a);
  ok = ok && transfer(q, m, a);
  a->elapsed = seconds_now() - from;
  if (m && h) l->curl_multi_remove_handle(m, h);
  if (h) l->curl_easy_cleanup(h);
  if (m) l->curl_multi_cleanup(m);
  return ok;
}

/* ── the answer as an array ─────────────────────────────────────────────────────────── */

static arr *text_of(vm *v, const char *p, const char *end) {
  return arr_text(v->c, p, (size_t)(end - p));
}

static const char *without_blanks(const char *p, const char **end) {
  while (p < *end && (*p == ' ' || *p == '\t')) p++;
  while (*end > p && strchr(" \t\r\n", (*end)[-1])) --*end;
  return p;
}

/* One head: version, status, message, headers as a matrix. *type becomes its content type. */
static arr *head_array(vm *v, const char *p, const char *end, str *type) {
  OWNED_LIST arr_list headers = {.v = v};
  const char *line = memchr(p, '\n', (size_t)(end - p)), *stop = line ? line : end;
  type->n = 0;
  str_puts(type, "");
  const char *version = p, *last = version + strcspn(version, " \r\n");
  const char *status = last + strspn(last, " ");
  int64_t number = atoll(status);
  const char *message = status + strspn(status, "0123456789");
  message = without_blanks(message, &stop);
  for (p = line ? line + 1 : end; p < end;) {
    const char *next = memchr(p, '\n', (size_t)(end - p)), *e = next ? next : end;
    const char *colon = memchr(p, ':', (size_t)(e - p));
    if (colon) {
      const char *rest = without_blanks(colon + 1, &e);
      if (colon - p == 12 && !strncasecmp(p, "content-type", 12)) {
        type->n = 0;
        str_put(type, rest, (size_t)(e - rest));
      }
      if (!list_add(&headers, text_of(v, p, colon)) ||
          !list_add(&headers, text_of(v, rest, e)))
        return NULL;
    }
    p = next ? next + 1 : end;
  }
  int64_t shape[] = {(int64_t)headers.n / 2, 2};
  OWNED arr *all = arr_new(v->c, ET_NEST, 2, shape);
  if (!all) return NULL;
  for (size_t i = 0; i < headers.n; i++)
    ((arr **)all->host)[i] = arr_retain(headers.at[i]);
  if (!headers.n) ((arr **)all->host)[0] = arr_text(v->c, "", 0);
  if (!arr_item(all, 0)) return NULL;
  arr *of[] = {text_of(v, version, last), arr_int(v->c, number),
               text_of(v, message, stop < message ? message : stop), arr_move(&all)};
  return items_of(v, ARRAY_LEN(of), of);
}

/* The heads in turn, without those that only say that more comes. */
static bool heads_of(vm *v, const http_answer *a, arr_list *heads, str *type) {
  const char *p = a->heads.at, *end = p + a->heads.n;
  while (p && p < end) {
    const char *stop = memmem(p, (size_t)(end - p), "\r\n\r\n", 4);
    stop = stop ? stop + 4 : end;
    const char *status = p + strcspn(p, " ");
    bool goes_on = !strncmp(status, " 1", 2);
    bool is_head =
        stop - p > 5 && !strncmp(p, "HTTP/", 5); /* no trailer behind the data */
    if (is_head && !goes_on && !list_add(heads, head_array(v, p, stop, type)))
      return false;
    p = stop;
  }
  return true;
}

static bool is_utf8(const str *s) {
  const char *p = s->at, *end = p + s->n;
  while (p < end) {
    const char *from = p;
    if (utf8_next(p, end, &p) == 0xFFFD &&
        (p - from != 3 || memcmp(from, "\xEF\xBF\xBD", 3)))
      return false;
  }
  return true;
}

/* Is it text, as its type says? */
static bool is_text(const char *type) {
  static const char *const texts[] = {"text/",      "json",  "xml",
                                      "javascript", "utf-8", "x-www-form-urlencoded"};
  if (strcasestr(type, "iso-8859-1")) return false; /* bytes are its characters */
  for (size_t i = 0; i < ARRAY_LEN(texts); i++)
    if (strcasestr(type, texts[i])) return true;
  return !*type;
}

static arr *data_of(vm *v, const http_answer *a, const char *type) {
  if (is_text(type) && is_utf8(&a->data)) return arr_text(v->c, a->data.at, a->data.n);
  arr *bytes = arr_vec(v->c, ET_C8, (int64_t)a->data.n);
  if (bytes && a->data.n) memcpy(bytes->host, a->data.at, a->data.n);
  return bytes;
}

/* rc msg Data Elapsed BytesWritten, then the heads. */
static arr *answer_array(vm *v, const http_request *q, const http_answer *a) {
  OWNED_LIST arr_list heads = {.v = v};
  OWNED_STR str type = {.c = v->c};
  const char *msg = a->code && *a->why ? a->why : q->l->curl_easy_strerror(a->code);
  if (!a->code) msg = "";
  if (!heads_of(v, a, &heads, &type)) return NULL;
  OWNED arr *all = heads.n ? arr_new_items(v->c, 1, &(int64_t){(int64_t)heads.n})
                           : arr_vec(v->c, ET_BIT, 0);
  for (size_t i = 0; all && i < heads.n; i++)
    ((arr **)all->host)[i] = arr_retain(heads.at[i]);
  arr *of[] = {arr_int(v->c, -(int64_t)a->code),
               arr_text(v->c, msg, strlen(msg)),
               data_of(v, a, type.at ? type.at : ""),
               arr_int(v->c, (int64_t)(a->elapsed * 1e3)),
               arr_int(v->c, a->to_file ? a->bytes : 0),
               arr_move(&all)};
  return items_of(v, ARRAY_LEN(of), of);
}

static arr *http_here(http_request *q) {
  vm *v = q->v;
  http_answer a = {.v = v, .heads = {.c = v->c}, .data = {.c = v->c}};
  arr *r = NULL;
  a.to_file = q->out_file.n > 0;
  bool ok = !a.to_file || ext_begin(&a.file, v, "⎕HTTP", q->out_file.at);
  ok = ok && ask(q, &a);
  if (ok && a.to_file && !a.code) ok = ext_commit(&a.file);
  if (ok) r = answer_array(v, q, &a);
  if (a.to_file) ext_abandon(&a.file);
  str_free(&a.heads);
  str_free(&a.data);
  return r;
}

/* ── ⎕HTTP ──────────────────────────────────────────────────────────────────────────── */

/* A namespace of what a head is; NULL: of none. */
static arr *head_space(vm *v, const arr *head) {
  static const char *const names[] = {"HttpVersion", "HttpStatus", "HttpMessage",
                                      "Headers"};
  arr *items[ARRAY_LEN(names)];
  for (size_t i = 0; i < ARRAY_LEN(names); i++)
    items[i] = arr_retain(arr_item(head, (int64_t)i));
  return space_of_items(v, arr_text(v->c, "#.[HTTP]", 8), ARRAY_LEN(names), names, items);
}

static arr *answer_space(vm *v, const arr *a) {
  static const char *const names[] = {
      "rc",          "msg",        "Data",        "Elapsed", "BytesWritten",
      "HttpVersion", "HttpStatus", "HttpMessage", "Headers", "Redirections"};
  enum { OF_HEAD = 5, HEAD_ITEMS = 4, REDIRECTIONS = 9 };
  OWNED_LIST arr_list before = {.v = v};
  arr *heads = arr_item(a, OF_HEAD);
  const arr *last = heads->count ? arr_item(heads, heads->count - 1) : NULL;
  for (int64_t i = 0; i + 1 < heads->count; i++)
    if (!list_add(&before, head_space(v, arr_item(heads, i)))) return NULL;
  arr *items[ARRAY_LEN(names)];
  for (int i = 0; i < OF_HEAD; i++) items[i] = arr_retain(arr_item(a, i));
  for (int i = 0; i < HEAD_ITEMS; i++) {
    if (last) items[OF_HEAD + i] = arr_retain(arr_item(last, i));
    else if (i == 1) items[OF_HEAD + i] = arr_int(v->c, 0);
    else if (i == 3) items[OF_HEAD + i] = arr_new(v->c, ET_C8, 2, (int64_t[]){0, 2});
    else items[OF_HEAD + i] = arr_text(v->c, "", 0);
  }
  items[REDIRECTIONS] = before.n ? list_array(&before) : arr_vec(v->c, ET_BIT, 0);
  return space_of_items(v, arr_text(v->c, "#.[HTTP]", 8), ARRAY_LEN(names), names, items);
}

bool ext_http(vm *v, arr *x, arr *y, arr **r) {
  http_request q = {.v = v, .redirections = 10, .verify = 1};
  arr *answer = NULL;
  UNUSED(x);
  q.url.c = q.command.c = q.body.c = q.out_file.c = v->c;
  if (!ext_may(v, MAY_NET, "⎕HTTP") || !ir_host(v->g, y) || !(q.l = library_of(v)))
    return false;
  bool ok = take_request(&q, y);
  if (ok && dist_alone_begins(v->c)) answer = http_here(&q);
  if (ok) ok = dist_alone_ends(v->c, &answer);
  request_free(&q);
  OWNED arr *all = answer;
  return ok && all && give_result(r, answer_space(v, all));
}
#else
bool ext_http(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  UNUSED(r);
  return ext_may(v, MAY_NET, "⎕HTTP") &&
         err_set(v->c, ERR_NONCE,
                 "⎕HTTP: this program was built without libcurl (libcurl4-openssl-dev)");
}
#endif
