⍝ SPDX-License-Identifier: MIT
⍝ Small algorithms as people write them in dfns: sorting, searching, dynamic programming, number
⍝ theory, combinatorics, graphs, numerical methods, recursion by name, by ∇ and by ∇∇.

⍝ Sorting and searching
msort←{1≥≢⍵:⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↑⍵){0=≢⍺:⍵ ⋄ 0=≢⍵:⍺ ⋄ (⊃⍺)≤⊃⍵:(⊃⍺),(1↓⍺)∇⍵ ⋄ (⊃⍵),⍺∇1↓⍵}∇h↓⍵}
msort 5 2 8 1 9 3 ⍝ → 1 2 3 5 8 9
isort←{⊃{(⍵⌿⍨⍵<⍺),⍺,⍵⌿⍨⍵≥⍺}/⍵,⊂⍬}
isort 5 2 8 1 ⍝ → 1 2 5 8
bubble←{⊃{(⍺⌊⊃⍵),(⍺⌈⊃⍵),1↓⍵}/⍵}⍣≡
bubble 5 2 8 1 ⍝ → 1 2 5 8
Q←{1≥⍴⍵:⍵ ⋄ S←{⍺⌿⍨⍺ ⍺⍺ ⍵} ⋄ ⍵((∇<S),=S,(∇>S))⍵⌷⍨?⍴⍵}
Q 3 1 4 1 5 9 2 6 ⍝ → 1 1 2 3 4 5 6 9
bsearch←{v←⍺ ⋄ k←⍵ ⋄ 1{⍺>⍵:0 ⋄ m←⌊(⍺+⍵)÷2 ⋄ k=v[m]:m ⋄ k<v[m]:⍺ ∇ m-1 ⋄ (m+1)∇ ⍵}≢v}
1 3 5 7 9∘bsearch¨7 4 ⍝ → 4 0

⍝ Dynamic programming
ed←{a b←⍺ ⍵ ⋄ m←(1+≢a)(1+≢b)⍴0 ⋄ m[;1]←¯1+⍳1+≢a ⋄ m[1;]←¯1+⍳1+≢b ⋄ _←{i j←1+⍵ ⋄ m[i;j]←⌊/(1+m[i-1;j])(1+m[i;j-1])(m[i-1;j-1]+a[i-1]≠b[j-1])}¨,⍳(≢a)(≢b) ⋄ ⊃⌽,m}
'kitten' ed 'sitting' ⍝ → 3
'flaw' ed 'lawn' ⍝ → 2
lcs←{a b←⍺ ⍵ ⋄ m←(1+(≢a)(≢b))⍴0 ⋄ _←{i j←1+⍵ ⋄ m[i;j]←(m[i-1;j]⌈m[i;j-1])⌈m[i-1;j-1]+a[i-1]=b[j-1]}¨,⍳(≢a)(≢b) ⋄ ⊃⌽,m}
'AGGTAB' lcs 'GXTXAYB' ⍝ → 4
knap←{⊃⌽⊃{t←⍵ ⋄ (a b)←⍺ ⋄ t⌈(-≢t)↑b+(-a)↓t}/(⌽↓⍉↑⍺),⊂(1+⍵)⍴0}
(1 3 4 5)(1 4 5 7)knap 7 ⍝ → 9

⍝ Combinatorics
gray←{0=⍵:1 0⍴0 ⋄ (0,m)⍪1,⊖m←∇⍵-1}
2⊥⍉gray 3 ⍝ → 0 1 3 2 6 7 5 4
comb←{(⍺=0)∨⍺=⍵:1⍺⍴⍳⍵ ⋄ (⍺ ∇ ⍵-1)⍪((⍺-1)∇ ⍵-1),⍵}
2 comb 4 ⍝ → 1 2 ⏎ 1 3 ⏎ 2 3 ⏎ 1 4 ⏎ 2 4 ⏎ 3 4
pm←{0=⍵:1 0⍴0 ⋄ ↑,(⍳⍵)∘.{⍺,⍵+⍵≥⍺}↓∇⍵-1}
pm 3 ⍝ → 1 2 3 ⏎ 1 3 2 ⏎ 2 1 3 ⏎ 2 3 1 ⏎ 3 1 2 ⏎ 3 2 1
subs←{⊃{⍵,⍺∘,¨⍵}/⍵,⊂,⊂⍬}
≢subs ⍳5 ⍝ → 32
,⊃∘.,/(1 2)(3 4) ⍝ →  1 3  1 4  2 3  2 4␠
tower←{0=⍵:⍬ ⋄ f t v←⍺ ⋄ (f v t ∇ ⍵-1),(⊂f t),v t f ∇ ⍵-1}
1 3 2 tower 2 ⍝ →  1 2  1 3  2 3␠
queens←{⍺←⍬ ⋄ ⍵=≢⍺:⊂⍺ ⋄ c←(⍳⍵)~⍺,(⍺+d),⍺-d←⌽⍳≢⍺ ⋄ 0=≢c:⍬ ⋄ ⊃,/(⍺∘,¨c)∇¨⍵}
≢¨queens¨4 5 6 7 ⍝ → 2 10 4 40

⍝ Numbers
pf←{⍺←2 ⋄ ⍵=1:⍬ ⋄ ⍵<⍺*2:,⍵ ⋄ 0=⍺|⍵:⍺,⍺∇⍵÷⍺ ⋄ (⍺+1)∇⍵}
pf 360 ⍝ → 2 2 2 3 3 5
⍸{⍵=+/¯1↓⍸0=(⍳⍵)|⍵}¨⍳500 ⍝ → 6 28 496
{+/1=⍵∨⍳⍵}¨⍳10 ⍝ → 1 1 2 2 4 2 6 4 6 4
egcd←{⍵=0:⍺ 1 0 ⋄ g x y←⍵∇⍵|⍺ ⋄ g y(x-y×⌊⍺÷⍵)}
240 egcd 46 ⍝ → 2 ¯9 47
luhn←{d←⌽⍎¨⍵ ⋄ 0=10|+/∊10⊥⍣¯1¨d×(≢d)⍴1 2}
luhn '49927398716' ⍝ → 1
roman←{v←1 5 10 50 100 500 1000['IVXLCDM'⍳⍵] ⋄ +/v×1-2×v<1↓v,0}
roman 'MCMXCIV' ⍝ → 1994
ack←{⍺=0:⍵+1 ⋄ ⍵=0:(⍺-1)∇1 ⋄ (⍺-1)∇ ⍺ ∇ ⍵-1}
3 ack 3 ⍝ → 61

⍝ Matrices and numerical methods
det←{1=≢⍵:⊃⍵ ⋄ m←⍵ ⋄ +/m[1;]×(¯1*1+⍳≢m)×{det 1↓m[;(⍳≢m)~⍵]}¨⍳≢m}
det 4 4⍴1 0 2 ¯1 3 0 0 5 2 1 4 ¯3 1 0 5 0 ⍝ → 30
mpow←{⍵=0:∘.=⍨⍳≢⍺ ⋄ ⍵=1:⍺ ⋄ h←⍺∇⌊⍵÷2 ⋄ r←h+.×h ⋄ 2|⍵:⍺+.×r ⋄ r}
(2 2⍴1 1 1 0)mpow 10 ⍝ → 89 55 ⏎ 55 34
integ←{a b←⍵ ⋄ n←1000 ⋄ h←(b-a)÷n ⋄ h×+/⍺⍺ a+h×¯0.5+⍳n}
6⍕{⍵*2}integ 0 3 ⍝ →  8.999998
bisect←{f←⍺⍺ ⋄ {m←.5×+/⍵ ⋄ 0≤(f m)×f⊃⍵:m,2⊃⍵ ⋄ (⊃⍵),m}⍣40⊢⍵}
6⍕⊃{(⍵*2)-2}bisect 0 2 ⍝ →  1.414214

⍝ Graphs
graph←(2 3)(,4)(,4)⍬
bfs←{g←⍺ ⋄ {⍺←⍵ ⋄ n←(∪⊃,/g[⍵])~⍺ ⋄ 0=≢n:⍺ ⋄ (⍺,n)∇ n},⍵}
graph bfs 1 ⍝ → 1 2 3 4
adj←4 4⍴0 1 1 0 0 0 0 1 0 0 0 1 0 0 0 0
{⍵∨⍵∨.∧⍵}⍣≡adj ⍝ → 0 1 1 1 ⏎ 0 0 0 1 ⏎ 0 0 0 1 ⏎ 0 0 0 0
tsort←{m←⍵ ⋄ {⍺←⍬ ⋄ r←(⍳≢m)~⍺ ⋄ 0=≢r:⍺ ⋄ f←r/⍨~∨⌿m[r;r] ⋄ 0=≢f:'cycle' ⋄ (⍺,⊃f)∇0}0}
(tsort adj)(tsort∘.≠⍨⍳2) ⍝ →  1 2 3 4  cycle␠
d←4 4⍴0 1 4 99 1 0 2 7 4 2 0 3 99 7 3 0
{⍵⌊⍵⌊.+⍵}⍣≡d ⍝ → 0 1 3 6 ⏎ 1 0 2 5 ⏎ 3 2 0 3 ⏎ 6 5 3 0
dijkstra←{w←⍺ ⋄ ⊃{(d q)←⍵ ⋄ 0=≢q:⍵ ⋄ u←q[⊃⍋d[q]] ⋄ (d⌊d[u]+w[u;])(q~u)}⍣≡(0@⍵⊢1000⍴⍨≢w)(⍳≢w)}
d dijkstra 1 ⍝ → 0 1 3 6

⍝ Functions of functions
pow←{⍺=0:⍵ ⋄ (⍺-1)∇ ⍺⍺ ⍵}
4 ⍟pow 5000 ⍝ → ¯0.2720968003
exp←{⍺=0:⍺⍺ ⍵ ⋄ (⍺-1)⍺⍺∘⍺⍺ ∇∇ ⍵}
10{1+⍵}exp 0 ⍝ → 1024
both←{m←⍺⍺ ⍵ ⋄ m\⍵⍵ m/⍵} ⋄ filter←{(⍺⍺ ⍵)/⍵}
{2|⍵}both{0=3|⍵}filter ⍳20 ⍝ → 3 9 15

⍝ The place of the greatest and of the least
⎕RL←11
i←?5000⍴4000 ⋄ r←?5000⍴0 ⋄ b←1<?5000⍴9
at←{⊃⍸⍵=⍺}
(i⍳⌈/i)=(⌈/i)at i                  ⍝ → 1
(i⍳⌊/i)=(⌊/i)at i                  ⍝ → 1
(r⍳⌈/r)=(⌈/r)at r                  ⍝ → 1
(b⍳⌊/b)=(⌊/b)at b                  ⍝ → 1
((-r)⍳⌊/-r)=0                      ⍝ → 0
{⍵⍳⌈/⍵}1000⍴3                      ⍝ → 1
{⎕IO←0 ⋄ ⍵⍳⌈/⍵}(999⍴1.5),2         ⍝ → 999
⍝ Equal within ⎕CT counts
{⍵⍳⌈/⍵}2000⍴(2-1e¯15),2            ⍝ → 1
{⎕CT←0 ⋄ ⍵⍳⌈/⍵}2000⍴(2-1e¯15),2    ⍝ → 2
