⍝ SPDX-License-Identifier: MIT
⍝ Local names of traditional functions: seen by what they call, by ⍎ and by paths.

⍝ in order: lines depend on what lines before them did
)CLEAR
∇ r←inner
 r←x
∇
∇ r←f y;x
 x←y
 r←inner,({x+⍵}1),(⍎'x'),x
∇
f 5  ⍝ → 5 6 5 5
∇ r←g y;x
 x←y
 :If y>0
   r←g y-1
   r,←x
 :Else
   r←x
 :EndIf
∇
g 3  ⍝ → 0 1 2 3
∇ r←h y;x;d
 x←y
 d←{x+⍵}
 r←d k y
∇
∇ r←(d k) y;x
 x←100
 r←d y
∇
h 1  ⍝ → 101
∇ r←m y;a
 a←1
 modify
 r←a
∇
∇ modify
 a+←10
 a←a×2
∇
m 0  ⍝ → 22
∇ r←ex y;a
 a←1 ⋄ ⎕EX 'a' ⋄ r←⎕NC 'a'
∇
ex 0  ⍝ → 0
a←'global'
∇ r←sh y
 ⎕SHADOW 'a'
 a←5
 r←a,⎕NC'a'
∇
sh 0  ⍝ → 5 2
a  ⍝ → global
∇ r←lab y
 →L
 r←0
L:r←L
 :Trap 0
 L←3
 :Else
 r←r,⎕EN
 :EndTrap
∇
lab 0  ⍝ → 3 2
∇ r←nsf y;n1;n2
 n1←5 ⋄ n2←'xyz'
 q←⎕NS 'n1' 'n2'
 r←q.n1 q.n2
∇
nsf 0  ⍝ → 5  xyz 
∇ r←wi y;a
 sp←⎕NS'' ⋄ sp.b←7 ⋄ a←2
 :With sp
  c←a+b
  a←9
 :EndWith
 r←a,sp.c,⎕NC'c'
∇
wi 0  ⍝ → 9 9 0
∇ r←jw y
 r←0
 :Trap 0
 →L
 :With ⎕NS''
 L: r←1
 :EndWith
 :Else
 r←⎕DMX.Message
 :EndTrap
∇
jw 0  ⍝ → 1
:Namespace P
 ∇ r←f y;x
  x←y
  r←g
 ∇
 ∇ r←g
  r←x+1
 ∇
 ∇ r←many y;a;b;c;d;e;f1;g1;h;i;j
  a←b←c←d←e←f1←g1←h←i←j←y
  j+←1
  r←a b c d e f1 g1 h i j,⎕NC'a' 'j' 'zz'
 ∇
:EndNamespace
P.f 3  ⍝ → 4
P.many 3  ⍝ → 3 3 3 3 3 3 3 3 3 4 2.1 2.1 0
⎕NC'a' 'P.x'  ⍝ → 2.1 0
∇ r←rd y;x
 x←3
 r←+/{x×⍵}¨⍳4
 r,←(x∘+)y
 x+←0.5
 r,←x
 x←x,1
 x[2]+←4
 r,←x
 (x w)←1 2
 r,←x w
∇
rd 10  ⍝ → 30 13 3.5 3.5 5 1 2
∇ r←two(a b);c
 c←a+b ⋄ r←c
∇
two 3 4  ⍝ → 7
∇ {r}←shy y
 r←y
∇
shy 3
⊢shy 4  ⍝ → 4
∇ (p q)←pq y
 p←y ⋄ q←y+1
∇
pq 1  ⍝ → 1 2
∇ r←late y;x
 x←1
 :Trap 11
  z←1÷y
  x←2
  z←z+1
 :Else
  r←x
 :EndTrap
 r←x
∇
late 0  ⍝ → 1
late (⍳10)-5  ⍝ → 1
