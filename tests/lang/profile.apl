⍝ SPDX-License-Identifier: MIT
⍝ ⎕PROFILE: how often what ran, told by hand.
⍝ needs ⎕PROFILE'state'
⍝ in order: lines depend on what lines before them did

)CLEAR
∇ r←fib n
:If n<2
  r←n
:Else
  r←(fib n-1)+fib n-2
:EndIf
∇
∇ foo n;i
:For i :In ⍳n
  goo i
:EndFor
∇
∇ goo x;a
a←x ⋄ a←x+1
a←x×2
∇
dfib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}
two←{
  a←⍵
  b←{⍵+1}a ⋄ c←b

  b+c
}
⎕PROFILE'state'  ⍝ →  inactive    0 0
⎕PROFILE'data'
⍴⎕PROFILE'data'  ⍝ → 0 7
⍴⎕PROFILE'tree'  ⍝ → 0 8
⎕PROFILE'start' 'none'
2↑⎕PROFILE'State'  ⍝ →  active  none
fib 10  ⍝ → 55
dfib 10  ⍝ → 55
foo 100
two 1  ⍝ → 4
⎕PROFILE'stop'
fib 5  ⍝ → 5
2↑⎕PROFILE'state'  ⍝ →  inactive  none
∪1⊃1⎕PROFILE'data'  ⍝ →  #.fib  #.dfib  #.foo  #.goo  #.two  #.b
⍉↑2 3⎕PROFILE'data'  ⍝ → ¯1 177 ⏎  1 177 ⏎  2  89 ⏎  3  89 ⏎  4  88 ⏎ ¯1 177 ⏎  0 177 ⏎ ¯1   1 ⏎  1   1 ⏎  2 100 ⏎  3 100 ⏎ ¯1 100 ⏎  1 100 ⏎  2 100 ⏎ ¯1   1 ⏎  1   1 ⏎  2   1 ⏎  4   1 ⏎ ¯1   1 ⏎  0   1

⍝ how often the clock would have been read, as the columns of Dyalog have it
(7↑[1]7↓⎕PROFILE'data')[;6 7]  ⍝ → 503 1003 ⏎   1    1 ⏎ 200  700 ⏎ 100  100 ⏎ 500  500 ⏎ 100  100 ⏎ 100  100

⍝ the tree: each level of a recursion for itself
⎕PROFILE'clear'
⎕PROFILE'state'  ⍝ →  inactive    0 0
⎕PROFILE'start' 'none'
fib 2  ⍝ → 1
⎕PROFILE'stop'
⍉↑1 3 4⎕PROFILE'tree'  ⍝ → 0 ¯1 1 ⏎ 1  1 1 ⏎ 1  4 1 ⏎ 2 ¯1 2 ⏎ 3  1 2 ⏎ 3  2 2 ⏎ 3  3 2
(⎕PROFILE'tree')[1 2;3]≡⍬ 1  ⍝ → 1

⍝ it adds up: what is exclusive in the end is inclusive at the top
⎕PROFILE'clear'
⎕PROFILE'start' 'elapsed'
foo 1000 ⋄ dfib 12
t←⎕PROFILE'data'
⎕PROFILE'stop'
whole←(0=≢¨t[;2])
((+/whole/t[;4])-+/(t[;1]∊'#.foo' '#.dfib')/whole×t[;5])<0.001  ⍝ → 1
∧/,0≤t[;4 5]  ⍝ → 1
0<+/t[;4]  ⍝ → 1

⍝ what can be asked
⎕PROFILE'calibrate'
4=≢⎕PROFILE'state'  ⍝ → 1
⎕PROFILE'start' 'CPU'
2⊃⎕PROFILE'state'  ⍝ → CPU
⎕PROFILE'start' 'coverage'
foo 3
⎕PROFILE'STOP'
⎕PROFILE'clear'
⎕PROFILE'start' 'coverage'
foo 3
⎕PROFILE'stop'
3⊃1 2 3⎕PROFILE'data'  ⍝ → 1 1 1 1 1 1 1
⎕PROFILE'clear'
⎕PROFILE'calibrate'  ⍝ ! DOMAIN ERROR
⎕PROFILE'nothing'  ⍝ ! DOMAIN ERROR
⎕PROFILE 5  ⍝ ! DOMAIN ERROR
⎕PROFILE'start' 'sand'  ⍝ ! DOMAIN ERROR
⎕PROFILE'stop' 'CPU'  ⍝ ! DOMAIN ERROR
9⎕PROFILE'data'  ⍝ ! INDEX ERROR
0⎕PROFILE'data'  ⍝ ! INDEX ERROR
'a'⎕PROFILE'data'  ⍝ ! DOMAIN ERROR

⍝ begun and ended within calls, and left by errors
∇ r←inner x
z←⎕PROFILE'start' 'none'
r←goo2 x
∇
goo2←{⍵+1}
inner 1  ⍝ → 2
∇ bad x
goo x
÷0
∇
bad 1  ⍝ ! DOMAIN ERROR
goo 1
⎕PROFILE'stop'
⍉↑1 2 3⎕PROFILE'data'  ⍝ →  #.goo2  ¯1 1 ⏎  #.goo2   0 1 ⏎  #.bad   ¯1 1 ⏎  #.bad    1 1 ⏎  #.bad    2 1 ⏎  #.goo   ¯1 2 ⏎  #.goo    1 2 ⏎  #.goo    2 2
⎕PROFILE'clear'
]profile  ⍝ ! SYNTAX ERROR
]profile -fns  ⍝ ! SYNTAX ERROR
]profile ÷0  ⍝ ! DOMAIN ERROR
)CLEAR
