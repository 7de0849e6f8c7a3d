⍝ SPDX-License-Identifier: MIT
⍝ ⎕DT: times as numbers, vectors and texts. Facts: Dyalog's manual, and the epochs themselves.
⍝ needs 1 ⎕DT 0

⍝ Numbers
2 1 ⎕DT 0                          ⍝ → 25568
¯1 1 ⎕DT ⊂1970 1 1                 ⍝ → 25568
1 ¯1 ⎕DT 0 43508.42843             ⍝ →  1899 12 31 0 0 0 0  2019 2 13 10 16 56 352
1 ⎕DT ⊂2019 2 13 10 16 56          ⍝ → 43508.42843
1 ¯30 ⎕DT 44217.63465              ⍝ →  44217 15 13 53
¯30 1 ⎕DT ⊂44217 15 13 54          ⍝ → 44217.63465
¯30 ¯1 ⎕DT ⊂32000 15 10 0          ⍝ →  1987 8 12 15 10 0 0
1 ⎕DT ⊂⍬                           ⍝ → ¯693594
20 ⎕DT ⊂2001 9 9 1 46 40           ⍝ → 1000000000
20 ¯1 ⎕DT 1E9 ¯1                   ⍝ →  2001 9 9 1 46 40 0  1969 12 31 23 59 59 0
⎕PP←19
12 10 16 15 31 32 ⎕DT¨⊂⊂2000 1 1   ⍝ → 946684800000 0 946684800000000000 946684800000000 125911584000000000 ⏎       630822816000000000
⎕PP←10
50 53 52 54 55 56 ⎕DT¨⊂⊂2000 1 1 12  ⍝ → 2451545 51544.5 51545 36525 18262.5 15340.5
50 ¯1 ⎕DT 0                        ⍝ →  ¯4713 11 24 12 0 0 0
33 ⎕DT (1899 12 30 6)(1899 12 29 6)  ⍝ → 0.25 ¯1.25
33 ¯1 ⎕DT 0.25 ¯1.25               ⍝ →  1899 12 30 6 0 0 0  1899 12 29 6 0 0 0
40 ⎕DT (1900 1 1)(1900 2 28)(1900 3 1)(2000 1 1)  ⍝ → 1 59 61 36526
40 ¯20 ⎕DT 1 59 61 36526           ⍝ →  19000101 0  19000228 0  19000301 0  20000101 0
41 ⎕DT ⊂1904 1 2                   ⍝ → 1
30 ⎕DT ⊂2020 2 29 13 14 16         ⍝ → 1348299208
30 ¯1 ⎕DT 1348299208               ⍝ →  2020 2 29 13 14 16 0
⎕PP←16 ⋄ 60 61 ⎕DT¨⊂⊂2020 2 29 13 14 16  ⍝ → 20200229.131416 20200229131416
⎕PP←10 ⋄ 60 61 ¯1 ⎕DT¨20200229.131416 20200229131416  ⍝ ! LENGTH ERROR
60 ¯1 ⎕DT 20200229.131416          ⍝ →  2020 2 29 13 14 16 0
61 ¯1 ⎕DT 20200229131416           ⍝ →  2020 2 29 13 14 16 0
¯1 ⎕DT 3 2⍴1.5                     ⍝ →  1900 1 1 12 0 0 0  1900 1 1 12 0 0 0 ⏎  1900 1 1 12 0 0 0  1900 1 1 12 0 0 0 ⏎  1900 1 1 12 0 0 0  1900 1 1 12 0 0 0

⍝ Vectors
¯10 ⎕DT ⊂2020 12 31                ⍝ →  2020 366 0 0 0 0
¯11 ⎕DT (2021 1 3)(2020 12 31)     ⍝ →  2020 53 7 0 0 0 0  2020 53 4 0 0 0 0
¯11 ¯1 ⎕DT ⊂2020 53 7              ⍝ →  2021 1 3 0 0 0 0
¯10 ¯1 ⎕DT ⊂2021 60                ⍝ →  2021 3 1 0 0 0 0
¯3 ¯2 ⎕DT ⊂2020 1 1 0 0 0 123456789  ⍝ →  2020 1 1 0 0 0 123456
¯20 ⎕DT ⊂2020 1 1 2 3 4            ⍝ →  20200101 20304

⍝ Is it a time?
0 ⎕DT (2020 2 29)(2021 2 29)(2020 13 1)(1 2 3 24)1E300 'Z'  ⍝ → 1 0 0 0 0 1
12 0 ⎕DT 5 ¯5                      ⍝ → 1 1
31 0 ⎕DT ¯1                        ⍝ → 0
31 ¯1 ⎕DT ¯1                       ⍝ ! DOMAIN ERROR: ⎕DT: there is no such time
1 ⎕DT ⊂2021 2 29                   ⍝ ! DOMAIN ERROR: ⎕DT: there is no such time
99 ⎕DT 1                           ⍝ ! DOMAIN ERROR: ⎕DT: there is no such code
⎕DT 1                              ⍝ ! SYNTAX ERROR
1 ⎕DT 'a'                          ⍝ ! DOMAIN ERROR
3=⌊0.5+-/24×1 ⎕DT 'CZ'             ⍝ → 1
60>|-/20 ⎕DT 'Z'(⊃¯1 ⎕DT 'Z')      ⍝ → 1

⍝ Every day of four centuries, there and back
d←¯100000+⍳146097+200000
d≡53 ⎕DT 53 ¯1 ⎕DT 5000↑d          ⍝ → 0
(5000↑d)≡¯1 53 ⎕DT 53 ¯1 ⎕DT 5000↑d  ⍝ → 1
x←146097?246097 ⋄ x←5000↑x
x≡¯11 53 ⎕DT 53 ¯11 ⎕DT x          ⍝ → 1
x≡¯10 53 ⎕DT 53 ¯10 ⎕DT x          ⍝ → 1

⍝ Texts
dt←1 ⎕DT ⊂2019 2 13 10 16 56
'Dddd, DDoo Mmmm YYYY; hh:mm:ss' ⎕DT dt   ⍝ →  Wednesday, 13th February 2019; 10:16:56
'__en__Dddd, DDoo Mmmm YYYY' ⎕DT dt       ⍝ →  Wednesday, 13th February 2019
'"ISO date": %ISO%' ⎕DT dt         ⍝ →  ISO date: 2019-02-13T10:16:56
t←⊂2019 3 4 8 5 0 555
'M MM _M MMM Mmm mmm _mm MMMM Mmmm mmmm' ⎕DT t   ⍝ →  3 03  3 MAR Mar mar Mar MARCH March march
'YY YYYY D DD _D h hh _h m mm s ss f ff fff' ⎕DT t   ⍝ →  19 2019 4 04  4 8 08  8 5 05 0 00 5 55 555
'd DDD Ddd ddd DDDD Dddd dddd w ww WW WWWW' ⎕DT t   ⍝ →  1 MON Mon mon MONDAY Monday monday 10 10 19 2019
'y yyy'⎕DT t                       ⍝ ! SYNTAX ERROR
'y yy _y t tt P PP p pp' ⎕DT t     ⍝ →  63 063  63 8 08 A AM a am
'DDoo' ⎕DT (2000 1 1)(2000 1 2)(2000 1 3)(2000 1 11)(2000 1 22)   ⍝ →  01st  02nd  03rd  11th  22nd
'''''''DD''"x"' ⎕DT ⊂2000 1 1      ⍝ →  'DDx
('YYYY-MM-DD' ¯1)⎕DT '2019-02-13' '1900-01-01'  ⍝ →  2019 2 13 0 0 0 0  1900 1 1 0 0 0 0
('%ISO%' 20)⎕DT ⊂'2001-09-09T01:46:40'   ⍝ → 1000000000
('D.M.YYYY h:mm PP' '%ISO%')⎕DT '1.2.2020 9:05 pm' '13.12.1999 12:30 AM'  ⍝ →  2020-02-01T21:05:00  1999-12-13T00:30:00
('Mmm D, YYYY' ¯20)⎕DT ⊂'Dec 7, 2021'    ⍝ →  20211207 0
('YYYY-MM-DD' 0)⎕DT '2019-02-13' '2019-02-30' '2019-2-13' '2019-02-13x'  ⍝ → 1 0 0 0
('YYYY-MM-DD' 1)⎕DT ⊂'nonsense'    ⍝ ! DOMAIN ERROR: ⎕DT: there is no such time
'YYYY X' ⎕DT t                     ⍝ ! SYNTAX ERROR: ⎕DT: a pattern has no X
'%DIN%' ⎕DT t                      ⍝ ! NONCE ERROR
