⍝ SPDX-License-Identifier: MIT
⍝ Groups by keys, as ranks make them in parts: what a comparison of all keys with all cells gives.
⎕RL←3
k←?3000⍴50
v←?3000⍴1000
w←0.25×v
has←(∪k)∘.=k
(k{+/⍵}⌸v)≡has+.×v                      ⍝ → 1
(k{⍺,+/⍵}⌸v)≡(∪k),[1.5]has+.×v          ⍝ → 1
({≢⍵}⌸k)≡+/has                          ⍝ → 1
(k{(+/⍵)÷≢⍵}⌸v)≡(has+.×v)÷+/has         ⍝ → 1
(k{⌈/⍵}⌸v)≡⌈/has×[2]v                   ⍝ → 1
(k{⌊/⍵}⌸w)≡⌊/(1E9×~has)+has×[2]w        ⍝ → 1
(k{+/⍵}⌸w)≡has+.×w                      ⍝ → 1
(k{+/⍵*2}⌸v)≡has+.×v*2                  ⍝ → 1
(k{⊃⍵}⌸v)≡v[k⍳∪k]                       ⍝ → 1
(k{≢∪⍵}⌸2|v)≡(∨/has∧[2]2|v)+∨/has∧[2]~2|v       ⍝ → 1
c←'abcdefg'[1+7|k]
(c{≢⍵}⌸v)≡+/(∪c)∘.=c                    ⍝ → 1
⍝ The digits of sums of floats are those of each group by itself.
x←?3000⍴0
s←k{+/⍵}⌸x
∧/s=+/¨(↓has)/¨⊂x                       ⍝ → 1
m←k{(+/(⍵-(+/⍵)÷≢⍵)*2)÷≢⍵}⌸x
∧/m={(+/(⍵-(+/⍵)÷≢⍵)*2)÷≢⍵}¨(↓has)/¨⊂x  ⍝ → 1
⍝ Many keys, one key, keys in order; sums that leave 64 bits.
many←?3000⍴3000
(+/many{+/⍵}⌸v)=+/v                     ⍝ → 1
(many{≢⍵}⌸v)≡+/(∪many)∘.=many           ⍝ → 1
((3000⍴7){+/⍵}⌸w)≡,+/w                  ⍝ → 1
((⌈(⍳3000)÷2){+/⍵}⌸x)≡+/1500 2⍴x        ⍝ → 1
(k{+/⍵}⌸3000⍴2*62)≡(2*62)×+/has         ⍝ → 1
⍝ Sums at places that all ranks have.
h←50⍴0
h[k]+←1
h≡+/(⍳50)∘.=k                           ⍝ → 1
h[k]⌈←v
h≡⌈/((⍳50)∘.=k)×[2]v                    ⍝ → 1
h[k]⌊←-v
h≡⌊/((⍳50)∘.=k)×[2]-v                   ⍝ → 1
{0::⎕DMX.(EN Message) ⋄ h[k,51]+←1}0    ⍝ → 3  there is no index 51 in an axis of length 50
h[k]+←2*62
h≡(⌊/((⍳50)∘.=k)×[2]-v)+(2*62)×+/(⍳50)∘.=k      ⍝ → 1
