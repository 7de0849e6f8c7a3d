⍝ SPDX-License-Identifier: MIT
⍝ Traditional functions of scalars, and of cells, in ¨ and ⍤: by kernels where a dfn would be, by calls where
⍝ they do what kernels cannot. The result is the same.
⍝ in order: lines depend on what lines before them did

)CLEAR
∇ r←tri n;i
 r←0
 :For i :In ⍳n
  r←r+i
 :EndFor
∇
∇ r←last n;i
 :For i :In ⍳n
 :EndFor
 r←i
∇
∇ r←temp n;i;t
 r←0
 :For i :In ⍳n
  t←i×2
  :If t>4
   r←r+t
  :EndIf
 :EndFor
∇
∇ r←early n
 r←0
 :If n<0
  :Return
 :EndIf
 :If n=3
  r←¯3
  :Return
 :EndIf
 r←n*2
∇
∇ r←nested n;i;j
 r←0
 :For i :In ⍳n
  :For j :In ⍳i
   r+←i×j
  :EndFor
 :EndFor
∇
∇ r←gl x
 r←x+G
∇
∇ r←callgl x;G
 G←x×100
 r←gl x
∇
∇ r←eff x
 r←x+1
 G←G+1
∇
∇ r←pr x
 r←x
 x×2
∇
∇ r←{a}opt x
 :If 0=⎕NC'a' ⋄ a←10 ⋄ :EndIf
 r←a+x
∇
∇ r←nores x
 :If x>2 ⋄ r←x ⋄ :EndIf
∇
∇ r←loc x;⎕IO
 ⎕IO←0
 r←x+⍳1
∇
∇ r←elseif x
 :If x<0 ⋄ r←'neg'≡1
 :ElseIf x=0 ⋄ r←5
 :ElseIf x<10 ⋄ r←6
 :Else ⋄ r←7.5
 :EndIf
∇
∇ r←wn x;k
 k←0
 :While x>1
  x←⌊x÷2
  k←k+1
  :If k>3 ⋄ :Leave ⋄ :EndIf
 :EndWhile
 r←k
∇
∇ r←div x
 r←0
 :If x≠0
  r←1÷x
 :EndIf
∇
∇ r←fact n;i
 r←1
 :For i :In ⍳n ⋄ r×←i ⋄ :EndFor
∇
∇ r←fibt n;a;b;t
 a←0 ⋄ b←1
 :While n>0
  t←a+b ⋄ a←b ⋄ b←t ⋄ n-←1
 :EndWhile
 r←a
∇
∇ r←infn x;g
 g←{⍵×2}
 r←g x
∇
∇ r←self x;mean
 mean←x÷2
 r←mean+1
∇
∇ r←f2 x;G
 G←5
 r←{⍵+G}x
∇
p←{6::⎕DM ⋄ 11::⎕DM ⋄ 3::⎕DM ⋄ ⍎⍵}
G←1000
tri¨¯1 3  ⍝ ! DOMAIN ERROR
tri¨1.5 3  ⍝ ! DOMAIN ERROR
tri¨3 4.0000000000000001 5  ⍝ → 6 10 15
tri¨0.5+0.5 1.5  ⍝ → 1 3
last¨1 2 3  ⍝ → 1 2 3
temp¨⍳6  ⍝ → 0 0 6 14 24 36
early¨¯2 3 4 5  ⍝ → 0 ¯3 16 25
nested¨0 1 2 3 7  ⍝ → 0 1 7 25 462
gl¨1 2  ⍝ → 1001 1002
callgl¨1 2 3  ⍝ → 101 202 303
eff¨1 2  ⍝ → 2 3
G  ⍝ → 1002
pr¨1 2  ⍝ → 2 ⏎ 4 ⏎ 1 2
opt¨1 2  ⍝ → 11 12
1 opt¨1 2  ⍝ → 2 3
loc¨1 2  ⍝ →  1  2
elseif¨¯1 0 5 10  ⍝ → 0 5 6 7.5
wn¨1 10 100 1000  ⍝ → 0 3 4 4
div¨0 1 2 4  ⍝ → 0 1 0.5 0.25
fact¨0 1 5 20 25  ⍝ → 1 1 120 2.432902008E18 1.551121004E25
fibt¨0 1 10 90 100  ⍝ → 0 1 55 2.880067194E18 3.542248482E20
infn¨1 2  ⍝ → 2 4
self¨1 2  ⍝ → 1.5 2
f2¨1 2  ⍝ → 6 7
tri¨0 1 2 3  ⍝ → 0 1 3 6
tri¨⍬  ⍝ → 
⎕DR tri¨3 3  ⍝ → 83
tri¨(1 2)(3)  ⍝ →  2 3  6
tri¨'ab'  ⍝ ! DOMAIN ERROR
last¨0 2 3  ⍝ ! VALUE ERROR
nores¨1 4  ⍝ ! VALUE ERROR
nores¨3 4  ⍝ → 3 4
∇ r←mean v;s
  s←+/v
  r←s÷≢v
∇
mean⍤1⊢3 4⍴⍳12  ⍝ → 2.5 6.5 10.5
(tri⍤0)2 3⍴⍳6  ⍝ →  1  3  6 ⏎ 10 15 21
⍝ many elements: the kernel, against calls one by one
∇ r←col n
 r←0
 :While n≠1
  :If 0=2|n
   n←n÷2
  :Else
   n←1+3×n
  :EndIf
  r+←1
 :EndWhile
∇
(col¨⍳300)≡{⍺←0 ⋄ ⍵=1:⍺ ⋄ 0=2|⍵:(⍺+1)∇⍵÷2 ⋄ (⍺+1)∇1+3×⍵}¨⍳300  ⍝ → 1
(tri¨⍳1000)≡+\⍳1000  ⍝ → 1
∧/(tri¨200⍴0 1 2)=200⍴0 1 3  ⍝ → 1
∇ r←huge n;i
 r←0
 :For i :In ⍳n*n
  r←i
 :EndFor
∇
huge¨1 2 3     ⍝ → 1 4 27
huge¨1 2 200   ⍝ ! DOMAIN ERROR
⍝ what is too large for one kernel is left to calls
∇ r←many y
 r←0
 :If y>1
  r←(1.5∨y)+(2.5∨y)+(3.5∨y)+(4.5∨y)+(5.5∨y)+(6.5∨y)+(7.5∨y)+(8.5∨y)+(9.5∨y)+10.5∨y
 :EndIf
∇
many¨1.5×⍳4   ⍝ → 9 9 12 9
{⍵>1:(1.5∨⍵)+(2.5∨⍵)+(3.5∨⍵)+(4.5∨⍵)+(5.5∨⍵)+(6.5∨⍵)+(7.5∨⍵)+(8.5∨⍵)+(9.5∨⍵)+10.5∨⍵ ⋄ 0}¨1.5×⍳4   ⍝ → 9 9 12 9
