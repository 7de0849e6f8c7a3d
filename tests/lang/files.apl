⍝ SPDX-License-Identifier: MIT
⍝ Files: text (⎕NGET ⎕NPUT), the folder, tied files, maps; processes. T is a folder of this file's own.
⍝ needs ⎕NC '⎕NGET'

T←⎕ENV 'TMP'
f←T,'/a.txt'

⍝ Written and read back
⎕←'one line' ⎕NPUT f                            ⍝ → 9
'shy' ⎕NPUT f 1
'one line' 'UTF-8' ⍬ ⎕NPUT f 1
⎕NGET f                                         ⍝ →  one line  UTF-8-NOBOM ␠␠
'other' ⎕NPUT f                                 ⍝ ! FILE NAME ERROR
⎕←'other' ⎕NPUT f 1                             ⍝ → 6
⎕←'more' ⎕NPUT f 2                              ⍝ → 5
⊃⎕NGET f 1                                      ⍝ →  other  more
⎕←(⊂'has one',⎕UCS 10)⎕NPUT f 1                 ⍝ → 8
⎕←(⊂'héllo' 'wörld' '')⎕NPUT f 1                ⍝ → 15
⊃⎕NGET f 1                                      ⍝ →  héllo  wörld ␠␠
≢⊃⎕NGET f                                       ⍝ → 13
⊃⎕NGET ('file://',f) 1                          ⍝ →  héllo  wörld ␠␠
⎕←(⊂,⊂,'x')⎕NPUT f 1                            ⍝ → 2
≡⊃⎕NGET f 1                                     ⍝ → 2
⎕←''⎕NPUT f 1                                   ⍝ → 0
⍴⊃⎕NGET f                                       ⍝ → 0
⍴⊃⎕NGET f 1                                     ⍝ → 0

⍝ Encodings and line ends
u←'a',(⎕UCS 233 8364 128512),'z'
{u≡⊃⎕NGET f⊣(u ⍵ ⍬)⎕NPUT f 1}¨'UTF-8' 'UTF-8-BOM' 'UTF-16LE' 'UTF-16BE' 'UTF-32LE' 'UTF-32BE-BOM'   ⍝ → 1 1 1 1 1 1
u≡⊃'UTF-16BE' ⎕NGET f⊣(u 'UTF-16BE-NOBOM' ⍬)⎕NPUT f 1   ⍝ → 1
u≡⊃'UTF-32LE' ⎕NGET f⊣(u 'UTF-32LE-NOBOM' ⍬)⎕NPUT f 1   ⍝ → 1
2⊃'ISO-8859-1' ⎕NGET f⊣(u 'UTF-32')⎕NPUT f 1    ⍝ → UTF-32LE-BOM
2⊃⎕NGET f⊣('plain text' 'UTF-16LE')⎕NPUT f 1    ⍝ → UTF-16LE-BOM
2⊃⎕NGET f⊣('plain text' 'UTF-16LE-NOBOM')⎕NPUT f 1    ⍝ → UTF-16LE-NOBOM
('xy' 'UTF-16LE' ⍬)⎕NPUT f 2
≢⎕MAP f                                         ⍝ → 26
('a€' 'ANSI')⎕NPUT f 1
⎕UCS ⎕MAP f                                     ⍝ → 97 128 10
⊃'Windows-1252' ⎕NGET f 2                       ⍝ → a€
('a€' 'ASCII-BOM')⎕NPUT f 1                     ⍝ ! DOMAIN ERROR
⎕←('é' 'Latin-1' ⍬)⎕NPUT f 1                    ⍝ → 1
⎕NGET f                                         ⍝ ! DOMAIN ERROR: ⎕NGET: the byte 233 at offset 0 is not UTF-8; 'ISO-8859-1' as left argument reads any byte
'latin-1'⎕NGET f                                ⍝ →  é  ISO-8859-1 ␠␠
'ASCII'⎕NGET f                                  ⍝ ! DOMAIN ERROR: ⎕NGET: the byte 233 at offset 0 is not ASCII
'EBCDIC'⎕NGET f                                 ⍝ ! DOMAIN ERROR
('€' 'Latin-1')⎕NPUT f 1                        ⍝ ! DOMAIN ERROR: ⎕NPUT: the character ⎕UCS 8364 is not in ISO-8859-1
⎕←(('ab' 'c') 'UTF-8' (13 10))⎕NPUT f 1         ⍝ → 7
⎕NGET f 1                                       ⍝ →   ab  c   UTF-8-NOBOM  13 10
⎕UCS⊃⎕NGET f                                    ⍝ → 97 98 10 99 10
x←⎕NGET f ⋄ ⎕←x ⎕NPUT f 1                       ⍝ → 7
x≡⎕NGET f                                       ⍝ → 1
n←100000 ⋄ t←n⍴'abc',⎕UCS 10
t≡⊃⎕NGET f⊣t ⎕NPUT f 1                          ⍝ → 1
(+/t=⎕UCS 10)=≢⊃⎕NGET f 1                       ⍝ → 1
t←99999⍴'aé',⎕UCS 10
t≡⊃⎕NGET f⊣t ⎕NPUT f 1                          ⍝ → 1

⍝ What is not right
⎕NGET T,'/nothing'                              ⍝ ! FILE NAME ERROR
⎕NGET T                                         ⍝ ! FILE NAME ERROR
⎕NGET ''                                        ⍝ ! FILE NAME ERROR: ⎕NGET: the name is empty
⎕NGET 3                                         ⍝ ! DOMAIN ERROR
⎕NGET f 7                                       ⍝ ! DOMAIN ERROR
⎕NGET 2 2⍴'a'                                   ⍝ ! RANK ERROR
1 2 3 ⎕NPUT f 1                                 ⍝ ! DOMAIN ERROR: ⎕NPUT: the content is text
(2 2 1⍴'a') ⎕NPUT f 1                           ⍝ ! RANK ERROR
(2 3⍴'ab c') ⎕NPUT f 1
⊃⎕NGET f 1                                      ⍝ →  ab  cab
(⎕UCS 97 55357)⎕NPUT f 1                        ⍝ ! DOMAIN ERROR: ⎕NPUT: the character ⎕UCS 55357 is not in UTF-8
((⎕UCS 97 55357)'UTF-16')⎕NPUT f 1              ⍝ ! DOMAIN ERROR: ⎕NPUT: the character ⎕UCS 55357 is not in UTF-16LE
(⊂'fine' (⎕UCS 56832))⎕NPUT f 1                 ⍝ ! DOMAIN ERROR
⊃⎕NGET f 1                                      ⍝ →  ab  cab
'x'⎕NPUT (T,'/',⎕UCS 55357) 1                   ⍝ ! DOMAIN ERROR
m←'ab' 'UTF-8' (10 13) ⋄ m ⎕NPUT f 1            ⍝ ! DOMAIN ERROR: ⎕NPUT: a line end is 10, 13, 13 10 or 133
(⎕NGET⍠'Nosuch' 1)f                             ⍝ ! DOMAIN ERROR: ⎕NGET has no option Nosuch
(⎕NGET⍠1)f                                      ⍝ ! DOMAIN ERROR: ⎕NGET has no principal option: a name and a value
'x'(⎕NPUT⍠'NEOL' 3)f 1                          ⍝ ! DOMAIN ERROR: ⎕NPUT: NEOL takes ¯1 to 2
t←'adding',(⎕UCS 10),'3',(⎕UCS 13),'lines',⎕UCS 13 10
⎕←t 'UTF-8' (13 10)⎕NPUT f 1                    ⍝ → 17
⎕←t 'UTF-8' (13 10)(⎕NPUT⍠'NEOL' 0)f 1          ⍝ → 16
⎕←t 'UTF-8' (13 10)(⎕NPUT⍠'NEOL' 2)f 1          ⍝ → 18
⎕←(⊂'aa' 'bb')(⎕NPUT⍠'NEOL' ¯1)f 1              ⍝ → 5
⎕NPUT f                                         ⍝ ! SYNTAX ERROR
'x'⎕NPUT T,'/no/such'                           ⍝ ! FILE NAME ERROR
'x'⎕NPUT '/dev/full' 1                          ⍝ ! FILE SYSTEM NO SPACE

⍝ The folder
⎕NEXISTS f (T,'/nothing') T                     ⍝ → 1 0 1
⎕NEXISTS T,'/*.txt'                             ⍝ → 0
(⎕NEXISTS⍠'Wildcard' 1) T,'/*.txt'              ⍝ → 1
⎕←⎕MKDIR T,'/d'                                 ⍝ → 1
⎕MKDIR T,'/d'                                   ⍝ ! FILE NAME ERROR
⎕←1 ⎕MKDIR T,'/d'                               ⍝ → 0
⎕MKDIR T,'/x/y/z'                               ⍝ ! FILE NAME ERROR
⎕←2 ⎕MKDIR T,'/x/y/z'                           ⍝ → 1
⎕←3 ⎕MKDIR T,'/x/y/z'                           ⍝ → 0
⎕←'1'⎕NPUT T,'/x/y/1.b'                         ⍝ → 2
⎕←'22'⎕NPUT T,'/x/y/2.b'                        ⍝ → 3
2 ⎕NINFO T,'/x/y/2.b'                           ⍝ → 3
1 2 ⎕NINFO T,'/x/y/2.b'                         ⍝ → 2 3
⊃1 2 ⎕NINFO (T,'/x/y/2.b') T                    ⍝ → 2 1
1 ⎕NINFO T                                      ⍝ → 1
⊃1 2(⎕NINFO⍠'Wildcard' 1)T,'/x/y/*.b'           ⍝ → 2 2
(≢T)↓¨⊃0(⎕NINFO⍠'Wildcard' 1)T,'/x/y/*'          ⍝ →  /x/y/1.b  /x/y/2.b  /x/y/z
6 11 12 ⎕NINFO f                                ⍝ → 0 1 1
7=≢⊃3 ⎕NINFO f                                  ⍝ → 1
⎕NINFO T,'/nothing'                             ⍝ ! FILE NAME ERROR
≢99 ⎕NINFO f                                    ⍝ → 1
⍬≡⊃99 ⎕NINFO f                                  ⍝ → 1
⎕NDELETE T,'/x'                                 ⍝ ! FILE ACCESS ERROR
⎕←(⎕NDELETE⍠'Wildcard' 1)T,'/x/y/*.b'           ⍝ → 2
⎕←2 ⎕NDELETE T,'/x'                             ⍝ → 1
⎕NDELETE T,'/x'                                 ⍝ ! FILE NAME ERROR
⎕←1 ⎕NDELETE T,'/x'                             ⍝ → 0
(⎕NEXISTS⍠1)T,'/*.txt'                          ⍝ → 1
(⎕NEXISTS⍠1⍠0)T,'/*.txt'                        ⍝ → 0
(⎕NEXISTS⍠'Recurse' 1)T                         ⍝ ! DOMAIN ERROR: ⎕NEXISTS has no option Recurse
(⎕NEXISTS⍠'Wildcard' 'x')T                      ⍝ ! DOMAIN ERROR: ⎕NEXISTS: Wildcard must be a number
(⎕NPARTS⍠1)T                                    ⍝ ! DOMAIN ERROR: ⎕NPARTS has no principal option: a name and a value
3 ⎕MKDIR T∘,¨'/x/y' '/x/[a]'
'1'∘⎕NPUT¨T∘,¨'/x/1.q' '/x/y/1.q' '/x/y/é.q' '/x/[a]/2'
(⎕NEXISTS⍠1)T∘,¨'/x/*' '/x/y/?.q' '/x/y/??.q' '/x/[a]/2' '/x/1.?*q' '/x/a'   ⍝ → 1 1 0 1 0 0
(≢T)↓¨⊃(⎕NINFO⍠'Recurse' 1)T,'/x/1.q'           ⍝ →  /x/1.q  /x/y/1.q
(≢T)↓¨⊃(⎕NINFO⍠('Recurse' 1)('Wildcard' 1))T,'/x/?.q'   ⍝ →  /x/1.q  /x/y/1.q  /x/y/é.q
(≢T)↓¨⊃(⎕NINFO⍠('Recurse'(1 0))('Wildcard' 1))T,'/x/?.q'   ⍝ →  /x/1.q
≢⊃(⎕NINFO⍠('Recurse' 3))T,'/x/?.q'              ⍝ ! DOMAIN ERROR: ⎕NINFO: Recurse takes 0, 1 or 2, and how deep
2=⊃1 13 ⎕NINFO T,'/x/1.q'                       ⍝ → 1
1>(1 ⎕DT 'Z')-⊃13 ⎕NINFO T,'/x/1.q'             ⍝ → 1
⎕SH 'ln -s 1.q ',T,'/x/l; ln -s none ',T,'/x/m' ⍝ →
1 ⎕NINFO T,'/x/l'                               ⍝ → 2
1(⎕NINFO⍠'Follow' 0)T,'/x/l'                    ⍝ → 4
⎕NEXISTS T,'/x/m'                               ⍝ → 1
≢(≢T)↓(⎕MKDIR⍠'Unique' 1)T,'/x/u'               ⍝ → 10
2 ⎕NDELETE T,'/x'
⎕NPARTS '/a/b.c/d.tar.gz'                       ⍝ →  /a/b.c/  d.tar  .gz
≢¨⎕NPARTS '.hidden'                             ⍝ → 0 7 0
≢¨⎕NPARTS ''                                    ⍝ → 0 0 0
⎕NPARTS '/a/..'                                 ⍝ →  /a/  .. ␠␠
1 ⎕NPARTS '/x/../y/nosuch.txt'                  ⍝ →  /x/../y/  nosuch  .txt
1 ⎕NPARTS '/x//./y/./nosuch.txt'                ⍝ →  /x/y/  nosuch  .txt
1 ⎕NPARTS '/home/andys/./..'                    ⍝ →  /home/andys/  .. ␠␠
1 ⎕NPARTS '/a/b/'                               ⍝ →  /a/b/ ␠␠␠␠
1 ⎕NPARTS '/'                                   ⍝ →  / ␠␠␠␠
(⊃1 ⎕NPARTS '')≡'/',⍨⊃⎕SH 'pwd'                 ⍝ → 1
(1 ⎕NPARTS 'a')≡(⊃1 ⎕NPARTS '')(,'a')''         ⍝ → 1
(1 ⎕NPARTS '.')≡1 ⎕NPARTS ¯1↓⊃1 ⎕NPARTS ''      ⍝ → 1
⎕NEXISTS 3                                      ⍝ ! DOMAIN ERROR

⍝ Tied files
t←(n←T,'/n.bin')⎕NCREATE 0
t                                               ⍝ → ¯1
⎕NNUMS                                          ⍝ → ¯1
n≡,⎕NNAMES                                      ⍝ → 1
n ⎕NCREATE 0                                    ⍝ ! FILE NAME ERROR
n(⎕NCREATE⍠'IfExists' 'Error')0                 ⍝ ! FILE NAME ERROR
n(⎕NCREATE⍠'IfExists' 'Nosuch')0                ⍝ ! DOMAIN ERROR: ⎕NCREATE: IfExists takes one of: Error Replace
n(⎕NCREATE⍠1)0                                  ⍝ ! DOMAIN ERROR: ⎕NCREATE has no principal option: a name and a value
'abc'⎕NAPPEND ¯1
n(⎕NCREATE⍠'IfExists' 'Replace')0
⎕NSIZE ¯2                                       ⍝ → 0
⎕NUNTIE ¯2
n(⎕NCREATE⍠'Unique' 1)¯2
(≢⊃⎕NINFO ¯2)-≢n                                ⍝ → 6
'.bin'≡3⊃⎕NPARTS⊃⎕NINFO ¯2                      ⍝ → 1
(⊃⎕NINFO ¯2)⎕NERASE ¯2
⎕←(⍳5)⎕NAPPEND t 323                            ⍝ → 20
⎕←3.5 'ab'⎕NAPPEND t                            ⍝ ! DOMAIN ERROR
⎕←3.5 ¯1 ⎕NAPPEND t                             ⍝ → 36
⎕←'ab' ⎕NAPPEND t                               ⍝ → 38
⎕NSIZE t                                        ⍝ → 38
⎕NREAD t 323 2 4                                ⍝ → 2 3
⎕NREAD t 323 ¯1 12                              ⍝ → 4 5 0 1074528256 0 ¯1074790400
⎕NREAD t 80 ¯1 36                               ⍝ → ab
⎕NREAD t 645 2 20                               ⍝ → 3.5 ¯1
⎕NREAD t 82 9                                   ⍝ → ab
⎕NREAD t 11 1 4                                 ⍝ → 0 0 0 0 0 0 1 0
⍴⎕NREAD t 11 2 0                                ⍝ → 16
⎕NREAD t 83 3 0                                 ⍝ → 1 0 0
⎕NREAD t 320 1 36                               ⍝ → 
⎕NREAD t 320 1 32                               ⍝ ! DOMAIN ERROR: ⎕NREAD: at offset 32 is no character
⎕←9 8 ⎕NREPLACE t 4 323                         ⍝ → 12
⎕NREAD t 323 5 0                                ⍝ → 1 9 8 4 5
(⎕UCS 955 969)⎕NAPPEND t                        ⍝ ! DOMAIN ERROR: ⎕NAPPEND: type 80 does not hold element 1
(⎕UCS 97 969)⎕NREPLACE t 0                      ⍝ ! DOMAIN ERROR: ⎕NREPLACE: type 80 does not hold element 2
(⎕UCS 128512)⎕NAPPEND t 160                     ⍝ ! DOMAIN ERROR
3.5 ⎕NAPPEND t 643                              ⍝ ! DOMAIN ERROR: ⎕NAPPEND: type 643 does not hold element 1
(⎕F32 3.5)⎕NAPPEND t 323                        ⍝ ! DOMAIN ERROR
1J2 ⎕NAPPEND t 645                              ⍝ ! DOMAIN ERROR
1E300 ⎕NAPPEND t 325                            ⍝ ! DOMAIN ERROR
'a'⎕NAPPEND t 83                                ⍝ ! DOMAIN ERROR
'a'⎕NAPPEND t 80 0                              ⍝ ! LENGTH ERROR
⎕NREAD t 83 1 ¯2                                ⍝ ! DOMAIN ERROR: ⎕NREAD: a count and an offset are 0 or more, or ¯1
⎕NREAD t 83 1 0 0                               ⍝ ! LENGTH ERROR
'x'⎕NCREATE 0 1                                 ⍝ ! LENGTH ERROR
t←(n,'2')⎕NCREATE 0
(⎕UCS 2 2⍴955 969)⎕NAPPEND t 160
8 ⎕NINFO t                                      ⍝ → 8
'xy'⎕NREPLACE t 2
⎕←'z'⎕NREPLACE t ¯1                             ⍝ → 5
⎕UCS ⎕NREAD t 80 ¯1 0                           ⍝ → 187 3 120 121 122 3 201 3
(n,'2')⎕NERASE t
t←¯1
300 ⎕NAPPEND t 83                               ⍝ ! DOMAIN ERROR: ⎕NAPPEND: type 83 does not hold element 1
1 0 1 ⎕NAPPEND t 11                             ⍝ ! LENGTH ERROR
⎕←(8⍴1 0)⎕NAPPEND t 11                          ⍝ → 39
⎕NREAD t 11 1 38                                ⍝ → 1 0 1 0 1 0 1 0
8 ⎕NRESIZE t
⎕NSIZE t                                        ⍝ → 8
⎕NREAD t 999 1                                  ⍝ ! DOMAIN ERROR
⎕NREAD t 83                                     ⍝ ! LENGTH ERROR
⎕NREAD ¯9 83 1                                  ⍝ ! FILE TIE ERROR
⎕←n ⎕NTIE 7 0                                   ⍝ → 7
'x'⎕NAPPEND 7                                   ⍝ ! FILE SYSTEM ERROR
n ⎕NTIE 7                                       ⍝ ! FILE TIE ERROR
⎕NUNTIE ⎕NNUMS
⎕NNUMS                                          ⍝ → 
⎕NSIZE t                                        ⍝ ! FILE TIE ERROR: ⎕NSIZE: no file is tied to that number
n ⎕NERASE n ⎕NTIE 0
⎕NEXISTS n                                      ⍝ → 0

⍝ Mapped
t←n ⎕NCREATE 0 ⋄ v←⍳40000 ⋄ v ⎕NAPPEND t 323 ⋄ ⎕NUNTIE t
v≡323 ¯1 ⎕MAP n                                 ⍝ → 1
(4 10000⍴v)≡323 4 ¯1 ⎕MAP n                     ⍝ → 1
(1↓v)≡323 ¯1 ⎕MAP n 4                           ⍝ → 1
+/323 ¯1 ⎕MAP n                                 ⍝ → 800020000
m←323 ¯1 ⎕MAP n ⋄ m[3]←¯1 ⋄ 4↑m                 ⍝ → 1 2 ¯1 4
4↑323 ¯1 ⎕MAP n                                 ⍝ → 1 2 3 4
323 ⎕MAP n                                      ⍝ → 1
323 40001 ⎕MAP n                                ⍝ ! LENGTH ERROR
323 ¯1 ⎕MAP n 160001                            ⍝ ! INDEX ERROR
≢⎕MAP n                                         ⍝ → 160000
11 16 ⎕MAP n                                    ⍝ → 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0
⎕MAP T                                          ⍝ ! FILE NAME ERROR

⍝ Processes
⎕SH 'printf "a b\nc"'                           ⍝ →  a b  c
⎕SH 'exit 3'                                    ⍝ ! DOMAIN ERROR: ⎕SH: the command ended with exit code 3
⎕SHELL 'echo é; exit 3'                         ⍝ →   é   3
⎕SHELL 'printf "\351"'                          ⍝ ! DOMAIN ERROR
2⊃⎕SHELL 'kill -9 $$'                           ⍝ → 137
⎕SH 'echo a',(⎕UCS 0),'b'                       ⍝ ! DOMAIN ERROR: ⎕SH: a command has no NUL in it
⎕SH ⎕UCS 55357                                  ⍝ ! DOMAIN ERROR
⎕ENV 'HO',⎕UCS 0                                ⍝ ! DOMAIN ERROR
('UTF-8' 2)⎕NGET f                              ⍝ ! DOMAIN ERROR

⍝ Copied and moved
C←T,'/copies'
⎕←⎕MKDIR C                                      ⍝ → 1
(⊂'one')⎕NPUT(C,'/a')1
(⊂'two')⎕NPUT(C,'/b')1
⎕←(C,'/c')⎕NCOPY C,'/a'                         ⍝ → 1
(C,'/c')⎕NCOPY C,'/a'                           ⍝ ! FILE NAME ERROR
⎕←(C,'/c')(⎕NCOPY⍠'IfExists' 'Skip')C,'/b'      ⍝ → 0
⊃⎕NGET(C,'/c')1                                 ⍝ →  one
⎕←(C,'/c')(⎕NCOPY⍠'IfExists' 'Replace')C,'/b'   ⍝ → 1
⊃⎕NGET(C,'/c')1                                 ⍝ →  two
⎕←(C,'/c')(⎕NCOPY⍠'IfExists' 'ReplaceIfNewer')C,'/a'  ⍝ → 0
⎕←(C,'/a')(⎕NCOPY⍠'IfExists' 'ReplaceIfNewer')C,'/c'  ⍝ → 1
⊃⎕NGET(C,'/a')1                                 ⍝ →  two
⎕←⎕MKDIR C,'/sub'                               ⍝ → 1
⎕←(C,'/sub')⎕NCOPY C,'/a'                       ⍝ → 1
⎕←(C,'/sub')⎕NCOPY(C,'/b')(C,'/c')              ⍝ → 1 1
⎕←(C,'/sub')(⎕NCOPY⍠('Wildcard' 1)('IfExists' 'Skip'))C,'/?'  ⍝ → 0
⎕←(C,'/sub')(⎕NCOPY⍠('Wildcard' 1)('IfExists' 'Replace'))(C,'/?')(C,'/z*')  ⍝ → 3 0
≢⊃0(⎕NINFO⍠1)C,'/sub/*'                         ⍝ → 3
⎕←(C,'/sub2')⎕NCOPY C,'/sub'                    ⍝ → 1
≢⊃0(⎕NINFO⍠1)C,'/sub2/*'                        ⍝ → 3
⎕←(C,'/sub2')⎕NCOPY C,'/sub'                    ⍝ → 1
≢⊃0(⎕NINFO⍠1)C,'/sub2/sub/*'                    ⍝ → 3
(C,'/sub2')⎕NCOPY C,'/sub'                      ⍝ ! FILE NAME ERROR
(C,'/sub')⎕NCOPY C,'/sub'                       ⍝ ! FILE SYSTEM ERROR
(C,'/sub/x')⎕NCOPY C,'/sub'                     ⍝ ! FILE SYSTEM ERROR
(C,'/a')⎕NCOPY C,'/sub'                         ⍝ ! FILE NAME ERROR
(C,'/none/x')⎕NCOPY C,'/a'                      ⍝ ! FILE NAME ERROR
(C,'/d')⎕NCOPY C,'/none'                        ⍝ ! FILE NAME ERROR
(C,'/a')⎕NCOPY(C,'/b')(C,'/c')                  ⍝ ! FILE NAME ERROR
(C,'/sub')⎕NCOPY '.'                            ⍝ ! FILE SYSTEM ERROR
⎕←(C,'/sub')⎕NCOPY 0⍴⊂''                        ⍝ →
5 ⎕NCOPY C,'/a'                                 ⍝ ! DOMAIN ERROR
(C,'/d')⎕NCOPY 5                                ⍝ ! DOMAIN ERROR
(C,'/d')⎕NCOPY ''                               ⍝ ! FILE NAME ERROR
⎕NCOPY C,'/a'                                   ⍝ ! SYNTAX ERROR
(C,'/d')(⎕NCOPY⍠'ProgressCallback' 'f')C,'/a'   ⍝ ! NONCE ERROR
(C,'/d')(⎕NCOPY⍠'IfExists' 'Maybe')C,'/a'       ⍝ ! DOMAIN ERROR
p←⎕SH 'touch -d 2001-02-03 ',C,'/old; chmod 640 ',C,'/old'
(C,'/kept')(⎕NCOPY⍠'PreserveAttributes' 1)C,'/old'
3↑⊃3 ⎕NINFO C,'/kept'                            ⍝ → 2001 2 3
⎕SH 'stat -c %a ',C,'/kept'                     ⍝ →  640
(C,'/new')⎕NCOPY C,'/old'
2001<⊃⊃3 ⎕NINFO C,'/new'                        ⍝ → 1
⎕←(C,'/moved')⎕NMOVE C,'/old'                   ⍝ → 1
⎕NEXISTS C∘,¨'/old' '/moved'                    ⍝ → 0 1
(C,'/a')⎕NMOVE C,'/moved'                       ⍝ ! FILE NAME ERROR
⎕←(C,'/a')(⎕NMOVE⍠'IfExists' 'Skip')C,'/moved'  ⍝ → 0
⎕NEXISTS C,'/moved'                             ⍝ → 1
(C,'/a')(⎕NMOVE⍠'IfExists' 'Replace')C,'/moved' ⍝ ! DOMAIN ERROR
⎕←(C,'/sub3')⎕NMOVE C,'/sub2'                   ⍝ → 1
⎕NEXISTS C∘,¨'/sub2' '/sub3/sub/a'              ⍝ → 0 1
⎕←(C,'/sub3')⎕NMOVE C∘,¨'/moved' '/kept'        ⍝ → 1 1
⎕NEXISTS C∘,¨'/moved' '/sub3/moved' '/sub3/kept'  ⍝ → 0 1 1
⎕←(C,'/sub')(⎕NMOVE⍠1)C,'/sub3/?ept'            ⍝ → 1
⎕NEXISTS C,'/sub/kept'                          ⍝ → 1
(C,'/sub3')⎕NMOVE C,'/sub3'                     ⍝ ! FILE SYSTEM ERROR
(C,'/none/x')⎕NMOVE C,'/a'                      ⍝ ! FILE NAME ERROR
⎕←(C,'/r')(⎕NMOVE⍠'RenameOnly' 1)C,'/a'         ⍝ → 1
⎕←2 ⎕NDELETE C                                  ⍝ → 1
