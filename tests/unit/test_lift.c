/* SPDX-License-Identifier: MIT */
/* test_lift.c - random functions applied to cells, lifted and not: the same elements bit by
 * bit, of the same class, or the same error at the same place.
 *
 * `test_lift` runs some, always the same ones; for more: test_lift [-s FIRST] [-n COUNT] [-v] [-k]; -v shows them, -k goes on behind a
 * difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "src/array/element.h"
#include "src/eval/eval.h"
#include "random.h"

/* ── random programs ── */

/* A grammar: a capital, or $ and one more, stands for a text of its rule, everything else for
 * itself. Where the depth is used up, texts in which nothing of "ACDEFG" stands. */
/* clang-format off */
static const char *const arrays[] = {
    "m", "m", "m", "m", "m", "m", "m", "f", "f", "f", "f", "f", "g", "g", "v", "b", "b",
    "w", "h", "c", "t", "v", "u", "s", "e", "k", "g", "g", "z", "n", "d", "y", "three",
    "four", "wide", "nans", "nans", "none", "fnone", "cnone", "deep", "flat", "ninf",
    "long", "half"};
static const char *const frames[] = {
    "V", "V", "V", "V", "V", "V", "V", "V", "(0↑V)", "(1↑V)", "(2↑V)", "(3↑V)", "(l V)",
    "(⌽V)", "(⍉V)", "(V×2)", "(V-1)", "(2↓V)", "(⌊V)", "V", "V", "V", "(0j1×V)",
    "(V,V)", "(V⍪V)", "(⍪V)", "(V>0)", "(200×V)", "(100000×V)", "(V×1e15)",
    "(V÷0.5+0×V)", "(⎕F32 V)", "(1 1 0/V)", "(⊢V)"};
static const char *const items[] = {
    "↓V", "↓V", "↓Y", "⊂⍤1⊢V", "q⊂u", "q⊂v,1 2 3", "q⊆u", "(30⍴q)⊂30⍴f", "(q,1)⊂13⍴V",
    "(12⍴1 1 2 2 2 0)⊆12⍴V", "↓6 3⍴1 4 7", "6 3⍴1 4 7", "n", "Y", "(x V)(x V)",
    "⍳¨12⍴3 1 4", "(13 2⍴f)", "600⍴↓V", "(12⍴j)⊂12⍴V", "{⊂⍵}⌸12⍴V", "words", "40⍴words",
    "(text≠' ')⊆text", "(text=' ')⊂text", "⊂¨↓V", ",¨Y", "⍳¨⍳9", "(⍳9)↑¨⊂u", "(↓V),↓V",
    "deep", "3⍴⊂V", "(1,11⍴0 0 1)⊂u", "↓c", "600⍴words", "⍕¨12⍴V", "12⍴⊂⍬",
    "(12⍴1)⊂12⍴V", "(600⍴1 0 1)⊆600⍴V", "V V", "↓⍤1⊢V", "(1,599⍴0 1 1)⊂600⍴V"};
static const char *const keyed[] = {
    "jG⌸12⍴V", "(12⍴V)G⌸12⍴V", "(12 2⍴V)G⌸12⍴V", "(12⍴'abca')G⌸12⍴V", "j G⌸12 3⍴V",
    "j G⌸12 2 2⍴V", "(12⍴V)G⌸12 3⍴V", "G⌸V", "G⌸12⍴V", "(600⍴V)G⌸600⍴V",
    "(600⍴j)G⌸600 2⍴V", "(⍳600)G⌸600⍴V", "(⌊0.6×⍳600)G⌸600⍴V", "G⌸600⍴V", "n G⌸n",
    "(0⍴V)G⌸0⍴V", "(0 2⍴V)G⌸0⍴V", "(600⍴⍳7)G⌸600⍴V", "c G⌸⍳9", "text G⌸⍳≢text",
    "text G⌸(≢text)⍴V", "(12⍴words)G⌸12⍴V", "(600⍴words)G⌸600⍴V", "G⌸600⍴words",
    "(600⍴v)G⌸600 2 2⍴V", "(60⍴z)G⌸60⍴V", "(13⍴V)G⌸13⍴h", "(600⍴⍳300)G⌸600⍴V",
    "(60⍴V)G⌸60⍴c"};
static const char *const windows[] = {
    "3 3", "3", "2", "4 2", "(2 2⍴3 3 2 1)", "5 1", "1", "2 3 2", "7", "4", "1 1",
    "(2 1⍴3 2)", "9", "(2 1⍴5 3)"};
static const char *const ranks[] = {
    "0", "1", "1", "¯1", "2", "1 0", "0 1", "1 2", "3", "¯2", "0 2", "2 1", "1 1",
    "0 ¯1", "99", "1 0 1"};
static const char *const numbers[] = {
    "1", "2", "¯1", "0.5", "3", "0", "2 3", "4 1", "1 2 3", "⍬", "1 0 1", "1e300", "5",
    "'a'", "⍳4", "v", "7", "0j1", "''", "'abc'", "(2 2⍴⍳4)", "1 2 3j1", "(1 2)3", "n",
    "q", "'b'", "ninf", "1e¯15", "¯1 0", "(⍳0)", "2 2", "(2 3⍴⍳6)", "0.1", "¯0.5 2",
    "(1 'a')", "(⊂1 2)", "255", "65536", "9223372036854775807", "1e18", "⍳12", "12⍴1 0",
    "nan"};
static const char *const places[] = {
    "1", "1", "1", "2 1", "2 1", "2", "1 1", "¯1", "≢⍵", "1;2", ";1", "⊂1 2", "⍋⍵",
    "⊃⍋⍵", "(⍴⍵)⌊⌈\\⍵", "A", "E", "1 2", "⍸C", "0", "3", "≢⍵", "1;1", "2;", "E;1",
    "⍳≢⍵", "(⊂1 1)", "⌽⍳≢⍵"};
static const char *const conditions[] = {
    "0<⊃,⍵", "2<≢⍵", "⍵≡⌽⍵", "0<+/,⍵", "0=2|⊃,⍵", "∧/,0<⍵", "'a'∊⍵", "0<A", "1∊E",
    "⍬≡⍴E", "(⊃,E)>⊃,E", "0<E", "A≡E", "∧/,E", "L≡p", "~1∊E", "0=≢⍵", "(⍳3)≡⍵", "1",
    "0", "A", "1=≡⍵", "' '∊⍵", "3<⌈/,⍵", "(+/,⍵)>5", "0∧.=⍵", "2|≢⍵", "(≢∪⍵)<≢⍵",
    "0=⊃⌽⍵", "∨/C", "(C)∧C", "(C)∨C"};
static const char *const folded[] = {
    "+", "×", "⌈", "⌊", "-", "∧", "∨", "≠", "+", "⌈", "+", "⌈", "+", "⌊", ",", "=",
    "{⍺+2×⍵}", "{⍺⌈⍵-1}", "{⍵,⍺}", "⊢", "⊣", "|", "÷", "○", "*", "≥", "⍲", "{⍺}", "{⍵}",
    "{⍺>⍵:⍺⋄⍵}", "{⍺+⍵}", "⌊", ">"};
static const char *const scalars[] = {
    "+", "-", "×", "÷", "⌈", "⌊", "|", "*", "⍟", "<", "≤", "=", "≥", ">", "≠", "∧", "∨",
    "○", "!", "⍲", "⍱", "+", "-", "×", "⌊", "=", "+"};
static const char *const operands[] = {
    "N", "⍵", "⍵", "⍵", "⍵", "⍵", "⍵", "p", "p", "o", "L", "L", "L", "(⊃⍵)", "(≢⍵)",
    "2", "1", "(,⍵)", "(+/⍵)", "(⌈/⍵)", "⍵[1]", "⍵[;2 1]", "⍵[J]", "(E)", "(E)", "(E)",
    "(E)", "(E)(E)", "(A)(A)", "(E)", "⍵", "(⌽⍵)", "(-⍵)", "(≢∪⍵)", "(⍳≢⍵)", "(⍴⍵)",
    "avg⍵", "(⊃⌽⍵)", "(1↓⍵)", "words", "nans", "(0<⍵)", "(⍵=⊃⍵)", "(+\\⍵)", "⍵⍵",
    "(⊂⍵)"};
static const char *const expressions[] = {
    "⍵", "A", "F A", "F A", "F A", "A G A", "A G A", "A G A", "F A G A", "A G F A",
    "F F A", "A S A", "A,A", "A,F A", "(C)/A", "(A)(A)", "A G(A)S A", "(F⊢G)A",
    "A S F A", "(A S A)S A", "F¨A", "A G¨A", "+/A", "⌈/A"};
static const char *const bodies[] = {
    "⍵+1", "p←⍵⋄E", "p←⍵⋄E", "p←E⋄E", "p←E⋄E", "p←⍵⋄C:E⋄E", "C:E⋄E", "C:E⋄C:E⋄E",
    "p o←(E)(E)⋄E", "p o←2↑⍵⋄E", "o←E⋄p←E⋄o G p", "p←⍵⋄p+←E⋄E", "0::E⋄E", "E E",
    "p←{D}⍵⋄E", "p←F L⋄E", "(E)(E)", "(E),E", "C:p←E⋄o←E⋄o", "ff←{D}⋄ff⍵",
    "ff←{D}⋄gg←{D}⋄ff gg⍵", "ff←{D}⋄(ff⍵)S ff L", "p←⍵⋄p[J]←E⋄p", "p←⍵⋄p,←E⋄p",
    "p←⍵⋄((0<p)/p)←E⋄p", "(p o)←(E)(E)⋄p S o", "p←⍬⋄p,←E⋄p,←E⋄p", "C:E⋄p←E⋄C:p⋄p S⍵",
    "p←E⋄0=≢p:E⋄p G⍵", "p←E⋄o←E⋄p S o", "C:⍬⋄E", "C:⍵⋄F⍵", "~C:E⋄E", "p←⍵⋄{D}p",
    "p←E⋄{p S E}⍵", "p←E⋄{p+⍵}¨⍵", "p←0⋄{p+←⍵⋄p}¨⍵", "p←E⋄p⊣o←p",
    "1≥≢⍵:E⋄∇1↓⍵", "2≥≢⍵:E⋄C:E⋄p←E⋄∇1↓⍵", "C:E⋄1≥≢⍵:p⋄∇¯1↓⍵",
    "p←E⋄{C:p⋄E}⍵", "p←E⋄{⍺⍺⍵}{C:⍺⍺⍵⋄E}⍵"};
static const char *const functions1[] = {
    "$1", "$1", "$1", "$2", "$2", "$2", "O/", "O/", "$3", "$4", "$4", "$5", "$5", "$6",
    "$6", "$7", "$7", "$8", "$9", "$0", "$a", "{D}", "{D}", "{D}", "(F⍤X)", "F¨",
    "(F S F)", "(F F)", "(F∘F)", "(F⍤F)", "S⍨", "G⍨", "N∘G", "(N G F)", "G⌸", "(G⌺3)",
    "(⊢G F)", "O/", "(F⍥F)", "(F⍣2)", "avg", "norm", "mid", "tf", "(⊢S F)", "(F⍛S)",
    "(F,G)", "($2$2)", "($1$5)", "(+/$6)", "(≢$6)", "($4$6)", "($2$6)", "($6¨)",
    "(F⍤1)", "(F⍤¯1)", "(⊂∘F)", "({D}⍣2)", "$2¨", "($5,$3)", "(S/)", "(G/)", "(G\\\\)",
    "($0$0)"};
static const char *const functions2[] = {
    "S", "S", "S", "S", "S", "S", "$b", "$b", "$c", "$d", "$d", "$e", "$f", "$g", "{D}",
    "{D}", "{D}", "(G⍤X)", "G¨", "(G S G)", "(F G)", "(F⍤G)", "∘.G", "G⍨", "(G⍥F)",
    "(G∘F)", "(F⊢)", "G⌸", "{⍺G⍵}", "(G⍣2)", "{D}", "(G⍤0 1)", "(G⍤1 0)", "(G⍤¯1)",
    "(F⍛G)", "(⊣S⊢)", "(G¨)", "(G⍨)", "{⍵G⍺}", "($d$1)", "{(⍺)G F⍵}", "{⍺}", "(S⍤0 1)"};
static const char *const scalar1[] = {
    "+", "-", "×", "÷", "⌈", "⌊", "|", "*", "⍟", "○", "!", "~"};
static const char *const axis1[] = {
    "⌽", "⊖", "⍉", "↑", ",", "⍪", "2-/", "¯3+/", "O/", "O⌿", "O\\", "O⍀", "O/[1]",
    "O\\[2]", "3O/", "⌽[1]", ",[1]", "1⌽", "2↑", "¯1↓", "1↓", "3↑", "1 1⍉", "2 1⍉", "↓",
    "↑↓", "⊂[1]", "↓[1]", "1↓[1]", "2↑[2]", "¯2↑", "0↑", "1 2↑", "{(≢⍵)↑⍵}", "5↑", "1⊖",
    "1 2 3⌽", "O/¨", "O\\¨", "⌽¨", "(2,/)", "2×/", "{(⊃⍵)⌽⍵}", "{(⊃⍵)↑⍵}", "{(⊃⍵)↓⍵}",
    "{(1-⊃⍵)⌽⍵}", "{(≢⍵)⌽⍵}", "{⍵,[1]⍵}", "{⍵⍪E}", "{E,⍵}", "{2 2↑⍵}", "{1 1↓⍵}", "4↑",
    "¯1⌽"};
static const char *const shape1[] = {
    "≢", "⍴", "≡", "⊢", "⍳", "∊", "⊆", "⊂", "3⍴", "2 2⍴", "≡¨", "≢¨", "⍴¨", "0⍴",
    "¯1↑⍴", "(⍴⍴⍴)", "⊃⍴", "4⍴", "⊂⍤1", "1 3⍴", "{(⌽⍴⍵)⍴⍵}", "{(2×≢⍵)⍴⍵}", "⍳≢",
    "{(≢⍵)⍴0}", "(⍬⍴⊢)"};
static const char *const order1[] = {
    "⍋", "⍒", "⍋⍋", "{⍵[⍋⍵]}", "{⍵[(⍋⍵)[⌈0.5×≢⍵]]}", "{⍵[⍒⍵]}", "{⍵[⍋-⍵]}", "{⍵[⍋p]}",
    "{(⍋⍵)⌷⍵}", "{⍵[⍋⍵;]}", "(⊂∘⍋⌷⊢)", "{⍋⍋⍵}", "{(2↑⍋⍵)}", "{⍵[2↑⍒⍵]}", "{⌽⍵[⍋⍵]}",
    "{'abc'⍋⍵}", "{⍵[⍋⍵[;1];]}", "{⍋↑⍵}", "{(⌈/⍵)-⌊/⍵}", "{(⍋E)⌷⍵}", "{⍵[⍋E]}"};
static const char *const search1[] = {
    "∪", "≠", "⍸", "≢⍸", "≢∪", "{⍵⍳⌈/⍵}", "{⍵⍳⊃⍵}", "{(∪⍵)⍳⍵}", "{+/⍵∊⌽⍵}", "{⍵⍸⌽⍵}",
    "{(⍵[⍋⍵])⍸⍵}", "{⍵⍳E}", "{(E)∊⍵}", "{⍵⍷E}", "'an'⍷", "{(2↑⍵)⍷⍵}", "{(E)⍷⍵}",
    "(1 4⍷⊢)", "{⍵∩E}", "{⍵∪E}", "{⍵~E}", "{(⊃⍵)⍳⍵}", "{1 3 5⍸⍵}", "{⍵⍳⍵}", "(∪⍳⊢)",
    "(⊢⍳∪)", "{⍵∊⍵}", "{⍵∊E}", "{(⊂⍵)∊words}", "{words⍳⊂⍵}", "{⍵≡E}", "{⍵≢¨⊂⍵}",
    "{+/⍵∊E}", "{(E)⍸⍵}", "{(+\\0<⍵)⍸2}", "{∪⌽⍵}", "{(∪⍵)∘.=⍵}", "{+/(∪⍵)∘.=⍵}", "⍸⍣¯1"};
static const char *const select1[] = {
    "{(⍵>N)/⍵}", "⍸", "∪", "{⍵/⍨1 0 1⍴⍨≢⍵}", "{(C)/⍵}", "{1 0 1 1/⍵}", "{1 1 0\\⍵}",
    "(⊢⊢⍤/⍨0<⊢)", "+/∘⍸", "{⍵~N}", "{(E)/⍵}", "{⌽(0<⍵)/⍵}", "{N↑⍵}", "{(E)↑⍵}",
    "{(C)↓⍵}", "{(0<⍵)⊂⍵}", "{(0<⍵)⊆⍵}", "{(⍵≠⊃⍵)⊆⍵}", "{+/¨(1,1↓0<⍵)⊂⍵}",
    "{≢¨(0<⍵)⊆⍵}", "{(1,2≠/⍵)⊂⍵}", "{⊃¨(1,2≠/⍵)⊂⍵}", "{(≠⍵)/⍵}", "{(⍵=⌈/⍵)/⍳≢⍵}",
    "{⍸⍵=⌈/⍵}", "{⊃⍸0<⍵}", "{(∨\\0<⍵)/⍵}", "{(⌈/⍵)~⍨⍵}", "{+/(0<⍵)/⍵}", "{⌈/(0<⍵)/⍵}",
    "{(+/÷≢)(0<⍵)/⍵}", "{(0<⍵)/E}", "{(E)/⍵}", "{(0 1⍴⍨≢⍵)\\⍵}", "{((0<⍵)/⍵)[1]}",
    "{⍵⊆⍵}", "{⍵⊂⍨0<⍵}", "{(|⍵)/⍵}", "{(0⌈⌊⍵)/⍵}", "{⍵/2}"};
static const char *const index1[] = {
    "⊃", "{⍵[1]}", "{⍵[⍵]}", "(N@1)", "(F@1)", "(N@2 1)", "(F@(0<⊢))", "(-@{⍵=⌈/⍵})",
    "{b←⍵⋄b[J]←E⋄b}", "{b←⍵⋄b[1]+←E⋄b}", "{1+2⌷⍵}", "{b←⍵⋄(1↑b)←E⋄b}", "⊃⌽", "{(⊂J)⌷⍵}",
    "{⍵[J]}", "(0@1)", "(9@2)", "({D}@2)", "({D}@1 2)", "(⌽@1 2)", "(0@(2∘<))",
    "(p@{C})", "{⍵[1;]}", "{1 1⊃⍵}", "{⍵[⊂1 1]}", "{b←⍵⋄b[⍸0<b]←0⋄b}",
    "{b←⍵⋄((0<b)/b)←0⋄b}", "{b←⍵⋄b[⊃b]←0⋄b}", "{⍵[⊃⍵]}", "{⍵[1+3|⍵]}",
    "{b←⍵⋄b[⍋b]←⍳≢b⋄b}", "{E@J⊢⍵}", "{b←0⍴⍨≢⍵⋄b[J]←1⋄b}", "{2⊃⍵}", "{⊃⍵}", "{⍵[;1]}",
    "{b←⍵⋄b[;1]←E⋄b}", "{⌽⊃⌽⍵}"};
static const char *const product1[] = {
    "{⍵+.×⍵}", "{⍵∘.×⍵}", "⌹", "{⍵+.×⍉⍵}", "{⍵∧.=⌽⍵}", "{(⍳≢⍵)+.×⍵}", "{⍵⌹⍵}",
    "{(⍉⍵)⌹2+⍵}", "{⍵∨.∧⍵}", "{⍵⌊.+⍉⍵}", "{+/⍵×⍵}", "{⍵+.=⍵}", "(+.×⍨)", "{⍵∘.+⍳2}",
    "{(⍳2)∘.+⍵}", "{⍵∘.{D}⍵}", "{∨/⍵∘.=⍵}", "⌹2 2⍴", "{⍵⌹2 2⍴⍵}", "{-/2 2⍴⍵}",
    "{⍵×.+⍵}", "{⍵∘.=∪⍵}"};
static const char *const random1[] = {
    "?", "{?≢⍵}", "{⍵[?≢⍵]}", "{2?≢⍵}", "{⍵×?0}", "{?⍴⍨≢⍵}", "{(?≢⍵)⌽⍵}", "{2>?3:⍵⋄⌽⍵}",
    "{⍵[3?3]}", "{⍵[⍋?0⍴⍨≢⍵]}", "{?2 2⍴9}"};
static const char *const other1[] = {
    "⍕", "⍎", "⍎⍕", "i", "{⊂⍵}", "{⍵ ⍵}", "{⍵'a'}", "x", "(x∘x)", "≢⍕", "{}", "⊢∘⊂",
    "{⍺←2⋄⍺+⍵}", "(+∘1)", "{x ⍵}", "{⍎'⍵+1'}", "⍕¨", "1⎕C", "{∊⍵}", "{⊃,/⍵}", "{↑⍵}",
    "{2⊥⍵}", "{10⊥⍣¯1⊢⍵}", "{10 10⊤⍵}", "⊥⍨", "{2 3⊤⍵}", "{(⊃⍵)⊥⍵}", "{⍵⊥⍵}", "{⍵⊤E}",
    "{⍵⊥E}", "{⍵⊤⍨4⍴2}", "{(2⊥0<⍵)}", "{⍎⍕⍵}", "{(⍕⍵),E}", "avg", "norm", "mid", "tf",
    "⊂", "⊂⌽", "{⊂⍤1⊢⍵}", "{⍵}", "⊆", "{(⊂⍵),⊂E}", "{,⊂⍵}", "{⍪⍵}", "{≡⍵}",
    "{⎕ucs 64+⍵}", "{⊃{⍺,⍵}/⍵}", "{⊃{⍺+⍵}/⍵}", "{↑↓⍵}", "{↑⍵⍵}", "{(⍴⍵)≡⍴E}", "{⍵≡⍵}",
    "{3 1⍴⍵}"};
static const char *const loops[] = {
    "{⍺←0⋄⍺≥4⌊⌊⊃⍵:⍵⋄(⍺+1)∇E}", "{⍺←0⋄⍺≥3:⍵⋄(⍺+1)∇E}", "{2>≢⍵:⍵⋄∇1↓⍵}",
    "{2>≢⍵:⊃⍵⋄(⊃⍵)+∇1↓⍵}", "{⍵>99:⍵⋄∇9+", "⍵}", "(F⍣2)", "(F⍣3)", "({⌊⍵÷2}⍣≡)",
    "({9⌊2⌈⍵+2}⍣≡)", "{b g←⍵⋄b≤0:g⋄b>9:g⋄∇(b-1)(g×2)}", "{1≥⍵:⍵⋄∇⌊⍵÷2}",
    "{⍵>9:⍵⋄⍵<¯9:⍵⋄⍵<0:∇⍵-1⋄∇⍵+1}", "{b←E⋄g←⌊/b⋄∨/g>3:b⋄E}", "{b←0⋄_←{b+←⍵}¨⍵⋄b}",
    "{⍺←0⋄⍺≥3:⍵⋄b←⍵⋄b[1]←⍺⋄(⍺+1)∇b}", "{⍵≡⌽⍵:⍵⋄∇¯1↓⍵}", "{0=≢⍵:0⋄(⊃⍵)+∇1↓⍵}",
    "{2>≢⍵:⍵⋄p←⍵[⌈0.5×≢⍵]⋄(∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}", "({⌊⍵÷2}⍣{⍺≡⍵})",
    "({9⌊⍵+1}⍣≡)", "{2>≢⍵:⍵⋄∇(0 1⍴⍨≢⍵)/⍵}", "{99<+/⍵:⍵⋄∇1+2×|⍵}",
    "{(⌈/⍵)>40:⍵⋄∇⍵+⌽⍵+3}", "({(⊢+9∘>)⍵}⍣3)", "{⍺←1⋄9<⍺:⍵⋄(⍺×2)∇⍵+⍺}",
    "{b←⍵⋄g←0⋄_←{g+←b[⍵]}¨⍳≢b⋄g}", "{b←⊃⍵⋄b≤0:⍵⋄∇(b-1),1↓⍵}", "{1<≡⍵:∊∇¨⍵⋄⍵}",
    "({(F⍵)}⍣2)", "({⍵,⊃⍵}⍣2)", "({1↓⍵}⍣2)", "{0::0⋄E}", "{2::⍬⋄⍵[9]}",
    "{3>+/⍵:0⋄(+/⍵)÷≢⍵}", "{⍵>1:⍵÷4⋄0}¨", "{⍵>5:5⋄⍵<0:0⋄0.3×⍵}¨", "{0=≢⍵:¯1⋄⌈/⍵÷8}",
    "⌈/{⍵>1:⍵÷4⋄1}¨", "{2.5×{0<⊃⍵:1⋄0.7×⌊/⍵}⍵}"};
static const char *const axis2[] = {
    "⌽", "⊖", "⍉", "↑", "↓", ",", "⍪", "⊥", "⊤", "/", "⌿", "\\", "⍀", "↑[1]", "↓[1]",
    ",[0.5]", "⌽[1]", "+[1]", "⊂", "⊆", "⊥⍨", "⊤⍨", "⌽⍨", "↑⍨", "↓⍨", "⊂⍨", "⊆⍨", "/⍨",
    "\\⍨", "⍪⍨", ",⍤1", "⍴⍨"};
static const char *const shape2[] = {
    "⍴", "⊣", "⊢", "≡", "≢"};
static const char *const search2[] = {
    "⍳", "∊", "∪", "~", "∩", "⍸", "⍷", "⍳⍨", "∊⍨", "⍋", "⍸⍨", "⍷⍨", "~⍨", "∩⍨", "∪⍨",
    "⍒", "{(⍵⍳⍺)⊃⍵,0}", "{+/⍺∊⍵}", "{⍸⍺⍷⍵}", "{⍸⍵∊⍺}", "{⍺[⍋⍺]⍸⍵}", "≡", "≢"};
static const char *const index2[] = {
    "⌷", "⊃", "{⍵[⍺]}", "{⍺[⍵]}", "{(⊂⍺)⌷⍵}", "{b←⍵⋄b[1]←⊃⍺⋄b}", "{b←⍺⋄b[⍵]←0⋄b}",
    "{(⍺@1)⍵}", "{⍺@1⊢⍵}", "{(⍵⍳⌊/⍵)⊃⍺}", "{⍺[⍋⍵]}", "{⍵[⍋⍺]}", "{b←⍵⋄b[⍺]←9⋄b}", "⊃⍨",
    "⌷⍨", "{⍵[1⌈(≢⍵)⌊⌊⍺]}"};
static const char *const product2[] = {
    "+.×", "⌈.-", "∧.=", "⌹", "∘.S", "S.S", "∘.{⍺+2×⍵}", "+.×⍨", "-.×", "∨.∧", "⌊.+",
    "≠.=", "∘.≡", "∘.,", "∘.G", "+.G"};
static const char *const other2[] = {
    "⍕", "{⍺ ⍵}", "{⍺←1⋄⍺+⍵}", "?", "{⍺,x⍵}", "⊢⍤⊣", "{(⊂⍺),⊂⍵}", "{⍺,⍵}", "{⍺⍪⍵}",
    "{(⍺)(⍵)}", "{⍺⍕⍵}", "{⍺⊥⍵}", "{⍺⊤⍵}", "{⍺{D}⍵}", "{(E)S E}", "{(⍺⌷⍵)}", "{(≢⍺)↑⍵}",
    "{⍺↑⍵}", "{⍺↓⍵}", "{⍺⌽⍵}", "{⍺/⍵}", "{⍺\\⍵}"};
static const char *const programs[] = {
    "{D}⍤1⊢V", "{D}⍤1⊢V", "{D}⍤1⊢V", "{D}⍤1⊢(l V)", "{D}¨↓V", "{D}¨V", "{D}¨V",
    "V{D}¨⌽V", "m{D}⍤1⊢mS2", "f{D}⍤1⊢fSf", "m{D}⍤1⊢⌽m", "{D}⍤X⊢Y", "{D}⍤X⊢Y", "{D}⍤X⊢Y",
    "F⍤X⊢Y", "m{D}⍤X⊢mS2", "Y{D}⍤X⊢Y", "f{D}⍤X⊢fSf", "g{D}⍤1⊢⍳11", "(l m){D}⍤X⊢l m",
    "(⍳9){D}⍤X⊢m", "c G⍤X⊢⌽c", "h{D}⍤X⊢⌽h", "z{D}⍤X⊢⌽z", "u{D}¨⌽u", "s{D}¨Y",
    "(⍳9){D}¨↓m", "Y G⍤X⊢V", "{D}¨I", "{D}¨I", "↑{D}¨I", "F¨I", "Y{D}¨Y", "Y∘.{D}Y",
    "{D}⌺W⊢Y", "{D}⌺W⊢Y", "F⌺W⊢V", "K", "K", "K", "F⊢Y", "(↓V){D}¨↓⌽V", "(q⊂u){D}¨⌽q⊂u",
    "(q⊂u){D}¨q⊂12⍴V", "(↓m){D}¨⍳9", "s{D}¨I", "(⊂V){D}¨I", "I{D}¨⊂V", "{D}¨¨↓V",
    "F¨¨I", "(40⍴words){D}¨⌽40⍴words", "{D}¨40⍴words", "(⊂words){D}¨40⍴words", "{D}/V",
    "{D}⌿V", "⊃{D}/I", "{D}\\V", "V({D}⍤1 ¯1)V", "{D}⍤¯1⊢V", "({D}⍤1)⍤2⊢w",
    "{D}⍤2⊢three", "{D}⍤2 1⊢four", "{D}⍤1⊢four", "{D}⍤¯1⊢four", "{D}⍤1⊢nans",
    "{D}¨↓nans", "{D}⍤1⊢wide", "{D}⍤1⊢none", "{D}⍤1⊢deep", "F⍤1⊢deep", "{D}¨deep",
    "↑{D}¨↓V", "{⊂D}⍤1⊢V", "V∘.{D}V", "(↓V)∘.{D}↓V", "m F⍛{D}⍤1⊢mSm", "{D}⍤1⊢long",
    "{D}¨↓long", "F⍤1⊢long", "V G⍤1 0⊢V", "V G⍤0 1⊢V", "V G⍤1⊢⌽V", "V G⍤2 1⊢V",
    "(3↑V)G⍤1⊢3↑V", "({D}⍣2)V", "{D}⌺W⊢V", "{D}⍤1⊢(⎕F32 V)", "{D}⍤1⊢(V,V)",
    "{D}¨(⊂⍤1)V", "{D}¨(text≠' ')⊆text", "{D}¨(1,2≠/u)⊂u", "tf⍤1⊢V", "{D}⍤1⊢600 3⍴V",
    "{D}⍤1⊢600 3⍴V", "{D}¨↓600 3⍴V"};
/* clang-format on */

typedef struct rule {
  char name;
  const char *const *of;
  size_t n;
} rule;
#define RULE(name, of)                                                                   \
  { name, of, ARRAY_LEN(of) }
static const rule rules[] = {
    RULE('V', arrays),      RULE('Y', frames),   RULE('I', items),
    RULE('K', keyed),       RULE('W', windows),  RULE('X', ranks),
    RULE('N', numbers),     RULE('J', places),   RULE('C', conditions),
    RULE('O', folded),      RULE('S', scalars),  RULE('A', operands),
    RULE('E', expressions), RULE('D', bodies),   RULE('F', functions1),
    RULE('G', functions2),  RULE('1', scalar1),  RULE('2', axis1),
    RULE('3', shape1),      RULE('4', order1),   RULE('5', search1),
    RULE('6', select1),     RULE('7', index1),   RULE('8', product1),
    RULE('9', random1),     RULE('0', other1),   RULE('a', loops),
    RULE('b', axis2),       RULE('c', shape2),   RULE('d', search2),
    RULE('e', index2),      RULE('f', product2), RULE('g', other2),
    RULE('P', programs),
};

static char line[6000];
static size_t length;

static const char *pick(char name, int depth) {
  const rule *r = rules;
  while (r->name != name) r++;
  const char *text = r->of[next() % r->n];
  for (int i = 0; depth <= 0 && i < 99 && strpbrk(text, "ACDEFG"); i++)
    text = r->of[next() % r->n];
  return text;
}

/* The text with each rule's name replaced; `left`: there is ⍺. */
static void grow(const char *text, int depth, bool left) {
  for (const char *s = text; *s; s++) {
    bool named = *s == '$', rules_name = named || (*s >= 'A' && *s <= 'Z');
    if (length + 8 > sizeof line) return;
    if (!rules_name) {
      line[length++] = *s;
      continue;
    }
    s += named;
    if (*s == 'L') grow(left ? "⍺" : "⍵", depth, left);
    else
      grow(pick(*s, depth), depth - !!strchr("ACDEFG", *s),
           *s == 'G' || (left && *s != 'F'));
  }
}

static void program(uint64_t from) {
  seed = from * 0x9E3779B97F4A7C15u + 88172645463325252u;
  for (int i = 0; i < 9; i++) next();
  length = 0;
  const char *text = pick('P', 1);
  bool left = *text != '{' && *text != 'F' && !strstr(text, "}¨I");
  grow(next() % 8 ? "⎕rl←7⋄⎕io←1⋄" : "⎕rl←7⋄⎕io←0⋄", 0, false);
  grow(next() % 8 ? "⎕ct←0.00000000000001⋄r←" : "⎕ct←0⋄r←", 0, false);
  grow(text, 2 + (int)(next() % 4), left);
  line[length] = 0;
  if (!strchr(line, '?')) return;
  grow("⋄r←r(?999999)", 0, false); /* as many numbers have been drawn */
  line[length] = 0;
}

/* ── running them ── */

static const char preamble[] =
    "m←9 4⍴¯7+⍳11 ⋄ f←8 5⍴0.37×¯4+⍳9 ⋄ b←10 3⍴1 0 0 1 1 ⋄ v←⍳9 ⋄ u←12⍴2.5 ¯1 3 ⋄ s←5\n"
    "w←3 4 5⍴¯20+⍳37 ⋄ h←9 2⍴9223372036854775807 4 ¯3 9007199254740993 ⋄ e←0 3⍴0\n"
    "c←9 3⍴'banana split' ⋄ t←8 3 3⍴⍳5 ⋄ k←⎕F32 9 4⍴0.3×⍳5 ⋄ g←13 11⍴0.5×⍳77\n"
    "z←6 3⍴1J2 3 0J¯1 2.5J1 3 ⋄ n←6 2⍴(1 2)'ab'(⍳3)5(2 2⍴⍳4)(1 2) ⋄ d←12⍴'abcabd'\n"
    "y←5 4⍴3J0 1J1 ⋄ q←1 0 1 0 0 1 1 0 1 0 1 0 ⋄ j←12⍴3 1 3 2 ⋄ p←3 ⋄ o←1 0 2 ⋄ i←⎕UCS\n"
    "l←{(⊂1+(≢⍵)|⍳1000)⌷⍵} ⋄ x←{⍵} ⋄ avg←{(+/⍵)÷≢⍵} ⋄ norm←{⍵÷+/⍵}\n"
    "mid←{⍵[(⍋⍵)[⌈0.5×≢⍵]]} ⋄ _←⎕FX'r←tf y;k' 'k←⌈/y' 'r←y-k'\n"
    "three←4 3 5⍴¯3+⍳13 ⋄ four←2 3 2 4⍴0.5×⍳9 ⋄ wide←7 3⍴300 ¯70000 4 5E9 2\n"
    "nan←⊃645⎕DR 64⍴1 ⋄ ninf←-⊃645⎕DR(48⍴0),1 1 1 1 0 0 0 0 0 1 1 1 1 1 1 1\n"
    "nans←9 4⍴nan,1 2 ninf,(-ninf),0,(-0×0.5),3 ⋄ none←4 0⍴0 ⋄ fnone←5 0⍴0.5\n"
    "cnone←3 0⍴'' ⋄ deep←7 2⍴'' (⍳0)(1 2 3)'ab'(⊂1 2)(2 3⍴⍳6) ⋄ flat←1 5⍴⍳5\n"
    "long←150 7⍴¯9+⍳23 ⋄ half←⎕F32 5 4⍴nan,0.1 2 ninf 3\n"
    "text←'the cat sat on  the mat and the' ⋄ words←'the' 'cat' 'a' '' 'sat' 'the' 'mat'";

static void write_nothing(void *user, int fd, const char *utf8, size_t n) {
  UNUSED(user);
  UNUSED(fd);
  UNUSED(utf8);
  UNUSED(n);
}

typedef struct session {
  ctx c;
  vm *v;
  str error;
  arr *r;
} session;

static bool run(session *s, const char *text) {
  limits_begin(&s->c);
  bool ok = vm_run(s->v, &(vm_text){.name = "", .at = text, .n = strlen(text)}, false,
                   NULL, NULL);
  if (ok) return true;
  vm_error_text(s->v, &s->error);
  err_clear(&s->c);
  return false;
}

static void begin(session *s, const char *tune) {
  *s = (session){.v = NULL};
  ctx_init(&s->c, NULL, NULL);
  s->c.limit.seconds = 1;
  s->c.bytes_max = 1 << 29;
  s->c.idle.on = 0; /* a sanitizer sees what is released */
  vm_config cfg = {.c = &s->c, .write = write_nothing};
  cfg.ir = (ir_config){.device = "host", .tune = tune, .threads = 1};
  s->v = vm_new(&cfg);
  s->error = (str){.c = &s->c};
  assert_true(s->v && run(s, preamble));
}

static void end(session *s) {
  str_free(&s->error);
  vm_free(s->v);
  assert_int_equal(s->c.blocks_live, 0);
}

static double imaginary(const arr *a, int64_t i) {
  return a->type == ET_C128 ? ((const double *)a->host)[2 * i + 1] : 0;
}

static double real(const arr *a, int64_t i) {
  return a->type == ET_C128 ? ((const double *)a->host)[2 * i] : arr_get_float(a, i);
}

/* Bits and integers are one: how wide integers are stored shows nowhere but in ⎕DR. Complex
 * numbers without imaginary parts are real ones. */
static int class_of(const arr *a) {
  cls of = cls_of((elt)a->type);
  if (of != CLS_C) return of == CLS_B ? CLS_I : (int)of;
  for (int64_t i = 0; i < a->count; i++)
    if (imaginary(a, i) != 0) return CLS_C;
  return CLS_F;
}

/* Every NaN is one: ⎕DR shows one pattern of bits, whatever made it. */
static bool same_bits(double a, double b) {
  return (a != a && b != b) || !memcmp(&a, &b, sizeof a);
}

static bool same_number(const arr *x, const arr *y, int64_t i) {
  double c = imaginary(x, i), d = imaginary(y, i);
  return same_bits(real(x, i), real(y, i)) && (c == d || same_bits(c, d));
}

static bool same(const arr *x, const arr *y) {
  if (!arr_same_shape(x, y)) return false;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return false;
  bool nested = x->type == ET_NEST;
  if (class_of(x) != class_of(y) || nested != (y->type == ET_NEST)) return false;
  for (int64_t i = 0; i < x->count; i++) {
    if (nested) {
      if (!same(arr_item(x, i), arr_item(y, i))) return false;
    } else if (elt_is_float((elt)x->type) || x->type == ET_C128) {
      if (!same_number(x, y, i)) return false;
    } else if (arr_get_int(x, i) != arr_get_int(y, i)) return false;
  }
  return true;
}

/* The line in one of the interpreters; its result is in s->r, or its error in s->error. */
static void try_it(session *s) {
  s->r = NULL;
  s->error.n = 0;
  if (!run(s, line)) return;
  s->r = vm_get(s->v, "r");
  if (s->r && ir_host(vm_ir(s->v), s->r)) return;
  if (s->r) arr_release(s->r);
  s->r = NULL;
  str_puts(&s->error, err_name(s->c.err.code));
  err_clear(&s->c);
}

static bool begins_with(const str *s, const char *what) {
  return s->n >= strlen(what) && !memcmp(s->at, what, strlen(what));
}

/* Errors that say how much is in use, or how long it took. */
static bool is_of_limits(const session *s) {
  return begins_with(&s->error, "WS FULL") || begins_with(&s->error, "LIMIT");
}

static bool is_alike(const session *x, const session *y) {
  if (is_of_limits(x) || is_of_limits(y)) return true;
  if (!x->r || !y->r) {
    if (x->r || y->r || x->error.n != y->error.n) return false;
    return !memcmp(x->error.at, y->error.at, x->error.n);
  }
  return same(x->r, y->r);
}

static uint64_t first = 1, count = 1500;
static bool verbose, goes_on;

static void complain(const char *tune, uint64_t n, const session *x, const session *y) {
  fprintf(stderr, "seed %llu, %s: %s\n", (unsigned long long)n, tune, line);
  const session *both[] = {x, y};
  for (int i = 0; i < 2; i++)
    fprintf(stderr, "  %.*s\n", (int)both[i]->error.n,
            both[i]->error.n ? both[i]->error.at : "has a result");
}

static void test_random(void **state) {
  static const char *const tunes[] = {"lift=0", "lift=1", "lift=2 direct=0"};
  enum { WAYS = ARRAY_LEN(tunes) };
  session s[WAYS];
  uint64_t results = 0, fewer = 0, limits = 0, different = 0;
  UNUSED(state);
  for (int i = 0; i < WAYS; i++) begin(&s[i], tunes[i]);
  for (uint64_t n = first; n < first + count; n++) {
    program(n);
    if (verbose) fprintf(stderr, "%llu: %s\n", (unsigned long long)n, line);
    for (int i = 0; i < WAYS; i++) {
      try_it(&s[i]);
      if (is_alike(&s[0], &s[i])) continue;
      different++;
      complain(tunes[i], n, &s[0], &s[i]);
    }
    if (verbose)
      fprintf(stderr, "%.*s\n", (int)s[0].error.n, s[0].error.n ? s[0].error.at : "");
    results += s[0].r != NULL;
    fewer += s[0].r && s[1].c.limit.steps + 1 < s[0].c.limit.steps;
    limits += is_of_limits(&s[0]);
    for (int i = 0; i < WAYS; i++)
      if (s[i].r) arr_release(s[i].r);
    if (!goes_on) assert_int_equal(different, 0);
  }
  if (verbose || goes_on)
    fprintf(stderr,
            "%llu programs, %llu have a result, %llu of these with fewer calls, %llu "
            "reached a limit, %llu differ\n",
            (unsigned long long)count, (unsigned long long)results,
            (unsigned long long)fewer, (unsigned long long)limits,
            (unsigned long long)different);
  for (int i = 0; i < WAYS; i++) end(&s[i]);
  assert_int_equal(different, 0);
}

/* Guards whose sides are an integer and floats make no calls. */
static void test_mixed(void **state) {
  static const char *const lines[] = {"r←{32.5>+/⍵:0⋄(+/⍵)÷≢⍵}⍤1⊢64 16⍴÷1+⍳16",
                                      "r←{{⍵>0.5:⍵⋄0}¨⍵}⍤1⊢64 16⍴÷1+⍳7",
                                      "r←⌈/{{⍵>0.9:1⋄⍵<0.1:0⋄⍵}¨⍵}⍤1⊢64 16⍴÷1+⍳13",
                                      "r←{1=≢⍵:0⋄(+/⍵)÷≢⍵}¨(1024⍴1 0 0 1)⊂÷⍳1024"};
  session s;
  UNUSED(state);
  begin(&s, "lift=1");
  for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
    assert_true(run(&s, lines[i]));
    assert_true(s.c.limit.steps < 40);
  }
  end(&s);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-v")) verbose = true;
    else if (!strcmp(argv[i], "-k")) goes_on = true;
    else if (i + 1 < argc && !strcmp(argv[i], "-s"))
      first = strtoull(argv[++i], NULL, 10);
    else if (i + 1 < argc && !strcmp(argv[i], "-n"))
      count = strtoull(argv[++i], NULL, 10);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mixed),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
