⍝ SPDX-License-Identifier: MIT
⍝ Elements that change place, from device to device where these reach one another; ranks.sh compares what it prints.
⎕RL←7
i←?1000⍴50
x←?1000⍴0
+/i×j[⍋j←i[⍋x]]
(⍋i)[7×⍳9]
y←x[⍒x]
∧/(1↓y)≤¯1↓y
+/(⌽x)×⍳1000
+/(7⌽x)×⍳1000
m←40 25⍴x
+/,(⍉m)×25 40⍴⍳1000
z←⌽⌽x ⋄ z≡x
