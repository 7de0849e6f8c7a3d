/* SPDX-License-Identifier: MIT */
/* plot_font.c - the letters of a PNG, as strokes of one width.
 *
 * A glyph is a text of strokes between blanks. A stroke is a text of points: two digits each, of 36,
 * x from the left and y from the top; a capital's top is 0, x's top 4, the base line e (14), what
 * hangs below ends at i (18).
 *
 *      0 ┌ ╷
 *      4 │ ├─╮     h: "000e 09~0444~84898e"
 *      9 │ │ │        a stem; from the stem an arch, down to the base line
 *      e ┴ ╵ ╵
 *
 * A point behind ~ is not on the stroke but pulls it: the control point of a parabola between its
 * neighbours. A stroke of one place is a dot. Letters with marks above are made of the letter
 * and the mark. */
#include "plot.h"
#include "../../src/base/utf8.h"
#include <string.h>

typedef struct glyph {
  uint32_t code;
  int width;
  const char *strokes;
} glyph;

static const glyph glyphs[] = {
    {' ', 2, ""},
    {'!', 2, "101a 1e1e"},
    {'"', 5, "1014 4044"},
    {'#', 10, "402e 806e 15a5 0a9a"},
    {'$', 9, "83~8040~0003~0647~989b~9e4e~0e0b 404g"},
    {'%', 12, "30~6063~6636~0603~0030 98~c8cb~ce9e~6e6b~6898 a02e"},
    {'&', 11, "ae24~1040~7073~6546~080b~0e4e~8e98"},
    {'\'', 2, "1014"},
    {'(', 4, "40~1318~1d4g"},
    {')', 4, "00~3338~3d0g"},
    {'*', 6, "3137 0266 6206"},
    {'+', 8, "444c 0888"},
    {',', 2, "1e1e0h"},
    {'-', 5, "0959"},
    {'.', 2, "1e1e"},
    {'/', 6, "600g"},
    {'0', 8, "40~8087~8e4e~0e07~0040"},
    {'1', 8, "23505e 2e8e"},
    {'2', 8, "03~0040~8084~880e8e"},
    {'3', 8, "03~0040~8083~8646~868a~8e4e~0e0b"},
    {'4', 8, "6e600a8a"},
    {'5', 8, "701006~1545~8589~8e4e~0e0b"},
    {'6', 8, "71~000a~0e4e~8e8a~8646~060a"},
    {'7', 8, "00803e"},
    {'8', 8, "46~8683~8040~0003~0646~868a~8e4e~0e0a~0646"},
    {'9', 8, "1d~8e84~8040~0004~0848~8884"},
    {':', 2, "1616 1e1e"},
    {';', 2, "1616 1e1e0h"},
    {'<', 8, "84088c"},
    {'=', 8, "0686 0a8a"},
    {'>', 8, "04880c"},
    {'?', 7, "03~0030~7073~76373a 3e3e"},
    {'@', 13, "98~9565~4549~4c6c~9c98 95~9cbc~cbd7~d070~0009~0g7g~agbf"},
    {'A', 10, "0e50ae 2898"},
    {'B', 9, "0e0050~8083~865606 56~969a~9e5e0e"},
    {'C', 10, "a3~9050~0007~0e5e~9eab"},
    {'D', 10, "000e4e~aea7~a04000"},
    {'E', 8, "80000e8e 0777"},
    {'F', 8, "80000e 0777"},
    {'G', 10, "a3~9050~0007~0e5e~aea868"},
    {'H', 9, "000e 909e 0797"},
    {'I', 2, "101e"},
    {'J', 7, "707a~7e3e~0e0b"},
    {'K', 9, "000e 9009 369e"},
    {'L', 8, "000e8e"},
    {'M', 12, "0e006ac0ce"},
    {'N', 10, "0e00aea0"},
    {'O', 10, "50~a0a7~ae5e~0e07~0050"},
    {'P', 9, "0e0050~9094~985808"},
    {'Q', 10, "50~a0a7~ae5e~0e07~0050 6abf"},
    {'R', 9, "0e0050~9094~985808 589e"},
    {'S', 9, "93~9050~0003~0647~989b~9e4e~0e0b"},
    {'T', 10, "00a0 505e"},
    {'U', 10, "0009~0e5e~aea9a0"},
    {'V', 10, "005ea0"},
    {'W', 14, "003e72bee0"},
    {'X', 9, "009e 900e"},
    {'Y', 10, "0057a0 575e"},
    {'Z', 9, "00900e9e"},
    {'[', 4, "40101g4g"},
    {'\\', 6, "006g"},
    {']', 4, "00303g0g"},
    {'^', 8, "044084"},
    {'_', 8, "0h8h"},
    {'`', 3, "0032"},
    {'a', 8, "16~1444~84888e 8848~080b~0e3e~8e8a"},
    {'b', 8, "000e 08~0444~8489~8e4e~0e0a"},
    {'c', 8, "87~8444~0409~0e4e~8e8b"},
    {'d', 8, "808e 88~8444~0409~0e4e~8e8a"},
    {'e', 8, "0989~8444~0409~0e4e~7e8b"},
    {'f', 5, "50~20232e 0454"},
    {'g', 8, "848e~8i4i~1i1g 88~8444~0409~0e4e~8e8a"},
    {'h', 8, "000e 09~0444~84898e"},
    {'i', 2, "141e 1010"},
    {'j', 3, "243f~2i0i 2020"},
    {'k', 7, "000e 740a 287e"},
    {'l', 2, "101e"},
    {'m', 12, "040e 08~0434~64686e 68~6494~c4c8ce"},
    {'n', 8, "040e 09~0444~84898e"},
    {'o', 8, "44~8489~8e4e~0e09~0444"},
    {'p', 8, "040i 08~0444~8489~8e4e~0e0a"},
    {'q', 8, "848i 88~8444~0409~0e4e~8e8a"},
    {'r', 5, "040e 09~0454"},
    {'s', 7, "76~7434~0406~0939~797b~7e3e~0e0c"},
    {'t', 5, "202b~2e5e 0454"},
    {'u', 8, "0409~0e4e~8e89 848e"},
    {'v', 8, "044e84"},
    {'w', 12, "043e659ec4"},
    {'x', 8, "048e 840e"},
    {'y', 8, "044e 843g~2i0i"},
    {'z', 8, "04840e8e"},
    {'{', 5, "50~2023~2808 08~282d~2g5g"},
    {'|', 2, "101g"},
    {'}', 5, "00~3033~3858 58~383d~3g0g"},
    {'~', 9, "09~1648~7a97"},
    {0xA3, 9, "82~8050~2024~2e0e8e 0777"},                                     /* £ */
    {0xA9, 12, "61~d1d7~dd6d~0d07~0161 85~8464~4547~4a6a~8a89"},               /* © */
    {0xAF, 6, "0161"},                                                         /* ¯ */
    {0xB0, 5, "20~4042~4424~0402~0020"},                                       /* ° */
    {0xB1, 8, "414a 0585 0d8d"},                                               /* ± */
    {0xB5, 8, "040i 0409~0e4e~8e89 848e"},                                     /* µ */
    {0xB7, 2, "1818"},                                                         /* · */
    {0xC6, 14, "0e60d0 606e de6e 6747 67c7 2969"},                             /* Æ */
    {0xD7, 8, "157b 751b"},                                                    /* × */
    {0xDF, 8, "0e03~0040~8083~8546~868a~8e3e"},                                /* ß */
    {0xE6, 14, "16~1444~74787e 7848~080b~0e3e~7e7a 79d9~d4a4~7479~7eae~cedc"}, /* æ */
    {0xF7, 8, "0888 4444 4c4c"},                                               /* ÷ */
    {0x393, 8, "80000e"},                                                      /* Γ */
    {0x394, 10, "0e50ae0e"},                                                   /* Δ */
    {0x398, 10, "50~a0a7~ae5e~0e07~0050 2787"},                                /* Θ */
    {0x39B, 10, "0e50ae"},                                                     /* Λ */
    {0x3A0, 10, "0e00a0ae"},                                                   /* Π */
    {0x3A3, 9, "9000570e9e"},                                                  /* Σ */
    {0x3A6, 10, "505e 53~a3a7~ab5b~0b07~0353"},                                /* Φ */
    {0x3A8, 10, "505e 0003~0a5a~aaa3a0"},                                      /* Ψ */
    {0x3A9, 10, "0e3e~0a06~0050~a0a6~aa7eae"},                                 /* Ω */
    {0x3B1, 9, "94~7e4e~0e09~0444~749e"},                                      /* α */
    {0x3B2, 9, "0i03~0040~8083~8646~969a~9e4e~0e0b"},                          /* β */
    {0x3B3, 8, "044e4i 844e"},                                                 /* γ */
    {0x3B4, 8, "71~103346~888a~8e4e~0e0a~0646"},                               /* δ */
    {0x3B5, 7, "75~6434~0406~0939~090b~0e4e~7e7c"},                            /* ε */
    {0x3B7, 8, "040e 09~0444~84898i"},                                         /* η */
    {0x3B8, 8, "40~8087~8e4e~0e07~0040 0787"},                                 /* θ */
    {0x3BA, 7, "040e 740a 287e"},                                              /* κ */
    {0x3BB, 8, "108e 460e"},                                                   /* λ */
    {0x3BC, 8, "040i 0409~0e4e~8e89 848e"},                                    /* μ */
    {0x3BD, 8, "044e84"},                                                      /* ν */
    {0x3C0, 10, "04a4 242e 848e"},                                             /* π */
    {0x3C1, 8, "0i09~0444~8489~8e4e~0e09"},                                    /* ρ */
    {0x3C3, 10, "a444~0409~0e4e~8e89~8454"},                                   /* σ */
    {0x3C4, 8, "0484 444b~4e7e"},                                              /* τ */
    {0x3C6, 10, "505i 54~a4a9~ae5e~0e09~0454"},                                /* φ */
    {0x3C7, 8, "048i 840i"},                                                   /* χ */
    {0x3C8, 10, "505i 0408~0e5e~aea8a4"},                                      /* ψ */
    {0x3C9, 12, "14~0409~0e3e~6e69 69~6e9e~cec9~c4b4"},                        /* ω */
    {0x2009, 0, ""},                                            /* a thin space */
    {0x2013, 8, "0989"},                                        /* – */
    {0x2014, 13, "09d9"},                                       /* — */
    {0x2018, 2, "2013"},                                        /* ‘ */
    {0x2019, 2, "2013"},                                        /* ’ */
    {0x201C, 5, "2013 5043"},                                   /* “ */
    {0x201D, 5, "2013 5043"},                                   /* ” */
    {0x2026, 10, "1e1e 5e5e 9e9e"},                             /* … */
    {0x2032, 3, "2013"},                                        /* ′ */
    {0x20AC, 10, "a2~9060~2027~2e6e~9eac 0676 0a6a"},           /* € */
    {0x2190, 10, "09a9 45094d"},                                /* ← */
    {0x2192, 10, "09a9 65a96d"},                                /* → */
    {0x2212, 8, "0888"},                                        /* − */
    {0x221A, 10, "0b2b4ea0"},                                   /* √ */
    {0x221E, 12, "69~8595~c5c9~cd9d~8d69~4535~0509~0d3d~4d69"}, /* ∞ */
    {0x2248, 9, "07~1448~7894 0b~188c~7c98"},                   /* ≈ */
    {0x2260, 8, "0686 0a8a 722e"},                              /* ≠ */
    {0x2264, 8, "82068a 0d8d"},                                 /* ≤ */
    {0x2265, 8, "02860a 0d8d"},                                 /* ≥ */
    {0x2373, 3, "141b~1e3e"},                                   /* ⍳ */
};

/* What stands over a letter whose top is 4, in the middle; over a capital it is 4 higher. */
enum { GRAVE, ACUTE, HAT, TILDE, DOTS, RING, CARON, DOUBLE, LINE_OVER, BELOW, SLASH };
static const char *const marks[] = {"1032",         "3012",      "022042",
                                    "02~1121~3140", "0101 4141", "20~3031~3222~1211~1020",
                                    "002240",       "1002 4032", "0141",
                                    "2e1g~4g2i0i",  ""};

typedef struct composed {
  uint32_t code;
  char letter;
  int mark;
} composed;

static const composed letters[] = {
    {0xC0, 'A', GRAVE},   {0xC1, 'A', ACUTE},      {0xC2, 'A', HAT},
    {0xC3, 'A', TILDE},   {0xC4, 'A', DOTS},       {0xC5, 'A', RING},
    {0xC7, 'C', BELOW},   {0xC8, 'E', GRAVE},      {0xC9, 'E', ACUTE},
    {0xCA, 'E', HAT},     {0xCB, 'E', DOTS},       {0xCC, 'I', GRAVE},
    {0xCD, 'I', ACUTE},   {0xCE, 'I', HAT},        {0xCF, 'I', DOTS},
    {0xD1, 'N', TILDE},   {0xD2, 'O', GRAVE},      {0xD3, 'O', ACUTE},
    {0xD4, 'O', HAT},     {0xD5, 'O', TILDE},      {0xD6, 'O', DOTS},
    {0xD8, 'O', SLASH},   {0xD9, 'U', GRAVE},      {0xDA, 'U', ACUTE},
    {0xDB, 'U', HAT},     {0xDC, 'U', DOTS},       {0xDD, 'Y', ACUTE},
    {0xE0, 'a', GRAVE},   {0xE1, 'a', ACUTE},      {0xE2, 'a', HAT},
    {0xE3, 'a', TILDE},   {0xE4, 'a', DOTS},       {0xE5, 'a', RING},
    {0xE7, 'c', BELOW},   {0xE8, 'e', GRAVE},      {0xE9, 'e', ACUTE},
    {0xEA, 'e', HAT},     {0xEB, 'e', DOTS},       {0xEC, 'i', GRAVE},
    {0xED, 'i', ACUTE},   {0xEE, 'i', HAT},        {0xEF, 'i', DOTS},
    {0xF1, 'n', TILDE},   {0xF2, 'o', GRAVE},      {0xF3, 'o', ACUTE},
    {0xF4, 'o', HAT},     {0xF5, 'o', TILDE},      {0xF6, 'o', DOTS},
    {0xF8, 'o', SLASH},   {0xF9, 'u', GRAVE},      {0xFA, 'u', ACUTE},
    {0xFB, 'u', HAT},     {0xFC, 'u', DOTS},       {0xFD, 'y', ACUTE},
    {0xFF, 'y', DOTS},    {0x100, 'A', LINE_OVER}, {0x101, 'a', LINE_OVER},
    {0x104, 'A', BELOW},  {0x105, 'a', BELOW},     {0x106, 'C', ACUTE},
    {0x107, 'c', ACUTE},  {0x10C, 'C', CARON},     {0x10D, 'c', CARON},
    {0x10E, 'D', CARON},  {0x10F, 'd', CARON},     {0x118, 'E', BELOW},
    {0x119, 'e', BELOW},  {0x11A, 'E', CARON},     {0x11B, 'e', CARON},
    {0x141, 'L', SLASH},  {0x142, 'l', SLASH},     {0x143, 'N', ACUTE},
    {0x144, 'n', ACUTE},  {0x147, 'N', CARON},     {0x148, 'n', CARON},
    {0x150, 'O', DOUBLE}, {0x151, 'o', DOUBLE},    {0x158, 'R', CARON},
    {0x159, 'r', CARON},  {0x15A, 'S', ACUTE},     {0x15B, 's', ACUTE},
    {0x15E, 'S', BELOW},  {0x15F, 's', BELOW},     {0x160, 'S', CARON},
    {0x161, 's', CARON},  {0x170, 'U', DOUBLE},    {0x171, 'u', DOUBLE},
    {0x17B, 'Z', DOTS},   {0x17C, 'z', DOTS},      {0x179, 'Z', ACUTE},
    {0x17A, 'z', ACUTE},  {0x17D, 'Z', CARON},     {0x17E, 'z', CARON}};

static const glyph *find_glyph(uint32_t code) {
  static const glyph unknown = {0, 8, "00808e0e00"};
  for (size_t i = 0; i < ARRAY_LEN(glyphs); i++)
    if (glyphs[i].code == code) return &glyphs[i];
  return &unknown;
}

static const composed *find_composed(uint32_t code) {
  for (size_t i = 0; i < ARRAY_LEN(letters); i++)
    if (letters[i].code == code) return &letters[i];
  return NULL;
}

/* A digit or minus that is raised or lowered: as the plain one; 0: it is none. */
static uint32_t small_of(uint32_t code, bool *low) {
  *low = code >= 0x2080 && code <= 0x2089;
  if (*low) return '0' + code - 0x2080;
  if (code == 0xB9) return '1';
  if (code == 0xB2 || code == 0xB3) return '2' + code - 0xB2;
  if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) return '0' + code - 0x2070;
  return code == 0x207B ? 0x2212 : 0;
}

/* ── strokes ────────────────────────────────────────────────────────────────────────── */

/* Where (0, 0) of a glyph lies, and how long its unit is. */
typedef struct spot {
  page *p;
  double x, y, unit;
  bool up;
} spot;

static void put_point(const spot *s, const double at[2], bool begins) {
  double dx = at[0] * s->unit, dy = at[1] * s->unit;
  double x = s->x + (s->up ? dy : dx), y = s->y + (s->up ? -dx : dy);
  if (begins) page_move(s->p, x, y);
  else page_line(s->p, x, y);
}

/* The parabola from a to b that c pulls. */
static void put_curve(const spot *s, const double a[2], const double c[2],
                      const double b[2]) {
  enum { PARTS = 6 };
  for (int i = 1; i <= PARTS; i++) {
    double t = (double)i / PARTS, at[2];
    for (int k = 0; k < 2; k++)
      at[k] = (1 - t) * (1 - t) * a[k] + 2 * t * (1 - t) * c[k] + t * t * b[k];
    put_point(s, at, false);
  }
}

static int digit_of(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* The strokes of a glyph, so far to the right and down. */
static void put_strokes(const spot *s, const char *z, double right, double down) {
  double pen[2] = {0}, pull[2] = {0};
  bool pulled = false, begins = true;
  for (; *z; z++) {
    if (*z == ' ') {
      begins = true;
      continue;
    }
    bool off = *z == '~';
    if (off) z++;
    double at[2] = {digit_of(z[0]) + right, digit_of(z[1]) - 14 + down};
    z++;
    if (off && pulled) {
      double middle[2] = {(pull[0] + at[0]) / 2, (pull[1] + at[1]) / 2};
      put_curve(s, pen, pull, middle);
      memcpy(pen, middle, sizeof pen);
    }
    if (off) memcpy(pull, at, sizeof pull);
    else if (pulled) put_curve(s, pen, pull, at);
    else put_point(s, at, begins);
    if (!off) memcpy(pen, at, sizeof pen);
    pulled = off;
    begins = false;
  }
}

static void put_mark(const spot *s, const composed *k, int width) {
  bool capital = k->letter < 'a';
  if (k->mark == SLASH && capital && k->letter == 'O') put_strokes(s, "a01e", 0, 0);
  else if (k->mark == SLASH && k->letter == 'o') put_strokes(s, "840e", 0, 0);
  else if (k->mark == SLASH) put_strokes(s, "4509", width > 4 ? -1 : -1, 0);
  else
    put_strokes(s, marks[k->mark], width / 2.0 - 2, capital && k->mark != BELOW ? -4 : 0);
}

/* One character; returns its width in units. */
static double put_char(const spot *s, uint32_t code) {
  const double apart = 3.3;
  bool low;
  uint32_t small = small_of(code, &low);
  const composed *k = small ? NULL : find_composed(code);
  if (k) code = (unsigned char)k->letter;
  const glyph *g = find_glyph(small ? small : code);
  const char *strokes = k && k->letter == 'i' ? "141e" : g->strokes;
  double part = small ? 0.62 : 1;
  if (s->p) {
    spot at = *s;
    at.unit *= part;
    double shift = 0;
    if (small) shift = low ? 3 : -9;
    put_strokes(&at, strokes, apart / 2, shift);
    if (k) {
      at.x += at.up ? 0 : apart / 2 * at.unit;
      at.y -= at.up ? apart / 2 * at.unit : 0;
      put_mark(&at, k, g->width);
    }
  }
  return (g->width + apart) * part;
}

static double unit_of(double size) { return size * 0.0515; }

double font_width(const char *text, double size) {
  const char *end = text + strlen(text);
  spot s = {0};
  double n = 0;
  while (text < end) n += put_char(&s, utf8_next(text, end, &text));
  return n * unit_of(size);
}

void font_strokes(page *p, double x, double y, double size, bool up, const char *text) {
  const char *end = text + strlen(text);
  spot s = {.p = p, .x = x, .y = y, .unit = unit_of(size), .up = up};
  while (text < end) {
    double n = put_char(&s, utf8_next(text, end, &text)) * s.unit;
    if (up) s.y -= n;
    else s.x += n;
  }
}
