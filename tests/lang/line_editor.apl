⍝ SPDX-License-Identifier: MIT
⍝ The line editor: functions edited by their lines between two ∇.

)CLEAR
∇ r←f x
 r←x+1
 r←r×2
∇
f 3  ⍝ → 8
∇f∇  ⍝ →      ∇ r←f x ⏎ [1]     r←x+1 ⏎ [2]     r←r×2 ⏎      ∇
∇f[⎕]∇  ⍝ → [0]   r←f x ⏎ [1]    r←x+1 ⏎ [2]    r←r×2
∇f[⎕1]∇  ⍝ → [1]    r←x+1 ⏎ [2]    r←r×2
∇f[⎕0-1]∇  ⍝ → [0]   r←f x ⏎ [1]    r←x+1
∇f[1⎕]∇  ⍝ → [1]    r←x+1
∇f[7⎕]∇

⍝ a line is replaced, put in between, put behind the end
∇f[2] r←r×10∇
f 3  ⍝ → 40
∇f[1.1] r←r+100
r←r-1
∇
f 3  ⍝ → 1030
∇f[⎕2-3]∇  ⍝ → [2]   r←r+100 ⏎ [3]   r←r-1
∇f[9]
r←-r
∇
f 3  ⍝ → ¯1030
≢⎕NR'f'  ⍝ → 6
∇f[0.5] ⍝ a comment, ∇
[0.05] ⍝ another
[⎕0-1]∇  ⍝ → [0]   r←f x ⏎ [0.05] ⍝ another ⏎ [0.5] ⍝ a comment, ∇ ⏎ [1]    r←x+1
1⊃⎕NR'f'  ⍝ → r←f x
2⊃⎕NR'f'  ⍝ → ⍝ another

⍝ lines are deleted
∇f[∆1][∆2]∇
⊃,/⎕NR'f'  ⍝ → r←f x r←x+1r←r+100r←r-1r←r×10r←-r
∇f[2∆2]∇
f 3  ⍝ → ¯40
∇f[∆2-3]∇
f 3  ⍝ → 4
∇f[1∆1000]∇
≢⎕NR'f'  ⍝ → 1
∇f[1] r←x∇
f 3  ⍝ → 3

⍝ the header too; a new name is another function
∇f[0]r←{x}g y
[1]r←y×5
∇
g 2  ⍝ → 10
f 2  ⍝ → 2

⍝ the line with marks under it
∇g[1⎕8]
        .10×
∇  ⍝ → [1]   r←y×5
g 2  ⍝ → 100
∇g[1] r←y×5∇
∇g[1⎕9]
        /,7+
             .÷2
∇  ⍝ → [1]   r←y×5 ⏎ [1]   r←7+×5
g 2  ⍝ → 8
∇g[1⎕0]
-1
∇  ⍝ → [1]   r←7+×5÷2
g 2  ⍝ → 8
∇g[1⎕3]
      2A
∇  ⍝ → [1]   r←7+×5÷2-1
2⊃⎕NR'g'  ⍝ → r     ←7+×5÷2-1

⍝ left as it was; what stands behind runs
∇g[1] r←y
r←0
[→]
g 2  ⍝ → 8

⍝ dfns, operators; functions in brackets and quotes do not end it
d←{
  ⍵+1
}
∇d[1]  '∇',⍕{⍵=0:0 ⋄ ∇⍵-1}⍵∇
d 2  ⍝ → ∇0
∇d[⎕]∇  ⍝ → [0]   d←{ ⏎ [1]   '∇',⍕{⍵=0:0 ⋄ ∇⍵-1}⍵ ⏎ [2]   }
∇ r←(p each) y
 r←p¨y
∇
∇each[1] r←⌽p¨y∇
-each 1 2  ⍝ → ¯2 ¯1

⍝ errors leave the function as it was
∇g[1] :If 1∇  ⍝ ! SYNTAX ERROR
g 2  ⍝ → 8
∇nothere[1] 5∇  ⍝ ! SYNTAX ERROR
v←3
∇v[⎕]∇  ⍝ ! SYNTAX ERROR
∇g[0] r←v y∇  ⍝ ! SYNTAX ERROR
∇g[1⎕∆]∇  ⍝ ! SYNTAX ERROR
plus←+
∇plus[⎕]∇  ⍝ ! SYNTAX ERROR

⍝ the header of a function is what it was
∇ a
 'a runs'
∇
a  ⍝ → a runs
∇ a
 'a runs again'
∇
a  ⍝ → a runs again

⍝ in a namespace, and by ⍎
ns←⎕NS⍬
ns.⎕FX 'r←h x' 'r←x' ⋄ ns.⍎'∇h[1] r←x×3∇'
ns.h 4  ⍝ → 12

⍝ an editor needs a person
⎕ED 'f'  ⍝ ! NONCE ERROR
)ED f  ⍝ ! NONCE ERROR
]edit f  ⍝ ! NONCE ERROR
