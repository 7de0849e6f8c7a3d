⍝ SPDX-License-Identifier: MIT
⍝ ⎕IMG: images as arrays. T is a folder of this file's own.
⍝ needs ⎕NC '⎕IMG'

T←⎕ENV 'TMP'
back←{f←T,⍺ ⋄ _←⍵ ⎕IMG f ⋄ ⍵≡⎕IMG f}
'/a.pgm' back 3 5⍴⍳15              ⍝ → 1
'/a.ppm' back 3 5 3⍴⍳45            ⍝ → 1
'/a.ppm' back 3 5 4⍴⍳60            ⍝ ! DOMAIN ERROR
'/a.png' back 3 5⍴⍳15              ⍝ → 1
'/a.png' back 3 5 2⍴⍳30            ⍝ → 1
'/a.png' back 3 5 3⍴⍳45            ⍝ → 1
'/a.png' back 3 5 4⍴⍳60            ⍝ → 1
'/a.png' back 61 67 3⍴?(61×67×3)⍴256   ⍝ ! DOMAIN ERROR
'/a.png' back ¯1+61 67 3⍴?(61×67×3)⍴256   ⍝ → 1
⎕DR ⎕IMG T,'/a.png'                ⍝ → 163
(2 2⍴0.5)⎕IMG T,'/b.png'           ⍝ ! DOMAIN ERROR
(2 2⍴256)⎕IMG T,'/b.png'           ⍝ ! DOMAIN ERROR
(2 2⍴1)⎕IMG T,'/b.jpg'             ⍝ ! DOMAIN ERROR
(⍳3)⎕IMG T,'/b.png'                ⍝ ! RANK ERROR
(0 2⍴1)⎕IMG T,'/b.png'             ⍝ ! DOMAIN ERROR
(2 2 5⍴1)⎕IMG T,'/b.png'           ⍝ ! LENGTH ERROR
⎕NEXISTS T,'/b.png'                ⍝ → 0
_←(⊂'P2' '# comment' '2 2 10' '0 5' '10 1')⎕NPUT T,'/p.pgm'
⎕IMG T,'/p.pgm'                    ⍝ →   0 128 ⏎ 255  26
_←(⊂'P2' '2 2 10' '0 5' '10')⎕NPUT (T,'/p.pgm')1
⎕IMG T,'/p.pgm'                    ⍝ ! DOMAIN ERROR
_←'P6 99999999 99999999 255 x' ⎕NPUT (T,'/p.pgm')1
⎕IMG T,'/p.pgm'                    ⍝ ! DOMAIN ERROR
_←'nothing of the kind' ⎕NPUT (T,'/p.pgm')1
⎕IMG T,'/p.pgm'                    ⍝ ! DOMAIN ERROR
