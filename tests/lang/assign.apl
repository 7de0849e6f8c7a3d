⍝ SPDX-License-Identifier: MIT
⍝ Assignment in all its forms, and the system variables.

a←5
a                              ⍝ → 5
(a←6)                          ⍝ → 6
1+a←7                          ⍝ → 8
a                              ⍝ → 7
a←b←3
a b                            ⍝ → 3 3
(a b)←1 2
a                              ⍝ → 1
b                              ⍝ → 2
a b←3 4
a b                            ⍝ → 3 4
(a b)←b a
a b                            ⍝ → 4 3
(a b)←9
a b                            ⍝ → 9 9
(a(b c))←1(2 3)
c b a                          ⍝ → 3 2 1
(a b)←1 2 3                    ⍝ ! LENGTH ERROR: 2 names take 3 values
(a b)←2 2⍴⍳4                   ⍝ ! RANK ERROR
(a b)←'xy' (1 2)
a                              ⍝ → xy
b                              ⍝ → 1 2
⎕←(a b)←5 6                    ⍝ → 5 6

⍝ Modified
a←10
a+←5
a                              ⍝ → 15
a-←1 2 3
a                              ⍝ → 14 13 12
⎕←a×←2                         ⍝ → 2
a                              ⍝ → 28 26 24
a,←1
a                              ⍝ → 28 26 24 1
a⌽⍨←1
a                              ⍝ → 26 24 1 28
a{⍺+⍵}←1
a                              ⍝ → 27 25 2 29
f←{⍺×⍵}
a f←2
a                              ⍝ → 54 50 4 58
nothing+←1                     ⍝ ! VALUE ERROR
a b←1 2
(a b)+←10
a b                            ⍝ → 11 12

⍝ Indexed
x←⍳5
x[2]←20
x                              ⍝ → 1 20 3 4 5
⎕←x[1 3]←7 8                   ⍝ → 7 8
x                              ⍝ → 7 20 8 4 5
x[4 5]←0
x                              ⍝ → 7 20 8 0 0
x[1]←1.5
x                              ⍝ → 1.5 20 8 0 0
x[2]←⊂'abc'
x                              ⍝ → 1.5  abc  8 0 0
x[9]←1                         ⍝ ! INDEX ERROR
x[1 2]←1 2 3                   ⍝ ! LENGTH ERROR
x[1]←1 2 3                     ⍝ ! LENGTH ERROR
x[,1]←2 2⍴1                    ⍝ ! LENGTH ERROR
x[]←3
x                              ⍝ → 3 3 3 3 3
m←2 3⍴⍳6
m[1;]←0
m                              ⍝ → 0 0 0 ⏎ 4 5 6
m[;2]←7 8
m                              ⍝ → 0 7 0 ⏎ 4 8 6
m[2;1 3]+←100
m                              ⍝ →   0 7   0 ⏎ 104 8 106
m[1]←0                         ⍝ ! RANK ERROR
nowhere[1]←0                   ⍝ ! VALUE ERROR
s←'abc'
s[2]←'X'
s                              ⍝ → aXc
y←x
x[1]←99
y                              ⍝ → 3 3 3 3 3
x[1]                           ⍝ → 99

⍝ Functions and operators
g←+
2 g 3                          ⍝ → 5
g←{⍵×2}
g 4                            ⍝ → 8
g←5
g                              ⍝ → 5
g←-
g 5                            ⍝ → ¯5
dup←{⍺⍺ ⍵,⍵}
-dup 1                         ⍝ → ¯1 ¯1
(h←×)/2 3 4                    ⍝ → 24
2 h 3                          ⍝ → 6

⍝ System variables
⎕IO                            ⍝ → 1
⎕CT                            ⍝ → 1E¯14
⎕PP                            ⍝ → 10
⎕PW                            ⍝ → 80
⎕ML                            ⍝ → 1
⎕DIV                           ⍝ → 0
⎕IO←2                          ⍝ ! DOMAIN ERROR
⎕IO←0 1                        ⍝ ! LENGTH ERROR
⎕PP←0                          ⍝ ! DOMAIN ERROR
⎕PW←10                         ⍝ ! DOMAIN ERROR
⎕CT←1                          ⍝ ! DOMAIN ERROR
⎕CT←¯1                         ⍝ ! DOMAIN ERROR
⎕A←1                           ⍝ ! SYNTAX ERROR
⎕PP←4
÷3                             ⍝ → 0.3333
⎕PP←10
⎕A                             ⍝ → ABCDEFGHIJKLMNOPQRSTUVWXYZ
⎕D                             ⍝ → 0123456789
⍴⎕TS                           ⍝ → 7
⍴⎕AI                           ⍝ → 4
⎕UCS 'aé'                      ⍝ → 97 233
⎕UCS 9077 9078                 ⍝ → ⍵⍶
⎕UCS¨(97 98)'a'                ⍝ →  ab  97
⎕UCS ¯1                        ⍝ ! DOMAIN ERROR
'UTF-8'⎕UCS'é'                 ⍝ → 195 169
'UTF-8'⎕UCS 195 169            ⍝ → é
⎕NC 'x'                        ⍝ → 2
⎕NC 'nix'                      ⍝ → 0
⎕NC '1x'                       ⍝ → ¯1
⎕NC 'x' 'h' 'dup' 'nix'        ⍝ → 2.1 3.3 4.2 0
⎕EX 'x'
⎕NC 'x'                        ⍝ → 0
⎕DR 1                          ⍝ → 11
⎕DR 2                          ⍝ → 83
⎕DR 1.5                        ⍝ → 645
⎕DR 'a'                        ⍝ → 80
⎕DR 2 3⊤5⍴0 1                  ⍝ → 11
⎕DR 0 10⊤100 7                 ⍝ → 83
⎕DR 5000⍴300-300               ⍝ → 11
⎕DR(5000⍴1 2)×200              ⍝ → 163
≢11⎕DR 1+5000⍴1                ⍝ → 40000
⎕DR 1 'a'                      ⍝ → 326
⎕DR ⎕F32 1.5                   ⍝ → 325
⎕F32 0.1                       ⍝ → 0.1000000015
⎕DR ⎕F64 ⎕F32 1                ⍝ → 645

⍝ What is pending and used again: turned, scanned, in part; truth values that become floats.
a←0.5+⍳1000 ⋄ m←1++\a
+/m++\m                        ⍝ → 4.21686275E10
+/m+⌽m                         ⍝ → 334836500
b←(999⍴9007199254740992),9223372036854775807
⎕DR 3↑b+1                     ⍝ → 645
∧/2|b+b                        ⍝ → 0
{t←÷0×⍳1000 ⋄ ⍵+1}⍣3000⊢0      ⍝ ! DOMAIN ERROR
+/{⌈\⍵}⍣2000⊢⍳300              ⍝ → 45150

⍝ Elements that numbers name are written where they are, if the array's type holds the value and
⍝ nothing else holds the array.
put←{x←⍺ ⋄ x[⍵]←7 ⋄ x}
x←6⍴0 1 ⋄ y←x ⋄ x[2]←0 ⋄ x[1]←1 ⋄ x y≡(1 0 0 1 0 1)(0 1 0 1 0 1)   ⍝ → 1
(9⍴0)put 9                     ⍝ → 0 0 0 0 0 0 0 0 7
t←{x←⍵ ⋄ x[2]+←1 ⋄ x[2]×←2 ⋄ x[2]-←300 ⋄ x}
∊t¨(1 0 1)(1 2 3)(1 200 3)(1 70000 3)   ⍝ → 1 ¯298 1 1 ¯294 3 1 102 3 1 139702 3
t 1 9223372036854775807 3      ⍝ → 1 1.844674407E19 3
t 0.5 1.5 2                    ⍝ → 0.5 ¯295 2
x←3⍴0.5 ⋄ x[1]←9007199254740993 ⋄ x[2]←¯3 ⋄ x[3]÷←4 ⋄ x=9007199254740992 ¯3 0.125   ⍝ → 1 1 1
x←⍳3 ⋄ x[2]←0.5 ⋄ x[1]←'a' ⋄ x≡'a' 0.5 3   ⍝ → 1
x←'abc' ⋄ x[2]←'x' ⋄ x[3]←5 ⋄ x≡'a' 'x' 5   ⍝ → 1
m←2 3⍴0 ⋄ _←{m[2;⍵]+←⍵ ⋄ ⍵}¨1 2 3 3 ⋄ m≡2 3⍴0 0 0 1 2 6   ⍝ → 1
m[1;2]m[2;3]                   ⍝ → 0 6
{⎕IO←0 ⋄ x←⍵ ⋄ x[0]←9 ⋄ x[2]-←1 ⋄ x,x[2]}1 2 3   ⍝ → 9 2 2 2
x←⍳3 ⋄ x[0]←1                  ⍝ ! INDEX ERROR
x[4]+←1                        ⍝ ! INDEX ERROR
x[1.5]←1                       ⍝ ! DOMAIN ERROR
x[1;1]←1                       ⍝ ! RANK ERROR
x[1]÷←0                        ⍝ ! DOMAIN ERROR
x                              ⍝ → 1 2 3
x[2.0]←5 ⋄ x                   ⍝ → 1 5 3
n←5 ⋄ {n+←⍵ ⋄ n×←2}3 ⋄ n       ⍝ → 16
n÷←0                           ⍝ ! DOMAIN ERROR
n                              ⍝ → 16
{k←⍵ ⋄ {k-←⍵ ⋄ k⌈←2 ⋄ k}1}1    ⍝ → 2
{0::⍺ ⋄ x←⍵ ⋄ x[1]←5 ⋄ 0::x ⋄ x[1]←6 ⋄ ÷0}1 2   ⍝ → 5 2
nx+←1                          ⍝ ! VALUE ERROR
{nx[1]←⍵}1                     ⍝ ! VALUE ERROR
x←7 ⋄ x[⍬]←8 ⋄ x               ⍝ ! RANK ERROR
c←0 ⋄ d←3⍴0 ⋄ f←{c+←1 ⋄ c} ⋄ d[f 0]←f 0 ⋄ d   ⍝ → 0 1 0

⍝ Items put into arrays that become nested by it, stay so, or become simple again.
x←3⍴0 ⋄ x[2]←⊂'ab' ⋄ x[3]←⊂'c' ⋄ x≡0 'ab' 'c'   ⍝ → 1
x[2]←5 ⋄ x≡0 5 'c'             ⍝ → 1
x[3]←7 ⋄ x≡0 5 7               ⍝ → 1
⎕DR x                          ⍝ → 83
x←1 'ab' 3 ⋄ x[1 2]←8 9 ⋄ ⎕DR x   ⍝ → 83
x←1 'ab' 3 ⋄ x[2 3]←4 'cd' ⋄ x≡1 4 'cd'   ⍝ → 1
x←1 'ab' 3 ⋄ x[2 3]←⊂4 5 ⋄ x≡1(4 5)(4 5)  ⍝ → 1
x←1 'ab' 3 ⋄ (2⊃x)←6 ⋄ ⎕DR x   ⍝ → 83
x←1 2 3 ⋄ (2⊃x)←'ab' ⋄ x≡1 'ab' 3   ⍝ → 1
x←1('ab'5)3 ⋄ (2 1⊃x)←7 ⋄ x≡1(7 5)3  ⍝ → 1
⎕DR 2⊃x                        ⍝ → 83
x←1('ab'5)3 ⋄ (2 2⊃x)←'cd' ⋄ x≡1('ab' 'cd')3  ⍝ → 1
x←⊂1 'ab' ⋄ (⍬ 2⊃x)←9 ⋄ x≡⊂1 9 ⍝ → 1
x←⊂1 2 ⋄ (⍬⊃x)←9 ⋄ x≡9         ⍝ → 1
x←⊂1 2 ⋄ (⍬⊃x)←3 4 5 ⋄ x≡3 4 5   ⍝ → 1
x←(1 2)'ab' ⋄ x[(1 1)(⊂2)]←5 6 ⋄ x≡(5 2)6   ⍝ → 1
x←(1 2)'ab' ⋄ x[(⊂1)(⊂2)]←5 6 ⋄ ⎕DR x   ⍝ → 83

⍝ An error of what modifies is at the selection, wherever the array is
x←52⍴⎕A ⋄ {0::+/∧\' '=3⊃⎕DM ⋄ (1⊃x)*←5}0  ⍝ → 36
x←52⍴⎕A ⋄ x[⍋x]←x ⋄ {0::+/∧\' '=3⊃⎕DM ⋄ (1⊃x)*←5}0  ⍝ → 46
x←⍳300 ⋄ {0::+/∧\' '=3⊃⎕DM ⋄ (2⊃x)⍲←8}0  ⍝ → 35

⍝ ── x[i]f←y is x[i] f y: axes of length 1 count ──
x←257⍴0 0 1
x[2 1]+←2 1⍴3.5 2.5                   ⍝ ! RANK ERROR: shapes 2 and 2 1
x[2 1]+←2 1⍴3 2                       ⍝ ! RANK ERROR: shapes 2 and 2 1
x[2 2]⌈←1 2⍴3 2                       ⍝ ! RANK ERROR: shapes 2 and 1 2
m←20 20⍴0 ⋄ m[,3;⍳4]+←⍳4              ⍝ ! RANK ERROR: shapes 1 4 and 4
x[2 1]←2 1⍴3 2 ⋄ x[2 1 2]+←1 1⍴1 ⋄ 3↑x ⍝ → 3 5 1
+/x                                   ⍝ → 93

⍝ ── a selection costs what it selects, whatever the array has ──
⍝ The places of moves of moves, of matrices and of items, and fills among them, which are lost
m←3 4⍴⍳12 ⋄ (2↑⌽⍉m)←0
m[1;]                                 ⍝ → 0 0 3 4
m←3 4⍴⍳12 ⋄ (1 1⍉⌽1↓m)←0 ⋄ 0⍳⍨,m      ⍝ → 8
m[3;]                                 ⍝ → 9 10 0 12
m←3 4⍴⍳12 ⋄ (¯2↑,2 2↑⊖m)×←10 ⋄ m[2;]  ⍝ → 50 60 7 8
m←2 3 4⍴⍳24 ⋄ (2⌷1⌷⍉m)←0 ⋄ (,m)⍳0     ⍝ → 5
m←3 4⍴⍳12 ⋄ ((2↑m)[;4 1])-←2 2⍴⍳4 ⋄ ,2↑m ⍝ → ¯1 2 3 3 1 6 7 5
m←3 4⍴⍳12 ⋄ (3⌷,⍉⊖m)←0 ⋄ (,m)⍳0       ⍝ → 1
x←(⍳3)(⍳4) ⋄ (¯1↑2⊃x)←9 ⋄ ∊x          ⍝ → 1 2 3 1 2 3 9
y←x ⋄ (¯1↑2⊃x)+←1 ⋄ ∊x y              ⍝ → 1 2 3 1 2 3 10 1 2 3 1 2 3 9
x←(1 2)(3 4 5) ⋄ (2↑¨⌽x)←0 ⋄ ∊x       ⍝ → 0 0 0 0 5
x←1 2 3 ⋄ (¯5↑x)+←⍳5 ⋄ x              ⍝ → 4 6 8
x←(2 3⍴⍳6)'xy' ⋄ (3↑x)←⊂1 2 ⋄ x≡2⍴⊂1 2 ⍝ → 1
x←1 2(3 4) ⋄ (⊃⌽x)←5 ⋄ x              ⍝ → 1 2 5
x←(⍳3)(4 5) ⋄ ((⊂1)⌷x)←⊂'ab' ⋄ x≡'ab'(4 5)  ⍝ → 1
x←(2 2⍴⍳4)(4 5) ⋄ (1 1/1↑x)+←1 ⋄ ∊x   ⍝ → 3 4 5 6 4 5
x←(1 2)(3 4) ⋄ (⊃¨1 1/1↑x){⍺+⍵}←10 ⋄ ∊x  ⍝ → 21 2 3 4
x←7 ⋄ (2 2⍴x)-←1 ⋄ (⍴x),x             ⍝ → 3
x←⍳5 ⋄ {0::⎕EN ⋄ (2↑x){0=⍵:÷0 ⋄ ⍺}←1 0}0 ⍝ → 11
x                                     ⍝ → 1 2 3 4 5
⍝ An element of a type that is wider than its value leaves the array its type
x←100⍴0 ⋄ x[3]←1000000000000-999999999999 ⋄ ⎕DR x ⍝ → 11
x[5 6]←⍴0 1⍴0 ⋄ ⎕DR x                 ⍝ → 11
x←⍳100 ⋄ (2⌷x)←⌊/20⍴1E12×⍳2 ⋄ ⎕DR x   ⍝ → 643
x←⍳100 ⋄ x[3;]←5                      ⍝ ! RANK ERROR

⍝ ∘← gives names another value where they are, as ⊢← does, and makes those that stand for nothing; several names before f←
x←1 ⋄ {x∘←⍵}5 ⋄ x                  ⍝ → 5
q d←1 2 ⋄ {q d∘←⍵}7 8 ⋄ q d        ⍝ → 7 8
q d+←10 ⋄ q d                      ⍝ → 17 18
q d⊢←'ab' 3 ⋄ q d                  ⍝ →  ab  3
(q d)∘←4 5 ⋄ q d                   ⍝ → 4 5
q d+←1 2 3                         ⍝ ! LENGTH ERROR
v←⍳5 ⋄ v[2 3]∘←0 ⋄ v               ⍝ → 1 0 0 4 5
(2↑v)∘←9 ⋄ v                       ⍝ → 9 9 0 4 5
n←⎕NS ⍬ ⋄ n.x←3 ⋄ n.x∘←4 ⋄ n.x     ⍝ → 4
new∘←3 ⋄ new                       ⍝ → 3
{⎕∘←⍵}3                            ⍝ → 3
{new2 new3∘←⍵ ⋄ new2}3 4 ⋄ new3    ⍝ → 3 ⏎ 4
{new4∘←⍵ ⋄ new4←7 ⋄ new4}3 ⋄ ⎕NC'new4' ⍝ → 7 ⏎ 0
unknown[1]∘←3                      ⍝ ! VALUE ERROR
unknown+←3                         ⍝ ! VALUE ERROR
fn←{⍵} ⋄ fn q+←1 ⋄ q               ⍝ → 1 ⏎ 5
∘←3                                ⍝ ! SYNTAX ERROR
