⍝ SPDX-License-Identifier: MIT
⍝ Programs on text: words, ciphers, numerals, codes, tables, parsers.

⍝ Words
words←{(' '≠⍵)⊆⍵}
words 'the quick  brown fox'   ⍝ →  the  quick  brown  fox
≢words ''                      ⍝ → 0
1↓∊' ',¨⌽words 'one two three' ⍝ → three two one
{⍵[⍋⍵]}words 'the quick brown fox' ⍝ →  brown  fox  quick  the
{(⊃⍒≢¨⍵)⊃⍵}words 'a quick brown fox' ⍝ → quick
1 ⎕C@1¨words 'the quick brown' ⍝ →  The  Quick  Brown
{(1↑⍵),1↓⍵}¨words 'ab c'       ⍝ →  ab  c
pig←{(⊃⍵)∊'aeiou':⍵,'way' ⋄ (1⌽⍵),'ay'}
pig¨words 'pigs eat latin'     ⍝ →  igspay  eatway  atinlay
{⍵≡⌽⍵}¨words 'level lever noon' ⍝ → 1 0 1
acronym←{1 ⎕C⊃¨words ⍵}
acronym 'as soon as possible'  ⍝ → ASAP
trim←{(∨\⍵≠' ')/⍵} ⋄ both←{⌽trim⌽trim ⍵}
'[',(both '  a b  '),']'       ⍝ → [a b]
wrap←{⍺≥≢⍵:,⊂⍵ ⋄ n←⊃⌽0,⍸' '=(⍺+1)↑⍵ ⋄ (⊂(n-1)↑⍵),⍺∇n↓⍵}
12 wrap 'the quick brown fox jumps' ⍝ →  the quick  brown fox  jumps

⍝ Counting
{⍺,≢⍵}⌸'mississippi'           ⍝ → m 1 ⏎ i 4 ⏎ s 4 ⏎ p 2
{(∪⍵)(+⌿⍵∘.=∪⍵)}'aab'          ⍝ →  ab  2 1
≡{⍺ 5}⌸words 'to be or' ⋄ ≡(⊂'to')5 ⍝ → ¯3 ⏎ ¯3
{(⊃⍺)(≢⍵)}⌸words 'to be or not to be' ⍝ →  to   2 ⏎  be   2 ⏎  or   1 ⏎  not  1
+/'hello world'∊'aeiou'        ⍝ → 3
'hello world'~'aeiou'          ⍝ → hll wrld
'-'@(∊∘'aeiou')'hello world'   ⍝ → h-ll- w-rld
⍸'is'⍷'mississippi'            ⍝ → 2 5
{⍵[⍋⍵]}'banana'                ⍝ → aaabnn
'listen'{⍺[⍋⍺]≡⍵[⍋⍵]}'silent'  ⍝ → 1
∧/⎕A∊1 ⎕C 'the quick brown fox jumps over a lazy dog' ⍝ → 1

⍝ Run lengths
rle←{(⊃¨p),⍪≢¨p←(1,2≠/⍵)⊂⍵}
rle 'aaabbc'                   ⍝ → a 3 ⏎ b 2 ⏎ c 1
∊{(⊃⍵),⍕≢⍵}¨{(1,2≠/⍵)⊂⍵}'aaabbc' ⍝ → a3b2c1
3 2 1/'abc'                    ⍝ → aaabbc
unrle←{(⍎¨(⍵∊⎕D)⊆⍵)/⍵~⎕D}
unrle 'a3b2c1'                 ⍝ → aaabbc
unrle 'x12'                    ⍝ → xxxxxxxxxxxx

⍝ Ciphers and codes
caesar←{⎕A[1+26|⍺+¯1+⎕A⍳⍵]}
3 caesar 'HELLO'               ⍝ → KHOOR
¯3 caesar 3 caesar 'HELLO'     ⍝ → HELLO
vigenere←{⎕A[1+26|(¯2+⎕A⍳⍵)+⎕A⍳(≢⍵)⍴⍺]}
'LEMON'vigenere'ATTACKATDAWN'  ⍝ → LXFOPVEFRNHR
⎕UCS 1+⎕UCS 'HAL'              ⍝ → IBM
(⌽⎕A)[⎕A⍳'WIZARD']             ⍝ → DRAZIW
hex←{'0123456789ABCDEF'[1+16⊥⍣¯1⊢⍵]}
hex 48879                      ⍝ → BEEF
16⊥¯1+'0123456789ABCDEF'⍳'FF'  ⍝ → 255
2⊥⍣¯1⊢10                       ⍝ → 1 0 1 0
2⊥1 0 1 0                      ⍝ → 10
,⍉(8⍴2)⊤⎕UCS 'A'               ⍝ → 0 1 0 0 0 0 0 1
b64←{c←⎕A,(⎕C ⎕A),⎕D,'+/' ⋄ b←,⍉(8⍴2)⊤⎕UCS ⍵ ⋄ c[1+2⊥⍉(⌈(≢b)÷6)6⍴(6×⌈(≢b)÷6)↑b],'='/⍨3|-≢⍵}
b64 'Many'                     ⍝ → TWFueQ==
b64 'Man'                      ⍝ → TWFu
luhn←{0=10|+/∊{⍵>9:⍵-9 ⋄ ⍵}¨d×(≢d)⍴1 2⊣d←⌽⍎¨⍵}
luhn '4539578763621486'        ⍝ → 1
luhn '4539578763621487'        ⍝ → 0

⍝ Numerals
roman←{s←(1 5 10 50 100 500 1000)['IVXLCDM'⍳⍵] ⋄ +/s×1-2×s<1↓s,0}
roman¨'MCMXCIV' 'IX' 'MMXXVI'  ⍝ → 1994 9 2026
toroman←{⍵=0:'' ⋄ n←1000 900 500 400 100 90 50 40 10 9 5 4 1 ⋄ t←words'M CM D CD C XC L XL X IX V IV I' ⋄ i←⊃⍸n≤⍵ ⋄ (i⊃t),∇⍵-i⊃n}
toroman¨1994 9 2026            ⍝ →  MCMXCIV  IX  MMXXVI
fizz←{0=15|⍵:'FizzBuzz' ⋄ 0=3|⍵:'Fizz' ⋄ 0=5|⍵:'Buzz' ⋄ ⍕⍵}
1↓∊' ',¨fizz¨⍳15               ⍝ → 1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz
+/⍎¨'2024'                     ⍝ → 8
10⊥¯1+⎕D⍳'2024'                ⍝ → 2024
⍎'3','+','4'                   ⍝ → 7

⍝ Fields
split←{1↓¨(⍺=⍺,⍵)⊂⍺,⍵}
','split 'a,bc,,d'             ⍝ →  a  bc    d
≢','split 'a,bc,,d'            ⍝ → 4
join←{(≢⍺)↓⊃,/⍺∘,¨⍵}
', 'join 'one' 'two' 'three'   ⍝ → one, two, three
↑','split¨'a,b' 'c,d'          ⍝ →  a  b ⏎  c  d
⍉↑words¨'ab cd' 'e f'          ⍝ →  ab  e ⏎  cd  f
↑'one' 'three'                 ⍝ → one ⏎ three
¯5↑¨'one' 'three'              ⍝ →    one  three
{(⍵∊⎕D)⊆⍵}'a12b345'            ⍝ →  12  345
⍎¨{(⍵∊⎕D)⊆⍵}'a12b345'          ⍝ → 12 345
⊃(//⎕VFI'3 x 5')               ⍝ → 3 5
pairs←{'='split¨';'split ⍵}
pairs 'a=1;bc=23'              ⍝ →   a  1    bc  23

⍝ Brackets and nesting
depth←{+\(⍵∊'([{')-0,¯1↓⍵∊')]}'}
depth 'a(b[c])d'               ⍝ → 0 1 1 2 2 2 1 0
check←{⍺←'' ⋄ 0=≢⍵:0=≢⍺ ⋄ c←⊃⍵ ⋄ c∊'([{':(c,⍺)∇1↓⍵ ⋄ ~c∊')]}':⍺∇1↓⍵ ⋄ 0=≢⍺:0 ⋄ (')]}'⍳c)≠'([{'⍳⊃⍺:0 ⋄ (1↓⍺)∇1↓⍵}
check¨'a(b[c])d' '(]' '((' '' ')(' ⍝ → 1 0 0 1 0

⍝ Distances
lev←{⍺≡⍵:0 ⋄ 0∊≢¨⍺ ⍵:⌈/≢¨⍺ ⍵ ⋄ (⊃⍺)=⊃⍵:(1↓⍺)∇1↓⍵ ⋄ 1+⌊/((1↓⍺)∇⍵)(⍺∇1↓⍵)((1↓⍺)∇1↓⍵)}
'kitten'lev'sitting'           ⍝ → 3
+/'karolin'≠'kathrin'          ⍝ → 3
lcs←{0∊≢¨⍺ ⍵:'' ⋄ (⊃⍺)=⊃⍵:(⊃⍺),(1↓⍺)∇1↓⍵ ⋄ a←(1↓⍺)∇⍵ ⋄ b←⍺∇1↓⍵ ⋄ (≢a)≥≢b:a ⋄ b}
'AGGTAB'lcs'GXTXAYB'           ⍝ → GTAB

⍝ A parser: tokens, then terms and factors, each returning its value and what is left
tokens←{s←⍵~' ' ⋄ d←s∊⎕D,'.' ⋄ (1,1↓~d∧¯1⌽d)⊂s}
tokens '12+3*(4-1)'            ⍝ →  12  +  3  *  (  4  -  1  )
factor←{'('=⊃⊃⍵:{v r←⍵ ⋄ v(1↓r)}expr 1↓⍵ ⋄ (⍎⊃⍵)(1↓⍵)}
calc←{o x y←⍵ ⋄ o='+':x+y ⋄ o='-':x-y ⋄ o='*':x×y ⋄ x÷y}
more←{v r←⍵ ⋄ 0=≢r:⍵ ⋄ ~(⊃⊃r)∊⍺:⍵ ⋄ w s←⍺⍺ 1↓r ⋄ ⍺∇(calc(⊃⊃r)v w)s}
term←{'*/'factor more factor ⍵}
expr←{'+-'term more term ⍵}
⊃expr tokens '12+3*(4-1)'      ⍝ → 21
⊃expr tokens '2*3+4*5'         ⍝ → 26
⊃expr tokens '100/4/5-1'       ⍝ → 4
⊃expr tokens '((2))'           ⍝ → 2
⊃expr tokens '1.5*4'           ⍝ → 6

⍝ Postfix, with a stack
rpn←{⍺←⍬ ⋄ 0=≢⍵:⊃⍺ ⋄ t←⊃⍵ ⋄ (⊃t)∊'+-*/':((calc(⊃t)(2⊃⍺)(1⊃⍺)),2↓⍺)∇1↓⍵ ⋄ ((⍎t),⍺)∇1↓⍵}
rpn words '3 4 + 2 *'          ⍝ → 14
rpn words '100 5 / 3 -'        ⍝ → 17

⍝ Pictures
↑(⍳3)⍴¨'*'                     ⍝ → * ⏎ ** ⏎ ***
' *'[1+∘.=⍨⍳3]                 ⍝ → *␠␠ ⏎ ␠*␠ ⏎ ␠␠*
'+-|'[1+2⊥↑(3 3⍴0)(3 3⍴0)]     ⍝ → +++ ⏎ +++ ⏎ +++
⍉↑'abc' 'de'                   ⍝ → ad ⏎ be ⏎ c

⍝ Half of a surrogate pair is no character of UTF-8, UTF-16 or UTF-32
'UTF-8' ⎕UCS ⎕UCS 97 55357         ⍝ ! DOMAIN ERROR: ⎕UCS: ⎕UCS 55357 is half of a pair and no character
'UTF-16' ⎕UCS ⎕UCS 56832           ⍝ ! DOMAIN ERROR
'UTF-8' ⎕UCS '😀'                   ⍝ → 240 159 152 128
⍎'''',(⎕UCS 55357),''''            ⍝ ! DOMAIN ERROR
⎕VFI '1E400 2J1E9999 1E99999999999999999999J1 ¯1E309 1E¯400'   ⍝ →  0 0 0 0 1  0 0 0 0 0
'O1E400⊂x⊃I5'⎕FMT 1                ⍝ ! FORMAT ERROR
(⍎⍠'Nosuch' 1)'1'                  ⍝ ! DOMAIN ERROR: ⍎ has no option Nosuch
