⍝ SPDX-License-Identifier: MIT
⍝ Elements in other types, and characters through tables, of arrays that are long enough for kernels.

n←20 30⍴⍳600
f←⎕F32 n÷7
⎕DR f                                       ⍝ → 325
f≡⎕F32¨n÷7                                  ⍝ → 1
(⎕DR ⎕F64 f),⎕DR ⎕F64 n                     ⍝ → 645 645
(⎕F64 ⎕F32 0.1+600⍴0)[9]=0.1                ⍝ → 0
+/,⎕F32 n                                   ⍝ → 180300
⎕F32 n×1e300                                ⍝ ! DOMAIN ERROR: element 1 is too large
⎕F32 600⍴1 3.402823669e38                   ⍝ ! DOMAIN ERROR: element 2 is too large
f←⎕F32 600⍴2 1e39 ⋄ 3                        ⍝ ! DOMAIN ERROR: element 2 is too large
⎕IO←0 ⋄ ⎕F32 600⍴2 1e39                     ⍝ ! DOMAIN ERROR: element 1 is too large
⎕IO←1
1↑⎕F32 (600⍴2)×1e39                         ⍝ ! DOMAIN ERROR: element 1 is too large
inf←645 ⎕DR,⊖8 8⍴64↑0,11⍴1
(⎕F32 600⍴inf,1)[⍳3]≡inf,1,inf              ⍝ → 1
{0::⎕EN ⋄ +/⎕F32 600⍴⍵}2 1e39               ⍝ → 11
(⎕F32 600⍴1 3.4028235e38)[2]>3.4e38         ⍝ → 1
(⎕F32 600⍴16777217 ¯16777219)[1 2]          ⍝ → 16777216 ¯16777220
⎕F32 600⍴'a'                                ⍝ ! DOMAIN ERROR
(⎕F32 1+⎕F32 n)≡⎕F32 n+1                    ⍝ → 1
t←1000⍴'Aé€ßz𝄞Ω'
(⎕UCS t)≡1000⍴65 233 8364 223 122 119070 937 ⍝ → 1
(⎕UCS ⎕UCS t)≡t                             ⍝ → 1
⎕DR¨(⎕UCS 500⍴'ab')(⎕UCS 500⍴97 98)(⎕UCS 500⍴8364)(⎕UCS 500⍴0 1) ⍝ → 83 80 160 80
⎕DR ⎕UCS ⎕UCS 500⍴0 1                       ⍝ → 11
(1 ⎕C t)≡1000⍴'AÉ€ßZ𝄞Ω'                     ⍝ → 1
(⎕C t)≡1000⍴'aé€ßz𝄞ω'                       ⍝ → 1
(¯1 ⎕C 20 50⍴'ABC')≡20 50⍴'abc'             ⍝ → 1
⎕DR¨(1 ⎕C 300⍴'abé')(1 ⎕C 300⍴'abÿ')        ⍝ → 80 160
⎕UCS 500⍴¯1 5                               ⍝ ! DOMAIN ERROR: ⎕UCS: element 1 is not a number 0 to 1114111
⎕UCS 500⍴65 1114112                         ⍝ ! DOMAIN ERROR: ⎕UCS: element 2 is not a number 0 to 1114111
(⎕UCS 500⍴97.0)≡500⍴'a'                     ⍝ → 1
(⎕UCS 1+⎕UCS 500⍴'HAL')≡500⍴'IBM'           ⍝ → 1
' d'≡,(⌽[1]⎕C 2 300⍴'Up Down')[1 2;4]       ⍝ → 1

⍝ beside f32 the values of integers decide how they are stored, not where they came from
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ ⎕DR (⎕F32 0.1),y                ⍝ → 325
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ (⎕DR y,⎕F32 0.1)(⎕DR y⍪⎕F32 y)  ⍝ → 325 325
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ y[3]←⎕F32 0.1 ⋄ ⎕DR y           ⍝ → 325
y←⌊0.5+(20000⍴⍳200)×1000 ⋄ ⎕DR (⎕F32 0.1),y             ⍝ → 645
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ +/(⎕F32 0.1),y                  ⍝ → 670000.125

⍝ the same of items that become a simple array
m←20000 2⍴⍳200 ⋄ ⎕DR ⊃¨(⎕F32 2)((⍋m)[7])                     ⍝ → 325
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ ⎕DR↑(⎕F32 0.1 0.2)(2↑y)              ⍝ → 325
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ ⎕DR∊(⎕F32 0.1 0.2)(2↑y)(0⍴5)         ⍝ → 325
y←⌊0.5+(20000⍴⍳200)÷3 ⋄ ⎕DR⊃,/(⎕F32 0.1 0.2)(2↑y)(3↑y)       ⍝ → 325
y←⌊0.5+(20000⍴⍳200)×1000 ⋄ ⎕DR⊃,/(⎕F32 0.1 0.2)(2↑y)(40↑y)   ⍝ → 645
