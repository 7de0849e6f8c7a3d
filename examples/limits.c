/* SPDX-License-Identifier: MIT */
/* limits.c - texts of people whom you do not know: what they may take is limited, and they reach
 * nothing outside. Each is answered, whatever it tries, and the interpreter lives on.
 *
 *   cc limits.c $(pkg-config --cflags --libs vapl) -o limits
 */
#include <stdio.h>
#include <string.h>
#include <vapl.h>

static const char *const TEXTS[] = {
    "(+/÷≢)3 1 4 1 5",              /* what most people want */
    "{∇ ⍵+1}0",                     /* for ever */
    "{1+∇ ⍵}0",                     /* ever deeper */
    "{0::∇ ⍵ ⋄ ∇ ⍵}0",              /* catching its own end */
    "⎕←{⍵,⍵}⍣60⊢1",                 /* all memory */
    "⊃⎕NGET'/etc/passwd'",          /* your files */
    "⎕SH'rm -rf /'",                /* your processes */
    "('^(a|a)*$'⎕R'')(60⍴'a'),'b'", /* a pattern that takes 2*60 steps */
    "⎕OFF",                         /* it ends; you do not */
    "2+2",
};

/* The result as a session shows it, its first line. */
static void show(vapl *apl, const vapl_array *a) {
  char *text;
  if (!a || vapl_format(apl, a, 0, &text, NULL)) return;
  printf("  %.*s\n", (int)strcspn(text, "\n"), text);
  vapl_free(apl, text);
}

int main(void) {
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config; /* .may stays 0: nothing outside */
  config.device = "host";
  config.threads = 1;
  config.max_host_bytes = 64 << 20;
  config.max_seconds = 10; /* of each call */
  config.max_steps = 100000;
  config.max_depth = 1000;
  vapl *apl;
  if (vapl_open(&config, &apl)) return 1;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    vapl_array *result;
    vapl_status s = vapl_eval(apl, TEXTS[i], VAPL_STRLEN, NULL, &result);
    printf("%s\n", TEXTS[i]);
    if (s) printf("  %s\n", vapl_last_error(apl)->name);
    else show(apl, result);
    vapl_release(result);
  }
  vapl_close(apl);
  return 0;
}
