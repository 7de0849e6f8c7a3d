⍝ SPDX-License-Identifier: MIT
⍝ Errors: their names, which one comes first, and that the session goes on.

1 2+1 2 3                      ⍝ ! LENGTH ERROR
(2 2⍴0)+3⍴0                    ⍝ ! RANK ERROR
'a'×2                          ⍝ ! DOMAIN ERROR
unknown                        ⍝ ! VALUE ERROR
unknown 1                      ⍝ ! VALUE ERROR
1 2 3[5]                       ⍝ ! INDEX ERROR
2 2 2⍴⍨16⍴1                    ⍝ ! LIMIT ERROR
)                              ⍝ ! SYNTAX ERROR
1 2 ] 3                        ⍝ ! SYNTAX ERROR
'open                          ⍝ ! SYNTAX ERROR
1+                             ⍝ ! SYNTAX ERROR
←5                             ⍝ ! SYNTAX ERROR
a←                             ⍝ ! SYNTAX ERROR
5←3                            ⍝ ! SYNTAX ERROR
=5                             ⍝ ! SYNTAX ERROR
1(+¨¨)                         ⍝ ! SYNTAX ERROR
¨1                             ⍝ ! SYNTAX ERROR
+.                             ⍝ ! SYNTAX ERROR
1∘2                            ⍝ ! SYNTAX ERROR
⍺                              ⍝ ! SYNTAX ERROR
{∇∇}1                          ⍝ ! SYNTAX ERROR
∞                              ⍝ ! SYNTAX ERROR
1E400                          ⍝ ! DOMAIN ERROR

⍝ Not in this version, and said so
→1                             ⍝ ! SYNTAX ERROR: a branch is within a traditional function
⎕SVO '1'                      ⍝ ! NONCE ERROR
#.a                            ⍝ ! VALUE ERROR
1 2 3+[1]2 3⍴⍳6                ⍝ ! LENGTH ERROR
-[1]3 2⍴⍳6                     ⍝ ! SYNTAX ERROR
-[{}1]1                        ⍝ ! VALUE ERROR
+/[{}1]1                       ⍝ ! VALUE ERROR
1+[{}1]1                       ⍝ ! VALUE ERROR
(({}1)∘+)2                     ⍝ ! VALUE ERROR
(({}1)+-)2                     ⍝ ! VALUE ERROR
-⍣({}1)⊢2                      ⍝ ! VALUE ERROR
-⍤({}1)⊢2                      ⍝ ! VALUE ERROR
1@({}1)⊢2                      ⍝ ! VALUE ERROR

⍝ Evaluation goes from the right: the rightmost error comes first
(÷0)+1 2 3[9]                  ⍝ ! INDEX ERROR
1 2 3[9]+÷0                    ⍝ ! DOMAIN ERROR
¯9223372036854775808⍉1 2       ⍝ ! DOMAIN ERROR
+/[¯9223372036854775808]1 2    ⍝ ! RANK ERROR
1/[¯9223372036854775808]1 2    ⍝ ! RANK ERROR
(⍳1000)[¯9223372036854775808]  ⍝ ! INDEX ERROR
nix+÷0                         ⍝ ! DOMAIN ERROR
(a←1)+÷0                       ⍝ ! DOMAIN ERROR
a                              ⍝ ! VALUE ERROR
(÷0)+a←2                       ⍝ ! DOMAIN ERROR
a                              ⍝ → 2

⍝ Long arrays, whose errors are found late
x←÷¯500+⍳1000                  ⍝ ! DOMAIN ERROR
x                              ⍝ ! VALUE ERROR
b←1 ⋄ x←÷¯500+⍳1000 ⋄ b←2      ⍝ ! DOMAIN ERROR
b                              ⍝ → 1
y←÷¯500+⍳1000 ⋄ ⎕IO←0           ⍝ ! DOMAIN ERROR: ÷: division by zero
⎕IO                            ⍝ → 1
y←÷¯500+⍳1000 ⋄ ⎕PP←5           ⍝ ! DOMAIN ERROR: ÷: division by zero
⎕PP                            ⍝ → 10
{11::⎕IO ⋄ ⎕IO←0 ⋄ y←÷¯500+⍳1000 ⋄ ⎕IO←1 ⋄ 5}0 ⍝ → 0
{0::'caught' ⋄ ÷¯500+⍳1000}0   ⍝ → caught
{0::'caught' ⋄ y←÷¯500+⍳1000 ⋄ 5}0 ⍝ → caught
{z←÷¯500+⍳1000 ⋄ 0::'caught' ⋄ 5}0 ⍝ ! DOMAIN ERROR
+/÷⍳1000                       ⍝ → 7.485470861
1+1                            ⍝ → 2

⍝ Every function says what is wrong with its arguments
1 2+1 2 3                      ⍝ ! LENGTH ERROR
1 2+2 2⍴1                      ⍝ ! RANK ERROR
(2 3⍴1)+3 2⍴1                  ⍝ ! LENGTH ERROR
'a'+1                          ⍝ ! DOMAIN ERROR
-'a'                           ⍝ ! DOMAIN ERROR
1 2 'a'+1                      ⍝ ! DOMAIN ERROR
(1 2)(3 4)+1 2 3               ⍝ ! LENGTH ERROR
(1 2)(3 4)+(1 2 3)4            ⍝ ! LENGTH ERROR
÷0                             ⍝ ! DOMAIN ERROR
1÷0                            ⍝ ! DOMAIN ERROR
0÷0                            ⍝ → 1
⍟0                             ⍝ ! DOMAIN ERROR
0⍟2                            ⍝ ! DOMAIN ERROR
1⍟2                            ⍝ ! DOMAIN ERROR
1⍟1                            ⍝ → 1
0*¯1                           ⍝ ! DOMAIN ERROR
*1000                          ⍝ ! DOMAIN ERROR
!¯1                            ⍝ ! DOMAIN ERROR
!200                           ⍝ ! DOMAIN ERROR
?0.5                           ⍝ ! DOMAIN ERROR
?¯1                            ⍝ ! DOMAIN ERROR
5?3                            ⍝ ! DOMAIN ERROR
1 2?3                          ⍝ ! LENGTH ERROR
1?2 3                          ⍝ ! LENGTH ERROR
~2                             ⍝ ! DOMAIN ERROR
~'a'                           ⍝ ! DOMAIN ERROR
2⍲1                            ⍝ ! DOMAIN ERROR
1.5⍱1                          ⍝ ! DOMAIN ERROR
'a'∧1                          ⍝ ! DOMAIN ERROR
1<'a'                          ⍝ ! DOMAIN ERROR
1='a'                          ⍝ → 0
0 3○'a'                        ⍝ ! DOMAIN ERROR
13○1                           ⍝ ! DOMAIN ERROR
1.5○1                          ⍝ ! DOMAIN ERROR
⍳¯1                            ⍝ ! DOMAIN ERROR
⍳1.5                           ⍝ ! DOMAIN ERROR
⍳'a'                           ⍝ ! DOMAIN ERROR
⍳2 2⍴1                         ⍝ ! RANK ERROR
(2 2⍴1)⍳5                      ⍝ ! RANK ERROR
5⍳5                            ⍝ ! RANK ERROR
¯1⍴5                           ⍝ ! DOMAIN ERROR
1.5⍴5                          ⍝ ! DOMAIN ERROR
'a'⍴5                          ⍝ ! DOMAIN ERROR
(2 2⍴1)⍴5                      ⍝ ! RANK ERROR
(16⍴1)⍴5                       ⍝ ! LIMIT ERROR
1 2,2 2⍴1                      ⍝ → 1 1 1 ⏎ 2 1 1
1 2 3,2 2⍴1                    ⍝ ! LENGTH ERROR
(2 2 2⍴1),1 2                  ⍝ ! RANK ERROR
1 2⍪2 3⍴1                      ⍝ ! LENGTH ERROR
1,[3]2                         ⍝ ! RANK ERROR
1 2 3⌽2 3⍴1                    ⍝ ! LENGTH ERROR
'a'⌽1 2                        ⍝ ! DOMAIN ERROR
1.5⌽1 2                        ⍝ ! DOMAIN ERROR
(2 2⍴1)⌽2 3⍴1                  ⍝ ! RANK ERROR
1 2⌽5                          ⍝ ! RANK ERROR
↑[4]2 2⍴⊂3 2⍴1                 ⍝ ! INDEX ERROR
1 2 3⍉2 2⍴1                    ⍝ ! LENGTH ERROR
1 3⍉2 2⍴1                      ⍝ ! RANK ERROR
0 1⍉2 2⍴1                      ⍝ ! DOMAIN ERROR
1.5 1⍉2 2⍴1                    ⍝ ! DOMAIN ERROR
1 2↑1 2 3                      ⍝ ! RANK ERROR
'a'↑1 2                        ⍝ ! DOMAIN ERROR
1.5↑1 2                        ⍝ ! DOMAIN ERROR
(2 2⍴1)↑1 2                    ⍝ ! RANK ERROR
1 2↓1 2 3                      ⍝ ! RANK ERROR
'a'↓1 2                        ⍝ ! DOMAIN ERROR
1 2/1 2 3                      ⍝ ! LENGTH ERROR
'a'/1 2                        ⍝ ! DOMAIN ERROR
1.5/1 2                        ⍝ ! DOMAIN ERROR
(2 2⍴1)/1 2                    ⍝ ! RANK ERROR
1 0\1 2                        ⍝ ! LENGTH ERROR
1 0 1\1 2 3                    ⍝ ! LENGTH ERROR
'a'⊂1 2                        ⍝ ! DOMAIN ERROR
¯1 1⊂1 2                       ⍝ ! DOMAIN ERROR
1 1 1⊆1 2                      ⍝ ! LENGTH ERROR
¯1 1⊆1 2                       ⍝ ! DOMAIN ERROR
3⊃1 2                          ⍝ ! INDEX ERROR
0⊃1 2                          ⍝ ! INDEX ERROR
1 2⊃1 2                        ⍝ ! RANK ERROR
'a'⊃1 2                        ⍝ ! DOMAIN ERROR
1.5⊃1 2                        ⍝ ! DOMAIN ERROR
(2 2⍴1)⊃1 2                    ⍝ ! RANK ERROR
3⌷1 2                          ⍝ ! INDEX ERROR
'a'⌷1 2                        ⍝ ! DOMAIN ERROR
1 2⌷1 2                        ⍝ ! LENGTH ERROR
(2 2⍴1)⌷1 2                    ⍝ ! RANK ERROR
⍋5                             ⍝ ! RANK ERROR
⍸2                             ⍝ → 
⍸¯1                            ⍝ ! DOMAIN ERROR
⍸'a'                           ⍝ ! DOMAIN ERROR
⍸1.5                           ⍝ ! DOMAIN ERROR
3 1⍸2                          ⍝ ! DOMAIN ERROR
5⍸2                            ⍝ ! RANK ERROR
(2 2⍴1)∪1                      ⍝ ! RANK ERROR
1∪2 2⍴1                        ⍝ ! RANK ERROR
(2 2⍴1)∩1                      ⍝ ! RANK ERROR
(2 2⍴1)~1                      ⍝ ! RANK ERROR
1 2⊥1 2 3                      ⍝ ! LENGTH ERROR
'a'⊥1                          ⍝ ! DOMAIN ERROR
2⊥'a'                          ⍝ ! DOMAIN ERROR
2⊤'a'                          ⍝ ! DOMAIN ERROR
⌹2 2⍴0                         ⍝ ! DOMAIN ERROR
⌹2 3⍴1                         ⍝ ! LENGTH ERROR
⌹2 2 2⍴1                       ⍝ ! RANK ERROR
1 2 3⌹2 2⍴1 0 0 1              ⍝ ! LENGTH ERROR
⌹'a'                           ⍝ ! DOMAIN ERROR
⍎5                             ⍝ ! DOMAIN ERROR
⍎2 2⍴'a'                       ⍝ ! RANK ERROR
1 2+.×1 2 3                    ⍝ ! LENGTH ERROR
(2 3⍴1)+.×2 3⍴1                ⍝ ! LENGTH ERROR
1 2 3 4+¨1 2                   ⍝ ! LENGTH ERROR
1 2+¨2 2⍴1                     ⍝ ! RANK ERROR
{⍵}⍣¯1⊢5                       ⍝ ! DOMAIN ERROR
+⍣1.5⊢5                        ⍝ ! DOMAIN ERROR
+⍣'a'⊢5                        ⍝ ! DOMAIN ERROR
+⍤'a'⊢1 2                      ⍝ ! DOMAIN ERROR
+⍤1.5⊢1 2                      ⍝ ! DOMAIN ERROR
+/[3]1 2                       ⍝ ! RANK ERROR
+/['a']1 2                     ⍝ ! DOMAIN ERROR
⌽[2]1 2                        ⍝ ! RANK ERROR
⌽[1 2]1 2                      ⍝ ! LENGTH ERROR
⍉[1]1 2                        ⍝ ! SYNTAX ERROR
3+/1 2                         ⍝ →
1 2+/1 2 3                     ⍝ ! LENGTH ERROR
'a'+/1 2                       ⍝ ! DOMAIN ERROR
-/⍬                            ⍝ → 0
{⍵}/⍬                          ⍝ ! DOMAIN ERROR
=5                             ⍝ ! SYNTAX ERROR
<5                             ⍝ ! SYNTAX ERROR
5~                             ⍝ ! SYNTAX ERROR
⊥5                             ⍝ ! SYNTAX ERROR
⊤5                             ⍝ ! SYNTAX ERROR
∩5                             ⍝ ! SYNTAX ERROR
⍷5                             ⍝ ! SYNTAX ERROR
/5                             ⍝ ! SYNTAX ERROR
\5                             ⍝ ! SYNTAX ERROR
∧5                             ⍝ ! SYNTAX ERROR
⍲5                             ⍝ ! SYNTAX ERROR
1 2 3[⊂1 2]                    ⍝ ! RANK ERROR
(1 2 3)[⊂'a']                  ⍝ ! DOMAIN ERROR
(⍳3)[¯1]                       ⍝ ! INDEX ERROR
⎕UCS 'a' 1                     ⍝ ! DOMAIN ERROR
'a'⎕DL 1                       ⍝ ! SYNTAX ERROR

⍝ Results that are not there, arguments that are missing
1+{}5                          ⍝ ! VALUE ERROR
-{}5                           ⍝ ! VALUE ERROR
({}5)                          ⍝ ! VALUE ERROR
x←{}5                          ⍝ ! VALUE ERROR
{}¨1 2
+/{}¨1 2                       ⍝ ! VALUE ERROR
1 2[{}5]                       ⍝ ! VALUE ERROR
{⍺}5                           ⍝ ! VALUE ERROR: ⍺ has no value: there is no left argument
{⍺+⍵}5                         ⍝ ! VALUE ERROR
nosuch                         ⍝ ! VALUE ERROR: nosuch has no value
nosuch 3                       ⍝ ! VALUE ERROR
3 nosuch 4                     ⍝ ! VALUE ERROR
1 +                            ⍝ ! SYNTAX ERROR: the right argument is missing
(1+)2                          ⍝ ! SYNTAX ERROR
{⍺⍺}1                          ⍝ ! SYNTAX ERROR
{∇∇}1                          ⍝ ! SYNTAX ERROR
{⍵:1 ⋄ 2}2                     ⍝ ! DOMAIN ERROR: a guard needs a single 0 or 1
{⍵:1 ⋄ 2}1 0                   ⍝ ! DOMAIN ERROR
{⍵:1 ⋄ 2}'a'                   ⍝ ! DOMAIN ERROR
{{}0:1 ⋄ 2}0                   ⍝ ! VALUE ERROR
{+:1 ⋄ 2}0                     ⍝ ! SYNTAX ERROR
{+}0                           ⍝ ! SYNTAX ERROR

⍝ Error guards
{11::⎕EN ⋄ ÷0}0                ⍝ → 11
{0::⎕DMX.EM ⋄ ÷0}0             ⍝ → DOMAIN ERROR
{0::⎕DMX.EM ⋄ nosuch}0         ⍝ → VALUE ERROR
{0::⎕DMX.EM ⋄ 1 2+1 2 3}0      ⍝ → LENGTH ERROR
{0::⎕DMX.EM ⋄ (2 2⍴1)+1 2}0    ⍝ → RANK ERROR
{0::⎕DMX.EM ⋄ 1 2[3]}0         ⍝ → INDEX ERROR
{0::⎕DMX.EM ⋄ ⍎'1+'}0          ⍝ → SYNTAX ERROR
{0::⎕DMX.EM ⋄ (16⍴1)⍴0}0       ⍝ → LIMIT ERROR
{0::⎕DMX.EM ⋄ ⎕SVO''}0         ⍝ → NONCE ERROR
{0::⊃⎕DM ⋄ ÷0}0                ⍝ → DOMAIN ERROR
{5 11::⎕EN ⋄ ÷0}0              ⍝ → 11
{(5 11)::⎕EN ⋄ ÷0}0            ⍝ → 11
{⍬::1 ⋄ ÷0}0                   ⍝ ! DOMAIN ERROR
{3::1 ⋄ ÷0}0                   ⍝ ! DOMAIN ERROR
{1000::1 ⋄ ÷0}0                ⍝ ! DOMAIN ERROR
sig←{⎕SIGNAL ⍵}
{200::⎕EN ⋄ sig 200}0          ⍝ → 200
{1000::⎕EN ⋄ sig 1006}0        ⍝ → 1006
{1006::⎕EN ⋄ sig 1006}0        ⍝ → 1006
{0::⎕EN ⋄ sig 1006}0           ⍝ ! TIMEOUT
{'a'::1 ⋄ ÷0}0                 ⍝ ! DOMAIN ERROR
{11::(11::2 ⋄ ÷0)}0            ⍝ ! SYNTAX ERROR
{11::⍵ ⋄ ÷0}5                  ⍝ → 5
{11::⍺ ⋄ ÷0}5                  ⍝ ! VALUE ERROR
7{11::⍺ ⋄ ÷0}5                 ⍝ → 7
{a←1 ⋄ 11::a ⋄ a←2 ⋄ ÷0}5      ⍝ → 1
{11::∇ 1 ⋄ ⍵:'again' ⋄ ÷0}0    ⍝ → again
{11::'shy'⊣a←1 ⋄ ÷0}0          ⍝ → shy
{11:: ⋄ ÷0}0                   ⍝ →
{11::{⍵⊣÷0}0 ⋄ ÷0}0            ⍝ ! DOMAIN ERROR
{0::'o' ⋄ {0::÷0 ⋄ ⍵[9]}⍵}1 2  ⍝ → o
{0::'o' ⋄ {3::'i' ⋄ ÷0}⍵}1 2   ⍝ → o
f←{11::'f' ⋄ g ⍵} ⋄ g←{÷⍵}
f¨0 2 0                        ⍝ → f 0.5 f
{6::'v' ⋄ {⍺}0}0               ⍝ → v
{2::'s' ⋄ ⍎'('}0               ⍝ → s
{10::'deep' ⋄ {1+∇ ⍵}0}0       ⍝ → deep
{1+∇ ⍵}0                       ⍝ ! LIMIT ERROR
{⍵=0:'end' ⋄ ∇ ⍵-1}100000      ⍝ → end
{⍺←0 ⋄ ⍵=0:⍺ ⋄ (⍺+1)∇ ⍵-1}100000 ⍝ → 100000
0{⍺=1000000:⍺ ⍵ ⋄ (⍵-1)∇⍨⍺+1}0     ⍝ → 1000000 ¯1000000
{⍺←0 ⋄ ⍵=1000000:⍺ ⋄ ∇⍨⍵+1}0       ⍝ → 1000000
(÷{⍵<1:⍺⍺ ⍵ ⋄ (⍺-1)∇⍨⍵-1})⍨3        ⍝ ! DOMAIN ERROR
ev←{⍵=0:1 ⋄ od ⍵-1} ⋄ od←{⍵=0:0 ⋄ ev ⍵-1}
ev 100001                      ⍝ → 0
'mine'{⍺ ⎕SIGNAL ⍵}11          ⍝ ! DOMAIN ERROR: mine
sig←{⍺ ⎕SIGNAL ⍵}
{0::⎕DMX.EM ⋄ 'mine'sig ⍵}11   ⍝ → mine
1+1                            ⍝ → 2

⍝ What a text of ⍎ signals is an error of the dfn that runs it
{11::'c' ⋄ ⍎'⎕SIGNAL 11'}0     ⍝ → c
{11::'c' ⋄ ⍎'{⎕SIGNAL 11}0'}0  ⍝ → c
{11::'c' ⋄ ⎕SIGNAL 11}0        ⍝ ! DOMAIN ERROR
{11::'c' ⋄ ⎕SIGNAL 11⊣⍎'1'}0   ⍝ ! DOMAIN ERROR

⍝ Nested dfns end with the outermost of them, and so do those between
{11::'o' ⋄ {11::'i' ⋄ ⎕SIGNAL 11}0}0 ⍝ ! DOMAIN ERROR
in←{11::'i' ⋄ {⎕SIGNAL 11}⍵} ⋄ {11::'o' ⋄ in ⍵}0 ⍝ → o
guard←{11::'g' ⋄ ⍺⍺ ⍵} ⋄ {⎕SIGNAL 11}guard 0 ⍝ → g
in←{{⎕SIGNAL 11}guard ⍵} ⋄ {11::'o' ⋄ 0+in ⍵}0 ⍝ → o
in←{{⎕SIGNAL 11}⍵} ⋄ {11::'o' ⋄ in ⍵}0 ⍝ → o
in←{i←{⎕SIGNAL 11} ⋄ 1+i ⍵} ⋄ {11::⊃⌽⎕DM ⋄ 1+in ⍵}0  ⍝ →                                                    ^
⍎'⎕SIGNAL 11'                  ⍝ ! DOMAIN ERROR
{0::⎕DMX.EM ⋄ ⍎⍵}'1+'          ⍝ → SYNTAX ERROR
{0::⎕DMX.EM ⋄ ⍎⍵}'2 3[5]'      ⍝ → INDEX ERROR
try←{0::⍵⍵ ⎕DMX.EN ⋄ ⍺⍺ ⍵}
÷try{⍵}0                       ⍝ → 11
÷try{⍵}4                       ⍝ → 0.25
1 2 3[¯1]                      ⍝ ! INDEX ERROR: there is no index ¯1 in an axis of length 3
¯2⊃1 2                         ⍝ ! INDEX ERROR: there is no index ¯2
/5                             ⍝ ! SYNTAX ERROR: / takes a left argument
⍀5                             ⍝ ! SYNTAX ERROR: ⍀ takes a left argument

¯9223372036854775808+/1 2 3    ⍝ ! LENGTH ERROR

⍝ ── a hint for who comes from another language ──
sin 3                          ⍝ ! VALUE ERROR: sin has no value; 1○x is the sine of x
median 3                       ⍝ ! VALUE ERROR: median has no value; {0.5×+/⍵[(⍋⍵)[⌈0.5×0 1+≢⍵]]}x is the median
{0.5×+/⍵[(⍋⍵)[⌈0.5×0 1+≢⍵]]}¨(7 1 3 5)(7 1 3)(,2)   ⍝ → 4 3 2
{((+/×⍨⍵-(+/⍵)÷≢⍵)÷≢⍵)*0.5}2 4 4 4 5 5 7 9          ⍝ → 2
iota 3                         ⍝ ! VALUE ERROR: iota has no value; it may mean ⍳: ]help ⍳
plot 1 2 3                     ⍝ ! VALUE ERROR: plot has no value; it may mean ⎕PLOT: ]help ⎕PLOT
x←[1,2]                        ⍝ ! SYNTAX ERROR: nothing to index is left of the bracket; 1 2 3 is a vector
exit                           ⍝ ! VALUE ERROR: exit has no value; )OFF ends the session
x0 = 3                         ⍝ ! VALUE ERROR: x0 has no value; x0←… gives it one, = compares
print('a')                     ⍝ ! VALUE ERROR: print has no value; a value is shown where it is not assigned; ⎕←x shows x anywhere
sin←1∘○ ⋄ sin 0                ⍝ → 0

⍝ Who called whom
≢⎕SI                           ⍝ → 0
≢⎕LC                           ⍝ → 0
si1←{⎕SI}
(si1 0)≡,⊂'si1'                ⍝ → 1
si2←{0+≢si1 ⍵}
si2 0                          ⍝ → 2
{⎕SI}0                         ⍝ →
({⎕SI}0)≡,⊂''                  ⍝ → 1
⎕SI≡0⍴⊂''                      ⍝ → 1
si3←{⍵≤0:≢⎕SI ⋄ 1+∇⍵-1}
si3 10                         ⍝ → 21
si4←{⍵≤0:≢⎕SI ⋄ ∇⍵-1}
si4 10                         ⍝ → 1
≢⎕SI                           ⍝ → 0
{⍎'⎕LC'}0                      ⍝ → 0
{0::≢⎕SI ⋄ {÷0}⍵}0             ⍝ → 1

⍝ lists longer than any memory, or than lists can be
{0::'full' ⋄ 1 2 3,9223372036854775807⍴0}0      ⍝ → full
{0::'full' ⋄ (9223372036854775807⍴1.5),1 2 3}0  ⍝ → full
{0::'full' ⋄ 1 2 3,9223372036854775807↑⍳5}0     ⍝ → full
{0::'full' ⋄ ⍵⍪⍵}9223372036854775807⍴'a'        ⍝ → full
