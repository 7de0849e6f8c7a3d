⍝ SPDX-License-Identifier: MIT
⍝ Functions of scalars folded by kernels (src/ir/join.c) against the same functions called,
⍝ element by element: ⍎ inside one keeps it from being told.

⎕RL←5
fns←'⍺+2×⍵' '⍺-⍵' '⍵-⍺' '⍺<⍵' '⍺≤⍵' '⍺=⍵' '⍺≥⍵' '⍺>⍵' '⍺≠⍵' '⍺|⍵' '0⌈⍺+⍵' '⍺⌈0.5×⍵' '¯5⌈9⌊⍺-⍵'
fns,←'3|⍺+⍵' '⍺⌊⍵+1' '(⍺>2)∧⍵<3' '⍵>3:⍺ ⋄ ⍺+⍵' '⍵=0:⍺ ⋄ ⍺⌊⍵' '⍺×⍵' '⍺+⍵×⍺' '⍺÷1+|⍵' 'a←⍺-1 ⋄ b←a⌈⍵ ⋄ b-1' '|⍺-⍵'
fns,←'⍵' '⍺' '⌊⍺+0.5×⍵' '~⍺=⍵' '1' '⍺-÷2+⍵×⍵' '⍵-⍺×⍵' '(2|⍺)≠2|⍵' '⍺∨⍵' '⍺⍲⍵=1' '-⍵' '⍺+⍵÷3'
run←{0::'error',⎕EN ⋄ ⍎⍵}
near←{⍺≡⍵:1 ⋄ (⍴⍺)≢⍴⍵:0 ⋄ 0::0 ⋄ ∧/,(|⍺-⍵)≤0.00001×1⌈⌈/|,⍺} ⍝ the tree's bits are others
same←{(run'{',⍵,'}',⍺)near run'{q←⍎''0'' ⋄ ',⍵,'}',⍺}
forward←{(run'({',⍵,'}⍠''Forward'' 1)\x')near run'({q←⍎''0'' ⋄ ',⍵,'}⍠''Forward'' 1)\x'}
try←{fns/⍨~(('/x'∘same¨fns)∧('\x'∘same¨fns)∧('⌿x'∘same¨fns)∧('⍀x'∘same¨fns)∧forward¨fns)}
x←¯4+?40⍴9 ⋄ try 0                       ⍝ →
x←?40⍴0 ⋄ try 0                          ⍝ →
x←¯2+4×?40⍴0 ⋄ try 0                     ⍝ →
x←1=?40⍴2 ⋄ try 0                        ⍝ →
x←⎕F32 ?40⍴0 ⋄ try 0                     ⍝ →
x←?3 20⍴5 ⋄ try 0                        ⍝ →
x←¯3+?2 3 7⍴5 ⋄ try 0                    ⍝ →
x←1+?7 5⍴0 ⋄ try 0                       ⍝ →
x←?30⍴1e15 ⋄ try 0                       ⍝ →
x←3 7 ⋄ try 0                            ⍝ →
x←1↑3 ⋄ try 0                            ⍝ →
x←0 0 1 0 0 ⋄ try 0                      ⍝ →
x←2*60+3|⍳9 ⋄ try 0                        ⍝ →

⍝ A guard's result that is an assignment is not shown.
{⍺≤2:_←⍵ ⋄ +⍵}/⍳4                     ⍝ →
{⍺≤2:_←⍵ ⋄ +⍵}\⍳4                     ⍝ →
{⍺≤2:⍵ ⋄ _←⍺+⍵}\⍳4                    ⍝ → 1 2 3 7

⍝ The order of the definition: floats from the right, one after the other
s←+⍠'Order' 'Strict' ⋄ m←-⍠'Order' 'Strict' ⋄ p←×⍠'Order' 'Strict' ⋄ d←÷⍠'Order' 'Strict'
s/1E100 ¯1E100 1               ⍝ → 0
s/1 1E100 ¯1E100               ⍝ → 1
∊s/¨5 ⍬(3 0⍴0.5)(,7.5)        ⍝ → 5 0 0 0 0 7.5
(s/0 3⍴0.5)≡⍬                  ⍝ → 1
by←{z←⊃⌽⍵ ⋄ f←⍺⍺ ⋄ 1=≢⍵:z ⋄ _←{z⊢←⍵ f z ⋄ 0}¨⌽¯1↓⍵ ⋄ z}
same←{(⎕DR¨⍺⍵)≡(⎕DR¨⍵⍺):~0∊⍺=⍵ ⋄ 0} ⋄ ⎕CT←0
y←0.5-?300⍴0 ⋄ z←1+0.01×y ⋄ t←3 4 10⍴y ⋄ j←2 9 257
(s/y)(m/y)(p/z)(d/z)same(+by y)(-by y)(×by z)(÷by z)   ⍝ → 1
same/((s\y)[j])({+by ⍵↑y}¨j)   ⍝ → 1
same/((m\y)[j])({-by ⍵↑y}¨j)   ⍝ → 1
same/((p\z)[j])({×by ⍵↑z}¨j)   ⍝ → 1
same/((d\z)[j])({÷by ⍵↑z}¨j)   ⍝ → 1
same/(s⌿t)(+by⍤1⊢3 1 2⍉t)      ⍝ → 1
same/(s/[2]t)(+by⍤1⊢1 3 2⍉t)   ⍝ → 1
same/(s/t)(+by⍤1⊢t)            ⍝ → 1
same/(d⌿1+t)(÷by⍤1⊢3 1 2⍉1+t)  ⍝ → 1
same/((s⍀t)[3;;])(+by⍤1⊢3 1 2⍉t)          ⍝ → 1
same/(4↑37 s/y)({+by 37↑⍵↓y}¨0 1 2 3)     ⍝ → 1
same/(4↑¯37 s/y)({+by⌽37↑⍵↓y}¨0 1 2 3)    ⍝ → 1
f←⎕F32 y ⋄ (⎕DR s/f)(⎕DR s\f)  ⍝ → 325 325
same/(s/f)(+by f)              ⍝ → 1
same/((s\f)[j])({+by ⍵↑f}¨j)   ⍝ → 1
c←40↑y+0J1×⌽y ⋄ same/(s/c)(+by c)         ⍝ → 1
same/(p/1+c÷9)(×by 1+c÷9)      ⍝ → 1
same/((p\1+c÷9)[2 9 40])({×by ⍵↑1+c÷9}¨2 9 40)  ⍝ → 1
g←+⍠('Order' 'Strict')('Forward' 1)
same/((g\y)[j])({+by⌽⍵↑y}¨j)   ⍝ → 1
⎕CT←1E¯14
g\1 2 3                        ⍝ → 1 3 6
∊(s/⍳10)(p/⍳9)(p\1+⍳3)         ⍝ → 55 362880 2 6 24
(p/⍳30)=×/⍳30                  ⍝ → 1
s/(1 2.5)(3 4)(5 6)            ⍝ →  9 12.5
s/(1E100 1)(¯1E100 2)(1 3)     ⍝ →  0 6
({⍺+⍵}⍠'Order' 'Strict')/1E100 ¯1E100 1  ⍝ → 0
(+⍨⍠'Order' 'Strict')/1E100 ¯1E100 1     ⍝ → 0
{s/⍵}⍤1⊢2 3⍴1E100 ¯1E100 1     ⍝ → 0 0
s/¨(1E100 ¯1E100 1)(1 2)       ⍝ → 0 3
(=⍠'Order' 'Strict')\1.5 1.5 1 ⍝ → 1.5 1 0
p/1E¯200 1E¯200 1E300          ⍝ → 1E¯100
p/1E200 1E200                  ⍝ ! DOMAIN ERROR: ×: the result is too large for a number
s/1E308 1E308                  ⍝ ! DOMAIN ERROR
d/0 2 0.5                      ⍝ → 0
d/1 0 0.5                      ⍝ ! DOMAIN ERROR
d/1.5 2 0                      ⍝ ! DOMAIN ERROR
s/3 4⍴'a'                      ⍝ ! DOMAIN ERROR
(s/3 0⍴'a')≡3⍴0                ⍝ → 1
+⍠'Order' 'Left'               ⍝ ! DOMAIN ERROR: ⍠: Order takes 'Strict', not 'Left'
+⍠'Order' 1                    ⍝ ! DOMAIN ERROR: ⍠: Order takes 'Strict'
+⍠'Ordre' 'Strict'             ⍝ ! DOMAIN ERROR: ⍠: a function takes the options Assoc, Forward, Identity, Fast, Precision and Order
s                              ⍝ → +⍠  Order  Strict
