⍝ SPDX-License-Identifier: MIT
⍝ Folds and scans of matrices by their products, against the same by a function that is called.
f←{⍺+.×⍵}
r←{2 2⍴¯3+?4⍴5}¨⍳40
(+.×/r)≡f/r                        ⍝ → 1
(+.×\15↑r)≡f\15↑r                  ⍝ → 1
(+.×\r)≡({⍵+.×⍺}⍠'Forward' 1)\r    ⍝ → 1
((+.×⍠'Forward' 1)\15↑r)≡({⍺+.×⍵}⍠'Forward' 1)\15↑r  ⍝ → 1
((+.×⍠'Assoc' 1)/r)≡f/r            ⍝ → 1
(⌈.+/r)≡{⍺⌈.+⍵}/r                  ⍝ → 1
(⌊.+\15↑r)≡{⍺⌊.+⍵}\15↑r            ⍝ → 1
⊃+.×/30⍴⊂2 2⍴1 1 1 0               ⍝ → 1346269 832040 ⏎  832040 514229
⍝ Integers that overflow go on as floats.
1E¯12>|1-(⊃⊃+.×/100⍴⊂2 2⍴1 1 1 0)÷573147844013817084101  ⍝ → 1
≢+.×\100⍴⊂2 2⍴1 1 1 0              ⍝ → 100
⍝ Floats: the order differs.
q←{2 2⍴?4⍴0}¨⍳1000
1E¯12>⌈/,|1-(⊃+.×/q)÷⊃f/q          ⍝ → 1
1E¯12>⌈/,|1-(⊃⌽+.×\q)÷⊃f/q         ⍝ → 1
⍝ Larger squares, others, mixtures and errors.
s←{3 3⍴?9⍴5}¨⍳10
(+.×\s)≡f\s                        ⍝ → 1
⊃+.×/(2 2⍴⍳4)(2 3⍴⍳6)              ⍝ →  9 12 15 ⏎ 19 26 33
⊃+.×/(2 2⍴0.5)(2 2⍴⍳4)             ⍝ → 2 3 ⏎ 2 3
+.×/(2 2⍴1)(3 3⍴1)                 ⍝ ! LENGTH ERROR
+.×/(2 2⍴1)(2 2⍴'a')               ⍝ ! DOMAIN ERROR
+.×\(1 2)(3 4)(5 6)                ⍝ →  1 2  11 117
⊃+.×/⊂2 2⍴⍳4                       ⍝ → 1 2 ⏎ 3 4
⊃+.×/(2 2⍴0J1)(2 2⍴1)              ⍝ → 0J2 0J2 ⏎ 0J2 0J2
