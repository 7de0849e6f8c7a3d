⍝ SPDX-License-Identifier: MIT
⍝ ⎕DIV: division by zero gives 0 where it is 1.

⎕DIV                           ⍝ → 0
2 0 5÷4 0 2                    ⍝ → 0.5 1 2.5
5÷0                            ⍝ ! DOMAIN ERROR
⎕DIV←1
2 0 5÷4 0 0                    ⍝ → 0.5 0 0
÷0 0.5                         ⍝ → 0 2
0÷0                            ⍝ → 0
3J4÷0 0J1                      ⍝ → 0 4J¯3
÷0J0                           ⍝ → 0
÷/8 0 2                        ⍝ → 0
÷/6 3 0                        ⍝ → 0
÷\6 3 0                        ⍝ → 6 2 0
÷/⍬                            ⍝ → 1
1 2∘.÷0 2                      ⍝ → 0 0.5 ⏎ 0 1
(⊂1 2)÷(0 1)2                  ⍝ →  0 2  0.5 1
÷¯2+⍳3                         ⍝ → ¯1 0 1
÷⍨0                            ⍝ → 0
6(÷÷÷)0                        ⍝ → 0
1 2 3÷[1]3 2⍴0                 ⍝ → 0 0 ⏎ 0 0 ⏎ 0 0
+/(⍳300)÷300⍴0 2 0             ⍝ → 7525
f←{⎕DIV←0 ⋄ 1÷⍵}
f 0                            ⍝ ! DOMAIN ERROR
1÷0                            ⍝ → 0
{⎕DIV←⍵ ⋄ ⎕DIV}0               ⍝ → 0
⎕DIV                           ⍝ → 1
⎕DIV←2                         ⍝ ! DOMAIN ERROR
⎕DIV←0
÷0                             ⍝ ! DOMAIN ERROR
