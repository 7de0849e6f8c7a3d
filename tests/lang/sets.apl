⍝ SPDX-License-Identifier: MIT
⍝ Sets of long arrays. What is expected compares all with all.

n←1009
where←{1+(≢⍺)-+/∨\⍵∘.=⍺}        ⍝ ⍺⍳⍵
is←{∨/⍺∘.=⍵}                    ⍝ ⍺∊⍵
new←{(⍳≢⍵)=1+(≢⍵)-+/∨\⍵∘.=⍵}
all←{(x y)←⍺ ⍵ ⋄ r←(x⍳y)≡x where y ⋄ r,←(x∊y)≡x is y ⋄ r,←(≠x)≡new x ⋄ r,←(∪x)≡(new x)/x ⋄ r,←(x~y)≡(~x is y)/x ⋄ r,←(x∩y)≡(x is y)/x ⋄ r,←(x∪y)≡x,(~y is x)/y ⋄ ∧/r}
a←300|×⍨⍳n
b←¯5+97|7×⍳n
a all b                         ⍝ → 1
b all a                         ⍝ → 1
a all a                         ⍝ → 1
a all 100×b                     ⍝ → 1
(b>3)all b>50                   ⍝ → 1
(b>3)all b                      ⍝ → 1
b all b>50                      ⍝ → 1
(a+100000)all b+100100          ⍝ → 1
(a-2*40)all a-(2*40)+3          ⍝ → 1
(n⍴'hello world')all n⍴'low'    ⍝ → 1
(n⍴'⍳⍴x')all n⍴'xyz⍴'           ⍝ → 1
(1000×a)all 1000×b              ⍝ → 1
(a×2*33)all b×2*33              ⍝ → 1
(¯9223372036854775807+a)all b   ⍝ → 1
(a,¯9223372036854775808)all b,9223372036854775807 9223372036854775806 ⍝ → 1
(a÷7)all b÷7                    ⍝ → 1
(÷1+a)all ÷6+b                  ⍝ → 1
(a+0.5)all b                    ⍝ → 1
(a×1.5)all b                    ⍝ → 1
b all a×0.5                     ⍝ → 1
((a×0.5),0 ¯0 1e300)all b       ⍝ → 1
(⎕F32 a÷7)all ⎕F32 b÷7          ⍝ → 1
(⍳n)all ⌽⍳n                     ⍝ → 1
⍝ one equals another within ⎕CT, and that a third: the definition, from the front
c←n⍴1,(1+6e¯15),1+12e¯15
(≢∪c),≢c                        ⍝ → 2 1009
≠c[⍳5]                          ⍝ → 1 0 1 0 0
c⍳1+12e¯15                      ⍝ → 2
(c⍳n⍴1+12e¯15)≡n⍴2              ⍝ → 1
(c∊n⍴1+18e¯15)≡n⍴0 0 1          ⍝ → 1
d←a+(7=9|⍳n)×a×5e¯15
d all a                         ⍝ → 1
a all d                         ⍝ → 1
⎕CT←0
d all a                         ⍝ → 1
⎕CT←1e¯14
⍝ other shapes, none and few
(a⍳20 50⍴b)≡20 50⍴a where 1000↑b ⍝ → 1
((20 50⍴a)∊30 30⍴b)≡20 50⍴(1000⍴a)is 900⍴b ⍝ → 1
(2 3∊a),(a∊2 3)≡∨⌿2 3∘.=a       ⍝ → 0 0 1
(a⍳1e4 1e5),a⍳,5                ⍝ → 1010 1010 1010
(a⍳'xy'),(n⍴'abc')⍳1 2          ⍝ → 1010 1010 1010 1010
a≡a~'x'                         ⍝ → 1
a∪2 3⍴⍳6                        ⍝ ! RANK ERROR
(20 50⍴a)~b                     ⍝ ! RANK ERROR
(20 50⍴a)⍳b                     ⍝ ! LENGTH ERROR
≢∪20 50⍴1000⍴a                  ⍝ → 3
(⍳0)≡(⍳0)~a                     ⍝ → 1
(⍴a∩⍳0),⍴(⍳0)∪∪a                ⍝ → 0 44
⍝ counts and folds of keys
({≢⍵}⌸b)≡+/(∪b)∘.=b             ⍝ → 1
({≢⍵}⌸a÷7)≡+/(∪a)∘.=a           ⍝ → 1
({⍺,≢⍵}⌸b)≡(∪b),[1.5]+/(∪b)∘.=b ⍝ → 1
(b{+/⍵}⌸a)≡((∪b)∘.=b)+.×a       ⍝ → 1
(b{⌈/⍵}⌸a)≡⌈/((∪b)∘.=b)×⍤1⊢a    ⍝ → 1
(b{⍺,⌊/⍵}⌸-a)≡(∪b),[1.5]-⌈/((∪b)∘.=b)×⍤1⊢a ⍝ → 1
((n⍴'hello'){+/⍵}⌸a)≡+/¨((n⍴'hello')∘=¨'helo')/¨⊂a ⍝ → 1
(b{+/⍵}⌸÷1+a)≡+/¨(↓(∪b)∘.=b)/¨⊂÷1+a ⍝ → 1
(b{(+/⍵)÷≢⍵}⌸a)≡(((∪b)∘.=b)+.×a)÷+/(∪b)∘.=b ⍝ → 1
b{+/⍵}⌸⍳7                       ⍝ ! LENGTH ERROR
⎕IO←0
({≢⍵}⌸b)≡+/(∪b)∘.=b             ⍝ → 1
(b{+/⍵}⌸a)≡((∪b)∘.=b)+.×a       ⍝ → 1
(a⍳⍳5)≡¯1+{⎕IO←1 ⋄ ⍵}a where ⍳5  ⍝ → 1
⎕IO←1
