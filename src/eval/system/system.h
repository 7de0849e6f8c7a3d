/* SPDX-License-Identifier: MIT */
/* system.h - what the files of the ⎕-names share.
 *
 *   system.c    the table of names
 *   sys_io.c    input and output, time, the surroundings
 *   sys_var.c   the variables that steer primitives; constants
 *   sys_text.c  characters: ⎕UCS ⎕C ⎕VFI; sys_data.c representations: ⎕DR ⎕F32 ⎕F64
 *   sys_fourier.c ⎕FFT
 *   sys_regex.c ⎕R ⎕S, by PCRE2
 *   sys_path.c  where names in texts lead: 'ns.sub.x'; ⎕THIS
 *   sys_space.c namespaces: ⎕NS ⎕VGET ⎕VSET
 *   sys_name.c  names: ⎕NC ⎕NL ⎕EX ⎕CR ⎕NR ⎕VR
 *   sys_error.c errors: ⎕SIGNAL, and what is left of one: ⎕EN ⎕EM ⎕DM ⎕DMX */
#ifndef VAPL_EVAL_SYSTEM_H
#define VAPL_EVAL_SYSTEM_H
#include "ext.h"
#include "../run/sys_call.h"

/* system.c: a row for each ⎕-name, as value/sysname.h numbers them. */
extern const sys_row sys_rows[];

/* sys_io.c */
sys_getter sys_get_quad, sys_get_quote, sys_get_ts, sys_get_ai, sys_get_arg, sys_get_wa,
    sys_get_wsid, sys_get_last, sys_get_off;
sys_setter sys_set_quad, sys_set_quote, sys_set_wsid;
sys_caller sys_env, sys_delay, sys_fmt, sys_off;
/* One line of input into s, without its line end. mode: 0 of ⎕, 1 of ⍞. EOF INTERRUPT. */
bool read_line(vm *v, int mode, const char *prompt, str *s);
const char *wsid_text(const vm *v); /* the workspace's name */
void wsid_set(vm *v, str *name);    /* takes the text over */

/* sys_var.c */
bool sys_reset(vm *v);              /* every variable gets its default */
int terminal_of(vm *v, int *lines); /* its columns; 0: output goes to none */
int line_width(vm *v,
               int none); /* ⎕PW; `none` where that is not set and there is no terminal */
sys_getter sys_get_pw, sys_get_ct, sys_get_rl, sys_get_letters, sys_get_digits,
    sys_get_av, sys_get_tc, sys_get_fr;
sys_setter sys_set_pw, sys_set_ct, sys_set_rl, sys_set_fr;

/* sys_text.c, sys_data.c, sys_name.c, sys_error.c */
sys_caller sys_ucs, sys_case, sys_vfi, sys_dr, sys_f32, sys_f64, sys_fft;
sys_caller sys_nc, sys_nl, sys_ex, sys_cr, sys_nr, sys_vr, sys_signal, sys_em;
sys_getter sys_get_en, sys_get_dm, sys_get_dmx, sys_get_si, sys_get_lc, sys_get_xsi,
    sys_get_nsi, sys_get_rsi, sys_get_this, sys_get_null;
sys_caller sys_ns, sys_df, sys_vget, sys_vset;
sys_caller sys_fx, sys_shadow, sys_stop, sys_trace; /* trad/sys_trad.c */
sys_caller sys_cs;                                  /* trad/steps.c */
sys_getter sys_get_trap;
sys_setter sys_set_trap;

/* runtime/ext, each file of which may be left out */
sys_caller ext_nget, ext_nput, ext_nexists, ext_ndelete, ext_mkdir, ext_ninfo, ext_nparts,
    ext_ntie, ext_ncreate, ext_nuntie, ext_nerase, ext_nread, ext_nappend, ext_nreplace,
    ext_nsize, ext_nresize, ext_map_file, ext_sh, ext_shell, ext_csv, ext_save, ext_load,
    ext_cy, ext_fix, ext_npy, ext_npz, ext_json, ext_dt, ext_image, ext_ncopy, ext_nmove,
    ext_at, ext_atx, ext_lock, ext_refs, ext_size, ext_src, ext_wg, ext_nq, ext_ea,
    ext_ec, ext_es, ext_af, ext_deflate, ext_link_import, ext_link_create,
    ext_link_export, ext_link_status, ext_link_break, ext_link_expunge, ext_link_add,
    ext_link_fix, ext_link_refresh, ext_salt_load, ext_ed, ext_profile, ext_na,
    ext_fcreate, ext_ftie, ext_fstie, ext_funtie, ext_ferase, ext_frename, ext_flib,
    ext_fhold, ext_fappend, ext_freplace, ext_fread, ext_fdrop, ext_fsize, ext_frdci,
    ext_frdac, ext_fstac, ext_http, ext_sql, ext_fcopy, ext_fchk, ext_fprops, ext_fresize,
    ext_ucmd, ext_disp, ext_display, ext_serialise, ext_deserialise, ext_fio, ext_xml,
    ext_monitor, ext_tcnums, ext_tsync, ext_tkill, ext_tput, ext_tget, ext_treq, ext_new,
    ext_class, ext_instances, ext_plot;
sys_getter ext_nnums, ext_nnames, ext_get_lx, ext_an, ext_sd, ext_tid, ext_tnums, ext_et,
    ext_get_wx, ext_get_dct, ext_get_rtl, ext_get_avu, ext_get_path, ext_get_using,
    ext_get_fc, ext_get_left, ext_get_pr, ext_get_ps, ext_get_tz, ext_get_axis, ext_se,
    ext_fnums, ext_fnames, ext_favail, ext_get_tname, ext_tpool, ext_base;
sys_setter ext_set_lx, ext_set_wx, ext_set_dct, ext_set_rtl, ext_set_avu, ext_set_path,
    ext_set_using, ext_set_fc, ext_set_left, ext_set_pr, ext_set_ps, ext_set_tz,
    ext_set_axis, ext_set_tname;
extern const struct class_hooks ext_classes;
void ext_clear_lx(vm *v), ext_clear_kept(vm *v); /* what they are in a clear workspace */
typedef bool ext_command(vm *v, const char *at, const char *end); /* with its arguments */
ext_command ext_cmd_save, ext_cmd_load, ext_cmd_xload, ext_cmd_copy, ext_cmd_copy_once,
    ext_cmd_pcopy, ext_cmd_script, ext_cmd_plot, ext_cmd_link_import, ext_cmd_link_create,
    ext_cmd_link_export, ext_cmd_link_status, ext_cmd_link_break, ext_cmd_link_expunge,
    ext_cmd_link_refresh, ext_cmd_get, ext_cmd_ed, ext_cmd_profile, ext_cmd_locals,
    ext_cmd_repr, ext_cmd_cd, ext_cmd_version, ext_cmd_map, ext_cmd_require;
/* Takes up a folder or file in the workspace; what is wrong in a file goes into *errors. False: an
 * error is recorded. */
bool ext_import(vm *v, const char *path, bool kept, str *errors);
arr *ext_se_seen(vm *v);               /* ⎕SE, borrowed */
bool ext_show_members(vm *v, arr *in); /* the names of a namespace */
/* ⎕NA finds the function under these names, without a permission. */
bool ext_na_register(vm *v, const char *library_name, const char *name,
                     void (*code)(void));
void ext_fhold_ends(vm *v); /* at the session's prompt */
bool ext_link_look(vm *v);  /* takes up the files of links that changed */
bool sys_element_type(vm *v, int64_t code, elt *t); /* by its ⎕DR code; DOMAIN ERROR */
void sys_turn_bits(void *at, size_t n); /* bits of bytes from the highest ↔ the lowest */

/* sys_regex.c: a function derived by ⎕R or ⎕S, operands in l and r */
bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r);

/* sys_path.c: where a name stands that a ⎕-function was given. */
arr *space_here(const vm *v); /* borrowed; NULL: the workspace */
location name_here(vm *v, sym *k);
/* In the namespace, or (NULL) here. */
location name_there(vm *v, arr *in, sym *k);
/* The last name of a path such as ns.sub.x, and the namespace (owned) that it is in, NULL where
 * it is a name alone. False, perhaps without an error: it is none, or leads nowhere. */
bool path_of(vm *v, const str *path, arr **in, sym **s);
arr *space_named(vm *v, arr *x, const char *who); /* a reference, or its name; owned */
bool is_valid_name(const str *s);                 /* also of the system: ⎕IO */
bool is_own_name(const char *text, size_t n);     /* of the program alone */

/* sys_name.c */
typedef struct names_in { /* an argument: a name, a matrix of them, or nested ones */
  const arr *of;
  int64_t n, width; /* width: of a row */
} names_in;
bool names_open(vm *v, const arr *y, names_in *names);
bool name_at(vm *v, const names_in *names, int64_t i, str *s); /* without blanks around */
bool name_value(vm *v, const str *s, value *x);    /* borrowed; false: it is no name */
double name_class(vm *v, const str *s, bool fine); /* as ⎕NC has it; fine: 3.1, 3.2 … */

/* The arrays here whose classes are among those: pairs of a name and a value where one of them is
 * negative, else a matrix of names and a vector of values. */
arr *names_with_values(vm *v, const arr *classes);
/* The names that have a value here and are wanted, in the order of their characters. */
bool names_sorted(vm *v, bool (*wanted)(void *user, const sym *k, location at),
                  void *user, name_list *out);
#endif
