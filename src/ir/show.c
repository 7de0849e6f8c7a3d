/* SPDX-License-Identifier: MIT */
/* show.c - what a person sees of the graph: ]plan and the dumps.
 *
 * A kernel is shown as what it computes in APL's glyphs, where, by which strategy, and what
 * it moves. Nothing here runs anything. */
#include "show.h"
#include <string.h>
#include "device.h"
#include "place.h"
#include "plan.h"

/* The region as an expression: edges are a, b, c… */
static void show_expr(const plan *p, const arr *a, str *s, bool nested, int *budget) {
  const ir_node *n = a->node;
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (p->in[i] == a) {
      str_putc(s, 'a' + i);
      return;
    }
  bool leaf =
      !n || (a != p->root && n != p->fold && (n->kind == N_REDUCE || n->kind == N_SCAN));
  if (leaf || --*budget < 0) {
    str_puts(s, leaf ? "s" : "…");
    return;
  }
  if (n->kind == N_FILL) {
    str_puts(s, "s");
    return;
  }
  if (n->kind == N_IOTA) {
    str_printf(s, nested ? "(⍳%lld)" : "⍳%lld", (long long)a->count);
    return;
  }
  if (nested) str_puts(s, "(");
  if (n->kind == N_DYAD) show_expr(p, n->x, s, true, budget);
  str_puts(s, prim_table[n->p].glyph);
  if (n->kind == N_REDUCE) str_puts(s, "/");
  if (n->kind == N_SCAN) str_puts(s, "\\");
  if (n->kind == N_VIEW && n->p != P_REVERSE && n->p != P_COMMA) str_puts(s, "[view]");
  show_expr(p, n->y, s, false, budget);
  if (nested) str_puts(s, ")");
}

static void show_shape(str *s, const arr *a) {
  for (int i = 0; i < a->rank; i++)
    str_printf(s, "%s%lld", i ? " " : "", (long long)a->shape[i]);
  if (!a->rank) str_puts(s, "scalar");
}

static const char *kty_name(kty t) {
  static const char *const names[KTY_COUNT] = {"bit", "i32", "i64", "f32", "f64"};
  return names[t];
}

/* The widest type that the kernel computes in. */
static kty widest_type(const kir *k) {
  kty w = KB;
  for (uint32_t i = 0; i < k->n_ins; i++)
    if ((kty)k->ins[i].ty > w) w = (kty)k->ins[i].ty;
  return w;
}

static void show_kernel(const plan *p, str *s) {
  static const char *const kinds[] = {"map", "reduce", "scan"};
  int budget = 40;
  str_printf(s, "%s  ", kinds[p->k.kind]);
  show_expr(p, p->root, s, false, &budget);
  str_printf(s, "\n  ");
  if (p->fold) str_printf(s, "%lld × ", (long long)p->rows);
  if (p->inner > 1) str_printf(s, "%lld × ", (long long)p->len);
  show_count(s, (uint64_t)(p->inner > 1 ? p->inner : p->len), "element", "s");
  str_puts(s, " → ");
  show_shape(s, p->root);
  str_printf(s, " of %s, computed in %s%s\n", elt_table[p->root->type].name,
             kty_name(widest_type(&p->k)), p->k.wide ? " and 128-bit sums" : "");
  for (uint32_t i = 0; i < p->k.n_in; i++)
    str_printf(s, "  %c: %s%s\n", 'a' + (int)i, elt_table[p->k.in[i].type].name,
               p->k.in[i].view == KV_STEP      ? ", strided view"
               : p->k.in[i].view >= KV_STRIDED ? ", axes rearranged"
                                               : "");
  str_puts(s, "  reads ");
  show_bytes(s, plan_bytes_read(p));
  str_puts(s, ", writes ");
  show_bytes(s, plan_bytes_written(p));
  str_puts(s, ", ");
  show_count(s, p->k.n_ins, "instruction", "s");
  str_puts(s, ", ");
  show_count(s, p->k.n_fault, "fault id", "s");
  str_puts(s, "\n  ");
  bool device = on_device(p->g, p, false);
  if (device) {
    str_printf(s, "on %s: ", gpu_get_info(p->g->dev)->name);
    device_passes(p, s);
  } else {
    str_puts(s, "on the host, block interpreter");
  }
  str_puts(s, "\n");
}

void show_stages(const plan *p) {
  ir *g = p->g;
  if (g->watch) show_kernel(p, g->watch);
  if (!g->sink) return;
  for (int stage = 0; stage < 2; stage++) {
    str text = {.c = p->c};
    if (stage == 0) show_kernel(p, &text);
    else kir_dump(&p->k, &text);
    if (!text.failed && text.at) g->sink(g->sink_user, "gk"[stage], text.at, NULL, 0);
    str_free(&text);
  }
}

/* ── ]plan ── */

/* The kernels that making pending `a` would take, as far as can be known before any has run. */
static bool explain(ir *g, arr *a, str *out) {
  if (!a || !is_pending(a)) return true;
  if (interrupted(g->c)) return false;
  plan p;
  plan_begin(&p, g, a);
  bool ok = true;
  arr *edge;
  for (int k = 0; ok && (edge = plan_edge(&p, k)); k++) ok = explain(g, edge, out);
  if (!ok) goto end;
  ok = plan_emit(&p);
  if (ok) {
    show_kernel(&p, out);
  } else if (p.full) {
    arr *part = heavy_part(a);
    if (part == a) goto end;
    err_clear(g->c);
    ok = explain(g, part, out);
  } else if (p.unsupported) {
    err_clear(g->c);
    ok = explain(g, p.unsupported->x, out) && explain(g, p.unsupported->y, out);
  }
end:
  plan_free(&p);
  return ok;
}

bool ir_plan(ir *g, arr *a, str *out) { return explain(g, a, out) && !out->failed; }

void ir_watch(ir *g, str *out) { g->watch = out; }
