⍝ SPDX-License-Identifier: MIT
⍝ What is known of names, names that other APLs' programs use, and services by number.
⍝ needs ⎕NC '⎕AT'

⍝ ⎕AT: header, time, lock, author; a matrix for several names
)CLEAR
∇ {z}←{l}(fn myop)r
 z←fn r
∇
∇ z←foo
 z←1
∇
∇ z←{larg}util rarg
 z←rarg
∇
∇ nothing
∇
∇ a two b
∇
∇ z←one b
 z←b
∇
∇ z←(f both g)b
 z←b
∇
dfn←{⍵ ⍵}
dop←{⍺⍺ ⍵}
var←1 2
⊃⎕AT'myop'  ⍝ → ¯1 ¯2 1
⊃⎕AT'foo'  ⍝ → 1 0 0
⊃⎕AT'util'  ⍝ → 1 ¯2 0
⊃⎕AT'nothing'  ⍝ → 0 0 0
⊃⎕AT'two'  ⍝ → 0 2 0
⊃⎕AT'one'  ⍝ → 1 1 0
⊃⎕AT'both'  ⍝ → 1 1 2
⊃⎕AT'dfn'  ⍝ → 1 ¯2 0
⊃⎕AT'dop'  ⍝ → 1 ¯2 1
⊃⎕AT'var'  ⍝ → 0 0 0
⊃⎕AT'nowhere'  ⍝ → 0 0 0
⍴⎕AT'foo'  ⍝ → 4
⍴⎕AT⊂'foo'  ⍝ → 4
⍴⎕AT'foo' 'util'  ⍝ → 2 4
⍴⎕AT↑'foo' 'util' 'var'  ⍝ → 3 4
⍴⎕AT 0⍴⊂''  ⍝ → 0 4
(2⊃⎕AT'foo')[1]=⊃⎕TS  ⍝ → 1
2⊃⎕AT'dfn'  ⍝ → 0 0 0 0 0 0 0
3⊃⎕AT'foo'  ⍝ → 0
(4⊃⎕AT'foo')≡⎕AN  ⍝ → 1
4⊃⎕AT'var'  ⍝ →
⎕AT 5  ⍝ ! DOMAIN ERROR
⎕AT 2 2 2⍴'a'  ⍝ ! RANK ERROR

⍝ … as APL2 has them
1 ⎕AT'foo'  ⍝ → 1 0 0
1 ⎕AT'two'  ⍝ → 0 2 0
1 ⎕AT'myop'  ⍝ → 1 2 1
1 ⎕AT'var'  ⍝ → 1 0 0
1 ⎕AT'foo' 'nowhere'  ⍝ → 1 0 0 ⏎ 0 0 0
⍴2 ⎕AT'foo'  ⍝ → 7
2 ⎕AT'var'  ⍝ → 0 0 0 0 0 0 0
3 ⎕AT'foo'  ⍝ → 0 0 0 0
≠/4 ⎕AT'foo'  ⍝ → 0
(4 ⎕AT'var')=⎕SIZE'var'  ⍝ → 1 1
⍴4 ⎕AT'var' 'foo' 'one'  ⍝ → 3 2
⍴1 ⎕AT 0⍴⊂''  ⍝ → 0 3
0 ⎕AT'foo'  ⍝ ! DOMAIN ERROR
5 ⎕AT'foo'  ⍝ ! DOMAIN ERROR
'a'⎕AT'foo'  ⍝ ! DOMAIN ERROR
1 2 ⎕AT'foo'  ⍝ ! LENGTH ERROR

⍝ ⎕ATX: attributes by number; its shape is that of both arguments
10 11 12 ⎕ATX'util'  ⍝ → 1 ¯2 0
11 ⎕ATX'one'  ⍝ → 1
11 ⎕ATX⊂'one'  ⍝ → 1
11 ⎕ATX'one' 'two' 'foo'  ⍝ → 1 2 0
10 11 ⎕ATX'one' 'two'  ⍝ →  1 0  1 2
⍴10 11 ⎕ATX⊂'one'  ⍝ →
30 31 32 ⎕ATX'one'  ⍝ → 1 1 1
30 31 32 ⎕ATX'dfn'  ⍝ → ¯1 ¯1 ¯1
40 41 42 ⎕ATX'var'  ⍝ → 2 1 2.1
40 41 42 ⎕ATX'dfn'  ⍝ → 3 2 3.2
40 41 42 ⎕ATX'nowhere'  ⍝ → 0 0 0
40 41 42 ⎕ATX'1a'  ⍝ → ¯1 0 ¯1
0 ⎕ATX'var'  ⍝ → var
≢0 ⎕ATX'nowhere'  ⍝ → 0
20 ⎕ATX'dfn'  ⍝ →
(7↑22 ⎕ATX'foo')[1]=⊃⎕TS  ⍝ → 1
22 ⎕ATX'dfn'  ⍝ →
(21 ⎕ATX'foo')>45000  ⍝ → 1
21 ⎕ATX'dfn'  ⍝ → 0
(23 ⎕ATX'var')=⎕SIZE'var'  ⍝ → 1
50 ⎕ATX'foo'  ⍝ →
54 55 ⎕ATX'foo'  ⍝ → 0 0
≢62 ⎕ATX'foo'  ⍝ → 2
60 ⎕ATX'foo'  ⍝ →  z←foo   z←1
≢62 ⎕ATX'var'  ⍝ → 0
{11 ⎕ATX'⍵'}5  ⍝ → 0
⍬ ⎕ATX'foo'  ⍝ →
99 ⎕ATX'foo'  ⍝ ! DOMAIN ERROR
'a'⎕ATX'foo'  ⍝ ! DOMAIN ERROR
(1 1⍴10)⎕ATX'foo'  ⍝ ! RANK ERROR
10 ⎕ATX 5  ⍝ ! DOMAIN ERROR

⍝ ⎕LOCK and ⍫: the text is not shown
≢62 ⎕ATX'util'  ⍝ → 2
⊢1 ⎕LOCK'util'  ⍝ → 1
≢62 ⎕ATX'util'  ⍝ → 0
⎕NR'util'  ⍝ →
⍴⎕CR'util'  ⍝ → 0 0
⍴⎕VR'util'  ⍝ → 0
30 31 ⎕ATX'util'  ⍝ → 0 1
⊢2 ⎕LOCK'util'  ⍝ → 3
3⊃⎕AT'util'  ⍝ → 3
2⊃⎕AT'util'  ⍝ → 0 0 0 0 0 0 0
3 ⎕AT'util'  ⍝ → 1 1 0 0
util 7  ⍝ → 7
⎕LOCK'util'
⊢⎕LOCK'dfn'  ⍝ → 0
⊢⎕LOCK'var'  ⍝ → 0
⊢0 ⎕LOCK'foo'  ⍝ → 0
≢⎕NR'dfn'  ⍝ → 1
4 ⎕LOCK'foo'  ⍝ ! DOMAIN ERROR
⎕LOCK'1a'  ⍝ ! DOMAIN ERROR
⎕LOCK 5  ⍝ ! DOMAIN ERROR
⎕LOCK'foo' 'one'  ⍝ ! DOMAIN ERROR
∇ r←hidden x
 r←x+1
⍫
hidden 1  ⍝ → 2
⎕NR'hidden'  ⍝ →
⍫ r←hidden2 x
 r←x+2
∇
hidden2 1  ⍝ → 3
⎕NR'hidden2'  ⍝ →
)FNS hidden  ⍝ → hidden  hidden2 nothing one     two     util
⎕FX '⍫r←h3 x' 'r←x+3' '⍫'
h3 1  ⍝ → 4
≢⎕NR'h3'  ⍝ → 0
⎕FX 'r←h3 x' 'r←x+4'
≢⎕NR'h3'  ⍝ → 2
1+⍫  ⍝ ! SYNTAX ERROR

⍝ ⎕REFS: the names in a function
)CLEAR
∇ OPTIONS;OPTS;INP
 ⍝ a comment
 OPTS ←'INPUT' 'REPORT' 'END'
IN:INP←ASK'OPTION:'
 →EX⍴⍨(⊂INP)∊OPTS
 'INVALID OPTION. SELECT FROM',OPTS ⋄ →IN
EX:→EX+OPTS⍳⊂INP
 INPUT ⋄ →IN
 REPORT ⋄ →IN
END:
∇
⎕REFS'OPTIONS'  ⍝ → ASK ⏎ END ⏎ EX ⏎ IN ⏎ INP ⏎ INPUT ⏎ OPTIONS ⏎ OPTS ⏎ REPORT
∇ r←words x
 :For i :In x
   r←i
 :EndFor
 :If x ⋄ :Return ⋄ :EndIf
∇
,⎕REFS'words'  ⍝ → i    r    wordsx
⎕LOCK'words'
⎕REFS'words'  ⍝ → words
g←{a←⍵ ⋄ a>1:b ⋄ c}
,⎕REFS'g'  ⍝ → abcg
sum←+/
⍴⎕REFS'sum'  ⍝ → 0 0
⍴⎕REFS'nowhere'  ⍝ → 0 0
⎕REFS 5  ⍝ ! DOMAIN ERROR

⍝ ⎕SIZE
aa←⍳10
(⎕SIZE'aa' 'nowhere' '⎕IO')>0  ⍝ → 1 0 0
⍴⎕SIZE'aa'  ⍝ → 1
bb←aa,aa
</⎕SIZE'aa' 'bb'  ⍝ → 1
n←⎕NS'aa'
>/⎕SIZE↑,¨'n' 'aa'  ⍝ → 1
m←1000⍴⊂'abc'
(⎕SIZE'm')>3000  ⍝ → 1
(⎕SIZE'words')>20  ⍝ → 1
⎕SIZE 0⍴⊂''  ⍝ →
⎕SIZE 5  ⍝ ! DOMAIN ERROR
n.self←n
0<⎕SIZE'n'  ⍝ → 1

⍝ ⎕SRC: of a scripted namespace
⎕FIX ':Namespace outer' 'x←1' ':Namespace inner' 'y←2' ':EndNamespace' '∇ r←f' 'r←x' '∇' ':EndNamespace'
≢⎕SRC outer  ⍝ → 9
5↓⎕SRC outer  ⍝ →  ∇ r←f  r←x  ∇  :EndNamespace
⎕SRC outer.inner  ⍝ →  :Namespace inner  y←2  :EndNamespace
⎕EX'outer'
⎕SRC ⎕FIX ':Namespace' 'x←1' ':EndNamespace'  ⍝ →  :Namespace  x←1  :EndNamespace
⎕SRC ⎕NS ⍬  ⍝ ! DOMAIN ERROR
⎕SRC #  ⍝ ! DOMAIN ERROR
⎕SRC 'n'  ⍝ ! DOMAIN ERROR

⍝ ⎕XSI ⎕NSI ⎕RSI: one item for each function that runs
)CLEAR
'x'⎕NS ⍬
'y'⎕NS ⍬
x.⎕FX 'r←foo' 'r←#.y.goo'
y.⎕FX 'r←goo' 'r←(⎕SI ⎕XSI ⎕NSI(⍕¨⎕RSI))'
1⊃x.foo  ⍝ →  goo  foo
2⊃x.foo  ⍝ →  #.y.goo  #.x.foo
3⊃x.foo  ⍝ →  #.x  #
4⊃x.foo  ⍝ →  #.x  #
{≢¨⎕XSI ⎕NSI ⎕RSI ⎕SI ⎕LC}0  ⍝ → 1 1 1 1 1
≢¨⎕XSI ⎕NSI ⎕RSI  ⍝ → 0 0 0
f←{⎕XSI}
f 0  ⍝ →  #.f
{⊢{⎕XSI}⍵}0  ⍝ →  #.  #.
≢⎕RSI  ⍝ → 0
⎕XSI←1  ⍝ ! SYNTAX ERROR
⎕FIX ':Namespace s' 'q←⎕SI ⎕XSI' ':EndNamespace'
≢¨s.q  ⍝ → 0 0

⍝ ⎕NULL: equal to itself alone
)CLEAR
⎕NULL  ⍝ → [Null]
⎕NULL≡⎕NULL  ⍝ → 1
⎕NULL=⎕NULL  ⍝ → 1
⎕NULL=1 'a' ⎕NULL  ⍝ → 0 0 1
⎕NULL≡0  ⍝ → 0
⎕NULL∊1 ⎕NULL 2  ⍝ → 1
1 ⎕NULL 2⍳⎕NULL  ⍝ → 2
≢∪⎕NULL ⎕NULL  ⍝ → 1
⍴⎕NULL  ⍝ →
≡⎕NULL  ⍝ → 0
⍕⎕NULL  ⍝ → [Null]
x←⎕NULL
⎕NC'x'  ⍝ → 9
x≡⎕NULL  ⍝ → 1
2 2⍴1 ⎕NULL  ⍝ → 1  [Null] ⏎ 1  [Null]
⎕NULL+1  ⍝ ! DOMAIN ERROR
⎕NULL.x  ⍝ ! VALUE ERROR
⎕NULL.x←1  ⍝ ! DOMAIN ERROR
⎕NULL←1  ⍝ ! SYNTAX ERROR
1 ⎕JSON ⎕NULL  ⍝ → null
1 ⎕JSON 1 ⎕NULL  ⍝ → [1,null]
(⎕JSON⍠'Null' ⎕NULL)'[1,null]'  ⍝ → 1  [Null]
1(⎕JSON⍠'Null' ⎕NULL)1 ⎕NULL  ⍝ → [1,null]

⍝ ⎕DF: what a namespace is shown as
n←⎕NS ⍬
n.⎕DF'mine'
n  ⍝ → mine
⍕n  ⍝ → mine
≢⍕n  ⍝ → 4
⊢n.⎕DF'yours'  ⍝ → mine
'sub'n.⎕NS ⍬
n.sub  ⍝ → #.[Namespace].sub
⊢n.⎕DF ⎕NULL  ⍝ → yours
n  ⍝ → #.[Namespace]
⊢n.⎕DF ⎕NULL  ⍝ → [Null]
n.⎕DF 2 3⍴'abcdef'
n  ⍝ → abc ⏎ def
n.⎕DF 5  ⍝ ! DOMAIN ERROR
n.⎕DF n  ⍝ ! DOMAIN ERROR
n.⎕DF 'a' 'bc'  ⍝ ! DOMAIN ERROR

⍝ kept variables
)CLEAR
⎕WX  ⍝ → 3
⎕WX←1
⎕WX  ⍝ → 1
⎕WX←2  ⍝ ! DOMAIN ERROR
⎕WX←'a'  ⍝ ! DOMAIN ERROR
⎕WX←1 2  ⍝ ! LENGTH ERROR
⎕WX←4  ⍝ ! DOMAIN ERROR
⎕WX  ⍝ → 1
⎕DCT  ⍝ → 1E¯28
⎕DCT←0
⎕DCT  ⍝ → 0
⎕DCT←1  ⍝ ! DOMAIN ERROR
⎕DCT←⍬  ⍝ ! LENGTH ERROR
⎕DCT←'a'  ⍝ ! DOMAIN ERROR
⎕RTL←32767
⎕RTL←32768  ⍝ ! DOMAIN ERROR
⎕RTL←0.5  ⍝ ! DOMAIN ERROR
⎕UCS ⎕AVU[⍳3]  ⍝ … 
⎕AVU≡⎕UCS ⎕AV  ⍝ → 1
⎕AVU←⍳5  ⍝ ! LENGTH ERROR
⎕AVU←256⍴¯1  ⍝ ! DOMAIN ERROR
⎕AVU←16 16⍴0  ⍝ ! RANK ERROR
⎕PATH  ⍝ →
⎕PATH←'⎕SE.util ↑'
⎕PATH  ⍝ → ⎕SE.util ↑
⎕PATH←5  ⍝ ! DOMAIN ERROR
⎕USING←''
⎕USING←0⍴⊂''
⎕USING←5  ⍝ ! DOMAIN ERROR
⎕USING←'System'  ⍝ ! NONCE ERROR
⎕TID  ⍝ → 0
,⎕TNUMS  ⍝ → 0
⎕SD>0  ⍝ → 1 1
⎕LX  ⍝ →
⎕LX←'1+1'
⎕LX  ⍝ → 1+1
⎕LX←'2'
⎕WX←0
)CLEAR
⎕LX  ⍝ →
⎕WX  ⍝ → 3
⎕PATH  ⍝ → ⎕SE.util ↑
⎕LX←2 2⍴'a'  ⍝ ! RANK ERROR
⎕LX←1  ⍝ ! DOMAIN ERROR
⎕LX←''

⍝ what the root object tells
'.'⎕WG'APLVersion'  ⍝ →  Linux-64  20.0.0.0  S  Development
(# ⎕WG'APLVersion')≡'.'⎕WG'APLVersion'  ⍝ → 1
3⊃'.'⎕WG'aplversion'  ⍝ → S
⎕WG'PropList'  ⍝ →  APLVersion  PropList
≢'.'⎕WG'APLVersion' 'PropList'  ⍝ → 2
'.'⎕WG'Caption'  ⍝ ! NONCE ERROR
'F'⎕WG'Caption'  ⍝ ! NONCE ERROR
'.'⎕WG 5  ⍝ ! DOMAIN ERROR
(⎕ENV'TMP')≡2 ⎕NQ'.' 'GetEnvironment' 'TMP'  ⍝ → 1
(⎕ENV'TMP')≡2 ⎕NQ # 'GetEnvironment' 'TMP'  ⍝ → 1
2 ⎕NQ'.' 'GetEnvironment' 'TMP'
≢¨2 ⎕NQ'.' 'GetEnvironment' ('NOT_THERE' 'NOR_THIS')  ⍝ → 0 0
⊃2 ⎕NQ'.' 'GetCommandLineArgs'  ⍝ → vapl
4↑2 ⎕NQ'.' 'GetCommandLine'  ⍝ → vapl
≢2 ⎕NQ'.' 'GetBuildID'  ⍝ → 8
2 ⎕NQ'.' 'GetEnvironment'  ⍝ ! SYNTAX ERROR
2 ⎕NQ'.' 'GetEnvironment' 5  ⍝ ! DOMAIN ERROR
2 ⎕NQ'.' 'Wait'  ⍝ ! NONCE ERROR
2 ⎕NQ'F' 'GetEnvironment' 'TMP'  ⍝ ! NONCE ERROR
⎕NQ'.' 'GetEnvironment' 'TMP'  ⍝ ! NONCE ERROR
2 ⎕NQ'.'  ⍝ ! DOMAIN ERROR
2 ⎕NQ ⍬  ⍝ ! DOMAIN ERROR

⍝ ⌶: functions that have names
819⌶'ÀBC'  ⍝ → àbc
1(819⌶)'abc'  ⍝ → ABC
(819⌶)'ABC'  ⍝ → abc
fold←819⌶
fold'ABC'  ⍝ → abc
n←819
n⌶'ABC'  ⍝ → abc
819⌶¨'AB' 'CD'  ⍝ →  ab  cd
f←{⍵+1}
180⌶'f'  ⍝ → f←{⍵+1}
739⌶0  ⍝ … 
739⌶1  ⍝ ! DOMAIN ERROR
'YYYY-MM-DD'(1200⌶)1 ⎕DT⊂2026 11 22  ⍝ →  2026-11-22
∇ r←{left}foo right
 r←900⌶⍬
∇
foo 10  ⍝ → 1
0 foo 10  ⍝ → 0
900⌶⍬  ⍝ → 0
∇ r←{l}op2 y
 l←5
 r←{900⌶⍵}0
∇
op2 1  ⍝ → 1
1 op2 1  ⍝ → 0
7159⌶'[1,2]'  ⍝ → 1 2
7160⌶1 2  ⍝ → [1,2]
(7159⌶)0(7160⌶)1 2  ⍝ → 1 2
⍴1(7159⌶)'[1]'  ⍝ → 2 4
'M'(7159⌶)'[1]'  ⍝ … 
2(7159⌶)'[1]'  ⍝ ! DOMAIN ERROR
0(7162⌶)'2a'  ⍝ → ⍙2a
1(7162⌶)'⍙2a'  ⍝ → 2a
0(7162⌶)'foo'  ⍝ → foo
1(7162⌶)'foo'  ⍝ → foo
2(7162⌶)'foo'  ⍝ ! DOMAIN ERROR
0(7162⌶)'2a' 'foo'  ⍝ →  ⍙2a  foo
0(7162⌶)'2a' 5  ⍝ ! DOMAIN ERROR

⍝ … and 85⌶, 86⌶
0(85⌶)'a←42'  ⍝ → 42
1(85⌶)'a←42'  ⍝ ! ERROR
1(85⌶)'a'  ⍝ → 42
0(85⌶)''  ⍝ ! ERROR
0(85⌶)'1+'  ⍝ ! SYNTAX ERROR
85⌶'1'  ⍝ ! SYNTAX ERROR
∇ r←who;here
 here←'who'
 r←asks 1
∇
∇ r←asks n;here
 here←'asks'
 r←n(86⌶)'here'
∇
0(86⌶)'1+1'  ⍝ → 2
{x←7 ⋄ {x←8 ⋄ 1(86⌶)'x'}0}0  ⍝ → 7
{x←7 ⋄ {x←8 ⋄ 0(86⌶)'x'}0}0  ⍝ → 8
3(86⌶)'1'  ⍝ ! DOMAIN ERROR
¯1(86⌶)'1'  ⍝ ! DOMAIN ERROR

⍝ … bytes: zlib, gzip, arrays
v←101 109 112 116 121 ¯30 ¯122 ¯112
2 3{⍵≡0(219⌶)⍺(219⌶)⍵}¨⊂v  ⍝ → 1 1
v≡¯2(219⌶)2⊃2(219⌶)v  ⍝ → 1
v≡¯3 8(219⌶)2⊃3 9(219⌶)v  ⍝ → 1
big←1000000⍴v
(⍴2⊃2 9(219⌶)big)<10000  ⍝ → 1
big≡0(219⌶)2 9(219⌶)big  ⍝ → 1
⍬≡0(219⌶)2(219⌶)⍬  ⍝ → 1
1(219⌶)v  ⍝ ! NONCE ERROR
5(219⌶)v  ⍝ ! DOMAIN ERROR
2(219⌶)1000  ⍝ ! DOMAIN ERROR
2(219⌶)'abc'  ⍝ ! DOMAIN ERROR
¯2(219⌶)v  ⍝ ! DOMAIN ERROR
0(219⌶)v  ⍝ ! DOMAIN ERROR
2 3 4(219⌶)v  ⍝ ! LENGTH ERROR
{⍵≡0(220⌶)1(220⌶)⍵}¨5 'abc'(1 'a'(2 3))⍬''(2 3⍴⍳6)1.5 2J3(0⍴⊂'ab')  ⍝ → 1 1 1 1 1 1 1 1 1
⎕NULL≡0(220⌶)1(220⌶)⎕NULL  ⍝ → 1
(0(220⌶)1(220⌶)(a:5)).a  ⍝ → 5
{⍵≡0(220⌶)0(219⌶)2(219⌶)1(220⌶)⍵}'deep'(1 2(3 'x'))  ⍝ → 1
0(220⌶)1 2 3  ⍝ ! DOMAIN ERROR
0(220⌶)'abc'  ⍝ ! DOMAIN ERROR
0(220⌶)¯1↓1(220⌶)⍳5  ⍝ ! DOMAIN ERROR
2(220⌶)1  ⍝ ! DOMAIN ERROR

⍝ … settings, and what is not there
⍴120⌶4  ⍝ → 36
120⌶0  ⍝ → 00000000-0000-0000-0000-000000000000
(120⌶4)≡120⌶4  ⍝ → 0
(120⌶7)[15]  ⍝ → 7
120⌶1  ⍝ ! DOMAIN ERROR
1500⌶1 2 3  ⍝ → 1 2 3
1(1500⌶)1500⌶1 2  ⍝ → 0
2(1500⌶)1 2  ⍝ → 1 2
0<2000⌶0 1 13 14  ⍝ → 1 1 1 1
⍴2000⌶0  ⍝ →
0(2000⌶)14  ⍝ →
5(2000⌶)15  ⍝ ! NONCE ERROR
2000⌶'a'  ⍝ ! DOMAIN ERROR
2250⌶0  ⍝ → 0
2503⌶0  ⍝ → 0
2503⌶1  ⍝ ! NONCE ERROR
400⌶0  ⍝ → 0
1(400⌶)'foo'  ⍝ → 0
1(400⌶)'foo' 'op2'  ⍝ → 0 0
600⌶0  ⍝ → 0
600⌶2  ⍝ → 0
600⌶1  ⍝ ! NONCE ERROR
600⌶3  ⍝ ! DOMAIN ERROR
3500⌶'x'  ⍝ → ¯1
3501⌶⍬  ⍝ → 0
3502⌶0  ⍝ → 0
3502⌶1  ⍝ → 32
3502⌶'SERVE::4511'  ⍝ → 0
3502⌶2  ⍝ ! DOMAIN ERROR
111⌶'x'  ⍝ → ¯1
≢5177⌶⍬  ⍝ → 0
4⊃5179⌶'foo'  ⍝ →
(⍴¨5179⌶'xyz')≡(,0)⍬⍬(,0)⍬⍬(,8)(,7)  ⍝ → 1
(2⊃5179⌶'xyz')≡⎕NULL  ⍝ → 1
_←(⊂'x←1' 'ff←{' '⍵}' '∇ r←gg' 'r←1' '∇')⎕NPUT((⎕ENV'TMP'),'/s.apl')1
⎕FIX 'file://',(⎕ENV'TMP'),'/s.apl'
50 54 55 ⎕ATX'ff' 'gg'  ⍝ … 
54 55 ⎕ATX'ff' 'gg'  ⍝ →  1 3  2 2
5 6⊃¨⊂5179⌶'ff'  ⍝ → 1 2
(⊃⎕TS)=⊃8⊃5179⌶'gg'  ⍝ → 1
≢5177⌶⍬  ⍝ → 2
_←(⊂':Namespace sp' 'h←{⍵}' ':EndNamespace')⎕NPUT((⎕ENV'TMP'),'/sp.apln')1
⎕FIX 'file://',(⎕ENV'TMP'),'/sp.apln'
3 5 6⊃¨⊂5179⌶'sp'  ⍝ → 9 0 0
3 5 6⊃¨⊂5179⌶sp  ⍝ → 9 0 0
3 5 6⊃¨⊂5179⌶'sp.h'  ⍝ → 3 1 1
54 55 ⎕ATX'sp'  ⍝ → 0 3
5177⌶1  ⍝ ! DOMAIN ERROR
12345⌶0  ⍝ ! NONCE ERROR: 12345⌶ is not in this version
¯1⌶0  ⍝ ! NONCE ERROR: ¯1⌶ is not in this version
0⌶0  ⍝ ! NONCE ERROR
1.5⌶0  ⍝ ! DOMAIN ERROR
'a'⌶0  ⍝ ! DOMAIN ERROR
⍬⌶0  ⍝ ! LENGTH ERROR
819 900⌶0  ⍝ ! LENGTH ERROR
+⌶0  ⍝ ! DOMAIN ERROR
1(900⌶)0  ⍝ ! SYNTAX ERROR
1200⌶0  ⍝ ! SYNTAX ERROR

⍝ errors as APL2 and GNU APL have them
'''failed'''⎕EA'÷0'  ⍝ → failed
'0'⎕EA'2+3'  ⍝ → 5
'÷0'⎕EA'1 2+1 2 3'  ⍝ ! DOMAIN ERROR
'1'⎕EA'a←5'  ⍝ → 
a  ⍝ → 5
⎕EN⊣'0'⎕EA'1 2+1 2 3'  ⍝ → 5
{_←⍵ ⋄ '¯1'⎕EA'÷⍵'}0  ⍝ → ¯1
{'¯1'⎕EA'÷⍵'}4  ⍝ → 0.25
'⎕ET'⎕EA'÷0'  ⍝ → 5 4
'0'⎕EA 5  ⍝ ! DOMAIN ERROR
5 ⎕EA'1'  ⍝ ! DOMAIN ERROR
'0'⎕EA''
'1'⎕EA'{⎕SIGNAL 11}0'  ⍝ → 1
⎕EA'1'  ⍝ ! SYNTAX ERROR
⎕EC'2+3'  ⍝ → 1  0 0  5
⎕EC'b←2+3'  ⍝ → 2  0 0  5
⊃⎕EC''  ⍝ → 3
2↑⎕EC'÷0'  ⍝ → 0  5 4
(3⊃⎕EC'÷0')[1;]  ⍝ → DOMAIN ERROR
⎕ES 5 3  ⍝ ! LENGTH ERROR
'mine'⎕ES 5 4  ⍝ ! DOMAIN ERROR: mine
⎕ES'my own'  ⍝ ! ERROR: my own
⎕ES''
⎕ES 0 0
⎕ES 5  ⍝ ! LENGTH ERROR
⎕ES 1.5 2  ⍝ ! DOMAIN ERROR
q←{⎕ES 5 5}
{0::⎕ET ⋄ q 0}0  ⍝ → 5 5
⎕AF 65 66 67  ⍝ → ABC
⎕AF'AB'  ⍝ → 65 66
⎕AF 128  ⍝ ! NONCE ERROR
⎕AF 256  ⍝ ! DOMAIN ERROR
⎕AF 1.5  ⍝ ! DOMAIN ERROR
⎕FC←'.,⋆0_¯'
⎕X←1
⎕L←'x'
⎕PR←' '
⎕PS←0 0
⎕TZ←2
('\d+'⎕R'n')'a1'  ⍝ → an
)CLEAR
