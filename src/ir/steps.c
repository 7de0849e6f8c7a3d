/* SPDX-License-Identifier: MIT */
/* steps.c - what is done, step by step, for whoever looks on: ]plan lists the steps, ]time
 * counts them, and a hint says that an array came from the device for want of a kernel.
 *
 * A step is a kernel (show.c describes it), or what the host did at once with an array of
 * some length. The second sort is noticed in two places and in no primitive: where functions
 * are applied (ir_step_begin and _end: the entries of build.c, and the evaluator for what
 * operators derive), and where elements are made present on the host (ir_host): whatever is
 * brought there belongs to the function that is being applied, the innermost one.
 *
 * While nobody looks on and no device is open, none of this happens. */
#include "show.h"
#include <string.h>
#include "place.h"

enum {
  STEP_ELEMENTS = 512, /* what the host does at once with fewer is not worth a line */
  STEPS_BACK = 8,      /* so many steps apart, equal ones of a loop are one line still */
  HINT_BYTES = 1 << 20
};

void ir_step_begin(ir *g, ir_step *s) {
  s->on = g->tells;
  if (!s->on) return;
  *s = (ir_step){.on = true, .outer = g->step};
  g->step = s;
}

ir_step *ir_step_now(ir *g, ir_step *s) {
  ir_step *was = g->step;
  g->step = s;
  return was;
}

bool ir_step_end(ir *g, ir_step *s) {
  if (!s->on) return false;
  g->step = s->outer;
  return s->elements > STEP_ELEMENTS || (s->calls && s->calls > STEP_ELEMENTS);
}

void ir_step_calls(ir *g, int64_t n, const char *met) {
  if (!g->step) return;
  g->step->calls += n;
  if (met) g->step->met = met;
}

/* ── lines ── */

/* Equal steps are one line, if they follow one another or alternate with few others. */
void steps_note(ir *g, const str *text) {
  size_t n = g->steps.n, back = n < STEPS_BACK ? n : STEPS_BACK;
  if (text->failed || !text->at) return;
  for (size_t i = n - back; i < n; i++) {
    if (strcmp(g->steps.at[i].text, text->at)) continue;
    g->steps.at[i].times++;
    return;
  }
  char *copy = mem_alloc(g->c, text->n + 1);
  if (copy) memcpy(copy, text->at, text->n + 1);
  if (!copy || !vec_push(g->c, &g->steps, ((struct step_line){copy, 1}))) {
    mem_free(g->c, copy);
    err_clear(g->c);
  }
}

static void steps_clear(ir *g) {
  for (size_t i = 0; i < g->steps.n; i++) mem_free(g->c, g->steps.at[i].text);
  vec_free(g->c, &g->steps);
}

/* Once for each function, told by its name. */
static void hint(ir *g, const ir_step *s, const char *name, const char *why) {
  OWNED_STR str text = {.c = g->c};
  uint32_t hash = 5381;
  for (const char *p = name; *p; p++) hash = hash * 33 + (unsigned char)*p;
  uint64_t *seen = &g->hinted[hash / 64 % ARRAY_LEN(g->hinted)], bit = 1ull << hash % 64;
  if (!g->cfg.hint || !g->tune.hints || s->came < HINT_BYTES || *seen & bit) return;
  *seen |= bit;
  str_printf(&text, "%s has no kernel yet (%s): ", name, why);
  show_bytes(&text, s->came);
  str_puts(&text, " came to the host for it; VAPL_TUNE=hints=0 ends these hints");
  if (!text.failed) g->cfg.hint(g->cfg.log_user, text.at);
}

void ir_step_tell(ir *g, const ir_step *s, const char *name, const char *why) {
  OWNED_STR str text = {.c = g->c};
  bool chosen = !why && !prefers_device(g, 16 * (uint64_t)s->elements);
  if (!why)
    why = chosen ? "the host has it, and its loop is faster" : "no kernel does it";
  g->host_steps++;
  if (!chosen) hint(g, s, name, why);
  if (!g->watching) return;
  str_printf(&text, "host  %s  %lld elements", name, (long long)s->elements);
  if (s->came) {
    str_puts(&text, ", ");
    show_bytes(&text, s->came);
    str_puts(&text, " came from the device");
  }
  str_printf(&text, ": %s\n", why);
  steps_note(g, &text);
}

/* ── primitives ── */

/* Why no kernel does it; NULL: one could, but did not. */
static const char *why_at_once(const ir *g, prim p, const arr *x, const arr *y) {
  bool on_host;
  const char *note = prim_note(p, x != NULL, &on_host);
  const arr *args[2] = {y, x ? x : y};
  for (int i = 0; i < 2; i++) {
    if (args[i]->type == ET_NEST) return "items";
    if (args[i]->type == ET_C128 && !prim_is_scalar(p, x)) return "complex numbers";
  }
  if (on_host) return note;
  cls c = cls_of((elt)y->type);
  if (x && cls_of((elt)x->type) > c) c = cls_of((elt)x->type);
  if (prim_is_scalar(p, x) && !prim_row_of(p, x, c))
    return "no kernel has it for this type";
  if (*note && prefers_device(g, INT64_MAX)) return note;
  return NULL;
}

void steps_primitive(ir *g, ir_step *s, prim p, arr *x, arr *y, const arr *r) {
  bool made = r && r->host && r != x && r != y && r->refs == 1 && s->on;
  if (made && s->elements <= STEP_ELEMENTS) s->elements = r->count;
  if (ir_step_end(g, s)) ir_step_tell(g, s, prim_table[p].glyph, why_at_once(g, p, x, y));
}

void steps_redone(ir *g, const ir_node *n, const char *why) {
  ir_step s = {.elements = n->y ? n->y->count : 0};
  const char *name = n->p == P_COUNT ? "f" : prim_table[n->p].glyph;
  if (g->tells && s.elements > STEP_ELEMENTS) ir_step_tell(g, &s, name, why);
}

/* ── the whole ── */

void ir_watch(ir *g) {
  steps_clear(g);
  g->watching = true;
  steps_tell(g);
  ir_read(g, &g->watch_was);
}

static void put_some(str *s, uint64_t n, const char *one, const char *where) {
  if (!n) return;
  str_printf(s, "%llu %s%s%s", (unsigned long long)n, one, n == 1 ? "" : "s", where);
}

bool ir_watch_end(ir *g, str *s) {
  ir_reading now = {0};
  bool ok = !s || ir_read(g, &now);
  g->watching = false;
  steps_tell(g);
  for (size_t i = 0; ok && s && i < g->steps.n; i++) {
    const struct step_line *l = &g->steps.at[i];
    size_t first = strcspn(l->text, ":\n");
    str_put(s, l->text, first);
    if (l->times > 1) str_printf(s, "  ×%llu", (unsigned long long)l->times);
    str_puts(s, l->text + first);
  }
  bool any = g->steps.n;
  steps_clear(g);
  if (!ok || !any || !s) return ok;
  ir_reading run = ir_since(&now, &g->watch_was);
  str_puts(s, "in all  ");
  put_some(s, run.kernels[1], "kernel", " on the device, ");
  put_some(s, run.kernels[0], "kernel", " on the host, ");
  put_some(s, run.steps, "step", " at once on the host, ");
  str_puts(s, "kernels moved ");
  show_bytes(s, run.bytes[0] + run.bytes[1]);
  str_puts(s, ", ");
  show_bytes(s, run.crossed);
  str_puts(s, " crossed the bus\n");
  return !s->failed;
}
