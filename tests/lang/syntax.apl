⍝ SPDX-License-Identifier: MIT
⍝ Syntax: tokens, strands, array notation, trains, assignment, binding.

⍝ Numbers and strings
1E5                            ⍝ → 100000
1e5                            ⍝ → 100000
¯.5                            ⍝ → ¯0.5
5.                             ⍝ → 5
5.5.5                          ⍝ → 5.5 0.5
1..2                           ⍝ → 1 0.2
1¯2                            ⍝ → 1 ¯2
--5                            ⍝ → 5
'a''b'                         ⍝ → a'b
"a'b"                          ⍝ → a'b
"a""b"                         ⍝ → a"b
⍴"a"                           ⍝ → 1
⍴'a'                           ⍝ →
⍴''                            ⍝ → 0
⍴⍬                             ⍝ → 0
5a                             ⍝ ! VALUE ERROR: a has no value
step←10 20
2step                          ⍝ → 2  10 20␠
I←⌷ ⋄ 1 2I 3 4⍴⍳12             ⍝ → 2
5EJ                            ⍝ ! SYNTAX ERROR: malformed number 5EJ
2each←3                        ⍝ ! SYNTAX ERROR
1E                             ⍝ ! SYNTAX ERROR
¯                              ⍝ ! SYNTAX ERROR
'abc                           ⍝ ! SYNTAX ERROR
$                              ⍝ ! SYNTAX ERROR
∞                              ⍝ ! SYNTAX ERROR

⍝ An axis behind a derived function is its operator's
(+/)[1]2 3⍴⍳6                  ⍝ → 5 7 9
(+⍀)[2]2 3⍴⍳6                  ⍝ → 1 3  6 ⏎ 4 9 15
sum←+/ ⋄ sum[1]2 3⍴⍳6          ⍝ → 5 7 9
2(+/)[1]2 3⍴⍳6                 ⍝ → 5 7 9
(+/[1])[1]2 3⍴⍳6               ⍝ ! SYNTAX ERROR: this function takes no axis
(+¨)[1]2 3⍴⍳6                  ⍝ ! SYNTAX ERROR: this function takes no axis

⍝ Names
a∆b←1 ⋄ _c⍙←2 ⋄ Été←3 ⋄ x9←4
a∆b _c⍙ Été x9                 ⍝ → 1 2 3 4
π←3                            ⍝ ! SYNTAX ERROR

⍝ Statements and comments
⍝ only a comment
1 ⍝ one
1 ⋄ 2 ⋄ 3                      ⍝ → 1 ⏎ 2 ⏎ 3
1 ⋄ ⋄ 2                        ⍝ → 1 ⏎ 2
⋄                              ⍝ →
'⍝ no ⋄ comment'               ⍝ → ⍝ no ⋄ comment
x←5 ⋄ x                        ⍝ → 5
{⍵ ⍝ in a dfn
}3                             ⍝ → 3

⍝ Strands
(1)(2)                         ⍝ → 1 2
(1 2)(3 4)                     ⍝ →  1 2  3 4
a←1 ⋄ b←2 3
a b                            ⍝ → 1  2 3
a 4 b                          ⍝ → 1 4  2 3
≢'ab' 'cd' 'e'                 ⍝ → 3
1 2 3[2]                       ⍝ → 2
b[2]                           ⍝ → 3
(a b)[2]                       ⍝ →  2 3
(1 2 3)[3 1]                   ⍝ → 3 1
+/1 2 3[1 2]                   ⍝ → 3
-1 2 3                         ⍝ → ¯1 ¯2 ¯3
1-2 3                          ⍝ → ¯1 ¯2
(1 2)+3 4                      ⍝ → 4 6
((1))                          ⍝ → 1
()                             ⍝ → #.[Namespace]

⍝ Array notation
(1 ⋄ 2)                        ⍝ → 1 2
(1 2 ⋄ 3 4)                    ⍝ →  1 2  3 4
(1 2 ⋄)                        ⍝ →  1 2
(⋄ 1 2)                        ⍝ →  1 2
[1 2 ⋄ 3 4]                    ⍝ → 1 2 ⏎ 3 4
[1 ⋄ 2]                        ⍝ → 1 ⏎ 2
[1 2 ⋄ 3]                      ⍝ → 1 2 ⏎ 3 0
['abc' ⋄ 'de']                 ⍝ → abc ⏎ de
⍴[(1 2 ⋄) ⋄ (3 4 ⋄)]           ⍝ → 2 1
⍴[[1 2 ⋄ 3 4] ⋄ [5 6 ⋄ 7 8]]   ⍝ → 2 2 2
(1+1 ⋄ 2×3)                    ⍝ → 2 6
(
1 2
3 4
)                              ⍝ →  1 2  3 4
[
'ab'
'cd'
]                              ⍝ → ab ⏎ cd
(a: 1)                         ⍝ → #.[Namespace]
(a: 1 ⋄ b: 2)                  ⍝ → #.[Namespace]
(1 ⋄ a: 2)                     ⍝ ! SYNTAX ERROR

⍝ Order: from the right, functions alike
2×3+4                          ⍝ → 14
10-5-2                         ⍝ → 7
(10-5)-2                       ⍝ → 3
÷÷4                            ⍝ → 4
1+÷4                           ⍝ → 1.25
2*3*2                          ⍝ → 512
⍴⍴⍴5                           ⍝ → 1
5 + × 3                        ⍝ → 6

⍝ Trains
(+/÷≢)1 2 3 4                  ⍝ → 2.5
(2+⊢)5                         ⍝ → 7
(⊢+2⍨)5                        ⍝ → 7
(1 2 3∘.+⊢)1 2                 ⍝ → 2 3 ⏎ 3 4 ⏎ 4 5
(⌊/,⌈/)3 1 2                   ⍝ → 1 3
(+,-,×,÷)2                     ⍝ → 2 ¯2 1 0.5
3(+,-,×,÷)2                    ⍝ → 5 1 6 1.5
(- - -)5                       ⍝ → 0
(⊢-⊣)5                         ⍝ → 0
3(⊢-⊣)5                        ⍝ → 2
(-×)5                          ⍝ → ¯1
3(-×)5                         ⍝ → ¯15
(-+/)1 2 3                     ⍝ → ¯6
((+/÷≢)-⌈/)1 2 3               ⍝ → ¯1
(+/ 1 2 3)                     ⍝ → 6
(⍳∘≢)'abc'                     ⍝ → 1 2 3
(⊢(/⍨)2|⊢)⍳5                   ⍝ → 1 3 5
({⍵×2}+{⍵×3})4                 ⍝ → 20
('a',⊢)'b'                     ⍝ → ab
(⊂⍤⍋⌷⊢)'hello'                 ⍝ → ehllo
(≢∪)'mississippi'              ⍝ → 4
(∪⊣)5                          ⍝ → 5
2(×∘3+⊢)5                      ⍝ ! SYNTAX ERROR
(1∘+⍣3)4                       ⍝ → 7
(+⌿÷≢)3 2⍴⍳6                   ⍝ → 3 4
mean←+/÷≢
mean 2 4 6                     ⍝ → 4
dev←⊢-mean
dev 1 2 6                      ⍝ → ¯2 ¯1 3
rms←(2÷⍨1)*⍨mean∘(*∘2)
rms 1 7                        ⍝ → 5
(mean¨)(1 2 3)(4 5)            ⍝ → 2 4.5
(5)+3                          ⍝ → 8
(+)/1 2 3                      ⍝ → 6
(+)(-)5                        ⍝ → ¯5
1(+)2                          ⍝ → 3
(1+)5                          ⍝ ! SYNTAX ERROR
(+1)5                          ⍝ → 1 5

⍝ Operators bind to the left
+/¨(1 2)(3 4)                  ⍝ → 3 7
+.×⍨2 2⍴⍳4                     ⍝ →  7 10 ⏎ 15 22
∘.×⍨⍳3                         ⍝ → 1 2 3 ⏎ 2 4 6 ⏎ 3 6 9
1 2 3∘.=1 2                    ⍝ → 1 0 ⏎ 0 1 ⏎ 0 0
-∘÷4                           ⍝ → ¯0.25
×⍨∘-3                          ⍝ → 9
+/∘⍳¨1 2 3                     ⍝ → 1 3 6
2+/1 2 3                       ⍝ → 3 5
3-⍨1                           ⍝ → ¯2
-⍨3                            ⍝ → 0
1 0 1/1 2 3                    ⍝ → 1 3
1 0 1(/⍨⍨)1 2 3                ⍝ → 1 3
(/⍨)2                          ⍝ → 2 2
+/[1]2 2⍴⍳4                    ⍝ → 4 6
,/[1]2 2⍴⍳4                    ⍝ →  1 3  2 4
each←¨
-each(1 2)3                    ⍝ →  ¯1 ¯2  ¯3
sum←+/
sum¨(1 2)(3 4)                 ⍝ → 3 7
+¨
¨1                             ⍝ ! SYNTAX ERROR
1¨                             ⍝ ! SYNTAX ERROR
1∘2                            ⍝ ! SYNTAX ERROR
+⍣                             ⍝ ! SYNTAX ERROR
+∘                             ⍝ ! SYNTAX ERROR
∘.                             ⍝ ! SYNTAX ERROR
∘.+3                           ⍝ ! SYNTAX ERROR

⍝ Assignment
x←y←5 ⋄ x y                    ⍝ → 5 5
x←1+y←2 ⋄ x y                  ⍝ → 3 2
(x y)←1 2 ⋄ x y                ⍝ → 1 2
x y←3 4 ⋄ x y                  ⍝ → 3 4
(x(y z))←1(2 3) ⋄ x y z        ⍝ → 1 2 3
(x y)←5 ⋄ x y                  ⍝ → 5 5
(x y)←⊂1 2 ⋄ x y               ⍝ →  1 2  1 2
(x y)←⍳3                       ⍝ ! LENGTH ERROR
(x y)←2 2⍴⍳4                   ⍝ ! RANK ERROR
(x y)←1 2 ⋄ (x y)+←10 20 ⋄ x y ⍝ → 11 22
x←1 2 3
x+←1 ⋄ x                       ⍝ → 2 3 4
x-⍨←10 ⋄ x                     ⍝ → 8 7 6
x(+-×)←2 ⋄ x                   ⍝ → ¯6 ¯5 ¯4
x(⊢-⊣)←10 ⋄ x                  ⍝ → 16 15 14
x{⍺×⍵}←2 ⋄ x                   ⍝ → 32 30 28
x,←1 ⋄ x                       ⍝ → 32 30 28 1
x[1]←5 ⋄ x                     ⍝ → 5 30 28 1
x[2 3]+←1 ⋄ x                  ⍝ → 5 31 29 1
x[]←0 ⋄ x                      ⍝ → 0 0 0 0
m←2 2⍴⍳4 ⋄ m[1;]←9 ⋄ m         ⍝ → 9 9 ⏎ 3 4
f←+ ⋄ 1 f 2                    ⍝ → 3
f←{⍺-⍵} ⋄ 1 f 2                ⍝ → ¯1
f←3 ⋄ f                        ⍝ → 3
f←+/ ⋄ f 1 2                   ⍝ → 3
+x←5                           ⍝ → 5
(x←7)+1                        ⍝ → 8
x                              ⍝ → 7
x+x←1                          ⍝ → 2
1←2                            ⍝ ! SYNTAX ERROR
'a'←2                          ⍝ ! SYNTAX ERROR
+←5                            ⍝ ! SYNTAX ERROR
←5                             ⍝ ! SYNTAX ERROR
q←                             ⍝ ! SYNTAX ERROR
nix+←1                         ⍝ ! VALUE ERROR
nix[1]←1                       ⍝ ! VALUE ERROR
⍺←5                            ⍝ ! SYNTAX ERROR
⍵                              ⍝ ! SYNTAX ERROR

⍝ Indexing
(2 2⍴⍳4)[;1]                   ⍝ → 1 3
(2 2⍴⍳4)[1;]                   ⍝ → 1 2
(2 2⍴⍳4)[;]                    ⍝ → 1 2 ⏎ 3 4
(2 2⍴⍳4)[⊂1 2]                 ⍝ → 2
(2 2⍴⍳4)[(1 1)(2 2)]           ⍝ → 1 4
'abc'[2 2⍴1 2]                 ⍝ → ab ⏎ ab
((1 2)(3 4))[⊂2 1]             ⍝ → 3
'abc'[]                        ⍝ → abc
1 2 3[0]                       ⍝ ! INDEX ERROR
1 2 3[4]                       ⍝ ! INDEX ERROR
1 2 3[1.5]                     ⍝ ! DOMAIN ERROR
1 2 3['a']                     ⍝ ! DOMAIN ERROR
1 2 3[1;2]                     ⍝ ! RANK ERROR
5[1]                           ⍝ ! RANK ERROR
(2 2⍴⍳4)[1]                    ⍝ ! RANK ERROR
[1]                            ⍝ ! SYNTAX ERROR

⍝ Brackets that do not fit
)                              ⍝ ! SYNTAX ERROR
1 2]                           ⍝ ! SYNTAX ERROR
(1 2]                          ⍝ ! SYNTAX ERROR
{1)                            ⍝ ! SYNTAX ERROR
1;2                            ⍝ ! SYNTAX ERROR
(1;2)                          ⍝ ! SYNTAX ERROR
a:b                            ⍝ ! SYNTAX ERROR
0::1                           ⍝ ! SYNTAX ERROR
:EndIf                         ⍝ ! SYNTAX ERROR: :EndIf ends nothing
{:If 1}0                       ⍝ ! SYNTAX ERROR
{:5}1                          ⍝ ! SYNTAX ERROR
{::5}1                         ⍝ ! SYNTAX ERROR
#                              ⍝ → #
a.b                            ⍝ ! SYNTAX ERROR

⍝ Characters that are typed for those of the language
1 0^1 1 ⍝ → 1 0
+/^\' '='  ab ' ⍝ → 2
2⋆∣¯3 ⍝ → 8
∼3∈1 2 ◊ '^∈' ⍝ → 1 ⏎ ^∈
{α+ω}/2 2ρι4 ⍝ → 3 7
3{αα ω}5 ⍝ → 3 5
−{αα ω}5 ⍝ → ¯5
2∗3−1 ⍝ → 4
2ε1 2 ⍝ → 1
3ϵ1 2 ⍝ → 0
'ρι' ⍝ → ρι

⍝ / in parentheses, or under a name, is the operator behind a function
+(/)⍳3 ⍝ → 6
+(/)[1]2 3⍴⍳6 ⍝ → 5 7 9
1 0 1(/)⍳3 ⍝ → 1 3
(1 0 1(/)⊢)⍳3 ⍝ → 1 3
+(\)¨(1 2)(3 4) ⍝ →  1 3  3 7␠
h←(/) ⋄ (+h 3 4)(2 h 3 4) ⍝ → 7  3 3 4 4

⍝ An assignment in parentheses runs before what is left of it, which sees a function by then
'abc'{(S⍺)≡(S←⊂∘⍋⌷⊢)⍵}'cab'     ⍝ → 1
(ff 3)+(ff←-)4                   ⍝ → ¯7
1 gg (gg←+) 2                    ⍝ → 3
(hh 5),(hh←{⍵×2})4               ⍝ → 10 8
(uu←+)uu 3                       ⍝ ! VALUE ERROR
((vv←3)+1)×(vv←4)                ⍝ → 16

⍝ ⎕∘← as a function
⎕∘←∘⌽¨'ab' 'cd' ⍝ → ba ⏎ dc
(⎕∘←)⍣1⊢5 ⍝ → 5
say←(⎕∘←)⍣1 ⋄ 1+say 3 ⍝ → 3 ⏎ 4
+/(⎕∘←)¨1 2 ⍝ → 1 ⏎ 2 ⏎ 3
⍞∘←'a' ⋄ ⎕←'b' ⍝ → ab
(⎕∘←⌽)'abc' ⍝ → cba
x∘←3 ⋄ x ⍝ → 3

⍝ ── met in notebooks ──
+'a'                           ⍝ → a
g←3 1 2 ⋄ {g[g←⍋⍵]}30 10 20    ⍝ → 3 1 2
g                              ⍝ → 3 1 2
]box on ⍝ a comment behind a command ⍝ → Was OFF
2 1 1⍴⊂1 2                     ⍝ → ┌───┐ ⏎ │1 2│ ⏎ └───┘ ⏎  ⏎ ┌───┐ ⏎ │1 2│ ⏎ └───┘
]box off                       ⍝ → Was ON
⎕DR 2!⍳200                     ⍝ → 163
⎕DR (⍳200)!200                 ⍝ → 645
1(+⍤⊢)2                        ⍝ → 2
⎕NOSUCH+←1  ⍝ ! SYNTAX ERROR: there is no system name ⎕NOSUCH
⎕NOSUCH←1   ⍝ ! SYNTAX ERROR: there is no system name ⎕NOSUCH
