⍝ SPDX-License-Identifier: MIT
⍝ Sets of long arrays. What is expected compares all with all.

n←1009
where←{1+(≢⍺)-+/∨\⍵∘.=⍺}        ⍝ ⍺⍳⍵
is←{∨/⍺∘.=⍵}                    ⍝ ⍺∊⍵
new←{(⍳≢⍵)=1+(≢⍵)-+/∨\⍵∘.=⍵}
all←{(x y)←⍺ ⍵ ⋄ r←(x⍳y)≡x where y ⋄ r,←(x∊y)≡x is y ⋄ r,←(≠x)≡new x ⋄ r,←(∪x)≡(new x)/x ⋄ r,←(x~y)≡(~x is y)/x ⋄ r,←(x∩y)≡(x is y)/x ⋄ r,←(x∪y)≡x,(~y is x)/y ⋄ ∧/r}
a←300|×⍨⍳n
b←¯5+97|7×⍳n
a all b                         ⍝ → 1
b all a                         ⍝ → 1
a all a                         ⍝ → 1
a all 100×b                     ⍝ → 1
(b>3)all b>50                   ⍝ → 1
(b>3)all b                      ⍝ → 1
b all b>50                      ⍝ → 1
(a+100000)all b+100100          ⍝ → 1
(a-2*40)all a-(2*40)+3          ⍝ → 1
(n⍴'hello world')all n⍴'low'    ⍝ → 1
(n⍴'⍳⍴x')all n⍴'xyz⍴'           ⍝ → 1
(1000×a)all 1000×b              ⍝ → 1
(a×2*33)all b×2*33              ⍝ → 1
(¯9223372036854775807+a)all b   ⍝ → 1
(a,¯9223372036854775808)all b,9223372036854775807 9223372036854775806 ⍝ → 1
(a÷7)all b÷7                    ⍝ → 1
(÷1+a)all ÷6+b                  ⍝ → 1
(a+0.5)all b                    ⍝ → 1
(a×1.5)all b                    ⍝ → 1
b all a×0.5                     ⍝ → 1
((a×0.5),0 ¯0 1e300)all b       ⍝ → 1
(⎕F32 a÷7)all ⎕F32 b÷7          ⍝ → 1
(⍳n)all ⌽⍳n                     ⍝ → 1
⍝ tables: bytes, 16, 32 and 64 bits, ranges of 511 to 513 numbers, ends of types, characters
sizes←1 4 5 7 8 9 63 64 65 127 256 257 511 512 513 1024 1025
each←{x←⍺ ⋄ y←⍵ ⋄ ∧/{(⍵⍴x)all ⍵⍴y}¨sizes}
(¯128+256|7×⍳2000)each ¯128+200|3×⍳2000 ⍝ → 1
(¯128+256|7×⍳2000)each ¯20 100 0 1 2 3 ⍝ → 1
(¯300+600|7×⍳2000)each ¯128+200|3×⍳2000 ⍝ → 1
(¯300+600|7×⍳2000)each ¯255+511|3×⍳2000 ⍝ → 1
(¯300+600|7×⍳2000)each ¯255+512|3×⍳2000 ⍝ → 1
(¯300+600|7×⍳2000)each ¯255+513|3×⍳2000 ⍝ → 1
(¯300+600|7×⍳2000)each 40000+513|3×⍳2000 ⍝ → 1
(40000-600|7×⍳2000)each 32767-511|3×⍳2000 ⍝ → 1
(32767-600|7×⍳2000)each 32767-9|3×⍳2000 ⍝ → 1
(¯32768+600|7×⍳2000)each ¯32768+9|3×⍳2000 ⍝ → 1
(2147483647-600|7×⍳2000)each 2147483647-9|3×⍳2000 ⍝ → 1
(2147483647-600|7×⍳2000)each ¯2147483648+509|3×⍳2000 ⍝ → 1
((2*40)+600|7×⍳2000)each(2*40)+509|3×⍳2000 ⍝ → 1
(600|7×⍳2000)each(2*40)+509|3×⍳2000 ⍝ → 1
((2*40)+600|7×⍳2000)each 509|3×⍳2000 ⍝ → 1
(2=3|⍳2000)each 2|7×⍳2000       ⍝ → 1
(2=3|⍳2000)each 5|7×⍳2000       ⍝ → 1
(⎕UCS 256|7×⍳2000)each⎕UCS 100+150|3×⍳2000 ⍝ → 1
(⎕UCS 256|7×⍳2000)each⎕UCS 100+512|3×⍳2000 ⍝ → 1
(⎕UCS 600|7×⍳2000)each⎕UCS 100+512|3×⍳2000 ⍝ → 1
(⎕UCS 65000+600|7×⍳2000)each⎕UCS 65100+512|3×⍳2000 ⍝ → 1
(13↓¯128+256|7×⍳2000)each 5↓⌽200|3×⍳2000 ⍝ → 1
(⍳5)⍳3+⍳6                       ⍝ → 4 5 6 6 6 6
⎕IO←0
((,5)⍳5 6 5 5 7),(5 6⍳5 6 5 5 7),≠5 6 5 7 7 6 ⍝ → 0 1 0 0 1 0 1 0 0 2 1 1 0 1 0 0
⎕IO←1
⍝ one equals another within ⎕CT, and that a third: the definition, from the front
c←n⍴1,(1+6e¯15),1+12e¯15
(≢∪c),≢c                        ⍝ → 2 1009
≠c[⍳5]                          ⍝ → 1 0 1 0 0
c⍳1+12e¯15                      ⍝ → 2
(c⍳n⍴1+12e¯15)≡n⍴2              ⍝ → 1
(c∊n⍴1+18e¯15)≡n⍴0 0 1          ⍝ → 1
d←a+(7=9|⍳n)×a×5e¯15
d all a                         ⍝ → 1
a all d                         ⍝ → 1
⎕CT←0
d all a                         ⍝ → 1
⎕CT←1e¯14
⍝ close ones, near the ends of stretches of 16384 keys and across them; many and few; wide integers, too
s←1+(2*¯52)×128×⍳n ⋄ s all s    ⍝ → 1
s←1+(2*¯52)×1009|7919×⍳n ⋄ (≠s)≡≠1×s ⍝ → 1
s←1+(2*¯52)×,(16384×⍳500)∘.+20 ¯20 ⋄ s all ⌽s ⍝ → 1
s←s,1+(2*¯52)×,(16384×⍳500)∘.+20 ¯80 ⋄ s←s[1501|7919×⍳1500] ⋄ s all ⌽s ⍝ → 1
s←-s ⋄ (s all ⌽s),(≢∪s,-s)=2×+/new s ⍝ → 1 1
s←(÷7)×1009|7919×⍳n ⋄ {(⍵⍴s)all ⍵⍴⌽s}¨1 7 8 9 511 512 513 ⍝ → 1 1 1 1 1 1 1
s←(n⍴0 ¯0),(n⍴1E300 ¯1E300),(1E¯320×⍳9),⍳9 ⋄ s all s ⍝ → 1
⎕CT←2*¯32
s←1+(2*¯34)×n|7×⍳n ⋄ (≢∪s)(≠s)≡(≢∪s)(≠s) ⍝ → 1
s←1+(2*¯30)×n|7×⍳n ⋄ s all s    ⍝ → 1
s←(1+(2*¯35)×1=2|⍳n)×⌈0.5×⍳n ⋄ (s all s),≢∪s ⍝ → 1 505
⎕CT←0
s←1+(2*¯52)×n|7×⍳n ⋄ (s all s),≢∪s,s ⍝ → 1 1009
⎕CT←1e¯14
s←¯9223372036854775808+(2*40)×n|7×⍳n ⋄ (s all ⌽s),≢∪s,s ⍝ → 1 1009
s←(1E9×2|⍳n)-7919×n|7×⍳n ⋄ s all ⌽s ⍝ → 1
(≢∪⎕F32 s÷3)=≢∪s                ⍝ → 1
⍝ many numbers within ⎕CT of one another: what is new is so from the front
greedy←{r←⍬ ⋄ {∨/⍵=r:0 ⋄ r,←⍵ ⋄ 1}¨⍵} ⋄ ⎕RL←7
{s←1+⍵×?300⍴300 ⋄ (≠s)≡greedy s}¨1E¯16 1E¯15 5E¯15 1E¯14 3E¯14 1E¯12     ⍝ → 1 1 1 1 1 1
{s←⌽1+⍵×⍳500 ⋄ (≠s)≡greedy s}¨1E¯16 1E¯15 5E¯15 1E¯14                    ⍝ → 1 1 1 1
{s←0,(⍵×1+1E¯15×?300⍴300),(-⍵)×1-1E¯15×?300⍴300 ⋄ (≠s)≡greedy s}¨1 2 0.5 1E300 ⍝ → 1 1 1 1
{s←1+2E¯15×⍵⍴⍳40 ⋄ (≠s)≡greedy s}¨8 9 63 64 65 511 512 513               ⍝ → 1 1 1 1 1 1 1 1
⍝ items and rows that hold floats, by their places on a line, beside the definition
at←{⊃¨⍸¨↓(⍵∘.≡⍺),1} ⋄ greedy←{r←⍬ ⋄ {c←⊂⍵ ⋄ ∨/c≡¨r:0 ⋄ r,←c ⋄ 1}¨⍵} ⋄ noise←{⍵×1+⍺×¯1+2×?(⍴⍵)⍴0}
chk←{(x y)←⍺ ⍵ ⋄ ∧/((x⍳y)≡x at y)((≠x)≡greedy x)((∪x)≡(greedy x)/x)((x∊y)≡(≢y)≥y at x)}
p←↓1E¯14 noise 60 2⍴(?20⍴0)[?120⍴20] ⋄ q←p[?60⍴60],↓5E¯15 noise 30 2⍴?20⍴0 ⋄ p chk q      ⍝ → 1
p←↓3E¯15 noise 100 3⍴1E300 1E¯300 ¯7 ⋄ p chk↓8E¯15 noise 50 3⍴1E300 1E¯300 ¯7                ⍝ → 1
p←(1 2)(1.0 2)(1 2.5)(0 0)(¯0.0 0)(3 4)(1 2 3)(,1)(1,2)('ab')('a' 1)('a' 1.0)(2⍴1.5)(1 2⍴1.5) ⋄ p chk p,(1+1E¯15 0)(1 2+1E¯14)(1E¯15 0) ⍝ → 1
z←(⌊/⍬)(⌈/⍬) ⋄ p←(1.5 z)(1.5 z)(z z)(1 z)(,⊂z)(0.5)(⌽z)((⌽z)0.5) ⋄ p chk p,⊂1.5(⌽z)         ⍝ → 1
p←{(⍵ 'x')(1 2 3 ⍵)}¨1E¯14 noise 80⍴?5⍴0 ⋄ p chk⌽p                                          ⍝ → 1
p←↓1E¯14 noise 80 2⍴((?6⍴0)+0J1×?6⍴0)[?160⍴6] ⋄ p chk⌽p                                     ⍝ → 1
p←(1J1E¯16 2)(1 2)(1J1E¯13 2)(1 2J1E¯15)(1J1 2)(1J1.00000000000001 2)(0J1 0)(1E¯16J1 0)(0J1 1) ⋄ p chk p ⍝ → 1
p←{⍵ 1}¨1E200J1 1E200 1E200J1E190 1E308J1E308 1E308J1.00000000000001E308 ¯1 1 0 1E¯310J1E¯320 1E¯310 ⋄ p chk p ⍝ → 1
∊{m←⍵ ⋄ n←m[?50⍴90;] ⋄ ((m⍳n)≡(↓m)at↓n)((≠m)≡greedy↓m)((∪m)≡(greedy↓m)⌿m)}¨(1E¯14 noise 90 3⍴?12⍴0)(1+1E¯14×?90 2⍴20)((1E¯14 noise 90 2⍴?12⍴0)+0J1×1E¯14 noise 90 2⍴?12⍴0) ⍝ → 1 1 1 1 1 1 1 1 1
x←↓20000 2⍴(⍳40000)÷7 ⋄ (≢∪x),(x⍳⌽x)≡⌽⍳20000                                                ⍝ → 20000 1
⍝ items that are the same again and again inside are not walked through again and again
x←{⍵ ⍵}⍣60⊢1 ⋄ y←{⍵ ⍵}⍣60⊢2 ⋄ ((6⍴x y)⍳12⍴y x),≢∪8⍴x y x       ⍝ → 2 1 2 1 2 1 2 1 2 1 2 1 2
⍝ other shapes, none and few
(a⍳20 50⍴b)≡20 50⍴a where 1000↑b ⍝ → 1
((20 50⍴a)∊30 30⍴b)≡20 50⍴(1000⍴a)is 900⍴b ⍝ → 1
(2 3∊a),(a∊2 3)≡∨⌿2 3∘.=a       ⍝ → 0 0 1
(a⍳1e4 1e5),a⍳,5                ⍝ → 1010 1010 1010
(a⍳'xy'),(n⍴'abc')⍳1 2          ⍝ → 1010 1010 1010 1010
a≡a~'x'                         ⍝ → 1
a∪2 3⍴⍳6                        ⍝ ! RANK ERROR
(20 50⍴a)~b                     ⍝ ! RANK ERROR
(20 50⍴a)⍳b                     ⍝ ! LENGTH ERROR
≢∪20 50⍴1000⍴a                  ⍝ → 3
(⍳0)≡(⍳0)~a                     ⍝ → 1
(⍴a∩⍳0),⍴(⍳0)∪∪a                ⍝ → 0 44
⍝ counts and folds of keys
({≢⍵}⌸b)≡+/(∪b)∘.=b             ⍝ → 1
({≢⍵}⌸a÷7)≡+/(∪a)∘.=a           ⍝ → 1
({⍺,≢⍵}⌸b)≡(∪b),[1.5]+/(∪b)∘.=b ⍝ → 1
(b{+/⍵}⌸a)≡((∪b)∘.=b)+.×a       ⍝ → 1
(b{⌈/⍵}⌸a)≡⌈/((∪b)∘.=b)×⍤1⊢a    ⍝ → 1
(b{⍺,⌊/⍵}⌸-a)≡(∪b),[1.5]-⌈/((∪b)∘.=b)×⍤1⊢a ⍝ → 1
((n⍴'hello'){+/⍵}⌸a)≡+/¨((n⍴'hello')∘=¨'helo')/¨⊂a ⍝ → 1
(b{+/⍵}⌸÷1+a)≡+/¨(↓(∪b)∘.=b)/¨⊂÷1+a ⍝ → 1
(b{(+/⍵)÷≢⍵}⌸a)≡(((∪b)∘.=b)+.×a)÷+/(∪b)∘.=b ⍝ → 1
b{+/⍵}⌸⍳7                       ⍝ ! LENGTH ERROR
⎕IO←0
({≢⍵}⌸b)≡+/(∪b)∘.=b             ⍝ → 1
(b{+/⍵}⌸a)≡((∪b)∘.=b)+.×a       ⍝ → 1
(a⍳⍳5)≡¯1+{⎕IO←1 ⋄ ⍵}a where ⍳5  ⍝ → 1
⎕IO←1
⍝ cells and numbers that are close together, by the definition: the first that matches, and whether none that is kept does
good←{x←⊂⍤¯1⊢⍺ ⋄ k←≠⍺ ⋄ e←(x∘.≡x)∧(⍳≢x)∘.>⍳≢x ⋄ (k≡~e∨.∧k)∧((∪⍺)≡k⌿⍺)∧(,⍺⍳⍵)≡1++⌿~∨⍀x∘.≡⊂⍤¯1⊢⍵}
⎕RL←7 ⋄ n←60
close←{⍵×1+3e¯15×?(⍴⍵)⍴12} ⋄ closez←{⍵×(1+3e¯15×?(⍴⍵)⍴9)+0J1×3e¯15×?(⍴⍵)⍴9}
(close n⍴1 2)good close n⍴1 2 3          ⍝ → 1
(closez n⍴1J2)good closez n⍴1J2          ⍝ → 1
(closez n⍴1 0J¯1)good closez n⍴1 0J¯1    ⍝ → 1
(closez 1e308×n⍴1J1)good closez 1e308×n⍴1J1   ⍝ → 1
(closez 1e¯308×n⍴1J1)good closez 1e¯308×n⍴1J1 ⍝ → 1
(closez 1e¯312×n⍴1J1)good closez 1e¯312×n⍴1J1 ⍝ → 1
((n⍴1 2)+0J1e¯15×?n⍴12)good(n⍴1 2)+0J1e¯15×?n⍴12 ⍝ → 1
(close(n,3)⍴1 2 3 4)good close(n,3)⍴1 2 3 4 ⍝ → 1
(closez(n,2)⍴1J1 2J¯1)good(n,2)⍴1J1 2 1  ⍝ → 1
(?(n,2)⍴9)good close?(n,2)⍴9             ⍝ → 1
(?(n,2,2)⍴2)good close?(n,2,2)⍴2         ⍝ → 1
(1=?(n,7)⍴2)good 1=?(n,7)⍴2              ⍝ → 1
(⎕UCS 64+?(n,20)⍴1+n>?(n,20)⍴n+2)good ⎕UCS 64+(n,20)⍴1 2  ⍝ → 1
(?(n,3)⍴2)good 4000000000000000×?(n,3)⍴2 ⍝ → 1
(4000000000000000×?(n,3)⍴2)good 4000000000000000×?(n,3)⍴3 ⍝ → 1
,((3 20⍴⍳60)⍳2 3 20⍴⍳60),(2 3⍴⍳6)⍳4 5 6  ⍝ → 1 2 3 2 1 2 3 2
(1=?(n,70)⍴2)good(⊢⍪⊖)1=?(n,70)⍴2        ⍝ → 1
(⎕UCS 64+?(n,2)⍴9)good ⎕UCS 64+?(n,2)⍴9  ⍝ → 1
(⎕UCS 64+?(n,9)⍴2)good ⎕UCS 500+?(n,9)⍴2 ⍝ → 1
(↓⎕UCS 64+?(n,9)⍴2)good↓⎕UCS 64+?(n,9)⍴2 ⍝ → 1
(↓close(n,2)⍴1 2 3)good↓(n,2)⍴1 2 3      ⍝ → 1
(↓closez(n,2)⍴1 2 3)good↓close(n,2)⍴1 2 3 ⍝ → 1
(n⍴'a',close 60⍴1 2)good n⍴'b',close 60⍴1 2 ⍝ → 1
((⊂'ab'),¨?n⍴9)good(⊂'ab'),¨close?n⍴9    ⍝ → 1
(⊂¨⊂¨↓?(n,2)⍴4)good⊂¨⊂¨↓close?(n,2)⍴4   ⍝ → 1
⍝ many rows of which each equals the first, but which differ: no comparison for each two
≢∪1+1e¯15×?20000 8⍴10                    ⍝ → 1
⎕CT←2*¯32
(1+1e¯10×?n⍴9)good 1+1e¯10×?n⍴9          ⍝ → 1
((1+1e¯10×?n⍴9)+0J1×1+1e¯10×?n⍴9)good(1+1e¯10×?n⍴9)+0J1×1+1e¯10×?n⍴9 ⍝ → 1
⎕CT←0
(closez n⍴1J2)good closez n⍴1J2          ⍝ → 1
⎕CT←1e¯14

⍝ ── few different numbers and characters, in the order in which they come ──
k←?3000⍴4000 ⋄ (∪k)≡k/⍨(⍳≢k)=k⍳k                        ⍝ → 1
({≢⍵}⌸k)≡+/(∪k)∘.=k                                     ⍝ → 1
c←⎕UCS 97+?2000⍴5000 ⋄ (∪c)≡c/⍨(⍳≢c)=c⍳c                ⍝ → 1
(∪5000⍴7)≡,7                                            ⍝ → 1
(∪1000⍴¯7 8)≡¯7 8                                       ⍝ → 1
