⍝ SPDX-License-Identifier: MIT
⍝ What operators and assignments must agree on, on arrays that a generator made.

⎕RL←42
v←?200⍴50 ⋄ w←?200⍴50 ⋄ m←?20 10⍴9 ⋄ n←(?30⍴5)↑¨⊂'abcde'
k←v>25

⍝ Selective, indexed and @ assignment say the same
a←v ⋄ (k/a)←0 ⋄ b←v ⋄ b[⍸k]←0 ⋄ a≡b            ⍝ → 1
a≡0@{⍵>25}v                                    ⍝ → 1
a≡v×~k                                         ⍝ → 1
a←v ⋄ (k/a)←⍳+/k ⋄ a≡(⍳+/k)@(⍸k)⊢v             ⍝ → 1
a←m ⋄ (3 4↑a)←0 ⋄ b←m ⋄ b[⍳3;⍳4]←0 ⋄ a≡b       ⍝ → 1
a←m ⋄ (1 1⍉a)←⍳10 ⋄ b←m ⋄ b[,¨⍨¨⍳10]←⍳10 ⋄ a≡b ⍝ → 1
a←m ⋄ (,⍉a)←⍳200 ⋄ a≡⍉10 20⍴⍳200               ⍝ → 1
a←m ⋄ (⊖⌽a)←m ⋄ a≡⊖⌽m                          ⍝ → 1
a←m ⋄ ((20⍴1 0)⌿a)+←100 ⋄ a≡m+100×20 10⍴(10⍴1),10⍴0 ⍝ → 1
a←n ⋄ (⊃¨a)←'!' ⋄ a≡'!',¨1↓¨n                  ⍝ → 1
a←n ⋄ ((' '=∊a)/∊a)←'.' ⋄ (∊a)≡'.'@{⍵=' '}∊n   ⍝ → 1
a←n ⋄ (¯1↑¨a)←'!' ⋄ a≡(¯1↓¨n),¨'!'             ⍝ → 1
a←50⍴0 ⋄ a[w]+←v
a≡{+/v×⍵=w}¨⍳50                                ⍝ → 1
b←50⍴0 ⋄ t←w{b[⍺]+←⍵}¨v
a≡b                                            ⍝ → 1
(+/a)≡+/v                                      ⍝ → 1

⍝ ⌸ groups what = finds
u←∪v
({⊂⍵}⌸v)≡{⍸v=⍵}¨u                              ⍝ → 1
(v{+/⍵}⌸w)≡{+/w×v=⍵}¨u                         ⍝ → 1
({≢⍵}⌸v)≡+/u∘.=v                               ⍝ → 1
({⍺,≢⍵}⌸v)≡u,⍪+/u∘.=v                          ⍝ → 1
({⍺,≢⍵}⌸m[;1 2])≡{⍺,≢⊢⍵}⌸m[;1 2]               ⍝ → 1
(∪n)≡⊣⌸n                                       ⍝ → 1
(∊{⊂⍵}⌸v)≡⍋u⍳v                                 ⍝ → 1

⍝ ⌺ is shifting
p←0⍪(0,m,0)⍪0
({+/,⍵}⌺3 3⊢m)≡⊃+/,(0 1 2)∘.{20 10↑⍺ ⍵↓p}0 1 2 ⍝ → 1
({⌈/⍵}⌺3⊢v)≡3⌈/0,v,0                           ⍝ → 1
({+/⍵}⌺2⊢v)≡2+/v                               ⍝ → 1
({⊂⍵}⌺(⍪4 4)⊢⍳8)≡↓[1]⍉2 4⍴0,⍳7                 ⍝ → 1
({⍵}⌺1 1⊢m)≡20 10 1 1⍴m                        ⍝ → 1

⍝ ⍤ is ¨ between ↓ and ↑
({⌽⍵}⍤1⊢m)≡↑⌽¨↓m                               ⍝ → 1
((+/÷≢)⍤1⊢m)≡(+/÷≢)¨↓m                         ⍝ → 1
(m{⍺,+/⍵}⍤1⊢m)≡m,+/m                           ⍝ → 1
((⍳20)+⍤¯1⊢m)≡(⍉10 20⍴⍳20)+m                   ⍝ → 1

⍝ Folds by a dfn and by the primitive; scans against folds of prefixes
({⍺+⍵}/m)≡+/m                                  ⍝ → 1
({⍺-⍵}⌿m)≡-⌿m                                  ⍝ → 1
({⍺⌈⍵}\m)≡⌈\m                                  ⍝ → 1
({⍺-⍵}\v)≡-\v                                  ⍝ → 1
(5{⍺-⍵}/v)≡5-/v                                ⍝ → 1
(¯5-/v)≡5{⍵-⍺}/v                               ⍝ → 0
(¯3-/v)≡{(⊃⌽⍵)-⍵[2]-⊃⍵}¨3,/v                   ⍝ → 1
(⊃,/n)≡∊n                                      ⍝ → 1
(,\3↑n)≡{⊃,/⍵↑n}¨⍳3                            ⍝ → 1
((-⍠'Forward' 1)\v)≡{-/⌽⍵↑v}¨⍳200              ⍝ → 1
(m∨.∧⍉m)≡m{∨/⍺∧⍵}⍤1⍤1 99⊢m                     ⍝ → 1
(m{⍺+⍵}.{⍺×⍵}⍉m)≡m+.×⍉m                        ⍝ → 1
(v∘.{⍺-⍵}w)≡v∘.-w                              ⍝ → 1

⍝ What is undone is as before
v≡+\⍣¯1⊢+\v                                    ⍝ → 1
m≡-⍀⍣¯1⊢-⍀m                                    ⍝ → 1
v≡2⊥2⊥⍣¯1⊢v                                    ⍝ → 1
(3∘+∘(2∘×)⍣¯1⊢3∘+∘(2∘×)v)≡v                    ⍝ → 1
v≡7⌽⍣¯1⊢7⌽v                                    ⍝ → 1
(⍸k)≡⍸⍸⍣¯1⊢⍸k                                  ⍝ → 1
(⍳5)≡(+∘1⍣10)⍣¯1⊢10+⍳5                         ⍝ → 1

⍝ What an operand gives as an assigned value is not displayed behind operators either
{r←⍵+1}¨1 2 3 ⍝ →
{r←⍵+1}∘-3 ⍝ →
({r←⍵+1}-)3 ⍝ →
({r←⍵+1}⍣2)3 ⍝ →
{r←⍵}⍨3 ⍝ →
-∘{r←⍵+1}3 ⍝ → ¯4
⊢{r←⍵+1}¨1 2 3 ⍝ → 2 3 4

⍝ Options of folds, alone and together
(+⍠'Identity' 7)/⍬                             ⍝ → 7
({⍺+⍵}⍠'Identity' 0)/⍬                         ⍝ → 0
({⍺+⍵}⍠'Identity' 0)/3 0⍴0                     ⍝ → 0 0 0
({⍺+⍵}⍠'Identity' 0)/3 4                       ⍝ → 7
({⍺,⍵}⍠'Identity' ⍬)/⍬                         ⍝ →  ␠
({⍺+⍵}⍠('Identity' 0)('Assoc' 1))/⍳100         ⍝ → 5050
((×⍠'Assoc' 1)⍠'Identity' 3)/⍬                 ⍝ → 3
(+⍠'Identity' 7)\⍬                             ⍝ →
m←?4 60⍴9
(({⍺⌊⍵}⍠'Assoc' 1)/m)≡⌊/m                      ⍝ → 1
(({⍺+⍵+0}⍠'Assoc' 1)\m)≡+\m                    ⍝ → 1
(({⍺+⍵+0}⍠'Assoc' 1)⍀m)≡+⍀m                    ⍝ → 1
(({⍺+⍵+0}⍠('Assoc' 1)('Forward' 1))\m)≡+\m     ⍝ → 1
(({⍺⌈⍵+0}⍠'Forward' 1)⍀m)≡⌈⍀m                  ⍝ → 1
(({⍺-⍵+0}⍠'Forward' 1)\m)≡({q←⍎'0' ⋄ ⍺-⍵}⍠'Forward' 1)\m ⍝ → 1
(({⍺×⍵×1}⍠'Assoc' 1)/1+70⍴2)≡×/70⍴3            ⍝ → 1
(+⍠'Nothing' 1)/1 2                            ⍝ ! DOMAIN ERROR

⍝ A forward scan as a reduction that catenates its states
v←¯5+?300⍴9 ⋄ w←?300⍴0
(⌽⊃{(⍺+⊃⍵),⍵}/⌽v)≡+\v                          ⍝ → 1
(⌽⊃{(0⌈⍺+⊃⍵),⍵}/⌽v)≡({0⌈⍺+⍵}⍠'Forward' 1)\v    ⍝ → 1
k←0.9 ⋄ (⌽⊃{(⍺+k×⊃⍵),⍵}/⌽w)≡({⍺+0.9×⍵}⍠'Forward' 1)\w ⍝ → 1
(⌽⊃{(⍺{⍺-⍵}⊃⍵),⍵}/⌽v)≡⌽⊃{q←⍎'0' ⋄ (⍺-⊃⍵),⍵}/⌽v ⍝ → 1
{(⍺+⊃⍵),⍵}/1 2 3                               ⍝ →  6 5 3␠
{(⍺+⍵),⍵}/1 2 3                                ⍝ →  6 4 5 3␠
{(⍺+≢⍵),⍵}/1 2 3                               ⍝ →  3 3 3␠
{(⍺×⊃⍵),⍵}/2 3⍴⍳6                              ⍝ →  6 6 3  120 30 6␠
