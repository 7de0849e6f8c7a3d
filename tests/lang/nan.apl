⍝ SPDX-License-Identifier: MIT
⍝ NaN, infinities and zeros of both signs: one rule for ⌈ and ⌊ (minimum and maximum of IEEE
⍝ 754-2019: NaN if there is one, ¯0 is less than 0), and every path gives the same bits.
nan←⊃645⎕DR 64⍴1
inf←⊃645⎕DR(48⍴0),1 1 1 1 0 0 0 0 0 1 1 1 1 1 1 1
zero←-0×0.5
bits←{(⎕DR ⍵)∊645 325:11⎕DR,⍵ ⋄ ,⍵}         ⍝ of any NaN the same
same←{(bits ⍺)≡bits ⍵}
nan                              ⍝ → NaN
x←nan,3 1
⌈/x                              ⍝ → NaN
⌈\x                              ⍝ → NaN NaN NaN
⌈\⌽x                             ⍝ → 1 3 NaN
⌊/⌽x                             ⍝ → NaN
(x[1]⌈x[2])≡x[2]⌈x[1]            ⍝ → 1
(x⌊2)(2⌊x)                       ⍝ →  NaN 2 1  NaN 2 1
⌈/nan,inf,-inf                   ⍝ → NaN
(0⌈zero)same zero⌈0×0.5          ⍝ → 1
323⎕DR(0.5-0.5)⌈zero             ⍝ → 0 0
323⎕DR zero⌈0.5-0.5              ⍝ → 0 0
323⎕DR zero⌊0.5-0.5              ⍝ → 0 ¯2147483648
323⎕DR(0.5-0.5)⌊zero             ⍝ → 0 ¯2147483648
323⎕DR⌊/1 0.5,zero,0.5-0.5       ⍝ → 0 ¯2147483648
323⎕DR⌈/¯1 ¯0.5,zero,0.5-0.5     ⍝ → 0 0

⍝ The bits of a NaN, whatever made it
163⎕DR nan                       ⍝ → 0 0 0 32760
nan same inf-inf                 ⍝ → 1
nan same-nan                     ⍝ → 1
nan same 0×inf                   ⍝ → 1
(⎕F32 nan)same-⎕F32 nan          ⍝ → 1
f←⎕ENV'TMP' ⋄ (inf-inf)⎕NPY f,'/nan.npy'
y←⎕NPY f,'/nan.npy' ⋄ y          ⍝ → NaN
(-nan,1 2)⎕NPY f,'/nan.npy'
y←⎕NPY f,'/nan.npy' ⋄ (⌈/y)(⌊/y)(⌈\⌽y) ⍝ → NaN NaN  ¯2 ¯1 NaN
u←(f,'/nan.bin')⎕NCREATE 0 ⋄ (,0×inf)⎕NAPPEND u 645
⎕NREAD u 163 4 0                 ⍝ → 0 0 0 32760
⎕NUNTIE u

⍝ Every pair of odd numbers, by every function: numbers, arrays short and long, extended numbers
odd←nan,inf,(-inf),zero,(0.5-0.5),1 ¯1 0.5 ¯2.5 3
x←10/odd ⋄ y←100⍴odd
each←{f←⍺⍺ ⋄ x y←⍺ ⍵ ⋄ {x[⍵]f y[⍵]}¨⍳≢x}
defined←{f←⍺⍺ ⋄ x y←⍺ ⍵ ⋄ t←1289,(325=⎕DR x)/645 ⋄ {0::0 ⋄ ~∨/t∊⍨⎕DR x[⍵]f y[⍵]}¨⍳≢x} ⍝ no error, and of that type
at←{f←⍺⍺ ⋄ n k←⍵⍵ ⋄ xs ys w←⍵ ⋄ (n⍴k⌽w)same(n⍴k⌽xs)f n⍴k⌽ys}  ⍝ n pairs from k on
short←{f←⍺⍺ ⋄ a←⍵ ⋄ ∧/({(f at(⍵,¯1+⍵))a}¨1 2 3 8 17),{(f at(3,⍵))a}¨5×⍳20}
long←{f←⍺⍺ ⋄ a←⍵ ⋄ ∧/{(f at ⍵)a}¨(1000 0)(5000 7)}
sides←{f←⍺⍺ ⋄ xs ys w←⍵ ⋄ ∧/{k←⍵ ⋄ b←bits¨xs ⋄ m←b≡¨⊂bits k ⋄ (m/w)same k f m/ys}¨odd[⍳9]}
try←{f←⍺⍺ ⋄ ok←x(f defined)y ⋄ xs ys←ok∘/¨x y ⋄ w←xs(f each)ys ⋄ a←xs ys w ⋄ ((f short)a)((f long)a)((f sides)a)}
single←{f←⍺⍺ ⋄ xs ys←⎕F32¨x y ⋄ ok←xs(f defined)ys ⋄ xs ys←ok∘/¨xs ys ⋄ w←xs(f each)ys ⋄ a←xs ys w ⋄ ((f short)a)((f long)a)}
((+ try),(+ single))0           ⍝ → 1 1 1 1 1
((- try),(- single))0           ⍝ → 1 1 1 1 1
((× try),(× single))0           ⍝ → 1 1 1 1 1
((⌈ try),(⌈ single))0           ⍝ → 1 1 1 1 1
((⌊ try),(⌊ single))0           ⍝ → 1 1 1 1 1
((÷ try),(÷ single))0           ⍝ → 1 1 1 1 1
((| try),(| single))0           ⍝ → 1 1 1 1 1
((* try),(* single))0           ⍝ → 1 1 1 1 1
((⍟ try),(⍟ single))0           ⍝ → 1 1 1 1 1
((! try),(! single))0           ⍝ → 1 1 1 1 1
((< try),(< single))0           ⍝ → 1 1 1 1 1
((≤ try),(≤ single))0           ⍝ → 1 1 1 1 1
((= try),(= single))0           ⍝ → 1 1 1 1 1
((≥ try),(≥ single))0           ⍝ → 1 1 1 1 1
((> try),(> single))0           ⍝ → 1 1 1 1 1
((≠ try),(≠ single))0           ⍝ → 1 1 1 1 1
((∧ try),(∧ single))0           ⍝ → 1 1 1 1 1
((∨ try),(∨ single))0           ⍝ → 1 1 1 1 1

⍝ One argument
mono←{f←⍺⍺ ⋄ v←{⍵/⍨{0::0 ⋄ 1289≠⎕DR f ⍵}¨⍵}⍵ ⋄ w←{f v[⍵]}¨⍳≢v ⋄ ∧/{(⍵⍴w)same f ⍵⍴v}¨1 2 3 8 17 1000 5000}
(- mono odd)(- mono ⎕F32 odd)    ⍝ → 1 1
(× mono odd)(× mono ⎕F32 odd)    ⍝ → 1 1
(⌈ mono odd)(⌈ mono ⎕F32 odd)    ⍝ → 1 1
(⌊ mono odd)(⌊ mono ⎕F32 odd)    ⍝ → 1 1
(| mono odd)(| mono ⎕F32 odd)    ⍝ → 1 1
(* mono odd)(* mono ⎕F32 odd)    ⍝ → 1 1
(⍟ mono odd)(⍟ mono ⎕F32 odd)    ⍝ → 1 1
(÷ mono odd)(÷ mono ⎕F32 odd)    ⍝ → 1 1
(! mono odd)(! mono ⎕F32 odd)    ⍝ → 1 1
(○ mono odd)(○ mono ⎕F32 odd)    ⍝ → 1 1
(1∘○ mono odd)(1∘○ mono ⎕F32 odd)    ⍝ → 1 1
(¯3∘○ mono odd)(¯3∘○ mono ⎕F32 odd)    ⍝ → 1 1
(4∘○ mono odd)(4∘○ mono ⎕F32 odd)    ⍝ → 1 1
(⎕F64 mono odd)(⎕F64 mono ⎕F32 odd)    ⍝ → 1 1
(⊢ mono odd)(⊢ mono ⎕F32 odd)    ⍝ → 1 1

⍝ Folds: from the right, one by one; along axes, by parts, groups and windows; the same bits
right←{1=≢⍵:⊃⍵ ⋄ (⊃⍵)⍺⍺ ∇ 1↓⍵}
halves←{1=≢⍵:⊃⍵ ⋄ n←⌊2÷⍨≢⍵ ⋄ ⍺⍺ ∇∇((n↑⍵)⍺⍺ n↑n↓⍵),(2×n)↓⍵}
kinds←(odd)(2↓odd)(3↓odd)(zero,(0.5-0.5),¯1 ¯2.5)(zero,(0.5-0.5),1 3)(0 ¯2 ¯3.5)(⌽zero,0.5-0.5)(2↑odd)(inf,1.5 2.5)((-inf),1 2)
vectors←{n←⍵ ⋄ {n⍴⍵[1+(≢⍵)|⍳97]}¨kinds}
folds←{f←⍺⍺ ⋄ ∧/∊{{((f right)⍵)same f/⍵}¨(⊢,⎕F32¨)vectors ⍵}¨1 2 3 8 17 40}
far←{f←⍺⍺ ⋄ ∧/∊{{((f halves)⍵)same f/⍵}¨(⊢,⎕F32¨)vectors ⍵}¨100 1000 5000 70000}
prefix←{f←⍺⍺ ⋄ ∧/∊{{v←⍵ ⋄ ({(f right)⍵↑v}¨⍳≢v)same f\v}¨(⊢,⎕F32¨)vectors ⍵}¨2 3 17 40}
again←{f←⍺⍺ ⋄ ∧/∊{{w←f\⍵ ⋄ (w same(⊃w),(¯1↓w)f 1↓⍵)∧(f/⍵)same¯1↑w}¨(⊢,⎕F32¨)vectors ⍵}¨1000 70000}
((⌈ folds)0)((⌊ folds)0)((+ folds)0)            ⍝ → 1 1 1
((⌈ far)0)((⌊ far)0)                     ⍝ → 1 1
((⌈ prefix)0)((⌊ prefix)0)               ⍝ → 1 1
((⌈ again)0)((⌊ again)0)                 ⍝ → 1 1
rows←{f←⍺⍺ ⋄ ∧/∊{n←⍵ ⋄ {m←(n,7)⍴⍵ ⋄ w←{(f right)m[;⍵]}¨⍳7 ⋄ (w same f⌿m)(w same f/⍉m)(w same,¯1↑f⍀m)}¨(⊢,⎕F32¨)vectors 7×n}¨3 17 40}
wide←{f←⍺⍺ ⋄ ∧/∊{n←⍵ ⋄ {m←(n,1000)⍴⍵ ⋄ w←m[1;] ⋄ _←{0⊣w⊢←w f m[⍵;]}¨1↓⍳n ⋄ (w same f⌿m)(w same f/⍉m)}¨(⊢,⎕F32¨)vectors 1000×n}¨2 9 40}
((⌈ rows)0)((⌊ rows)0)                   ⍝ → 1 1
((⌈ wide)0)((⌊ wide)0)                   ⍝ → 1 1
many←{f←⍺⍺ ⋄ ∧/∊{n←⍵ ⋄ {v←⍵ ⋄ w←{(f right)3↑(⍵-1)↓v}¨⍳n-2 ⋄ (w same 3 f/v)(w same 1↓¯1↓{f/⍵}⌺3⊢v)}¨(⊢,⎕F32¨)vectors n}¨17 300}
((⌈ many)0)((⌊ many)0)                   ⍝ → 1 1

⍝ Parts, groups, selections, several folds at once, functions
v←6000⍴1 ¯2.5 3,nan,0.5,zero,inf,(0.5-0.5),¯7
k←1+7|⌊(⍳6000)÷3
part←{f←⍺⍺ ⋄ w←{f/(k=⍵)/v}¨⍳7 ⋄ g←k{⊂f/⍵}⌸v ⋄ (w same∊g[⍋∪k])∧w same{f/⍵}¨(⊂v)/⍨¨k∘=¨⍳7}
((⌈ part)0)((⌊ part)0)                   ⍝ → 1 1
cut←{f←⍺⍺ ⋄ b←1,1↓0=5|⍳6000 ⋄ w←{f/⍵}¨b⊂v ⋄ (w same f/¨b⊂v)∧w[⍳40]same{(f right)⍵}¨40↑b⊂v}
((⌈ cut)0)((⌊ cut)0)                     ⍝ → 1 1
u←v/⍨v=v ⋄ b←(⍴u)⍴1 0 0 1 1                ⍝ without NaN
sel←{f←⍺⍺ ⋄ ∧/{y←⍵ ⋄ b←(≢y)⍴1 0 0 1 1 ⋄ w←b/y ⋄ (f/b/y)same(f halves)w}¨v u(0⌊u)(0⌈u)(|u)(-|u)}
((⌈ sel)0)((⌊ sel)0)                     ⍝ → 1 1
⌈/(v≠v)/v                        ⍝ → NaN
(⌈/,⌊/,{⍵⍳⌈/⍵})v                 ⍝ → NaN NaN 4
((⌈/,⌊/)u)≡inf,¯7                ⍝ → 1
((⌈/-⌊/)u)≡inf                   ⍝ → 1
({⍺⌈⍵}/v)({⍵⌊⍺}/u)({⍺>⍵:⍺ ⋄ ⍵}/0⌈u)≡nan ¯7 inf ⍝ → 1
({(⍺+0)⌈⍵}\10↑v)same⌈\10↑v       ⍝ → 1
({0⌈⍵}v)same 0⌈v                 ⍝ → 1
({0⌈⍵}¨v)same 0⌈v                ⍝ → 1
({⍺⌊⍵}¨⍨v)same v                 ⍝ → 1

⍝ Products and tables
prod←{f←⍺⍺ ⋄ g←⍵⍵ ⋄ x y←⍵ ⋄ w←{f/x[⍵[1];]g y[;⍵[2]]}¨⍳(≢x),⊃⌽⍴y ⋄ w same x f.g y}
data←{(20 30⍴⍵)(30 33⍴⌽⍵,1)}¨(odd)(3↓odd)(zero,(0.5-0.5),1 3)(zero,(0.5-0.5),¯1 0 ¯3)(0.5 zero 0)(10↑u)
∧/(⌈prod+)¨data                  ⍝ → 1
∧/(⌊prod+)¨data                  ⍝ → 1
∧/(⌈prod×)¨data                  ⍝ → 1
∧/(⌊prod×)¨data                  ⍝ → 1
∧/(⌊prod-)¨data                  ⍝ → 1
∧/(⌊prod⌈)¨data                  ⍝ → 1
∧/(⌈prod×)¨⎕F32¨¨data            ⍝ → 1
∧/(⌊prod+)¨⎕F32¨¨data            ⍝ → 1
((odd∘.⌈odd)same x(⌈each)y)((odd∘.⌊odd)same x(⌊each)y) ⍝ → 1 1
((⌈/odd∘.⌊odd)same⌈/10 10⍴x(⌊each)y)((⌊⌿odd∘.+odd)same⌊⌿10 10⍴x(+each)y) ⍝ → 1 1

⍝ Order and search: a NaN comes after ∞, and is itself; = does not find it
v←1,nan,inf,(-inf),zero,nan,(0.5-0.5),2
⍋v                               ⍝ → 4 5 7 1 8 3 2 6
⍒v                               ⍝ → 2 6 3 8 1 5 7 4
(⍋5000⍴v)≡5000↑(⍋n)⊣n←5000⍴v     ⍝ → 1
v=v                              ⍝ → 1 0 1 1 1 0 1 1
v≡v                              ⍝ → 1
v⍳nan,zero,inf                   ⍝ → 2 5 3
(nan∊v),nan∊1 2                   ⍝ → 1 0
(≢∪v)(≢∪5000⍴v)                  ⍝ → 6 6
m←3 2⍴nan,1 2 nan 3 4
({⍵≡⍵}⍤1⊢m)({⍵≢⌽⍵}⍤1⊢m)({⍵⍳nan}⍤1⊢m)({nan∊⍵}⍤1⊢m)    ⍝ →  1 1 1  1 1 1  1 2 3  1 1 0
⍝ infinities that were there before a chain are no error in it
+/inf=3+2×0.5+1 2 3,inf          ⍝ → 1
⌊1000×+/2.5⌊1÷3+2×0.5+1 2 3,inf ⍝ → 391
3⌊1+2×1 1E308,inf                ⍝ ! DOMAIN ERROR

⍝ The places of extremes, and extremes at places, of which several are NaN
g←⎕F32 700⍴3 1 4,nan,1 5 ⋄ (g⍳⌈/g),(g⍳⌊/g),(⊃⍋g),⊃⍒g  ⍝ → 4 4 2 4
r←100 7⍴g ⋄ ({⍵⍳⌈/⍵}⍤1⊢r)≡{⊃⍸⍵≠⍵}⍤1⊢r                  ⍝ → 1
k←1+7|⍳700 ⋄ h←40⍴0 ⋄ h[k]⌈←700⍴2 ¯0.5,nan,6 7 ⋄ bits h ⍝ ≡ bits 40↑{⌈/0,(k=⍵)/700⍴2 ¯0.5,nan,6 7}¨⍳7
⍝ The imaginary part of a real number is 0, so a sum by parts is the sum
n←645 ⎕DR 64⍴1
(11○n),(11○n,3J4),11○5↑n                 ⍝ → 0 0 4 0 0 0 0 0
11○+/3J4,n                              ⍝ → 4
11○+/(3J4,n),5000⍴1                     ⍝ → 4
11○+\3J4,n                              ⍝ → 4 4
