⍝ SPDX-License-Identifier: MIT
⍝ Products, as ranks compute them in parts: rows by each of them, or blocks of the axis that is summed.
⎕RL←7
⎕CT←0
⎕PP←17
A←?200 30⍴0
I←?200 30⍴1000
(A+.×⍉A)≡⍉A+.×⍉A                        ⍝ → 1
(I+.×⍉I)≡{+/⍵×⍤1⊢I}⍤1⊢I                 ⍝ → 1
(I⌈.+⍉I)≡{⌈/⍵+⍤1⊢I}⍤1⊢I                 ⍝ → 1
(I∧.=⍉I)≡{∧/⍵=⍤1⊢I}⍤1⊢I                 ⍝ → 1
(A+.×30⍴2)≡,A+.×30 1⍴2                  ⍝ → 1
(2 3⍴⍳6)+.×3 2⍴⍳6                       ⍝ → 22 28 ⏎ 49 64
⍝ A sum that leaves the integers makes floats of all: each the exact sum, rounded once.
J←3 1⍴9007199254740993 3 5
,J+.×1 2⍴9007199254740993 1             ⍝ → 8.11296384146067E31 9007199254740992 27021597764222980 3 45035996273704968 5
⍝ Blocks of 512 places, each from the first to the last, and these so, too.
x←?100000⍴0
M←?100000 7⍴0
block←{(512↑⍵↓x)+.×512↑⍵↓M}
add←{0=≢⍵:⍺ ⋄ (⍺+block⊃⍵)∇1↓⍵}
(x+.×M)≡(block 0)add 512×⍳195           ⍝ → 1
((2 100000⍴x)+.×M)≡2 7⍴x+.×M            ⍝ → 1
(⎕DR(⎕F32 x)+.×⎕F32 M)≡⎕DR ⎕F32 1.5     ⍝ → 1
((⌊x×100)+.×⌊M×100)≡+⌿(⌊x×100)×⍤0 1⊢⌊M×100 ⍝ → 1
(x∘.×⍳3)≡⍉(⍳3)∘.×x                      ⍝ → 1
(A+.×M)                                 ⍝ ! LENGTH ERROR
