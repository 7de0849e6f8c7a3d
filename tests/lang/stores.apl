⍝ SPDX-License-Identifier: MIT
⍝ Elements of long arrays written over, and sets of them: what a device does by stores to computed
⍝ places. What is expected is said otherwise: by searching, comparing all with all, rearranging.

n←300
i←1+n|×⍨⍳1009                   ⍝ places that repeat, and some that are none's
last←{(≢⍵)-(⌽⍵)⍳⍺}              ⍝ where in ⍵ the last ⍺ is, from 1 less
on←(⍳n)∊i
⍝ the last one wins, for every type
wins←{x←⍺ ⋄ x[i]←⍵ ⋄ w←⍵[1+(on/⍳n)last¨⊂i] ⋄ ((on/x)≡w)∧((~on)/x)≡(~on)/⍺}
(n⍴0)wins 1009⍴0 1 1            ⍝ → 1
(n⍴1 0 1)wins 1009⍴0 1 1        ⍝ → 1
(n⍴⍳9)wins ⍳1009                ⍝ → 1
(n⍴⍳9)wins 1009⍴1 0 0           ⍝ → 1
(n⍴0)wins -⍳1009                ⍝ → 1
(⍳n)wins 1009⍴100000×⍳70        ⍝ → 1
(⍳n)wins 10000000000×⍳1009      ⍝ → 1
(n⍴0)wins ÷⍳1009                ⍝ → 1
(÷⍳n)wins ⍳1009                 ⍝ → 1
(n⍴'abc')wins 1009⍴'xyz12'      ⍝ → 1
(n⍴'abc')wins 1009⍴'⍴⍳x'        ⍝ → 1
(⎕F32 ÷⍳n)wins ⎕F32 1009⍴÷3 7 9 ⍝ → 1
⍝ one value for all
x←n⍴⍳7
x[i]←0
x≡(~on)×n⍴⍳7                    ⍝ → 1
x[i]←,3.5
x≡(3.5×on)+(~on)×n⍴⍳7           ⍝ → 1
⍝ places that do not repeat
x←n⍴0
x[⍸on]←⍳+/on
x≡on×+\on                       ⍝ → 1
x[n+1-⍳n]←⍳n
x≡⌽⍳n                           ⍝ → 1
x[⍳0]←5
x[⍳0]←⍳0
x≡⌽⍳n                           ⍝ → 1
x[7]←¯1
x[,n]←¯2
x[7,n,6]                        ⍝ → ¯1 ¯2 295
x[2 150⍴⍳n]←2 150⍴⌽⍳n
x≡⌽⍳n                           ⍝ → 1
⍝ another name keeps what it had
y←x
x[1]←77
y[1],x[1]                       ⍝ → 300 77
y≡⌽⍳n                           ⍝ → 1
z←y+0.5
y[⍳n]←0
(z≡0.5+⌽⍳n),∧/y=0               ⍝ → 1 1
y[2+⍳200]←y[1+⍳200]+1           ⍝ from itself
y≡(⍳n)∊2+⍳200                   ⍝ → 1
⍝ several axes
m←20 30⍴⍳600
m[3;]←100+⍳30
m[;4]←-⍳20
m[5 7;2 3 9]←2 3⍴1000×⍳6
m[20;30]←5
w←20 30⍴⍳600
k←,m≠w
(+/k),(+/,m)-+/,w               ⍝ → 56 14647
m[3;1 2 3 4 5]                  ⍝ → 101 102 103 ¯3 105
m[5 7;2 3 9]                    ⍝ → 1000 2000 3000 ⏎ 4000 5000 6000
m[19 20;29 30]                  ⍝ → 569 570 ⏎ 599   5
m[1 1;2 2]←2 2⍴⍳4               ⍝ the last one wins here, too
m[1;1 2 3]                      ⍝ → 1 4 3
a←6 7 8⍴0
a[2 3;;4 5]←2 7 2⍴⍳28
(+/,a),a[3;7;5],⍴a              ⍝ → 406 28 6 7 8
a[;;]←1
+/,a                            ⍝ → 336
a[]←2
+/,a                            ⍝ → 672
⍝ modified: sums, counts, extremes are those of all that goes to a place
s←i∘.=⍳n
h←n⍴0
h[i]+←1
h≡+⌿s                           ⍝ → 1
h[i]+←⍳1009
h≡(+⌿s)+(⍳1009)+.×s             ⍝ → 1
h[i]-←⍳1009
h≡+⌿s                           ⍝ → 1
h[i]+←10000000000
h≡10000000001×+⌿s               ⍝ → 1
h←n⍴⍳5
h[i]⌈←1009⍴7 ¯2 3 11 8
h≡(n⍴⍳5)⌈⌈⌿((⍉n 1009⍴1009⍴7 ¯2 3 11 8)×s)+(~s)×¯100 ⍝ → 1
h[i]⌊←1009⍴¯7 2 300
h≡{⍵⌊⌊⌿((⍉n 1009⍴1009⍴¯7 2 300)×s)+(~s)×1000}(n⍴⍳5)⌈⌈⌿((⍉n 1009⍴1009⍴7 ¯2 3 11 8)×s)+(~s)×¯100 ⍝ → 1
h←n⍴0
h[i]∨←1009⍴1 0 0
h≡∨⌿s∧⍉n 1009⍴1009⍴1 0 0        ⍝ → 1
h[i]∧←1009⍴1 1 0
h≡(∨⌿s∧⍉n 1009⍴1009⍴1 0 0)∧~∨⌿s∧⍉n 1009⍴1009⍴0 0 1 ⍝ → 1
h←n⍴9223372036854775000
h[i]+←1                         ⍝ this fits, what follows does not
h≡9223372036854775000+⌊+⌿s      ⍝ → 1
h[1 1 1]←0
h[1 1 1]+←9223372036854775000
h[1]=3×9223372036854775000      ⍝ → 1
h←n⍴0.5
h[⍸on]+←⍳+/on
h≡0.5+on×+\on                   ⍝ → 1
h[i]+←1                         ⍝ floats, one after the other
h≡0.5+(on×+\on)+⌊+⌿s            ⍝ → 1
h[⍸on]×←2
h[⍸on]÷←2
h≡0.5+(on×+\on)+⌊+⌿s            ⍝ → 1
h←7⍴0                           ⍝ few places, many numbers
h[1+7|⍳20000]+←1
h                               ⍝ → 2857 2858 2857 2857 2857 2857 2857
h[1+7|⍳20000]+←⍳20000
h≡(+/¨(¯1+⍳7)=⊂7|⍳20000)++/¨((¯1+⍳7)=⊂7|⍳20000)×⊂⍳20000 ⍝ → 1
⍝ one value for many places, which threads share
k←1+2999|×⍨⍳5003 ⋄ p←(⍳3000)∊k
fills←{x←y←⍺ ⋄ x[k]←⍵ ⋄ (y≡⍺)∧((p/x)≡(+/p)⍴⍵)∧((~p)/x)≡(~p)/⍺}
(⊂(3000⍴2 9))fills¨7 0.5 1000 100000 1E15 'x' 0J1 (⎕UCS 1000) ⍝ → 1 1 1 1 1 1 1 1
(⊂(3000⍴'abc'))fills¨'z' (⎕UCS 500) (⎕UCS 100000) 5      ⍝ → 1 1 1 1
(⊂(3000⍴÷⍳7))fills¨2 0.5 0J1                             ⍝ → 1 1 1
(⊂(3000⍴0))fills¨1 2                                     ⍝ → 1 1
x←3000⍴5 ⋄ (p/x)←6 ⋄ x≡5+p                            ⍝ → 1
x←3000⍴5 ⋄ x[5003 1⍴k]←1 1 1⍴6 ⋄ x≡5+p                ⍝ → 1
⎕IO←0 ⋄ x←3000⍴5 ⋄ x[k-1]←6 ⋄ ⎕IO←1
x≡5+p                                                 ⍝ → 1
⍝ one after the other: as a loop over them does it
k←1+41|×⍨⍳700
turns←{r←⍺ ⋄ g←⍺⍺ ⋄ w←(⍴k)⍴⍵ ⋄ r⊣{r[k[⍵]]←r[k[⍵]]g w[⍵]}¨⍳≢k}
z←41⍴0 ⋄ z[k]+←1 ⋄ z≡(41⍴0)(+turns)1 ⍝ → 1
z←41⍴1 ⋄ z[k]-←⍳700 ⋄ z≡(41⍴1)(-turns)⍳700 ⍝ → 1
z←⍳41 ⋄ z[k]+←100000×⍳700 ⋄ z≡(⍳41)(+turns)100000×⍳700 ⍝ → 1
z←⍳41 ⋄ z[k]+←(⍳700)*4 ⋄ z≡(⍳41)(+turns)(⍳700)*4 ⍝ → 1
z←41⍴0 ⋄ z[k]-←7 ⋄ z≡(41⍴0)(-turns)7 ⍝ → 1
z←41⍴1 0 ⋄ z[k]-←700⍴1 0 ⋄ z≡(41⍴1 0)(-turns)700⍴1 0 ⍝ → 1
z←⍳41 ⋄ z[k]⌈←300-⍳700 ⋄ z≡(⍳41)(⌈turns)300-⍳700 ⍝ → 1
z←⍳41 ⋄ z[k]⌊←300-⍳700 ⋄ z≡(⍳41)(⌊turns)300-⍳700 ⍝ → 1
z←41⍴0.1 ⋄ z[k]+←÷⍳700 ⋄ z≡(41⍴0.1)(+turns)÷⍳700 ⍝ → 1
z←41⍴0.1 ⋄ z[k]-←÷⍳700 ⋄ z≡(41⍴0.1)(-turns)÷⍳700 ⍝ → 1
z←41⍴7 ⋄ z[k]×←1+÷⍳700 ⋄ z≡(41⍴7)(×turns)1+÷⍳700 ⍝ → 1
z←41⍴0.1 ⋄ z[k]÷←1+÷⍳700 ⋄ z≡(41⍴0.1)(÷turns)1+÷⍳700 ⍝ → 1
z←41⍴0.5 ⋄ z[70 10⍴k]+←70 10⍴⍳700 ⋄ z≡(41⍴0.5)(+turns)⍳700 ⍝ → 1
z←41⍴0 ⋄ z[k]+←0J1 ⋄ z≡(41⍴0)(+turns)0J1 ⍝ → 1
y←z←41⍴5 ⋄ z[k]+←1 ⋄ y≡41⍴5          ⍝ → 1
z←41⍴1E308 ⋄ z[k]+←1E308              ⍝ ! DOMAIN ERROR
z≡41⍴1E308                            ⍝ → 1
z[k,42]+←1                            ⍝ ! INDEX ERROR
z[k]+←⍳699                            ⍝ ! LENGTH ERROR
z[k]+←70 10⍴⍳700                      ⍝ ! RANK ERROR
z[k]+←'a'                             ⍝ ! DOMAIN ERROR
z≡41⍴1E308                            ⍝ → 1
⎕IO←0 ⋄ z←41⍴0 ⋄ z[k-1]+←2 ⋄ ⎕IO←1
z≡(41⍴0)(+turns)2                     ⍝ → 1
k←?20000⍴900 ⋄ z←900⍴0 ⋄ z[k]+←3 ⋄ z≡3×+/(⍳900)∘.=k ⍝ → 1
z[k]-←3 ⋄ ∧/z=0                       ⍝ → 1
m←2 3⍴10
m[1+2|⍳20000;2]+←100000000000
(,m)≡10 1000000000000010 10 10 1000000000000010 10 ⍝ → 1
m←20 30⍴0
m[3;]+←⍳30
m[;4]+←1
m[1 1;1 1]+←1
(+/,m),m[3;4],m[1;1]            ⍝ → 489 5 4
⍝ @
(0@(⍸on)⊢⍳n)≡(~on)×⍳n          ⍝ → 1
((1009⍴⍳7)@i⊢n⍴0)≡on\(1009⍴⍳7)[1+(on/⍳n)last¨⊂i] ⍝ → 1
(-@(3∘|)⊢⍳n)≡(⍳n)×n⍴¯1 ¯1 1     ⍝ ! DOMAIN ERROR
(-@(1=3|⊢)⊢⍳n)≡(⍳n)×n⍴¯1 1 1    ⍝ → 1
(10×@2 3⊢20 30⍴⍳600)≡(20 30⍴⍳600)×[1]1 10 10,17⍴1 ⍝ → 1
(0@(1=2|⊢)⊢20 30⍴⍳600)≡20 30⍴(600⍴0 1)×⍳600 ⍝ → 1
('x'@(⍸on)⊢n⍴'abc')≡(1+on)⊃¨↓⍉↑(n⍴'abc')(n⍴'x') ⍝ → 1
5@301⊢⍳n                        ⍝ ! INDEX ERROR
(⍳7)@i⊢⍳n                       ⍝ ! LENGTH ERROR
⍝ selections that are assigned
x←⍳n
(on/x)←0
x≡(~on)×⍳n                      ⍝ → 1
x←⍳n
((~on)/x)←⍳+/~on
x≡(on×⍳n)+(~on)×+\~on           ⍝ → 1
(on/x)+←1000
x≡(on×1000+⍳n)+(~on)×+\~on      ⍝ → 1
x←⍳n
(200↑x)←⍳200
(¯50↑x)←0
(150↓x)×←2
(⌽x)[1 2 3]←7 8 9
x≡(⍳150),(2×150+⍳100),(47⍴0),9 8 7 ⍝ → 1
m←20 30⍴⍳600
(3⌷m)←0
(2 5⌷m)←¯1
(,m)[600 599]←5 6
(1 1⍉m)←-⍳20
(5 6↑m)+←1000
((,m)[1 2 3])←0
w←20 30⍴⍳600
w[3;]←0
w[2;5]←¯1
w[20;30 29]←5 6
w[1;1]←¯1
d←(⍳20)∘.=⍳30
w←(w×~d)-(⍳20)×[1]d
w[⍳5;⍳6]←1000+w[⍳5;⍳6]
w[1;1 2 3]←0
w≡m                             ⍝ → 1
(301↑⍳n)[5]←1                   ⍝ ! SYNTAX ERROR
x←⍳n
(on/x)←⍳5                       ⍝ ! LENGTH ERROR
x≡⍳n                            ⍝ → 1
⍝ errors: the name keeps what it had
x←⍳n
x[301]←5                        ⍝ ! INDEX ERROR
x[0 1 2]←5                      ⍝ ! INDEX ERROR
x[i+100]←5                        ⍝ ! INDEX ERROR
x[i]←⍳7                         ⍝ ! LENGTH ERROR
x[i]←2 3⍴⍳6                     ⍝ ! LENGTH ERROR
x[1;2]←5                        ⍝ ! RANK ERROR
x[1.5]←5                        ⍝ ! DOMAIN ERROR
x['a']←5                        ⍝ ! DOMAIN ERROR
x[i]+←'a'                       ⍝ ! DOMAIN ERROR
x[i+100]+←1                       ⍝ ! INDEX ERROR
x[i]÷←0                         ⍝ ! DOMAIN ERROR
x[⍳10]÷←0                       ⍝ ! DOMAIN ERROR
x[i]←÷1009⍴0 1                  ⍝ ! DOMAIN ERROR
x[i÷0]←5                        ⍝ ! DOMAIN ERROR
x≡⍳n                            ⍝ → 1
m←20 30⍴⍳600
m[21;]←5                        ⍝ ! INDEX ERROR
m[1 2;31]←5                     ⍝ ! INDEX ERROR
m[1 2;]←⍳30                     ⍝ ! LENGTH ERROR
m[;;1]←5                        ⍝ ! RANK ERROR
m≡20 30⍴⍳600                    ⍝ → 1
⍝ another kind makes it nested, as everywhere
x[2]←'a'
≡x                              ⍝ → 1
x[1 2 3]                        ⍝ → 1 a 3
⎕IO←0
x←n⍴0
x[⍳n]←⌽⍳n
x[0 299 5]                      ⍝ → 299 0 294
x[300]←1                        ⍝ ! INDEX ERROR
m←20 30⍴0
m[0;29]←1
m[19 18;1+⍳29]←2
+/,m                            ⍝ → 117
⎕IO←1

⍝ Floats in places that repeat: one after the other, as a loop has it
n←4001 ⋄ k←17|n|(⍳n)×7919 ⋄ f←(n|(⍳n)×7919)÷7 ⋄ v←f×1e10*3|⍳n
h←n⍴0 ⋄ h[1+k]+←v ⋄ h≡n↑{⊃{⍵+⍺}/⌽0,⍵}¨{(k=⍵)/v}¨¯1+⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]-←v ⋄ (17↑h)≡{⊃{⍵-⍺}/⌽(÷⍵),(k=⍵-1)/v}¨⍳17 ⍝ → 1
(17↓h)≡17↓÷⍳n                 ⍝ → 1
h←÷⍳n ⋄ h[1+k]×←1+1e¯5×f ⋄ (17↑h)≡{⊃{⍵×⍺}/⌽(÷⍵),(k=⍵-1)/1+1e¯5×f}¨⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]÷←1+1e¯5×f ⋄ (17↑h)≡{⊃{⍵÷⍺}/⌽(÷⍵),(k=⍵-1)/1+1e¯5×f}¨⍳17 ⍝ → 1
h←⎕F32 ÷⍳n ⋄ h[1+k]+←⎕F32 v ⋄ (17↑h)≡⎕F32{c←⎕F32÷⍵ ⋄ z←{c+←⍵}¨(k=⍵-1)/⎕F32 v ⋄ c}¨⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]⌈←f ⋄ (17↑h)≡{⌈/(÷⍵),(k=⍵-1)/f}¨⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]+←0.1 ⋄ (17↑h)≡{⊃{⍵+⍺}/⌽(÷⍵),(+/k=⍵-1)⍴0.1}¨⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]+←⍳n ⋄ (17↑h)≡{⊃{⍵+⍺}/⌽(÷⍵),⍸k=⍵-1}¨⍳17 ⍝ → 1
h←100 50⍴÷⍳5000 ⋄ h[1+k;3]+←v ⋄ h[⍳17;3]≡{⊃{⍵+⍺}/⌽(÷(50×⍵-1)+3),(k=⍵-1)/v}¨⍳17 ⍝ → 1
h←÷⍳n ⋄ h[1+k]÷←0             ⍝ ! DOMAIN ERROR
h≡÷⍳n                         ⍝ → 1
h[n⍴1 2]×←1e300               ⍝ ! DOMAIN ERROR
h≡÷⍳n                         ⍝ → 1
h[k]+←v                       ⍝ ! INDEX ERROR
h←n⍴0.0 ⋄ h[n⍴7]+←f ⋄ h[7]≡⊃{⍵+⍺}/⌽0,f ⍝ → 1

⍝ complex numbers are joined in order, too
z←3↑3J4 ⋄ z[1 1 2]×←0.5 ⋄ z                   ⍝ → 0.75J1 0 0
z←5000⍴3J4 ⋄ z[1 1 2]⌈←0.5                    ⍝ ! DOMAIN ERROR

⍝ What is known of places, that they differ, is forgotten where one of them is written over
n←997 ⋄ j←1+n|5×⍳n ⋄ v←n⍴0
v[j]←⍳n ⋄ v≡⍋j                                ⍝ → 1
v[j]←-⍳n ⋄ v≡-⍋j                              ⍝ → 1
j[n]←j[1] ⋄ v[j]←⍳n ⋄ v[j[1]],v[1+5×n-1]      ⍝ ! INDEX ERROR
v[j[1]]                                       ⍝ → 997
g←⍋j ⋄ v[g]←⍳n ⋄ v≡⍋g                         ⍝ → 1
g[7 8]←g[9 9] ⋄ v[g]←⍳n ⋄ v[g[9]]             ⍝ → 9
d←n?n ⋄ v[d]←⍳n ⋄ v≡⍋d                        ⍝ → 1
d[1]+←d[2]-d[1] ⋄ v[d]←⍳n ⋄ v[d[2]]           ⍝ → 2
d←⌽d ⋄ v[d]←⍳n ⋄ v[d[n]]                      ⍝ → 997

⍝ x[i]f←y on the host costs what its places do: all different, some named again, along several axes.
⎕CT←0 ⋄ x←1000⍴0 ⋄ x[3 5]+←1 ⋄ x[3 5 3]+←10 100 1000 ⋄ x[⍳6]       ⍝ → 0 0 1011 0 101 0
n←5000⍴0 ⋄ ⎕RL←3 ⋄ p←?60⍴40 ⋄ n[p]+←⍳60 ⋄ s←40⍴0 ⋄ {s[p[⍵]]+←⍵}¨⍳60 ⋄ (40↑n)≡s ⍝ → 1
n←5000⍴8 ⋄ n[7 7 7]-←1 2 3 ⋄ n[6 7 8]                                ⍝ → 8 2 8
n←5000⍴8 ⋄ n[7 7 9]÷←2 ⋄ n[7 8 9]                                    ⍝ → 2 8 4
n←5000⍴8 ⋄ n[2 2⍴7 7 9 1]×←2 2⍴1 2 3 4 ⋄ n[7 9 1]                    ⍝ → 16 24 32
n←5000⍴1 ⋄ n[7 7 9]+←0.5 ⋄ n[7 8 9],⎕DR n                            ⍝ → 2 1 1.5 645
n←100 100⍴0 ⋄ n[3 5;7 8]+←2 2⍴⍳4 ⋄ n[3 5 3;7 8]+←10 ⋄ n[3 4 5;7 8]   ⍝ → 21 22 ⏎  0  0 ⏎ 13 14
n←100 100⍴0 ⋄ n[3;]+←⍳100 ⋄ +/,n                                     ⍝ → 5050
n←100⍴5 ⋄ n[]+←1 ⋄ +/n                                               ⍝ → 600
⎕IO←0 ⋄ n←5000⍴0 ⋄ n[0 1 0]+←1 ⋄ 3↑n                                 ⍝ → 2 1 0
⎕IO←1 ⋄ n←5000⍴0 ⋄ k←n ⋄ n[1 2 1]+←1 ⋄ (3↑n),3↑k                     ⍝ → 2 1 0 0 0 0
n←5000⍴0 ⋄ n[1 2]+←⊂1 2 ⋄ 3↑n                                        ⍝ →  1 2  1 2  0
n←5000⍴0 ⋄ n[⍬]+←1 ⋄ +/n                                             ⍝ → 0
n←5000⍴0 ⋄ n[1 2 1]+←1 2                                             ⍝ ! LENGTH ERROR
n←5000⍴0 ⋄ n[1 5001]+←1                                              ⍝ ! INDEX ERROR
n←5000⍴0 ⋄ n[1 2 1]÷←0 0 0                                           ⍝ ! DOMAIN ERROR
n←5000⍴'a' ⋄ n[1 2]+←1                                               ⍝ ! DOMAIN ERROR
n[1 2]                                                               ⍝ → aa

⍝ A pick next to the name: only the item that it picks is numbered and written.
n←1 2 3 'abc' (4 5 (6 7)) ⋄ (4⊃n)[2]←'x' ⋄ n                         ⍝ → 1 2 3  axc  4 5  6 7
n←1 2 3 'abc' (4 5 (6 7)) ⋄ (2↑4⊃n)←'xy' ⋄ 4⊃n                       ⍝ → xyc
n←'ab' (1 2 3) ⋄ (2⊃n)[2 3]+←10 20 ⋄ 2⊃n                             ⍝ → 1 12 23
n←'ab' (1 2 3) ⋄ (2⊃n)[2 2]+←10 20 ⋄ 2⊃n                             ⍝ → 1 32 3
n←'ab' (1 (2 3)) ⋄ (2⊃2⊃n)←9 ⋄ n                                     ⍝ →  ab  1 9
n←'ab' (1 (2 3)) ⋄ (2⊃2⊃n)[1]←9 ⋄ n                                  ⍝ →  ab  1  9 3
n←'ab' (1 (2 3)) ⋄ (2 2⊃n)[1]←9 ⋄ n                                  ⍝ →  ab  1  9 3
n←(2 2⍴⍳4)'ab' ⋄ (,1⊃n)←0 ⋄ 1⊃n                                      ⍝ → 0 0 ⏎ 0 0
n←(2 2⍴⍳4)'ab' ⋄ (1 1⍉1⊃n)+←10 ⋄ 1⊃n                                 ⍝ → 11  2 ⏎  3 14
n←'ab' (1 2 3) ⋄ k←n ⋄ (2⊃n)[1]←9 ⋄ k n                              ⍝ →   ab  1 2 3    ab  9 2 3
n←'ab' (1 2 3) ⋄ (2⊃n)[1]←⊂'xyz' ⋄ 2⊃n                               ⍝ →  xyz  2 3
n←'ab' 'ab' ⋄ n[2]←n[1] ⋄ (2⊃n)[1]←'x' ⋄ n                           ⍝ →  ab  xb
n←'ab' (1 2 3) ⋄ (3⊃n)[1]←9                                          ⍝ ! INDEX ERROR
n←'ab' (1 2 3) ⋄ (2⊃n)[4]←9                                          ⍝ ! INDEX ERROR
n←'ab' (1 2 3) ⋄ (2⊃n)[1 2]←9 9 9                                    ⍝ ! LENGTH ERROR
n                                                                    ⍝ →  ab  1 2 3
{m←'ab' (1 2 3) ⋄ (2⊃m)[1]←⍵ ⋄ m}5                                   ⍝ →  ab  5 2 3
s←⎕NS'' ⋄ s.n←'ab' (1 2 3) ⋄ (2⊃s.n)[1]←5 ⋄ s.n                      ⍝ →  ab  5 2 3

⍝ Places that are computed where they are put, once they are known to be places
g←⎕F32 ((5003⍴⍳977)-0.5)÷977 ⋄ g[5]←0.25
h←256⍴0 ⋄ h[1+255⌊⌊256×g]+←1 ⋄ (+/h),h≡{+/⍵=⌊256×g}¨¯1+⍳256           ⍝ → 5003 1
p←1+255⌊⌊256×g ⋄ h[p]+←1 ⋄ (+/h),(⌈/p),+/p=1                         ⍝ → 10006 256 24
h[p]-←1 ⋄ h[p]←7 ⋄ (∪h[p]),≢∪p                                       ⍝ → 7 256
h[1+256⌊⌊258×g]+←1                                                   ⍝ ! INDEX ERROR
h[1-⌊256×g]+←1                                                       ⍝ ! INDEX ERROR
h[1+⌊g×1E300]+←1                                                     ⍝ ! DOMAIN ERROR
h[0.5+g]+←1                                                          ⍝ ! DOMAIN ERROR
h[1+⌊1÷g-g]+←1                                                       ⍝ ! DOMAIN ERROR
+/h                                                                  ⍝ → 1792
k←h ⋄ k[1+255⌊⌊256×g]+←⍳5003 ⋄ (+/k-h),+/⍳5003                       ⍝ → 12517506 12517506

⍝ ── places that are seen to differ: parts of ⍳n, by steps, in a table; and such that are not ──
m←100 100⍴0 ⋄ v←?98⍴0
m[2↓⍳100;3]←v ⋄ v≡2↓m[;3]             ⍝ → 1
w←v∘.×v ⋄ m[2↓⍳100;2↓⍳100]-←w ⋄ ((2 2↓m)≡(v×[1]1=98 98⍴⍳98)-w)(0=+/,2↑m) ⍝ → 1 1
x←300⍴0 ⋄ x[2×⍳150]←1+⍳150 ⋄ (+/0=x)(x[2 3 300]) ⍝ → 150  2 0 151
x←300⍴0 ⋄ x[0×⍳150]←⍳150              ⍝ ! INDEX ERROR
x←300⍴0 ⋄ x[1+0×⍳150]←⍳150 ⋄ x[1 2]   ⍝ → 150 0
x←300⍴0 ⋄ x[,(⍳20)∘.+⍳20]←⍳400 ⋄ x[2 3 40]  ⍝ → 1 21 400
x←300⍴0 ⋄ x[150⍴⍳75]←⍳150 ⋄ x[1 75]   ⍝ → 76 150
x←300⍴0 ⋄ i←⍳150 ⋄ x[i[150⍴1 2 3]]←⍳150 ⋄ x[⍳4]  ⍝ → 148 149 150 0
x←300⍴0 ⋄ i←2×⍳150 ⋄ x[i[⌽⍳100]]←⍳100 ⋄ x[2 200 202] ⍝ → 100 1 0
x←300⍴0 ⋄ x[,3 4⍴⌽⍳100]←⍳12 ⋄ x[100 99 89]  ⍝ → 1 2 12
x←300⍴0 ⋄ x[⍉10 10⍴⍳100]←10 10⍴⍳100 ⋄ x[1 2 11 100]  ⍝ → 1 11 2 100
x←300⍴0 ⋄ x[100 3⍴⍳100]←100 3⍴⍳300 ⋄ x[1 100]  ⍝ → 201 300
x←300⍴0 ⋄ x[0↓0⍴⍳100]←⍬ ⋄ +/x         ⍝ → 0
