⍝ SPDX-License-Identifier: MIT
⍝ ⎕NPY and ⎕NPZ: arrays in NumPy's formats. T is a folder of this file's own.
⍝ needs ⎕NC '⎕NPY'

T←⎕ENV 'TMP'
f←T,'/a.npy'
back←{_←⍵ ⎕NPY f ⋄ r←⎕NPY f ⋄ (r≡⍵)∧(⎕DR r)=⎕DR ⍵}
back¨(1003⍴1 0 0)(⍳9)(1000×⍳9)(1E6×⍳9)(2*40+⍳9)(÷⍳9)(⎕F32 ÷⍳9)(1J2 3)  ⍝ → 1 1 1 1 1 1 1 1
back 2 3 4⍴⍳24                     ⍝ → 1
back 5                             ⍝ → 1
back 0 3⍴0.5                       ⍝ → 1
back 70 1003⍴÷⍳70×1003             ⍝ → 1
{⍵≡⎕NPY f⊣⍵ ⎕NPY f}3 5⍴'abcdé'      ⍝ → 1
{⍵≡⎕NPY f⊣⍵ ⎕NPY f}'text'          ⍝ → 1
m←⎕NPY f⊣(1E5⍴0.5)⎕NPY f ⋄ m[7]←2 ⋄ (+/m),+/⎕NPY f   ⍝ → 50001.5 50000
+/⎕NPY f                           ⍝ → 50000
(1(2 3))⎕NPY f                     ⍝ ! DOMAIN ERROR: ⎕NPY: a nested array has no place in this format
128|(⍴⎕NPY f),2 ⎕NINFO f           ⍝ → 32 0

⍝ What NumPy writes that is not ours
W←{⎕NUNTIE t⊣⍵ ⎕NAPPEND(t←(T,'/h.npy')⎕NCREATE 0⊣1 ⎕NDELETE T,'/h.npy')80}
H←{h←'{''descr'': ''',(1⊃⍵),''', ''fortran_order'': ',(2⊃⍵),', ''shape'': (',(3⊃⍵),'), }',⎕UCS 10 ⋄ (⎕UCS 147),'NUMPY',(⎕UCS 1 0,(≢h),0),h}
G←{_←W(H ⍵),⎕UCS 256|4⊃⍵ ⋄ ⎕NPY T,'/h.npy'}
G '<u2' 'False' '2,' (255 255 1 0)   ⍝ → 65535 1
G '>i4' 'False' '2,' (255 255 255 254 0 0 1 0)   ⍝ → ¯2 256
G '<u8' 'False' '1,' (1 0 0 0 0 0 0 0)   ⍝ → 1
G '<u8' 'False' '1,' (1 0 0 0 0 0 0 128) ⍝ ! DOMAIN ERROR
G '<f2' 'False' '5,' (0 60 0 192 0 124 1 0 255 123)   ⍝ → 1 ¯2 ∞ 5.960464478E¯8 65504
1-2×0.5×1×⎕F64 G '<f2' 'False' '5,' (0 60 0 192 0 124 1 0 255 123)   ⍝ → 0 3 ¯∞ 0.9999999404 ¯65503
G '>f8' 'False' '1,' (63 240 0 0 0 0 0 0)   ⍝ → 1
G '<c8' 'False' '1,' (0 0 128 63 0 0 0 64)  ⍝ → 1J2
G '|b1' 'False' '3,' (1 0 1)         ⍝ → 1 0 1
G '|i1' 'True' '2, 3' (⍳6)           ⍝ → 1 3 5 ⏎ 2 4 6
G '|S3' 'False' '2,' (97 98 0 99 100 101)   ⍝ → ab ⏎ cde
G '<U1' 'False' '' (233 0 0 0)       ⍝ → é
G '<i4' 'False' '2,' (1 0 0 0)       ⍝ ! DOMAIN ERROR
G '<i3' 'False' '2,' (1 0 0 0)       ⍝ ! DOMAIN ERROR
G '<i4' 'False' '9999999999999999999,' ⍬   ⍝ ! DOMAIN ERROR
G '<O8' 'False' '1,' (8⍴1)           ⍝ ! DOMAIN ERROR
E←{0::{(¯1+⊃⍸'its '⍷⍵)↓⍵}⎕DMX.Message ⋄ G ⍵ 'False' '1,' (16⍴1)}
E '<M8[ns]'                          ⍝ → its elements are of type <M8[ns], which are times
E '<m8[25us]'                        ⍝ → its elements are of type <m8[25us], which are spans of time
E '|O'                               ⍝ → its elements are of type |O, which are Python's objects
E '|V16'                             ⍝ → its elements are of type |V16, which are bytes without a meaning
E '<f16'                             ⍝ → its elements are of type <f16, floats of a width that is not here
E '<c32'                             ⍝ → its elements are of type <c32, complex numbers of a width that is not here
E '<i3'                              ⍝ → its elements are of type <i3
E '<q8x'                             ⍝ → its elements are of type <q8x
E '<f8x'                             ⍝ → its elements are of type <f8x
E '<'                                ⍝ → its header is damaged
_←W 'not this, but long enough'
⎕NPY T,'/h.npy'                    ⍝ ! DOMAIN ERROR
⎕NPY T,'/nothing'                  ⍝ ! FILE NAME ERROR

⍝ Archives
z←T,'/a.npz'
⎕←('a' 'bc'(,'d'))((⍳3)(2 2⍴÷⍳4)(1003⍴1 0 0))⎕NPZ z   ⍝ → 1704
⊃⎕NPZ z                            ⍝ →  a  bc  d
(2⊃⎕NPZ z)≡(⍳3)(2 2⍴÷⍳4)(1003⍴1 0 0)    ⍝ → 1
((,⊂'x')(,⊂3 4))⎕NPZ z             ⍝ ! LENGTH ERROR
(1⊂'ab')⎕NPZ z                     ⍝ ! LENGTH ERROR
⎕NPZ f                             ⍝ ! FILE DAMAGED
