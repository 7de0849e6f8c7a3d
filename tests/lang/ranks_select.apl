⍝ SPDX-License-Identifier: MIT
⍝ What selects rows and puts fills between them, as ranks compute it in parts: against an index of each row.
⎕RL←7
b←0.6<?1000⍴0
n←+/b
from←{(1⌈|⍵)/(⍵>0)×+\⍵>0}
is←{r←⍺\⍵ ⋄ r≡((1↑0⍴⍵),⍵)[1+from ⍺]}
are←{r←⍺⍀⍵ ⋄ r≡((1↑0⌿⍵)⍪⍵)[1+from ⍺;]}
b is ⍳n                                 ⍝ → 1
b is 0.5×⍳n                             ⍝ → 1
b is n⍴0 1 1                            ⍝ → 1
b is n⍴'abc'                            ⍝ → 1
b is 0J1×⍳n                             ⍝ → 1
b is ⎕F32 ⍳n                            ⍝ → 1
b is n⍴⊂'ab'                            ⍝ → 1
(1000⍴1)is ⍳1000                        ⍝ → 1
(1000⍴0)is ⍬                            ⍝ → 1
(1000⍴¯1 0)is ''                        ⍝ → 1
⍝ Ranks that take nothing, or all; numbers that copy, and that make several fills.
((900⍴0),100⍴1)is ⍳100                  ⍝ → 1
((100⍴1),900⍴0)is ⍳100                  ⍝ → 1
((450⍴0),(100⍴1),450⍴0)is ⍳100          ⍝ → 1
k←¯4+?1000⍴7
t←+/k>0
k is ⍳t                                 ⍝ → 1
k is t⍴'vapl'                           ⍝ → 1
k is t⍴0 1 1                            ⍝ → 1
k is 0.5×⍳t                             ⍝ → 1
k are t 3⍴⍳3×t                          ⍝ → 1
k are t 3⍴'abcd'                        ⍝ → 1
k are t 0⍴0                             ⍝ → 1
((0.5×2×k)\⍳t)≡k\⍳t                     ⍝ → 1
⍝ A short x of long rows, and one element for all.
b are n 3⍴⍳3×n                          ⍝ → 1
1 0 1 ¯2 3 are 3 700⍴⍳2100              ⍝ → 1
0 1 0 1 0 1 1 1 are 5 700⍴'abc'         ⍝ → 1
(b\7)≡7×b                               ⍝ → 1
(b\,'x')≡' x'[1+b]                      ⍝ → 1
(k\5)≡(1⌈|k)/5×k>0                      ⍝ → 1
(b⍀1 3⍴1 2 3)≡b∘.×1 2 3                 ⍝ → 1
⍝ Along another axis.
m←n 3⍴⍳3×n
(1 0 ¯1 2 1\m)≡(0,m)[;2 1 1 3 3 4]      ⍝ → 1
(1 0 0 1\n 2⍴'ab')≡n 4⍴'a  b'           ⍝ → 1
⍝ And what is made of it.
(+/b\⍳n)=+/⍳n                           ⍝ → 1
(b/b\w)≡w←0.1×⍳n                        ⍝ → 1
(b\n⍴1)≡b                               ⍝ → 1
(2×b\1+⍳n)≡2×b×1+ +\b                   ⍝ → 1
b\⍳n-1                                  ⍝ ! LENGTH ERROR
b\⍳1000                                 ⍝ ! LENGTH ERROR
(0.5×b)\⍳n                              ⍝ ! DOMAIN ERROR
b[1000]←3
((0.25×900<⍳1000)+b)\⍳n                 ⍝ ! DOMAIN ERROR
1\⍳1000                                 ⍝ ! LENGTH ERROR
1 0 1\m                                 ⍝ ! LENGTH ERROR
'b'\⍳1000                               ⍝ ! DOMAIN ERROR
⍝ Of several axes without what is asked of them the first one tells
⎕IO←0 ⋄ m←¯2↑⍪⍳12
m[⍳40;1]                    ⍝ ! INDEX ERROR: there is no index 2 in an axis of length 2
m[5;⍳40]                    ⍝ ! INDEX ERROR: there is no index 5 in an axis of length 2
m[1;⍳40]                    ⍝ ! INDEX ERROR: there is no index 1 in an axis of length 1
m←3 4 5⍴⍳60
m[4 2;9;8 7]                ⍝ ! INDEX ERROR: there is no index 4 in an axis of length 3
m[4 2;9.5;8 7]              ⍝ ! INDEX ERROR: there is no index 4 in an axis of length 3
m[1;9.5;8 7]                ⍝ ! DOMAIN ERROR: indices must be whole numbers
m[1;9;8.5 7]                ⍝ ! INDEX ERROR: there is no index 9 in an axis of length 4
m[4 2.5;9;8 7]              ⍝ ! DOMAIN ERROR: indices must be whole numbers
m[2 5;9.5;8 7]              ⍝ ! INDEX ERROR: there is no index 5 in an axis of length 3
v←⍳9 ⋄ v[4 99 2.5]          ⍝ ! DOMAIN ERROR: indices must be whole numbers
v[8 9 99 4]                 ⍝ ! INDEX ERROR: there is no index 9 in an axis of length 9
v[99 9 8 4]                 ⍝ ! INDEX ERROR: there is no index 99 in an axis of length 9
v[99 9 8 4.5]←1             ⍝ ! DOMAIN ERROR: indices must be whole numbers
v[4 9 8 99]←1               ⍝ ! INDEX ERROR: there is no index 9 in an axis of length 9
v[99 9 8 4.5]+←1            ⍝ ! DOMAIN ERROR: indices must be whole numbers
m[1;9;8 7]←0                ⍝ ! INDEX ERROR: there is no index 9 in an axis of length 4
m[1 0 3;9;8 7]←0            ⍝ ! INDEX ERROR: there is no index 3 in an axis of length 3
m[1 0 3;9;8 7]+←1           ⍝ ! INDEX ERROR: there is no index 3 in an axis of length 3
m[1 0 3.5;9;8 7]+←1         ⍝ ! DOMAIN ERROR: indices must be whole numbers
m[1 0 2;9;8.5 7]+←1         ⍝ ! INDEX ERROR: there is no index 9 in an axis of length 4
(⊂1 2 4 9.5)⌷v              ⍝ ! DOMAIN ERROR: indices must be whole numbers
(1 2 3 4 5.5)(2 7)⌷m[0;;]   ⍝ ! DOMAIN ERROR
{'c'⌽'ab'[⍳8]}⍬             ⍝ ! INDEX ERROR: there is no index 2 in an axis of length 2
{'c'⌽'ab'[1 0,⍳6]}⍬         ⍝ ! INDEX ERROR: there is no index 2 in an axis of length 2
