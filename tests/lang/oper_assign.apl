⍝ SPDX-License-Identifier: MIT
⍝ Assignment: selective, indexed modified, strands; what it gives and what it refuses.

⍝ Selections of elements
A←'HELLO' ⋄ ((A∊'AEIOU')/A)←'*'
A                      ⍝ → H*LL*
Z←3 4⍴⍳12 ⋄ (5↑,Z)←0
Z                      ⍝ → 0  0  0  0 ⏎ 0  6  7  8 ⏎ 9 10 11 12
MAT←3 3⍴⍳9 ⋄ (1 1⍉MAT)←0
MAT                    ⍝ → 0 2 3 ⏎ 4 0 6 ⏎ 7 8 0
x←⍳5 ⋄ (2↓x)←0 ⋄ x     ⍝ → 1 2 0 0 0
x←⍳5 ⋄ (¯2↑x)←8 9 ⋄ x  ⍝ → 1 2 3 8 9
x←⍳5 ⋄ (⌽x)←⍳5 ⋄ x     ⍝ → 5 4 3 2 1
x←⍳5 ⋄ (2⌽x)←⍳5 ⋄ x    ⍝ → 4 5 1 2 3
x←2 3⍴⍳6 ⋄ (,x)←10×⍳6 ⋄ x ⍝ → 10 20 30 ⏎ 40 50 60
x←2 3⍴⍳6 ⋄ (⍉x)←3 2⍴'abcdef' ⋄ x ⍝ → ace ⏎ bdf
x←2 3⍴⍳6 ⋄ (⊖x)←2 3⍴⍳6 ⋄ x ⍝ → 4 5 6 ⏎ 1 2 3
x←2 3⍴⍳6 ⋄ (2⌷x)←0 ⋄ x ⍝ → 1 2 3 ⏎ 0 0 0
x←2 3⍴⍳6 ⋄ (2⌷[2]x)←0 ⋄ x ⍝ → 1 0 3 ⏎ 4 0 6
x←2 3⍴⍳6 ⋄ (1 2↑x)←'ab' ⋄ x    ⍝ → a b 3 ⏎ 4 5 6
x←2 3⍴⍳6 ⋄ (1↑[2]x)←0 ⋄ x ⍝ → 0 2 3 ⏎ 0 5 6
x←⍳4 ⋄ (1 0 1 0 1 1\x)←6⍴9 ⋄ x ⍝ → 9 9 9 9
x←2 3⍴⍳6 ⋄ (1 0/x)←0   ⍝ ! LENGTH ERROR
x←2 3⍴⍳6 ⋄ (1 0⌿x)←0 ⋄ x ⍝ → 0 0 0 ⏎ 4 5 6
x←2 3⍴⍳6 ⋄ (1 0 1/x)←2 2⍴10×⍳4 ⋄ x ⍝ → 10 2 20 ⏎ 30 5 40
x←⍳6 ⋄ (2 2⍴x)←0 ⋄ x   ⍝ → 0 0 0 0 5 6
x←⍳6 ⋄ (2↑x[4 5 6])←0 ⋄ x ⍝ → 1 2 3 0 0 6
x←⍳6 ⋄ (2↑2↓x)←'ab' ⋄ x ⍝ → 1 2 ab 5 6
x←0 1 0 ⋄ ((x=0)/x)←¯1.5 ⋄ x ⍝ → ¯1.5 1 ¯1.5
x←⍳5 ⋄ ((x>9)/x)←7 ⋄ x ⍝ → 1 2 3 4 5
x←⍳3 ⋄ (2↑x)←⊂1 2 ⋄ x          ⍝ →  1 2  1 2  3
x←3 ⋄ (,x)←5 ⋄ x       ⍝ → 5
x←⍳500 ⋄ (10↑x)←0 ⋄ +/x ⍝ → 125195

⍝ What ⊃ picks is replaced as a whole
x←1 'abc' (2 'de')
(2⊃x)←5 6 ⋄ x                  ⍝ → 1  5 6  2  de␠␠
(3 2⊃x)←'longer' ⋄ x           ⍝ → 1  5 6  2  longer␠␠
(⊃x)←'first' ⋄ x               ⍝ →  first  5 6  2  longer␠␠
(2 1⊃x)←⊂7 8 ⋄ x[2]            ⍝ →    7 8   6␠
x←'abc' ⋄ (2⊃x)←'xyz' ⋄ x      ⍝ → a xyz c
x←5 ⋄ (⊃x)←'abc' ⋄ x           ⍝ →  abc
x←(1 2)(3 4) ⋄ (2↑1⊃x)←9 ⋄ x ⍝ →  9 9  3 4␠
x←2 2⍴⍳4 ⋄ ((⊂2 1)⊃x)←'q' ⋄ x  ⍝ → 1 2 ⏎ q 4
x←'ab'(1 2 3) ⋄ (⌽2⊃x)←7 8 9 ⋄ x ⍝ →  ab  9 8 7␠

⍝ Inside items: ¨ and ∊
names←'Andy' 'Karen' 'Liam' ⋄ (('a'=∊names)/∊names)←'*'
names                  ⍝ →  Andy  K*ren  Li*m␠
A←'HELLO' 'WORLD' ⋄ (2↑¨A)←'*'
A                      ⍝ →  **LLO  **RLD␠
A←'HELLO' 'WORLD' ⋄ ((A='O')/¨A)←'*'
A                      ⍝ →  HELL*  W*RLD␠
A←'HELLO' 'WORLD' ⋄ ((A∊¨⊂'LO')/¨A)←'*'
A                      ⍝ →  HE***  W*R*D␠
A←'HELLO' 'WORLD' ⋄ (2↑¨A)←'ab' 'cd'
A                      ⍝ →  abLLO  cdRLD␠
MAT←4 3⍴'Hello' 'World' ⋄ (¯2↑¨MAT[;1 3])←'$'
MAT[1 2;]              ⍝ →  Hel$$  World  Hel$$  ⏎  Wor$$  Hello  Wor$$␠
x←(1 2 3)(4 5 6) ⋄ (2⊃¨x)←'ab' 'cd' ⋄ x ⍝ →  1  ab  3  4  cd  6␠
x←(1 2 3)(4 5 6) ⋄ (⊃¨x)←0 ⋄ x ⍝ →  0 2 3  0 5 6␠
x←(1 2 3)(4 5 6) ⋄ (3↑¨x)←0 ⋄ x ⍝ →  0 0 0  0 0 0␠
x←(1 2 3)(4 5 6) ⋄ (1↑x)←0 ⋄ x ⍝ → 0  4 5 6␠
x←1(2 3) ⋄ (∊x)←'abc' ⋄ x      ⍝ → a bc
x←2⍴⊂'same' ⋄ (1⊃¨x)←'ST' ⋄ x ⍝ →  Same  Tame␠

⍝ With a function
a←3⍴0 ⋄ (5⍴a)+←1
a                      ⍝ → 2 2 1
a←30000⍴0 ⋄ (50000⍴a)+←1 ⋄ (+/a=2)(+/a=1) ⍝ → 20000 10000
a←3⍴0 ⋄ a[5⍴⍳3]+←1 ⋄ a ⍝ → 2 2 1
a←30000⍴0 ⋄ a[50000⍴⍳30000]+←1 ⋄ (+/a=2)(+/a=1) ⍝ → 20000 10000
a←30000⍴0 ⋄ a[40000⍴20000↑⍳30000]+←1 ⋄ (+/a=2)(+/a=0) ⍝ → 20000 10000
a←30000⍴0 ⋄ a[200 201⍴⍳30000]+←1 ⋄ (+/a=2)(+/a=1) ⍝ → 10200 19800
A←12 36 23 78 30 ⋄ ((A>30)/A)×←100
A                      ⍝ → 12 3600 23 7800 30
x←(1 2)(3 4) ⋄ (1⊃x),←9 ⋄ x ⍝ →  1 2 9  3 4␠
x←(1 2)(3 4) ⋄ (⊃¨x)-←1 ⋄ x ⍝ →  0 2  2 4␠
x←⍳5 ⋄ (2↑x){⍺ ⍵}←0 ⋄ x ⍝ →  1 0  2 0  3 4 5
x←⍳3 ⋄ (2↑x)(+∘1⍤⊣)←0 ⋄ x ⍝ → 2 3 3
⎕←(2↑x)+←5             ⍝ → 5
x                      ⍝ → 7 8 3

⍝ Refused, and nothing is changed
x←⍳3
(↑x)←1                 ⍝ ! SYNTAX ERROR
(↓x)←1                 ⍝ ! SYNTAX ERROR
(2+x)←1                ⍝ ! SYNTAX ERROR
(x∊x)←1                ⍝ ! SYNTAX ERROR
(3↑1 2)←1              ⍝ ! SYNTAX ERROR
()←1                   ⍝ ! SYNTAX ERROR
{(2↑⍵)←1}5             ⍝ ! SYNTAX ERROR
(2↑nix)←1              ⍝ ! VALUE ERROR
(2↑x)←1 2 3            ⍝ ! LENGTH ERROR
(2↑x)←2 2⍴0            ⍝ ! LENGTH ERROR
(9⊃x)←0                ⍝ ! INDEX ERROR
(2↑x)+←'a'             ⍝ ! DOMAIN ERROR
x                      ⍝ → 1 2 3

⍝ Indexed with a function: element by element, repeated indices one after the other
x←1 2 3 ⋄ x[1 1]+←1
x                      ⍝ → 3 2 3
x←3⍴0 ⋄ x[1 2 1 3 1]+←1 ⋄ x ⍝ → 3 1 1
x←2 2⍴0 ⋄ x[1 1;]+←2 2⍴⍳4 ⋄ x ⍝ → 4 6 ⏎ 0 0
x←'abc' ⋄ x[2],←'z' ⋄ x        ⍝ → a bz c
x←⍳3 ⋄ x[1 2],←9 ⋄ x   ⍝ →  1 9  2 9  3
x←2 2⍴⍳4 ⋄ x[(1 1)(2 2)]×←10 ⋄ x ⍝ → 10  2 ⏎  3 40
x←(1 2)(3 4) ⋄ x[(1 2)(2 1)]+←10 ⋄ x ⍝ →  1 12  13 4␠
x←(1 2)(3 4) ⋄ x[1]+←10 ⋄ x ⍝ →  11 12  3 4␠
x[3]+←1                ⍝ ! INDEX ERROR
x[1 2]+←1 2 3          ⍝ ! LENGTH ERROR
x←⍳3 ⋄ x[⍬]+←1 ⋄ x     ⍝ → 1 2 3
x←⍳3 ⋄ x[2]{⍺+⍵}←5 ⋄ x ⍝ → 1 7 3
x←⍳3 ⋄ {x[⍵]←⍵×10}¨⍳3 ⋄ x ⍝ → 10 20 30

⍝ In place, and yet nobody else sees it
x←⍳3 ⋄ y←x ⋄ x[1]←9 ⋄ y ⍝ → 1 2 3
f←{a←⍳3 ⋄ b←a ⋄ a[2]←0 ⋄ a[3]←0 ⋄ a b} ⋄ f 0 ⍝ →  1 0 0  1 2 3␠
f←{a←⍵ ⋄ a[1]←0 ⋄ ⍵} ⋄ f 5 6 ⍝ → 5 6
x←⍳3 ⋄ {x[1]←⊂x ⋄ x[1]←⊂x ⋄ x}0 ⍝ →   1 2 3  2 3  2 3
x←⍳3 ⋄ x[⌽⍳3]←x ⋄ x    ⍝ → 3 2 1
x←1000⍴0 ⋄ +/{⍵>1000:x ⋄ x[⍵]←⍵ ⋄ ∇ ⍵+1}1 ⍝ → 500500
f←{x←⍳3 ⋄ 0::x ⋄ x[1]←9 ⋄ x[7]←1} ⋄ f 0 ⍝ → 1 2 3

⍝ Strands
(a(b(c d)))←1(2(3 4)) ⋄ a b c d ⍝ → 1 2 3 4
(a(b c))←5 ⋄ a b c     ⍝ → 5 5 5
(a b)←,7 ⋄ a b         ⍝ → 7 7
(a b)+←1 2 ⋄ a b       ⍝ → 8 9
a b c←⍳3 ⋄ a b c[2]    ⍝ → 2
⎕←(a b)←'xy'           ⍝ → xy

⍝ Named functions, ⎕IO 0, picks in a loop
add←{⍺+⍵}
x←⍳3 ⋄ x add←1 ⋄ x             ⍝ → 2 3 4
x[2]add←10 ⋄ x                 ⍝ → 2 13 4
(2↑x)add←1 ⋄ x                 ⍝ → 3 14 4
(a b)←1 2 ⋄ (a b)add←1 ⋄ a b   ⍝ → 2 3
{⎕IO←0 ⋄ x←⍵ ⋄ (2↑x)←9 ⋄ (0⊃x)←5 ⋄ x[1 1]+←1 ⋄ x}1 2 3 ⍝ → 5 11 3
{⎕IO←0 ⋄ x←⍵ ⋄ x[(0 1)(1 0)]+←5 ⋄ x}2 2⍴⍳4 ⍝ → 1 7 ⏎ 8 4
x←3⍴⊂⍬ ⋄ {(⍵⊃x)←⍳⍵ ⋄ ⍵}¨⍳3     ⍝ → 1 2 3
x                              ⍝ →  1  1 2  1 2 3␠
y←x ⋄ (2⊃x)←0 ⋄ y              ⍝ →  1  1 2  1 2 3␠
((2⊃y)[1])←'X'
((3⊃y)[1])←'X' ⋄ y             ⍝ →  1  X 2  X 2 3␠

⍝ Many places, some of them again and again
x←5⍴0 ⋄ x[10000⍴⍳5]+←1 ⋄ x      ⍝ → 2000 2000 2000 2000 2000
x←3⍴1 ⋄ x[1 1 2 1]×←2 3 4 5 ⋄ x ⍝ → 30 4 1
x←3⍴0 ⋄ x[1 1 2]-⍨←5 6 7 ⋄ x    ⍝ → 1 7 0
x←2 2⍴0 ⋄ x[1 1;2 2]+←2 2⍴⍳4 ⋄ x ⍝ → 0 10 ⏎ 0  0
x←⍳3 ⋄ x[1 1]+←⊂1 2 ⋄ x         ⍝ →  3 5  2 3
x←1 ⋄ (5⍴x)+←1 ⋄ x              ⍝ → 6
x←⍳3 ⋄ x[1 1]÷←0                ⍝ ! DOMAIN ERROR
x                               ⍝ → 1 2 3

⍝ Strands and brackets
a←10 20 30 ⋄ b←40 50 60
a b[2]                          ⍝ →  40 50 60␠
a[1]b[2]                        ⍝ → 10 50
a[1]b[2]b[3]                    ⍝ → 10 50 60
a[1]a b[2]                     ⍝ → 10   40 50 60 ␠
1 2 3[2]a[3]                    ⍝ → 2 30
(a[1])b[2]                      ⍝ →  40 50 60␠
'abc' 'def'[1]                  ⍝ →  abc␠
a[1]5 6                         ⍝ → 10 5 6
5 a[1][⍬]                      ⍝ ! RANK ERROR
+/a[1]b[2]                      ⍝ → 60
a[1],b[2]                       ⍝ → 10 50

⍝ Brackets behind a selection index what it selects
MAT←4 3⍴'Hello' 'World' ⋄ (2↑¨MAT)[1 2;]←'#'
MAT[1 3;] ⍝ →  ##llo  ##rld  ##llo  ⏎  Hello  World  Hello␠
MAT←4 3⍴'Hello' 'World' ⋄ (∊MAT)[2×⍳⌊0.5×⍴∊MAT]←'#'
MAT[1 2;] ⍝ →  H#l#o  #o#l#  H#l#o  ⏎  #o#l#  H#l#o  #o#l#␠
x←⍳5 ⋄ (2↓x)[2]←0 ⋄ x ⍝ → 1 2 3 0 5
x←⍳5 ⋄ (2↓x)[2 3]+←10 20 ⋄ x ⍝ → 1 2 3 14 25
x←(1 2 3)(4 5 6) ⋄ (2⊃x)[1 3]×←10 ⋄ x ⍝ →  1 2 3  40 5 60␠
x←3 3⍴⍳9 ⋄ (⍉x)[1;]←0 ⋄ x ⍝ → 0 2 3 ⏎ 0 5 6 ⏎ 0 8 9
x←2 2⍴⍳4 ⋄ x(⊖)[1]⍨←1 ⋄ x ⍝ → 3 4 ⏎ 1 2
(1 2 3)[1]←5 ⍝ ! SYNTAX ERROR

⍝ What is selected of nothing are fills: nothing to assign to
x←0⍴⊂'ab' ⋄ (⊃x)←'xy' ⋄ x≡0⍴⊂'ab' ⍝ → 1
x←0 0⍴⊂'ab' ⋄ (⊃x)×←¯2 ⋄ ⍴x ⍝ → 0 0
x←0⍴⊂'ab'(1 2) ⋄ (2↑x)←9 ⋄ ⍴x ⍝ → 0

⍝ Functions and operators under names in a modified assignment
plus←{⍺+⍵} ⋄ tw←{⍺ ⍺⍺ ⍵ ⍺⍺ ⍵}
x←⍳3 ⋄ x plus¨←1 2 3 ⋄ x ⍝ → 2 4 6
x←⍳3 ⋄ x plus∘-←1 ⋄ x ⍝ → 0 1 2
x←⍳3 ⋄ x+tw←1 ⋄ x ⍝ → 3 4 5
x←⍳3 ⋄ x plus tw←1 ⋄ x ⍝ → 3 4 5
x←⍳3 ⋄ x[1 2]plus¨←10 ⋄ x ⍝ → 11 12 3
x←⍳3 ⋄ (2↑x)plus⍨¨←10 ⋄ x ⍝ → 11 12 3
x←⍳2 ⋄ x∘.plus←1 2 ⋄ x ⍝ → 2 3 ⏎ 3 4
{y←⍵ ⋄ y plus¨←1 ⋄ y}1 2 ⍝ → 2 3
plus←3 ⋄ plus ⍝ → 3

⍝ What fails on the way is told of the target, whoever computes it
x←3⍴6 8 ⋄ {0::(⊃⌽⎕DM)⍳'^' ⋄ ((x>5)/x)÷←0}0 ⍝ → 35
y←1 3⍴x ⋄ {0::(⊃⌽⎕DM)⍳'^' ⋄ y[(2 1);2]+←0.5}0 ⍝ → 35
ns←(a:⍳5) ⋄ {0::(⊃⌽⎕DM)⍳'^' ⋄ ns.a÷←0}0 ⍝ → 37
x←⍳5 ⋄ x[1 2+0.0]+←1 ⋄ x ⋄ x[1.5 2]+←1 1      ⍝ ! DOMAIN ERROR
x←⍳2 ⋄ {0::(⊃⌽⎕DM)⍳'^' ⋄ (2↑x[1 1 9])←5}0 ⍝ → 35

⍝ What a selection names in a vector is written over where it is; what others hold stays.
f←0.5×⍳9000 ⋄ g←f ⋄ b←9000⍴1 0 0 ⋄ (b/f)←0 ⋄ (+/f)(+/g)    ⍝ → 13503000 20252250
(b/f)←f[⍸b]+1 ⋄ +/f                            ⍝ → 13506000
((⌽b)/f)←1 2                                   ⍝ ! LENGTH ERROR
+/f                                            ⍝ → 13506000
(0/f)←5 ⋄ (3↑7↓f)←1 2 3 ⋄ 6↓11↑f               ⍝ → 1 1 2 3 5.5
i←9000⍴1 2 3 ⋄ (b/i)←1E10 ⋄ (3↑i),30000000015000=+/i    ⍝ → 1E10 2 3 1
(b/i)←'a' ⋄ 4↑i                                ⍝ → a 2 3 a
(b/i)←⊂1 2 ⋄ ≢∊i                               ⍝ → 12000
h←⍳9000 ⋄ (⌽h)←h ⋄ h≡⌽⍳9000                    ⍝ → 1
h←⍳9000 ⋄ (9005↑h)←0 ⋄ +/h                     ⍝ → 0
h←⍳9000 ⋄ (4500 2⍴h)←4500 2⍴⌽⍳9000 ⋄ h≡⌽⍳9000  ⍝ → 1
{h←⍳9000 ⋄ k←h×1 ⋄ s←+/h ⋄ (⍵/h)←0 ⋄ s(+/k)(+/h)}b   ⍝ → 40504500 40504500 27006000
