/* SPDX-License-Identifier: MIT */
/* doctor.c - which devices there are, and whether each works: --devices and --doctor.
 *
 *   loader ─▶ driver files, one by one ─▶ their devices, one by one ─▶ self-test ─▶ advice
 *
 * A driver may crash or never answer. So whatever touches one happens in a child process that is
 * given one driver file alone and a time, and the parent says what became of it. */
#include "doctor.h"
#include "terminal.h"
#include "../src/vk/gpu.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ── devices ────────────────────────────────────────────────────────────────────────── */

static const char *kind_of(const gpu_info *g) {
  if (g->cpu) return "CPU";
  return g->discrete ? "GPU" : "integrated GPU";
}

static void print_device(const gpu_info *g) {
  terminal_print(stdout, "%s, %s, %.1f GiB, %s", g->name, g->driver,
                 (double)g->memory_bytes / 0x1p30, kind_of(g));
  if (*g->refused) terminal_print(stdout, ", refused: %s", g->refused);
}

int list_devices(session *s) {
  gpu_info *list = NULL;
  int n = 0;
  char why[160] = "";
  if (!gpu_list(&s->c, &list, &n, why)) return session_complain(s);
  for (int i = 0; i < n; i++) {
    terminal_print(stdout, "%d  ", list[i].index);
    print_device(&list[i]);
    terminal_print(stdout, "\n   uuid %s\n", list[i].uuid);
  }
  const char *colon = *why ? ": " : "";
  if (!n)
    terminal_print(stdout, "no Vulkan device%s%s: everything runs on the host\n", colon,
                   why);
  mem_free(&s->c, list);
  return 0;
}

/* ── children ───────────────────────────────────────────────────────────────────────── */

enum { CRASHED = -1, SILENT = -2 }; /* instead of an exit code */
typedef int trial(session *s, int i);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run_child(session *s, trial *what, int i, int out) {
  dup2(out, STDOUT_FILENO);
  if (!freopen("/dev/null", "w", stderr)) _exit(EXIT_APL); /* drivers are talkative */
  int code = what(s, i);
  fflush(stdout);
  _exit(code);
}

/* What the child writes, until its end; false if the time is up before. */
static bool listen_to(session *s, int fd, double end, str *said) {
  char part[4096];
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (now() > end || s->c.interrupt) return false;
    if (poll(&p, 1, 100) <= 0) continue;
    ssize_t n = read(fd, part, sizeof part);
    if (n <= 0) return true;
    str_put(said, part, (size_t)n);
  }
}

/* What(s, i) in a child process: its exit code, CRASHED or SILENT. */
static int try_apart(session *s, trial *what, int i, double seconds, str *said) {
  int ends[2], status = 0;
  fflush(stdout);
  if (pipe(ends)) return CRASHED;
  pid_t child = fork();
  if (!child) run_child(s, what, i, ends[1]);
  close(ends[1]);
  bool ended = child > 0 && listen_to(s, ends[0], now() + seconds, said);
  close(ends[0]);
  if (child < 0) return CRASHED;
  if (!ended) kill(child, SIGKILL);
  waitpid(child, &status, 0);
  if (!ended) return SILENT;
  return WIFEXITED(status) ? WEXITSTATUS(status) : CRASHED;
}

/* ── what is tried ──────────────────────────────────────────────────────────────────── */

static int try_loader(session *s, int i) {
  UNUSED(s);
  UNUSED(i);
  void *lib = dlopen("libvulkan.so.1", RTLD_NOW);
  if (!lib) lib = dlopen("libvulkan.so", RTLD_NOW);
  if (lib) return 0;
  terminal_print(stdout, "%s", dlerror());
  return EXIT_APL;
}

/* How many devices there are; what it prints is why there are none. */
static int count_devices(session *s, int i) {
  gpu_info *list;
  int n = 0;
  char why[160] = "";
  UNUSED(i);
  if (!gpu_list(&s->c, &list, &n, why)) terminal_print(stdout, "%s", s->c.err.msg);
  else terminal_print(stdout, "%s", why);
  return n;
}

/* Sums of integers and floats, a scan and a product on the device, and what they must be. */
static const char SELF_TEST[] = "x←⍳100000\n"
                                "(5000050000=+/x)(2500025000=+/0.5×x)(5000050000=¯1↑+\\x)"
                                "(36=+/,(2 3⍴1)+.×3 6⍴1)\n";

/* Prints what device i is, and whether it computes. */
static int try_device(session *s, int i) {
  gpu_info *list;
  int n;
  char number[16];
  if (!gpu_list(&s->c, &list, &n, NULL) || i >= n) return EXIT_APL;
  print_device(&list[i]);
  fflush(stdout);
  if (*list[i].refused) return EXIT_DEVICE;
  snprintf(number, sizeof number, "%d", list[i].index);
  setenv("VAPL_TUNE", "direct=0 device_min=0", 1); /* nothing on the host */
  double start = now();
  s->silent = true; /* it is said here why it cannot be opened */
  int code = session_open(s, number);
  OWNED arr *r = NULL;
  vm_text t = {.name = "", .at = SELF_TEST, .n = strlen(SELF_TEST)};
  if (!code && !vm_run(s->m, &t, false, &r, NULL)) code = EXIT_APL;
  if (code) terminal_print(stdout, "\n          self-test: %s", s->c.err.msg);
  if (code) return EXIT_APL;
  OWNED_STR str shown = {.c = &s->c};
  bool right = r && vm_format(s->m, r, false, &shown) && !strcmp(shown.at, "1 1  1  1\n");
  terminal_print(stdout, "\n          self-test: %s, %.1f s", right ? "right" : "WRONG",
                 now() - start);
  OWNED_STR str facts = {.c = &s->c};
  ir_examine(vm_ir(s->m), &facts);
  if (facts.n && !facts.failed)
    terminal_print(stdout, "\n%.*s", (int)facts.n - 1, facts.at);
  return right ? 0 : EXIT_APL;
}

/* ── driver files ───────────────────────────────────────────────────────────────────── */

typedef struct doctor {
  session *s;
  double seconds; /* for each trial */
  int files, fit; /* driver files; devices that passed */
  bool nvidia;    /* one of the files is NVIDIA's */
  str good;       /* files without a fault, with colons between them */
  str advice;
  bool faulty;
} doctor;

static void blame(doctor *d, const char *file) {
  str_printf(&d->advice,
             "reinstall the package of %s (dpkg -S names it), or leave it out\n", file);
  d->faulty = true;
}

static void say_of_file(doctor *d, const char *file, const char *what, const char *why) {
  terminal_print(stdout, "          %s%s\n", what, why);
  blame(d, file);
}

static const char *said(const str *s) { return s->n && !s->failed ? s->at : ""; }

static void examine_devices(doctor *d, const char *file, int n) {
  bool well = true;
  for (int i = 0; i < n; i++) {
    OWNED_STR str out = {.c = &d->s->c};
    int code = try_apart(d->s, try_device, i, d->seconds, &out);
    terminal_print(stdout, "          %s\n", said(&out));
    d->fit += code == 0;
    if (code == EXIT_DEVICE)
      str_printf(&d->advice, "a newer driver may have what the refused device lacks\n");
    if (code == SILENT)
      terminal_print(stdout, "          self-test: no answer in %g s\n", d->seconds);
    if (code == CRASHED) terminal_print(stdout, "          self-test: it crashed\n");
    well = well && (code == 0 || code == EXIT_DEVICE);
  }
  if (!well) blame(d, file);
  if (well && d->good.n) str_puts(&d->good, ":");
  if (well) str_puts(&d->good, file);
}

static void examine_file(doctor *d, const char *file) {
  OWNED_STR str out = {.c = &d->s->c};
  d->files++;
  d->nvidia = d->nvidia || strstr(file, "nvidia");
  terminal_print(stdout, "driver    %s\n", file);
  setenv("VK_DRIVER_FILES", file, 1);
  setenv("VK_ICD_FILENAMES", file, 1); /* of loaders before 1.3.207 */
  int n = try_apart(d->s, count_devices, 0, d->seconds, &out);
  if (n == SILENT) say_of_file(d, file, "does not answer", "");
  else if (n == CRASHED) say_of_file(d, file, "crashes", "");
  else if (n) examine_devices(d, file, n);
  else if (strstr(said(&out), "no Vulkan driver shows"))
    terminal_print(stdout, "          none of its devices is here\n");
  else say_of_file(d, file, "cannot be used: ", said(&out));
}

static void examine_folder(doctor *d, const char *base, const char *rest) {
  char path[PATH_BYTES];
  struct dirent **names;
  snprintf(path, sizeof path, "%s%s/vulkan/icd.d", base, rest);
  int n = scandir(path, &names, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    size_t len = strlen(names[i]->d_name);
    OWNED_STR str file = {.c = &d->s->c};
    str_printf(&file, "%s/%s", path, names[i]->d_name);
    if (len > 5 && !strcmp(names[i]->d_name + len - 5, ".json") && !file.failed)
      examine_file(d, file.at);
    free(names[i]);
  }
  if (n >= 0) free(names);
}

/* Each part of a list with colons. */
static void each_part(doctor *d, const char *list, const char *rest,
                      void (*f)(doctor *d, const char *part, const char *rest)) {
  while (*list) {
    size_t n = strcspn(list, ":");
    OWNED_STR str part = {.c = &d->s->c};
    str_put(&part, list, n);
    if (n && !part.failed) f(d, part.at, rest);
    list += n + (list[n] == ':');
  }
}

static void examine_named(doctor *d, const char *file, const char *rest) {
  UNUSED(rest);
  examine_file(d, file);
}

static const char *variable(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

/* Where the loader looks, in its order. */
static void examine_all(doctor *d) {
  OWNED_STR str named = {.c = &d->s->c};
  str_puts(&named, variable("VK_DRIVER_FILES", variable("VK_ICD_FILENAMES", "")));
  if (named.n) {
    each_part(d, said(&named), "", examine_named);
    return;
  }
  OWNED_STR str own = {.c = &d->s->c};
  str_printf(&own, "%s/.local/share", variable("HOME", ""));
  each_part(d, variable("XDG_CONFIG_DIRS", "/etc/xdg"), "", examine_folder);
  examine_folder(d, "/etc", "");
  examine_folder(d, variable("XDG_DATA_HOME", said(&own)), "");
  each_part(d, variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"), "",
            examine_folder);
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static void advise(doctor *d) {
  if (d->faulty && d->good.n)
    str_printf(&d->advice, "  export VK_DRIVER_FILES=%s\n", said(&d->good));
  if (!d->files)
    str_puts(&d->advice,
             "there is no driver: apt install mesa-vulkan-drivers, or what your "
             "GPU's maker has\n");
  if (!access("/dev/nvidiactl", F_OK) && !d->nvidia)
    str_puts(&d->advice, "there is an NVIDIA GPU, but not its Vulkan driver: install "
                         "libnvidia-gl, or run the\ncontainer with "
                         "NVIDIA_DRIVER_CAPABILITIES=all\n");
  if (!access("/dev/dri/renderD128", F_OK) && access("/dev/dri/renderD128", R_OK | W_OK))
    str_puts(&d->advice, "/dev/dri/renderD128 may not be used: sudo usermod -aG render "
                         "$USER, and log in again\n");
  if (d->fit)
    terminal_print(stdout, "\n%d device%s fit for use: vapl --devices numbers them\n",
                   d->fit, d->fit > 1 ? "s are" : " is");
  else puts("\nno device can be used: everything runs on the host");
  terminal_print(stdout, "%s", said(&d->advice));
}

int run_doctor(session *s, double seconds) {
  doctor d = {.s = s, .seconds = seconds > 0 ? seconds : 20};
  OWNED_STR str why = {.c = &s->c};
  d.good.c = d.advice.c = &s->c;
  int loader = try_apart(s, try_loader, 0, d.seconds, &why);
  terminal_print(stdout, "loader    %s%s\n",
                 loader ? "cannot be used: " : "libvulkan.so.1", said(&why));
  if (loader)
    str_puts(&d.advice, "install the Vulkan loader: apt install libvulkan1 (Fedora: "
                        "vulkan-loader; Arch:\nvulkan-icd-loader)\n");
  else examine_all(&d);
  if (loader) d.files = 1; /* not counted */
  advise(&d);
  int code = d.fit && !d.faulty ? 0 : EXIT_APL;
  str_free(&d.good);
  str_free(&d.advice);
  return code;
}
