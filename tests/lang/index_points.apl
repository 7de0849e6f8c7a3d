⍝ SPDX-License-Identifier: MIT
⍝ Points of an array: y[↓m], where a row of m has the indices of one; m made of few vectors.
⎕RL←42
q←300 400⍴⎕F32 ?120000⍴0
i←?1000⍴300 ⋄ j←?1000⍴400
m←↑i j
q[↓⍉↑i j]≡(,q)[1+(400×m[1;]-1)+m[2;]-1]   ⍝ → 1
q[↓⍉m]≡i{q[⍺;⍵]}¨j                        ⍝ → 1
{⎕IO←0 ⋄ q[↓⍉m-1]≡(,q)[(400×m[0;]-1)+m[1;]-1]}0 ⍝ → 1
q[↓⍉↑(i)(0@500⊢j)]                          ⍝ ! INDEX ERROR: there is no index 0
q[↓⍉↑(1⌽i)(400+1⌽j)]                      ⍝ ! INDEX ERROR
q[↓⍉↑i j i]                               ⍝ ! RANK ERROR
(↑i j)≡i,[0.5]j                           ⍝ → 1
(↑(i+0)(j÷3))≡i,[0.5]j÷3                  ⍝ → 1
c←'banana split'[1+12|i] ⋄ (↑c c c)≡3 1000⍴c ⍝ → 1
⍴↑(2 500⍴i)(2 500⍴j)                      ⍝ → 2 2 500
⍴↑i(1↓j)                                  ⍝ → 2 1000
