⍝ SPDX-License-Identifier: MIT
⍝ Functions of scalars applied to many elements: guards, calls of themselves, ⍣. What ⍎ does is
⍝ always called element by element.
long←⍳200
same←{(⍺≡⍵)∧=/3⌈10|⎕DR¨⍺ ⍵}
f←{⍵>100: ⍵×2 ⋄ -⍵}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
+/f¨long                                     ⍝ → 25050
f←{⍵<3: ¯1 ⋄ ⍵<150: ÷⍵-2 ⋄ ⍵*0.5}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
f←{⍵=1: 1 ⋄ 1=2|⍵: ∇ 1+3×⍵ ⋄ ∇ ⍵÷2}
∧/1=f¨long                                   ⍝ → 1
f←{⍺←0 ⋄ ⍵=1: ⍺ ⋄ 2|⍵: (⍺+1)∇ 1+3×⍵ ⋄ (⍺+1)∇ ⍵÷2}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
⌈/f¨long                                     ⍝ → 124
(f¨27 97 6 7,200⍴1)≡111 118 8 16,200⍴0       ⍝ → 1
f¨10⍴27                                      ⍝ → 111 111 111 111 111 111 111 111 111 111
(10 f¨200⍴27)≡200⍴121                        ⍝ → 1
gcd←{⍵=0: |⍺ ⋄ ⍵ ∇ ⍵|⍺}
(long∘.gcd long)≡long∘.∨long                 ⍝ → 1
(long gcd¨⌽long)≡long∨⌽long                  ⍝ → 1
(12 gcd¨long)≡12∨long                        ⍝ → 1
(long gcd⍤0⊢36)≡36∨long                      ⍝ → 1
fib←{{(n a b)←⍵ ⋄ n=0: a ⋄ ∇ (n-1) b (a+b)} ⍵ 0 1}
(fib¨⍳90)≡{⍎'fib ⍵'}¨⍳90                     ⍝ → 1
(fib¨100⍴90)≡100⍴2880067194370816120         ⍝ → 1
(fib¨100⍴95)≡{⍎'fib ⍵'}¨100⍴95               ⍝ → 1
root←{0.5×⍵+2÷⍵}⍣≡
∧/1E¯15>|1.4142135623730951-root¨long        ⍝ → 1
(root¨long)≡{⍎'root ⍵'}¨long                 ⍝ → 1
f←{1+⍵÷2}⍣20
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
f←{⍵+1}⍣100
(f¨long)≡long+100                            ⍝ → 1
f←{⍵+1}⍣{⍺>50}
(f¨long)≡51⌈long+1                           ⍝ → 1
⍝ classes: where no element needs the wider one, none has it
f←{⍵>1000: 0.5 ⋄ 1}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
f←{⍵>100: 0.5 ⋄ 1}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
f←{⍵>1000: ⍵ ⋄ 1}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
f←{⍵>100: ⍵ ⋄ 0}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
f←{⍵>100: 9007199254740993 ⋄ 0.5}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
f←{⍵<100: ∇ ⍵÷2 ⋄ ⍵}
(f¨100+long) same {⍎'f ⍵'}¨100+long          ⍝ → 1
⍝ integers that leave 64 bits do so each by itself
f←{⍵>100: ⍵×9223372036854775807 ⋄ ⍵+9007199254740993}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
⍝ faults only of what is chosen
f←{⍵=100: 0 ⋄ ÷100-⍵}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
f←{⍵=100: ÷100-⍵ ⋄ 0}
f¨long                                       ⍝ ! DOMAIN ERROR
f←{⍵<0: ∇ ÷0 ⋄ ⍵}
(f¨long)≡long                                ⍝ → 1
f←{⍵>100: ⍵ ⋄ ∇ ⍵÷0}
f¨long                                       ⍝ ! DOMAIN ERROR
f←{⍵: 1 ⋄ 2}
f¨long                                       ⍝ ! DOMAIN ERROR
(f¨2|long)≡2-2|long                          ⍝ → 1
f←{⍵>150: 'x' ⋄ ⍵}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
f←{⍵>150: ⍵ ⍵ ⋄ ⍵}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
⍝ names from outside, and of their own
k←10
f←{t←⍵-k ⋄ t<0: -t ⋄ u←t×t ⋄ u>400: 400 ⋄ u}
(f¨long)≡400⌊(long>10)×(long-10)*2           ⍝ → 0
(f¨long)≡400⌊(long-10)*1+long≥10             ⍝ → 0
(f¨long)≡400⌊(|long-10)*1+long≥10            ⍝ → 1
k←100
(f¨long)≡400⌊(|long-100)*1+long≥100          ⍝ → 1
⍝ loops in loops
f←{⍺←0 ⋄ ⍵=0: ⍺ ⋄ (⍺+⍵ gcd 36)∇ ⍵-1}
(f¨long)≡+\36∨long                           ⍝ → 1
⍝ Mandelbrot's set: by pairs of numbers
m←{cr←⍺ ⋄ ci←⍵ ⋄ {(re im n)←⍵ ⋄ n=50: n ⋄ 4<(re×re)+im×im: n ⋄ ∇ (cr+(re×re)-im×im)(ci+2×re×im)(n+1)} 0 0 0}
x←¯2+(⍳30)÷10
y←¯1.2+(⍳24)÷10
s←x∘.m y
s same x∘.{⍎'⍺ m ⍵'}y                          ⍝ → 1
+/,s=50                                      ⍝ → 161
s[3 10 20 25;6]                              ⍝ → 3 4 50 4
⍝ and by complex numbers, which are pairs
m←{c←⍺+0J1×⍵ ⋄ {(z n)←⍵ ⋄ n=50: n ⋄ 2<|z: n ⋄ ∇ (c+z*2)(n+1)} 0 0}
s same x∘.m y                                  ⍝ → 1
f←{z←⍵+0J0.25 ⋄ w←(z×z-1)+-z ⋄ 3<|w: 9○w ⋄ 11○+w}
z←10÷⍨¯50+⍳100
(f¨z)≡{⍎'f ⍵'}¨z                             ⍝ → 1
f←{z←⍵×0J0.5 ⋄ ⍵>100: 0 ⋄ (9○z)+(11○z×2-z)+|z+1}
(f¨z)≡{⍎'f ⍵'}¨z                             ⍝ → 1
f←{⍵>100: 0J1 ⋄ ⍵}
(f¨long)≡{⍎'f ⍵'}¨long                       ⍝ → 1
f←{{(z n)←⍵ ⋄ n=9: 10○z ⋄ 1E6<|z: n ⋄ ∇ (z-0.1×(z×z)-0J0.3)(n+1)} (⍵+0J0.5) 0}
(f¨z)≡{⍎'f ⍵'}¨z                             ⍝ → 1
f←{{(z n)←⍵ ⋄ n=0: 11○z ⋄ ∇ (z*2)(n-1)} ⍵ 3}
(f¨z)≡z×0                                    ⍝ → 1
⍝ the numbers of a vector are of one class
f←{{(n y)←⍵ ⋄ n≤0: y+y ⋄ ∇ (n-1) 1} ⍵ 0.5}
(f¨long) same {⍎'f ⍵'}¨long                  ⍝ → 1
⍝ of complex numbers
m←{c←⍵ ⋄ {(z n)←⍵ ⋄ n=50: n ⋄ 2<|z: n ⋄ ∇ (c+z*2)(n+1)} 0 0}
z←x∘.+0J1×y
s same m¨z                                   ⍝ → 1
f←{2<|⍵: 9○⍵ ⋄ |⍵×⍵-0J1}
(f¨z)same{⍎'f ⍵'}¨z                          ⍝ → 1
(f⍤0⊢z)≡f¨z                                  ⍝ → 1
f←{2<|⍵: ⍵ ⋄ 0}
(f¨z)≡{⍎'f ⍵'}¨z                             ⍝ → 1
