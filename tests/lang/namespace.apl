⍝ SPDX-License-Identifier: MIT
⍝ Namespaces: literals, dotted names, functions in them, vectors of them, ⎕-names.
⍝ in order: lines depend on what lines before them did

⍝ Literals
ns←(a:1 ⋄ b:2 3)
ns                             ⍝ → #.[Namespace]
ns.a                           ⍝ → 1
ns.b                           ⍝ → 2 3
()                             ⍝ → #.[Namespace]
(a:5).a                        ⍝ → 5
(x:3 4 ⋄ y:⍳2).(x×y)           ⍝ → 3 8
(a: ⋄ b:2)                     ⍝ ! SYNTAX ERROR
m←(name:'Ann'
   age:41
   f:{age+⍵}
   in:(deep:7))
m.(name age)                   ⍝ →  Ann  41
m.f 1                          ⍝ → 42
m.in.deep                      ⍝ → 7
{(v:⍵).v}9                     ⍝ → 9
{n←(v:⍵ ⋄ g:{⍵+v}) ⋄ n.g 1}9   ⍝ → 10

⍝ Names in them
ns.c←5
ns.a+←10
ns.b[2]←7
ns.(a b c)                     ⍝ → 11  2 7  5
ns.b[1]+←100
ns.b                           ⍝ → 102 7
(1↑ns.b)←0
ns.b                           ⍝ → 0 7
((2∘⊃)ns.b)←9                  ⍝ ! SYNTAX ERROR
(2⊃ns.b)←9
ns.b                           ⍝ → 0 9
ns.nosuch                      ⍝ ! VALUE ERROR: nosuch has no value there
ns.nosuch+←1                   ⍝ ! VALUE ERROR
nosuch.x←1                     ⍝ ! VALUE ERROR
ns.(d e)←8 9
ns.(d e)                       ⍝ → 8 9
ns.d ns.e←'xy'
ns.(d,e)                       ⍝ → xy
q ns.q←1 2
q,ns.q                         ⍝ → 1 2
(ns.q q)←3 4
q,ns.q                         ⍝ → 4 3
ns.sub←()
ns.sub.y←'hello'
ns.sub.y                       ⍝ → hello
ns.sub.y[1 2]←'HE'
ns.(sub.y)                     ⍝ → HEllo
'x',ns.sub.y,'x'               ⍝ → xHEllox
1 ns.c 2                       ⍝ → 1 5 2
+/ns.b                         ⍝ → 9
a←5 ⋄ a.b                      ⍝ ! SYNTAX ERROR: it is no namespace

⍝ Expressions inside: names are the namespace's, ⍺ and ⍵ the function's
x←1000
ns.(x←3)                       ⍝ → 3
ns.x,x                         ⍝ → 3 1000
ns.(x+c)                       ⍝ → 8
{ns.(x+⍵)}4                    ⍝ → 7
{l←⍵ ⋄ ns.(l)}4                ⍝ ! VALUE ERROR
{ns.(z←⍵) ⋄ ns.z}4             ⍝ → 4
ns.z                           ⍝ → 4
z                              ⍝ ! VALUE ERROR
ns.(+⌿x c)                     ⍝ → 8

⍝ Functions run where they are
ns.f←{x+⍵}
ns.f 1                         ⍝ → 4
1 ns.f 1                       ⍝ → 4
ns.f¨1 2                       ⍝ → 4 5
g←ns.f
g 1                            ⍝ → 4
ns.k←{x∘←⍵ ⋄ 0}                ⍝ set below
ns.set←{x+←⍵ ⋄ x}
ns.set 10                      ⍝ → 13
ns.x,x                         ⍝ → 13 1000
ns.op←{(⍺⍺ ⍵)+x}
-ns.op 3                       ⍝ → 10
ns.fact←{⍵≤1:1 ⋄ ⍵×∇⍵-1}
ns.fact 5                      ⍝ → 120
ns.twice←{f f ⍵}
ns.twice 1                     ⍝ → 27
ns.avg←+⌿÷≢
ns.avg 1 2 3 4                 ⍝ → 2.5
ns.sub.h←{##.x}
ns.sub.h 0                     ⍝ → 1000
ns.sub.here←{⎕THIS≡ns.sub}
ns.sub.here 0                  ⍝ ! VALUE ERROR
#.ns.f 1                       ⍝ → 14
{⍵.f 1}ns                      ⍝ → 14
ns.(f 1)                       ⍝ → 14
ns.f⍣2⊢0                       ⍝ → 26
2+ns.f 1                       ⍝ → 16
make←{n←() ⋄ n.count←⍵ ⋄ n.next←{count+←1 ⋄ count} ⋄ n}
p←make 10 ⋄ q←make 20
p.next 0                       ⍝ → 11
p.next 0                       ⍝ → 12
q.next 0                       ⍝ → 21
(make 5).count                 ⍝ → 5

⍝ References share; equal are those to one namespace
r←ns
r.c←77
ns.c                           ⍝ → 77
r≡ns                           ⍝ → 1
r≡(c:77)                       ⍝ → 0
r=ns                           ⍝ → 1
r≠ns ()                        ⍝ → 0 1
≡ns                            ⍝ → 0
⍴⍴ns                           ⍝ → 0
ns≡⊂ns                         ⍝ → 1
ns≡⊃ns                         ⍝ → 1
≡ns ns                         ⍝ → 1
ns 1 2                         ⍝ →  #.[Namespace]  1 2

⍝ Vectors of them
nss←(x:1)(x:2)(x:3)
nss.x                          ⍝ → 1 2 3
nss.x←4 5 6
nss[2].x                       ⍝ → 5
(2⊃nss).x                      ⍝ → 5
nss[1 3].x                     ⍝ → 4 6
nss.x×←2
nss.x                          ⍝ → 8 10 12
nss.y←0
nss.(x y)                      ⍝ →  8 0  10 0  12 0
nss.x←1 2                      ⍝ ! LENGTH ERROR
nss.(x+1)                      ⍝ → 9 11 13
(3 1⍴nss).x                    ⍝ →  8 ⏎ 10 ⏎ 12
(nss(nss[1])).x                ⍝ →  8 10 12  8
(0↑nss).x≡⍬                    ⍝ → 1
nss[3].x[1]←5                  ⍝ ! RANK ERROR
nss[3].v←⍳3 ⋄ nss[3].v[1]←5 ⋄ nss[3].v   ⍝ → 5 2 3
nss.nosuch                     ⍝ ! VALUE ERROR

⍝ As items
⍴3⍴ns                          ⍝ → 3
(⍴3⍴ns)≡⍴nss                   ⍝ → 1
nss⍳nss[2]                     ⍝ → 2
nss[2]∊nss                     ⍝ → 1
≢∪nss,nss                      ⍝ → 3
(⌽nss).x                       ⍝ → 12 10 8
(1↓nss).x                      ⍝ → 10 12
2↑ns                           ⍝ →  #.[Namespace]  0
nss~nss[2 3]                   ⍝ →  #.[Namespace]
≢∊nss(1 ns)                    ⍝ → 5
↑nss ns                        ⍝ →  #.[Namespace]  #.[Namespace]  #.[Namespace] ⏎  #.[Namespace]              0              0
{⍺.x,≢⍵}⌸nss,nss[1]            ⍝ →  8 2 ⏎ 10 1 ⏎ 12 1
⍕ns                            ⍝ → #.[Namespace]
ns+1                           ⍝ ! DOMAIN ERROR: a namespace is no number
-ns                            ⍝ ! DOMAIN ERROR
1 2+nss[1 2]                   ⍝ ! DOMAIN ERROR
⍋nss                           ⍝ ! DOMAIN ERROR: namespaces have no order
⍋ns 1                          ⍝ ! DOMAIN ERROR
⍳ns                            ⍝ ! DOMAIN ERROR
?ns                            ⍝ ! DOMAIN ERROR
ns[1]                          ⍝ ! RANK ERROR
(⍳3)[ns]                       ⍝ ! DOMAIN ERROR
ns/1 2                         ⍝ ! DOMAIN ERROR
ns⍴1                           ⍝ ! DOMAIN ERROR
w←1 2 3 ⋄ w[2]←ns ⋄ w          ⍝ → 1  #.[Namespace]  3
w[2]←2 ⋄ w                     ⍝ → 1 2 3

⍝ ⎕-names
⎕NC'ns'                        ⍝ → 9
⎕NC'ns.a' 'ns.f' 'ns.op' 'ns.sub' 'ns.none'   ⍝ → 2.1 3.2 4.2 9.1 0
⎕NC'nss'                       ⍝ → 2
⎕NC'ns.a.b'                    ⍝ → ¯1
⎕NL ¯9                         ⍝ →  m  ns  p  q  r
ns.⎕NL ¯9                      ⍝ →  sub
ns.⎕NL ¯3.2                    ⍝ →  f  fact  k  set  twice
ns.⎕NC'a'                      ⍝ → 2
⎕EX'ns.a'
⎕NC'ns.a'                      ⍝ → 0
ns.⎕EX'e'
⎕NC'ns.e'                      ⍝ → 0
e←⎕NS ⍬ ⋄ e.⎕NL 2 3 4 9        ⍝ →
e≡⎕NS''                        ⍝ → 0
va←1 ⋄ vb←{⍵+va}
c←⎕NS'va' 'vb'
va←100
c.vb 1                         ⍝ → 2
'named'⎕NS'va'
named                          ⍝ → #.named
named.va                       ⍝ → 100
'named.in'⎕NS ⍬
named.in                       ⍝ → #.named.in
⎕←'named'⎕NS'vb'               ⍝ → #.named
named.vb 1                     ⍝ → 101
(⎕NS named).va                 ⍝ → 100
'vb'⎕NS ⍬                      ⍝ ! DOMAIN ERROR: ⎕NS: vb is a function
⎕NS'nosuch'                    ⍝ ! VALUE ERROR
⎕THIS                          ⍝ → #
ns.⎕THIS≡ns                    ⍝ → 1
⎕THIS.va                       ⍝ → 100
named.in.##.va                 ⍝ → 100
ns⍎'x+1'                       ⍝ → 14
'named'⍎'va'                   ⍝ → 100
'#'⍎'x'                        ⍝ → 1000
ns.⍎'x+1'                      ⍝ → 14
ns⍎'fresh←5' ⋄ ns.fresh        ⍝ → 5
ns.(⍎'fresh←6 ⋄ fresh')        ⍝ → 6
exec←⎕NS⍬ ⋄ {}exec.⎕FX 'says' '⎕←''said'''
exec.(says)                        ⍝ → said
exec.(⍎'says')                     ⍝ → said
1+exec.(says)                      ⍝ ! VALUE ERROR
exec exec.(says)                   ⍝ ! VALUE ERROR
exec←⎕NS⍬ ⋄ exec.twice←{⍵×n} ⋄ exec.n←2
(exec⍎'twice')4                ⍝ → 8
3('exec'⍎'{⍺+n×⍵}')4           ⍝ → 11
(exec⍎'twice')¨4 5             ⍝ → 8 10
3(exec⍎'n')4                   ⍝ → 3 2 4
{(exec⍎⍵)5}'twice'             ⍝ → 10
1+exec⍎'twice'                 ⍝ ! SYNTAX ERROR
(exec⍎'none')4                 ⍝ ! VALUE ERROR
{ns⍎'fresh←⍵'}7 ⋄ ns.fresh     ⍝ → 7
'nosuch'⍎'1'                   ⍝ ! VALUE ERROR
ns.⎕IO←0 ⋄ ns.(⍳3)             ⍝ → 0 1 2
⎕IO                            ⍝ → 1
ns.i3←{⍳3} ⋄ ns.i3 0           ⍝ → 0 1 2
s←()⎕VSET('One' 1)('Two' 2)
s.(One Two)                    ⍝ → 1 2
s ⎕VGET'One'                   ⍝ → 1
s ⎕VGET'One' 'Two'             ⍝ → 1 2
s ⎕VGET↑'One' 'Two'            ⍝ → 1 2
s ⎕VGET'One'('Three' 'three')  ⍝ → 1  three
s ⎕VGET⊂'One' 'one'            ⍝ → 1
s ⎕VGET'One' 'one'             ⍝ ! VALUE ERROR
s ⎕VSET'One' 1                 ⍝ ! DOMAIN ERROR
s←()⎕VSET(↑'one' 'two')(5 6)
s.(one two)                    ⍝ → 5 6
s ⎕VGET(↑'one' 'ten')(0 10)    ⍝ → 5 10
(s(one:7))⎕VGET'one'           ⍝ → 5 7
⎕VSET⊂'va' 3
⎕VGET'va'                      ⍝ → 3
{loc←⍵ ⋄ ⎕VGET'loc'}8          ⍝ → 8
s ⎕VGET'1x'                    ⍝ ! DOMAIN ERROR

⍝ As the manual has them: ⎕VGET of matrices with one value for all, names on the left, classes; ⎕VSET; ⎕NS
name2←100 ⋄ (ns1 ns2)←()() ⋄ (ns1 ns2).name1←'ABC' 'DEF'
⎕VGET(↑'n1' 'n2')5             ⍝ → 5 5
⎕VGET(↑'n1' 'name2')(⊂'none')  ⍝ →  none  100
⎕VGET(↑'n1' 'name2')(1 2 3)    ⍝ ! LENGTH ERROR
ns1 'ns2' ⎕VGET 'name1'        ⍝ →  ABC  DEF
'ns1'⎕VGET 'name1'             ⍝ → ABC
'#'⎕VGET 'name2'               ⍝ → 100
''⎕VGET 'name2'                ⍝ → 100
'nosuch'⎕VGET 'name2'          ⍝ ! VALUE ERROR: ⎕VGET: there is no namespace nosuch
5 ⎕VGET 'name2'                ⍝ ! DOMAIN ERROR
(⊂'ABC')≡ns1 ⎕VGET⊂'name1'     ⍝ → 1
()⎕VGET⊂'name1' 'default'      ⍝ → default
cl←(a1:1 2 3 ⋄ a2:'APL' ⋄ f:{⍵} ⋄ sub:())
(cl ⎕VGET ¯2)≡('a1' (1 2 3))('a2' 'APL')   ⍝ → 1
⊃¨cl ⎕VGET ¯2 9                ⍝ →  a1  a2  sub
⊃cl ⎕VGET 2 9                  ⍝ → a1 ⏎ a2 ⏎ sub
2⊃cl ⎕VGET 2.1                 ⍝ →  1 2 3  APL
≢¨()⎕VGET 2                    ⍝ → 0 0
cl ⎕VGET 3                     ⍝ ! DOMAIN ERROR
c2←() ⋄ c2 ⎕VSET cl ⎕VGET 2 ⋄ c2.(a1 a2)   ⍝ →  1 2 3  APL
c2←() ⋄ c2 ⎕VSET cl ⎕VGET ¯2 ⋄ c2.a2       ⍝ → APL
(ns1 'ns2'⎕VSET('x1' 'v')('y1' 5))≡ns1 ns2 ⍝ → 1
(ns1 ns2).y1                   ⍝ → 5 5
⎕VSET(↑'p1' 'q1')(⊂'APL') ⋄ p1 q1          ⍝ →  APL  APL
⎕VSET(↑'p1' 'q1')7 ⋄ p1 q1     ⍝ → 7 7
cl ⎕VSET⊂'f' 1                 ⍝ ! DOMAIN ERROR: ⎕VSET: f is a function
⎕←''⎕NS'cl.a2' ⋄ a2            ⍝ → # ⏎ APL
⎕←'xx'⎕NS'name2' 'cl.a1' '#.a2'            ⍝ → #.xx
xx.(name2,a1,a2)≡100 1 2 3,'APL'           ⍝ → 1
zz←xx.(''⎕NS'##.p1') ⋄ xx.p1   ⍝ → 7
('xx' 'yy'⎕NS'p1')≡'#.xx' '#.yy'           ⍝ → 1
yy.p1                          ⍝ → 7
⎕←⍬ ⎕NS'p1'                    ⍝ →
vv←5 ⋄ 'vv'⎕NS'p1' ⋄ vv.p1     ⍝ → 7
(⎕NS(a:1 ⋄ b:2)(b:3 ⋄ c:4)).(a b c)        ⍝ → 1 3 4
(⎕NS 2 1⍴(a:1 ⋄ b:2)(b:3)).b   ⍝ → 3
kk←(a:{⍵}) ⋄ kk ⎕NS(a:1 ⋄ b:2) ⋄ kk.b,kk.⎕NC'a'      ⍝ → 2 3
⎕NS'no.such'                   ⍝ ! VALUE ERROR
⎕NXLATE'x'                     ⍝ ! NONCE ERROR: ⎕NXLATE is not in this version

⍝ An error undoes what it should; circles go at the end
h←(v:1)
{0::h.v ⋄ h.v←2 ⋄ ÷0}0         ⍝ → 2
h.self←h ⋄ h.self.self.v       ⍝ → 2
round←{n←(a:⍵ ⋄ f:{a+⍵}) ⋄ n.n←n ⋄ n.m←(n n)n ⋄ n.g←{n.a} ⋄ n.f 1}
keep←(a:5 ⋄ f:{a+⍵}) ⋄ keep.keep←keep
+/round¨⍳3000                  ⍝ → 4504500
keep.keep.f 1                  ⍝ → 6
list←(next:0)
{}{n←(next:⍵) ⋄ n}⍣10000⊢list

⍝ Array notation in a namespace
sv←(a:1 ⋄ b:2 3)
sv.(a ⋄ b)                         ⍝ → 1  2 3
{n←sv ⋄ b←5 ⋄ n.(a ⋄ b ⋄ ⍵)}9      ⍝ → 1  2 3  9
(sv(a:4 ⋄ b:5)).(a ⋄ b)            ⍝ →  1  2 3   4 5
sv.(c:a).c                         ⍝ → 1
sv.(c:a).##.b                      ⍝ → 2 3
sv.()                              ⍝ → #.[Namespace].[Namespace]
⍴⊃sv.(⍳a ⋄)                        ⍝ → 1
sv.(a ⋄ q)                         ⍝ ! VALUE ERROR
+/¨sv.(a ⋄ b)                      ⍝ → 1 5

⍝ A function of several namespaces: an item of each argument for each of them
fs←(k:10 ⋄ f:{k+⍵} ⋄ d:{⍺,k,⍵} ⋄ s:+/)(k:20 ⋄ f:{k×⍵} ⋄ d:{⍺,⍵} ⋄ s:-/)
fs.f 1                             ⍝ → 11 20
fs.f 1 2                           ⍝ → 11 40
1 fs.d 2                           ⍝ →  1 10 2  1 2
1 2 fs.d 3 4                       ⍝ →  1 10 3  2 4
fs.s ⊂1 2 3                        ⍝ → 6 2
(1↑fs).f 1                         ⍝ → 11
one←1↑fs
one.f 1 2 3                        ⍝ → 11 12 13
fs.f 1 2 3                         ⍝ ! LENGTH ERROR
fs.f 2 1⍴1 2                       ⍝ ! LENGTH ERROR
1 2 3 fs.d 1                       ⍝ ! LENGTH ERROR
one.f ⍬                            ⍝ ! LENGTH ERROR
fs.⎕NC ⊂,¨'k' 'f'                  ⍝ →  2.1 3.2  2.1 3.2
+/fs.f 1                           ⍝ → 31
(fs.f∘-)1                          ⍝ → 9 ¯20
fs.f¨(1 2)3                        ⍝ →  11 40  13 60
{fs.f ⍵}1                          ⍝ → 11 20
g←fs.f ⋄ g 1                       ⍝ → 11 20
fs[2].k←5 ⋄ g 1                    ⍝ → 11 5
∊(fs(1⊃fs)).f 1                    ⍝ → 11 5 11
deep←(1⊃fs)(fs)
∊deep.f 1                          ⍝ → 11 11 5
∊deep.f 1(2 3)                     ⍝ → 11 12 15
deep.f 1(2 3 4)                    ⍝ ! LENGTH ERROR
((1⊃fs)'no').k                     ⍝ ! SYNTAX ERROR
deep.x←1(2 3)
∊deep.x                            ⍝ → 2 2 3
fs.x                               ⍝ → 2 3
deep.x←7
fs.x                               ⍝ → 7 7
deep.x+←1(2 3)
∊deep.x                            ⍝ → 10 10 10
deep.x←⊂1 2
2⊃fs.x                             ⍝ → 1 2
deep.x←1(2 3 4)                    ⍝ ! LENGTH ERROR
((1⊃fs)(2 'no')).x←1               ⍝ ! SYNTAX ERROR
some←(1⊃fs)(q:1)
some.f 1                           ⍝ ! VALUE ERROR
mat←2 2⍴fs
mat.f 1                            ⍝ → 11 5 ⏎ 11 5

⍝ a function that comes by a path stays one of its namespace; a literal, or a function of the
⍝ namespace that assigns it, becomes one of the new one
)CLEAR
'lib'⎕NS ⍬
lib.⎕FX 'r←twice x' 'r←own 2×x'
lib.own←{⍵+k}
lib.k←100
'user'⎕NS ⍬
user.k←5
user.⎕FX 'r←test x;Twice;k' 'k←7' 'Twice←#.lib.twice' 'r←Twice x'
user.test 1                        ⍝ → 102
user.t←lib.twice
user.t 1                           ⍝ → 102
user.o←lib.own
user.o 1                           ⍝ → 101
user.m←{⍵+k}
user.m 1                           ⍝ → 6
k←1
g←{⍵+k}
user.g←g
user.g 1                           ⍝ → 6
l←(o:lib.own ⋄ k:3)
l.o 1                              ⍝ → 101
'user'⎕NS 'g'
user.k←8
user.g 1                           ⍝ → 9

⍝ a function of a namespace ends the strand on an operator's right
'[a-z]'⎕S'&'lib.⎕NL ¯2             ⍝ →  k
1+⍤0 lib.own 1 2                   ⍝ → 102 103
{'k'⎕S'&'⍵.⎕NL ¯2}lib              ⍝ →  k

⍝ ns.{…}: a dfn in a namespace; what ⍎ makes in it is the namespace's
)CLEAR
n←⎕NS ⍬ ⋄ n.k←10
n.{⍵+k}5                           ⍝ → 15
3 n.{⍺×⍵+k}5                       ⍝ → 45
n.{⍵+k}¨1 2                        ⍝ → 11 12
'abc' n.{⍎⍺,'←⍵'}123
'd' 'e' n.{⍎⍺,'←⍵'}¨7 8
n.(abc d e)                        ⍝ → 123 7 8
⎕NC'abc' 'd'                       ⍝ → 0 0
n.{{⍎⍺,'←⍵'}/⍵}¨('p' 1)('q' 2)
n.(p q)                            ⍝ → 1 2
{{⍎'g←9'}0}0 ⋄ g                   ⍝ → 9
{e←1 ⋄ _←n.{⍎'e←⍵'}2 ⋄ e n.e}0     ⍝ → 1 2
n.{y←⍵ ⋄ y}4                       ⍝ → 4
n.⎕NC'y'                           ⍝ → 0
f←n.{⍵+k} ⋄ f 1                    ⍝ → 11
f∘-n.{⍵}3                          ⍝ → 7
two←⎕NS¨⍬ ⍬ ⋄ two.k←1 2
two.{⍵+k}10                        ⍝ → 11 12
two.{⍵+k}10 20                     ⍝ → 11 22
∇ r←t y;m
 m←⎕NS''
 'v' 'w' m.{⍎⍺,'←⍵'}¨y (y+1)
 r←m.(v w)
∇
t 5                                ⍝ → 5 6
fn←{⍺+⍵} ⋄ 1 2 fn.{⍺×⍵} 3 4        ⍝ → 11
q←5 ⋄ q.{⍵}3                       ⍝ ! SYNTAX ERROR: it is no namespace
{2::'no' ⋄ ⍵.x}'abc'               ⍝ → no
n.{k+⍺⍺ ⍵}                         ⍝ ! SYNTAX ERROR

⍝ a path makes the namespaces around its last one, too
'up.mid.low'⎕NS⍬ ⋄ up.mid.low.x←3 ⋄ up.mid.low.x ⍝ → 3
'up.mid.next'⎕NS⍬ ⋄ up.mid.⎕NL ¯9  ⍝ →  low  next
'#.up.more'⎕NS'y'⊣y←4 ⋄ up.more.y  ⍝ → 4
v←3 ⋄ 'v.w'⎕NS⍬                    ⍝ ! DOMAIN ERROR: ⎕NS: v is no namespace
f←+ ⋄ 'f.w'⎕NS⍬                    ⍝ ! DOMAIN ERROR: ⎕NS: f is a function
'up.2'⎕NS⍬                         ⍝ ! DOMAIN ERROR: ⎕NS: up.2 is no name

⍝ an operand, too, may be a namespace with members
ns←(a: 1 ⋄ f: {⍵×2})
(ns{⍺⍺.a+⍺⍺.f ⍵})5                 ⍝ → 11
(ns{⍺⍺.a+←⍵ ⋄ ⍺⍺.a})5              ⍝ → 6
1 2(+{(⍺ ⍺⍺ ⍵),⍵⍵.(a,f a)}ns)3 4   ⍝ → 4 6 6 12
(ns{⍎'7⊣⍺⍺.b←⍵'⊣⍺⍺.a})7 ⋄ ns.b     ⍝ → 7 ⏎ 7
g←× ⋄ 1 2 3(+{⍺ ⍺⍺.g ⍵})4 5 6      ⍝ → 32
+{⍺⍺.a←⍵}1                         ⍝ ! SYNTAX ERROR: a namespace is wanted here

⍝ paths among the names that an assignment in parentheses makes
(ns{(⍺⍺.b ⍵.c)←1 2 ⋄ ⍺⍺.b,⍵.c})⎕NS⍬ ⍝ → 1 2
{(⍵.n)←3 ⋄ ⍵.n}⎕NS⍬                ⍝ → 3
(#.b ns.b)←4 5 ⋄ b,ns.b            ⍝ → 4 5
{(⍵ q)←1 2}0                       ⍝ ! SYNTAX ERROR: no name to assign to

⍝ ]map: which names there are
)CLEAR
]map                               ⍝ → #
ns←⎕NS⍬
ns.a←1
ns.b←{⍵}
ns.op←{⍺⍺ ⍵}
'sub'ns.⎕NS ''
ns.sub.x←2
ns.me←ns
ns.null←⎕NULL
x←2 ⋄ y←'abc'
∇ r←f x
 r←x
∇
]map                               ⍝ → # ⏎ ·   ~ x y ⏎ ·   ∇ f ⏎ ·   ns ⏎ ·   ·   ~ a ⏎ ·   ·   ∇ b ⏎ ·   ·   ∘ op ⏎ ·   ·   me → #.[Namespace] ⏎ ·   ·   null → [Null] ⏎ ·   ·   sub ⏎ ·   ·   ·   ~ x
]map ns.sub                        ⍝ → #.[Namespace].sub ⏎ ·   ~ x
]map x                             ⍝ ! DOMAIN ERROR: ]map takes a namespace
]map f                             ⍝ ! DOMAIN ERROR
⍝ the spaces around are no names that ⎕NS makes
'outer.inner'⎕NS⍬ ⋄ outer.inner.f←{'##.##.beside'⎕NS⍬}
_←outer.inner.f 0 ⋄ ⎕NC'beside' 'outer.beside'        ⍝ → 9.1 0
_←'#.beside.within'⎕NS⍬ ⋄ ⎕NC⊂'beside.within'          ⍝ → 9.1
