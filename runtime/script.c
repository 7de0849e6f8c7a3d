/* SPDX-License-Identifier: MIT */
/* script.c - the text of a program in a file.
 *
 * A file is read by growing a buffer, not by asking for its size, so that pipes and the files
 * of /proc and /dev work as well. Nothing is done to the text: the lexer knows about byte
 * order marks and #! lines, and spans count in bytes of the file. */
#include "script.h"
#include "../src/base/str.h"
#include <errno.h>
#include <string.h>

/* Reads all that is left of a stream into *text (n bytes). FILE ERROR, WS FULL. */
static bool drain(ctx *c, FILE *f, const char *name, char **text, size_t *n) {
  str s = {.c = c};
  char buf[16384];
  size_t got;
  while ((got = fread(buf, 1, sizeof buf, f)) > 0 && !s.failed) str_put(&s, buf, got);
  str_put(&s, "", 0); /* even an empty file has a text */
  bool ok = !s.failed;
  if (ferror(f)) ok = err_set(c, ERR_FILE_SYSTEM, "%s: %s", name, strerror(errno));
  if (!ok) str_free(&s);
  *text = s.at;
  *n = s.n;
  return ok;
}

bool script_read(ctx *c, const char *path, char **text, size_t *n) {
  *text = NULL;
  *n = 0;
  FILE *f = fopen(path, "rb");
  if (!f) {
    bool missing = errno == ENOENT || errno == ENOTDIR;
    int code = missing ? ERR_FILE_NAME : ERR_FILE_ACCESS;
    return err_set(c, code, "%s: %s", path, strerror(errno));
  }
  bool ok = drain(c, f, path, text, n);
  fclose(f);
  return ok;
}

bool script_is_definition(const char *path) {
  static const char *const endings[] = {".aplf", ".aplo", ".apln",
                                        ".aplc", ".apli", ".dyalog"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < ARRAY_LEN(endings); i++)
    if (!strcmp(dot, endings[i])) return true;
  return false;
}
