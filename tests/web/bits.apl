⍝ SPDX-License-Identifier: MIT
⍝ Every digit of what floats come to: the page and the program show the same text (tests/web.sh).
⎕PW←32767 ⋄ ⎕PP←17 ⋄ ⎕RL←42 1
x←,(0.1×⍳9)∘.×10*¯7+⍳13
y←⌽x
x+y
x-y
x×y
x÷y
x*y
*x÷10000
⍟x
(x+2)⍟1+y
y|x
⌊x×1000
!x÷10000
○x
0 1 2 3∘.○x÷1000
¯1 ¯2 ¯3 ¯5 ¯7∘.○x÷1E7
¯4○1+x
+/x
-/x
×/1+x÷1E8
⌈/x
+\x
×\1+x÷1E8
+/?10000⍴0
+/÷⍳100000
+/(⍳1000000)*0.5
?20⍴0
10?1000000
m←3 3⍴2 1 3 1 7 2 3 2 9
⌹m
(⍳3)⌹m
m+.×⌹m
(9 9↑x∘.+y)+.×9 9↑x∘.×y
*0J1×x÷100
(x+0J1×y)÷y-0J2×x
¯4○x+0J1×y
⎕FFT x
2 3 5⍴x
⍋x-0.3
x∊0.1×⍳9
+/x∘.=y
⌊0.5+1E15×x
2⊥1=2|⍳70
(30⍴2)⊤123456789
(2*62)+⍳3
(2*63)-1
9007199254740993+0 1 2
0 1 2 3∘.○1E5×⍳20
11⎕DR 9↑x
⍕x
'F20.12'⎕FMT 9↑x
⎕DR¨x y
]plan +/(x-5)*2
]plan +/2×⍳1000000
z←2000000⍴x
+/z
+/z*2
⌈/z÷3
+/z>1
(+/z×z)*0.5
mean←{
  n←≢⍵
  (+/⍵)÷n
}
mean x
fact←{⍵≤1:1 ⋄ ⍵×∇ ⍵-1}
fact 30
]box on
(⍳3)(2 2⍴⍳4)'text'
