⍝ SPDX-License-Identifier: MIT
⍝ Several folds of the same elements: one kernel where they are pending together.
x←4096⍴2 3 5 7 11 13 17 19 23
(⌊/x)(⌈/x)(+/x)                    ⍝ → 2 23 45502
(+/,⌈/,⌊/)x                        ⍝ → 45502 23 2
(+/x×x)(+/x)(≢x)                   ⍝ → 707984 45502 4096
(⌈/-x)(+/-x)                       ⍝ → ¯2 ¯45502
(∧/x>1)(∨/x>22)(+/x>10)            ⍝ → 1 1 2275
(×/1+x=2)(⌈/x)                     ⍝ → 1.860707134E137 23
m←64 64⍴x
r←(+/m)(⌈/m) ⋄ (5↑¨r)              ⍝ →  702 703 705 707 711  23 23 23 23 23␠
r←(+⌿m)(⌊⌿m) ⋄ (5↑¨r)              ⍝ →  702 703 705 707 711  2 2 2 2 2␠
y←⌽x
(+/x×y)÷((+/x×x)×+/y×y)*0.5        ⍝ → 0.5501310764
((+/x×y)÷≢x)-((+/x)÷≢x)×(+/y)÷≢y   ⍝ → ¯28.31849694
a←9223372036854775807,4095⍴1
(+/a)(⌊/a)(⌈/a)                    ⍝ → 9.223372037E18 1 9.223372037E18
(⌈/x÷0)(+/x)                       ⍝ ! DOMAIN ERROR
(+/x)(⌈/x÷0)                       ⍝ ! DOMAIN ERROR
⍝ What is made of such scalars waits with them.
(-+/x)*0.5                         ⍝ → 0J213.3119781
(+/x)÷(+/x)-+/x                    ⍝ ! DOMAIN ERROR
s←0 ⋄ z←{s+←+/⍵}¨50⍴⊂x ⋄ s         ⍝ → 2275100
{(+/⍵)>0:⌈/⍵ ⋄ ⌊/⍵}x               ⍝ → 23
((⌈/x)⍴7)(x[1+⌊/x])                ⍝ →  7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7  5
(+/x÷+/x)(⌈/x-⌊/x)                 ⍝ → 1 21
⍕(+/x)÷≢x                          ⍝ → 11.10888672
((+/x)÷≢x)∘.+1 2                   ⍝ → 12.10888672 13.10888672
(1+⌈/x)!1000                       ⍝ → 1.220334594E48
~∧/x>1                             ⍝ → 0
⍝ Kernels that read one another's results; a fault voids what came behind it.
{m←(+/⍵)÷≢⍵ ⋄ (+/(⍵-m)*2)÷≢⍵}x     ⍝ → 49.44029212
{e←*⍵-⌈/⍵ ⋄ 5↑e÷+/e}x              ⍝ → 1.632466297E¯12 4.437503472E¯12 3.278896209E¯11 2.422794803E¯10 1.322801142E¯8
1E¯10>|+/{(⍵-(+/⍵)÷≢⍵)÷⌈/⍵}x       ⍝ → 1
b←4096⍴1E308
b-(+/b)÷≢b                         ⍝ ! DOMAIN ERROR
(⌈/b)+(+/b-⌈/b)                    ⍝ → 1E308
(a>(+/a)÷≢a)/a                     ⍝ → 9.223372037E18
+/b÷(⌈/b)-⌊/b                      ⍝ ! DOMAIN ERROR
+/b*0.5-⌈/b÷b                      ⍝ → 4.096E¯151
+/(-x)*(⌊/x)÷4                     ⍝ → 0J12845.19781
⍝ Lists of them.
(+/÷≢)x                            ⍝ → 11.10888672
((+/,⌈/)x),(⌊/x),1.5               ⍝ → 45502 23 2 1.5
(⌈/x),'a'                          ⍝ → 23 a
(⌈/x),⍬                            ⍝ → 23
(⌈/x),⊂1 2                         ⍝ → 23  1 2␠
z←(+/,⌈/)x÷0                       ⍝ ! DOMAIN ERROR
(-+/x),(-+/x)*0.5                  ⍝ → ¯45502 0J213.3119781
2⊃(+/,⌈/,⌊/)x                      ⍝ → 23

⍝ A sum of 64 bits beside a maximum of 32, of more than a tile: the last workgroup reads both.
z←100003⍴1 2 3
(+/z×1+7|⍳100003),⌈/z                          ⍝ → 800018 3
(+/z×1+7|⍳100003)(⌈/z)(⌊/z)                    ⍝ → 800018 3 1

⍝ An array that only the next kernel needs is not waited for; what it meets voids the next one
y←1000⍴2*62
+/2×+\y                        ⍝ → 4.616297704E24
⌈/(+\y)÷+\y                    ⍝ → 1
z←0,⍳999
+/2++\÷z                       ⍝ ! DOMAIN ERROR
+/2++\÷⌽z                      ⍝ ! DOMAIN ERROR
+/2×+\2×+\⌽z                   ⍝ → 5.00999499E11
