⍝ SPDX-License-Identifier: MIT
⍝ Programs in folders: ⎕SE.Link, ⎕SE.SALT.Load, ]link and ]load; definitions without ∇; commands in scripts.
⍝ needs 3=⎕NC'⎕SE.Link.Import'
T←⎕ENV 'TMP'
D←T,'/link' ⋄ {}3 ⎕NDELETE D ⋄ {}3 ⎕MKDIR D,'/util/deep'
put←{{}(⊂⍺)⎕NPUT(D,'/',⍵)1}

⍝ A file by its extension: functions, operators, arrays, namespaces, folders
'r←Twice x' ' r←2×x' put 'Twice.aplf'
(,⊂'Half←{⍵÷2}') put 'util/Half.aplf'
'r←(f Each) y;n' ' n←0' ' r←f¨y' put 'util/deep/any.aplo'
'∇ r←now' ' r←7' '∇' put 'now.aplf'
'[1 2' ' 3 4]' put 'table.apla'
(,⊂'(a:1 ⋄ b:''x'')') put 'set.apla'
'one' 'b' 'three' put 'lines.vec.apla'
'one' 'b' 'three' put 'rows.mat.apla'
(,'a')(,'b') put 'ends.CRLF.apla'
(,'a')(,'b') put 'feeds.LF.apla'
':Namespace Lib ⍝ that uses others' ' k←##.Twice 4' ' ∇ r←f x' '  r←k+x' ' ∇' ' :Namespace in' '  g←{⍵+##.k}' ' :EndNamespace' ':EndNamespace' put 'a.apln'
(,⊂'old←{⍵+1}') put 'x.dyalog'
'r←old2 x' ' r←x' put 'y.dyalog'
':Namespace old3' 'v←3' ':EndNamespace' put 'z.dyalog'
'no APL' '(((' put 'notes.txt'
(,⊂'9') put '.hidden.apla'
11↑⎕SE.Link.Import # D             ⍝ → Imported: #
Twice 21                           ⍝ → 42
util.Half 10                       ⍝ → 5
util.deep.((-Each) 1 2)            ⍝ → ¯1 ¯2
now+1                              ⍝ → 8
table                              ⍝ → 1 2 ⏎ 3 4
set.b                              ⍝ → x
≢¨lines                            ⍝ → 3 1 5
≡lines                             ⍝ → 2
⍴rows                              ⍝ → 3 5
⎕UCS ends                          ⍝ → 97 13 10 98 13 10
⎕UCS feeds                         ⍝ → 97 10 98 10
Lib.f 1                            ⍝ → 9
Lib.in.g 1                         ⍝ → 9
(old 1)(old2 5)old3.v              ⍝ → 2 5 3
⎕NC 'notes' 'hidden'               ⍝ → 0 0
⎕NR 'Twice'                        ⍝ →  r←Twice x   r←2×x

⍝ What is wrong in a file is told, and the others are there
)CLEAR
T←⎕ENV 'TMP' ⋄ D←T,'/link'
put←{{}(⊂⍺)⎕NPUT(D,'/',⍵)1}
'r←Bad x' ' r←(x' put 'Bad.aplf'
':Class Cls' ' :Field' ':EndClass' put 'Cls.aplc'
(,⊂'x←÷0') put 'Div.aplf'
r←⎕SE.Link.Import # D
∨/'ERRORS ENCOUNTERED:'⍷r          ⍝ → 1
∨/'Bad.aplf:2:4: SYNTAX ERROR: ( is not closed'⍷r  ⍝ → 1
∨/'Cls.aplc:2:2: SYNTAX ERROR: :Field needs a name'⍷r   ⍝ → 1
∨/'Div.aplf:1:3: DOMAIN ERROR'⍷r   ⍝ → 1
(Twice 3)(⎕NC'Bad' 'Cls')          ⍝ → 6  0 0
⊢1 ⎕NDELETE D∘,¨'/Bad.aplf' '/Cls.aplc' '/Div.aplf'  ⍝ → 1 1 1

⍝ What fails for want of another file's names is tried again; what still fails is told once
)CLEAR
T←⎕ENV 'TMP' ⋄ D←T,'/order' ⋄ {}3 ⎕MKDIR D,'/sub'
put←{{}(⊂⍺)⎕NPUT(D,'/',⍵)1}
':Namespace a' 'v←1+#.m.v' ':EndNamespace' put 'a.apln'
':Namespace m' 'v←1+#.z.v' ':EndNamespace' put 'm.apln'
':Namespace z' 'v←1' ':EndNamespace' put 'z.apln'
':Namespace s' 'v←#.a.v' ':EndNamespace' put 'sub/s.apln'
':Namespace bad' 'v←#.none' ':EndNamespace' put 'bad.apln'
r←⎕SE.Link.Create # D
+/'.apln:2:'⍷r                     ⍝ → 1
a.v m.v z.v sub.s.v                ⍝ → 3 2 1 3
':Namespace n' 'v←4+#.o.v' ':EndNamespace' put 'n.apln'
':Namespace o' 'v←4' ':EndNamespace' put 'o.apln'
r←⎕SE.Link.Refresh #
n.v                                ⍝ → 8
{}⎕SE.Link.Break # ⋄ {}3 ⎕NDELETE D

⍝ flatten, as an option and by .linkconfig; one file
)CLEAR
T←⎕ENV 'TMP' ⋄ D←T,'/link'
put←{{}(⊂⍺)⎕NPUT(D,'/',⍵)1}
16↑(flatten:1)⎕SE.Link.Import 'flat' D   ⍝ → Imported: #.flat
flat.Half 4                        ⍝ → 2
⎕NC 'flat.util'                    ⍝ → 0
'{ // settings' ' Settings: {' '  flatten: 1,' ' },' '}' put '.linkconfig'
flat2←⎕NS ⍬
n←⎕SE.Link.Import flat2 D
flat2.Half 4                       ⍝ → 2
⊢⎕NDELETE D,'/.linkconfig'         ⍝ → 1
n←⎕SE.Link.Import 'one' (D,'/Twice.aplf')
one.Twice 4                        ⍝ → 8
⎕SE.Link.Import # (T,'/nowhere')   ⍝ ! FILE NAME ERROR
⎕SE.Link.Import 1 2 3              ⍝ ! DOMAIN ERROR
⎕SE.Link.Import # 'a' 'b'          ⍝ ! LENGTH ERROR
3 ⎕SE.Link.Import # D              ⍝ ! DOMAIN ERROR

⍝ Links: status, changes, names added and expunged
⎕SE.Link.Status ''                 ⍝ → No active links
'Linked: #.p ←→ '≡15↑⎕SE.Link.Create 'p' D   ⍝ → 1
⎕SE.Link.Create 'p' D              ⍝ ! DOMAIN ERROR
⊃1 3⌷⎕SE.Link.Status ''            ⍝ → Files
2 1⌷⎕SE.Link.Status p              ⍝ → #.p
p.util.Half 8                      ⍝ → 4
'r←Twice x' ' r←22×x' put 'Twice.aplf'
(,⊂'fresh←{⍵ ⍵}') put 'util/fresh.aplf'
⊢⎕NDELETE D,'/now.aplf'            ⍝ → 1
n←⎕SE.Link.Refresh p
p.Twice 2                          ⍝ → 44
p.util.fresh 1                     ⍝ → 1 1
⎕NC 'p.now'                        ⍝ → 0
p.more←{⍵+3}
⎕SE.Link.Add 'p.more' 'p.none' 'T' ⍝ → Added: p.more ⏎ Not linked: T ⏎ Not found: p.none
⊃⎕NGET (D,'/more.aplf') 1          ⍝ →  more←{⍵+3}
⊢p.util ⎕SE.Link.Fix 'r←made x' ' r←x'   ⍝ → made
⎕NEXISTS D,'/util/made.aplf'       ⍝ → 1
⊢p 'arr' ⎕SE.Link.Fix ,⊂'(1 2 ⋄ 3)'   ⍝ → arr
p.arr                              ⍝ →  1 2  3
⊢⎕SE.Link.Expunge 'p.more' 'p.util.made'   ⍝ → 1 1
⎕NC 'p.more' 'p.util.made'         ⍝ → 0 0
⎕NEXISTS D∘,¨'/more.aplf' '/util/made.aplf'   ⍝ → 0 0
⎕SE.Link.Break p                   ⍝ → Unlinked: #.p
⎕SE.Link.Break p                   ⍝ → Not linked: #.p
⎕SE.Link.Nothing                   ⍝ ! VALUE ERROR

⍝ Export, and a link that begins with a namespace
E←T,'/out' ⋄ {}3 ⎕NDELETE E
'q'⎕NS ⍬ ⋄ q.f←{⍵+1} ⋄ q.a←1 2 3 ⋄ q.plus←+/ ⋄ 'q.sub'⎕NS ⍬
q.⎕FX 'r←g x' ' r←x×2'
q.sub.h←{⍺←2 ⋄ ⍺×⍵}
q.⎕FIX ':Namespace sc' 'v←4' ':EndNamespace'
∨/'plus: a function that is no'⍷(arrays:1)⎕SE.Link.Export q E   ⍝ → 1
∨/'g.aplf: there is such a file'⍷⎕SE.Link.Export q E            ⍝ → 1
⊃⎕NGET (E,'/g.aplf') 1             ⍝ →  r←g x   r←x×2
n←⎕SE.Link.Import 'q2' E
(q2.f 1)(q2.(g 2))q2.a(q2.sub.h 3)q2.sc.v   ⍝ → 2 4  1 2 3  6 4
{}3 ⎕NDELETE E
n←⎕SE.Link.Create q E
⎕NEXISTS E,'/sub/h.aplf'           ⍝ → 1
]link.break q                      ⍝ → Unlinked: #.q

⍝ Commands
]link.create r2 "/nowhere"         ⍝ ! FILE NAME ERROR
]link.import                       ⍝ ! SYNTAX ERROR
]link.import a b c                 ⍝ ! SYNTAX ERROR
]link.status                       ⍝ → No active links
]nosuch 3                          ⍝ ! NONCE ERROR: ]nosuch is no command of this version: see ]help
]dinput 1 2 3                      ⍝ → 1 2 3

⍝ ⎕SE is there in each workspace
⎕SE.mine←5
)CLEAR
⎕SE.mine                           ⍝ → 5
⎕SE.Link                           ⍝ → ⎕SE.Link
⎕NC '⎕SE.Link.Import' '⎕SE.mine'   ⍝ → 3 2.1
⎕THIS.f←{⍵+1}
⎕THIS.f 2                          ⍝ → 3

⍝ SALT.Load
T←⎕ENV 'TMP' ⋄ D←T,'/link'
⎕SE.SALT.Load D,'/Twice'           ⍝ → Twice
⎕SE.SALT.Load D,'/a -target=#'     ⍝ → #.Lib
Lib.f 1                            ⍝ → 89
n←⎕SE.SALT.Load D,'/util/Half.aplf -target=#.to'
to.Half 6                          ⍝ → 3
nameless←⎕SE.SALT.Load D,'/z -noname'
nameless.v                         ⍝ → 3
⎕NC 'old3'                         ⍝ → 0
≢⎕SE.SALT.Load D,'/?.dyalog'       ⍝ → 3
3↑⎕SE.SALT.Load D,'/nothing'       ⍝ → ***
{}3 ⎕MKDIR D,'/some'
{}{(⊂⍵)⎕NPUT D,'/some/',⍺,'.aplf'}/¨('a' 'a←{⍵}')('b' 'b←)')('c' 'c←{⍵}')
3↑¨⎕SE.SALT.Load D,'/some/*'        ⍝ →  a    ***  c
⎕NC 3 1⍴'abc'                      ⍝ → 3 0 3
3↑⎕SE.SALT.Load ''                 ⍝ → ***

⍝ Definitions without ∇, and several things in one text
⎕←2 ⎕FIX 'r←lone x;y' ' y←x' ' r←y+1'   ⍝ →  lone
lone 2                             ⍝ → 3
⎕←2 ⎕FIX 'r←{x}amb y' ' r←y'       ⍝ →  amb
⎕←2 ⎕FIX '' '⍝ three' '∇ r←one' ' r←1' '∇' 'two←{' ' ⍵+2' '}' ':Namespace three' 'v←3' ':EndNamespace'   ⍝ →  one  three  two
one+(two 0)+three.v                ⍝ → 6
⎕←2 ⎕FIX 'x←1' 'y←{x}'             ⍝ →  y
⎕←2 ⎕FIX ,⊂'niladic'               ⍝ →  niladic
⎕NR 'lone'                         ⍝ →  r←lone x;y   y←x   r←y+1
2 ⎕FIX 'r←bad x' ':If x'           ⍝ ! SYNTAX ERROR: :If is not closed
⊢⎕FX 'F[X] B' 'B'                  ⍝ → F
⊢2 ⎕FIX 'r←F[X] B' 'r←B'           ⍝ →  F
F 3                                 ⍝ → 3
⍎')VARS'                           ⍝ ! SYNTAX ERROR
⍎':Namespace ex'                   ⍝ ! SYNTAX ERROR

⍝ :Require, once in a workspace, relative to the script; and in a circle
)CLEAR
T←⎕ENV 'TMP' ⋄ D←T,'/link/required' ⋄ {}3 ⎕MKDIR D,'/sub'
put←{{}(⊂⍺)⎕NPUT(D,⍵)1}
':Require file://sub/Base.apln ⍝ first' ':Require "file://./Base2.apln"' ':Namespace Top' 'v←10×#.Base.v' ':EndNamespace' put '/Top.apln'
':Namespace Base' 'v←3' '⎕←''once''' ':EndNamespace' put '/sub/Base.apln'
':Require file://Top.apln' ':Namespace Base2' 'v←4' ':EndNamespace' put '/Base2.apln'
⎕←2 ⎕FIX 'file://',D,'/Top.apln'   ⍝ → once ⏎  Base  Base2  Top
Top.v                              ⍝ → 30
{}2 ⎕FIX D,'/Top.apln'
x←⎕NS⍬ ⋄ x.⎕FIX ':Require file://',D,'/none.apln'   ⍝ ! FILE NAME ERROR
⎕FIX⊂':Require Base.apln'          ⍝ ! SYNTAX ERROR: :Require takes file:// and a name
⍎':Require file://none.apln'       ⍝ ! FILE NAME ERROR
⎕FIX⊂':Require file://a b'         ⍝ ! SYNTAX ERROR
⍎':Require file://x'               ⍝ ! FILE NAME ERROR

⍝ ⎕FIX of a file by its name alone, and its options
)CLEAR
T←⎕ENV 'TMP' ⋄ D←T,'/link/required'
⎕←⎕FIX D,'/sub/Base.apln'          ⍝ → once ⏎ #.Base
⎕FIX D,'/sub/none.apln'            ⍝ ! FILE NAME ERROR
⎕FIX 'f←{⍵,''.aplf''}'
f 'x'                              ⍝ → x.aplf
⎕←2(⎕FIX⍠('Quiet' 1)('FixWithErrors' 0))'g←{⍵}' 'h←{⍵}'   ⍝ →  g  h
(⎕FIX⍠'AllowLateBinding' 1)⊂'g←{⍵}'   ⍝ ! DOMAIN ERROR
(⎕FIX⍠'None' 1)⊂'g←{⍵}'            ⍝ ! DOMAIN ERROR

⍝ What scripts for Dyalog's interpreter begin with
⎕SE.(⍎⊃2⎕FIX'/StartupSession.aplf',⍨2⎕NQ#'GetEnvironment' 'DYALOG')
⎕SE.⎕NC 'StartupSession'           ⍝ → 3
{}3 ⎕NDELETE T∘,¨'/link' '/out'
