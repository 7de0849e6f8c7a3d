⍝ SPDX-License-Identifier: MIT
⍝ ⎕CSV: separated values read and written. T is a folder of this file's own.
⍝ needs ⎕NC '⎕CSV'
⍝ in order: lines depend on what lines before them did

T←⎕ENV 'TMP'
L←⎕UCS 10
C←{⎕CSV ⍵ 'S'}
N←{⎕CSV ⍵ 'S' 2}

⍝ Fields and records
C 'a,b',L,'c,d',L              ⍝ →  a  b ⏎  c  d
⍴C 'a,b',L,'c,d'               ⍝ → 2 2
⍴C ''                          ⍝ → 0 0
⍴C ,L                          ⍝ → 1 1
C 'one'                        ⍝ →  one
≢¨C ',xx,'                     ⍝ → 0 2 0
C '"a,b","say ""hi""",""'      ⍝ →  a,b  say "hi"
≢⊃C '"a',L,'b"'                ⍝ → 3
C '  a  ," b ", c d '          ⍝ →  a   b   c d
(⎕CSV⍠'Trim' 0)'  a ' 'S'      ⍝ →    a
C 'a,b',(⎕UCS 13 10),'c,d'     ⍝ →  a  b ⏎  c  d
C 'é,€',L,'x,',⎕UCS 128512     ⍝ →  é  € ⏎  x  😀
(⎕CSV⍠'Separator' ';')'a;b,c' 'S'  ⍝ →  a  b,c
(⎕CSV⍠'Separator' (⎕UCS 9))('a',(⎕UCS 9),'b')'S'  ⍝ →  a  b
(⎕CSV⍠'QuoteChar' '''')'''a,b'',c' 'S'  ⍝ →  a,b  c
(⎕CSV⍠'EscapeChar' '\')'a\,b,c' 'S'     ⍝ →  a,b  c
⎕CSV ('a,b' 'c,d') 'N'         ⍝ →  a  b ⏎  c  d
C 'a,b',L,'c'                  ⍝ ! DOMAIN ERROR: ⎕CSV: row 2 has 1 fields, not 2
C 'a,b',L,'c,d,e'              ⍝ ! DOMAIN ERROR: ⎕CSV: row 2 has 3 fields, not 2
≢¨(⎕CSV⍠'Ragged' 1)('aa,bb',L,'cc')'S'  ⍝ → 2 2 ⏎ 2 0
C 'a,"b'                       ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 2: a quote is not closed

⍝ Numbers
N '1,2',L,'3,4'                ⍝ → 1 2 ⏎ 3 4
N '1.5,-2,¯3,1e3,1E-2,.5,5.'   ⍝ → 1.5 ¯2 ¯3 1000 0.01 0.5 5
⎕DR N '1,2'                    ⍝ → 83
⎕CSV '39e1804,7' 'S' 4         ⍝ →  39e1804  7
⎕CSV '-1e309,1e-400' 'S' 4     ⍝ →  -1e309  0
N '4e492493924924'             ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1: '4e492493924924' is no number
N '1e99999999999999999999,1'   ⍝ ! DOMAIN ERROR
N 400⍴'9'                      ⍝ ! DOMAIN ERROR
N '1',(400⍴'0'),'e-400'        ⍝ → 1
N '0.',(400⍴'0'),'1e401'       ⍝ → 1
N '1e-99999999999999999999'    ⍝ → 0
¯1↑⎕CSV((300000⍴⊂'12,3456'),⊂'1e999,2')'N' 4  ⍝ →  1e999  2
⎕DR N '1,0'                    ⍝ → 11
⎕DR N '1,2.5'                  ⍝ → 645
⎕PP←19 ⋄ N '9223372036854775807'       ⍝ → 9223372036854775807
⎕PP←10 ⋄ 1E19=N '10000000000000000000'  ⍝ → 1
0.1 123456.789 1.7976931348623157E308 4.9E¯324≡,N '0.1,123456.789,1.7976931348623157e308,4.9e-324'  ⍝ → 1
3.141592653589793≡,N '3.14159265358979323846264338327950288'  ⍝ → 0
(○1)=N '3.14159265358979323846264338327950288'                ⍝ → 1
N 'x'                          ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1: 'x' is no number
N '1,2',L,'3,'                 ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 2: it is empty
N '1,2',L,'3,4 5'              ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 2: '4 5' is no number
N '1,"2"',L,' 3 ,4'            ⍝ → 1 2 ⏎ 3 4
N '1e'                         ⍝ ! DOMAIN ERROR
N '--1'                        ⍝ ! DOMAIN ERROR
N '-'                          ⍝ ! DOMAIN ERROR
⎕CSV '1,,x' 'S' 4              ⍝ → 1    x
⎕CSV '1,,3' 'S' 3              ⍝ → 1 0 3
(⎕CSV⍠'Fill' ¯1)'1,,3' 'S' 3   ⍝ → 1 ¯1 3
⎕CSV '1,,2' 'S' 5              ⍝ → 1 0 2
⎕CSV '1,,x' 'S' 5              ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 3: 'x' is no number
⎕CSV '1,,x' 'S' 3              ⍝ → 1 0 0
(⎕CSV⍠'Fill' ¯1)'x,,2' 'S' 3   ⍝ → ¯1 ¯1 2
(⎕CSV⍠'Fill' 0.5)'1,,2' 'S' 5  ⍝ → 1 0.5 2
⎕CSV ('1,x' '2,3') 'N' 3       ⍝ → 1 0 ⏎ 2 3
⎕CSV '1,,2e999' 'S' 4          ⍝ → 1    2e999
(⎕CSV⍠'Fill' 'x')'1,,2' 'S' 5  ⍝ ! DOMAIN ERROR: ⎕CSV: Fill is a number
(⎕CSV⍠1)'1,2' 'S' 4            ⍝ ! DOMAIN ERROR: ⎕CSV: Invert 1 takes no columns of type 4
(⎕CSV⍠'Ragged' 1)('1,2' '3') 'N' (2 2)  ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 2: it is empty
(⎕CSV⍠'Ragged' 1)('1,2,7' '3') 'N' (2 5)  ⍝ → 1 2 ⏎ 3 0
⎕CSV '1,b,3' 'S' (2 0 1)       ⍝ → 1  3
⎕CSV '1,b,3' 'S' (2 1)         ⍝ ! LENGTH ERROR: ⎕CSV: 2 column types, but 3 columns
⎕CSV '1' 'S' 6                 ⍝ ! DOMAIN ERROR: ⎕CSV: column types are 0 to 5
(⎕CSV⍠('Decimal' ',')('Separator' ';')('Thousands' '.'))'1.234,5;2' 'S' 2  ⍝ → 1234.5 2

⍝ Headers and columns
t←'name,n',L,'ada,1',L,'bob,22',L
⎕CSV t 'S' (1 2) 1             ⍝ →   ada   1   name  n ⏎   bob  22
d h←⎕CSV t 'S' (1 2) 1 ⋄ h     ⍝ →  name  n
(⎕CSV⍠'Invert' 1)t 'S' (1 2) 1  ⍝ →   ada  1 22    name  n ⏎   bob
(⎕CSV⍠'Invert' 2)('ada,1',L,'bob,22')'S' (1 2)  ⍝ →   ada  bob   1 22
⍴⊃⎕CSV 'a,b' 'S' 1 1           ⍝ → 0 2
⍴¨(⎕CSV⍠'Invert' 2)'a,b' 'S' (1 2) 1   ⍝ →  2  2
x←(⎕CSV⍠'Invert' 2)('ab',L,'ab',L,'é',L,'é') 'S' ⋄ ⊃x  ⍝ →  ab  ab  é  é

2⊃⎕CSV ('a,b,c',L,'1,2,3') 'S' (1 0 2) 1  ⍝ →  a  c
2⊃⎕CSV 'a,b,c' 'S' (1 0 2) 1   ⍝ →  a  c

⍝ Written
f←T,'/a.csv'
⎕←(2 2⍴1 'a b' 2.5 'c,"d')⎕CSV f               ⍝ → 18
⊃⎕NGET f 1                                     ⍝ →  1,a b  2.5,"c,""d"
(2 2⍴1 'a b' 2.5 'c,"d')≡⎕CSV f '' (2 1)       ⍝ → 1
1 2 ⎕CSV f                                     ⍝ ! FILE NAME ERROR
⎕←(1 2⍴3 4)(⎕CSV⍠'Overwrite' 1)f               ⍝ → 4
⎕←(1 2⍴3 4)(⎕CSV⍠'IfExists' 'Replace')f        ⍝ → 4
1 2 (⎕CSV⍠'Overwrite' 1)f                      ⍝ ! RANK ERROR
⎕CSV f '' 2                                    ⍝ → 3 4
((2 2⍴⍳4)('a' 'b'))⎕CSV '' 'N'                 ⍝ →  a,b  1,2  3,4
(⊂⍤⊢¨(1 2 3)('x' 'yy' ''))(⎕CSV⍠'Invert' 1)'' 'N'  ⍝ ! RANK ERROR
((1 2 3)('x' 'yy' ''))(⎕CSV⍠'Invert' 1)'' 'N'  ⍝ →  1,x  2,yy  3,
(((1 2)('x' 'yy'))('n' 't'))(⎕CSV⍠'Invert' 1)'' 'N'  ⍝ →  n,t  1,x  2,yy
(1 2)(3 4 5)(⎕CSV⍠'Invert' 1)'' 'N'            ⍝ ! LENGTH ERROR
(1 3⍴¯1 0.1 1E¯7)⎕CSV '' 'N'                   ⍝ →  -1,0.1,1e-7
(1 3⍴1E20 1E21 123456789.25)⎕CSV '' 'N'        ⍝ →  100000000000000000000,1e21,123456789.25
(1 1⍴⊂2 2⍴4)⎕CSV '' 'S'                        ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 is no text and no real number
(1 1⍴0J1)⎕CSV '' 'S'                           ⍝ ! DOMAIN ERROR
(1 1⍴⎕F32 0.1)⎕CSV '' 'N'                      ⍝ →  0.1
(⎕CSV⍠'Colour' 1)f                             ⍝ ! DOMAIN ERROR: ⎕CSV has no option Colour
⎕CSV T,'/nothing'                              ⍝ ! FILE NAME ERROR
⎕←('a,é' 'Latin-1')⎕NPUT f 1                   ⍝ → 4
⎕CSV f                                         ⍝ ! DOMAIN ERROR: ⎕CSV: the byte 233 at offset 2 is not UTF-8; 'ISO-8859-1' as left argument reads any byte
⎕CSV f 'Latin-1'                               ⍝ →  a  é

⍝ What was written comes back
m←?500 7⍴0 ⋄ _←m(⎕CSV⍠'Overwrite' 1)f ⋄ m≡⎕CSV f '' 2    ⍝ → 1
m←¯5E8+?500 3⍴1E9 ⋄ _←m(⎕CSV⍠'Overwrite' 1)f ⋄ m≡⎕CSV f '' 2    ⍝ → 1
m←¯1E3+?100003 1⍴2000 ⋄ _←m(⎕CSV⍠'Overwrite' 1)f ⋄ m≡⎕CSV f '' 2    ⍝ → 1
q←200 3⍴{⍵↓⎕UCS 32 34 34 44 10 97 233 32}¨¯1+⍳7
_←q(⎕CSV⍠'Overwrite' 1)f ⋄ q≡⎕CSV f              ⍝ → 1

⍝ Large files are read by several threads, unless something in them is not plain
m←¯5E5+?60013 5⍴1E6
_←m(⎕CSV⍠'Overwrite' 1)f ⋄ 1E6<2 ⎕NINFO f      ⍝ → 1
m≡⎕CSV f '' 2                                  ⍝ → 1
m[;2 4]≡⎕CSV f '' (0 2 0 2 0)                  ⍝ → 1
(↓⍉m)≡(⎕CSV⍠'Invert' 1)f '' 2                  ⍝ → 1
m[60001;3]←0.5 ⋄ _←m(⎕CSV⍠('Overwrite' 1)('LineEnding' 10))f ⋄ m≡⎕CSV f '' 2   ⍝ → 1
⎕DR¨(⎕CSV⍠'Invert' 1)f '' 2                    ⍝ → 323 323 645 323 323
_←(⊂(60000⍴⊂'1,22222222,3333333,44444444'),⊂'1,2,x,4')⎕NPUT f 1
⎕CSV f '' 2                                    ⍝ ! DOMAIN ERROR: ⎕CSV: row 60001, column 3: 'x' is no number
_←(⊂(60000⍴⊂'1,22222222,3333333,44444444'),⊂'1,2,3')⎕NPUT f 1
⎕CSV f '' 2                                    ⍝ ! DOMAIN ERROR: ⎕CSV: row 60001 has 3 fields, not 4
_←(⊂(60000⍴⊂'1,22222222,3333333,44444444'),⊂'1,2,3,"4"')⎕NPUT f 1
¯1 ¯2↑⎕CSV f '' 2                              ⍝ → 3 4
_←(⊂(60000⍴⊂'1,22222222,3333333,44444444'),⊂'')⎕NPUT f 1
⎕CSV f '' 2                                    ⍝ ! DOMAIN ERROR: ⎕CSV: row 60001, column 1: it is empty

⍝ Fields of fixed widths
W←{(⎕CSV⍠'Widths' ⍺)⍵ 'S'}
3 2 W 'ab 12',L,'é€ 7 '        ⍝ →  ab  12 ⏎  é€  7
≢¨3 2 W 'ab 12',L,'é€ 7 '      ⍝ → 2 2 ⏎ 2 1
3 2 W 'a,""b',(⎕UCS 13 10),'cde f'  ⍝ →  a,"  "b ⏎  cde  f
(⎕CSV⍠('Widths' (2 3))('Trim' 0))'ab cd' 'S'  ⍝ →  ab   cd
(⎕CSV⍠('Widths' (2 3))('Trim' 0))' 1 2.5' 'S' 2  ⍝ ! DOMAIN ERROR: ⎕CSV: row 1 has 6 characters, not 5
(⎕CSV⍠('Widths' (2 4))('Trim' 0))' 1 2.5' 'S' 2  ⍝ → 1 2.5
(⎕CSV⍠'Widths' (3 3))('a   12' 'b  ¯ 3')'N'(1 2)  ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 2: '¯ 3' is no number
(⎕CSV⍠'Widths' (3 3))('a   12' 'b     ')'N'(1 2)  ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 2: it is empty
(⎕CSV⍠'Widths' (3 3))('a   12' 'b     ')'N'(1 3)  ⍝ →  a  12 ⏎  b   0
(⎕CSV⍠('Widths' (3 3))('Invert' 1))('a   12' 'bcd  5')'N'(1 2)  ⍝ →  a    12 5 ⏎  bcd
(⎕CSV⍠'Widths' (1 2 1))'a12b' 'S'(1 0 1)       ⍝ →  a  b
(⎕CSV⍠'Widths' 2)'ab' 'S'      ⍝ →  ab
(⎕CSV⍠'Widths' ⍬)'a,b' 'S'     ⍝ →  a  b
⍴3 2 W ''                      ⍝ → 0 2
⍴3 2 W ,L                      ⍝ ! DOMAIN ERROR: ⎕CSV: row 1 has 0 characters, not 5
3 2 W 'ab 12',L,'abcd'         ⍝ ! DOMAIN ERROR: ⎕CSV: row 2 has 4 characters, not 5
3 2 W 'ab 12',L,'é'            ⍝ ! DOMAIN ERROR: ⎕CSV: row 2 has 1 characters, not 5
3 2 W 'ab 12',L,'abcdéfg'      ⍝ ! DOMAIN ERROR: ⎕CSV: row 2 has 7 characters, not 5
(⎕CSV⍠('Widths' (3 2))('Ragged' 1))('ab 12' '' 'é' 'abcdefg')'N'  ⍝ →  ab   12 ⏎  ⏎  é ⏎  abc  de
≢¨(⎕CSV⍠('Widths' (3 2))('Ragged' 1)('Trim' 0))('' 'é' 'abcd')'N'  ⍝ → 3 2 ⏎ 3 2 ⏎ 3 2
(⎕CSV⍠'Widths' (3 3))('n    v' 'a    1')'N'(1 2)1  ⍝ →   a  1   n  v
(⎕CSV⍠'Widths' (3 2))'ab 12' 'S'(1 2 2)        ⍝ ! LENGTH ERROR: ⎕CSV: 3 column types, but 2 columns
0 W 'a'                        ⍝ ! DOMAIN ERROR: ⎕CSV: Widths are whole numbers above 0
¯1 2 W 'a'                     ⍝ ! DOMAIN ERROR: ⎕CSV: Widths are whole numbers above 0
1.5 W 'a'                      ⍝ ! DOMAIN ERROR: ⎕CSV: Widths are whole numbers above 0
'ab' W 'a'                     ⍝ ! DOMAIN ERROR: ⎕CSV: Widths are whole numbers above 0
(1 1⍴2) W 'ab'                 ⍝ ! DOMAIN ERROR: ⎕CSV: Widths are whole numbers above 0

⍝ Written: texts at the left, numbers at the right, with fewer digits where they must
V←{⍵(⎕CSV⍠'Widths' ⍺)'' 'N'}
4 3 V 2 2⍴'ab' 1 'cdéf' ¯12    ⍝ →  ab    1  cdéf-12
4 3 V (2 2⍴'ab' 1 'c,d' 2)('n"' 'v')   ⍝ →  n"  v    ab    1  c,d   2
⊃8 6 4 V 1 3⍴○1 1E¯10 1E3      ⍝ → 3.141593 3e-103142
6 V 1 1⍴○1                     ⍝ →  3.1416
1 V 1 1⍴○1                     ⍝ →  3
3 V 1 1⍴12.75                  ⍝ →   13
6 V 1 1⍴1.2345E25              ⍝ →  1.2e25
7 V 1 1⍴¯1.2345E¯25            ⍝ →   -1e-25
4 V 1 1⍴0.0625                 ⍝ →  0.06
6 V 1 1⍴⎕F32 0.1               ⍝ →     0.1
3 V 1 1⍴999.75                 ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 has 4 characters and a width of 3
3 V 1 1⍴1234.5                 ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 has 4 characters and a width of 3
3 V 1 1⍴1234                   ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 has 4 characters and a width of 3
4 3 V 2 2⍴'ab' 1 'abcde' 2     ⍝ ! DOMAIN ERROR: ⎕CSV: row 2, column 1 has 5 characters and a width of 4
4 V 1 1⍴⊂'a',L,'b'             ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 has a line end, which no fixed width can hold
4 3 V 1 3⍴1                    ⍝ ! LENGTH ERROR: ⎕CSV: 2 widths, but 3 columns
((1 20)('x' 'yy'))(⎕CSV⍠('Widths' (3 3))('Invert' 1))'' 'N'  ⍝ →    1x     20yy 
q←20 3⍴{⍵↑'aé€😀bcd'}¨⍳7
_←q(⎕CSV⍠('Widths' (7 8 9))('Overwrite' 1))f ⋄ q≡(⎕CSV⍠'Widths' (7 8 9))f  ⍝ → 1
m←?500 3⍴0 ⋄ _←m(⎕CSV⍠('Widths' (25 24 23))('Overwrite' 1))f ⋄ m≡(⎕CSV⍠'Widths' (25 24 23))f '' 2  ⍝ → 1

⍝ At most so many records
R←{(⎕CSV⍠'Records' ⍺)⍵ 'N'}
2 R 'a,b' 'c,d' 'e'            ⍝ →  a  b ⏎  c  d
3 R 'a,b' 'c,d' 'e'            ⍝ ! DOMAIN ERROR: ⎕CSV: row 3 has 1 fields, not 2
⍴0 R 'a,b' 'c,d'               ⍝ → 2 2
⍴9 R 'a,b' 'c,d'               ⍝ → 2 2
(⎕CSV⍠'Records' 1)('n,v' 'a,1' 'b,x')'N'(1 2)1  ⍝ →   a  1   n  v
¯1 R 'a' 'b'                   ⍝ ! DOMAIN ERROR
1.5 R 'a' 'b'                  ⍝ ! DOMAIN ERROR
(⎕CSV⍠('Records' 1)('Widths' (2 1)))('ab1' 'x')'N'(1 2)  ⍝ →  ab  1
m←?100003 3⍴1000 ⋄ _←m(⎕CSV⍠'Overwrite' 1)f
(5↑m)≡(⎕CSV⍠'Records' 5)f '' 2                 ⍝ → 1

⍝ Equal texts are one array, however many others are between them
w←(⊂'Ã©'),(⊂,'é'),(⍕¨⍳5000),({'é€😀',⍕⍵}¨⍳3000),(⊂70⍴'x'),⊂70⍴'é'
t←w[?70000⍴≢w] ⋄ _←(⊂t)⎕NPUT f 1
t≡,⎕CSV f                      ⍝ → 1
t≡⊃(⎕CSV⍠'Invert' 2)f          ⍝ → 1

⍝ Floats are rounded once, however many digits they have
⎕PP←17
Q←{⎕CSV ⍵ 'S' 2}
,Q '0.1234567890123456789,9007199254740992.5,9007199254740993.0,9007199254740993.1'  ⍝ → 0.12345678901234568 9007199254740992 9007199254740992 9007199254740994
,Q '.9007199254740993,-1234567.8901234567,5.,-.5,0.30000000000000004'  ⍝ → 0.90071992547409929 ¯1234567.8901234567 5 ¯0.5 0.30000000000000004
,Q '1234567,12345678,123456.,1234567.5'  ⍝ → 1234567 12345678 123456 1234567.5
Q '1.2.3'                      ⍝ ! DOMAIN ERROR
⎕PP←10

⍝ A tied file is read on where the last call ended
TF←T,'/tied.csv'
_←(⊂(⊂'k,t'),{(⍕⍵),',"a',(⎕UCS 10),(⍕⍵),'äöü"'}¨⍳20000)⎕NPUT TF 1
n←TF ⎕NTIE 0
h←(⎕CSV⍠('Records' 3)('Invert' 2))n '' (2 1) 1
(⊃⊃h)(≢¨⊃⌽⊃h)                  ⍝ →  1 2 3  6 6 6
more←{(⎕CSV⍠('Records' ⍵)('Invert' 2))n '' (2 1)}
⊃more 1                        ⍝ → 4
⊃⊖⊃more 15000                  ⍝ → 15004
(≢,⊃)⊃more 15000               ⍝ → 4996 15005
(≢⊃more 1)(≢⊃⎕CSV n '' 2)      ⍝ → 0 0
⎕NUNTIE n
⎕CSV n ''                      ⍝ ! FILE TIE ERROR
n←TF ⎕NTIE 0
⍴⎕CSV n '' (2 1)               ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1: 'k' is no number
⍴⎕CSV n '' (1 1)               ⍝ → 20001 2
⎕NUNTIE n
_←(⊂'1,"2' '3,4')⎕NPUT TF 1
n←TF ⎕NTIE 0
(⎕CSV⍠'Records' 1)n '' 1       ⍝ ! DOMAIN ERROR
⎕NUNTIE n
_←(⊂⎕UCS 49 44 255 10)⎕NPUT TF 1
_←((⊂⎕UCS 49 44 255 10)'Latin-1')⎕NPUT TF 1
n←TF ⎕NTIE 0
(⎕CSV⍠'Records' 1)n '' 1       ⍝ ! DOMAIN ERROR
⎕NUNTIE n

⍝ Line ends in fields come in as one line feed, and go out as the one that is asked for
CR←⎕UCS 13
⎕UCS ⊃⎕CSV('"a',CR,L,'b"')'S' 1                ⍝ → 97 10 98
⎕UCS ⊃⎕CSV('"a',CR,'b',CR,'"')'S' 1            ⍝ → 97 10 98 10
⎕UCS ⊃(⎕CSV⍠'EscapeChar' '\')('a\',CR,L,'b')'S'   ⍝ → 97 10 98
⎕UCS ⊃(⎕CSV⍠'EscapeChar' '\')('"a\',CR,'b"')'S'   ⍝ → 97 10 98
⍴⎕CSV('"a',CR,L,'b",c',CR,L,'d,"',CR,'"')'S'   ⍝ → 2 2
⎕UCS (1 1⍴⊂'a',L,'b')(⎕CSV⍠'LineEnding' (13 10))''   ⍝ → 34 97 13 10 98 34 13 10
⎕UCS (1 1⍴⊂'a',L,'b')⎕CSV''                    ⍝ → 34 97 10 98 34 10

⍝ Quotes, escapes and separators
(1 2⍴'a,b' 'c')(⎕CSV⍠'QuoteChar' '')'' 'N'     ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 needs a QuoteChar or an EscapeChar
(1 2⍴'a,b' ' c')(⎕CSV⍠('QuoteChar' '')('EscapeChar' '\'))'' 'N'   ⍝ →  a\,b,\ c
(⎕CSV⍠('QuoteChar' '')('EscapeChar' '\'))' a\,b ,\ c ' 'S'   ⍝ →  a,b   c
(1 2⍴1 'a')(⎕CSV⍠'ForceQuotes' 1)'' 'N'        ⍝ →  1,"a"
(1 2⍴1 'a')(⎕CSV⍠'ForceQuotes' (2 0))'' 'N'    ⍝ →  "1",a
(1 2⍴1 'a')(⎕CSV⍠'ForceQuotes' (2 0 1))'' 'N'  ⍝ ! LENGTH ERROR
(1 2⍴1 'a')(⎕CSV⍠'ForceQuotes' 3)'' 'N'        ⍝ ! DOMAIN ERROR: ⎕CSV: ForceQuotes takes 0 to 2, for all columns or each
(1 2⍴2.5 7)(⎕CSV⍠'Decimal' ',')'' 'N'          ⍝ →  "2,5",7
(1 3⍴1234567 ¯1234.5 12)(⎕CSV⍠'Thousands' '_')'' 'N'   ⍝ →  1_234_567,-1_234.5,12
(⎕CSV⍠'Thousands' '_')'1_234_567,-1_234.5,12' 'S' 2    ⍝ → 1234567 ¯1234.5 12
(⎕CSV⍠'Thousands' '_')((100⍴'1_'),'1,2') 'S' 2 ⍝ → 1.111111111E50 2
(1 1⍴⊂⎕UCS 97 55357)⎕CSV ''                    ⍝ ! DOMAIN ERROR: ⎕CSV: row 1, column 1 has half of a pair, which is no character

⍝ Options: one that is not there, or a value that it does not take
(⎕CSV⍠2)'1,2' 'S' 2                            ⍝ →  1  2
(⎕CSV⍠3)'1,2' 'S' 2                            ⍝ ! DOMAIN ERROR: ⎕CSV: Invert takes 0 to 2
(⎕CSV⍠('Invert' 2)⍠'Records' 1)('1,2' '3,4') 'N' 2   ⍝ →  1  2
(⎕CSV⍠('Records' 2)('Invert' 2)⍠'Records' 1)('1,2' '3,4') 'N' 2   ⍝ →  1  2
(⎕CSV⍠⍬)'1,2' 'S' 2                            ⍝ → 1 2
(⎕CSV⍠'Separator' '')'1,2' 'S' 2               ⍝ ! DOMAIN ERROR: ⎕CSV: Separator is one ASCII character
(⎕CSV⍠'Separator' '"')'1,2' 'S' 2              ⍝ ! DOMAIN ERROR: ⎕CSV: Separator, QuoteChar and EscapeChar must differ
(⎕CSV⍠'Decimal' ';')'1,2' 'S' 2                ⍝ ! DOMAIN ERROR: ⎕CSV: Decimal is . or ,
(⎕CSV⍠'LineEnding' 65)'1,2' 'S' 2              ⍝ ! DOMAIN ERROR: ⎕CSV: LineEnding is 10, 13, 13 10 or 133
(⎕CSV⍠'IfExists' 'Maybe')'1,2' 'S' 2           ⍝ ! DOMAIN ERROR: ⎕CSV: IfExists takes one of: Error Replace
(⎕CSV⍠'Ragged' 2)'1,2' 'S' 2                   ⍝ ! DOMAIN ERROR: ⎕CSV: Ragged takes 0 to 1
⎕CSV ('1,2' '3,4')'S' 2                        ⍝ ! DOMAIN ERROR
⎕CSV '1,2' 'N' 2                               ⍝ ! DOMAIN ERROR: ⎕CSV: 'N' takes a vector of lines
⎕CSV ⊂'1,2' '3,4'                              ⍝ →  1  2 ⏎  3  4
⎕CSV '1,2' 'S' 2 0 7                           ⍝ ! LENGTH ERROR
(1 1⍴1)⎕CSV 7                                  ⍝ ! NONCE ERROR
