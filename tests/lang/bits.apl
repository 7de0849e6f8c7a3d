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
