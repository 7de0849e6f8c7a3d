/* SPDX-License-Identifier: MIT */
/* show.c - what a person sees of the graph: ]plan and the dumps.
 *
 * A kernel is shown as what it computes in APL's glyphs, where, by which strategy, and
 * what it moves. Nothing here runs anything. */
#include "show.h"
#include <string.h>
#include "../kir/folds.h"
#include "join.h"
#include "place.h"
#include "plan.h"
#include "schedule.h"

/* The letter of an array that the kernel reads; 0: it reads no such array. */
static char letter_of(const plan *p, const arr *a) {
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (p->in[i] == a) return (char)('a' + i);
  return 0;
}

/* Is it a scalar of the kernel? */
static bool is_scalar(const plan *p, const arr *a) {
  const ir_node *n = a->node;
  if (!n || n->kind->same) return true;
  if (n == p->fold) return false;
  for (uint32_t i = 0; i < p->n_out; i++)
    if (a == p->out[i]) return false;
  return n->kind->folds;
}

static void show_expr(const plan *p, const arr *a, str *s, bool nested, int *budget);

/* n by the text of its kind: f is its function, x and y its arguments, x and Y in parentheses if they need
 * them; # is its length, + the function of a put, v marks a view. */
static void show_node(const plan *p, const ir_node *n, const char *text, str *s,
                      int *budget) {
  bool turns = n->p == P_REVERSE || n->p == P_COMMA;
  for (; *text; text++) {
    switch (*text) {
    case 'f': str_puts(s, n->p == P_COUNT ? "f" : prim_table[n->p].glyph); break;
    case 'X':
    case 'x':
      if (n->x) show_expr(p, n->x, s, *text == 'x', budget);
      break;
    case 'Y':
    case 'y': show_expr(p, n->y, s, *text == 'Y', budget); break;
    case '#': str_printf(s, "%lld", (long long)n->self->count); break;
    case '+': str_puts(s, n->put == KPUT_JOIN ? kfold_table[n->monoid].glyph : ""); break;
    case 'v': str_puts(s, turns ? "" : "[view]"); break;
    default: str_put(s, text, 1);
    }
  }
}

/* The region as an expression: arrays that are read are a, b, c…, scalars s. */
static void show_expr(const plan *p, const arr *a, str *s, bool nested, int *budget) {
  const ir_node *n = a->node;
  char letter = letter_of(p, a);
  if (!letter && is_scalar(p, a)) letter = 's';
  if (letter || --*budget < 0) {
    str_putc(s, letter ? (uint32_t)letter : U'…');
    return;
  }
  const char *text = n->kind->show ? n->kind->show : "fy";
  if (n->sorted) text = n->x ? "x[fy]" : "Y[fy]";
  if (n->seeks) text = n->seeks == SEEK_DOWN ? "⊃⍒y" : "⊃⍋y";
  nested &= !n->kind->by_x; /* y[x] needs no parentheses */
  if (nested) str_puts(s, "(");
  if (n->exclusive) str_puts(s, "¯1↓0,");
  show_node(p, n, text, s, budget);
  if (nested) str_puts(s, ")");
}

/* The widest type that the kernel computes in. */
static kty widest_type(const kir *k) {
  kty w = KB;
  for (uint32_t i = 0; i < k->n_ins; i++)
    if ((kty)k->ins[i].ty > w) w = (kty)k->ins[i].ty;
  return w;
}

/* "3 × 1000 elements → 3 of i64, computed in i32" */
static void show_sizes(const plan *p, str *s) {
  static const char *const types[KTY_COUNT] = {"bit", "i32", "i64", "f32", "f64"};
  if (p->k.segments) str_printf(s, "%lld segments of ", (long long)p->rows);
  else if (p->fold || p->n_row_nodes) str_printf(s, "%lld × ", (long long)p->rows);
  if (p->inner > 1) str_printf(s, "%lld × ", (long long)p->len);
  show_count(s, (uint64_t)(p->inner > 1 ? p->inner : p->len), "element", "s");
  str_puts(s, " → ");
  for (int i = 0; i < p->root->rank; i++)
    str_printf(s, "%s%lld", i ? " " : "", (long long)p->root->shape[i]);
  if (!p->root->rank) str_puts(s, "scalar");
  str_printf(s, " of %s, computed in %s", elt_table[p->root->type].name,
             types[widest_type(&p->k)]);
  if (p->k.acc[0].wide) str_puts(s, " and 128-bit sums");
}

static void show_input(const plan *p, uint32_t i, str *s) {
  const kin *in = &p->k.in[i];
  str_printf(s, "  %c: %s", 'a' + (int)i, elt_table[in->type].name);
  if (i + 1 == p->k.segments) str_puts(s, ", where segments begin and end");
  if (in->view == KV_STEP) str_puts(s, ", strided view");
  if (in->view >= KV_STRIDED) str_puts(s, ", axes rearranged");
  str_puts(s, "\n");
}

static void show_work(const plan *p, str *s) {
  str_puts(s, "  reads ");
  show_bytes(s, plan_bytes_read(p));
  str_puts(s, ", writes ");
  show_bytes(s, plan_bytes_written(p));
  str_puts(s, ", ");
  show_count(s, p->k.n_ins, "instruction", "s");
  str_puts(s, ", ");
  show_count(s, p->k.n_fault, "fault id", "s");
}

/* Why the pass has its shape: the device's class, and what the driver made of it. */
static void show_reason(const cg_choice *c, const schedule *s, const sched_pass *pass,
                        str *out) {
  gpu_statistics is = {.known = false};
  if (pass->o.template == CG_PRODUCT ||
      (pass->o.template == CG_ORDER && pass->o.order.phase >= ORDER_PLACE))
    str_printf(out, ", a shape for %s", c->name);
  if (s->smaller) str_printf(out, ", %u smaller: registers did not suffice", s->smaller);
  if (pass->kernel) is = gpu_kernel_statistics(pass->kernel);
  if (!is.known) return;
  str_printf(out, ", %u registers a thread", is.registers);
  if (is.spilled) str_printf(out, " and %llu in memory", (unsigned long long)is.spilled);
  if (!is.shared) return;
  str_puts(out, ", workgroup memory of ");
  show_bytes(out, is.shared);
}

/* The passes: how many, and what the main one is like; then each by itself. */
static void show_schedule(const plan *p, str *out) {
  schedule s;
  cg_choice choice = choice_of(p->g);
  schedule_make(p, &s);
  bool had_error = err_is(p->c);
  if (gpu_get_info(p->g->dev)->statistics && !schedule_ready(p, &s) && !had_error)
    err_clear(p->c); /* the run will meet it again */
  const sched_pass *most = &s.pass[p->k.kind == KIR_REDUCE ? 0 : s.n - 1];
  show_count(out, s.n, "pass", "es");
  str_puts(out, ", ");
  show_count(out, (uint64_t)most->geom.workgroups, "workgroup", "s");
  str_printf(out, " of %u, loads of %u, subgroup %u", most->o.workgroup, most->o.width,
             most->o.subgroup);
  for (uint32_t i = 0; i < s.n; i++) {
    const sched_pass *each = &s.pass[i];
    str_printf(out, "\n    %s: ", cg_template_name((cg_template)each->o.template));
    show_count(out, (uint64_t)each->geom.workgroups, "workgroup", "s");
    str_puts(out, ", ");
    show_bytes(out, each->bytes);
    cg_describe(&p->k, &each->o, out);
    show_reason(&choice, &s, each, out);
    if (last_workgroup_finishes(each)) str_puts(out, ", the last workgroup finishes");
  }
}

/* How a fold by a function goes about it. */
static void show_join(const plan *p, str *s) {
  const ir_node *n = p->fold;
  if (!n || !n->fn || !n->code) return;
  const join_code *k = n->code;
  if (!n->serial && k->assoc) str_puts(s, "  associative, as ⍠ says\n");
  else if (!n->serial) str_printf(s, "  class: %s\n", k->of.name);
  else if (n->len <= JOIN_SHORT) str_puts(s, "  sequential: the lines are short\n");
  else if (k->assoc || k->of.n)
    str_puts(s, "  sequential: a value left the class's bounds\n");
  else str_printf(s, "  sequential: no class fits, because %s\n", k->of.why);
}

static void show_place(const plan *p, str *s) {
  if (!on_device(p->g, p, false)) {
    const char *lacks = p->g->dev ? device_lacks(p->g, p) : NULL;
    str_puts(s, "  on the host, block interpreter");
    if (lacks) str_printf(s, ": %s", lacks);
    return;
  }
  str_printf(s, "  on %s: ", gpu_get_info(p->g->dev)->name);
  show_schedule(p, s);
}

static void show_kernel(const plan *p, str *s) {
  static const char *const kinds[] = {"map",  "reduce", "scan",  "order",
                                      "rows", "panel",  "solve", "fourier"};
  int budget = 40;
  str_printf(s, "%s  ", kinds[p->k.kind]);
  for (uint32_t i = 0; i < p->n_out; i++) {
    if (i) str_puts(s, "  and  ");
    show_expr(p, p->out[i], s, false, &budget);
  }
  str_puts(s, "\n  ");
  show_sizes(p, s);
  str_puts(s, "\n");
  for (uint32_t i = 0; i < p->k.n_in; i++) show_input(p, i, s);
  show_work(p, s);
  str_puts(s, "\n");
  show_join(p, s);
  show_place(p, s);
  str_puts(s, "\n");
}

void show_stages(const plan *p) {
  ir *g = p->g;
  if (!g->watching && !g->sink) return;
  OWNED_STR str plan_text = {.c = p->c};
  OWNED_STR str code = {.c = p->c};
  show_kernel(p, &plan_text);
  if (g->watching) steps_note(g, &plan_text);
  if (!g->sink) return;
  kir_dump(&p->k, &code);
  if (!plan_text.failed) g->sink(g->sink_user, 'g', plan_text.at, NULL, 0);
  if (!code.failed && code.at) g->sink(g->sink_user, 'k', code.at, NULL, 0);
}
