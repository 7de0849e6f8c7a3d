⍝ SPDX-License-Identifier: MIT
⍝ ⎕FFT: Fourier transforms. slow is the definition, near its tolerance.
slow←{n←≢⍵ ⋄ (*0J¯2×(○1)×(n|∘.×⍨(⍳n)-⎕IO)÷n)+.×⍵}
near←{1e¯13>(⌈/|,⍺-⍵)÷1+⌈/|,⍺}
any←{(¯0.5+0.01×97|⍵×⍳⍵)+0J1×¯0.5+0.01×89|3×⍵×⍳⍵}

⍝ ── what it is ──
⎕FFT 1 2 3 4                                      ⍝ → 10 ¯2J2 ¯2 ¯2J¯2
¯1 ⎕FFT 10 ¯2J2 ¯2 ¯2J¯2                          ⍝ → 1 2 3 4
1 ⎕FFT 1 2 3 4                                    ⍝ → 10 ¯2J2 ¯2 ¯2J¯2
⎕FFT 1 0 0 0 0 0 0 0                              ⍝ → 1 1 1 1 1 1 1 1
⎕FFT 8⍴1                                          ⍝ → 8 0 0 0 0 0 0 0
⎕FFT 1 2                                          ⍝ → 3 ¯1
⎕FFT 0 0J1                                        ⍝ → 0J1 0J¯1
⎕FFT,5                                            ⍝ → 5
⎕FFT⍬                                             ⍝ →
⍴⎕FFT 0 3⍴0                                       ⍝ → 0 3
⍴⎕FFT 3 0⍴0                                       ⍝ → 3 0
⎕DR ⎕FFT 1 0 0 0                                  ⍝ → 645
⎕DR ⎕FFT 0 1 0 0                                  ⍝ → 1289

⍝ ── every length ──
∧/{x←any ⍵ ⋄ (slow x)near ⎕FFT x}¨2 3 4 5 6 7 8 9 10 11 12 13 15 16 17 ⍝ → 1
∧/{x←any ⍵ ⋄ (slow x)near ⎕FFT x}¨24 32 37 49 64 65 96 97 121 128 169 ⍝ → 1
∧/{x←any ⍵ ⋄ x near ¯1 ⎕FFT ⎕FFT x}¨14 18 19 20 25 33 91 100 113 143 ⍝ → 1
∧/{x←any ⍵ ⋄ (slow x)near ⎕FFT x}¨256 257 343 360 512 ⍝ → 1
∧/{x←any ⍵ ⋄ x near ¯1 ⎕FFT ⎕FFT x}¨2048 2187 4093 4095 4096 8192 12005 16384 ⍝ → 1
x←any 4096 ⋄ (+/x)near 1↑⎕FFT x                   ⍝ → 1
x←any 6006 ⋄ (+/x×*0J¯2×(○1)×(0,⍳6005)×7÷6006)near (⎕FFT x)[8] ⍝ → 1
x←any 4099 ⋄ (+/x×*0J¯2×(○1)×(0,⍳4098)×7÷4099)near (⎕FFT x)[8] ⍝ → 1

⍝ ── elements of every type ──
(⎕FFT 0 1 1 0 1 0 0 1)near ⎕FFT 0.0+0 1 1 0 1 0 0 1 ⍝ → 1
(⎕FFT ¯3 100 7 8)near slow ¯3 100 7 8             ⍝ → 1
(⎕FFT 2*31+⍳4)near slow 2*31+⍳4                   ⍝ → 1
(⎕FFT ⎕F32 0.5×⍳6)≡⎕FFT 0.5×⍳6                    ⍝ → 1
⎕DR ⎕FFT ⎕F32 0 1 0 0                             ⍝ → 1289

⍝ ── axes ──
m←4 6⍴any 24
(⎕FFT m)≡⎕FFT⍤1⊢m                                 ⍝ → 1
((⎕FFT⍠1)m)near⍉⎕FFT⍉m                            ⍝ → 1
((⎕FFT⍠'Axis' 1)m)≡(⎕FFT⍠1)m                      ⍝ → 1
((⎕FFT⍠'Axis'(1 2))m)≡(⎕FFT⍠1)⎕FFT m                      ⍝ → 1
((⎕FFT⍠(⊂1 2))m)≡(⎕FFT⍠1)⎕FFT m           ⍝ → 1
m near ¯1(⎕FFT⍠'Axis'(1 2))(⎕FFT⍠'Axis'(1 2))m                    ⍝ → 1
m near (⎕FFT⍠1)⍣¯1(⎕FFT⍠1)m                       ⍝ → 1
t←3 5 7⍴any 105
((⎕FFT⍠2)t)near 1 3 2⍉⎕FFT 1 3 2⍉t                ⍝ → 1
((⎕FFT⍠'Axis'(3 1))t)near(⎕FFT⍠'Axis'(1 3))t                      ⍝ → 1
((⎕FFT⍠'Axis'⍬)t)≡t                                     ⍝ → 1
{⎕IO←0 ⋄ ((⎕FFT⍠0)⍵)near⍉⎕FFT⍉⍵}m                 ⍝ → 1
(2 3 17⍴any 102)near ¯1(⎕FFT⍠'Axis'(3 2))(⎕FFT⍠'Axis'(2 3))2 3 17⍴any 102 ⍝ → 1
x←17 3⍴any 51 ⋄ ((⎕FFT⍠1)x)near⍉slow⍤1⍉x          ⍝ → 1

⍝ ── norms ──
x←any 12
((⎕FFT⍠'Norm' 'Forward')x)near(⎕FFT x)÷12         ⍝ → 1
((⎕FFT⍠'Norm' 'Ortho')x)near(⎕FFT x)÷12*0.5       ⍝ → 1
(¯1(⎕FFT⍠'Norm' 'Ortho')x)near(12*0.5)×¯1 ⎕FFT x  ⍝ → 1
(¯1(⎕FFT⍠'Norm' 'Forward')x)near 12×¯1 ⎕FFT x     ⍝ → 1
((⎕FFT⍠'Norm' 'Backward')x)≡⎕FFT x                ⍝ → 1
x near(⎕FFT⍠'Norm' 'Ortho')⍣¯1⊢(⎕FFT⍠'Norm' 'Ortho')x ⍝ → 1
x←any 17 ⋄ ((⎕FFT⍠'Norm' 'Ortho')x)near(⎕FFT x)÷17*0.5 ⍝ → 1

⍝ ── what is built on it ──
x←any 12
x near ⎕FFT⍣¯1 ⎕FFT x                             ⍝ → 1
(⎕FFT x)near 1 ⎕FFT⍣¯1⍣¯1⊢x                       ⍝ → 1
(⎕FFT x)≡¯1 ⎕FFT⍣¯1⊢x                             ⍝ → 1
x near ⎕FFT⍣0⊢x                                   ⍝ → 1
conv←{n←¯1+(≢⍺)+≢⍵ ⋄ 9○¯1 ⎕FFT(⎕FFT n↑⍺)×⎕FFT n↑⍵}
⌊0.5+1 2 3 conv 4 5 6 7                           ⍝ → 4 13 28 34 32 21
(10⊥⌊0.5+(1 2 3 4)conv 5 6 7 8)=1234×5678         ⍝ → 1
(2 3⍴⍳6)≡⌊0.5+9○¯1 ⎕FFT ⎕FFT 2 3⍴⍳6               ⍝ → 1
(⎕FFT¨(1 1)(1 2))≡(2 0)(3 ¯1)                     ⍝ → 1

⍝ ── errors ──
⎕FFT 5                                            ⍝ ! RANK ERROR: ⎕FFT: a scalar has no axis
⎕FFT 'abcd'                                       ⍝ ! DOMAIN ERROR: ⎕FFT: numbers are wanted
⎕FFT (1 2)(3 4)                                   ⍝ ! DOMAIN ERROR: ⎕FFT: numbers are wanted
0 ⎕FFT 1 2                                        ⍝ ! DOMAIN ERROR: ⎕FFT's left argument is 1 or ¯1
2 ⎕FFT 1 2                                        ⍝ ! DOMAIN ERROR
1 1 ⎕FFT 1 2                                      ⍝ ! LENGTH ERROR
(1 1⍴1)⎕FFT 1 2                                   ⍝ → 3 ¯1
'x'⎕FFT 1 2                                       ⍝ ! DOMAIN ERROR
(⎕FFT⍠3)2 2⍴1                                     ⍝ ! RANK ERROR: the array has no axis 3
(⎕FFT⍠0)2 2⍴1                                     ⍝ ! RANK ERROR
(⎕FFT⍠'Axis'(1 1))2 2⍴1                                   ⍝ ! DOMAIN ERROR: an axis is given twice
(⎕FFT⍠1.5)2 2⍴1                                   ⍝ ! DOMAIN ERROR
(⎕FFT⍠'Axis'(1 1⍴1))2 2⍴1                         ⍝ ! RANK ERROR
(⎕FFT⍠'Axis'(1 2 1))2 2⍴1                         ⍝ ! LENGTH ERROR
(⎕FFT⍠'Norm' 'x')1 2                              ⍝ ! DOMAIN ERROR: ⎕FFT: Norm takes one of: Backward Ortho Forward
(⎕FFT⍠'Which' 1)1 2                               ⍝ ! DOMAIN ERROR: ⎕FFT has no option Which
⎕FFT 1e308 1e308                                  ⍝ ! DOMAIN ERROR: ⎕FFT: a result is too large for a number
⎕FFT 17⍴1e308                                     ⍝ ! DOMAIN ERROR
⎕FFT 3000⍴1e308                                   ⍝ ! DOMAIN ERROR
