⍝ Primitives that read and write elements block by block, against plain definitions: lengths
⍝ about the ends of bytes, words and blocks, each type.
n←0 1 2 7 8 9 63 64 65 127 128 129 511 512 513 575 576 577 1024 1025
p←{⍵⍴0 1 1 0 1 0 0 0 1 1 1}
∧/{(⍸p ⍵)≡(⍳⍵)[{⍵/⍳≢⍵}p ⍵]}¨n                           ⍝ → 1
∧/{(⍸p ⍵)≡{⊃,/(⍵,0)⍴¨⍳1+≢⍵}p ⍵}¨1↓n                     ⍝ → 1
{⎕IO←0 ⋄ ∧/{(⍸p ⍵)≡{⊃,/(⍵,0)⍴¨⍳1+≢⍵}p ⍵}¨1↓n}0          ⍝ → 1
∧/{x←⍵⍴⎕UCS 65+⍳26 ⋄ ((p ⍵)/x)≡x[⍸p ⍵]}¨n               ⍝ → 1
∧/{x←1000×⍳⍵ ⋄ ((p ⍵)/x)≡x[⍸p ⍵]}¨n                     ⍝ → 1
∧/{x←(⍳⍵)÷3 ⋄ ((p ⍵)/x)≡x[⍸p ⍵]}¨n                      ⍝ → 1
∧/{(⍳⍵)≡+\⍵⍴1}¨n                                        ⍝ → 1
{⎕IO←0 ⋄ ∧/{(⍳⍵)≡¯1++\⍵⍴1}¨n}0                          ⍝ → 1
⍝ ⍷ of text: overlapping, at either end, longer than what it is looked for in.
'aa'⍷'aaaba'                ⍝ → 1 1 0 0 0
'ba'⍷'aaaba'                ⍝ → 0 0 0 1 0
'aaabaa'⍷'aaaba'            ⍝ → 0 0 0 0 0
'a'⍷'aba'                   ⍝ → 1 0 1
''⍷'ab'                     ⍝ → 1 1
⍸'end'⍷(3000⍴'enx'),'end'   ⍝ → 3001
∧/{t←⍵⍴'abacabad' ⋄ ('ab'⍷t)≡(t='a')∧(1↓t='b'),0}¨2↓n  ⍝ → 1
⍝ x⍸y by keys: each type with each, and what equals a limit belongs to it.
∧/{x←⍵⍴2×⍳⍵ ⋄ (x⍸⍳3+2×⍵)≡+⌿x∘.≤⍳3+2×⍵}¨1↓n              ⍝ → 1
∧/{x←(⍳⍵)÷4 ⋄ (x⍸⍳⍵)≡+⌿x∘.≤⍳⍵}¨1↓n                      ⍝ → 1
'bdf'⍸'abcdefg'             ⍝ → 0 1 1 2 2 3 3
1 2 3⍸'a'                   ⍝ → 3
'abc'⍸5                     ⍝ → 0
9007199254740992 9007199254740994⍸9007199254740991 9007199254740993 9007199254740994 ⍝ → 0 1 2
0 1⍸¯0.5 0 0.5 1 2 ¯1       ⍝ → 0 1 1 2 2 0
⍝ Sets of small ranges.
∧/{x←1+7|⍳⍵ ⋄ y←9|⍳⍵ ⋄ ((x⍳y)≡⊃¨{⍸x=⍵}¨y)∨(x∊y)≡∨/x∘.=y}¨1↓n ⍝ → 1
∧/{x←⍵⍴'hello world' ⋄ (x∊'aeiou')≡∨/x∘.='aeiou'}¨n     ⍝ → 1
⍝ What is made of itself again and again is looked at once.
d←{⍵ ⍵}⍣60⊢1
≡d                          ⍝ → 60
d≡{⍵ ⍵}⍣59⊢1 2              ⍝ → 0
d≡{⍵ ⍵}⍣60⊢1                ⍝ → 1
⍝ Sums and extremes of short vectors of integers.
v←{⍵⍴¯100 100 7 0}
∧/{((+/v ⍵)(⌈/v ⍵)(⌊/v ⍵))≡({⍺+⍵}/v ⍵)({⍺⌈⍵}/v ⍵)({⍺⌊⍵}/v ⍵)}¨3↓n             ⍝ → 1
∧/{v←⍵⍴¯2147483648 2147483647 5 ⋄ ((+/v)(⌈/v)(⌊/v))≡({⍺+⍵}/v)({⍺⌈⍵}/v)({⍺⌊⍵}/v)}¨3↓n ⍝ → 1
∧/{((+/p ⍵)(∨/p ⍵)(∧/p ⍵)(⌈/p ⍵)(⌊/p ⍵))≡(≢⍸p ⍵)1 0 1 0}¨3↓n                  ⍝ → 1
∧/{(∨/⍵⍴0)(∧/⍵⍴1)(⌈/⍵⍴0)(⌊/⍵⍴1)≡0 1 0 1}¨1↓n                                  ⍝ → 1
(⌈/300⍴2*62)=2*62                                                             ⍝ → 1

⍝ What looks like truth values while it waits may be floats: 2|⌊|b where |b leaves the integers
b←12⍴2 4 6 5 ¯9223372036854775808 ⋄ x←⍳12
(2|⌊|b)/x                     ⍝ → 4 9
⍸2|⌊|b                        ⍝ → 4 9
≢(2|⌊|b)/x                    ⍝ → 2
(2|⌊|b)⊂x                     ⍝ →  4 5 6 7 8  9 10 11 12␠
x⊣((2|⌊|b)/x)←0               ⍝ → 1 2 3 0 5 6 7 8 0 10 11 12
≢(,2|⌊|¯9223372036854775808)/x ⍝ → 0
+/(2|⌊|5000⍴b)/⍳5000          ⍝ → 2082084
