⍝ SPDX-License-Identifier: MIT
⍝ Dfns: arguments, guards, scope, recursion, results, error guards, and dops.
⍝ in order: lines depend on what lines before them did

{⍵}5                           ⍝ → 5
{⍵+1}2 3                       ⍝ → 3 4
2{⍺-⍵}5                        ⍝ → ¯3
{⍺}5                           ⍝ ! VALUE ERROR
{⍺←10 ⋄ ⍺+⍵}5                  ⍝ → 15
1{⍺←10 ⋄ ⍺+⍵}5                 ⍝ → 6
1{⍺←÷0 ⋄ ⍺+⍵}5                 ⍝ → 6
{⍺←⊢ ⋄ ⍺-⍵}5                   ⍝ → ¯5
8{⍺←⊢ ⋄ ⍺-⍵}5                  ⍝ → 3
{⍵ ⋄ ÷0}5                      ⍝ → 5
{a←⍵ ⋄ a×2}5                   ⍝ → 10

⍝ Guards
sign←{⍵<0:'neg' ⋄ ⍵=0:'zero' ⋄ 'pos'}
sign ¯5                        ⍝ → neg
sign 0                         ⍝ → zero
sign 5                         ⍝ → pos
{(,1):'one'}0                  ⍝ → one
{1.0:'one'}0                   ⍝ → one
{2:'two'}0                     ⍝ ! DOMAIN ERROR
{1 1:'two'}0                   ⍝ ! DOMAIN ERROR
{'a':'two'}0                   ⍝ ! DOMAIN ERROR
{0:⍵}5
1+{0:⍵}5                       ⍝ ! VALUE ERROR
{1: ⋄ 5}0
{⍵:'t' ⋄ 'f'}0=0               ⍝ → t

⍝ Results: the first expression that is not assigned, else the last one, shy
{a←⍵}5
⎕←{a←⍵}5                       ⍝ → 5
1+{a←⍵}5                       ⍝ → 6
{a←⍵ ⋄ b←a}5
({a←⍵}5)                       ⍝ → 5
{}5
1+{}5                          ⍝ ! VALUE ERROR
shy←{1:r←⍵}
shy 5
⎕←shy 5                        ⍝ → 5

⍝ Scope
x←'global'
{x}0                           ⍝ → global
{x←'local' ⋄ x}0               ⍝ → local
x                              ⍝ → global
{x←'outer' ⋄ {x}0}0            ⍝ → outer
{x←'outer' ⋄ y←{x←'inner' ⋄ x}0 ⋄ x}0 ⍝ → outer
{y←x ⋄ x←'local' ⋄ y,x}0       ⍝ → globallocal
getx←{x}
{x←'caller' ⋄ getx 0}0         ⍝ → global
n←0
{n+←⍵}5
n                              ⍝ → 5
{n⊢←'set' ⋄ n}0                ⍝ → set
n                              ⍝ → set
⎕←{n←1 ⋄ {n+←5}0 ⋄ n}0         ⍝ → 5
{n←1 ⋄ z←{n+←1}0 ⋄ n}0         ⍝ → 2
v←⍳3
{v[2]←⍵}9
v                              ⍝ → 1 9 3
{undef+←1}0                    ⍝ ! VALUE ERROR
{f←{⍵×2} ⋄ f f ⍵}3             ⍝ → 12
f                              ⍝ ! VALUE ERROR
{⎕IO←0 ⋄ ⍳⍵}3                  ⍝ → 0 1 2
⍳3                             ⍝ → 1 2 3
{⎕IO←0 ⋄ {⍳⍵}⍵}3               ⍝ → 0 1 2
iota←{⍳⍵}
{⎕IO←0 ⋄ iota ⍵}3              ⍝ → 1 2 3

⍝ Recursion
fac←{⍵≤1:1 ⋄ ⍵×∇ ⍵-1}
fac 10                         ⍝ → 3628800
fib←{⍵<2:⍵ ⋄ (fib ⍵-1)+fib ⍵-2}
fib 15                         ⍝ → 610
{⍵=0:'done' ⋄ ∇ ⍵-1}30000      ⍝ → done
{⍺←0 ⋄ ⍵=0:⍺ ⋄ (⍺+⍵)∇ ⍵-1}1000 ⍝ → 500500
even←{⍵=0:1 ⋄ odd ⍵-1}
odd←{⍵=0:0 ⋄ even ⍵-1}
even 20001                     ⍝ → 0
{1+∇ ⍵}0                       ⍝ ! LIMIT ERROR
gcd←{⍵=0:⍺ ⋄ ⍵ ∇ ⍵|⍺}
48 gcd 36                      ⍝ → 12
{⍵≡⌽⍵:1 ⋄ 0}'level'            ⍝ → 1

⍝ Error guards
{11::'dom' ⋄ ÷⍵}0              ⍝ → dom
{11::'dom' ⋄ ÷⍵}4              ⍝ → 0.25
{5 11::'one' ⋄ 1 2+⍵}1 2 3     ⍝ → one
{0::'any' ⋄ ⍵[9]}1 2           ⍝ → any
{11::'dom' ⋄ ⍵[9]}1 2          ⍝ ! INDEX ERROR
{3::'outer' ⋄ {11::'inner' ⋄ ⍵[9]}⍵}1 2 ⍝ → outer
{0::'outer' ⋄ {0::'inner' ⋄ ⍵[9]}⍵}1 2  ⍝ → inner
{0::'outer' ⋄ {0::÷0 ⋄ ⍵[9]}⍵}1 2       ⍝ → outer
{3::'first' ⋄ 3::'second' ⋄ ⍵[9]}1 2    ⍝ → second
{3::'first' ⋄ 11::'second' ⋄ ⍵[9]}1 2   ⍝ → first
{x←'before' ⋄ 0::x ⋄ x←'after' ⋄ ÷0}0   ⍝ → before
{11::⎕EN ⋄ ÷0}0                ⍝ → 11
{0::⎕EN ⋄ 1 2+1 2 3}0          ⍝ → 5
{0::⊃⎕DM ⋄ 'why'⎕SIGNAL 11}0   ⍝ ! DOMAIN ERROR: why
sig←{⎕SIGNAL ⍵}
{0::⎕EN ⋄ sig 7}0              ⍝ → 7
{0::'caught' ⋄ sig 200}0       ⍝ → caught
{0::'caught' ⋄ {⎕SIGNAL 200}0}0 ⍝ ! ERROR
⎕SIGNAL ⍬
⎕SIGNAL 5                      ⍝ ! LENGTH ERROR

⍝ Operators of one's own
twice←{⍺⍺ ⍺⍺ ⍵}
{⍵×3}twice 2                   ⍝ → 18
-twice 5                       ⍝ → 5
(2∘×)twice 5                   ⍝ → 20
then←{⍵⍵ ⍺⍺ ⍵}
-then{⍵,⍵}5                    ⍝ → ¯5 ¯5
5{⍺⍺+⍵}3                       ⍝ → 8
2{⍺⍺×⍵⍵}3⊢0                    ⍝ → 6
plus←{⍺ ⍺⍺ ⍵}
3+plus 4                       ⍝ → 7
+{⍺ ⍺⍺ ⍵}/1 2 3                ⍝ → 6
pow←{⍵=0:⍺ ⋄ (⍺⍺ ⍺)∇ ⍵-1}
1 {⍵×2}pow 10                  ⍝ → 1024
rec←{⍵=0:⍺⍺ 0 ⋄ ⍺⍺ ∇∇ ⍵-1}
{'end'}rec 1000                ⍝ → end
⍵                              ⍝ ! SYNTAX ERROR
{⍵⍵}5                          ⍝ →  {⍵⍵}  5
twice                          ⍝ → {⍺⍺ ⍺⍺ ⍵}
fac                            ⍝ → {⍵≤1:1 ⋄ ⍵×∇ ⍵-1}

⍝ Steps on integers are in line; what is no integer, or becomes none, goes on as ever
{⍵+1}9223372036854775807       ⍝ → 9.223372037E18
{⍵-1}¯9223372036854775808      ⍝ → ¯9.223372037E18
{(⍵-1)×⍵+1}3037000500          ⍝ → 9.223372037E18
{(⍵-1)×⍵+1}3037000499          ⍝ → 9.223372031E18
{(⍵<2)+⍵=1.5}1.5               ⍝ → 2
{(-⍵)-(⍵-1)-2}5                ⍝ → ¯7
3{(⍺≥⍵)+10×⍺≠⍵}5               ⍝ → 10
{a←⍵ ⋄ (a-1)×a≤2+a>3}3         ⍝ → 0
{(1↓⍵)-⍵[1]}1 2 3              ⍝ → 1 2
{(⍵=1)×⍵}1 2 'a'               ⍝ ! DOMAIN ERROR
{(1=⍵)+'a'=⍵}'a'               ⍝ → 1
{⎕DIV←1 ⋄ (⍵-1)÷0}3            ⍝ → 0
{(⍵>0)+1E¯15<⍵-1}1             ⍝ → 1
{⍵<1:a←⍵ ⋄ ∇⍵-1}1
{⍵<1:⍵ ⋄ ∇⍵-1}1                ⍝ → 0
{2×{a←⍵}⍵+1}3                  ⍝ → 8
{⍵=0: ⋄ ⍵}0

⍝ Cells of calls that are not lifted: numbers stay numbers until another class comes.
s←0 ⋄ {s+←⍵ ⋄ ⍵}¨⍳5                             ⍝ → 1 2 3 4 5
s                                               ⍝ → 15
{s+←1 ⋄ ⍵>3:'a' ⋄ ⍵}¨⍳5                         ⍝ → 1 2 3 aa
{s+←1 ⋄ ⍵=3:0.5 ⋄ ⍵}¨⍳5                         ⍝ → 1 2 0.5 4 5
1.5 2.5(1 2)4.5≡{s+←1 ⋄ ⍵=3:1 2 ⋄ ⍵+0.5}¨⍳4     ⍝ → 1
'ab' 2≡{s+←1 ⋄ ⍵=1:'ab' ⋄ ⍵}¨⍳2                  ⍝ → 1
(9223372036854775807-⍳3)≡{s+←1 ⋄ 9223372036854775807-⍵}¨⍳3 ⍝ → 1
⎕DR¨{s+←1 ⋄ ⍵}¨¨(0 1)(0 100)(0 1000)(0 0.5)     ⍝ → 11 83 163 645
s←0 ⋄ 1 2 3{s+←⍺ ⋄ ⍺×⍵}¨10 20.5 30              ⍝ → 10 41 90
10{s+←⍺ ⋄ ⍺×⍵}¨2 2⍴⍳4                           ⍝ → 10 20 ⏎ 30 40
s                                               ⍝ → 46
{s+←1 ⋄ ⍵}⍤0⊢2 2⍴⍳4                             ⍝ → 1 2 ⏎ 3 4
⎕DR{s+←1 ⋄ ⍵}⍤0⊢0 1000                          ⍝ → 163
{s+←1 ⋄ ≡⍵}⍤0⊢1 'a'(2 3)                        ⍝ → 0 0 2
{s+←1 ⋄ ⍵+0.5}¨5                                ⍝ → 5.5
1 2∘.{s+←1 ⋄ ⍺+⍵}3 4 5                          ⍝ → 4 5 6 ⏎ 5 6 7
{s+←1 ⋄ ⍵>2:1÷0 ⋄ ⍵}¨⍳5                         ⍝ ! DOMAIN ERROR
s                                               ⍝ → 65

⍝ ── a function as a dfn's result is an error of the dfn, which its guards catch ──
{0::'caught' ⋄ +}0                    ⍝ → caught
{0::'caught' ⋄ ⍎'+'}0                 ⍝ → caught
{2::'caught' ⋄ ⍵:+ ⋄ 0}1              ⍝ → caught
{0::+ ⋄ ÷0}0                          ⍝ ! SYNTAX ERROR: a dfn cannot have a function as its result
{0::'caught' ⋄ f←+ ⋄ f}0              ⍝ → caught
{0::'caught' ⋄ f←+ ⋄ ⍵ f 1}2          ⍝ → 3

⍝ Under an error guard: what the dfn itself assigns is what it was, what other functions change stays
{n←0 ⋄ 3::n ⋄ a←0 3 0 1 ¯3 ⋄ {t←a[1+⍵] ⋄ n+←1 ⋄ a[1+⍵]+←1 ⋄ ∇⍵+t}0}0  ⍝ → 5
{n←0 ⋄ 0::n ⋄ _←{n+←1}0 ⋄ n←10 ⋄ ÷0}0  ⍝ → 1
{n←0 ⋄ 0::n ⋄ n←10 ⋄ _←{n+←1}0 ⋄ ÷0}0  ⍝ → 0
{n←0 ⋄ 0::n ⋄ n+←1 ⋄ ÷0}0              ⍝ → 0
{n←1 2 3 ⋄ 0::n ⋄ n[2]←9 ⋄ ÷0}0        ⍝ → 1 2 3
{n←1 2 3 ⋄ 0::n ⋄ (1↑n)←9 ⋄ ÷0}0       ⍝ → 1 2 3
{n←1 2 3 ⋄ 0::n ⋄ _←{(1↑n)←⍵ ⋄ n[3]←⍵}9 ⋄ ÷0}0  ⍝ → 9 2 9
{n←1 2 3 ⋄ 0::n ⋄ _←{n[⍵]←9}¨1 3 ⋄ n[2]←8 ⋄ _←{n[⍵]←7}1 ⋄ ÷0}0  ⍝ → 9 2 9
{0::⎕NC'q' ⋄ q←1 ⋄ ÷0}0                ⍝ → 0
{a←1 ⋄ 0::a ⋄ a←2 ⋄ 0::a÷0 ⋄ a←3 ⋄ ÷0}0  ⍝ → 1
{a←1 ⋄ 0::a ⋄ a←2 ⋄ 11::a ⋄ a←3 ⋄ ÷0}0   ⍝ → 2
{a←1 ⋄ 0::a ⋄ a←2 ⋄ 3::a ⋄ a←3 ⋄ ÷0}0    ⍝ → 1
{a←1 ⋄ 0::a ⋄ a←2 ⋄ 11::a ⋄ a←3 ⋄ _←{a+←5}0 ⋄ ÷0}0      ⍝ → 2
{a←1 ⋄ 0::a ⋄ _←{a+←5}0 ⋄ 11::a ⋄ _←{a+←7}0 ⋄ ÷0}0      ⍝ → 13
{0::⍺ ⋄ ⍺←5 ⋄ ÷0}0                     ⍝ ! VALUE ERROR
5{0::⍺ ⋄ ⍺+←5 ⋄ ÷0}0                   ⍝ → 5
{f←+ ⋄ 0::3 f 2 ⋄ f←- ⋄ ÷0}0           ⍝ → 5
{a b←1 2 ⋄ 0::a b ⋄ (a b)←3 4 ⋄ ÷0}0   ⍝ → 1 2
{0::z ⋄ _←⍎'z←5' ⋄ ÷0}0                ⍝ → 5
{z←5 ⋄ 0::z ⋄ _←⍎'z←6' ⋄ _←⍎'z+←7' ⋄ ÷0}0               ⍝ → 5
{z←5 ⋄ 0::z ⋄ _←⍎'z←6' ⋄ _←⍎'z←7' ⋄ ÷0}0                ⍝ → 5
{z←5 ⋄ 0::z y u ⋄ _←⍎'y←6' ⋄ 11::÷0 ⋄ _←⍎'z←7 ⋄ y←8 ⋄ u←9' ⋄ ÷0}0  ⍝ → 5 8 9
∊⎕EX¨'zyu'                             ⍝ → 1 1 1
{z←5 ⋄ 0::z ⋄ _←⎕EX'z' ⋄ ÷0}0          ⍝ → 5
g←0 ⋄ {0::g ⋄ g+←1 ⋄ _←{g+←1}0 ⋄ ÷0}0  ⍝ → 2
ns←(x:0) ⋄ {0::ns.x ⋄ ns.x←1 ⋄ _←{ns.x+←1}0 ⋄ ÷0}0      ⍝ → 2
{n←0 ⋄ f←{0::n ⋄ n+←1 ⋄ ÷0} ⋄ (f 0),(f 0),n}0           ⍝ → 2 1 0
{n←0 ⋄ 0::n ⋄ ⍵=0:÷0 ⋄ n+←1 ⋄ n+∇⍵-1}3                  ⍝ → 3
{c←0 ⋄ _←{0::0 ⋄ c+←1 ⋄ ÷⍵}¨0 1 0 ⋄ c}0                 ⍝ → 3
⍝ Work that is found wrong later: nothing that came behind it has happened
{n←0 ⋄ 11::n ⋄ y←÷¯500+⍳1000 ⋄ n←7 ⋄ n+←1 ⋄ 5}0         ⍝ → 0
{n←0 0 ⋄ 11::n ⋄ _←{n[1]←1}0 ⋄ y←÷¯500+⍳1000 ⋄ _←{n[2]←1}0 ⋄ 5}0  ⍝ → 1 0
{n←0 ⋄ 11::n ⋄ _←{n+←1}0 ⋄ y←÷¯500+⍳1000 ⋄ _←{n+←1}0 ⋄ n←9 ⋄ 5}0  ⍝ → 1
1{11::⍺ ⋄ ⍺+←1 ⋄ y←÷¯500+⍳1000 ⋄ ⍺+←1 ⋄ 5}0             ⍝ → 1
{z←5 ⋄ 0::z ⋄ _←⍎'z←÷¯500+⍳1000 ⋄ z←4' ⋄ 3}0            ⍝ → 5
