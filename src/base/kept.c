/* SPDX-License-Identifier: MIT */
/* kept.c - files of what could be made again (kept.h). */
#include "kept.h"
#include "hash.h"
#include "mem.h"
#include "str.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "vaplpc2";
typedef struct head {
  char magic[8];
  uint64_t size, hash;
} head;

void kept_folder(char *path) {
  for (char *p = path + 1; *p; p++)
    if (*p == '/') {
      *p = 0;
      mkdir(path, 0777);
      *p = '/';
    }
}

/* Is the file intact? Reads the bytes behind its head into `blob`, which has room for
 * one byte more than there should be, so that a longer file is noticed. */
static bool read_whole(FILE *f, const head *h, void *blob) {
  return fread(blob, 1, (size_t)h->size + 1, f) == h->size &&
         hash_bytes(blob, (size_t)h->size, 0) == h->hash;
}

static void *read_blob(ctx *c, FILE *f, size_t *n) {
  head h;
  if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, magic, sizeof magic)) return NULL;
  if (h.size > KEPT_MAX) return NULL;
  void *blob = mem_alloc(c, (size_t)h.size + 1);
  if (!blob) return NULL;
  *n = (size_t)h.size;
  if (read_whole(f, &h, blob)) return blob;
  mem_free(c, blob);
  return NULL;
}

void *kept_read(ctx *c, const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  void *blob = read_blob(c, f, n);
  fclose(f);
  return blob;
}

void kept_write(ctx *c, const char *path, const void *blob, size_t n) {
  head h = {.size = n, .hash = hash_bytes(blob, n, 0)};
  OWNED_STR str tmp = {.c = c};
  memcpy(h.magic, magic, sizeof magic);
  str_printf(&tmp, "%s.%ld.tmp", path, (long)getpid());
  if (tmp.failed) return;
  FILE *f = fopen(tmp.at, "wb");
  if (!f) return;
  bool ok = fwrite(&h, sizeof h, 1, f) == 1 && fwrite(blob, 1, n, f) == n;
  ok = !fclose(f) && ok;
  if (!ok || rename(tmp.at, path)) remove(tmp.at);
}
