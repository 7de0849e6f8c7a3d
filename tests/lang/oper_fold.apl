⍝ SPDX-License-Identifier: MIT
⍝ / ⌿ \ ⍀ derived from any function, ¨ and products on empty arrays, ⍠, compositions.

⍝ Reduction of nested arrays and by other functions
+/(1 2 3)(4 5 6)(7 8 9) ⍝ →  12 15 18␠
⍴+/(1 2 3)(4 5 6)      ⍝ →
,/'ONE' 'NESS'         ⍝ →  ONENESS␠
⊃,/(1 2)3(4 5 6)'ab'   ⍝ → 1 2 3 4 5 6 ab
⊃,/⍬ '' (1 2)          ⍝ → 1 2
⊃,/'' 'a' ''           ⍝ → a
⊃,/⍬ ⍬                 ⍝ →
⊃⍪/(2 2⍴⍳4)(1 2⍴9)     ⍝ → 1 2 ⏎ 3 4 ⏎ 9 9
,/2 2⍴'a' 'bc' 'd' 'e' ⍝ →  abc  de␠
,⌿2 2⍴1 2 3 4          ⍝ →  1 3  2 4␠
⊣/3 4⍴⍳12              ⍝ → 1 5 9
⊢/3 4⍴⍳12              ⍝ → 4 8 12
⊢⌿3 4⍴⍳12              ⍝ → 9 10 11 12
⊢/'abc' 'de'           ⍝ →  de␠
≡/'ab' 'ab'            ⍝ → 1
⍴/3 4                  ⍝ →  4 4 4␠
{⍺ ⍵}/1 2 3                    ⍝ →  1  2 3 ␠
{⍺+⍵}/[1]2 2⍴⍳4        ⍝ → 4 6
(+,-)/3 1              ⍝ →  4 2␠
∘.×/(1 2)(3 4)                 ⍝ →  3 4  ⏎  6 8␠
-/2 2 2⍴⍳8             ⍝ → ¯1 ¯1 ⏎ ¯1 ¯1
-⌿2 2 2⍴⍳8             ⍝ → ¯4 ¯4 ⏎ ¯4 ¯4
-/[2]2 2 2⍴⍳8          ⍝ → ¯2 ¯2 ⏎ ¯2 ¯2
÷/,¨2 4                ⍝ →  0.5␠
+/1                    ⍝ → 1
{÷0}/,5                ⍝ → 5
{÷0}/1 1⍴5             ⍝ → 5
+/[0]⍳3                ⍝ ! RANK ERROR
+/[1.5]⍳3              ⍝ ! DOMAIN ERROR
1 2+/⍳5                ⍝ ! LENGTH ERROR
(2 2⍴1)+/⍳5            ⍝ ! RANK ERROR

⍝ Identities
-/⍬                    ⍝ → 0
÷/⍬                    ⍝ → 1
|/⍬                    ⍝ → 0
*/⍬                    ⍝ → 1
</⍬                    ⍝ → 0
≤/⍬                    ⍝ → 1
≠/⍬                    ⍝ → 0
⌽/⍬                    ⍝ → 0
⊖/⍬                    ⍝ → 0
⊤/⍬                    ⍝ → 0
(⊢⍤/)/⍬                ⍝ ! DOMAIN ERROR
(⊂⍬)≡∪/⍬               ⍝ → 1
(⊂⍬)≡,/⍬               ⍝ → 1
(⊂'')≡,/0⍴'Hello' 'World' ⍝ → 1
(⊂0 3 4⍴0)≡⍪/0⍴⊂2 3 4⍴0 ⍝ → 1
(⊂2 0 4⍴0)≡,[2]/0⍴⊂2 3 4⍴0 ⍝ → 1
+/''                   ⍝ → 0
+/0⍴⊂1 2 3             ⍝ →  0 0 0␠
×/0⍴⊂'ab'(1 2 3)       ⍝ →   1 1  1 1 1 ␠
⍴+/3 0⍴0               ⍝ → 3
+/0 3⍴0                ⍝ →
+⌿0 3⍴0                ⍝ → 0 0 0
,⌿0 2⍴0                ⍝ →    ␠
{⍵}/⍬                  ⍝ ! DOMAIN ERROR
⊢/⍬                    ⍝ ! DOMAIN ERROR
≡/⍬                    ⍝ ! DOMAIN ERROR
∘.+/⍬                  ⍝ ! DOMAIN ERROR
{⍵}/0 3⍴0              ⍝ →
⍴{⍵}/3 0 0⍴0           ⍝ → 3 0

⍝ Windows
3+/⍳4                  ⍝ → 6 9
1{⍺+⍵}/⍳3              ⍝ → 1 2 3
0-/⍳2                  ⍝ → 0 0 0
0{⍺}/⍳3                ⍝ ! DOMAIN ERROR
3,/⍳4                  ⍝ →  1 2 3  2 3 4␠
¯3,/⍳4                 ⍝ →  3 2 1  4 3 2␠
2,/'a' 'bc' 'd'        ⍝ →  abc  bcd␠
2{⍺-⍵}⌿3 2⍴1 2 4 8 16 32       ⍝ →  ¯3  ¯6 ⏎ ¯12 ¯24
2+/[1]3 2⍴⍳6           ⍝ → 4  6 ⏎ 8 10
4+/⍳3                  ⍝ →
¯4+/⍳3                 ⍝ →
5+/⍳3                  ⍝ ! LENGTH ERROR
¯5+/⍳3                 ⍝ ! LENGTH ERROR
2+/5                   ⍝ ! RANK ERROR
0+/⍬                   ⍝ → 0
1+/⍬                   ⍝ →
2+/⍬                   ⍝ ! LENGTH ERROR
'a'+/⍳3                ⍝ ! DOMAIN ERROR
⍴2+/3 4 5⍴0            ⍝ → 3 4 4
⍴2+⌿3 4 5⍴0            ⍝ → 2 4 5
0+/(1 2)(3 4)          ⍝ →  0 0  0 0  0 0␠

⍝ Scans
,\1 2 3                ⍝ → 1  1 2  1 2 3
,\'abc'                        ⍝ → a ab  abc
⊃⌽,\⍳5                 ⍝ → 1 2 3 4 5
+\(1 2)(3 4)(5 6)      ⍝ →  1 2  4 6  9 12␠
-\(1 2)(3 4)           ⍝ →  1 2  ¯2 ¯2␠
⊢\1 2 3                ⍝ → 1 2 3
⊣\1 2 3                ⍝ → 1 1 1
{⍺-⍵}\1 2 3 4          ⍝ → 1 ¯1 2 ¯2
{⍺+⍵}⍀2 2⍴⍳4           ⍝ → 1 2 ⏎ 4 6
{⍺+⍵}\[1]2 2⍴⍳4        ⍝ → 1 2 ⏎ 4 6
{÷0}\⍬                 ⍝ →
1+\1 2                 ⍝ ! SYNTAX ERROR
≢⊃⌽,\1000⍴1            ⍝ → 1000

⍝ ⍠ on functions: each state from the one before
(-⍠'Forward' 1)\1 2 3 4 ⍝ → 1 1 2 2
({⍺+2×⍵}⍠'Forward' 1)\1 2 3 ⍝ → 1 4 11
({⍺-⍵}⍠'Assoc' 1)\1 2 3 4 ⍝ → 1 ¯1 ¯4 ¯8
(+⍠('Assoc' 1)('Forward' 1))/1 2 3 ⍝ → 6
2(+⍠'Assoc' 1)3        ⍝ → 5
(+⍠⍬)/1 2              ⍝ → 3
(-⍠'Forward' 1)⍀2 2⍴1 2 4 8 ⍝ → 1 2 ⏎ 3 6
(⊣⍠'Forward' 1)\(1 2)'ab' ⍝ →  1 2  ab␠
(+⍠'Nope' 1)/1 2       ⍝ ! DOMAIN ERROR
(+⍠'Assoc' 2)/1 2      ⍝ ! DOMAIN ERROR
(+⍠5)/1 2              ⍝ ! DOMAIN ERROR
+⍠'Assoc' 1            ⍝ → +⍠  Assoc  1
(819⌶)'A'              ⍝ → a

⍝ ¨ on empty arrays: once, with prototypes
{⍵ ⍵}¨⍬                ⍝ →
⊃{⍵ ⍵}¨⍬               ⍝ → 0 0
⊃{⍵,'x'}¨''            ⍝ →
⍴⊃{3 3⍴⍵}¨0⍴⊂1 2       ⍝ → 3 3
⊃1 2{⍺,⍵}¨⍬            ⍝ ! LENGTH ERROR
⊃(⊂1 2){⍺,⍵}¨⍬         ⍝ → 0 0 0
⊃⍴¨0⍴⊂2 3⍴0            ⍝ → 0 0
⍴{⍵}¨0 3⍴0             ⍝ → 0 3
{÷⍵}¨⍬                 ⍝ ! DOMAIN ERROR
÷¨⍬                    ⍝ →
⍬{⍺ ⍵}¨5               ⍝ →
⊃⍬{⍺ ⍵}¨⊂'ab'          ⍝ → 0    ␠
⍴⍬∘.{⍺ ⍵}1 2           ⍝ → 0 2
⊃⍬∘.{⍺,⍵}1 2                   ⍝ → 0 0
⊃⍬∘.,'ab'                      ⍝ → 0

⍝ Products
1 2,.,3 4              ⍝ →  1 3 2 4␠
(2 2⍴⍳4){⍺ ⍵}.,2 2⍴5 6 7 8     ⍝ →   1 5  2 7    1 6  2 8   ⏎   3 5  4 7    3 6  4 8 ␠
(⊂1 2)+.×⊂3 4          ⍝ →  3 8␠
'abc'=.=⍉3 1⍴'abd'     ⍝ ! LENGTH ERROR
(1 1⍴2)+.×1 2 3        ⍝ → 12
(2 0⍴0)+.×0 3⍴0        ⍝ → 0 0 0 ⏎ 0 0 0
(2 0⍴0)⌊.+0 1⍴0        ⍝ → 1.797693135E308 ⏎ 1.797693135E308
⍴(0 2⍴0)+.×2 3⍴0       ⍝ → 0 3
⊃(0 2⍴0),.,2 3⍴0       ⍝ → 0 0 0 0
⍴1 2 3∘.{⍺+⍵}⍬         ⍝ → 3 0
1 2∘.+(1 2)3           ⍝ →  2 3  4 ⏎  3 4  5
(⍳2)∘.(,∘⊂)'ab' 'c'    ⍝ →  1  ab   1 c ⏎  2  ab   2 c

⍝ Compositions and operands
5⍨1                    ⍝ → 5
2(5 6⍨)1               ⍝ → 5 6
0⍨¨'abc'               ⍝ → 0 0 0
⊃⍛=2 7 2 8             ⍝ → 1 0 1 0
∪⍛≡¨'Hello' 'Helo'     ⍝ → 0 1
'dog'⊂⍛∊'cat' 'dog'    ⍝ → 1
0 1 0 1 1 0~⍛/'Dyalog'         ⍝ → Dag
(2∘+)∘(3∘×)4           ⍝ → 14
+∘÷/1 2 3                      ⍝ → 1.428571429
1 2 3+⍥⌽4 5 6          ⍝ → 9 7 5
-⍥⌽1 2                 ⍝ → ¯2 ¯1
'ab'≡⍥⌽'ab'            ⍝ → 1
3(2∘+)4                ⍝ ! SYNTAX ERROR
1∘2                    ⍝ ! SYNTAX ERROR
2⍥3                    ⍝ ! SYNTAX ERROR
1/⍥2                   ⍝ ! SYNTAX ERROR
-⍣                     ⍝ ! SYNTAX ERROR
rep←/
1 0 1 rep'abc'         ⍝ → ac
red←{⍺⍺/⍵}
+red 1 2 3             ⍝ → 6
(+red÷≢)1 2 3          ⍝ → 2
pow←{⍺←⊢ ⋄ ⍺ ⍺⍺⍣⍵⍵⊢⍵}
2×pow 3⊢1              ⍝ → 8
addn←{⍵+⍺⍺}
3 addn 4               ⍝ → 7
(1 2)addn 4 5          ⍝ → 5 7
fact←{⍵≤1:⍺⍺ 1 ⋄ ⍵×(⍺⍺ ∇∇)⍵-1}
⊢fact 5                ⍝ → 120
under←{⍵⍵⍣¯1⊢⍺⍺ ⍵⍵ ⍵}
⌽under(1∘⌽)1 2 3               ⍝ → 2 1 3
each←¨
≢each'ab' 'c'          ⍝ → 2 1
{}¨1 2 3
{⍵>1:⍵}¨1 2                    ⍝ ! VALUE ERROR
{⍵<2:⍵}¨1 2                    ⍝ ! VALUE ERROR
{}\1 2                         ⍝ ! VALUE ERROR
red←/
+red 1 2 3                     ⍝ → 6
1 0 1 red'abc'                 ⍝ → ac
(+red÷≢)1 2 3                  ⍝ → 2
f←{+red ⍵}
f 1 2 3                        ⍝ → 6
red←-
f 1 2 3                        ⍝ → ¯1 ¯2 ¯3
red←\
f 1 2 3                        ⍝ → 1 3 6

⍝ Where another axis is empty the function is not applied: no identity is asked for, and the
⍝ result is empty with the type of the argument
⍴⍟/0 0⍴0                       ⍝ → 0
⍴⍲⌿3 0⍴1                       ⍝ → 0
⍴{⍺+⍵}/0 0⍴0                   ⍝ → 0
+/0 3⍴'a'                      ⍝ →
3↑+/0 3⍴'a'                    ⍝ → ␠␠␠
3↑×⌿3 0⍴'a'                    ⍝ → ␠␠␠
2↑+/0 3⍴4                      ⍝ → 0 0
⍴⌈/0 2 3⍴'a'                   ⍝ → 0 2
+/2 0⍴'a'                      ⍝ → 0 0
+/3 2⍴'a'                      ⍝ ! DOMAIN ERROR
⍴+\0 3⍴'a'                     ⍝ → 0 3
1 3↑⍟⍀0 3⍴'a'                  ⍝ → ␠␠␠
3↑⌈\''                         ⍝ → ␠␠␠

⍝ Long windows, put together from windows of 16, 256, …: each against its own reduction.
win←{n←|⍺ ⋄ y←⍵ ⋄ f←⍺⍺ ⋄ at←¯1+⍳1+(≢y)-n ⋄ ⍺>0:{f/n↑⍵↓y}¨at ⋄ {f/⌽n↑⍵↓y}¨at}
x←600⍴3 ¯1 4 1 ¯5 9 2 6 ¯7
∧/{(⍵+/x)≡⍵+win x}¨1 2 15 16 17 31 32 33 100 255 256 257 271 272 273 599 600 ⍝ → 1
∧/{(⍵⌈/x)≡⍵⌈win x}¨1 15 16 17 33 256 257 600 ¯1 ¯15 ¯16 ¯17 ¯33 ¯256 ¯257 ¯600 ⍝ → 1
∧/{(⍵⌊/x)≡⍵⌊win x}¨16 17 300 ¯300              ⍝ → 1
b←400⍴1 1 0 1 1 1 0 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0
∧/{(⍵∧/b)≡⍵∧win b}¨2 16 17 18 40               ⍝ → 1
∧/{(⍵∨/~b)≡⍵∨win~b}¨2 16 17 18 40              ⍝ → 1
∧/{(⍵≠/b)≡⍵≠win b}¨2 16 17 18 40 ¯17 ¯40 300   ⍝ → 1
∧/{(⍵=/b)≡⍵=win b}¨2 16 17 18 40 ¯17 ¯40 300   ⍝ → 1
∧/{(⍵-/x)≡⍵-win x}¨2 16 17 18 40 ¯17 ¯40       ⍝ → 1
m←7 90 5⍴x
(⍴40⌈/[2]m)(⍴3⌊⌿m)(⍴¯2+/m)                     ⍝ →  7 51 5  5 90 5  7 90 4
(40⌈/[2]m)≡↑{⍉↑{40⌈/⍵}¨↓⍉⍵}¨⊂[2 3]m            ⍝ → 1

⍝ A function of two scalars that is a primitive in other words folds as that does
w←0.1×⍳3000 ⋄ k←3 ⋄ t←?3000⍴1000
0=({⍺+⍵}/w)-+/w                    ⍝ → 1
({⍵+⍺}\w)≡+\w                      ⍝ → 1
({⍺⌈⍵}⌿3 1000⍴t)≡⌈⌿3 1000⍴t        ⍝ → 1
({a←⍺ ⋄ a⌊⍵}\t)≡⌊\t                ⍝ → 1
(⊢⍤+/t)≡+/t                        ⍝ → 1
(+⍨/t)≡+/t                         ⍝ → 1
(-⍨⍨\t)≡-\t                        ⍝ → 1
((⊣+⊢)\t)≡+\t                      ⍝ → 1
(+∘⊢\t)≡+\t                        ⍝ → 1
(+⍥⊢\t)≡+\t                        ⍝ → 1
(⊣⍛+\t)≡+\t                        ⍝ → 1
plus←{⍺+⍵} ⋄ ({⍺ plus ⍵}\t)≡+\t    ⍝ → 1
({⍺(⍺⍺)⍵}{⍵}\t)≡t                  ⍝ ! SYNTAX ERROR
(+{⍺ ⍺⍺ ⍵}\t)≡+\t                  ⍝ → 1
({⍺←0 ⋄ ⍺+⍵}/t)≡+/t                ⍝ → 1
({⍺{⍺+⍵}⍵}/t)≡+/t                  ⍝ → 1
({⍺{a←⍵ ⋄ ⍺+a}⍵}\t)≡+\t            ⍝ → 1
({a←⍺ ⋄ {a+⍵}⍵}\t)≡+\t             ⍝ → 1
⍝ What it does besides is done
n←0 ⋄ {⍺+⍵⊣n+←1}/⍳5                ⍝ → 15
n                                  ⍝ → 4
n←0 ⋄ {n+←1 ⋄ ⍺+⍵}/⍳5              ⍝ → 15
n                                  ⍝ → 4
{⎕←⍺+⍵}/1 2                        ⍝ → 3
{⍺+⍵⊣⎕IO←0}/1 2 3                  ⍝ → 6
{r←⍺+⍵}/1 2 3                      ⍝ →
{⍺+⍵}/⍬                            ⍝ ! DOMAIN ERROR
{⍺+⍵}/,5                           ⍝ → 5
{⍺+⍵}/'ab'                         ⍝ ! DOMAIN ERROR
{⍺=⍵}/'aa'                         ⍝ → 1
{⍺+⍵}/(1 2)(3 4)                   ⍝ →  4 6␠
{⍺+⍵}/1J2 3J4                      ⍝ → 4J6

⍝ Catenation of scalars is the line itself, however long.
(,/⍳100000)≡⊂⍳100000                           ⍝ → 1
(,/3 4⍴⍳12)≡(1 2 3 4)(5 6 7 8)(9 10 11 12)     ⍝ → 1
(,⌿2 3⍴'abcdef')≡'ad' 'be' 'cf'                ⍝ → 1
,/,5                                           ⍝ → 5
⍝ What comes before each element: ¯1↓0,+\x is one scan on a device
x←¯1+3|⍳1000
(¯1↓0,+\x)≡(+\x)-x                 ⍝ → 1
(¯1↓0,+\0<x)≡(+\0<x)-0<x           ⍝ → 1
(¯1↓5,+\x)≡5,¯1↓+\x                ⍝ → 1
(¯2↓0,+\x)≡0,¯2↓+\x                ⍝ → 1
(¯1↓0,+\0.5×x)≡0,¯1↓+\0.5×x        ⍝ → 1
(¯1↓0,+\x×x)+.=(+\x×x)-x×x         ⍝ → 1000
⍴¯1↓0,+\20 50⍴x                    ⍝ → 19 51
y←+\x ⋄ (¯1↓0,y)≡y-x               ⍝ → 1

⍝ Divisors and multiples of integers, by Python
∨/60×1+11|7×⍳13                ⍝ → 60
∧/60×1+11|7×⍳13                ⍝ → 1663200
∨\60×1+11|7×⍳13                ⍝ → 480 240 60 60 60 60 60 60 60 60 60 60 60
10↑∧\60×1+11|7×⍳13           ⍝ → 480 480 5280 36960 110880 554400 554400 554400 1663200 1663200
∨⌿30×1+(7|5×⍳11)∘.+0 1         ⍝ → 30 30
∧/2 11⍴⍳22                     ⍝ → 27720 232792560
∧/0,⍳60                        ⍝ → 0
∨/0,6×⍳33                      ⍝ → 6
∨\¯12 18 ¯30 0 0 0 0 0 0 ¯9    ⍝ → ¯12 6 6 6 6 6 6 6 6 3

⍝ Folds by calls: what goes from one to the next is a number, an array or none.
c←4 3 2 1
{⍵>1e9:⍵ ⋄ c[1+4|⍺]+⍵}/⍳9      ⍝ → 29
({⍺=3:'abc' ⋄ ⍺,⍵}/⍳5)≡⊂1 2,'abc'   ⍝ → 1
{⍺=2:1.5 ⋄ ≢⍺,⍵}/⍳4            ⍝ → 2
{x←⍺ ⋄ {x-⍵}⍵}/1 2.5 ¯3 0J1    ⍝ → ¯4.5J¯1
{⍺=2:÷0 ⋄ ≢⍺,⍵}/⍳4             ⍝ ! DOMAIN ERROR
{⍺=2:_←⍵ ⋄ ⍺+⍵}\⍳4             ⍝ → 1 3 4 8
{⍺=2: ⋄ ≢⍺,⍵}/⍳4               ⍝ ! VALUE ERROR
{(≢⍺)+⍵}/'abc'                 ⍝ ! DOMAIN ERROR
{(≢⍺)+≢⍵}\'abc'                ⍝ → a 2 2
{⍺⍺/⍵}¨⊂⍳3                     ⍝ ! SYNTAX ERROR
∊({⍺}⌺5⊢⍳4)({⍺}⌺4⊢⍳5)({⍺}⌺(2 1⍴5 3)⊢⍳8)   ⍝ → 2 1 ¯1 ¯2 1 0 0 ¯1 2 0 ¯1

⍝ ── a sum of what left the numbers: the error is that of the function that left them ──
f←3000⍴1E200
+/f×f                                 ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
+/1E308-f÷¯1E¯108                     ⍝ ! DOMAIN ERROR: -: the result is too large for a number
+/2+3×f×1E108                         ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
+/f×1E108                             ⍝ ! DOMAIN ERROR: +: the result is too large for a number
(+/f×f),⌈/f                           ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
{+/⍵×⍵}⍤1⊢300 10⍴f                    ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
+/¨(3000⍴0 0 1)⊂f×3000⍴1E200,2999⍴1   ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
(⍳0)≡0⍴+/f×f                          ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
h←3000⍴1 2 3 ⋄ h[7]←645 ⎕DR (48⍴0),1 1 1 1 0 0 0 0 0 1 1 1 1 1 1 1
(⌊/⍬)<+/h×2                           ⍝ → 1
(+/h×0)=+/h×0                         ⍝ → 0
