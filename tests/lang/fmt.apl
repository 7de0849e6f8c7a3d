⍝ SPDX-License-Identifier: MIT
⍝ ⎕FMT: always a matrix, or columns by a format.

⍝ ── monadic
⍴⎕FMT 5                        ⍝ → 1 1
⍴⎕FMT 12.5                     ⍝ → 1 4
⍴⎕FMT 1 2 3                    ⍝ → 1 5
⍴⎕FMT 'abc'                    ⍝ → 1 3
⍴⎕FMT 'a'                      ⍝ → 1 1
⍴⎕FMT ''                       ⍝ → 1 0
⍴⎕FMT ⍬                        ⍝ → 1 0
⍴⎕FMT 2 3⍴⍳6                   ⍝ → 2 5
⍴⎕FMT 2 2 2⍴⍳8                 ⍝ → 5 3
⍴⎕FMT (1 2)(3 4)               ⍝ → 1 10
⍴⎕FMT ⊂2 2⍴⍳4                  ⍝ → 2 5
⎕FMT 'ab',(⎕UCS 10),'cde'      ⍝ → ab ⏎ cde
⍴⎕FMT 'ab',(⎕UCS 10),'cde'     ⍝ → 2 3
⍴⎕FMT 'ab',(⎕UCS 13),'cde'     ⍝ → 2 3
⍴⎕FMT 'ab',(⎕UCS 13 10),'cde'  ⍝ → 2 3
⍴⎕FMT 'ab',(⎕UCS 10)           ⍝ → 1 2
⍴⎕FMT 'ab',(⎕UCS 8),'c'        ⍝ → 1 2
⎕FMT 'ab',(⎕UCS 8),'c'         ⍝ → ac

⍝ ── integers, decimals, characters
'I5' ⎕FMT 10 20 30             ⍝ →    10 ⏎    20 ⏎    30
'I3,F5.2' ⎕FMT 2 4⍴⍳8          ⍝ →   1 2.00  3 4.00 ⏎   5 6.00  7 8.00
'2I4,F7.1' ⎕FMT (⍳4)(2 2⍴0.1×⍳4) ⍝ →    1   0    0.2 ⏎    2   0    0.4 ⏎    3 ⏎    4
'A2' ⎕FMT 1 6⍴'SPACED'         ⍝ →  S P A C E D
'LA3' ⎕FMT 1 2⍴'ab'            ⍝ → a  b
'F5.2' ⎕FMT 0.1×5 1000 ¯100    ⍝ →  0.50 ⏎ ***** ⏎ *****
'I4' ⎕FMT 5                    ⍝ →    5
⍴'I4' ⎕FMT 5                   ⍝ → 1 4
⍴'I4' ⎕FMT ⍬                   ⍝ → 0 4
'I3' ⎕FMT 999 1000 ¯99 ¯100    ⍝ → 999 ⏎ *** ⏎ ¯99 ⏎ ***
'I4' ⎕FMT 2.5 ¯2.5 3.49        ⍝ →    3 ⏎   ¯3 ⏎    3
'F6.1' ⎕FMT ¯0.04              ⍝ →    0.0
'I3,A1' ⎕FMT 5 'x'             ⍝ →   5x
'2I3' ⎕FMT 2 4⍴⍳8              ⍝ →   1  2  3  4 ⏎   5  6  7  8
'I2,X3,3A1' ⎕FMT (⍳3)(2 3⍴'TOPCAT') ⍝ →  1   TOP ⏎  2   CAT ⏎  3
'6I1,T5,A1,T1,3A1,T7,F5.1' ⎕FMT (1 6⍴⍳6)('*')(1 3⍴'ABC')(22.2) ⍝ → ABC4*6 22.2
'I3,X¯2,A1' ⎕FMT 5 '<'         ⍝ →  <5
'A1,T0,A1,T5,A1,T0,A1' ⎕FMT 1 4⍴'abcd' ⍝ → ab  cd
'F20.1' ⎕FMT 1E18÷3            ⍝ → 3333333333333333__._
'5A1,<|>' ⎕FMT (3 5⍴'FRED BILL JAMES')(2 5⍴'MARY JUNE ') ⍝ → FRED |MARY | ⏎ BILL |JUNE | ⏎ JAMES|     |
'⊂no. ⊃,I2,⎕: ⎕,A1' ⎕FMT 5 'x' ⍝ → no.  5: x
'E10.3' ⎕FMT 5 12345.678       ⍝ →   5.00E0␠␠ ⏎   1.23E4␠␠
'E8.2' ⎕FMT ¯0.00123           ⍝ → ¯1.2E¯3␠
'E12.4' ⎕FMT 12553 0.0487 ¯62.133 ⍝ →    1.255E4␠␠ ⏎    4.870E¯2␠ ⏎   ¯6.213E1␠␠
'E7.4' ⎕FMT 12553 1E15         ⍝ → 1.255E4 ⏎ *******
'I4,F6.1,F6.1' ⎕FMT 1 3⍴704.5 8.45 464.45 ⍝ →  705   8.5 464.5
'E6.2' ⎕FMT 12553 0.02         ⍝ → 1.3E4␠ ⏎ 2.0E¯2

⍝ ── qualifiers
'F5.1,BF6.1,X1,ZF5.1,X1,LF5.1,K3CS<.,,.>F10.1' ⎕FMT ⍉5 3⍴¯1.5 0 25 ⍝ →  ¯1.5  ¯1.5 ¯01.5 ¯1.5   ¯1.500,0 ⏎   0.0       000.0 0.0         0,0 ⏎  25.0  25.0 025.0 25.0   25.000,0
'M<(>N<)>Q< >F9.2' ⎕FMT 150.3 ¯50.25 0 1114.9 ⍝ →   150.30 ⏎   (50.25) ⏎     0.00 ⏎  1114.90
'CI10' ⎕FMT 1234567 123 ¯1234  ⍝ →  1,234,567 ⏎        123 ⏎     ¯1,234
'CF12.2' ⎕FMT 1234567.891      ⍝ → 1,234,567.89
'CZI9' ⎕FMT 1234               ⍝ → 0,001,234
'ZI4' ⎕FMT 7 ¯7                ⍝ → 0007 ⏎ ¯007
'LI5,<|>' ⎕FMT 42              ⍝ → 42   |
'BI3,<|>' ⎕FMT 0 5             ⍝ →    | ⏎   5|
'K2I5' ⎕FMT 1.5                ⍝ →   150
'K¯2F6.2' ⎕FMT 150             ⍝ →   1.50
'K-2F6.2' ⎕FMT 150             ⍝ →   1.50
'P<+>I4' ⎕FMT 5 ¯5             ⍝ →   +5 ⏎   ¯5
'P<$>F8.2' ⎕FMT 3.5            ⍝ →    $3.50
'Q<%>I4' ⎕FMT 50               ⍝ →  50%
'N< CR>I7' ⎕FMT ¯5 5           ⍝ →   ¯5 CR ⏎       5
'R<*>F9.2' ⎕FMT 12.3           ⍝ → ****12.30
'R<ab>I5' ⎕FMT 12              ⍝ → aba12
'BR<->I3' ⎕FMT 0               ⍝ → ---
'S<*?>I2' ⎕FMT 100             ⍝ → ??
'S<¯->I3' ⎕FMT ¯5              ⍝ →  -5
'O<NIL>F7.2' ⎕FMT 12.3 0 42.5  ⍝ →   12.30 ⏎     NIL ⏎   42.50
'O<NIL>LF7.2' ⎕FMT 12.3 0 42.5 ⍝ → 12.30 ⏎ NIL ⏎ 42.50
'O<NIL>O42<N/A>I6' ⎕FMT 12 0 42 13 ⍝ →     12 ⏎    NIL ⏎    N/A ⏎     13
'O99<replace>F20.2' ⎕FMT 99 100 ⍝ →              replace ⏎               100.00
'O0.001<1/1000>I7' ⎕FMT 0.001 2 ⍝ →  1/1000 ⏎       2
'O¯1<no>I3' ⎕FMT ¯1 1          ⍝ →  no ⏎   1

⍝ ── groups and patterns
'I2,2(</>,ZI2)' ⎕FMT 1 3⍴20 7 89 ⍝ → 20/07/89
'2(I2,<->),I3' ⎕FMT 1 3⍴1 2 3  ⍝ →  1- 2-  3
'2(A1,2(I2))' ⎕FMT 'x'(1 2⍴1 2)'y'(1 2⍴3 4) ⍝ → x 1 2y 3 4
'G⊂99/99/99⊃' ⎕FMT 80789       ⍝ → 08/07/89
'G⊂ZZ/ZZ/ZZ⊃' ⎕FMT 80789+0 1   ⍝ →  8/07/89 ⏎  8/07/9
'G⊂Andy ZZ Pauline ZZ⊃' ⎕FMT 2721.499 2699.5 ⍝ → Andy 27 Pauline 21 ⏎ Andy 27
'K2G⊂DM Z.ZZZ.ZZ9,99⊃' ⎕FMT 1234567.89 1234.56 ⍝ → DM 1.234.567,89 ⏎ DM     1.234,56
'G<99>' ⎕FMT 5 100             ⍝ → 05 ⏎ **
'G<(999) 999-9999>' ⎕FMT 5551234567 ⍝ → (555) 123-4567
'BG<99>' ⎕FMT 0 1              ⍝ →  ⏎ 01
'S<9X>GXXX9⍞' ⎕FMT 5           ⍝ ! FORMAT ERROR
'S<9X>G<XX 9>' ⎕FMT 5          ⍝ → 05 9

⍝ ── errors
'A1,1X,I5' ⎕FMT 'a' 5          ⍝ ! FORMAT ERROR
'I' ⎕FMT 5                     ⍝ ! FORMAT ERROR
'F5' ⎕FMT 5                    ⍝ ! FORMAT ERROR
'F5.4' ⎕FMT 5                  ⍝ ! FORMAT ERROR
'E5.4' ⎕FMT 5                  ⍝ ! FORMAT ERROR
'W5' ⎕FMT 5                    ⍝ ! FORMAT ERROR
'I5,' ⎕FMT 5                   ⍝ ! FORMAT ERROR
'(I5' ⎕FMT 5                   ⍝ ! FORMAT ERROR
'I5)' ⎕FMT 5                   ⍝ ! FORMAT ERROR
'<x' ⎕FMT 5                    ⍝ ! FORMAT ERROR
'<x>' ⎕FMT 5                   ⍝ ! FORMAT ERROR
'' ⎕FMT 5                      ⍝ ! FORMAT ERROR
'A5' ⎕FMT 5                    ⍝ ! FORMAT ERROR
'I5' ⎕FMT 'a'                  ⍝ ! FORMAT ERROR
5 ⎕FMT 5                       ⍝ ! DOMAIN ERROR
(1 2⍴'I5') ⎕FMT 5              ⍝ ! RANK ERROR
'I5' ⎕FMT 1 1 1⍴5              ⍝ ! RANK ERROR
'I5' ⎕FMT ⊂⊂1 2                ⍝ ! DOMAIN ERROR
