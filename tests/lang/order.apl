⍝ ⍋ ⍒ and sorting by a grade: of vectors of every type, also such as kernels sort.
⎕RL←42
sort←{⍵[⍋⍵]}
down←{⍵[⍒⍵]}
⍝ equal ones keep their order; grades of both sides are permutations
stable←{i←⍋⍵ ⋄ a←¯1↓i ⋄ b←1↓i ⋄ (∧/(⍵[a]<⍵[b])∨(⍵[a]=⍵[b])∧a<b)∧∧/(⍳≢⍵)=i[⍋i]}
back←{i←⍒⍵ ⋄ a←¯1↓i ⋄ b←1↓i ⋄ (∧/(⍵[a]>⍵[b])∨(⍵[a]=⍵[b])∧a<b)∧∧/(⍳≢⍵)=i[⍋i]}
both←{(stable,back)⍵}
⍋3 1 2                         ⍝ → 2 3 1
⍒3 1 2 3                       ⍝ → 1 4 3 2
both ?1000⍴2                   ⍝ → 1 1
both 1=?1000⍴2                 ⍝ → 1 1
both ¯64+?3000⍴127             ⍝ → 1 1
both ?5000⍴30000               ⍝ → 1 1
both ¯5E8+?4097⍴1000000000     ⍝ → 1 1
both 9000000000000000000-?1025⍴1000000⍝ → 1 1
both ¯9223372036854775807+?1025⍴1000000⍝ → 1 1
both ¯0.5+?5000⍴0              ⍝ → 1 1
both ⎕F32 ¯0.5+?2500⍴0         ⍝ → 1 1
both 0.5×¯8+?2500⍴16           ⍝ → 1 1
both ⍳70000                    ⍝ → 1 1
both ⌽⍳2049                    ⍝ → 1 1
both 2048⍴7                    ⍝ → 1 1
⍝ the minus of zero does not count in the order, and stays in a sorted vector
z←3000⍴0 ¯1 0 1
z←z×¯1 1 1 0[3000⍴1 2 3 4]
both z                         ⍝ → 1 1
(⍴z)≡⍴sort z                   ⍝ → 1
∧/(sort z)=z[⍋z+0]             ⍝ → 1
x←¯0.5+?3001⍴0
∧/2≤/sort x                    ⍝ → 1
∧/2≥/down x                    ⍝ → 1
(sort x)≡⌽down x               ⍝ → 1
(+/⌊1E6×x)=+/⌊1E6×sort x       ⍝ → 1
(sort ⌊100×x)≡⌊100×sort x      ⍝ → 1
t←3000⍴'the quick brown fox'
(≢t)=≢sort t                   ⍝ → 1
5↑sort t                       ⍝ →      
¯3↑sort t                      ⍝ → xxx
⍝ behind the sort, and indices of something else
y←⍳3001
∧/2≤/x[(⍋x)]                   ⍝ → 1
(3+⍋x)≡3+⍋x+0                  ⍝ → 1
y[⍋x]≡⍋x                       ⍝ → 1
(0.5×sort x)≡sort 0.5×x        ⍝ → 1
⎕IO←0
z←(⍋x)[0] ⋄ x[z]=⌊/x           ⍝ → 1
⌊/⍋x                           ⍝ → 0
⎕IO←1
⍝ rows, lifted into one order; matrices by their columns; characters by an alphabet
⎕RL←5
m←?40 50⍴1000
h←{⍵[⍋⍵]}⍤1⊢m
(⍴h),∧/,2≤/h                   ⍝ → 40 50 1
(+/+/h)=+/+/m                  ⍝ → 1
(⍋⍤1⊢m)≡↑⍋¨↓m                  ⍝ → 1
({⍵[⍒⍵]}⍤1⊢m)≡⌽h               ⍝ → 1
f←0.5×¯400+m
({⍵[⍋⍵]}⍤1⊢f)≡0.5×¯400+h       ⍝ → 1
k←?3000 3⍴4
g←⍋k
(⍳3000)≡g[⍋g]                  ⍝ → 1
g≡⍋16⊥⍉k                       ⍝ → 1
g≡⍋'abcd'[k]                   ⍝ → 1
g≡⍋0.5×k                       ⍝ → 1
(⍒k)≡⍒16⊥⍉k                    ⍝ → 1
y←'abcdef'[?3000⍴6]
('fdab'⍋y)≡⍋'fdab'⍳y           ⍝ → 1
('fdab'⍒y)≡⍒'fdab'⍳y           ⍝ → 1
⍝ truth values: so many noughts, so many ones
b←1=?5000⍴2
({⍵[⍋⍵]}b)≡(5000-+/b)<⍳5000    ⍝ → 1
({⍵[⍒⍵]}b)≡(+/b)≥⍳5000         ⍝ → 1
⎕IO←0
({⍵[⍋⍵]}b)≡(5000-+/b)≤⍳5000    ⍝ → 1
⎕IO←1

⍝ ── few different values, which are counted: by definition, and in the order of their positions ──
i8←¯50+7|13×⍳1001
(⍋i8)≡⍋0.5×i8                                            ⍝ → 1
(⍒i8)≡⍒0.5×i8                                            ⍝ → 1
(⍋i8)≡⊃,/{⍸i8=⍵}¨¯51+⍳7                                  ⍝ → 1
(⍒i8)≡⊃,/{⍸i8=⍵}¨¯43-⍳7                                  ⍝ → 1
(⍋1=i8)≡(⍸1≠i8),⍸1=i8                                    ⍝ → 1
(⍒0=2|i8)≡(⍸0=2|i8),⍸0≠2|i8                              ⍝ → 1
'⍋banana⍋'[⍋'⍋banana⍋']                                  ⍝ → aaabnn⍋⍋
⍋5 5 5                                                   ⍝ → 1 2 3
⍋9223372036854775807 ¯9223372036854775807 0              ⍝ → 2 3 1
(⍋300000+i8)≡⍋i8                                         ⍝ → 1
⎕IO←0 ⋄ ⍋3 1 2 1 3 3                                      ⍝ → 1 3 2 0 4 5
⎕IO←1

⍝ By counting, and by a grade that is an item
⎕IO←1 ⋄ n←20011
k←¯7+97|7919×⍳n ⋄ w←k×40 ⋄ c←'grouped'[1+7|k+7] ⋄ u←'ÿωa'[1+3|k+7]
by←{⍵/⍺} ⍝ ⍺ as often as ⍵ says
(k[⍋k])≡(¯8+⍳97)by{+/k=⍵}¨¯8+⍳97       ⍝ → 1
(k[⍒k])≡⌽(¯8+⍳97)by{+/k=⍵}¨¯8+⍳97      ⍝ → 1
(w[⍋w])≡40×k[⍋k]                       ⍝ → 1
(c[⍋c])≡'degopru'by{+/c=⍵}¨'degopru'   ⍝ → 1
(c[⍒c])≡⌽c[⍋c]                         ⍝ → 1
(u[⍋u])≡'aÿω'by{+/u=⍵}¨'aÿω'           ⍝ → 1
((⊂⍋k)⌷k)≡k[⍋k]                        ⍝ → 1
((⊂⍒c)⌷c)≡c[⍒c]                        ⍝ → 1
((⊂⍋k)⌷⍳n)≡⍋k                          ⍝ → 1
((⊂⍋k)⌷k÷7)≡(k÷7)[⍋k÷7]                ⍝ → 1
((⊂⍋k)⌷c)≡c[⍋k]                        ⍝ → 1
(⎕IO←0)⊢({⍵[⍋⍵]}k)≡(⊂⍋k)⌷k             ⍝ → 1
⎕IO←1 ⋄ m←n 2⍴⍳2×n ⋄ ((⊂⍋k)⌷m)≡m[⍋k;]  ⍝ → 1
(⎕DR k)=⎕DR k[⍋k]                      ⍝ → 1
s←⊂k÷7 ⋄ (≡s)(⍴⊃s)(⊃⊃s)                ⍝ → 2  20011  7.857142857
(⊂⍋n)⌷k                                ⍝ ! RANK ERROR
(⊂k÷0)⌷k                               ⍝ ! DOMAIN ERROR
(⊂n+k)⌷k                               ⍝ ! INDEX ERROR

⍝ y[⍋y] of whole numbers sorts them without positions; those that have positions already do not.
p←65537|7919×⍳65536 ⋄ m←30000×p-9 ⋄ l←(2*46)×p-40000
(m[⍋m]≡30000×(⍳65536)-9)(m[⍒m]≡30000×⌽(⍳65536)-9)(l[⍋l]≡(2*46)×(⍳65536)-40000)(l[⍒l]≡⌽l[⍋l])   ⍝ → 1 1 1 1
{q←⍵↑m ⋄ (q[⍋q]≡q[0+⍋q])∧(q[⍒q]≡q[0+⍒q])∧q[⍋q]≡q[⍋q÷2]}¨2 31 32 33 511 512 513 4097             ⍝ → 1 1 1 1 1 1 1 1
(⍋m)≡⍋p                                ⍝ → 1
{w←70001⍴40000 ¯3 2147483647 ¯2147483648 7 ⋄ w[⍵]←1 ⋄ s←w[⍋w] ⋄ (2≤/s)∧.=1}1                      ⍝ → 1
e←600⍴¯9223372036854775808 9223372036854775807 0 ⋄ (e[⍋e]≡200/e[1 3 2])(e[⍒e]≡200/e[2 3 1])       ⍝ → 1 1
g←⍋m ⋄ m[1]←5E8 ⋄ (m[g]≡m[⍋m])(g≡⍋30000×p-9)                                                        ⍝ → 0 1
⎕IO←0 ⋄ (m[⍋m]≡m[0+⍋m])((⍋m)≡¯1+{⎕IO←1 ⋄ ⍋⍵}m) ⋄ ⎕IO←1                                            ⍝ → 1 1
⎕DR m[⍋m]                              ⍝ → 323

⍝ By counting: bytes, 16, 32 and 64 bits, truth values and characters, few and many different ones, four parts and what is left.
sizes←1 2 3 5 31 32 63 64 127 128 255 256 257 319 511 512 513 514 1023 1025 2049 2100 4099
counted←{x←⍵ ⋄ ∧/{y←⍵⍴x ⋄ z←y+0.5 ⋄ at←⍋z ⋄ to←⍒z ⋄ (at≡⍋y)∧(to≡⍒y)∧(y[⍋y]≡y[0+at])∧y[⍒y]≡y[0+to]}¨sizes}
text←{x←⍵ ⋄ ∧/{y←⍵⍴x ⋄ z←0.5+⎕UCS y ⋄ at←⍋z ⋄ to←⍒z ⋄ (at≡⍋y)∧(to≡⍒y)∧(y[⍋y]≡y[0+at])∧y[⍒y]≡y[0+to]}¨sizes}
counted ¯128+256|4099|7919×⍳4099        ⍝ → 1
counted 3|4099|7919×⍳4099               ⍝ → 1
counted 1=3|4099|7919×⍳4099             ⍝ → 1
counted 4099⍴7                          ⍝ → 1
counted ¯300+600|7919×⍳4099             ⍝ → 1
counted ¯2050+7919|⍨4099⍴4095 4096 4097 ⍝ → 1
counted ¯32768+4096|7919×⍳4099          ⍝ → 1
counted 32767-4095|7919×⍳4099           ⍝ → 1
counted ¯32768+65536|7919×⍳4099         ⍝ → 1
counted 100000+4095|7919×⍳4099          ⍝ → 1
counted 70000-300|7919×⍳4099            ⍝ → 1
counted(2*40)+300|7919×⍳4099            ⍝ → 1
counted 13↓⌽¯128+256|4112|7919×⍳4112    ⍝ → 1
text ⎕UCS 256|7919×⍳4099                ⍝ → 1
text ⎕UCS 600|7919×⍳4099                ⍝ → 1
text ⎕UCS 65400+300|7919×⍳4099          ⍝ → 1
{y←70003⍴⍵|7919×⍳4099 ⋄ (y[⍋y]≡y[⍋y+0.5])∧(⍋y)≡⍋y+0.5}¨7 300 4099 ⍝ → 1 1 1
⎕IO←0 ⋄ (counted ¯128+256|7919×⍳4099)(⍋2 1 2 0 1)(⍒2 1 2 0 1) ⋄ ⎕IO←1 ⍝ → 1  3 1 4 0 2  0 2 1 4 3

⍝ Positions of whole numbers by the digits of 32 bits at most, of all lengths of digits and types of positions
{x←¯2147483648+⍵⍴4294967295|1237×7919*2+9|⍳4999 ⋄ ((⍋x)≡⍋x÷2)∧(⍒x)≡⍒x÷2}¨31 32 33 127 128 129 511 512 513 2047 2048 4999 70003 ⍝ → 1 1 1 1 1 1 1 1 1 1 1 1 1
{x←⍵|7919×⍳40000 ⋄ ((⍋x)≡⍋x÷2)∧(⍒-x)≡⍋x}¨4097 8191 8192 8193 65536 2097152 4194305 ⍝ → 1 1 1 1 1 1 1
{x←(2*40)+(⍵-1)|7919×⍳4000 ⋄ x[7]←2*40 ⋄ x[9]←(2*40)+⍵ ⋄ ((⍋x)≡⍋x-2*39.5)∧(⍒x)≡⍒x-2*39.5}¨(2*32)-1 0 ¯1 ⍝ → 1 1 1
⎕IO←0 ⋄ {x←100000|7919×⍳⍵ ⋄ ((⍋x)≡⍋x÷2)∧(⌈/⍋x)=⍵-1}¨127 128 129 32768 32769 ⋄ ⎕IO←1 ⍝ → 1 1 1 1 1

⍝ y[⍋y] of floats sorts keys: of all exponents, far and close ones together, runs of many that their highest bits do not tell apart, zeros below 0.
⎕CT←0
floats←{p←⍵|7919×⍳⍵ ⋄ (p÷7)(p×p÷2*60)((p-⍵÷2)×10*300|p)(1+p×2*¯52)((1+p×2*¯52)×1 1E9 ¯1[1+3|⍳⍵])(⍵⍴0.5)(¯1E300,1↓1+(3|p)×2*¯52)(1E300×p-⍵÷3)(¯0×p)}
{∧/{(⍵[⍋⍵]≡⍵[0+⍋⍵])∧⍵[⍒⍵]≡⍵[0+⍒⍵]}¨floats ⍵}¨2 31 32 33 512 513 600 2047 2048 5003 70001 ⍝ → 1 1 1 1 1 1 1 1 1 1 1
{x←⎕F32 ⍵⍴0.1×17|⍳99 ⋄ x[⍋x]≡x[0+⍋x]}¨513 5000 ⍝ → 1 1
{x←(÷⍳⍵),0 ¯5 1E300 ¯1E300 ⋄ (x[⍋x]≡¯1E300 ¯5 0,(⌽÷⍳⍵),1E300)∧x[⍒x]≡⌽x[⍋x]}¨1000 100003 ⍝ → 1 1
⎕CT←1E¯14

⍝ Numbers that their highest bits tell apart, or do not: close ones beside far ones, few values, all kinds of exponents.
⎕CT←0
sets←{p←⍵|7919×⍳⍵ ⋄ (1+p×2*¯52)(1E300,1↓1+p×2*¯52)((p×p)÷2*60)(¯0.25×p-⌊⍵÷2)(0.1×3|p)(2*0.01×p-⍵÷3)((p×2*30)-2*45)(⌊p÷3)}
{∧/∧/¨both¨sets ⍵}¨1 2 31 32 33 8191 8192 8193    ⍝ → 1 1 1 1 1 1 1 1
{x←1+(⍵|7919×⍳⍵)×2*¯52 ⋄ (x[⍋x]≡1+(¯1+⍳⍵)×2*¯52)∧x[⍒x]≡1+(⍵-⍳⍵)×2*¯52}¨7 33 8191 65537    ⍝ → 1 1 1 1
⎕CT←1E¯14
{x←(1+1E¯15×2|⍳⍵)×⍵|7919×⍳⍵ ⋄ ((∪x,x)≡x)∧(x⍳⌽x)≡⌽⍳⍵}¨7 33 8191    ⍝ → 1 1 1
∊{x←,⍉(3 5×1+3E¯15)∘.×⍵⍴1 ⋄ y←3 5 3.1 ⋄ (≢∪x),(x⍳y),∨/x∊y}¨7 5000    ⍝ → 2 1 2 15 1 2 1 2 10001 1

⍝ An error of what is ordered by its rows
(⍒!)31 1⍴(⎕F32 1.25 ¯8 0)                 ⍝ ! DOMAIN ERROR
(⍋÷)200 2⍴⍳7 ⋄ (⍋÷)200 2⍴0 1 2            ⍝ ! DOMAIN ERROR

⍝ rows and items by the radix of their first elements, the rest by comparison
⎕IO←1 ⋄ ⎕RL←11 ⋄ m←1000 4⍴¯1+?4000⍴100 ⋄ p←⍋100⊥⍉m ⋄ q←⍒100⊥⍉m
as←{(p≡⍋⍵)∧(q≡⍒⍵)∧(p≡⍋↓⍵)∧q≡⍒↓⍵}
as¨m(m-50)(300×m)(100000×m)(m×2*33)(m-2*60)(m÷2)(⎕F32 m÷2)(⎕UCS 40+m)(⎕UCS 1000+m)(⎕UCS 65500+m)(0J1+m) ⍝ → 1 1 1 1 1 1 1 1 1 1 1 1
as¨((1000 70⍴9),m)((1000 70⍴⎕UCS 1000),⎕UCS 40+m)(m,1000 70⍴9) ⍝ → 1 1 1
b←1=2|m,m ⋄ ((⍋b)≡⍋2⊥⍉b)∧(⍒↓b)≡⍒2⊥⍉b          ⍝ → 1
{w←(¯1+?200⍴7)↑¨⊂⍵ ⋄ ((⍋w)≡⍋≢¨w)∧(⍒w)≡⍒≢¨w}¨(⍳6)(6⍴0)(6⍴1 0)(⍳6)('abcdef')('⍋⍋⍒⍒⍋⍋')(⎕UCS 70000+⍳6)(6⍴2*50) ⍝ → 1 1 1 1 1 1 1 1
w←(?300⍴9)↑¨⊂9 ¯9223372036854775807 9223372036854775807 1 2 3 4 5 6 ⋄ (⍋w)≡⍋≢¨w ⍝ → 1
⍋(3 1)(2 2⍴3)(,3)3(3 1 0)⍬'a'(3 1)(⊂3 1)''(3 0) ⍝ → 6 10 4 3 11 1 8 5 2 9 7
odd←(645⎕DR(64⍴1),((56⍴0),1,7⍴0),64⍴0),1.5 ¯2.5 1E308 ¯1E308 0.125 ¯0.125 5E¯324 ¯5E¯324 ⍝ NaN, -0, 0 and others
y←odd[?3000 2⍴≢odd] ⋄ z←y[⍋y;] ⋄ (z≡z[⍋z;])∧((⍋z)≡⍳3000)∧(⍋y)≡⍋↓y ⍝ → 1
f←(?2000⍴7)÷8 ⋄ g←?2000⍴0 ⋄ ((⍋f,⍪g)≡(⍋g)[⍋f[⍋g]])∧(⍒↓f,⍪g)≡⌽⍋f,⍪g ⍝ → 1
w←(¯1+?300⍴6)↑¨⊂¯1.5 2 0 1E300 ¯7 ⋄ (⍋w)≡⍋≢¨w        ⍝ → 1
⍋(1 2)(1.5 0)(0.5 9)⍬(1E10 3)(1 1)(,1)(1.5 ¯1)(¯3 4)(,0.5) ⍝ → 4 9 10 3 7 6 1 8 2 5
⍝ threads share long ones (with share=64 those of 600, too): stable, up and down, and the values alone
⎕CT←0
stable←{i←⍋⍵ ⋄ j←⍒⍵ ⋄ (∧/(2</⍵[i])∨(2</i)∧2=/⍵[i])∧(∧/(2>/⍵[j])∨(2</j)∧2=/⍵[j])∧(⍵[i]≡{⍵[⍋⍵]}⍵)∧⍵[j]≡{⍵[⍒⍵]}⍵}
stable¨{(?⍵⍴2*30)(¯5+?⍵⍴2*50)(?⍵⍴0)(0.5×?⍵⍴1000)(1000000×?⍵⍴40)((2*40)×3-?⍵⍴5)(100÷?⍵⍴0)(⎕F32?⍵⍴0)(⍳⍵)(⌽⍳⍵)(⍵⍴7)}2049 ⍝ → 1 1 1 1 1 1 1 1 1 1 1
⍝ of a small range, too, which are counted in pieces
chars←{i←⍋⍵ ⋄ (∧/(2≤/⎕UCS ⍵[i])∧(2</i)∨2≠/⎕UCS ⍵[i])∧(⍵[i]≡{⍵[⍋⍵]}⍵)∧(⍒⍵)≡⍋-⎕UCS ⍵}
stable¨{(?⍵⍴7)(¯100+?⍵⍴200)(?⍵⍴300)(30000-?⍵⍴40)(1000000000+?⍵⍴9)((2*40)-?⍵⍴90)(⍵⍴3 1)}2049 ⍝ → 1 1 1 1 1 1 1
{∧/stable¨?⍵⍴¨5 50}¨255 256 257 1023 16384 16385      ⍝ → 1 1 1 1 1 1
chars¨{('hello there'[?⍵⍴11])(⎕UCS 1000+?⍵⍴90)(⎕UCS 100000+?⍵⍴5)}4099 ⍝ → 1 1 1
stable ¯5+?100003⍴3000                                ⍝ → 1
k←'abc'[?4001⍴3] ⋄ v←?4001⍴0 ⋄ (∊k{⊂⍵}⌸v)≡∊{⊂(k=⍵)/v}¨∪k ⍝ → 1
⍝ truth values: the places of the one kind, then those of the other
truths←{i←⍋⍵ ⋄ j←⍒⍵ ⋄ (i≡((~⍵)/⍳≢⍵),⍵/⍳≢⍵)∧(j≡(⍵/⍳≢⍵),(~⍵)/⍳≢⍵)∧(⍵[i]≡{⍵[⍋⍵]}⍵)∧(⍵[j]≡{⍵[⍒⍵]}⍵)∧(⍸⍵)≡⍵/⍳≢⍵}
∧/{truths 2|?⍵⍴1000}¨2 3 63 64 65 127 128 129 255 1000 4095 4096 4097 8193 30011 ⍝ → 1
truths¨(300⍴0)(9000⍴1)(9000↑1)(¯9000↑1)(100000⍴0 0 1) ⍝ → 1 1 1 1 1
⎕IO←0 ⋄ (⍸9001⍴0 1)≡1+2×⍳4500                         ⍝ → 1
⎕IO←1
⎕CT←1E¯14

⍝ Few: by counting how many are less.
stable←{i←⍋⍵ ⋄ j←⍒⍵ ⋄ s←⍵[i] ⋄ t←⍵[j] ⋄ (∧/(⍳≢i)∊i)∧(∧/(2</s)∨(2=/s)∧2</i)∧(∧/(⍳≢j)∊j)∧∧/(2>/t)∨(2=/t)∧2</j}
∧/{stable(⍵⍴3 1 4 1 5 9 2 6)-5}¨3 4 5 39 40 41 64 127 128 129   ⍝ → 1
∧/{stable 0.5×7|⍵⍴3 1 4 1 5 9 2 6 5 3 5}¨3 8 40 41 128 129      ⍝ → 1
∧/{stable ⍵⍴3E9 ¯3E9 7 0 1E12 7 ¯1E12}¨3 8 40 41 127 128 129    ⍝ → 1
⎕IO←0 ⋄ (⍋2 1),(⍋3 1 2),(⍒128⍴1)[127],⍋,5                       ⍝ → 1 0 1 2 0 127 0
⎕IO←1

⍝ Complex numbers, by their real parts and then the imaginary ones; a negative zero is a zero
⍋2J1 1J3 1J¯3 2 1J3 2J¯1 0J1 1 2J1 ¯1J9 0J1        ⍝ → 10 7 11 3 8 2 5 6 4 1 9
⍒2J1 1J3 1J¯3 2 1J3 2J¯1 0J1 1 2J1 ¯1J9 0J1        ⍝ → 1 9 4 6 2 5 8 3 7 11 10
z←(999⍴3 1 2)+0J1×999⍴5 4 3 2 ⋄ (z[⍋z]≡⌽z[⍒z]) ∧ z[⍋z]≡z[⍋(9○z),[1.5]11○z]  ⍝ → 1
⍋4 2⍴1J1 2 1J1 1 0 3J1 1J1 1J5                     ⍝ → 3 2 4 1
