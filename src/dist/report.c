/* SPDX-License-Identifier: MIT */
/* report.c - ]ranks: who they are, and what they have said to one another. */
#include "../vk/gpu.h"
#include "../ir/show.h"
#include "agree.h"
#include "exchange.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long long ull;
typedef struct rank_text {
  char at[160];
} rank_text;

/* Which machine this rank is on, where it computes, what it holds. */
static void describe_me(const dist *d, rank_text *t) {
  char host[64] = "";
  const ir *g = d->g;
  const char *asked = g->cfg.device ? g->cfg.device : "auto";
  if (gethostname(host, sizeof host - 1)) strcpy(host, "?");
  snprintf(t->at, sizeof t->at, "%-12s %.40s, %.1f MB of the host's memory%s", host,
           g->dev ? gpu_get_info(g->dev)->name : asked, (double)d->c->bytes_live / 1e6,
           g->dev ? "" : ", no device open");
  if (!g->dev) return;
  size_t n = strlen(t->at);
  snprintf(t->at + n, sizeof t->at - n, ", %.1f of the device's",
           (double)gpu_get_usage(g->dev).used / 1e6);
}

static bool describe_all(dist *d, str *out) {
  ctx *c = d->c;
  size_t n = (size_t)d->ranks;
  rank_text mine = {""}, *all = mem_alloc(c, n * sizeof *all);
  describe_me(d, &mine);
  bool met = dist_meet(d, AGREE_OUTCOME);
  bool ok = met && all && dist_gather_same(d, &mine, all, sizeof mine);
  for (size_t r = 0; ok && r < n; r++)
    str_printf(out, "rank %-4zu %.*s\n", r, (int)sizeof all[r].at, all[r].at);
  mem_free(c, all);
  return ok;
}

static void describe_exchanges(const mover *m, str *out) {
  const char *why;
  move_peers peers = move_get_peers(m, &why);
  move_usage u = move_get_usage(m);
  str_printf(out,
             "exchanges %llu in %.3f s: rank 0 sent %.3f MB through memory of its host",
             (ull)u.exchanges, u.ns * 1e-9, (double)(u.ring_bytes - u.peer_bytes) / 1e6);
  if (u.mail_bytes) str_printf(out, ", %.3f by messages", (double)u.mail_bytes / 1e6);
  if (peers == PEERS_NONE) str_printf(out, "; not from device to device: %s", why);
  if (peers == PEERS_OPEN)
    str_printf(out, ", %.3f from device to device, which took %.0f ms to open",
               (double)u.peer_bytes / 1e6, u.peer_ns * 1e-6);
  str_puts(out, "\n");
}

bool dist_describe(ctx *c, str *out) {
  dist *d = c->dist;
  if (!d)
    return str_puts(out, "one process: vapl -n N runs a program on N of them\n"),
           !out->failed;
  if (!describe_all(d, out)) return false;
  str_printf(out, "engine    %s\n", d->comm->name);
  str_printf(
      out,
      "cut       arrays of %lld elements and more; up to %llu MB are brought together\n",
      (long long)d->cut_from, (ull)(d->gather_limit >> 20));
  str_printf(
      out,
      "so far    %llu operations, %llu agreements, %llu messages of %.3f MB in all\n",
      (ull)d->op, (ull)d->agreements, (ull)d->messages, (double)d->bytes / 1e6);
  if (d->mover) describe_exchanges(d->mover, out);
  return !out->failed;
}

dist_talk dist_talk_now(const ctx *c) {
  const dist *d = c->dist;
  return d ? (dist_talk){d->messages, d->bytes, d->agreements} : (dist_talk){0};
}

void dist_tell_since(const ctx *c, dist_talk was, str *out) {
  dist_talk now = dist_talk_now(c);
  if (now.agreements == was.agreements) return;
  str_puts(out, "ranks   ");
  show_count(out, now.agreements - was.agreements, "agreement", "s");
  str_puts(out, ", ");
  show_count(out, now.messages - was.messages, "message", "s");
  str_printf(out, "; rank %d sent ", dist_me(c));
  show_bytes(out, now.bytes - was.bytes);
  str_puts(out, "\n");
}

/* One process runs the same programs: there it says nothing. */
bool dist_gather_up_to(ctx *c, uint64_t bytes) {
  if (c->dist) c->dist->gather_limit = bytes;
  return true;
}
