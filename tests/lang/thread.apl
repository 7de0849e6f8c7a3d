⍝ SPDX-License-Identifier: MIT
⍝ Threads: f&y, ⎕TSYNC ⎕TNUMS ⎕TKILL, tokens, :Hold. In each line's end all that can run does.
⍝ needs ⎕TSYNC{⍵}&0
⍝ in order

dup←{⍵ ⍵}
⎕TSYNC dup&88                      ⍝ → 88 88
⎕TSYNC dup&1 2 3                   ⍝ →  1 2 3  1 2 3
⎕TSYNC dup&¨1 2 3                  ⍝ →  1 1  2 2  3 3
⎕TSYNC 2 2⍴dup&¨⍳4                 ⍝ →  1 1  2 2 ⏎  3 3  4 4
⎕TID                               ⍝ → 0
⎕TNUMS                             ⍝ → 0
{1008::⎕EN ⋄ ⎕TSYNC ⍵}⎕TID         ⍝ → 1008
⎕TSYNC 3+&4                        ⍝ → 7
⎕TSYNC{⎕TID}&0                     ⍝ → 12
⎕TSYNC ⍎&'2+3'                     ⍝ → 5
⍴⎕TSYNC 99                         ⍝ ! VALUE ERROR
⎕TSYNC ⍬                           ⍝ → 
⍴⎕TSYNC{}&0                        ⍝ ! VALUE ERROR
⎕TSYNC 'a'                         ⍝ ! DOMAIN ERROR: ⎕TSYNC takes whole numbers

⍝ What nobody waits for is shown; an error is told, and ends the thread alone
{⍵+1}&5                            ⍝ → 6
{x←⍵+1}&5
n←{÷⍵}&0                           ⍝ → thread 17: DOMAIN ERROR: ÷: division by zero ⏎       n←{÷⍵}&0 ⏎          ^
⍴⎕TSYNC n                          ⍝ ! VALUE ERROR
n                                  ⍝ → 17

⍝ Lines of traditional functions take turns
∇ loop name;i
 :For i :In ⍳3
   ⎕←name,⍕i
 :EndFor
∇
⎕TSYNC loop&¨'ab'                  ⍝ → a1 ⏎ b1 ⏎ a2 ⏎ b2 ⏎ a3 ⏎ b3
∇ r←pair x;a;b
 a←loop&'c'
 ⎕←'p'
 b←loop&'d'
 r←⎕TID,b-a
∇
pair 0                             ⍝ → p ⏎ c1 ⏎ 0 1 ⏎ c2 ⏎ d1 ⏎ c3 ⏎ d2 ⏎ d3
⎕NC'i' 'name'                      ⍝ → 0 0

⍝ Local names are each call's own, those of the caller as they were
x←'global'
∇ r←outer x;t
 t←inner&¨⍳2
 x←'later'
 r←⎕TSYNC t
 r,←⊂x
∇
∇ r←inner n;y
 y←n
 ⎕DL 0
 y,←n
 r←x,⍕y
∇
outer 'mine'                       ⍝ →  mine1 1  mine2 2  later
x                                  ⍝ → global
∇ r←io n;⎕IO
 ⎕IO←n
 ⎕DL 0
 r←⍳3
∇
⎕TSYNC io&¨0 1 0                   ⍝ →  0 1 2  1 2 3  0 1 2
⎕IO                                ⍝ → 1

⍝ :Hold with :Else does not wait
∇ Busy
 :Hold 'one'
   ⎕DL 0.02
   ⎕←'done'
 :EndHold
∇
∇ Tries x
 :Hold 'one' 'two'
   ⎕←'got'
 :Else
   ⎕←'else'
   :Hold 'c'
     ⎕←'other'
   :Else
     ⎕←'never'
   :EndHold
 :EndHold
 :Hold 'one'
   ⎕←'waited'
 :EndHold
∇
{Busy}&0 ⋄ Tries&0                 ⍝ → else ⏎ other ⏎ done ⏎ waited
Tries 0                            ⍝ → got ⏎ waited

⍝ :Hold
total←0
∇ add n;t
 :Hold 'total'
   t←total
   ⎕DL 0.001
   total←t+n
 :EndHold
∇
⎕TSYNC add&¨⍳10
total                              ⍝ → 55
total←0
∇ add n;t
 t←total
 ⎕DL 0.001
 total←t+n
∇
⎕TSYNC add&¨⍳10
total                              ⍝ → 10
∇ r←twice
 :Hold 'a' 'b'
   :Hold 'a'
     r←1
   :EndHold
   :Trap 11
     ÷0
   :EndTrap
 :EndHold
∇
twice                              ⍝ → 1
∇ leaves
 :Hold 'a'
   →0
 :EndHold
∇
∇ fails
 :Hold 'a'
   ÷0
 :EndHold
∇
leaves
{0::'failed' ⋄ fails}0             ⍝ → failed
⎕TSYNC{twice}&0                    ⍝ → 1
⍝ Each holds what the other waits for
∇ r←cross tokens
 :Trap 1008
   :Hold ⊃tokens
     ⎕DL 0.001
     :Hold 2⊃tokens
       r←'both'
     :EndHold
   :EndHold
 :Else
   r←'deadlock'
 :EndTrap
∇
⎕TSYNC cross&¨('l' 'r')('r' 'l')   ⍝ →  both  deadlock

⍝ Tokens
5 ⎕TPUT 1
⎕TPOOL                             ⍝ → 1
⎕TGET 1                            ⍝ → 5
⎕TPOOL                             ⍝ → 
⍴0 ⎕TGET 1                         ⍝ → 0
0.01 ⎕TGET 1                       ⍝ → 
⎕TGET 1                            ⍝ ! DEADLOCK
'one' 'two' 'three' ⎕TPUT 1 2 1
⎕TGET 1 1                          ⍝ →  one  three
⎕TGET 2                            ⍝ → two
'stays' ⎕TPUT ¯3
⎕TGET¨3 3                          ⍝ →  stays  stays
⎕TPOOL                             ⍝ → ¯3
⎕TGET ¯3                           ⍝ → stays
⎕TPOOL                             ⍝ → ¯3
got←{⎕TGET ⍵}&7
⎕TREQ got                          ⍝ → 7
⎕TNUMS≡0 got                       ⍝ → 1
42 ⎕TPUT 7                         ⍝ → 42
⎕TNUMS                             ⍝ → 0
⎕TPUT 4 4
⎕TGET 4 4                          ⍝ → 4 4
r←{⍵,⎕TGET 8}&¨'ab'
1 2 ⎕TPUT 8 8
⎕TSYNC r                           ⍝ →  a 1  b 2
⎕TPUT 0                            ⍝ ! DOMAIN ERROR: ⎕TPUT: a token is not 0

⍝ Ended from outside
n←{⎕TGET 9}&0
m←{_←{⎕TGET 9}&0 ⋄ ⎕TGET 9}&0
(⎕TCNUMS 0)≡n,m                    ⍝ → 1
(⎕TCNUMS m)≡,m+1                   ⍝ → 1
(⎕TKILL m)≡m+0 1                   ⍝ → 1
⎕TNUMS≡0,n                         ⍝ → 1
∇ ends
 :Trap 0
   {}⎕TGET 9
 :Else
   'caught'
 :EndTrap
∇
m←{ends}&0
⎕TKILL n,m,0
⎕TNUMS                             ⍝ → 0
{⎕TNAME←'worker' ⋄ ⎕TNAME}&0       ⍝ → worker
⎕TNAME≡''                          ⍝ → 1
n←{⎕TGET 9}&¨⍳100
≢⎕TNUMS                            ⍝ → 101
⎕TKILL n
≢⎕TNUMS                            ⍝ → 1
deep←{⍵=0:0 ⋄ 1+deep ⍵-1}
⎕TSYNC deep&300                    ⍝ → 300
{0::⎕DMX.EM ⋄ deep ⍵}&1E7          ⍝ → LIMIT ERROR
⍝ )CLEAR ends them
n←{⎕TGET 9}&¨⍳3
)CLEAR
⎕TNUMS                             ⍝ → 0
n←{⎕TGET 9}&¨⍳3
'left waiting'                     ⍝ → left waiting
