⍝ SPDX-License-Identifier: MIT
⍝ ⎕MONITOR.
⍝ needs ⎕NC '⎕MONITOR'
⍝ in order

∇ r←fact n
 :If n≤1
   r←1
 :Else
   r←n×fact n-1
 :EndIf
∇
∇ work n;i
 i←0
 :While i<n
   i+←1
   {}⎕DL 0.001
 :EndWhile
∇
⊢0 1 4 9 ⎕MONITOR 'fact'           ⍝ → 0 1 4
⎕←2 4 ⎕MONITOR 'fact'              ⍝ → 2 4
fact 5                             ⍝ → 120
(⎕MONITOR 'fact')[;1 2 5]          ⍝ → 2 1 0 ⏎ 4 4 0
⍴⎕MONITOR 'work'                   ⍝ → 0 5
(0,⍳5)⎕MONITOR 'work'
work 3
m←⎕MONITOR 'work'
m[;2]                              ⍝ → 1 1 4 3 3 3
⍝ A line's time is that of what it calls, the function's that of its lines
(3≤m[5;4])∧m[1;4]≥+/1↓m[;4]        ⍝ → 1
∧/,m≥0                             ⍝ → 1
work 2
(⎕MONITOR 'work')[4;2]             ⍝ → 5
⎕PROFILE 'start'                   ⍝ ! NONCE ERROR: ⎕PROFILE: ⎕MONITOR counts now, or threads run
⊢⍬ ⎕MONITOR 'work'                 ⍝ → 
⍴⎕MONITOR 'work'                   ⍝ → 0 5
⊢⍬ ⎕MONITOR 'fact'                 ⍝ → 
⎕PROFILE 'start'
1 ⎕MONITOR 'fact'                  ⍝ ! NONCE ERROR: ⎕MONITOR: ⎕PROFILE measures now, or threads run
⎕PROFILE 'clear'
⍝ A definition anew is not monitored
1 ⎕MONITOR 'fact'
∇ r←fact n
 r←n
∇
fact 4                             ⍝ → 4
⍴⎕MONITOR 'fact'                   ⍝ → 0 5
⍝ An error leaves it in order
∇ bad
 ÷0
∇
0 1 ⎕MONITOR 'bad'
{0::5 ⋄ bad}0                      ⍝ → 5
(⎕MONITOR 'bad')[;2]               ⍝ → 1 1
f←{⍵}
⊢1 ⎕MONITOR 'f'                    ⍝ → 
'x' ⎕MONITOR 'work'                ⍝ ! DOMAIN ERROR: ⎕MONITOR takes numbers of lines
