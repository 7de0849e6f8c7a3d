/* SPDX-License-Identifier: MIT */
/* sys_text.c - characters: ⎕UCS, ⎕C and ⎕VFI.
 *
 * Letters change case by a table of ranges from upper to lower case (the simple mappings of
 * Unicode 15, one character to one); the way back searches the same table, so the first row
 * that reaches a letter is its upper case. What is left are the variants that only fold. No
 * locale has a say. */
#include "../value/arg.h"
#include "../value/items.h"
#include "system.h"
#include "../../base/utf8.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include <math.h>
#include <string.h>

/* ── ⎕UCS ───────────────────────────────────────────────────────────────────────────── */

/* Element i of y, a character or a whole number in lo..hi; false after DOMAIN ERROR. */
static bool unit_at(vm *v, const arr *y, int64_t i, int64_t lo, int64_t hi, int64_t *u) {
  if (elt_is_char((elt)y->type)) return *u = arr_get_int(y, i), true;
  double d = y->type <= ET_F64 ? arr_get_float(y, i) : NAN;
  if (!(d >= (double)lo && d <= (double)hi) || d != floor(d))
    return err_set(v->c, ERR_DOMAIN, "⎕UCS: element %lld is not a number %lld to %lld",
                   (long long)i + v->sv->io, (long long)lo, (long long)hi);
  return *u = (int64_t)d, true;
}

static arr *ucs_simple(vm *v, arr *y) {
  bool chars = elt_is_char((elt)y->type);
  if (!chars && y->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕UCS takes simple characters or code points"), NULL;
  int64_t u, top = 0;
  for (int64_t i = 0; i < y->count; i++) {
    if (!unit_at(v, y, i, 0, 0x10FFFF, &u)) return NULL;
    if (u > top) top = u;
  }
  elt t = chars ? elt_for_range(0, top) : elt_for_char((uint32_t)top);
  arr *r = arr_new(v->c, t, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count && unit_at(v, y, i, 0, 0x10FFFF, &u); i++)
    arr_put_int(r, i, u);
  return r;
}

/* The code units of text y, 8, 16 or 32 bits each. */
static arr *ucs_encode(vm *v, const arr *y, int bits, bool wraps) {
  int64_t n = 0, most = bits == 8 ? 4 : bits == 16 ? 2 : 1;
  if (y->count > INT64_MAX / 32)
    return err_set(v->c, ERR_LIMIT, "the text is too long"), NULL;
  arr *r = arr_vec(v->c, ET_I32, y->count * most);
  for (int64_t i = 0; r && i < y->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(y, i);
    char b[4];
    int k = bits == 8 ? utf8_put(b, u) : 0;
    for (int j = 0; j < k; j++)
      arr_put_int(r, n++,
                  wraps ? (int64_t)(signed char)b[j] : (int64_t)(unsigned char)b[j]);
    if (bits == 16 && u > 0xFFFF) {
      arr_put_int(r, n++, 0xD800 + ((u - 0x10000) >> 10));
      arr_put_int(r, n++, 0xDC00 + (u & 0x3FF));
    } else if (bits > 8) arr_put_int(r, n++, u);
  }
  if (!r) return NULL;
  int64_t lo = 0, hi = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t u = arr_get_int(r, i);
    lo = u < lo ? u : lo;
    hi = u > hi ? u : hi;
  }
  arr *exact = arr_vec(v->c, elt_for_range(lo, hi), n);
  for (int64_t i = 0; exact && i < n; i++) arr_put_int(exact, i, arr_get_int(r, i));
  arr_release(r);
  return exact;
}

/* The text that code units stand for. */
static arr *ucs_decode(vm *v, const arr *y, int bits, bool wraps) {
  int64_t hi = bits == 8 ? 255 : bits == 16 ? 0xFFFF : 0x10FFFF, u, pending = 0;
  str s = {.c = v->c};
  bool ok = true;
  for (int64_t i = 0; i < y->count && ok; i++) {
    ok = unit_at(v, y, i, wraps ? -128 : 0, wraps ? 127 : hi, &u);
    if (!ok) break;
    if (bits == 8) str_put(&s, &(char){(char)(unsigned char)(u & 255)}, 1);
    else if (bits == 16 && u >= 0xD800 && u < 0xDC00 && !pending) pending = u;
    else if (bits == 16 && u >= 0xDC00 && u < 0xE000 && pending) {
      str_putc(&s, (uint32_t)(0x10000 + ((pending - 0xD800) << 10) + (u - 0xDC00)));
      pending = 0;
    } else if (pending || (u >= 0xD800 && u < 0xE000)) ok = false;
    else str_putc(&s, (uint32_t)u);
  }
  for (const char *p = s.at, *end = p ? p + s.n : p; ok && bits == 8 && p < end;) {
    const char *was = p;
    ok = utf8_next(p, end, &p) != 0xFFFD || p - was == 3;
  }
  if (!ok || pending) err_set(v->c, ERR_DOMAIN, "⎕UCS: this is not valid UTF-%d", bits);
  else if (!s.failed) return str_take(v, &s);
  str_free(&s);
  return NULL;
}

/* 'UTF-8', 'UTF-16', 'UTF-32', or 'UTF-8' 83: the bits of a unit; 0 after an error. */
static int ucs_scheme(vm *v, arr *x, bool *wraps) {
  str s = {.c = v->c};
  const arr *name = x;
  *wraps = x->type == ET_NEST && x->rank == 1 && x->count == 2;
  if (*wraps) {
    const arr *n = arr_item(x, 1);
    *wraps = n->type <= ET_F64 && n->count == 1 && arr_get_float(n, 0) == 83;
    if (*wraps) name = arr_item(x, 0);
  }
  int bits = 0;
  if (elt_is_char((elt)name->type) && name->rank == 1)
    for (int64_t i = 0; i < name->count; i++)
      str_putc(&s, (uint32_t)arr_get_int(name, i));
  if (s.n && !strcmp(s.at, "UTF-8")) bits = 8;
  else if (s.n && !strcmp(s.at, "UTF-16")) bits = 16;
  else if (s.n && !strcmp(s.at, "UTF-32")) bits = 32;
  if (*wraps && bits != 8) bits = 0;
  str_free(&s);
  if (!bits)
    err_set(v->c, ERR_DOMAIN, "⎕UCS knows 'UTF-8', 'UTF-8' 83, 'UTF-16' and 'UTF-32'");
  return bits;
}

bool sys_ucs(vm *v, arr *x, arr *y, arr **r) {
  bool wraps;
  if (!x) return (*r = ucs_simple(v, y)) != NULL;
  int bits = ucs_scheme(v, x, &wraps);
  if (!bits) return false;
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕UCS: a vector is wanted");
  if (y->type == ET_NEST || y->type == ET_C128)
    return err_set(v->c, ERR_DOMAIN, "⎕UCS: characters or code units are wanted");
  *r = elt_is_char((elt)y->type) ? ucs_encode(v, y, bits, wraps)
                                 : ucs_decode(v, y, bits, wraps);
  return *r != NULL;
}

/* ── ⎕C ─────────────────────────────────────────────────────────────────────────────── */

/* Upper case from..to, every step-th, and how far away the lower case is. */
typedef struct case_row {
  uint32_t from, to;
  int32_t delta, step;
} case_row;
static const case_row cases[] = {
    {0x41, 0x5A, 32, 1},         {0xC0, 0xD6, 32, 1},         {0xD8, 0xDE, 32, 1},
    {0x100, 0x12E, 1, 2},        {0x130, 0x130, -199, 1},     {0x132, 0x136, 1, 2},
    {0x139, 0x147, 1, 2},        {0x14A, 0x176, 1, 2},        {0x178, 0x178, -121, 1},
    {0x179, 0x17D, 1, 2},        {0x181, 0x181, 210, 1},      {0x182, 0x184, 1, 2},
    {0x186, 0x186, 206, 1},      {0x187, 0x187, 1, 1},        {0x189, 0x18A, 205, 1},
    {0x18B, 0x18B, 1, 1},        {0x18E, 0x18E, 79, 1},       {0x18F, 0x18F, 202, 1},
    {0x190, 0x190, 203, 1},      {0x191, 0x191, 1, 1},        {0x193, 0x193, 205, 1},
    {0x194, 0x194, 207, 1},      {0x196, 0x196, 211, 1},      {0x197, 0x197, 209, 1},
    {0x198, 0x198, 1, 1},        {0x19C, 0x19C, 211, 1},      {0x19D, 0x19D, 213, 1},
    {0x19F, 0x19F, 214, 1},      {0x1A0, 0x1A4, 1, 2},        {0x1A6, 0x1A6, 218, 1},
    {0x1A7, 0x1A7, 1, 1},        {0x1A9, 0x1A9, 218, 1},      {0x1AC, 0x1AC, 1, 1},
    {0x1AE, 0x1AE, 218, 1},      {0x1AF, 0x1AF, 1, 1},        {0x1B1, 0x1B2, 217, 1},
    {0x1B3, 0x1B5, 1, 2},        {0x1B7, 0x1B7, 219, 1},      {0x1B8, 0x1B8, 1, 1},
    {0x1BC, 0x1BC, 1, 1},        {0x1C4, 0x1C4, 2, 1},        {0x1C5, 0x1C5, 1, 1},
    {0x1C7, 0x1C7, 2, 1},        {0x1C8, 0x1C8, 1, 1},        {0x1CA, 0x1CA, 2, 1},
    {0x1CB, 0x1DB, 1, 2},        {0x1DE, 0x1EE, 1, 2},        {0x1F1, 0x1F1, 2, 1},
    {0x1F2, 0x1F4, 1, 2},        {0x1F6, 0x1F6, -97, 1},      {0x1F7, 0x1F7, -56, 1},
    {0x1F8, 0x21E, 1, 2},        {0x220, 0x220, -130, 1},     {0x222, 0x232, 1, 2},
    {0x23A, 0x23A, 10795, 1},    {0x23B, 0x23B, 1, 1},        {0x23D, 0x23D, -163, 1},
    {0x23E, 0x23E, 10792, 1},    {0x241, 0x241, 1, 1},        {0x243, 0x243, -195, 1},
    {0x244, 0x244, 69, 1},       {0x245, 0x245, 71, 1},       {0x246, 0x24E, 1, 2},
    {0x370, 0x372, 1, 2},        {0x376, 0x376, 1, 1},        {0x37F, 0x37F, 116, 1},
    {0x386, 0x386, 38, 1},       {0x388, 0x38A, 37, 1},       {0x38C, 0x38C, 64, 1},
    {0x38E, 0x38F, 63, 1},       {0x391, 0x3A1, 32, 1},       {0x3A3, 0x3AB, 32, 1},
    {0x3CF, 0x3CF, 8, 1},        {0x3D8, 0x3EE, 1, 2},        {0x3F4, 0x3F4, -60, 1},
    {0x3F7, 0x3F7, 1, 1},        {0x3F9, 0x3F9, -7, 1},       {0x3FA, 0x3FA, 1, 1},
    {0x3FD, 0x3FF, -130, 1},     {0x400, 0x40F, 80, 1},       {0x410, 0x42F, 32, 1},
    {0x460, 0x480, 1, 2},        {0x48A, 0x4BE, 1, 2},        {0x4C0, 0x4C0, 15, 1},
    {0x4C1, 0x4CD, 1, 2},        {0x4D0, 0x52E, 1, 2},        {0x531, 0x556, 48, 1},
    {0x10A0, 0x10C5, 7264, 1},   {0x10C7, 0x10C7, 7264, 1},   {0x10CD, 0x10CD, 7264, 1},
    {0x13A0, 0x13EF, 38864, 1},  {0x13F0, 0x13F5, 8, 1},      {0x1C90, 0x1CBA, -3008, 1},
    {0x1CBD, 0x1CBF, -3008, 1},  {0x1E00, 0x1E94, 1, 2},      {0x1E9E, 0x1E9E, -7615, 1},
    {0x1EA0, 0x1EFE, 1, 2},      {0x1F08, 0x1F0F, -8, 1},     {0x1F18, 0x1F1D, -8, 1},
    {0x1F28, 0x1F2F, -8, 1},     {0x1F38, 0x1F3F, -8, 1},     {0x1F48, 0x1F4D, -8, 1},
    {0x1F59, 0x1F5F, -8, 2},     {0x1F68, 0x1F6F, -8, 1},     {0x1F88, 0x1F8F, -8, 1},
    {0x1F98, 0x1F9F, -8, 1},     {0x1FA8, 0x1FAF, -8, 1},     {0x1FB8, 0x1FB9, -8, 1},
    {0x1FBA, 0x1FBB, -74, 1},    {0x1FBC, 0x1FBC, -9, 1},     {0x1FC8, 0x1FCB, -86, 1},
    {0x1FCC, 0x1FCC, -9, 1},     {0x1FD8, 0x1FD9, -8, 1},     {0x1FDA, 0x1FDB, -100, 1},
    {0x1FE8, 0x1FE9, -8, 1},     {0x1FEA, 0x1FEB, -112, 1},   {0x1FEC, 0x1FEC, -7, 1},
    {0x1FF8, 0x1FF9, -128, 1},   {0x1FFA, 0x1FFB, -126, 1},   {0x1FFC, 0x1FFC, -9, 1},
    {0x2126, 0x2126, -7517, 1},  {0x212A, 0x212A, -8383, 1},  {0x212B, 0x212B, -8262, 1},
    {0x2132, 0x2132, 28, 1},     {0x2160, 0x216F, 16, 1},     {0x2183, 0x2183, 1, 1},
    {0x24B6, 0x24CF, 26, 1},     {0x2C00, 0x2C2F, 48, 1},     {0x2C60, 0x2C60, 1, 1},
    {0x2C62, 0x2C62, -10743, 1}, {0x2C63, 0x2C63, -3814, 1},  {0x2C64, 0x2C64, -10727, 1},
    {0x2C67, 0x2C6B, 1, 2},      {0x2C6D, 0x2C6D, -10780, 1}, {0x2C6E, 0x2C6E, -10749, 1},
    {0x2C6F, 0x2C6F, -10783, 1}, {0x2C70, 0x2C70, -10782, 1}, {0x2C72, 0x2C72, 1, 1},
    {0x2C75, 0x2C75, 1, 1},      {0x2C7E, 0x2C7F, -10815, 1}, {0x2C80, 0x2CE2, 1, 2},
    {0x2CEB, 0x2CED, 1, 2},      {0x2CF2, 0x2CF2, 1, 1},      {0xA640, 0xA66C, 1, 2},
    {0xA680, 0xA69A, 1, 2},      {0xA722, 0xA72E, 1, 2},      {0xA732, 0xA76E, 1, 2},
    {0xA779, 0xA77B, 1, 2},      {0xA77D, 0xA77D, -35332, 1}, {0xA77E, 0xA786, 1, 2},
    {0xA78B, 0xA78B, 1, 1},      {0xA78D, 0xA78D, -42280, 1}, {0xA790, 0xA792, 1, 2},
    {0xA796, 0xA7A8, 1, 2},      {0xA7AA, 0xA7AA, -42308, 1}, {0xA7AB, 0xA7AB, -42319, 1},
    {0xA7AC, 0xA7AC, -42315, 1}, {0xA7AD, 0xA7AD, -42305, 1}, {0xA7AE, 0xA7AE, -42308, 1},
    {0xA7B0, 0xA7B0, -42258, 1}, {0xA7B1, 0xA7B1, -42282, 1}, {0xA7B2, 0xA7B2, -42261, 1},
    {0xA7B3, 0xA7B3, 928, 1},    {0xA7B4, 0xA7C2, 1, 2},      {0xA7C4, 0xA7C4, -48, 1},
    {0xA7C5, 0xA7C5, -42307, 1}, {0xA7C6, 0xA7C6, -35384, 1}, {0xA7C7, 0xA7C9, 1, 2},
    {0xA7D0, 0xA7D0, 1, 1},      {0xA7D6, 0xA7D8, 1, 2},      {0xA7F5, 0xA7F5, 1, 1},
    {0xFF21, 0xFF3A, 32, 1},     {0x10400, 0x10427, 40, 1},   {0x104B0, 0x104D3, 40, 1},
    {0x10570, 0x1057A, 39, 1},   {0x1057C, 0x1058A, 39, 1},   {0x1058C, 0x10592, 39, 1},
    {0x10594, 0x10595, 39, 1},   {0x10C80, 0x10CB2, 64, 1},   {0x118A0, 0x118BF, 32, 1},
    {0x16E40, 0x16E5F, 32, 1},   {0x1E900, 0x1E921, 34, 1},
};

/* Letters that only fold: to the first character, the second. */
static const uint32_t variants[][2] = {
    {0xB5, 0x3BC},    {0x17F, 0x73},   {0x345, 0x3B9},  {0x3C2, 0x3C3},  {0x3D0, 0x3B2},
    {0x3D1, 0x3B8},   {0x3D5, 0x3C6},  {0x3D6, 0x3C0},  {0x3F0, 0x3BA},  {0x3F1, 0x3C1},
    {0x3F5, 0x3B5},   {0x1C80, 0x432}, {0x1C81, 0x434}, {0x1C82, 0x43E}, {0x1C83, 0x441},
    {0x1C84, 0x442},  {0x1C85, 0x442}, {0x1C86, 0x44A}, {0x1C87, 0x463}, {0x1C88, 0xA64B},
    {0x1E9B, 0x1E61}, {0x1FBE, 0x3B9}};

static uint32_t lower(uint32_t u) {
  for (size_t i = 0; i < ARRAY_LEN(cases) && cases[i].from <= u; i++)
    if (u <= cases[i].to && (u - cases[i].from) % (uint32_t)cases[i].step == 0)
      return u + (uint32_t)cases[i].delta;
  return u;
}

/* A letter's variant as the letter that it is a variant of. */
static uint32_t plain(uint32_t u) {
  for (size_t i = 0; i < ARRAY_LEN(variants); i++)
    if (variants[i][0] == u) return variants[i][1];
  return u;
}

static uint32_t upper(uint32_t u) {
  uint32_t low = lower(plain(u)); /* a title case letter goes by its lower case */
  if (u == 0xDF) return u;        /* ß: ẞ is not what it is written as */
  if (u == 0x131) return 'I';     /* dotless i */
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    uint32_t up = low - (uint32_t)cases[i].delta;
    if (up >= cases[i].from && up <= cases[i].to &&
        (up - cases[i].from) % (uint32_t)cases[i].step == 0)
      return up;
  }
  return u;
}

static uint32_t fold(uint32_t u) {
  bool cherokee = (u >= 0x13A0 && u < 0x1400) || (u >= 0xAB70 && u < 0xABC0);
  return cherokee ? upper(u) : lower(plain(u));
}

uint32_t sys_fold_char(uint32_t u, int how) {
  return how == 1 ? upper(u) : how == -1 ? lower(u) : fold(u);
}

static arr *cased(vm *v, arr *y, int how);

typedef struct casing {
  vm *v;
  int how; /* see sys_fold_char */
} casing;

static arr *cased_item(void *user, ctx *c, const arr *y, int64_t i) {
  const casing *k = user;
  UNUSED(c);
  return cased(k->v, arr_item(y, i), k->how);
}

static arr *cased(vm *v, arr *y, int how) {
  if (deep(v)) return NULL;
  if (y->type == ET_NEST) {
    casing k = {v, how};
    return arr_map(v->c, y, cased_item, &k);
  }
  if (!elt_is_char((elt)y->type)) return arr_retain(y);
  uint32_t known[256] = {0}, *at = mem_alloc(v->c, ((size_t)y->count + 1) * sizeof *at);
  for (int64_t i = 0; at && i < y->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(y, i), *k = u < 256 ? &known[u] : &at[i];
    if (u > 255 || !*k) *k = sys_fold_char(u, how);
    at[i] = *k;
  }
  arr *r = at ? arr_chars(v->c, y->rank, y->shape, at) : NULL;
  mem_free(v->c, at);
  return r;
}

bool sys_case(vm *v, arr *x, arr *y, arr **r) {
  int64_t how = -3;
  if (x && !arg_int(v, x, &how, "⎕C's left argument")) return false;
  if (how != 1 && how != -1 && how != -3)
    return err_set(v->c, ERR_DOMAIN, "⎕C's left argument is 1, ¯1 or ¯3");
  return (*r = cased(v, y, (int)how)) != NULL;
}

/* ── ⎕VFI ───────────────────────────────────────────────────────────────────────────── */

typedef struct found {
  VEC(tnum) num;
  VEC(uint8_t) valid;
} found;

/* The field [p, end), blanks around it left out; what is empty counts as 0. */
static bool vfi_field(vm *v, const char *p, const char *end, found *f) {
  tnum n = {0};
  while (p < end && *p == ' ') p++;
  while (end > p && end[-1] == ' ') end--;
  bool ok = p == end || lex_number(p, end, &n) == (size_t)(end - p);
  if (!ok) n = (tnum){0};
  return vec_push(v->c, &f->num, n) && vec_push(v->c, &f->valid, (uint8_t)ok);
}

static bool vfi_fields(vm *v, const str *seps, bool blanks, const str *s, found *f) {
  const char *p = s->at, *end = p + s->n, *from = p, *next;
  bool any = false;
  for (; p < end; p = next) {
    uint32_t u = utf8_next(p, end, &next);
    bool is = blanks && u == ' ';
    for (const char *q = seps->at; !blanks && !is && q < seps->at + seps->n;)
      is = utf8_next(q, seps->at + seps->n, &q) == u;
    if (!is) continue;
    any = true;
    if ((!blanks || p > from) && !vfi_field(v, from, p, f)) return false;
    from = next;
  }
  for (p = from; p < end && *p == ' ';) p++;
  return (p == end && (blanks || !any)) || vfi_field(v, from, end, f);
}

bool sys_vfi(vm *v, arr *x, arr *y, arr **r) {
  str seps = {.c = v->c}, s = {.c = v->c};
  found f = {0};
  arr *ok = NULL, *num = NULL;
  if ((!x || arg_text(v, x, "⎕VFI's left argument", &seps)) &&
      arg_text(v, y, "⎕VFI's argument", &s) && vfi_fields(v, &seps, !x, &s, &f)) {
    int64_t n = (int64_t)f.num.n;
    ok = arr_vec(v->c, ET_BIT, n);
    for (int64_t i = 0; ok && i < n; i++) arr_put_int(ok, i, f.valid.at[i]);
    num = n ? literal_numbers(v->c, f.num.at, n) : arr_vec(v->c, ET_I8, 0);
    if (n == 1 && num) {
      arr *scalar = num;
      num = arr_reshape(v->c, scalar, 1, &n);
      arr_release(scalar);
    }
  }
  vec_free(v->c, &f.num);
  vec_free(v->c, &f.valid);
  str_free(&seps);
  str_free(&s);
  return (*r = items_pair(v, ok, num)) != NULL;
}
