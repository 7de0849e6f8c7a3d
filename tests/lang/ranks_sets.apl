⍝ SPDX-License-Identifier: MIT
⍝ Sets and searches for short lists in long arrays, as ranks compute them in parts. An item is computed whole.
⎕RL←7
v←?2000⍴500
w←100+?1500⍴600
s←⍳40
c←'abcdefgh'[?2000⍴8]
f←0.1×v
same←{⎕CT←0 ⋄ (⍺≡⍵)∧(⎕DR ⍺)=⎕DR ⍵}
no←{(⍺~⍵)same⊃(⊂⍺)~¨⊂⍵}
both←{(⍺∩⍵)same⊃(⊂⍺)∩¨⊂⍵}
any←{(⍺∪⍵)same⊃(⊂⍺)∪¨⊂⍵}
all←{(⍺ no ⍵),(⍺ both ⍵),(⍺ any ⍵),(⍵ no ⍺),(⍵ both ⍺),⍵ any ⍺}
v all w                                 ⍝ → 1 1 1 1 1 1
v all s                                 ⍝ → 1 1 1 1 1 1
v all 7                                 ⍝ → 1 1 1 1 1 1
v all 1000                              ⍝ → 1 1 1 1 1 1
v all ⍬                                 ⍝ → 1 1 1 1 1 1
v all c                                 ⍝ → 1 1 1 1 1 1
c all 'chess'                           ⍝ → 1 1 1 1 1 1
f all 0.1×w                             ⍝ → 1 1 1 1 1 1
f all 0.1×s                             ⍝ → 1 1 1 1 1 1
v all f                                 ⍝ → 1 1 1 1 1 1
(⎕F32 f)all 0.1×s                       ⍝ → 1 1 1 1 1 1
(2|v)all 1                              ⍝ → 1 1 1 1 1 1
(v×0J1*2|v)all s                        ⍝ → 1 1 1 1 1 1
v all 'a' 3(1 2)                        ⍝ → 1 1 1 1 1 1
v no 3 4⍴⍳12                            ⍝ → 1
s no 50 40⍴v                            ⍝ → 1
(v~w)≡(~v∊w)/v                          ⍝ → 1
(v∪w)≡v,w~v                             ⍝ → 1
⍝ What is sought is short: each rank's answers come together.
in←{(⍺∊⍵)same⊃(⊂⍺)∊¨⊂⍵}
at←{(⍺⍳⍵)≡⊃(⊂⍺)⍳¨⊂⍵}
(s in v),(s in f),((0.1×s)in f),'axh'in c       ⍝ → 1 1 1 1
((5 8⍴s)in v),((5 8⍴s)in 50 40⍴v),(⍬ in v),s in c ⍝ → 1 1 1 1
(v at s),(v at 480+s),(f at 0.1×5 8⍴s),(c at'hex'),v at'hex' ⍝ → 1 1 1 1 1
(v at v[⌽⍳30]),(v at s,1E6),(v at 0.5×s),(v at 1E¯16+s)       ⍝ → 1 1 1 1
{⎕IO←0 ⋄ (v at s),(v⍳900+s)≡40⍴2000}0   ⍝ → 1 1
{⎕CT←0 ⋄ (f at 0.1×s),s in 1E¯15+v}0    ⍝ → 1 1
((1+1E¯15×⍳1000)at 1+1E¯15×3×⍳20),(⍳1000)at 5.5+⍳20   ⍝ → 1 1
(+/v∊s)=+/v≤40                          ⍝ → 1
(50 40⍴v)~s                             ⍝ ! RANK ERROR
v∩50 40⍴v                               ⍝ ! RANK ERROR
⍝ Which are new; boxes that begin with one rank and end with the next.
new←{(≠⍵)≡⊃≠¨⊂⍵}
near←(1+1E¯15×?2000⍴300)×3*?2000⍴4
nan←⊃645⎕DR 64⍴1
(new v),(new c),(new 2|v),(new f),new ⎕F32 f   ⍝ → 1 1 1 1 1
(new near),(new ⌽near),(new near×0J1*v),(+/≠near)<{⎕CT←0 ⋄ +/≠⍵}near ⍝ → 1 1 1 1
≠1+8E¯15×(6⍴0),6⍴1 2                    ⍝ → 1 0 0 0 0 0 0 1 0 0 0 0
≠1+8E¯15×(8⍴0),4⍴1 2                    ⍝ → 1 0 0 0 0 0 0 0 0 1 0 0
{⎕CT←0 ⋄ (new near),new f}0             ⍝ → 1 1
(new ⍳2000),(new 2000⍴5),(new?2000⍴0),new 2000⍴nan,1 2 3 ⍝ → 1 1 1 1
(new 1000 2⍴near),(new 500 4⍴2|v),(new 500 4⍴c),new 400 5⍴nan,v ⍝ → 1 1 1 1
((≠v)/v)≡∪v                             ⍝ → 1
find←{(⍺⍷⍵)≡⊃(⊂⍺)⍷¨⊂⍵}
t←2000⍴'abcab'
('ab'find t),('bcaba'find t),('a'find t),('x'find t),5 find t ⍝ → 1 1 1 1 1
((300⍴t)find t),((1999⍴t)find t),((2001⍴t)find t),''find t   ⍝ → 1 1 1 1
(1 2 find 2000⍴1 2 1),(1 0 1 find 2|v),(0.1 0.2 find f),(⍬ find v),(1(2 3)find v) ⍝ → 1 1 1 1 1
(+/1 2⍷2000⍴1 2 1)=1⊥'ab'⍷2000⍴'aba'    ⍝ → 1
m←400 5⍴1 2 3 1 2 3 3
((2 2⍴1 2 3 1)find m),((3 2⍴m[⍳3;2 3])find m),((2 1⍴1 2)find m),1 2 find m ⍝ → 1 1 1 1
((1 5⍴m)find m),((5⍴m)find m),((2 6⍴m)find m),(1 1 1⍴1)find m ⍝ → 1 1 1 1
(1 2 2⍴1 2 1 2)find 100 4 5⍴1 2         ⍝ → 1
⍝ Of what is cut itself the different elements come together.
(v in w),(c in 1000⍴'ace'),(v in 0.5×w),((0.5×v)in w),(v in 2|w),(2|v)in w ⍝ → 1 1 1 1 1 1
(v in 50 30⍴w),((50 40⍴v)in w),((1E¯16+v)in w),v in 1000⍴'ab'    ⍝ → 1 1 1 1
((↑v)≡v),(↑m)≡m                         ⍝ → 1 1
⍝ Rows among rows.
M←500 4⍴?2000⍴3
(M at M[7;]),(M at M[300 40 499;]),(M at 9 9 9 9),(M at 2 3 4⍴M[400+⍳6;]),(M at 1 4⍴5) ⍝ → 1 1 1 1 1
((500 4⍴c)at 2 4⍴c[41+⍳8]),((0.1×M)at 0.1×M[470+⍳9;]),(500 2 2⍴v)at 2 2⍴v[401+⍳4]     ⍝ → 1 1 1
M⍳1 2 3                                 ⍝ ! LENGTH ERROR
M⍳5                                     ⍝ ! RANK ERROR
⍝ An error that is heard of while a type is settled stays
{0::⎕EN ⋄ (≢¨⍳4)∪v∧255}v←5⍴5E¯324 2.00000000000001 1E¯300 3.0000000000000004 ⊣ ⎕CT←1E¯14 ⍝ → 11
3+⍳5                                                     ⍝ → 4 5 6 7 8
