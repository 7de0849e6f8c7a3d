⍝ SPDX-License-Identifier: MIT
⍝ Orders and searches, as ranks compute them in parts: whole, stable, and the same as those of one rank.
⎕RL←7
v←?1000⍴300
w←0.5×v
is←{g←⍋⍵ ⋄ ((⍳⍴g)≡g[⍋g]),(∧/(2</g)∨2≠/⍵[g]),∧/2≤/⍵[g]}
down←{g←⍒⍵ ⋄ ((⍳⍴g)≡g[⍋g]),(∧/(2</g)∨2≠/⍵[g]),∧/2≥/⍵[g]}
is v                                    ⍝ → 1 1 1
is w                                    ⍝ → 1 1 1
is 2|v                                  ⍝ → 1 1 1
is w,(-0×w),w                           ⍝ → 1 1 1
is ⎕F32 w                               ⍝ → 1 1 1
is 100⍴7                                ⍝ → 1 1 1
is ⌽⍳5000                               ⍝ → 1 1 1
down v                                  ⍝ → 1 1 1
down w,(-0×w),w                         ⍝ → 1 1 1
down 2|v                                ⍝ → 1 1 1
⍝ More elements than one round of samples has: few keys, many, in order already, and ranks with unlike ones.
is ?30000⍴5                             ⍝ → 1 1 1
is ?30000⍴2*40                          ⍝ → 1 1 1
is ⍳30011                               ⍝ → 1 1 1
is (20000⍴9),⌽⍳20001                    ⍝ → 1 1 1
is (15000⍴⍳3),15000⍴1                   ⍝ → 1 1 1
is ?40000⍴0                             ⍝ → 1 1 1
is (⌊/⍬),(30000⍴0 ¯0.5 1E300),⌈/⍬       ⍝ → 1 1 1
down ?30000⍴5                           ⍝ → 1 1 1
down 0.25×?30000⍴2*20                   ⍝ → 1 1 1
down (20000⍴9),⌽⍳20001                  ⍝ → 1 1 1
big←?50000⍴1000
((big[⍋big])≡⌽big[⍒big]),(+/big)=+/big[⍋big]    ⍝ → 1 1
c←'abcdefg'[?30000⍴7]
(c[⍋c])≡(+⌿c∘.='abcdefg')/'abcdefg'     ⍝ → 1
⍝ An order waits: for its array in that order, for another one, for itself.
same←{(⍵[⍋⍵])≡⍵[⍺]}
{g←⍋⍵ ⋄ s←⍵[g] ⋄ (s≡⍵[g]),(g same ⍵),(⍳⍴g)≡g[⍋g]}v ⍝ → 1 1 1
{g←⍒⍵ ⋄ a←w[g] ⋄ b←w[g] ⋄ k←⊃g ⋄ (a≡b),(k≡⍵⍳⌈/⍵),a≡w[g]}v ⍝ → 1 1 1
{((⍳≢⍵)[⍋⍵])≡⍋⍵}v                       ⍝ → 1
{(c[⍋⍵])≡c[⍎'⍋⍵']}30000↑v               ⍝ → 1
((0J1×v)[⍋v])≡0J1×v[⍋v]                 ⍝ → 1
((2|v)[⍒v])≡2|v[⍒v]                     ⍝ → 1
{g←⍋⍵ ⋄ (⍋⍋⍵)≡⍋g}v                      ⍝ → 1
{g←⍋⍵ ⋄ (+/g),(⌽g)[1],1↑g}5 3 9 1       ⍝ → 10 3 4
({⍵[⍋⍵]}¯1↓v)≡¯1↓{⍵[⍋⍵]}v               ⍝ → 0
(v[⍋1↓v])≡(1↓v)[⍋1↓v]                   ⍝ → 0
((1↓v)[⍋v])≡0                           ⍝ ! INDEX ERROR
⍋3 1 2 3 1 2 1                          ⍝ → 2 5 7 3 6 1 4
⍒3 1 2 3 1 2 1                          ⍝ → 1 4 3 6 2 5 7
t←'abc'[1+3|⍳100]
(t[⍋t])≡∊33 34 33⍴¨'abc'                ⍝ → 1
⎕DR ⍋100⍴7                              ⍝ → 83
⎕DR ⍋1000⍴7                             ⍝ → 163
⎕DR (2|v)[⍋2|v]                         ⍝ → 11
⎕DR v[⍋v]                               ⍝ → 163
(+/2|v)=+/(2|v)[⍒2|v]                   ⍝ → 1
{⎕IO←0 ⋄ g←⍋⍵ ⋄ ((⍳⍴g)≡g[⍋g]),∧/2≤/⍵[⍋⍵]}v ⍝ → 1 1
{g←⍋⍵ ⋄ ⎕IO←0 ⋄ ⍵[g]}v                  ⍝ ! INDEX ERROR
(+/v∊3 4 5)=+/,v∘.=3 4 5               ⍝ → 1
(v∊w)≡∨/v∘.=w                           ⍝ → 1
(v⍳300+⍳10)≡10⍴1001                     ⍝ → 1
(∪v)[(∪v)⍳v]≡v                          ⍝ → 1
(5 10 20⍸v)≡(v≥5)+(v≥10)+v≥20           ⍝ → 1
⍋3 1 2,⊂4 5                             ⍝ → 2 3 1 4
⍋2 1J1 3 1                              ⍝ → 4 2 1 3
(∪v)≡v[⍸(v⍳v)=⍳≢v]                      ⍝ → 1
(⎕DR ∪v),(≢∪⍳3000),≢∪3000⍴5             ⍝ → 163 3000 1
(∪c)≡c[⍸(c⍳c)=⍳≢c]                      ⍝ → 1
∪3 1 3 2 1                              ⍝ → 3 1 2
∪1 1+1E¯15×0 1                          ⍝ → 1
∪1 0 1 1                                ⍝ → 1 0
(∪3 4⍴⍳3)≡3 4⍴⍳3                        ⍝ → 1
⍝ Different elements by ⎕CT and without it: those that ranks find exactly are compared as one rank compares all. An item
⍝ is computed whole.
whole←{⊃∪¨⊂⍵}
alike←{u←∪⍵ ⋄ r←whole ⍵ ⋄ ⎕CT←0 ⋄ u≡r}
exact←{⎕CT←0 ⋄ alike ⍵}
near←(1+1E¯15×?2000⍴300)×3*?2000⍴4
(alike near),(exact near),(≢∪near)<≢{⎕CT←0 ⋄ ∪⍵}near ⍝ → 1 1 1
(alike ⌽near),alike near[⍋near]         ⍝ → 1 1
{⎕CT←1E¯13 ⋄ alike ⍵}near               ⍝ → 1
⍝ What is near the first of a rank's elements, which is near one of another rank, need not be near that.
∧/{alike 1+7E¯15×?12⍴⍵}¨100⍴9           ⍝ → 1
alike 0.5×?3000⍴40                      ⍝ → 1
exact 0.5×?3000⍴40                      ⍝ → 1
alike ⎕F32 0.1×?3000⍴40                 ⍝ → 1
exact ⎕F32 0.1×?3000⍴40                 ⍝ → 1
(alike near+0J1×⌽near),exact near×0J1*?2000⍴4 ⍝ → 1 1
nan←⊃645⎕DR 64⍴1
inf←⌈/⍬
odd←1000⍴nan,inf,(-inf),0.5,(-0×0.5),(0×0.5),1
(alike odd),(exact odd),alike near,odd  ⍝ → 1 1 1
alike ?3000⍴0                           ⍝ → 1
⍝ Rows.
alike 1000 3⍴?3000⍴3                    ⍝ → 1
alike 1000 2⍴near                       ⍝ → 1
exact 1000 2⍴near[?2000⍴9]              ⍝ → 1
alike 500 2⍴odd                         ⍝ → 1
exact 500 2⍴odd                         ⍝ → 1
alike 600 2 2⍴'abc'[?2400⍴3]            ⍝ → 1
⍝ NaNs, which compare with nothing; characters; truth values and complex numbers beside.
⎕PW←200
n←645 ⎕DR 9221120237041090560
x←(3⍴n),(7|⍳12),n,2
⍋x                                      ⍝ → 10 4 11 5 12 17 6 13 7 14 8 15 9 1 2 3 16
⍒x                                      ⍝ → 1 2 3 16 9 8 15 7 14 6 13 5 12 17 4 11 10
⍋7⍴n                                    ⍝ → 1 2 3 4 5 6 7
c←(20⍴'hello wörld'),⎕UCS 0 70000 300
⍋c                                      ⍝ → 21 6 17 11 2 13 1 12 3 4 10 14 15 5 16 9 20 7 18 8 19 23 22
⍒c                                      ⍝ → 22 23 8 19 7 18 9 20 5 16 3 4 10 14 15 1 12 2 13 11 6 17 21
(20↑c)[⍒20⍴0 1 1]                       ⍝ → elo ördhll wrhlwleoö
(1=20⍴0 1 1)[⍋20↑c]                     ⍝ → 1 1 1 1 0 0 1 1 0 0 1 1 1 0 1 1 0 1 1 0
(1J2×⍳20)[⍋⌽20↑c]                       ⍝ → 4J8 15J30 10J20 8J16 19J38 9J18 20J40 6J12 7J14 11J22 17J34 18J36 5J10 16J32 1J2 12J24 3J6 14J28 2J4 13J26
