⍝ SPDX-License-Identifier: MIT
⍝ lib/dfns.apl, what 'name' ⎕CY 'dfns' copies.
⍝ needs ⎕NC '⎕CY'
⎕CY 'dfns'

⍝ Numbers
3 to 10                            ⍝ → 3 4 5 6 7 8 9 10
10 to 3                            ⍝ → 10 9 8 7 6 5 4 3
7 to 7                             ⍝ → 7
5 7 to 13                          ⍝ → 5 7 9 11 13
1 3 to 4                           ⍝ → 1 3
¯10 ¯15 to ¯25                     ⍝ → ¯10 ¯15 ¯20 ¯25
0 0.25 to 1                        ⍝ → 0 0.25 0.5 0.75 1
⍴5 6 to 1                          ⍝ → 0
iotag 5                            ⍝ → 1 2 3 4 5
iotag ¯3                           ⍝ → ¯1 ¯2 ¯3
(iotag 'e')(iotag 'E')             ⍝ →  abcde  ABCDE
3 iotag 7                          ⍝ → 3 4 5 6 7
7 iotag 3                          ⍝ → 7 6 5 4 3
10 iotag 3 2                       ⍝ → 10 8 6 4
'f' iotag 'a' 2                    ⍝ → fdb
4 5 6 iotag 5 9                    ⍝ → 2 4
pco ⍳10                            ⍝ → 2 3 5 7 11 13 17 19 23 29
pco 1000000                        ⍝ → 15485863
1 pco 314159 561 1 0 ¯5 2.5        ⍝ → 1 0 0 0 0 0
1 pco 9007199254740881 9007199254740991   ⍝ → 1 0
+/1 pco ⍳1000000                   ⍝ → 78498
⍸1 pco 1E12+⍳100                   ⍝ → 39 61 63 91
0 pco 144 17 49                    ⍝ → 1 0 1
3 pco 144                          ⍝ → 2 2 2 2 3 3
3 pco 1 17 (6361×69431×20394401)   ⍝ →    17  6361 69431 20394401
3 pco 94906249*2                   ⍝ → 94906249 94906249
2 pco 144                          ⍝ → 2 3 ⏎ 4 2
4 pco 10*1 2 3                     ⍝ → 11 101 1009
¯4 pco 10*1 2 3                    ⍝ → 7 97 997
(4 pco 1E15)-1E15                  ⍝ → 37
(¯4 pco 1E15)-1E15                 ⍝ → ¯11
¯1 pco 97 2 3                      ⍝ → 24 0 1
¯1 pco 1E9                         ⍝ → 50847534
10 pco 10 20                       ⍝ → 0 1 0 1 0 0 0 1 0 1
⍸10 pco 1E12+0 100                 ⍝ → 40 62 64 92
5 pco 1                            ⍝ ! DOMAIN ERROR: pco: codes are 0 1 2 3 4 ¯4 ¯1 10
∧/(pco ⍳2000)=(1 pco ⍳17389)/⍳17389  ⍝ → 1
factors¨12 97 1 1024 (94906249*2)  ⍝ →  2 2 3  97    2 2 2 2 2 2 2 2 2 2  94906249 94906249
∧/{(3 pco ⍵)≡factors ⍵}¨⍳500       ⍝ → 1
sieve 10 7 9 7 1 0 2               ⍝ → 7 7 2
12 gcd 18                          ⍝ → 6
mean 1 2 6                         ⍝ → 3
mean 2 2⍴1 2 3 5                   ⍝ → 2 3.5
det 2 2⍴1 2 3 4                    ⍝ → ¯2
det 3 3⍴⍳9                         ⍝ → 0
det 3 3⍴0 2 1 1 0 0 4 5 6          ⍝ → ¯7
det 0 0⍴0                          ⍝ → 1
det 6 6⍴(7⍴1),36⍴3 1 4 1 5 9 2 6   ⍝ → ¯300
1E¯12>|(÷2160)-det ÷¯1+∘.+⍨⍳3      ⍝ → 1
det 2 3⍴0                          ⍝ ! LENGTH ERROR: det takes a square matrix
m←4 4⍴2 0 1 1 3 2 1 1 2 5 1 0 1 2 2 7
1E¯12>⌈/,|(⌹m)-gauss_jordan m      ⍝ → 1
1E¯12>⌈/|(1 2 3 4⌹m)-1 2 3 4 gauss_jordan m  ⍝ → 1
gauss_jordan 2 2⍴0 1 1 0           ⍝ → 0 1 ⏎ 1 0
gauss_jordan 2 2⍴1                 ⍝ ! DOMAIN ERROR: the matrix is singular
Cholesky 3 3⍴4 2 ¯2 2 10 8 ¯2 8 33 ⍝ →  2 0 0 ⏎  1 3 0 ⏎ ¯1 3 4.795831523
Cholesky 2 2⍴1 2 2 1               ⍝ ! DOMAIN ERROR: Cholesky takes a symmetric matrix that is positive definite
roots 1 ¯3 2                       ⍝ → 1 2
roots 1 2 1                        ⍝ → ¯1 ¯1
roots 1 0 1                        ⍝ → 0J¯1 0J1
root 9                             ⍝ → 3
3 root 27                          ⍝ → 3
fibonacci¨0 1,⍳9                   ⍝ → 0 1 1 1 2 3 5 8 13 21 34
factorial 20                       ⍝ → 2.432902008E18
cfract ○1                          ⍝ → 3 7 15 1 292 1 1 1 2 1 3 1
cfract ¯3.25                       ⍝ → ¯4 1 3
rational 0.75 0.3333333333333333 ¯2.5 4   ⍝ → 3 1 ¯5 4 ⏎ 4 3  2 1
⍴rational 2 3⍴0.5                  ⍝ → 2 2 3

⍝ Combinations
2 cmat 4                           ⍝ → 1 2 ⏎ 1 3 ⏎ 1 4 ⏎ 2 3 ⏎ 2 4 ⏎ 3 4
⍴0 cmat 4                          ⍝ → 1 0
⍴5 cmat 4                          ⍝ → 0 5
⍴3 cmat 5                          ⍝ → 10 3
x←4 cmat 9 ⋄ (⍴x)≡(4!9)4           ⍝ → 1
(x≡x[⍋x;])∧(x≡∪x)∧∧/,2</x          ⍝ → 1
pmat 3                             ⍝ → 1 2 3 ⏎ 1 3 2 ⏎ 2 1 3 ⏎ 2 3 1 ⏎ 3 1 2 ⏎ 3 2 1
⍴pmat 0                            ⍝ → 1 0
x←pmat 6 ⋄ ((⍴x)≡720 6)∧(x≡∪x)∧(x≡x[⍋x;])∧∧/,(⍳6)=⍤1⊢↑{⍵[⍋⍵]}¨↓x  ⍝ → 1
≢¨queens¨⍳8                        ⍝ → 1 0 0 2 10 4 40 92
queens 4                           ⍝ → 2 4 1 3 ⏎ 3 1 4 2
life 5 5⍴0 0 0 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 0  ⍝ → 0 0 0 0 0 ⏎ 0 0 0 0 0 ⏎ 0 1 1 1 0 ⏎ 0 0 0 0 0 ⏎ 0 0 0 0 0

⍝ Graphs
a←(2 3)(,3)(2 4)(1 5)(,3)
a span 3                           ⍝ → 4 3 ¯1 3 4
(a span 3)stpath 5                 ⍝ → 3 4 5
stpaths a span 3                   ⍝ →  3 4 1  3 2  3  3 4  3 4 5
a path 4 3                         ⍝ → 4 1 3
a path 3 4                         ⍝ → 3 4
a path (1 2)(4 5)                  ⍝ → 1 3 4
b←⍬(,1)
b path 2 1                         ⍝ → 2 1
⍴b path 1 2                        ⍝ → 0
b span 1                           ⍝ → ¯1 ¯2
⍴(b span 1)stpath 2                ⍝ → 0
a search 4                         ⍝ → 4 1 5 2 3
a dfspan 1                         ⍝ → ¯1 1 2 3 4
scc a                              ⍝ → 1 1 1 1 1
scc (,2)(,1)(2 4)(,3)⍬             ⍝ → 1 1 2 2 3
scc (,3)(1 4)(,1)(,5)(,4)          ⍝ → 1 2 1 3 3
⍝ Against the closure: two vertices are in one component if each reaches the other
reach←{⍵∨⍵∨.∧⍵}⍣≡
∧/{g←{(?⍵⍴¯1+⍵)~0}¨⍵⍴7 ⋄ r←reach(∘.=⍨⍳⍵)∨↑{(⍳⍵)∊⍺}∘⍵¨g ⋄ c←scc g ⋄ (∘.=⍨c)≡r∧⍉r}¨8⍴7  ⍝ → 1
g←↑a((5 1)(,1)(2 2)(9 1)(,4))
g wspan 1                          ⍝ → ¯1 3 1 3 4
g wpath 1 5                        ⍝ → 1 3 4 5
g wcost g wpath 1 5                ⍝ → 1 2 1
u←↑((2 3)(1 3 4)(1 2 4)(2 3))((1 4)(1 2 6)(4 2 3)(6 3))
u wmst 1                           ⍝ → ¯1 1 2 3
a insnode 2                        ⍝ →  3 4    4  3 5  1 6  4
a≡(a insnode 2)remnode 2           ⍝ → 1
a≡(a inslink 5 1)remlink 5 1       ⍝ → 1
n←1000 ⋄ g←↓?n 3⍴n
t←g span 1
∧/{v←⍵ ⋄ 0=≢p←t stpath v:t[v]=¯2 ⋄ (v=⊃⌽p)∧ (1=⊃p)∧∧/(1↓p){⍵=0:1 ⋄ ⍺∊⍵⊃g}¨¯1↓p}¨⍳≢g  ⍝ → 1
(≢g search 1)=+/t≠¯2               ⍝ → 1
(⍸t≠¯2)≡{⍵[⍋⍵]}g search 1          ⍝ → 1
(t≠¯2)≡(g dfspan 1)≠¯2             ⍝ → 1
(≢¨stpaths t)≡≢¨stpaths(↑g((≢g)⍴⊂1 1 1))wspan 1  ⍝ → 1

⍝ Text
q←{'[',⍵,']'}
q¨(dlb'  a  b  ')(dtb'  a  b  ')(deb'  a  b  ')  ⍝ →  [a  b  ]  [  a  b]  [a  b]
q¨(dmb'  a  b  ')(dab'  a  b  ')(dxb'  a  b  ')  ⍝ →  [ a b ]  [ab]  [a b]
⍴¨(dlb'')(dxb'   ')                ⍝ →  0  0
deb 2 7⍴' a  b   c  d  '           ⍝ → a  b ⏎ c  d
'-'dxb'--a---b--'                  ⍝ → a-b
0 deb 0 0 1 0 2 0                  ⍝ → 1 0 2
',;: 'segs'one,two;three four,;:five,six,'  ⍝ →  one  two  three  four  five  six
≢' 'segs'a b c'                    ⍝ → 3
words'it''s 5 été, Ωμ!'            ⍝ →  it  s  été  Ωμ
(ucase'aß')(lcase'AΩ')             ⍝ →  Aß  aω
1 just 2 4⍴'a   bc  '              ⍝ →    a ⏎   bc
just 2 4⍴'   a  bc'                ⍝ → a ⏎ bc
0 just 1 5⍴'a    '                 ⍝ →   a
10 wrap 'the quick brown fox jumps over'  ⍝ →  the quick  brown fox  jumps over
10 justify 'the quick a b c d fox jumps over'  ⍝ →  the  quick  a  b  c  d  fox  jumps  over
≢¨12 justify 'aa bbb cc d eeee fff g hh iiiii j'  ⍝ → 12 12 10
⍴10 wrap ''                        ⍝ → 0
','vtol'a,,b,'                     ⍝ →  a    b
','ltov','vtol'a,,b,'              ⍝ → a,,b,
vtol ltov'ab' 'c'                  ⍝ →  ab  c
xtabs 'a',(⎕UCS 9),'bc',(⎕UCS 9),'d'   ⍝ → a       bc      d
4 xtabs 'abcd',(⎕UCS 9),'d'        ⍝ → abcd    d
xtabs 'none'                       ⍝ → none
q rmcm 'a←''⍝'' ⍝ b'               ⍝ → [a←'⍝' ]
nlines 2 3 4⍴0                     ⍝ → 7
'abc' 'xyz' subs 'aabbccdd'        ⍝ → xxyyzzdd
(1 2)(10 20)subs 2 2⍴1 2 3 2       ⍝ → 10 20 ⏎  3 20
'ab' 'X' ss 'abcabab'              ⍝ → XcXX
'aa' 'b' ss 'aaaaa'                ⍝ → bba
'a' 'bcd' ss 'banana'              ⍝ → bbcdnbcdnbcd
'x' '' ss 'axbx'                   ⍝ → ab
1 2(,9)ss 0 1 2 1 2                ⍝ ! LENGTH ERROR
(1 2)(,9)ss 0 1 2 1 2              ⍝ → 0 9 9
'nan'subvec'banana'                ⍝ → 1
'a' in 'banana'                    ⍝ →  2  4  6
3 in 1(2 3)(4(3 5))                ⍝ →  2 2  3 2 1
⊃'b' in 2 2⍴'aacb'                 ⍝ →  2 2
1 le 2                             ⍝ → 1
2 le 1                             ⍝ → 0
(1 2)le 1 3                        ⍝ → 1

⍝ Operators
-foldl ⍳4                          ⍝ → ¯8
10 -foldl ⍳4                       ⍝ → 0
⍬{⍺,⊂⍵}foldl 'ab' 'c'              ⍝ →  ab c
+acc ⍳4                            ⍝ → 10 9 7 4
-acc ⍳4                            ⍝ → ¯2 3 ¯1 4
,acc 'abc' 'd' 'e'                 ⍝ →  abcde  de e
(2∘×)pow 10⊢1                      ⍝ → 1024
2+pow 3⊢4                          ⍝ → 10
{⌊⍵÷2}traj 20                      ⍝ → 20 10 5 2 1 0
{7|⍵+3}traj 0                      ⍝ → 0 3 6 2 5 1 4
{⍵+1}until{⍵≥5}3                   ⍝ → 5
{⍵+1}until{⍵≥5}5                   ⍝ → 6
{⍵+1}while{⍵<5}5                   ⍝ → 5
{⌊⍵÷2}limit 20                     ⍝ → 0
{⍵>0}and{÷⍵}0                      ⍝ → 0
{⍵>0}and{⍵<5}3                     ⍝ → 1
{⍵=0}or{÷⍵}0                       ⍝ → 1
{⍵>0}or{⍵<¯5}¯3                    ⍝ → 0
⍬{⍺,⊃⍵}trav{1↓⍵}1(2(,3))(4(,5)(,6)) ⍝ → 1 2 3 4 5 6
⍬{⍺,⊃⍵}ravt{1↓⍵}1(2(,3))(4(,5)(,6)) ⍝ → 3 2 5 6 4 1
{⍵≥5}bsearch 3 7                   ⍝ → 5
{⍵≥9}bsearch 3 7                   ⍝ → 8
{⍵≥1}bsearch 3 7                   ⍝ → 3
calls←0
{calls+←1 ⋄ ⍵≥777777}bsearch 0 1048575  ⍝ → 777777
calls≤20                           ⍝ → 1
fib←{⍵<2:⍵ ⋄ +/fib¨⍵-1 2}memo(cache ⍬)
fib 80                             ⍝ → 2.341672835E16
k←cache ⍬ ⋄ calls←0
f←{calls+←1 ⋄ ⍺+⍵}memo k
{⍵,calls}(3 f 4)(3 f 4)(4 f 3)     ⍝ → 7 7 7 2

⍝ Dates
days 1899 12 31                    ⍝ → 0
days 2000 1 1 12                   ⍝ → 36525.5
days¨(1752 9 14)(1752 9 2)         ⍝ → ¯53798 ¯53799
days 2 3⍴2024 2 29 1900 3 1        ⍝ → 45350 60
days 2023 14 1                     ⍝ → 45322
date days 2024 2 29 13 5 7 250     ⍝ → 2024 2 29 13 5 7 250
date ¯53799 1.5                    ⍝ → 1752 9 2  0 0 0 0 ⏎ 1900 1 1 12 0 0 0
x←¯690000+7×⍳120000 ⋄ x≡days date x  ⍝ → 1
(7|days 2026 11 22)=0              ⍝ → 1
easter 2024 2025 2026 2000 1818 1753 4099 1752 1500  ⍝ → 20240331 20250420 20260405 20000423 18180322 17530422 40990419 17520329 15000419
⊢cal 1752 9                        ⍝ →    September 1752 ⏎ Su Mo Tu We Th Fr Sa ⏎        1  2 14 15 16 ⏎ 17 18 19 20 21 22 23 ⏎ 24 25 26 27 28 29 30
cal 2000 2                         ⍝ →    February 2000 ⏎ Su Mo Tu We Th Fr Sa ⏎        1  2  3  4  5 ⏎  6  7  8  9 10 11 12 ⏎ 13 14 15 16 17 18 19 ⏎ 20 21 22 23 24 25 26 ⏎ 27 28 29

⍝ Lists and codes
al←('a' 'bc')(1 2)
al alget 'bc'                      ⍝ → 2
(al alset 'bc' 9)alget 'bc'        ⍝ → 9
(al alset 'd' 3)alget 'd'          ⍝ → 3
(al alpush 'a' 7)alget 'a'         ⍝ → 7
al≡(al alpush 'a' 7)alpop 'a'      ⍝ → 1
(list ⍳3)≡1(2(3 ⍬))                ⍝ → 1
hex 255                            ⍝ → FF
hex 1 4096                         ⍝ → 0001 ⏎ 1000
dec 'ff'                           ⍝ → 255
dec hex 2 2⍴0 1 255 65536          ⍝ →   0     1 ⏎ 255 65536
dec 'g'                            ⍝ ! DOMAIN ERROR: dec takes hexadecimal digits
base64 ⎕UCS 'light work.'          ⍝ → bGlnaHQgd29yay4=
⎕UCS base64 'bGlnaHQgd29yaw=='     ⍝ → light work
∧/{⍵≡base64 base64 ⍵}¨?(⍳20)⍴¨255  ⍝ → 1
morse 'SOS now'                    ⍝ → ... --- ... / -. --- .--
morse morse 'SOS now'              ⍝ → SOS NOW
roman 1994                         ⍝ → MCMXCIV
∧/{⍵=roman roman ⍵}¨⍳3999          ⍝ → 1
roman 4000                         ⍝ ! DOMAIN ERROR: roman takes a number from 1 to 3999

⍝ Puzzles
assign 3 3⍴4 1 3 2 0 5 3 2 2       ⍝ → 0 1 0 ⏎ 1 0 0 ⏎ 0 0 1
assign 3 2⍴5 1 2 8 7 6             ⍝ → 0 1 ⏎ 1 0 ⏎ 0 0
∧/{m←⍵ ⋄ (+/,m×assign m)=⌊/{+/1 1⍉m[;⍵]}¨↓pmat 6}¨?30⍴⊂6 6⍴20  ⍝ → 1
X 6 7⍴1 0 0 1 0 0 1 1 0 0 1 0 0 0 0 0 0 1 1 0 1 0 0 1 0 1 1 0 0 1 1 0 0 1 1 0 1 0 0 0 0 1  ⍝ → 0 1 0 1 0 1
⍴X 2 2⍴1 0 1 0                     ⍝ → 0
s←9 9⍴5 3 0 0 7 0 0 0 0 6 0 0 1 9 5 0 0 0 0 9 8 0 0 0 0 6 0 8 0 0 0 6 0 0 0 3 4 0 0 8 0 3 0 0 1 7 0 0 0 2 0 0 0 6 0 6 0 0 0 0 2 8 0 0 0 0 4 1 9 0 0 5 0 0 0 0 8 0 0 7 9
r←sudoku s ⋄ (∧/,(s=0)∨s=r)∧(∧/,(⍳9)=⍤1⊢{⍵[⍋⍵]}⍤1⊢r⍪⍉r)∧∧/,(⍳9)=⍤1⊢{⍵[⍋⍵]}⍤1⊢9 9⍴1 3 2 4⍉3 3 3 3⍴r  ⍝ → 1
⍴sudoku 4 4⍴1 1,14⍴0               ⍝ → 0
t←kt 8 8
(⍳64)≡{⍵[⍋⍵]},t                   ⍝ → 1
∧/5={+/×⍨⍵}¨2-/(,⍳8 8)[⍋,t]        ⍝ → 1
⍴kt 3 3                            ⍝ → 0

⍝ Whole numbers of any size
1234567890 ×nats'12345678901234567890'  ⍝ → 15241578751714678875019052100
2 -nats 3                          ⍝ → 0
100 ÷nats 13                       ⍝ → 7
13 |nats 100                       ⍝ → 9
2 *nats 100                        ⍝ → 1267650600228229401496703205376
'123456789012345678901234567890' ÷nats '987654321098765'  ⍝ → 124999998860937
'987654321098765' |nats '123456789012345678901234567890'  ⍝ → 547854957125085
'999999999999999999999999' +nats 1 ⍝ → 1000000000000000000000000
⊃×nats/⍳30                         ⍝ → 265252859812191058636308480000000
12 (∨nats,∧nats,⌊nats,⌈nats) 18    ⍝ → 6361218
3 (<nats,≤nats,=nats,≥nats,>nats,≠nats) 4  ⍝ → 1 1 0 0 0 1
5 ÷nats 0                          ⍝ ! DOMAIN ERROR: division by zero
5 ○nats 0                          ⍝ ! DOMAIN ERROR
'x' +nats 1                        ⍝ ! DOMAIN ERROR: nats takes whole numbers
mul←{⍺ ×nats ⍵} ⋄ x←(40⍴'3')mul 50⍴'7' ⋄ (x ÷nats 40⍴'3')≡50⍴'7'  ⍝ → 1
{a b←⍵ ⋄ q←a ÷nats b ⋄ r←b |nats a ⋄ a≡(q ×nats b)+nats r}('1',199⍴'9073')('4',70⍴'0172')  ⍝ → 1
5 -big 8                           ⍝ → ¯3
'¯12345678901234567890' ×big '98765432109876543210'  ⍝ → ¯1219326311370217952237463801111263526900
¯7 ÷big 2                          ⍝ → ¯4
(2 |big ¯7)(¯2 |big 7)(¯7 |big 7)  ⍝ →  1  ¯1  0
3 (<big,≥big) ¯4                   ⍝ → 0 1
¯2 *big 3                          ⍝ → ¯8
(-big 5)(×big ¯5)(|big ¯5)         ⍝ →  ¯5  ¯1  5

⍝ Showing, timing, names
disp (1 2)'ab'                     ⍝ → ┌───┬──┐ ⏎ │1 2│ab│ ⏎ └───┴──┘
1 disp (1 2)'ab'                   ⍝ → ┌→──┬──┐ ⏎ │1 2│ab│ ⏎ └~─→┴─→┘
dsp (1 2)'ab'                      ⍝ → ┌───┬──┐ ⏎ │1 2│ab│ ⏎ └───┴──┘
display 1 'a'                      ⍝ → ┌→──┐ ⏎ │1 a│ ⏎ └+──┘
x←cmpx '1+1' '⍳9'
x[;1 2 3 4 5]                      ⍝ →   1+1 ⏎ * ⍳9
n←⎕NS'' ⋄ n.x←1 ⋄ n.s←⎕NS'' ⋄ n.s.f←{⍵}
tree n                             ⍝ → s ⏎   f ⏎ x
f←{a←⍵ ⋄ a+b}
refs 'f'                           ⍝ → a ⏎ b ⏎ f
tokens 'a←¯1.5E3+⎕IO ⍝ x'          ⍝ →  a  ←  ¯1.5E3  +  ⎕IO     ⍝ x

⍝ In either ⎕IO, and one at a time
⎕IO←0
2 cmat 3                           ⍝ → 0 1 ⏎ 0 2 ⏎ 1 2
pmat 2                             ⍝ → 0 1 ⏎ 1 0
pco ⍳3                             ⍝ → 2 3 5
b←(1 2)(,2)(1 3)(0 4)(,2)
b span 2                           ⍝ → 3 2 ¯1 2 3
b path 3 2                         ⍝ → 3 0 2
b search 3                         ⍝ → 3 0 4 1 2
b dfspan 0                         ⍝ → ¯1 0 1 2 3
scc (,1)(,0)(1 3)(,2)⍬             ⍝ → 0 0 1 1 2
g←↑b((5 1)(,1)(2 2)(9 1)(,4))
g wpath 0 4                        ⍝ → 0 2 3 4
g wcost 0 2 3                      ⍝ → 1 2
g wmst 0                           ⍝ → ¯1 2 0 2 3
b≡(b insnode 1)remnode 1           ⍝ → 1
queens 4                           ⍝ → 1 3 0 2 ⏎ 2 0 3 1
'abc' 'xyz' subs 'aabbccdd'        ⍝ → xxyyzzdd
days 2000 1 1                      ⍝ → 36525
3 to 5                             ⍝ → 3 4 5
'a' iotag 'c'                      ⍝ → abc
iotag 3                            ⍝ → 0 1 2
rational 0.75                      ⍝ → 3 4
'a' in 'banana'                    ⍝ →  1  3  5
1 le 2                             ⍝ → 1
hex 255                            ⍝ → FF
fib←{⍵<2:⍵ ⋄ +/fib¨⍵-1 2}memo(cache ⍬)
fib 10                             ⍝ → 55
⍴cal 2026 11                       ⍝ → 7 20
⎕IO←1
n←⎕NS'' ⋄ n.⎕IO←0 ⋄ n.⎕CY'dfns'
n.(2 cmat 3)                       ⍝ → 0 1 ⏎ 0 2 ⏎ 1 2
