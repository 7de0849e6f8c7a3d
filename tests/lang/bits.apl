⍝ SPDX-License-Identifier: MIT
⍝ Truth values by words: selections, positions, folds, scans and reversals beside what indexing and
⍝ numbers say, at the lengths where words, vectors and kernels begin and end.
l←0 1 2 7 8 9 31 32 33 63 64 65 66 127 128 129 130 191 192 193 255 256 257 511 512 513 575 577 1023 1024 1025 4095 4096 4097 4100 9001
⎕RL←7 ⋄ r←?9001⍴0
b←{⍵↑r<0.4} ⋄ s←{⍵↑r<0.01} ⋄ d←{⍵↑r<0.98} ⋄ z←{⍵⍴0} ⋄ o←{⍵⍴1}
q←{(0.5×+/2×⍵)↑⍒⍵}                        ⍝ where ones are

⍝ selections of elements of every type, and of cells
y←⍳9001 ⋄ w←(2|y)(100|y)(3000|y)(70000×y)(y×2*33)(÷y)(⎕F32 y÷7)('selection'[1+9|y])('s⍋l'[1+3|y])(⎕UCS 70000+5|y)(y×0J1)
t←{n←⍵ ⋄ m←⍺⍺ n ⋄ i←q m ⋄ ∧/{(m/n↑⍵)≡(n↑⍵)[i]}¨w}
∧/b t¨l                                   ⍝ → 1
∧/s t¨l                                   ⍝ → 1
∧/d t¨l                                   ⍝ → 1
∧/z t¨l                                   ⍝ → 1
∧/o t¨l                                   ⍝ → 1
∧/{m←b ⍵ ⋄ v←(3,⍵)⍴⍳3×⍵ ⋄ (m/v)≡v[;q m]}¨l ⍝ → 1
∧/{m←b ⍵ ⋄ v←(⍵,3)⍴⍳3×⍵ ⋄ (m⌿v)≡v[q m;]}¨l ⍝ → 1
m←b 8998 ⋄ (m/3↓y)≡(3↓y)[q m]             ⍝ → 1
m←b 9001 ⋄ (m/⌽y)≡(⌽y)[q m]               ⍝ → 1
(9001⍴1 0)/9000⍴2                         ⍝ ! LENGTH ERROR

⍝ copies: runs up to the end of the result, shorter and longer than vectors
u←{k←⍵ ⋄ n←≢k ⋄ i←(+/k)⍴0 ⋄ i[1+0,+\¯1↓k]←1 ⋄ ∧/{(k/n↑⍵)≡(n↑⍵)[+\i]}¨w} ⍝ k without zeros
∧/{u 1+⍵⍴⍳19}¨1↓l                         ⍝ → 1
∧/{u 1+⍵⍴0 0 0 200}¨1↓l                   ⍝ → 1
∧/{u ⌽1+⍵⍴70 64 63 65 1 0}¨1↓l            ⍝ → 1
∧/{k←⍵⍴0 3 0 0 17 1 0 ⋄ (k/⍳⍵)≡((0<k)/k)/(0<k)/⍳⍵}¨l ⍝ → 1
(5000 0 4097/7 8 9)≡(5000⍴7),4097⍴9       ⍝ → 1
((3000⍴2)/y)≡2/3000↑y                     ⍝ ! LENGTH ERROR
(3/300↑y)≡,⍉3 300⍴300↑y                   ⍝ → 1
(3/2 300⍴y)≡2 900⍴,⍉3 600⍴600↑y           ⍝ → 1
(1 2 0 3/5)≡6⍴5                           ⍝ → 1
(1 2 0 3/,5.5)≡6⍴5.5                      ⍝ → 1
(1 2 ¯2 3/4 5 6 7)                        ⍝ → 4 5 5 0 0 7 7 7
(1 2 1 3\4 5 6 7)                         ⍝ → 4 5 5 6 7 7 7
(0⍴0)/⍬                                   ⍝ →
(2*62 62 62)/1 2 3                        ⍝ ! LIMIT ERROR
(600⍴2*55)/⍳600                           ⍝ ! LIMIT ERROR
(1 0.5)/1 2                               ⍝ ! DOMAIN ERROR

⍝ positions
∧/{(⍸b ⍵)≡q b ⍵}¨l                        ⍝ → 1
∧/{(⍸s ⍵)≡q s ⍵}¨l                        ⍝ → 1
∧/{(⍸o ⍵)≡⍳⍵}¨l                           ⍝ → 1
∧/{⍬≡⍸z ⍵}¨l                              ⍝ → 1
∧/{⎕IO←0 ⋄ (⍸b ⍵)≡(b ⍵)/⍳⍵}¨l             ⍝ → 1
∧/{m←⍵⍴r<0.4 ⋄ (⍸m)≡m/⍳⍵}¨32766 32767 32768 70001 ⍝ → 1
∧/{k←⍵⍴0 3 1 0 17 ⋄ (⍸k)≡k/⍳⍵}¨l          ⍝ → 1
⍸1 0 ¯1                                   ⍝ ! DOMAIN ERROR
⍸2*62 62                                  ⍝ ! LIMIT ERROR

⍝ folds and scans
∧/{(+/b ⍵)=0.5×+/2×b ⍵}¨l                 ⍝ → 1
∧/{(∨/s ⍵)=0<+/2×s ⍵}¨l                   ⍝ → 1
∧/{(∧/d ⍵)=⍵=0.5×+/2×d ⍵}¨l               ⍝ → 1
∧/{((∨/z ⍵)(∧/o ⍵)(⌈/z ⍵)(⌊/o ⍵))≡0 1 0 1}¨1↓l ⍝ → 1
∧/{v←z ⍵ ⋄ v[?⍵]←1 ⋄ ∨/v}¨1↓l             ⍝ → 1
∧/{v←o ⍵ ⋄ v[?⍵]←0 ⋄ ~∧/v}¨1↓l            ⍝ → 1
∧/{(+\b ⍵)≡0.5×+\2×b ⍵}¨l                 ⍝ → 1
∧/{(+\s ⍵)≡0.5×+\2×s ⍵}¨l                 ⍝ → 1
∧/{(+\o ⍵)≡⍳⍵}¨l                          ⍝ → 1
∧/{(+\⍵↑1)≡o ⍵}¨l                         ⍝ → 1
∧/{m←⍵⍴r<0.4 ⋄ (+\m)≡0.5×+\2×m}¨70001 90001 ⍝ → 1
∧/{(≠\b ⍵)≡2|0.5×+\2×b ⍵}¨l               ⍝ → 1
∧/{(≠\⌽d ⍵)≡2|0.5×+\2×⌽d ⍵}¨l             ⍝ → 1
∧/{((∨\s ⍵)≡0<+\2×s ⍵)∧(∧\d ⍵)≡0=+\2×~d ⍵}¨l ⍝ → 1

⍝ reversals, from and to every bit of a byte
∧/{(⌽b ⍵)≡(b ⍵)[⍵+1-⍳⍵]}¨1↓l              ⍝ → 1
∧/{m←⍵↓b 9001 ⋄ (⌽m)≡m[(≢m)+1-⍳≢m]}¨⍳17   ⍝ → 1
∧/{m←(3,⍵)⍴b 9001 ⋄ (⌽m)≡m[;⍵+1-⍳⍵]}¨60+⍳80 ⍝ → 1
∧/{m←(3,⍵)⍴b 9001 ⋄ (⊖m)≡m[3 2 1;]}¨60+⍳80 ⍝ → 1
∧/{(⌽⌽b ⍵)≡b ⍵}¨l                         ⍝ → 1

⍝ functions of truth values and comparisons that give them
f←{m←b ⍵ ⋄ n←⍵↑d 9001 ⋄ ((m∧n)≡m×n)∧((m∨n)≡0<m+n)∧((m≠n)≡2|m+n)∧((m≤n)≡~m>n)∧((m⍲n)≡~m∧n)∧((m⍱n)≡~m∨n)∧(~m)≡1-m}
∧/f¨l                                     ⍝ → 1
∧/{m←b ⍵ ⋄ ((1∧m)≡m)∧((m∨1)≡o ⍵)∧((0≠m)≡m)∧(m=0)≡~m}¨l ⍝ → 1

⍝ comparisons of vectors beside those of single elements: of every width, near the end of words, and of
⍝ floats that are as close as ⎕CT allows, a little closer and a little farther
cmp←{x←⍺ ⋄ y←⍵ ⋄ ∧/((x<y)≡x{⍺<⍵}¨y)((x≤y)≡x{⍺≤⍵}¨y)((x=y)≡x{⍺=⍵}¨y)((x≥y)≡x{⍺≥⍵}¨y)((x>y)≡x{⍺>⍵}¨y)((x≠y)≡x{⍺≠⍵}¨y)}
v←9001⍴7 ¯3 5 5 0 1 ¯128 127 5 2
∧/{(⍵↑v)cmp ⌽⍵↑v}¨l~4095 4096 4097 4100 9001 ⍝ → 1
∧/{(⍵×130↑v)cmp ⌽⍵×130↑v}¨1 100 1e5 1e15  ⍝ → 1
∧/{(100×130↑v)cmp ⍵×130⍴9 5 0 1}¨1 1e5 1e15 0.5 ⍝ → 1
∧/{(⍵×130↑v)cmp 5×⍵}¨1 100 1e5 1e15 0.1   ⍝ → 1
∧/{(5×⍵)cmp ⍵×130↑v}¨1 100 1e5 1e15 0.1   ⍝ → 1
∧/{(⎕F32 0.1×⍵↑v)cmp ⎕F32 0.1×⌽⍵↑v}¨63 64 65 130 ⍝ → 1
eq←{x←⍺ ⋄ y←⍵ ⋄ ((x=y)≡x{⍺=⍵}¨y)∧(x≠y)≡x{⍺≠⍵}¨y}
∧/{(⍵⍴'rain in spain')eq ⌽⍵⍴'rain in spain'}¨l~4095 4096 4097 4100 9001 ⍝ → 1
∧/{(⍵⍴'rain in spain')eq 'n'}¨1 63 64 65 200 ⍝ → 1
∧/{(⍵⍴'ra⍋n in spain')eq ⌽⍵⍴'rain in ⍋pain'}¨1 63 64 65 200 ⍝ → 1
(200⍴'añÿ')eq 200⍴'ÿa'                    ⍝ → 1
a←,1 ¯1∘.×1 1.5 1.9999999999 2 1e¯300 3e300 5e¯324 0 1e308 7.25e¯309
near←{x←⍵⍴a ⋄ y←x×1+⎕CT×⍵⍴0 0.9 0.99999 1 1.00001 1.1 ¯0.9 ¯1 ¯1.1 2 0 50 ¯2 ⋄ x cmp y}
∧/near¨1 63 64 65 127 500 519             ⍝ → 1
∧/{⎕CT←⍵ ⋄ near 300}¨0 1e¯15 3e¯15 1e¯13 2e¯10 ⍝ → 1
⎕CT←0 ⋄ (a cmp a)∧(a cmp ⌽a)∧a cmp a×1+2*¯52 ⍝ → 1
∧/{(200⍴a)cmp(⍵×2*¯52)+200⍴a}¨0 1 2 44 45 46 89 90 91 180 ⍝ → 1
∧/{(200⍴1+⍵×2*¯52)cmp 1}¨0 1 44 45 46 91  ⍝ → 1
∧/{⎕CT←2*¯40 ⋄ (200⍴1 2 3)cmp(1+⍵×2*¯52)×200⍴1 2 3}¨4094 4095 4096 4097 8192 ⍝ → 1
(200⍴1e308 0 5)cmp 200⍴¯1e308             ⍝ → 1

⍝ x⍷y of vectors: places up to the last one, beginnings that the rest of x does not follow
fnd←{n←≢⍺ ⋄ x←⍺ ⋄ y←⍵ ⋄ (x⍷y)≡(≢y)↑{x≡y[⍵+⍳n]}¨¯1+⍳0⌈1+(≢y)-n}
∧/{y←⍵⍴'abacabadabacab' ⋄ ∧/(,'a')'ab' 'aba' 'abac' 'abaca' 'abacabada' 'acabadabx' 'adabacabab'fnd¨⊂y}¨6↓l~4095 4096 4097 4100 9001 ⍝ → 1
∧/{y←⍵⍴1 2 1 3 1 2 1 4 1 2 1 3 1 2 ⋄ ∧/(,1)(1 2)(1 2 1)(1 2 1 3)(1 2 1 3 1)(1 2 1 3 1 2 1 4 1)fnd¨⊂y}¨6↓l~4095 4096 4097 4100 9001 ⍝ → 1
∧/{y←⍵×200⍴1 2 1 3 1 2 1 4 1 2 1 3 1 2 ⋄ ∧/(⍵×¨(,1)(1 2)(1 2 1)(1 2 1 3)(1 2 1 3 1)(1 2 1 3 1 2 1 4 1))fnd¨⊂y}¨100 1e5 1e15 0.1 ⍝ → 1
y←200⍴'ab⍋cab' ⋄ ∧/(,'⍋')'b⍋' 'b⍋ca' 'ab⍋cabab⍋' 'b⍋cac' fnd¨⊂y ⍝ → 1
⍸'abcd'⍷(4093⍴'-'),'abcd',(4096⍴'abc'),'abcd' ⍝ → 4094 8194
⍸'abcdef'⍷(4093⍴'-'),'abcdef',(4095⍴'abcdeg'),'abcdef' ⍝ → 4094 8195
(0 1 1⍷1000⍴0 1 1)≡1000↑998⍴1 0 0         ⍝ → 1
(1 2⍷1 2.5 1 2)('1'⍷1 2)('a'⍷'bab')      ⍝ →  0 0 1 0  0 0  0 1 0

⍝ x⍷y of every rank and type: boxes at the corners, the whole of y, longer than y, empty; many places that are left
box←{y←⍵ ⋄ d←⍴y ⋄ x←((((≢d)-≢⍴⍺)⍴1),⍴⍺)⍴⍺ ⋄ n←⍴x ⋄ (⍺⍷y)≡d↑{x≡n↑(⍵-1)↓y}¨⍳0⌈1+d-n}
types←{(2|⍵)⍵(300×⍵)(70000×⍵)(⍵×2*33)(⍵÷2)(⎕F32 ⍵÷2)('abcd'[1+4|⍵])('ab⍋c'[1+4|⍵])(⎕UCS 70000+⍵)(⍵×0J1)}
corners←{y←⍵ ⋄ ∧/{⍵ box y}¨(2 3↑1 5↓y)(1 1↑y)y(¯2 ¯2↑y)(8 1⍴y)(0 2⍴y)(y[3;4 5 6])(y[7;])(y[7;33])}
∧/corners¨types 3|+\7 33⍴0 1 1 0 2 1 0    ⍝ → 1
∧/{y←2 5 7⍴⍵ ⋄ ∧/{⍵ box y}¨(2 2 2↑0 1 2↓y)(1 1 2↑y)(¯1 2 1↑y)(y[2;;])(y[2;5;])}¨types 70⍴0 1 2 1 1 3 0 ⍝ → 1
∧/{(+/(300⍴⍵)⍷9001⍴⍵)(+/,(7 9⍴⍵)⍷53 170⍴⍵)≡8702 7614}¨⊃¨types 2 2⍴1 ⍝ → 1
(2⍷2)(3⍷2)('a'⍷'a')(⍬⍷2)(⍬⍷⍬)(''⍷3⍴2)(2⍷⍬) ⍝ → 1 0 1 0    1 1 1
((1 1 2⍴1)⍷2 2⍴1)≡2 2⍴0                   ⍝ → 1
m←3|+\9 600⍴0 1 1 0 2 1 0 ⋄ ((2 3↑1 5↓m×0.5)⍷m÷2)≡(2 3↑1 5↓m)⍷m ⍝ → 1
y←5000⍴1 2 3×1+1E¯15 0 ¯1E¯15 ⋄ {⎕CT←⍵ ⋄ +/1 2 3⍷y}¨1E¯14 0 ⍝ → 1666 0
odd←645⎕DR(64⍴1),((56⍴0),1,7⍴0),64⍴0      ⍝ NaN, -0, 0
((2↑odd)⍷5000⍴odd)≡5000⍴1 0 0             ⍝ → 1
(0 0⍷5000⍴odd)≡5000↑4999⍴0 1 0            ⍝ → 1

⍝ x≡y of one shape: what differs only in bits, near the end of a stretch; NaN
⎕CT←1e¯14 ⋄ f←⍳70001 ⋄ same←{x←⍺ ⋄ y←⍵ ⋄ (x≡y)(y≡x)(x≢y)}
∧/{1 1 0≡(f÷⍵)same(÷⍵)×f}¨3 7 10 49        ⍝ → 1
∧/{0 0 1≡f same f+1e¯9×⍵=f}¨1 2 8192 8193 65536 70000 70001 ⍝ → 1
{⎕CT←⍵ ⋄ f≡f+1e¯15×f}¨1e¯14 0             ⍝ → 1 0
(f≡f+0J1-0J1)(f≡f+0J1)((70001⍴'ab')≡70001⍴'ab⍋')((70001⍴'ab')≡70001↑70002⍴'ab⍋'~'⍋') ⍝ → 1 0 0 1
{(9000⍴⍵)≡9000⍴⍵+0×⍵}¨(1 0)(1 100)(1 300)(1 1e5)(1 1e12)(1 0.5) ⍝ → 1 1 1 1 1 1
(9000⍴odd)≡8999↓17999⍴odd                 ⍝ → 0
(9000⍴odd)≡9000⍴odd[1 3 2]                ⍝ → 1

⍝ threads share long lines
∧/{k←¯1+?⍵⍴5 ⋄ y←?⍵⍴1000 ⋄ i←⍸k ⋄ ∧/{(k/⍵)≡⍵[i]}¨y(y-0.5)('abcd'[1+4|y])(y×1000)(⎕UCS 900+y)}¨2047 2048 2049 4096 4097 10007 ⍝ → 1
{k←⍵⍴0 ⋄ k[5000 5001 9]←100000 3000000 7 ⋄ (k/⍳⍵)≡(7⍴9),(100000⍴5000),3000000⍴5001}9000 ⍝ → 1
(3/⍳9000)≡,⍉3 9000⍴⍳9000                     ⍝ → 1
⍝ truth values selected, repeated and expanded by words; other elements expanded by blocks
t←{n←⍵ ⋄ m←⍺⍺ n ⋄ y←r[⍳n]<0.5 ⋄ k←⌊5×r[⍳n] ⋄ ((m/y)≡y[⍸m])∧((k/y)≡y[k/⍳n])∧((70×k)/y)≡y[(70×k)/⍳n]}
∧/b t¨l~0                                 ⍝ → 1
e←{n←⍵ ⋄ m←⍺⍺ n ⋄ ∧/{x←(+/m)↑⍵ ⋄ y←n⍴0↑⍵ ⋄ y[⍸m]←x ⋄ y≡m\x}¨w}
∧/(b e¨l~0),(s e¨l~0),d e¨l~0             ⍝ → 1
x←3 1 0 ¯2 1 0 ⋄ (x\1 0 1)(x\5 6 7)(x\'abc') ⍝ →  1 1 1 0 0 0 0 1 0  5 5 5 6 0 0 0 7 0  aaab   c 
m←7 600⍴r<0.5 ⋄ x←600⍴b 599 ⋄ y←⌊3×600⍴r ⋄ ((x/m)≡m[;⍸x])∧(y/m)≡m[;y/⍳600] ⍝ → 1

⍝ rows of whole numbers and characters, by their bytes
n←{(⍺⍳⍵)≡(↓⍺)⍳↓⍵}
rows←{k←⌊⍵×?40 9⍴0 ⋄ a←k[?300⍴40;] ⋄ z←k[?77⍴40;] ⋄ ∧/(a n z)(a n⌽z)((≠a)≡≠↓a)((∪a)≡↑∪↓a)}
∧/rows¨2 100 300 100000,2*40              ⍝ → 1
x←?200 67⍴2 ⋄ y←x[?99⍴200;] ⋄ x1←1=x ⋄ ((1=x)n 1=y)((1=x)n y)(x n 300×y)((⎕UCS 96+x)n ⎕UCS 96+y)((⎕UCS 96+x)n ⎕UCS 9000×y) ⍝ → 1 1 1 1 1

⍝ few backwards, also a part of many
b←200⍴1 0 0 1 1 ⋄ ∧/{(⌽⍵↓b)≡(⍵↓b)[1+(200-⍵)-⍳200-⍵]}¨0 1 7 136 137 143 191 199   ⍝ → 1
