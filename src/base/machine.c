/* SPDX-License-Identifier: MIT */
/* machine.c - how much memory there is: what the machine has, or what the control groups of Linux
 * leave of it to a container or a job. */
#include "arith.h"
#include "mem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

/* The number that the file holds; SIZE_MAX: it is not there, or says "max". */
static size_t number_in(const char *file) {
  unsigned long long n = SIZE_MAX;
  FILE *f = fopen(file, "r");
  if (!f) return SIZE_MAX;
  if (fscanf(f, "%llu", &n) != 1) n = SIZE_MAX;
  fclose(f);
  return (size_t)n;
}

/* The least of the numbers that the group `path`, which is cut, and those it is in have in such files. */
static size_t least_upwards(const char *mount, char *path, const char *file) {
  char name[2 * PATH_MOST];
  size_t least = SIZE_MAX;
  for (;;) {
    snprintf(name, sizeof name, "%s%s/%s", mount, path, file);
    least = min_u64(least, number_in(name));
    char *end = strrchr(path, '/');
    if (!end) return least;
    *end = 0;
  }
}

/* A line is `number:kinds:path`; no kinds: version 2, which has one tree for all of them. */
static size_t limit_of_line(char *line, const char *mount) {
  char *kinds = strchr(line, ':'), *path = kinds ? strchr(kinds + 1, ':') : NULL;
  if (!path) return SIZE_MAX;
  *path++ = 0;
  if (!*++kinds) return least_upwards(mount, path, "memory.max");
  if (strcmp(kinds, "memory")) return SIZE_MAX;
  char tree[PATH_MOST];
  snprintf(tree, sizeof tree, "%s/memory", mount);
  return least_upwards(tree, path, "memory.limit_in_bytes");
}

size_t mem_of_groups(const char *groups, const char *mount) {
  char line[PATH_MOST];
  size_t least = SIZE_MAX;
  FILE *f = fopen(groups, "r");
  if (!f) return SIZE_MAX;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    least = min_u64(least, limit_of_line(line, mount));
  }
  fclose(f);
  return least;
}

size_t mem_installed(void) {
  static size_t known; /* two threads may both find it */
  size_t all = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (all) return all;
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  all = min_u64((size_t)pages * (size_t)size,
                mem_of_groups("/proc/self/cgroup", "/sys/fs/cgroup"));
  __atomic_store_n(&known, all, __ATOMIC_RELAXED);
  return all;
}

size_t mem_of_machine(void) {
  const size_t rest = (size_t)16 << 30;
  size_t all = mem_installed();
  if (all / 2 > rest) return all - rest;
  return all / 2;
}
