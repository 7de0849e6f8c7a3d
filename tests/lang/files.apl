⍝ SPDX-License-Identifier: MIT
⍝ Files of text: ⎕NGET ⎕NPUT. T is a folder of this file's own.
⍝ needs ⎕NC '⎕NGET'

T←⎕ENV 'TMP'
f←T,'/a.txt'

⍝ Written and read back
'one line' ⎕NPUT f                              ⍝ → 8
⎕NGET f                                         ⍝ →  one line  UTF-8-NOBOM  10
'other' ⎕NPUT f                                 ⍝ ! FILE NAME ERROR
'other' ⎕NPUT f 1                               ⍝ → 5
'more' ⎕NPUT f 2                                ⍝ → 4
⊃⎕NGET f                                        ⍝ → othermore
(⊂'héllo' 'wörld' '')⎕NPUT f 1                  ⍝ → 15
⊃⎕NGET f 1                                      ⍝ →  héllo  wörld ␠␠
≢⊃⎕NGET f                                       ⍝ → 13
⊃⎕NGET ('file://',f) 1                          ⍝ →  héllo  wörld ␠␠
(⊂,⊂,'x')⎕NPUT f 1                              ⍝ → 2
≡⊃⎕NGET f 1                                     ⍝ → 2
''⎕NPUT f 1                                     ⍝ → 0
⍴⊃⎕NGET f                                       ⍝ → 0
⍴⊃⎕NGET f 1                                     ⍝ → 0

⍝ Encodings and line ends
u←'a',(⎕UCS 233 8364 128512),'z'
{u≡⊃⎕NGET f⊣(u ⍵)⎕NPUT f 1}¨'UTF-8' 'UTF-8-BOM' 'UTF-16LE-BOM' 'UTF-16BE-BOM'   ⍝ → 1 1 1 1
u≡⊃'UTF-16BE' ⎕NGET f⊣(u 'UTF-16BE')⎕NPUT f 1   ⍝ → 1
2⊃⎕NGET f⊣('plain text' 'UTF-16LE')⎕NPUT f 1    ⍝ → UTF-16LE-NOBOM
('é' 'Latin-1')⎕NPUT f 1                        ⍝ → 1
⎕NGET f                                         ⍝ ! DOMAIN ERROR: ⎕NGET: the byte 233 at offset 0 is not UTF-8; 'ISO-8859-1' as left argument reads any byte
'latin-1'⎕NGET f                                ⍝ →  é  ISO-8859-1  10
'ASCII'⎕NGET f                                  ⍝ ! DOMAIN ERROR: ⎕NGET: the byte 233 at offset 0 is not ASCII
'EBCDIC'⎕NGET f                                 ⍝ ! DOMAIN ERROR
('€' 'Latin-1')⎕NPUT f 1                        ⍝ ! DOMAIN ERROR: ⎕NPUT: the character ⎕UCS 8364 is not in ISO-8859-1
(('ab' 'c') 'UTF-8' (13 10))⎕NPUT f 1           ⍝ → 7
⎕NGET f 1                                       ⍝ →   ab  c   UTF-8-NOBOM  13 10
⎕UCS⊃⎕NGET f                                    ⍝ → 97 98 10 99 10
x←⎕NGET f ⋄ x ⎕NPUT f 1                         ⍝ → 7
x≡⎕NGET f                                       ⍝ → 1
n←100003 ⋄ t←n⍴'abc',⎕UCS 10
t≡⊃⎕NGET f⊣t ⎕NPUT f 1                          ⍝ → 1
(+/t=⎕UCS 10)=¯1+≢⊃⎕NGET f 1                    ⍝ → 1
t←n⍴'aé',⎕UCS 10
t≡⊃⎕NGET f⊣t ⎕NPUT f 1                          ⍝ → 1

⍝ What is not right
⎕NGET T,'/nothing'                              ⍝ ! FILE NAME ERROR
⎕NGET T                                         ⍝ ! FILE NAME ERROR
⎕NGET ''                                        ⍝ ! FILE NAME ERROR: ⎕NGET: the name is empty
⎕NGET 3                                         ⍝ ! DOMAIN ERROR
⎕NGET f 7                                       ⍝ ! DOMAIN ERROR
⎕NGET 2 2⍴'a'                                   ⍝ ! RANK ERROR
1 2 3 ⎕NPUT f 1                                 ⍝ ! DOMAIN ERROR: ⎕NPUT: the content is text
(2 2⍴'a') ⎕NPUT f 1                             ⍝ ! RANK ERROR
⎕NPUT f                                         ⍝ ! SYNTAX ERROR
'x'⎕NPUT T,'/no/such'                           ⍝ ! FILE NAME ERROR
'x'⎕NPUT '/dev/full' 1                          ⍝ ! FILE SYSTEM NO SPACE
