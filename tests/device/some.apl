⍝ SPDX-License-Identifier: MIT
⍝ in order
⍝ A little of each kind of kernel, for the devices of tests/device.sh: folds, scans, selections, sets, orders,
⍝ products. Computed with Python's integers.
x←1000|⍳70001 ⋄ f←0.5×x ⋄ b←0=3|x ⋄ m←300 200⍴x
(+/x)(⌈/x)(⌊/x)(≢∪x)  ⍝ → 34965001 999 0 1000
(+/f)(⌈/f)(+/b)(∨/b)(∧/b)(≠/b)  ⍝ → 17482500.5 499.5 23380 1 0 0
(¯1↑+\x),(¯1↑+\f),(+/≠\b)(+/∨\b)(+/∧\b)  ⍝ → 34965001 17482500.5 34930 69999 0
(¯1↑⌈\x),+/⌊\x-500  ⍝ → 999 ¯34999501
(+/+/m)(≢+⌿m)(+/⌈/m)(+/⌊⌿m)  ⍝ → 29970000 200 179940 19900
(+/b/x)(≢⍸b)(+/x[⍋x])(⊃⍋x)  ⍝ → 11678310 23380 34965001 1000
(+/x∊⍳10)(+/x⍳⍳10)  ⍝ → 701 55
(+/|x-500)(+/x÷2)(0.5<+/÷1+x)  ⍝ → 17500499 17482500.5 1
+/,(20 30⍴⍳600)+.×30 20⍴⍳600  ⍝ → 1101583000
