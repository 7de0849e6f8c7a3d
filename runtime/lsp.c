/* SPDX-License-Identifier: MIT */
/* lsp.c - vapl lsp: a language server, which an editor starts and speaks with on standard input and output.
 *
 *   Content-Length: N, N bytes of JSON ─▶ a request: its row in the table ─▶ the answer
 *                                      ─▶ a notification: a text is opened, changed, closed ─▶ its errors
 *
 * Messages are read one after the other, and nothing runs: a text is parsed as vapl --check parses it. What is no
 * message gets an error, and the next one is read. JSON is jansson's: building and reading messages by formats takes
 * a quarter of the lines that it would take with values of APL, which ⎕JSON reads into. A build without it has no
 * vapl lsp (Makefile). */
#include "lsp.h"
#include "line.h"
#include "session.h"
#include "vapl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_LENGTH = 256 << 20, MOST_HEADER = 4096, CHUNK = 4096 };
enum { /* of JSON-RPC */
       RPC_PARSE = -32700,
       RPC_REQUEST = -32600,
       RPC_METHOD = -32601,
       RPC_PARAMS = -32602,
       RPC_INTERNAL = -32603,
       RPC_NOT_BEGUN = -32002,
};

/* ── out ────────────────────────────────────────────────────────────────────────────── */

/* Sends a message and drops it. */
static void send_message(json_t *m) {
  char *text = m ? json_dumps(m, JSON_COMPACT) : NULL;
  json_decref(m);
  if (!text) return;
  printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
  fflush(stdout);
  free(text);
}

static void send_error(json_t *id, int code, const char *why) {
  json_t *e = json_pack("{s:i,s:s}", "code", code, "message", why);
  send_message(json_pack("{s:s,s:O?,s:o}", "jsonrpc", "2.0", "id", id, "error", e));
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

lsp_doc *lsp_doc_of(const lsp *l, json_t *params) {
  const char *uri =
      json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  for (size_t i = 0; uri && i < l->docs.n; i++)
    if (!strcmp(l->docs.at[i]->uri, uri)) return l->docs.at[i];
  return NULL;
}

static void send_errors(const lsp_doc *d, json_t *errors) {
  json_t *params = json_pack("{s:s,s:o}", "uri", d->uri, "diagnostics", errors);
  send_message(json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method",
                         "textDocument/publishDiagnostics", "params", params));
}

/* The text has changed. */
static void read_again(lsp_doc *d) {
  json_t *errors = NULL;
  bool ok = lsp_doc_read(d, &errors);
  if (ok) send_errors(d, errors);
  else json_decref(errors);
  err_clear(d->c);
}

static void on_close(lsp *l, json_t *params) {
  lsp_doc *d = lsp_doc_of(l, params);
  for (size_t i = 0; d && i < l->docs.n; i++)
    if (l->docs.at[i] == d) {
      l->docs.at[i] = l->docs.at[--l->docs.n];
      send_errors(d, json_array());
      lsp_doc_free(d);
      return;
    }
}

static void on_open(lsp *l, json_t *params) {
  json_t *item = json_object_get(params, "textDocument");
  const char *uri = json_string_value(json_object_get(item, "uri"));
  lsp_doc *d = lsp_doc_of(l, params);
  if (!uri) return;
  if (!d) {
    d = lsp_doc_new(l->c, uri);
    if (d && !vec_push(l->c, &l->docs, d)) {
      lsp_doc_free(d);
      d = NULL;
    }
  }
  if (d && lsp_doc_change(d, item)) read_again(d); /* it has no range: the whole text */
  else if (d) on_close(l, params);
}

static void on_change(lsp *l, json_t *params) {
  lsp_doc *d = lsp_doc_of(l, params);
  json_t *changes = json_object_get(params, "contentChanges"), *change;
  size_t i;
  if (!d) return;
  json_array_foreach(changes, i, change) lsp_doc_change(d, change);
  read_again(d);
}

/* ── a session ──────────────────────────────────────────────────────────────────────── */

static json_t *on_initialize(lsp *l, json_t *params) {
  UNUSED(params);
  json_t *types = json_array();
  for (size_t i = 0; lsp_colours[i]; i++)
    json_array_append_new(types, json_string(lsp_colours[i]));
  l->begun = true;
  json_t *can = json_pack(
      "{s:s, s:{s:b,s:i,s:b}, s:b,s:b,s:b,s:b,s:b,s:b, s:{s:b}, s:{s:[s,s,s]}, "
      "s:{s:{s:o,s:[s]},s:b}}",
      "positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change", 2,
      "save", 0, "hoverProvider", 1, "definitionProvider", 1, "referencesProvider", 1,
      "documentHighlightProvider", 1, "documentSymbolProvider", 1,
      "documentFormattingProvider", 1, "renameProvider", "prepareProvider", 1,
      "completionProvider", "triggerCharacters", "`", "⎕", ":", "semanticTokensProvider",
      "legend", "tokenTypes", types, "tokenModifiers", "declaration", "full", 1);
  return json_pack("{s:o,s:{s:s,s:s}}", "capabilities", can, "serverInfo", "name", "vapl",
                   "version", VAPL_VERSION_TEXT);
}

static json_t *on_shutdown(lsp *l, json_t *params) {
  UNUSED(params);
  l->shut = true;
  return json_null();
}

static void on_exit_now(lsp *l, json_t *params) {
  UNUSED(params);
  l->ended = true;
}

static const struct {
  const char *method;
  lsp_answer *answer;                   /* of a request; NULL: */
  void (*take)(lsp *l, json_t *params); /* it is a notification */
} methods[] = {
    {"initialize", on_initialize, NULL},
    {"shutdown", on_shutdown, NULL},
    {"exit", NULL, on_exit_now},
    {"textDocument/didOpen", NULL, on_open},
    {"textDocument/didChange", NULL, on_change},
    {"textDocument/didClose", NULL, on_close},
    {"textDocument/hover", lsp_hover, NULL},
    {"textDocument/completion", lsp_complete, NULL},
    {"textDocument/definition", lsp_define, NULL},
    {"textDocument/references", lsp_refer, NULL},
    {"textDocument/documentHighlight", lsp_highlight, NULL},
    {"textDocument/prepareRename", lsp_can_rename, NULL},
    {"textDocument/rename", lsp_rename, NULL},
    {"textDocument/documentSymbol", lsp_outline, NULL},
    {"textDocument/formatting", lsp_format, NULL},
    {"textDocument/semanticTokens/full", lsp_colour, NULL},
};

static void answer_request(lsp *l, size_t i, json_t *id, json_t *params) {
  l->why = NULL;
  json_t *r = methods[i].answer(l, params);
  if (!r && err_is(l->c))
    send_error(id, RPC_INTERNAL,
               *l->c->err.msg ? l->c->err.msg : err_name(l->c->err.code));
  else if (!r)
    send_error(id, RPC_PARAMS,
               l->why ? l->why : "no such text is open, or the parameters are wrong");
  else send_message(json_pack("{s:s,s:O,s:o}", "jsonrpc", "2.0", "id", id, "result", r));
  err_clear(l->c);
}

static void take_message(lsp *l, json_t *m) {
  const char *method = json_string_value(json_object_get(m, "method"));
  json_t *id = json_object_get(m, "id"), *params = json_object_get(m, "params");
  size_t i = 0;
  if (!json_is_object(m) || (!method && !id)) {
    send_error(NULL, RPC_REQUEST, "a message is an object that has a method");
    return;
  }
  if (!method) return; /* an answer: nothing was asked */
  while (i < ARRAY_LEN(methods) && strcmp(methods[i].method, method)) i++;
  bool known = i < ARRAY_LEN(methods);
  bool allowed = l->begun ? !l->shut : known && methods[i].answer == on_initialize;
  if (id && !allowed)
    send_error(id, l->begun ? RPC_REQUEST : RPC_NOT_BEGUN,
               "initialize comes first, and shutdown last");
  else if (id && (!known || !methods[i].answer))
    send_error(id, RPC_METHOD, "vapl lsp has no such method");
  else if (id) answer_request(l, i, id, params);
  else if (known && methods[i].take && (allowed || methods[i].take == on_exit_now))
    methods[i].take(l, params);
}

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

/* The next line of a header, without its end; the first MOST_HEADER bytes of it. False: the input ends. */
static bool header_line(ctx *c, char text[MOST_HEADER]) {
  size_t n = 0;
  int ch;
  while ((ch = line_byte(c)) != EOF && ch != '\n')
    if (n + 1 < MOST_HEADER) text[n++] = (char)ch;
  if (n && text[n - 1] == '\r') n--;
  text[n] = 0;
  return ch != EOF;
}

/* The length that a header names: *n. MOST_LENGTH + 1: more than is read; -1: it names none. False: the input ends. */
static bool read_header(ctx *c, long *n) {
  static const char name[] = "content-length:";
  char text[MOST_HEADER], *end;
  *n = -1;
  bool some = false;
  while (header_line(c, text)) {
    if (!*text && some) return true;
    some = *text; /* blank lines may stand between messages */
    if (strncasecmp(text, name, sizeof name - 1)) continue;
    *n = strtol(text + sizeof name - 1, &end, 10);
    if (*end || *n < 0) *n = -1;
    else if (*n > MOST_LENGTH) *n = MOST_LENGTH + 1L;
  }
  return false;
}

/* Reads a message's n bytes, or passes them. False: the input ends. */
static bool read_body(str *s, long n, bool kept) {
  char part[CHUNK];
  while (n > 0) {
    size_t got = 0;
    for (int ch; got < CHUNK && (long)got < n; part[got++] = (char)ch)
      if ((ch = line_byte(s->c)) == EOF) return false;
    if (kept) str_put(s, part, got);
    n -= (long)got;
  }
  return true;
}

/* Takes the next message; false: there is none. */
static bool next_message(lsp *l) {
  OWNED_STR str text = {.c = l->c};
  json_error_t e;
  long n;
  if (!read_header(l->c, &n)) return false;
  if (n > MOST_LENGTH) {
    send_error(NULL, RPC_REQUEST, "a message of more than 256 MB is not read");
    return read_body(&text, n, false);
  }
  if (n < 0) {
    send_error(NULL, RPC_PARSE,
               "a message begins with Content-Length: and the number of its bytes");
    return true;
  }
  if (!read_body(&text, n, true)) return false;
  json_t *m =
      text.failed ? NULL : json_loadb(text.at ? text.at : "", text.n, JSON_ALLOW_NUL, &e);
  if (m) take_message(l, m);
  else send_error(NULL, RPC_PARSE, text.failed ? "WS FULL" : e.text);
  json_decref(m);
  err_clear(l->c);
  return true;
}

int lsp_serve(session *s) {
  lsp l = {.c = &s->c};
  stack_enter(&s->c);
  while (!l.ended && !interrupted(&s->c) && next_message(&l)) {}
  err_clear(&s->c);
  for (size_t i = 0; i < l.docs.n; i++) lsp_doc_free(l.docs.at[i]);
  vec_free(&s->c, &l.docs);
  return l.shut ? 0 : EXIT_APL;
}
