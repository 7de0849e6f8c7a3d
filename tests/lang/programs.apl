⍝ SPDX-License-Identifier: MIT
⍝ Programs as people write them: they run unchanged, and what they print is known.

⍝ ── Conway's life, three ways ──
life1←{⊃1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵}
life2←{s←({+/,⍵}⌺3 3)⍵ ⋄ (s=3)∨⍵∧s=4}
life3←{c←3+/0,(3+⌿0⍪⍵⍪0),0 ⋄ (c=3)∨⍵∧c=4}
glider←8 8↑3 3⍴0 1 0 0 0 1 1 1 1
' ⎕'[1+4 4↑life1 glider]    ⍝ →  ⏎ ⎕ ⎕ ⏎  ⎕⎕ ⏎  ⎕
(life1⍣4⊢glider)≡¯1⊖¯1⌽glider                   ⍝ → 1
((life1⍣12)≡(life2⍣12))glider                   ⍝ → 1
((life2⍣5)≡(life3⍣5))glider                     ⍝ → 1
+/,life1⍣≡5 5⍴0 0 0 0 0 0 1 1 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 ⍝ → 4
blinker←5 5⍴0 0 0 0 0 0 0 0 0 0 0 1 1 1 0 0 0 0 0 0 0 0 0 0 0
(⍉blinker)≡life2 blinker                        ⍝ → 1

⍝ ── primes ──
(~p∊p∘.×p)/p←1↓⍳50                              ⍝ → 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47
{(2=+⌿0=∘.|⍨⍳⍵)/⍳⍵}30                           ⍝ → 2 3 5 7 11 13 17 19 23 29
sieve←{
  n←⍵
  b←0,(n-1)⍴1
  strike←{p←⍵ ⋄ (p*2)>n:⍺ ⋄ ⍺[p]=0:⍺ ∇ p+1 ⋄ x←⍺ ⋄ x[p×1+⍳¯1+⌊n÷p]←0 ⋄ x ∇ p+1}
  ⍸b strike 2
}
≢sieve 10000                                    ⍝ → 1229
¯3↑sieve 1000                                   ⍝ → 983 991 997
factors←{⍵=1:⍬ ⋄ d←2 {0=⍺|⍵:⍺ ⋄ ⍵<⍺*2:⍵ ⋄ (⍺+1)∇ ⍵} ⍵ ⋄ d,∇ ⍵÷d}
factors 360360                                  ⍝ → 2 2 2 3 3 5 7 11 13
×/factors 1234567                               ⍝ → 1234567
gcd←{0=⍵:⍺ ⋄ ⍵ ∇ ⍵|⍺}
(1071 gcd 462),1071∨462                         ⍝ → 21 21
(2 1⍴1 1)+.×⍨⍣5⊢2 2⍴1 1 1 0                     ⍝ ! LENGTH ERROR
{⍵,+/¯2↑⍵}⍣10⊢1 1                               ⍝ → 1 1 2 3 5 8 13 21 34 55 89 144
⊃(2 2⍴1 1 1 0)(+.×⍣30)2 2⍴1 0 0 1               ⍝ → 1346269
collatz←{⍵=1:,1 ⋄ ⍵,∇ (2|⍵)⌷(⍵÷2)(1+3×⍵)⊣⎕IO←0}
collatz 6                                       ⍝ → 6 3 10 5 16 8 4 2 1

⍝ ── n queens ──
queens←{
  n←⍵
  place←{(≢⍵)=n:,⊂⍵ ⋄ d←⌽⍳≢⍵ ⋄ f←(⍳n)~⍵,(⍵+d),⍵-d ⋄ 0=≢f:⍬ ⋄ ⊃,/(∇ ⍵∘,)¨f}
  place ⍬
}
≢queens 6                                       ⍝ → 4
⊃queens 8                                       ⍝ → 1 5 8 6 3 7 2 4
≢queens 8                                       ⍝ → 92
' Q'[1+(⊃queens 6)∘.=⍳6]                        ⍝ →  Q ⏎    Q ⏎      Q ⏎ Q ⏎   Q ⏎     Q

⍝ ── sudoku ──
sudoku←{
  ⎕IO←0
  box←3⌿3/3 3⍴⍳9
  open←{(r c)←⍵ ⋄ g←⍺ ⋄ (1+⍳9)~g[r;],g[;c],(,box=box[r;c])/,g}
  solve←{
    g←⍵
    0=≢z←⍸0=g:,⊂g
    c←g∘open¨z
    i←⊃⍋≢¨c
    0=≢i⊃c:⍬
    at←i⊃z
    try←{x←g ⋄ x[⊂at]←⍵ ⋄ solve x}
    {0=≢⍵:⍬ ⋄ r←try⊃⍵ ⋄ 0<≢r:r ⋄ ∇ 1↓⍵}i⊃c
  }
  ⊃solve ⍵
}
puzzle←9 9⍴⍎¨'530070000600195000098000060800060003400803001700020006060000280000419005000080079'
sudoku puzzle ⍝ → 5 3 4 6 7 8 9 1 2 ⏎ 6 7 2 1 9 5 3 4 8 ⏎ 1 9 8 3 4 2 5 6 7 ⏎ 8 5 9 7 6 1 4 2 3 ⏎ 4 2 6 8 5 3 7 9 1 ⏎ 7 1 3 9 2 4 8 5 6 ⏎ 9 6 1 5 3 7 2 8 4 ⏎ 2 8 7 4 1 9 6 3 5 ⏎ 3 4 5 2 8 6 1 7 9

⍝ ── regression ──
x←0 1 2 3 4 5 ⋄ y←1 3.1 4.9 7.2 9 10.8
3⍕y⌹1,⍪x                                        ⍝ →  1.071 1.971
fit←{⍺⌹⍵∘.*0,⍳2}
(1 4 9 16 25 36 fit ⍳6)                         ⍝ → 0 0 1
slope←{(+/(⍺-m)×⍵-n)÷+/((m←(+/⍺)÷≢⍺)-⍺)*2⊣n←(+/⍵)÷≢⍵}
mean←+/÷≢
sd←{(mean(⍵-mean ⍵)*2)*÷2}
mean 2 4 4 4 5 5 7 9                            ⍝ → 5
sd 2 4 4 4 5 5 7 9                              ⍝ → 2
cor←{(mean(⍺-mean ⍺)×⍵-mean ⍵)÷(sd ⍺)×sd ⍵}
1 2 3 4 cor 2 4 6 8                             ⍝ → 1
x cor -x                                        ⍝ → ¯1

⍝ ── text ──
words←{(~⍵∊' ,.')⊆⍵}
words 'the cat, the dog. the end'               ⍝ →  the  cat  the  dog  the  end␠
{⍺,≢⍵}⌸words 'the cat, the dog. the end'        ⍝ →  the  3 ⏎  cat  1 ⏎  dog  1 ⏎  end  1
caesar←{a←⎕A ⋄ (a⍳⍵)⌷¨⊂(⍺⌽a),'?'}
3 caesar 'HELLO'                                ⍝ → KHOOR
rot←{i←⎕A⍳⍵ ⋄ (⍺⌽⎕A)[i]}
¯3 rot 3 rot 'DYALOG'                           ⍝ → DYALOG
vowels←'aeiou'
+/'programming language'∊vowels                 ⍝ → 7
{⍵/⍨~(⊃∨/)⍵∘=¨vowels}'programming'              ⍝ → prgrmmng
pal←{t←⎕C ⍵ ⋄ s←t/⍨t∊⎕C ⎕A ⋄ s≡⌽s}
pal 'A man, a plan, a canal: Panama'            ⍝ → 1
title←{(1⎕C⊃⍵),1↓⍵}¨words
title 'some words here'                         ⍝ →  Some  Words  Here␠
{⊃⍵[⍒≢¨⍵]}words 'a longest word wins'           ⍝ → longest
rle←{(⊃¨p),¨≢¨p←(1,2≠/⍵)⊂⍵}
rle 'aaabccdddd'                                ⍝ →  a 3  b 1  c 2  d 4␠
unrle←{⊃,/{(2⊃⍵)⍴⊃⍵}¨⍵}
unrle rle 'aaabccdddd'                          ⍝ → aaabccdddd
toRoman←{v←1000 900 500 400 100 90 50 40 10 9 5 4 1 ⋄ s←'M' 'CM' 'D' 'CD' 'C' 'XC' 'L' 'XL' 'X' 'IX' 'V' 'IV' 'I' ⋄ ⍵=0:'' ⋄ i←⊃⍸v≤⍵ ⋄ (i⊃s),∇ ⍵-v[i]}
toRoman 1994                                    ⍝ → MCMXCIV
fromRoman←{v←1 5 10 50 100 500 1000['IVXLCDM'⍳⍵] ⋄ v+.×1-2×v<1↓v,0}
fromRoman 'MCMXCIV'                             ⍝ → 1994
justify←{w←⍵ ⋄ ↑{(-w)↑⍵}¨⍺}
(words 'a bb ccc')justify 5                     ⍝ →     a ⏎    bb ⏎   ccc
hex←{'0123456789ABCDEF'[1+(4⍴16)⊤⍵]}
hex 48879                                       ⍝ → BEEF
16⊥¯1+'0123456789ABCDEF'⍳'BEEF'                 ⍝ → 48879
csv←{','(≠⊆⊢)⍵}
⍎¨csv '10,20,30'                                ⍝ → 10 20 30
anagrams←{{⍵⊂⍨1,2≢/{⍵[⍋⍵]}¨⍵}⍵[⍋↑{⍵[⍋⍵]}¨⍵]}
anagrams 'tea' 'dog' 'eat' 'god' 'ate'          ⍝ →   tea  eat  ate    dog  god␠␠

⍝ ── parsing ──
balanced←{(0=⊃⌽d)∧0≤⌊/d←+\1 ¯1 0['()'⍳⍵]}
balanced¨'(a(b)c)' '(()' ')('                   ⍝ → 1 0 0
rpn←{⊃⊃{s←⍵ ⋄ ⍺∊⎕D:(⍎⍺),s ⋄ (⍎'(2⊃s)',⍺,'1⊃s'),2↓s}/(⌽(' '≠⍵)/⍵),⊂⍬}
rpn '34+2×7-'                                   ⍝ → 7
tokens←{(' '≠⊃¨t)/t←⍵⊂⍨1,~2{∧/(⍺,⍵)∊⎕D}/⍵}
tokens '12+3×(45-6)'                            ⍝ →  12  +  3  ×  (  45  -  6  )␠
json←{'[',(1↓⊃,/',',¨⍕¨⍵),']'}
json 1 2 3                                      ⍝ → [1,2,3]
depth←{+\1 ¯1 0['()'⍳⍵]}
depth '(a(b))'                                  ⍝ → 1 1 2 2 1 0

⍝ ── graphs ──
edges←(1 2)(1 3)(2 4)(3 4)(4 5)
adj←{m←⍵ ⍵⍴0 ⋄ m[⍺]←1 ⋄ m}
a←edges adj 5
a                                               ⍝ → 0 1 1 0 0 ⏎ 0 0 0 1 0 ⏎ 0 0 0 1 0 ⏎ 0 0 0 0 1 ⏎ 0 0 0 0 0
closure←{⍵∨⍵∨.∧⍵}⍣≡
+/,closure a                                    ⍝ → 9
bfs←{g←⍺ ⋄ {∪⍵,⊃,/{⍸g[⍵;]}¨⍵}⍣≡,⍵}
a bfs 1                                         ⍝ → 1 2 3 4 5
a bfs 3                                         ⍝ → 3 4 5
dist←4 4⍴0 3 9 7 3 0 2 99 9 2 0 1 7 99 1 0
floyd←{⍵⌊⍵⌊.+⍵}⍣≡
floyd dist                                      ⍝ → 0 3 5 6 ⏎ 3 0 2 3 ⏎ 5 2 0 1 ⏎ 6 3 1 0
topo←{g←⍵ ⋄ ⍬{0=≢⍵:⍺ ⋄ r←⍵/⍨0=+⌿g[⍵;⍵] ⋄ (⍺,r)∇ ⍵~r}⍳≢⍵}
topo a                                          ⍝ → 1 2 3 4 5
tree←0 1 1 2 2 3
{⍵,tree[⍵]}⍣2⊢4                                 ⍝ → 4 2 2 1
path←{⍵=0:⍬ ⋄ ⍵,∇ tree[⍵]}
path 6                                          ⍝ → 6 3 1

⍝ ── other classics ──
pascal←{⍵=0:,1 ⋄ (0,p)+(p←∇ ⍵-1),0}
↑pascal¨0,⍳4                                    ⍝ → 1 0 0 0 0 ⏎ 1 1 0 0 0 ⏎ 1 2 1 0 0 ⏎ 1 3 3 1 0 ⏎ 1 4 6 4 1
{⍵!⍨0,⍳⍵}5                                      ⍝ → 1 5 10 10 5 1
hanoi←{⍵=0:0 ⋄ 1+2×∇ ⍵-1}
hanoi 10                                        ⍝ → 1023
perms←{0=⍵:1 0⍴0 ⋄ ⍵=1:1 1⍴1 ⋄ p←∇ ⍵-1 ⋄ ⊃⍪/{⍵,p+p≥⍵}¨⍳⍵}
perms 3                                         ⍝ → 1 2 3 ⏎ 1 3 2 ⏎ 2 1 3 ⏎ 2 3 1 ⏎ 3 1 2 ⏎ 3 2 1
subsets←{⍵∘{⍵/⍺}¨↓⍉(n⍴2)⊤¯1+⍳2*n←≢⍵}
≢subsets 'abcd'                                 ⍝ → 16
quick←{1≥≢⍵:⍵ ⋄ p←⍵[⌈2÷⍨≢⍵] ⋄ (∇ ⍵/⍨⍵<p),(⍵/⍨⍵=p),∇ ⍵/⍨⍵>p}
quick 3 1 4 1 5 9 2 6                           ⍝ → 1 1 2 3 4 5 6 9
ackermann←{⍺=0:⍵+1 ⋄ ⍵=0:(⍺-1)∇ 1 ⋄ (⍺-1)∇ ⍺ ∇ ⍵-1}
2 ackermann 3                                   ⍝ → 9
newton←{f←⍺⍺ ⋄ {⍵-(f ⍵)÷(⎕CT*÷3)÷⍨(f ⍵+⎕CT*÷3)-f ⍵}⍣{1E¯9>|⍺-⍵}⊢⍵}
6⍕{¯2+⍵*2}newton 1                              ⍝ →  1.414214
simpson←{(a b)←⍵ ⋄ n←100 ⋄ x←a+(b-a)×(0,⍳n)÷n ⋄ w←1,((n-1)⍴4 2),1 ⋄ ((b-a)÷3×n)×w+.×⍺⍺ x}
6⍕{⍵*2}simpson 0 3                              ⍝ →  9.000000
2⊥⍣¯1⊢10                                        ⍝ → 1 0 1 0
moving←{⍺÷⍨⍺+/⍵}
3 moving 1 2 3 4 5                              ⍝ → 2 3 4
trace←+/1 1∘⍉
trace 3 3⍴⍳9                                    ⍝ → 15
outer←∘.×⍨
outer ⍳3                                        ⍝ → 1 2 3 ⏎ 2 4 6 ⏎ 3 6 9
'.#'[1+2|⍉∘.!⍨¯1+⍳4]                            ⍝ → #... ⏎ ##.. ⏎ #.#. ⏎ ####

⍝ an instance with many fields takes names that are none, too
)CLEAR
:Class Wide
  :Field Public a←1
  :Field Public b←2
  :Field Public c←3
  :Field Public d←4
  :Field Public e←5
  :Field Public f←6
  :Field Public g←7
  :Field Public h←8
  :Field Public i←9
  :Field Public j←10
  :Field Public k←11
  :Field Public l←12
  :Field Public m←13
  :Field Public n←14
  :Field Public o←15
  :Field Public p←16
:EndClass
w←⎕NEW Wide
w.(q r s t u v w x y z)←⍳10
w.(a p q z)                        ⍝ → 1 16 1 10
