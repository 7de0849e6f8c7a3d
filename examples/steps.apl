⍝ SPDX-License-Identifier: MIT
⍝ Programs in statements: traditional functions, loops, branches and errors that are caught.

∇ r←x gcd y
  ⍝ Euclid's algorithm by a branch
again: r←x
  →(y=0)/0
  (x y)←y(y|x)
  →again
∇

∇ r←collatz n;most
  ⍝ steps to 1 and the largest number on the way, halving or three times and one
  r←0
  most←n
  :While n≠1
    :If 2|n
      n←1+3×n
    :Else
      n←n÷2
    :EndIf
    most⌈←n
    r+←1
  :EndWhile
  r←r most
∇

∇ n move(from to by)
  ⍝ the towers of Hanoi: n disks from one to another; counts in `moves`
  :If n>0
    (n-1)move from by to
    moves+←1
    (n-1)move by to from
  :EndIf
∇

∇ r←(f root)(lo hi)
  ⍝ where f is 0 between lo and hi, by bisection
  :Repeat
    r←(lo+hi)÷2
    :If (×f lo)=×f r
      lo←r
    :Else
      hi←r
    :EndIf
  :Until (hi-lo)<1E¯12
∇

∇ r←{otherwise}number text
  ⍝ the number in a text, or something else
  :If 0=⎕NC'otherwise'
    otherwise←0
  :EndIf
  :Trap 0
    r←⍎text
    :If ' '=⊃0⍴r
      r←otherwise
    :EndIf
  :Case 2
    r←'what?'
  :Else
    r←otherwise
  :EndTrap
∇

∇ {r}←classify xs;x;even;odd;other
  even←odd←other←0
  :For x :In xs
    :If x≠⌊x
      other+←1
      :Continue
    :EndIf
    :Select 2|x
    :Case 0
      even+←1
    :Case 1
      odd+←1
    :EndSelect
  :EndFor
  'even' even 'odd' odd 'other' other
  r←even odd other
∇

'greatest common divisor' (1071 gcd 462)
'27 after' (collatz 27)
moves←0
10 move 'abc'
'moves of ten disks' moves
'square root of 2' ({2-⍵*2} root 1 2)
'numbers' (number '12') (number '÷0') (¯1 number '1+') (number '''ab''')
classify 1 2 3.5 4 5 6
