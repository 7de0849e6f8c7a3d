⍝ SPDX-License-Identifier: MIT
⍝ Component files. T is a folder of this file's own.
⍝ needs ⎕NC '⎕FNUMS'
⍝ in order: lines depend on what lines before them did

T←⎕ENV 'TMP'
⎕FAVAIL                            ⍝ → 1
⍴⎕FNUMS                            ⍝ → 0
⍴⎕FNAMES                           ⍝ → 0 0
f←T,'/a.dcf'
⊢f ⎕FCREATE 0                      ⍝ → 1
2↑⎕FSIZE 1                         ⍝ → 1 1
f ⎕FCREATE 0                       ⍝ ! FILE NAME ERROR
(T,'/b')⎕FCREATE 1                 ⍝ ! FILE TIE ERROR
⎕NEXISTS T,'/b.dcf'                ⍝ → 0
(T,'/no/b')⎕FCREATE 0              ⍝ ! FILE NAME ERROR
''⎕FCREATE 0                       ⍝ ! FILE NAME ERROR
f ⎕FTIE 0                          ⍝ ! FILE TIED
f ⎕FSTIE 0                         ⍝ ! FILE TIED
(T,'/none')⎕FTIE 0                 ⍝ ! FILE NAME ERROR
f ⎕FTIE ¯1                         ⍝ ! FILE TIE ERROR
f ⎕FTIE 1.5                        ⍝ ! DOMAIN ERROR
f ⎕FTIE ⍬                          ⍝ ! LENGTH ERROR

⍝ every array comes back exactly
same←{n←⍵ ⎕FAPPEND 1 ⋄ r←⎕FREAD 1 n ⋄ (⍵≡r)∧((⎕DR ⍵)≡⎕DR r)∧(⍴⍵)≡⍴r}
same¨0 1(⍳5)'a' 'abc' '⍳⍴' ⍬ ''    ⍝ → 1 1 1 1 1 1 1 1
same¨(2 3⍴⍳6)(1 0 1)(0 3⍴0)(3 0⍴'')⍝ → 1 1 1 1
same¨(÷⍳7)(1J2 3)(2*62)(⎕F32 ÷⍳3)  ⍝ → 1 1 1 1
same¨(⍳300)(⍳70000)(1E9×⍳5)(1E12×⍳5) ⍝ → 1 1 1 1
same(1 2)'ab'(3(4 5))              ⍝ → 1
same(15⍴1)⍴⊂'deep'(⊂⊂⍳3)           ⍝ → 1
same 0⍴⊂1 2 'abc'                  ⍝ → 1
same 0 3⍴⊂⍬                        ⍝ → 1
same⊂⊂⍬                            ⍝ → 1
same 257⍴1 0                       ⍝ → 1
same ⎕UCS 0 255 256 65535 65536 1114111 ⍝ → 1
same 1024 1031⍴⍳1000               ⍝ → 1
same ⎕NULL                         ⍝ → 1
same(⎕UCS 128512)'é'               ⍝ → 1
ns←(a:1 2 3 ⋄ b:'text' ⋄ f:{⍵+1})
n←ns ⎕FAPPEND 1
r←⎕FREAD 1 n
r.(a b)                            ⍝ →  1 2 3  text
r.f 41                             ⍝ → 42
n←(ns 1 ns)⎕FAPPEND 1
r←⎕FREAD 1 n ⋄ =/r[1 3]            ⍝ → 1
(⌊⎕FSIZE 1)[1]                     ⍝ → 1

⍝ reading, replacing
⎕FUNTIE 1
⍴⎕FNUMS                            ⍝ → 0
⎕FREAD 1 1                         ⍝ ! FILE TIE ERROR
⊢t←f ⎕FTIE 5                       ⍝ → 5
⎕FNUMS                             ⍝ → 5
f≡⊃↓⎕FNAMES                        ⍝ → 1
⎕FREAD 5 1                         ⍝ → 0
⎕FREAD 5(3 5)                      ⍝ →  1 2 3 4 5  abc 
⎕FREAD 5(,3)                       ⍝ →  1 2 3 4 5 
≢⎕FREAD 5⍬                         ⍝ → 0
⎕FREAD 5 3 0                       ⍝ → 1 2 3 4 5
⎕FREAD 5 0                         ⍝ ! FILE INDEX ERROR
⎕FREAD 5 1000                      ⍝ ! FILE INDEX ERROR
⎕FREAD 5(3 1000)                   ⍝ ! FILE INDEX ERROR
⎕FREAD 5                           ⍝ ! LENGTH ERROR
⎕FREAD 5 'a'                       ⍝ ! DOMAIN ERROR
⎕FREAD 'a' 1                       ⍝ ! DOMAIN ERROR
⎕FREAD 2 2⍴5                       ⍝ ! RANK ERROR
⊢'new'⎕FREPLACE 5 3                ⍝ → 3
⎕FREAD 5 3                         ⍝ → new
1 ⎕FREPLACE 5 1000                 ⍝ ! FILE INDEX ERROR
1 ⎕FREPLACE 6 1                    ⍝ ! FILE TIE ERROR
2↑⎕FRDCI 5 1                       ⍝ → 104 0
|⌊((1 ⎕DT 'J')-(3⊃⎕FRDCI 5 3)÷60×86400)÷1E9 ⍝ → 0
⎕FRDCI 5 1000                      ⍝ ! FILE INDEX ERROR

⍝ dropping
⎕FUNTIE 5
t←(T,'/d')⎕FCREATE 0
⊢(⍳7)⎕FAPPEND¨t                    ⍝ → 1 2 3 4 5 6 7
⊢⎕FDROP t 2                        ⍝ → 1 2
⊢⎕FDROP t ¯1                       ⍝ → 7
2↑⎕FSIZE t                         ⍝ → 3 7
⎕FREAD t 2                         ⍝ ! FILE INDEX ERROR
⎕FREAD t 7                         ⍝ ! FILE INDEX ERROR
⎕FREAD t(3 4 5 6)                  ⍝ → 3 4 5 6
⎕FDROP t 5                         ⍝ ! FILE INDEX ERROR
⎕FDROP t ¯5                        ⍝ ! FILE INDEX ERROR
⊢⎕FDROP t 0                        ⍝ →
⊢'x'⎕FAPPEND t                     ⍝ → 7
⊢⎕FDROP t 5                        ⍝ → 3 4 5 6 7
2↑⎕FSIZE t                         ⍝ → 8 8
⊢1 ⎕FAPPEND t                      ⍝ → 8

⍝ limits, properties, access
4⊃⎕FSIZE t                         ⍝ → 1.844674407E19
⎕←100000 ⎕FRESIZE t                ⍝ → 1
4⊃⎕FSIZE t                         ⍝ → 100000
(200000⍴'x')⎕FAPPEND t             ⍝ ! FILE FULL
2↑⎕FSIZE t                         ⍝ → 8 9
⎕FRESIZE t
'SEUJCZ'⎕FPROPS t                  ⍝ → 64 1 1 1 1 0
⎕FPROPS t                          ⍝ → 64 1 1 1 1 0
('J' 3)⎕FPROPS t                   ⍝ → 1
('J' 2)('Z' 1)⎕FPROPS t            ⍝ → 3 0
'JZ'⎕FPROPS t                      ⍝ → 2 1
'Q'⎕FPROPS t                       ⍝ ! DOMAIN ERROR
('J' 9)⎕FPROPS t                   ⍝ ! DOMAIN ERROR
⍴⎕FRDAC t                          ⍝ → 0 3
(1 3⍴0 4095 0)⎕FSTAC t
⎕FRDAC t                           ⍝ → 0 4095 0
(⍳3)⎕FSTAC t                       ⍝ ! DOMAIN ERROR

⍝ names
(T,'/e')⎕FRENAME t
⎕NEXISTS T,'/d.dcf'                ⍝ → 0
⎕FREAD t 8                         ⍝ → 1
f ⎕FRENAME t                       ⍝ ! FILE NAME ERROR
⎕FREAD t 8                         ⍝ → 1
(T,'/c')⎕FCOPY t
f ⎕FCOPY t                         ⍝ ! FILE NAME ERROR
⎕FCHK T,'/c.dcf'                   ⍝ →
⎕FCHK T,'/e'                       ⍝ →
⎕FREAD t 8                         ⍝ → 1
c←(T,'/c')⎕FSTIE 0
⎕FREAD c 8                         ⍝ → 1
⎕FNUMS                             ⍝ → 1 2
(T,'/c.dcf')⎕FERASE c              ⍝ ! FILE ACCESS ERROR
⎕FUNTIE c
c←(T,'/c')⎕FTIE 0
(T,'/other')⎕FERASE c              ⍝ ! FILE NAME ERROR
(T,'/c')⎕FERASE c
⎕NEXISTS T,'/c.dcf'                ⍝ → 0
(T∘,¨'/a.dcf' '/e.dcf')≡↓⎕FLIB T   ⍝ → 1
⎕FHOLD t
1 ⎕FAPPEND t
⎕FHOLD ⍬
⎕FHOLD 99                          ⍝ ! FILE TIE ERROR
⎕FUNTIE ⍬
⎕FUNTIE ⎕FNUMS

⍝ what is none
_←'SQLite format 3 but nothing else'⎕NPUT T,'/x.dcf'
(T,'/x')⎕FTIE 0                    ⍝ ! FILE NAME ERROR
_←(1000⍴'x')⎕NPUT T,'/y.dcf'
(T,'/y')⎕FTIE 0                    ⍝ ! FILE NAME ERROR
_←''⎕NPUT T,'/z.dcf'
(T,'/z')⎕FTIE 0                    ⍝ ! FILE NAME ERROR
t←(T,'/s')(⎕FCREATE⍠('J' 3)('Z' 1))0
'JCZ'⎕FPROPS t                     ⍝ → 3 1 1
(T,'/u')(⎕FCREATE⍠('Q' 3))0        ⍝ ! DOMAIN ERROR
⎕FHIST t                           ⍝ ! NONCE ERROR
