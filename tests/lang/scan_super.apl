⍝ SPDX-License-Identifier: MIT
⍝ Scans of more than a super-tile of the tree, 1024 tiles of 7680 doubles: their bits.
v←÷(77+7680×1060)⍴⍳1009
bits←{⎕CT←0 ⋄ +/1048576|⌊1048576×131072×1|⍵}
4268181053302=bits +\v                           ⍝ → 1
4127193801183=bits +\7872001↑v                   ⍝ → 1
4268181053302=bits (+⍀v,[1.5]⌽v)[;1]             ⍝ → 1
4268181053302=bits ⊃+\¨((1+≢v)⍴1,(¯1+≢v)⍴0)⊂v,5  ⍝ → 1
