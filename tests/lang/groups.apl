⍝ Groups by keys: what is made of all of them at once is what calls give, on every path.

n←4001 ⋄ a←n|(⍳n)×7919 ⋄ k←17|a ⋄ j←¯3+a|⍨97 ⋄ f←a÷7 ⋄ c←'grouped'[1+7|a] ⋄ b←2|a ⋄ g←⎕F32 f
each←{(u x y)←(∪⊃⍵)(⊃⍵)(2⊃⍵) ⋄ ↑⍺⍺¨{⍵/y}¨↓u∘.=x} ⍝ ⍵ of each key alone, by its definition
({+/⍵}each k a)≡k{+/⍵}⌸a              ⍝ → 1
({+/⍵}each j a)≡j{+/⍵}⌸a              ⍝ → 1
({+/⍵}each c a)≡c{+/⍵}⌸a              ⍝ → 1
({+/⍵}each f a)≡f{+/⍵}⌸a              ⍝ → 1
({+/⍵}each b f)≡b{+/⍵}⌸f              ⍝ → 1
({+/⍵}each k f)≡k{+/⍵}⌸f              ⍝ → 1
({+/⍵}each g f)≡g{+/⍵}⌸f              ⍝ → 1
({+/⍵}each k g)≡k{+/⍵}⌸g              ⍝ → 1
({+/⍵}each k b)≡k{+/⍵}⌸b              ⍝ → 1
({×/⍵}each j(1+b))≡j{×/⍵}⌸1+b         ⍝ → 1
({-/⍵}each k f)≡k{-/⍵}⌸f              ⍝ → 1
({-/⍵}each k a)≡k{-/⍵}⌸a              ⍝ → 1
({⌈/⍵}each k f)≡k{⌈/⍵}⌸f              ⍝ → 1
({⌊/⍵}each k(-f))≡k{⌊/⍵}⌸-f           ⍝ → 1
({⌈/⍵}each c a)≡c{⌈/⍵}⌸a              ⍝ → 1
({⌊/⍵}each c(a-n))≡c{⌊/⍵}⌸a-n         ⍝ → 1
({∨/⍵}each j b)≡j{∨/⍵}⌸b              ⍝ → 1
({∧/⍵}each j b)≡j{∧/⍵}⌸b              ⍝ → 1
({≢⍵}each k a)≡k{≢⍵}⌸a                ⍝ → 1
({≢⍵}each k a)≡{≢⍵}⌸k                 ⍝ → 1
({⊃⍵}each k f)≡k{⊃⍵}⌸f                ⍝ → 1
({⊢/⍵}each k f)≡k{⊢/⍵}⌸f              ⍝ → 1
({⊣/⍵}each j c)≡j{⊣/⍵}⌸c              ⍝ → 1

⍝ Several at once, and what goes on with them
({(+/⍵)÷≢⍵}each k a)≡k{(+/⍵)÷≢⍵}⌸a    ⍝ → 1
({(+/⍵)÷≢⍵}each k f)≡k{(+/⍵)÷≢⍵}⌸f    ⍝ → 1
({(≢⍵),(+/⍵),(⌈/⍵),(⌊/⍵),(+/⍵)÷≢⍵}each k f)≡k{(≢⍵),(+/⍵),(⌈/⍵),(⌊/⍵),(+/⍵)÷≢⍵}⌸f ⍝ → 1
({(≢⍵)(+/⍵)(⌈/⍵)}each k a)≡k{(≢⍵)(+/⍵)(⌈/⍵)}⌸a ⍝ → 1
((∪k),{(+/⍵),⌈/⍵}each k a)≡k{⍺,(+/⍵),⌈/⍵}⌸a ⍝ → 1
((∪k),⍪{+/⍵}each k a)≡k{⍺(+/⍵)}⌸a     ⍝ → 1
((∪c),⍪{+/⍵}each c a)≡c{⍺(+/⍵)}⌸a     ⍝ → 1
((∪c),{(+/⍵),≢⍵}each c a)≡c{⍺,(+/⍵),≢⍵}⌸a ⍝ → 1
({+/(⍵-(+/⍵)÷≢⍵)*2}each k f)≡k{+/(⍵-(+/⍵)÷≢⍵)*2}⌸f ⍝ → 1
({m←(+/⍵)÷≢⍵ ⋄ (+/(⍵-m)*2)÷≢⍵}each k a)≡k{m←(+/⍵)÷≢⍵ ⋄ (+/(⍵-m)*2)÷≢⍵}⌸a ⍝ → 1
({+/⍵>3}each k a)≡k{+/⍵>3}⌸a          ⍝ → 1
({⌈/|⍵-⍵[1]}each k f)≡k{⌈/|⍵-⊃⍵}⌸f    ⍝ → 1
(k{⍺×+/⍵}⌸a)≡(∪k)×{+/⍵}each k a       ⍝ → 1
(k{(+/⍵)>1e6:0 ⋄ ≢⍵}⌸a)≡{(+/⍵)>1e6:0 ⋄ ≢⍵}each k a ⍝ → 1
(k{7}⌸a)≡17⍴7                         ⍝ → 1
(k{⍺}⌸a)≡∪k                           ⍝ → 1
(j(+/⊢)⌸a)≡{+/⍵}each j a              ⍝ → 1
(j(⊣,≢⍤⊢)⌸a)≡(∪j),⍪{≢⍵}each j a       ⍝ → 1
(k{+/⍺×⍵}⌸a)≡(∪k)×{+/⍵}each k a       ⍝ → 1
(c{+/⍵='a'}⌸c)≡0×⍳7                   ⍝ → 1

⍝ Collected, or called for each key
(k{⊂⍵}⌸a)≡{⊂⍵}each k a                ⍝ → 1
(k{⊂⍵}⌸c)≡{⊂⍵}each k c                ⍝ → 1
({⊂⍵}⌸k)≡{⍸⍵=k}¨∪k                    ⍝ → 1
(≢¨k{⊂⍵}⌸f)≡{≢⍵}⌸k                    ⍝ → 1
(+/¨k{⊂⍵}⌸f)≡k{+/⍵}⌸f                 ⍝ → 1
(k{⍺,⊂⍵}⌸a)≡(∪k),⍪k{⊂⍵}⌸a             ⍝ → 1
(k{⍵}⌸a)≡↑k{⊂⍵}⌸a                     ⍝ → 1
(k{+/3↑⌽⍵}⌸a)≡{+/3↑⌽⍵}each k a        ⍝ → 1
(k{≢∪⍵}⌸b)≡{≢∪⍵}each k b              ⍝ → 1
(k{⍵[⍋⍵][2]}⌸a)≡{⍵[⍋⍵][2]}each k a    ⍝ → 1
(k{+⌿⍵}⌸n 2⍴a)≡↑{+⌿(k=⍵)⌿n 2⍴a}¨∪k    ⍝ → 1
((⌽⍳n){+/⍵}⌸a)≡a                      ⍝ → 1
((n⍴5){+/⍵}⌸f)≡,+/f                   ⍝ → 1
⎕IO←0
({⌊/⍵}⌸k)≡k⍳∪k                        ⍝ → 1
({⊃⍵}⌸k)≡k⍳∪k                         ⍝ → 1
⎕IO←1
({⌊/⍵}⌸k)≡k⍳∪k                        ⍝ → 1

⍝ A sum that leaves the integers, and errors
x←n⍴2*62
(k{+/⍵}⌸x)≡{+/⍵}each k x              ⍝ → 1
k{÷+/⍵}⌸n⍴0                           ⍝ ! DOMAIN ERROR
k{+/⍵}⌸1↓a                            ⍝ ! LENGTH ERROR
k{⍵×1 2}⌸a                            ⍝ ! LENGTH ERROR
k{⍵×a}⌸a                              ⍝ ! LENGTH ERROR

⍝ Keys that are counted, in four parts and what is left, and values of every width
groups←{v←⍺ ⋄ x←⍵ ⋄ ∧/{k←⍵⍴x ⋄ y←⍵⍴v ⋄ u←∪k ⋄ is←{⍸k∊⍵}¨u ⋄ ({≢⍵}⌸k)(k{⊂⍵}⌸y)(k{+/⍵}⌸y)({⊂⍵}⌸k)≡(≢¨is)({y[⍵]}¨is)({+/y[⍵]}¨is)is}¨1 2 5 63 64 255 256 257 300 511 1025}
v←1025|7919×⍳1025
v groups ¯5+9|v                       ⍝ → 1
(v÷7)groups 300|v                     ⍝ → 1
(¯128+256|v)groups 40000+v            ⍝ → 1
(2|v)groups 'abcdefg'[1+7|v]          ⍝ → 1
((2*40)+v)groups(2*40)+9|v            ⍝ → 1
(v×100000)groups 0.5×70|v             ⍝ → 1
v groups 3×v*3                        ⍝ → 1
(v+0J1)groups 9|v                     ⍝ → 1
(2|v)groups 2|⌽v                      ⍝ → 1

⍝ Rows as keys
r←k,j,⍪2|a ⋄ r←0+r ⋄ w←n 3⍴'ab'[1+2|7|⍳3×n]
(r{+/⍵}⌸f)≡{+/f[⍸r∧.=⍵]}¨↓∪r         ⍝ → 1
(r{≢⍵}⌸0+a)≡{+/r∧.=⍵}¨↓∪r            ⍝ → 1
(r{⍺,(+/⍵),⌈/⍵}⌸0+a)≡↑{⍵,(+/a[⍸r∧.=⍵]),⌈/a[⍸r∧.=⍵]}¨↓∪r ⍝ → 1
(w{⊂⍵}⌸0+a)≡{a[⍸w∧.=⍵]}¨↓∪w          ⍝ → 1
((n 1⍴k){+/⍵}⌸0+a)≡k{+/⍵}⌸a          ⍝ → 1
((÷r+9){+/⍵}⌸0+a)≡r{+/⍵}⌸a           ⍝ → 1
((r×2*40){+/⍵}⌸0+a)≡r{+/⍵}⌸a         ⍝ → 1

⍝ Few different keys, and counts without a table of pairs
n←20011 ⋄ k←¯3+19|(⍳n)×7919 ⋄ c←'grouped'[1+7|k+3] ⋄ b←k>4
∪k                                    ⍝ → 12 8 4 0 15 11 7 3 ¯1 14 10 6 2 ¯2 13 9 5 1 ¯3
(∪k+1e10)≡1e10+∪k                     ⍝ → 1
(∪c)(∪b)                              ⍝ →  rpgudoe  1 0
({≢⍵}⌸k)≡{+/k=⍵}¨∪k                   ⍝ → 1
({⍺,≢⍵}⌸c)≡(∪c),⍪{+/c=⍵}¨∪c           ⍝ → 1
(k{+/⍵}⌸⍳n)≡{+/⍸k=⍵}¨∪k               ⍝ → 1
(k{⊂⍵}⌸⍳n)≡{⍸k=⍵}¨∪k                  ⍝ → 1
(+/(⍳9)∘.=k)≡{+/k=⍵}¨⍳9               ⍝ → 1
(+⌿k∘.=⍳9)≡{+/k=⍵}¨⍳9                 ⍝ → 1
(+/k∘.=⍳9)≡+/k∘.=1.0×⍳9               ⍝ → 1
(+/¯3 99 ¯99 4 4∘.=k)≡{+/k=⍵}¨¯3 99 ¯99 4 4 ⍝ → 1
(+/'draughts'∘.=c)≡{+/c=⍵}¨'draughts' ⍝ → 1
(+/0 1∘.=b)≡(n-+/b),+/b               ⍝ → 1
+/(⍳3)∘.=n⍴1000000000000 2            ⍝ → 0 10005 0
+/1000000000000 2 ¯1000000000000∘.=n⍴1000000000000 2 ⍝ → 10006 10005 0
+/(1+1e¯15×⍳3)∘.=n⍴1                  ⍝ → 20011 20011 20011
+/1 'a'∘.=n⍴1                         ⍝ → 20011 0
+/(⍳3)∘.=n⍴'a'                        ⍝ → 0 0 0
m←(⍳3)∘.=k ⋄ (+/m),(+/∊m)             ⍝ → 1053 1053 1053 3159
h←19⍴0 ⋄ h[k+4]⌈←⍳n ⋄ h≡{⌈/⍸k=⍵}¨¯4+⍳19 ⍝ → 1
h←19⍴n ⋄ h[k+4]⌊←⍳n ⋄ h≡{⌊/⍸k=⍵}¨¯4+⍳19 ⍝ → 1
