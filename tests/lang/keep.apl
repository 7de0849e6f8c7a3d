⍝ SPDX-License-Identifier: MIT
⍝ Work kept: )SAVE )LOAD )COPY )PCOPY ⎕SAVE ⎕LOAD ⎕CY, ]save, ⎕FIX. T is a folder of this file's own.
⍝ needs ⎕NC '⎕SAVE'

T←⎕ENV 'TMP'
bits←1003⍴1 0 0
ints←(⍳7)(1000×⍳7)(1E6×⍳7)(2*40+⍳7)
floats←(÷⍳7)(⎕F32 ÷⍳7)(1J2 3) (0⍴0.5)
chars←'abc' 'αβγ' (⎕UCS 128512 97) '' (0 3⍴'')
nest←(1(2(3 'x')))⍬(⊂⊂1 2)(0⍴⊂1 2)
m←2 3 4⍴⍳24
avg←{(+⌿⍵)÷≢⍵}
long←{
  x←⍵   ⍝ of lines
  x+1
}
op←{⍺⍺ ⍵⍵ ⍵}
sum←+/
dot←+.×
train←+⌿÷≢
bound←(⍳30)∘+
bind2←'it''s'∘,
pow←{⍵+1}⍣3
both←(-op ÷)
csv←⎕CSV⍠'Separator' ';'
assoc←+⍠'Assoc' 1
ax←,[0.5]
⎕IO←0
⎕SAVE T,'/w'
⎕NEXISTS T,'/w.vws'            ⍝ → 1
⎕WSID≡T,'/w.vws'               ⍝ → 1
kept←bits ints floats chars nest m
⎕DR¨⊃2⊃kept                    ⍝ → 645 645 645 645 645 645 645
p←T,'/w'
⍎')CLEAR'                      ⍝ ! SYNTAX ERROR
⎕IO←1
⎕EX 'avg' 'long' 'op' 'sum' 'dot' 'train' 'bound' 'bind2' 'pow' 'both' 'csv' 'assoc' 'ax' 'bits' 'ints' 'floats' 'chars' 'nest' 'm'
⎕CY p
kept≡bits ints floats chars nest m    ⍝ → 1
(⎕DR¨∊¨kept)≡⎕DR¨∊¨bits ints floats chars nest m   ⍝ → 1
⎕DR 2⊃floats                   ⍝ → 325
(⊂0 3)≡⍴5⊃chars                ⍝ → 0
⍴5⊃chars                       ⍝ → 0 3
⊃4⊃nest                        ⍝ → 0 0
avg 1 2 3                      ⍝ → 2
long 1                         ⍝ → 2
⎕NR 'long'                     ⍝ →  long←{    x←⍵   ⍝ of lines    x+1  }
- op ÷ 4                       ⍝ → ¯0.25
sum ⍳4                         ⍝ → 10
1 2 dot 3 4                    ⍝ → 11
train 1 2 3                    ⍝ → 2
3↑bound 1                      ⍝ → 2 3 4
bind2 '!'                      ⍝ → it's!
pow 1                          ⍝ → 4
both 4                         ⍝ → ¯0.25
csv 'a;b' 'S'                  ⍝ →  a  b
assoc/⍳4                       ⍝ → 10
1 2 ax 3 4                     ⍝ → 1 2 ⏎ 3 4
⎕NC 1 6⍴'∆∆vapl'               ⍝ → 0
⎕IO                            ⍝ → 1

⍝ The whole workspace
⎕LOAD p
⎕IO                            ⍝ → 0
⎕NC 'kept' 'avg' 'T'           ⍝ → 0 3.2 2.1
⎕IO←1
⎕EX 'avg' ⋄ sum←⌈/
'avg' ⎕CY T,'/w'
sum ⍳4                         ⍝ → 4
(⊂'sum')⎕CY T,'/w'
sum ⍳4                         ⍝ → 10
'nobody' ⎕CY T,'/w'            ⍝ ! DOMAIN ERROR
sum←⌈/
('sum' 'nobody')⎕CY T,'/w'     ⍝ ! DOMAIN ERROR
sum ⍳4                         ⍝ → 4
'sum' ⎕CY T,'/w'
f←{⎕LOAD ⍵}
f T,'/w'                       ⍝ ! NONCE ERROR
⎕LOAD T,'/nothing'             ⍝ ! FILE NAME ERROR

⍝ Damaged: nothing of the workspace is lost
put←{⎕NUNTIE t⊣(⎕UCS ⍵)⎕NAPPEND(t←(T,'/d.vws')⎕NCREATE 0⊣1 ⎕NDELETE T,'/d.vws')80}
t←(T,'/w.vws')⎕NTIE 0 ⋄ b←256|⎕NREAD t 83 ¯1 0 ⋄ ⎕NUNTIE t
put b
⎕CY T,'/d'
try←{11::'no' ⋄ 23::'damaged' ⋄ 16::'version' ⋄ _←put ⍵ ⋄ _←⎕CY T,'/d' ⋄ 'fine'}
try ¯1↓b                       ⍝ → damaged
try b,0                        ⍝ → damaged
try(256|1+b[1000])@1000⊢b      ⍝ → damaged
try 10↑b                       ⍝ → damaged
try 0↑b                        ⍝ → damaged
try 5@9⊢b                      ⍝ → version
try b                          ⍝ → fine
∧/{'damaged'≡try(256|(2*?7)+b[⍵])@⍵⊢b}¨32+?50⍴¯32+≢b   ⍝ → 1
∧/{'damaged'≡try ⍵↑b}¨?50⍴¯1+≢b   ⍝ → 1
sum ⍳4                         ⍝ → 10

⍝ As a script
⎕EX 'b' 't' 'put' 'f' 'try'
⎕IO←0
]save script.apl     ⍝ → script.apl saved
⎕IO←1
old←bits ints floats chars nest m
⎕EX 'avg' 'long' 'op' 'sum' 'dot' 'train' 'bound' 'bind2' 'pow' 'both' 'csv' 'assoc' 'ax' 'bits' 'ints' 'floats' 'chars' 'nest' 'm'
2 ⎕FIX 'file://script.apl'
⎕IO                            ⍝ → 0
⎕IO←1
old≡bits ints floats chars nest m   ⍝ → 1
(⎕DR¨∊¨old)≡⎕DR¨∊¨bits ints floats chars nest m   ⍝ → 1
(avg 1 2 3)(long 1)(sum ⍳4)(1 2 dot 3 4)(pow 1)(both 4)(+/bound 1)   ⍝ → 2 2 10 11 4 ¯0.25 495
bind2 '!'                      ⍝ → it's!
1 2 ax 3 4                     ⍝ → 1 2 ⏎ 3 4
⎕←⎕NDELETE 'script.apl'  ⍝ → 1

⍝ ⎕FIX
⎕←⎕FIX 'double←{2×⍵}' 'n←5' '⍝ a comment' 'half←{' '⍵÷2' '}'   ⍝ →  double  half
double half n                  ⍝ → 5
⎕←⎕FIX ,⊂'double←{3×⍵}'        ⍝ →  double
⎕FIX 'a←1' 'b←÷0'              ⍝ ! DOMAIN ERROR
⎕FIX 'file:///nowhere.apl'     ⍝ ! FILE NAME ERROR
⎕WSID←'' ⋄ ⎕FIX 3                      ⍝ ! DOMAIN ERROR

⍝ Commands
)WSID                          ⍝ → is CLEAR WS
)SAVE                          ⍝ → not saved: the workspace has no name, )SAVE name gives it one
)LOAD                          ⍝ → )LOAD needs the name of a workspace behind it
)LOAD /nowhere/x               ⍝ ! FILE NAME ERROR
)SAVE /nowhere/x               ⍝ ! FILE NAME ERROR

⍝ What GNU APL's scripts ask for: the number of a library is dropped
)COPY 5 NOWHERE                    ⍝ ! FILE NAME ERROR: )COPY: NOWHERE.vws: No such file or directory
)COPY_ONCE 3 nowhere.apl           ⍝ ! FILE NAME ERROR
{}(⊂'two←2' '∇r←inc x' ' r←x+1' '∇' ')COPY other deep' 'total←+/')⎕NPUT 'mine.apl'
{}(⊂'deep←{⍵⍵ ⍺⍺ ⍵}' 'other←1')⎕NPUT 'other.apl'
)COPY 3 mine inc two deep nothing
inc two                            ⍝ → 3
-deep÷4                            ⍝ → ¯0.25
⎕NC'total' 'other'                 ⍝ → 0 0

⍝ A script in place of a workspace: what is copied stands where the program does
n←⎕NS''
⎕←n.⎕CY 'mine'                     ⍝ → 
n.inc n.two                        ⍝ → 3
n.total n.two 4                    ⍝ → 6
∇ r←local x;two
 'two'⎕CY'mine.apl'
 r←x+two
∇
two←10
local 1                            ⍝ → 3
two                                ⍝ → 10
(⊂'inx')⎕CY 'mine'                 ⍝ ! DOMAIN ERROR: ⎕CY: mine.apl has no inx
'incr'⎕CY 'mine'                   ⍝ ! DOMAIN ERROR: ⎕CY: mine.apl has no incr; it has inc
⎕CY 'mine.dws'
two                                ⍝ → 2
{}(⊂'good←1' 'b←÷0')⎕NPUT 'bad.apl'
⎕CY 'bad'                          ⍝ ! DOMAIN ERROR
⎕NC'good'                          ⍝ → 0
⎕CY 'folder/x'                     ⍝ ! FILE NAME ERROR
)PCOPY mine two total
total two 3                          ⍝ → 5

⍝ ⎕DMX is a namespace that is shown as what it says
)CLEAR
{0::⎕DMX.EM ⋄ ÷0}2             ⍝ → DOMAIN ERROR
r←⎕DMX
]save dmx.apl                  ⍝ → dmx.apl saved
⎕SAVE 'dmx.vws'
⎕LOAD 'dmx.vws'
⍕r                             ⍝ →  EM       DOMAIN ERROR ⏎  Message  ÷: division by zero
r.⎕NS ⍬                        ⍝ → #.[Namespace].[Namespace]
'in' r.⎕NS ⍬
⎕←r.in                         ⍝ → #.[Namespace].in
2 ⎕FIX 'file://dmx.apl'
r.EN                           ⍝ → 11
⊢⎕NDELETE 'dmx.apl' 'dmx.vws'   ⍝ → 1 1
)CLEAR

⍝ Namespaces are kept with what they share
)CLEAR
ns←(a:1 ⋄ b:2 'x' ⋄ f:{a+⍵} ⋄ sum:+/ ⋄ in:(deep:3))
ns.self←ns ⋄ also←ns ⋄ nss←(x:1)(x:2) ⋄ g←ns.f
ns.⎕IO←0
'named'⎕NS ⍬
named.sub←ns
)SAVE spaces.vws
)CLEAR
)LOAD spaces.vws
ns.(a b)                           ⍝ → 1  2 x
ns.f 10                            ⍝ → 11
ns.a←5 ⋄ g 10                      ⍝ → 15
ns.sum 1 2 3                       ⍝ → 6
ns.in.deep                         ⍝ → 3
(ns≡also)(ns≡ns.self)(ns≡named.sub)  ⍝ → 1 1 1
nss.x                              ⍝ → 1 2
ns.(⍳2)                            ⍝ → 0 1
named                              ⍝ → #.named
)CLEAR
)COPY spaces.vws ns
ns.f 10                            ⍝ → 11
)LOAD spaces.vws
named.kid←named.(⎕NS ⍬)
named.kid.h←{##.sub.a+⍵}
ns.list←1(nss[2])'x' ⋄ t←nss[1]∘{⍺.x+⍵}
fs←(k:10 ⋄ f:{k+⍵})(k:20 ⋄ f:{k×⍵}) ⋄ all←fs.f
]save spaces.apl
)CLEAR
]save none.apl
⎕FIX 'file://none.apl'
⎕FIX 'file://spaces.apl'
ns.(f a),ns.in.deep                ⍝ → 2 3
(ns≡also)(ns≡ns.self)(ns≡named.sub)  ⍝ → 1 1 1
ns.(⍳2)                            ⍝ → 0 1
ns.in.(⍳2)                         ⍝ → 1 2
named named.kid                    ⍝ →  #.named  #.named.[Namespace]
ns.a←5 ⋄ g 10                      ⍝ → 15
named.kid.h 1                      ⍝ → 6
nss[1 2].x←7 8 ⋄ t 1               ⍝ → 8
(2⊃ns.list).x                      ⍝ → 8
'∆∆'≢⊃2↑¨⎕NL 2                     ⍝ → 1
⎕NC '∆∆vapl'                       ⍝ → 0
all 1 2                            ⍝ → 11 40
)SAVE spread.vws
)CLEAR
)LOAD spread.vws
all 1 2                            ⍝ → 11 40
fs[2].k←5 ⋄ all 1                  ⍝ → 11 5
lib←0 ⎕FIX 'file://spaces.apl'
lib.named.kid.h 1                  ⍝ → 2
lib.(ns≡also)                      ⍝ → 1

⍝ Options of ⎕R and ⎕S are kept
)CLEAR
ic←'a'⎕R'<&>'⍠1
both←ic⍠'Mode' 'D'⍠('ML' 1)('Regex'(1 0))
of←'\w+'⎕R{⌽⍵.Match}⍠('IC' 1)∘⌽
find←('A' 'b+'⎕S 0 3⍠'IC' 1)⊢
]save options.apl
)SAVE options.vws
)CLEAR
)LOAD options.vws
ic 'xAa'                           ⍝ → x<A><a>
both 'xAa'                         ⍝ → x<&>a
of 'ab cd'                         ⍝ → cd ab
find 'abBa'                        ⍝ →  0 0  1 1  3 0
)CLEAR
⎕FIX 'file://options.apl'
ic 'xAa'                           ⍝ → x<A><a>
both 'xAa'                         ⍝ → x<&>a
of 'ab cd'                         ⍝ → cd ab
find 'abBa'                        ⍝ →  0 0  1 1  3 0

⍝ ⎕FIX of namespaces
s←'⍝ a library' ':Namespace lib ⍝ of mine' '⎕IO←0' 'k←10' 'f←{' '  k+⍵' '}' ':Namespace in' 'g←{##.k×⍵}' ':EndNamespace' 'h←{in.g f ⍵}' ':EndNamespace'
⎕←⎕FIX s                           ⍝ → #.lib
lib.f 1                            ⍝ → 11
lib.h 1                            ⍝ → 110
lib.in                             ⍝ → #.lib.in
lib.(⍳3)                           ⍝ → 0 1 2
⎕EX 'lib'
l←0 ⎕FIX s
l.f 2                              ⍝ → 12
⎕NC 'lib'                          ⍝ → 0
(⊂s)⎕NPUT 'lib.apl' 1
m←⎕FIX 'file://lib.apl'
m≡lib                              ⍝ → 1
d←0 ⎕FIX 'tw←{2×⍵}' 'th←{⍵+tw ⍵}'
d.th 5                             ⍝ → 15
⎕NC 'tw'                           ⍝ → 0
e←⎕NS ⍬
⎕←e.⎕FIX 'tw←{2×⍵}' 'q←3'          ⍝ →  tw
e.(tw q)                           ⍝ → 6
⎕FIX ':Namespace x' 'a←1'          ⍝ ! SYNTAX ERROR: :Namespace is not closed
⎕FIX ':Namespace 1x' ':EndNamespace'  ⍝ ! SYNTAX ERROR: :Namespace takes one name
⎕FIX ':Namespace y' 'a←÷0' ':EndNamespace'  ⍝ ! DOMAIN ERROR
⎕FIX ,⊂':EndNamespace'             ⍝ ! SYNTAX ERROR: :EndNamespace ends nothing
⎕←2 ⎕FIX ':Namespace zn' ':Section one' 'f←{⍵+1}' ':EndSection' ':region it''s ← 2' 'v←1' ':EndRegion' ':EndNamespace' 'zf←{⍵}'  ⍝ →  zf  zn
zn.(f v)                           ⍝ → 2
⎕FIX 'r←f x;a' 'r←x'               ⍝ ! SYNTAX ERROR: ; cannot stand here: ∇ begins a traditional function, before its header
⎕FIX ':Namespace z' '∇r←f x;a' 'r←x' '∇' ':EndNamespace'
z.f 7                              ⍝ → 7
⎕FIX 'here: x←1'                   ⍝ ! SYNTAX ERROR: : cannot stand here: labels are within functions
⎕←⎕FIX ':Class a' ':EndClass'      ⍝ → #.a
⎕FIX 'x←1' ':If x' ':EndIf'
⎕FIX 'x←1' ':If x'                 ⍝ ! SYNTAX ERROR: :If is not closed

⍝ ⎕LX is kept with the workspace, and run by )LOAD and ⎕LOAD, not by )XLOAD; ⎕NULL and locks are kept
)CLEAR
⎕LX←'''good morning'''
null←1 ⎕NULL 'ab'
⎕FX 'r←secret' 'r←5'
⎕LOCK 'secret'
⎕SAVE (⎕ENV 'TMP'),'/lx'
⎕LX←''
null←0
)CLEAR
)XLOAD "lx"
⎕LX                                ⍝ → 'good morning'
⎕LX←'3'
null[2]≡⎕NULL                      ⍝ → 1
secret                             ⍝ → 5
≢⎕NR 'secret'                      ⍝ → 0
⎕LOAD (⎕ENV 'TMP'),'/lx'           ⍝ → good morning
⎕LX←'÷0'
⎕SAVE (⎕ENV 'TMP'),'/lx'
⎕LOAD (⎕ENV 'TMP'),'/lx'           ⍝ ! DOMAIN ERROR
null[2]≡⎕NULL                      ⍝ → 1
⎕LX←''
)CLEAR

⍝ what is made of functions by ∇ is kept with them, also of those of a namespace
∇ r←twice x
 r←2×x
∇
∇ r←(f op)x
 r←f f x
∇
'n'⎕NS⍬
n.k←100
n.⎕FX 'r←add x' 'r←k+x'
made←twice∘(1∘+)
of←twice op
each←n.add¨
both←twice⌈-
n.deep←twice⍤(n.add∘twice op)
⎕SAVE (⎕ENV 'TMP'),'/made'
∇ r←twice x
 r←'another'
∇
⎕LOAD (⎕ENV 'TMP'),'/made'
made 3                             ⍝ → 8
of 3                               ⍝ → 12
each 1 2                           ⍝ → 101 102
both 3                             ⍝ → 6
n.deep 1                           ⍝ → 608
n.k←0
each 1 2                           ⍝ → 1 2
)CLEAR
