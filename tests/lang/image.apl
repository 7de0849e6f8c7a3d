⍝ SPDX-License-Identifier: MIT
⍝ ⎕IMG: images as arrays. T is a folder of this file's own.
⍝ needs ⎕NC '⎕IMG'
⍝ in order: lines depend on what lines before them did

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
f←T,'/p.pgm' ⋄ _←'P5 9999999999 9999999999 255 x' ⎕NPUT f 1
⎕IMG f                             ⍝ ! DOMAIN ERROR
_←'P5 99999999999999999999 9 255 x' ⎕NPUT f 1
⎕IMG f                             ⍝ ! DOMAIN ERROR
_←'P2 2 1 65535 0 4660' ⎕NPUT f 1
⎕IMG f                             ⍝ → 0 18
_←'P5 30000 30000 255 x' ⎕NPUT f 1
⎕IMG f                             ⍝ ! DOMAIN ERROR
⍝ PNGs: one point of 16 bits, 0x1234, and a promise of 20000 × 20000 points
f←T,'/w.png'
_←((⎕UCS 137 80 78 71 13 10 26 10 0 0 0 13 73 72 68 82 0 0 0 1 0 0 0 1 16 0 0 0 0 106 238 71 22 0 0 0 11 73 68 65 84 120 156 99 16 50 1 0 0 91 0 71 150 251 27 101 0 0 0 0 73 69 78 68 174 66 96 130)'ISO-8859-1')⎕NPUT f 1
⎕IMG f                             ⍝ → 18
_←((⎕UCS 137 80 78 71 13 10 26 10 0 0 0 13 73 72 68 82 0 0 78 32 0 0 78 32 8 0 0 0 0 198 27 25 229 0 0 0 12 73 68 65 84 120 156 99 96 160 61 0 0 0 100 0 1 134 100 60 53 0 0 0 0 73 69 78 68 174 66 96 130)'ISO-8859-1')⎕NPUT f 1
⎕IMG f                             ⍝ ! DOMAIN ERROR

(2 2⍴0J1)⎕IMG T,'/c.png'           ⍝ ! DOMAIN ERROR
