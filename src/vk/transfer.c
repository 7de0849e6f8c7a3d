/* SPDX-License-Identifier: MIT */
/* transfer.c - bytes between host and device.
 *
 * Where host and device share memory (is_unified in memory.c) the blocks are mapped and
 * the host copies by itself, as soon as the timeline has passed the buffer's last use; an
 * upload into a buffer that is still in use goes by the ring as well, rather than wait.
 *
 * Else bytes go through a ring in host memory. An upload of any size is cut into chunks
 * of a quarter of the ring, each submitted at once, so that the host fills the next chunk
 * while the device fetches this one; the last chunk stays in the open batch, so that
 * small uploads cost no submission. A download has four chunks in memory that the host
 * reads fast; the device fills up to four while the host empties the oldest. Between
 * chunks the interrupt flag is read. The host's part is the slower one: one thread copies
 * 4 to 10 GB/s where the bus carries 50, so copies go through gpu_config.copy, which may
 * use several.
 *
 * Between processes and hosts (src/dist) bytes go through host memory that the device imports:
 * gpu_copy to it and from it, and a mark that the host asks about while it does other things.
 *
 * TRIED: flags and single results in memory of a discrete device that the host sees, which then reads the few bytes by
 * itself. A sum takes 3.5 µs less of an H200, 31 instead of 34 in all: 1.1. */
#include <assert.h>
#include <string.h>
#include "vk.h"
#include "../base/arith.h"

enum { DOWN_BYTES = 32 << 20, DOWN_CHUNKS = 4, CHUNK_ALIGN = 64 };

static void host_copy(gpu *g, void *to, const void *from, uint64_t n) {
  if (g->cfg.copy) g->cfg.copy(g->cfg.copy_user, to, from, (size_t)n);
  else if (n) memcpy(to, from, (size_t)n);
}

static void copy(gpu *g, VkBuffer from, uint64_t at, VkBuffer to, uint64_t to_at,
                 uint64_t n) {
  g->vk.CmdCopyBuffer(vk_cmd(g), from, to, 1,
                      &(VkBufferCopy){.srcOffset = at, .dstOffset = to_at, .size = n});
}

static void touch(gpu *g, gpu_buf *b, bool write) {
  vk_touch(g, VK_PIPELINE_STAGE_TRANSFER_BIT, &(gpu_use){b, write}, 1, false);
}

static bool upload(gpu *g, gpu_buf *b, uint64_t offset, const void *src, uint64_t n) {
  const struct vk_mem *m = vk_buf_mem(b);
  const char *from = src;
  if (m->host && vk_done(g, b->last_use)) {
    host_copy(g, m->host + b->offset + offset, src, n);
    return true;
  }
  if (!vk_ring_open(g, &g->up)) return false;
  while (n) {
    uint64_t at, chunk = min_u64(n, g->up.m.size / 4);
    if (!vk_ring_take(g, &g->up, chunk, &at)) return false;
    host_copy(g, g->up.m.host + at, from, chunk);
    touch(g, b, true);
    copy(g, g->up.m.buf, at, m->buf, b->offset + offset, chunk);
    from += chunk;
    offset += chunk;
    n -= chunk;
    if (n && (!gpu_submit(g) || interrupted(g->c))) return false;
  }
  return true;
}

bool gpu_upload(gpu *g, gpu_buf *b, uint64_t offset, const void *src, uint64_t n) {
  assert(offset + n <= b->size);
  if (vk_is_lost(g)) return false;
  int64_t begun = vk_now();
  bool ok = upload(g, b, offset, src, n);
  g->usage.uploads++;
  g->usage.uploaded += n;
  g->usage.host_ns += (double)(vk_now() - begun);
  return ok;
}

/* One chunk of a download: recorded and submitted, later waited for and copied out. */
struct chunk {
  uint64_t value, n;
};

/* Copies the chunk's bytes to place `at` of the ring. */
static bool chunk_fetch(gpu *g, gpu_buf *b, uint64_t offset, uint64_t at,
                        struct chunk *s) {
  if (!vk_batch_open(g)) return false;
  touch(g, b, false);
  copy(g, vk_buf_mem(b)->buf, b->offset + offset, g->down.buf, at, s->n);
  g->to_host = true;
  if (!gpu_submit(g)) return false;
  s->value = g->down_value = g->submitted;
  return true;
}

/* Makes the ring when it is first needed. */
static bool down_open(gpu *g) {
  uint64_t size = DOWN_BYTES;
  if (g->down.buf) return true;
  if (g->cfg.staging_bytes) size = min_u64(size, g->cfg.staging_bytes);
  size = max_u64(size, DOWN_CHUNKS * CHUNK_ALIGN);
  return vk_mem_make(g, &g->down, VK_MEM_DOWNLOAD, size) >= 0 || vk_error(g);
}

static bool download_mapped(gpu *g, gpu_buf *b, uint64_t offset, void *dst, uint64_t n) {
  if (!vk_done(g, b->last_use) && (!gpu_submit(g) || !vk_wait_value(g, b->last_use)))
    return false;
  host_copy(g, dst, vk_buf_mem(b)->host + b->offset + offset, n);
  return true;
}

static bool download(gpu *g, gpu_buf *b, uint64_t offset, void *dst, uint64_t n) {
  struct chunk chunks[DOWN_CHUNKS] = {{0}};
  uint64_t asked = 0, got = 0, filled = 0, emptied = 0;
  if (vk_buf_mem(b)->host) return download_mapped(g, b, offset, dst, n);
  if (!down_open(g)) return false;
  if (!vk_wait_value(g, g->down_value)) return false; /* one that broke off */
  uint64_t size = g->down.size / DOWN_CHUNKS;
  size -= size % CHUNK_ALIGN;
  while (got < n) {
    while (asked < n && filled - emptied < DOWN_CHUNKS) {
      uint64_t k = filled++ % DOWN_CHUNKS;
      chunks[k].n = min_u64(size, n - asked);
      if (!chunk_fetch(g, b, offset + asked, k * size, &chunks[k])) return false;
      asked += chunks[k].n;
    }
    uint64_t k = emptied++ % DOWN_CHUNKS;
    if (!vk_wait_value(g, chunks[k].value)) return false;
    host_copy(g, (char *)dst + got, g->down.host + k * size, chunks[k].n);
    got += chunks[k].n;
    if (got < n && interrupted(g->c)) return false;
  }
  return true;
}

bool gpu_download(gpu *g, gpu_buf *b, uint64_t offset, void *dst, uint64_t n) {
  assert(offset + n <= b->size);
  if (vk_is_lost(g)) return false;
  int64_t begun = vk_now();
  bool ok = download(g, b, offset, dst, n);
  g->usage.downloads++;
  g->usage.downloaded += n;
  g->usage.host_ns += (double)(vk_now() - begun);
  return ok;
}

/* Both lie side by side in the ring, which is open. */
static bool download_two(gpu *g, const gpu_piece p[2]) {
  const uint64_t second = round_up_u64(p[0].n, CHUNK_ALIGN);
  if (!vk_wait_value(g, g->down_value) || !vk_batch_open(g)) return false;
  for (int i = 0; i < 2; i++) {
    touch(g, p[i].b, false);
    copy(g, vk_buf_mem(p[i].b)->buf, p[i].b->offset + p[i].offset, g->down.buf,
         (uint64_t)i * second, p[i].n);
  }
  g->to_host = true;
  if (!gpu_submit(g)) return false;
  g->down_value = g->submitted;
  if (!vk_wait_value(g, g->down_value)) return false;
  for (int i = 0; i < 2; i++)
    host_copy(g, p[i].to, g->down.host + (uint64_t)i * second, p[i].n);
  return true;
}

bool gpu_download_two(gpu *g, const gpu_piece p[2]) {
  bool mapped = vk_buf_mem(p[0].b)->host || vk_buf_mem(p[1].b)->host;
  uint64_t n = p[0].n + p[1].n;
  if (vk_is_lost(g) || (!mapped && !down_open(g))) return false;
  if (mapped || !p[0].n || !p[1].n || n + CHUNK_ALIGN > g->down.size)
    return gpu_download(g, p[0].b, p[0].offset, p[0].to, p[0].n) &&
           gpu_download(g, p[1].b, p[1].offset, p[1].to, p[1].n);
  int64_t begun = vk_now();
  bool ok = download_two(g, p);
  g->usage.downloads += 2;
  g->usage.downloaded += n;
  g->usage.host_ns += (double)(vk_now() - begun);
  return ok;
}

bool gpu_clear(gpu *g, gpu_buf *b, uint64_t offset, uint64_t n) {
  assert(offset + n <= b->size && offset % 4 == 0 && n % 4 == 0);
  if (!n) return !vk_is_lost(g);
  if (!vk_batch_open(g)) return false;
  touch(g, b, true);
  g->vk.CmdFillBuffer(vk_cmd(g), vk_buf_mem(b)->buf, b->offset + offset, n, 0);
  return true;
}

bool gpu_copy(gpu *g, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
              uint64_t n) {
  assert(from != to && at + n <= from->size && to_at + n <= to->size);
  if (!n) return !vk_is_lost(g);
  if (!vk_batch_open(g)) return false;
  gpu_use uses[] = {{from, false}, {to, true}};
  vk_touch(g, VK_PIPELINE_STAGE_TRANSFER_BIT, uses, 2, false);
  copy(g, vk_buf_mem(from)->buf, from->offset + at, vk_buf_mem(to)->buf,
       to->offset + to_at, n);
  if (vk_buf_mem(to)->host) g->to_host = true;
  return true;
}

void vk_transfer_close(gpu *g) { vk_mem_drop(g, &g->down); }
