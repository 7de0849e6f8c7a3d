#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ An image read, blurred by a window on each point (⌺), its edges found, and written.

image←⎕IMG'data/disc.pgm'
⎕←'size ',⍴image
mean←{(+/,⍵)÷9}
⍝ ⌺ fills with 0 beyond the edge, so the edge is repeated first and dropped afterwards.
pad←{⍵[1,(⍳≢⍵),≢⍵;]}
framed←⍉pad⍉pad image
blurred←⌊0.5+1 1↓¯1 ¯1↓({mean ⍵}⌺3 3)framed
⎕←'mean before and after ',(⌊0.5+10×(+/,image)÷×/⍴image),⌊0.5+10×(+/,blurred)÷×/⍴blurred
⎕←'row 8 ',blurred[8;]
⎕←'as characters'
⎕←' .:-=+*#%@'[1+⌊blurred÷25.6]
dir←⊃⎕SH'mktemp -d'
out←dir,'/blurred.pgm'
_←blurred ⎕IMG out
⎕←'read back the same ',blurred≡⎕IMG out
_←2 ⎕NDELETE dir
