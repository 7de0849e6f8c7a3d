⍝ SPDX-License-Identifier: MIT
⍝ Primitives called for each item of a nested array: what ¨ does at once is what calls would give.

W←(¯1+?300⍴8)↑¨⊂'abcdefg'
N←(¯1+?65⍴8)↑¨⊂300 ¯2 70000 4 5 6 7
F←(?64⍴8)↑¨⊂0.5 1 2 3 4 5 6
B←(?65⍴8)↑¨⊂1 0 0 1 1 0 1
C←(?63⍴8)↑¨⊂'añ→b𝄞'
Z←(?63⍴8)↑¨⊂1J2 3 4 5 6 7 8
M←(3 3⍴⍳9)'abc'(1 'a')5 ⍬''(⊂⊂1 2)1.5 (2J1 3)(0 3⍴0)
L←W N F B C Z M(2 3⍴6↑W)(⊂'abc')(⊂2 3⍴⍳6)(,⊂'')(⊂¨W)(5000↑¨'ab' 'cd')
S←{(⍺≡⍵)∧(⎕DR¨⍺)≡⎕DR¨⍵} ⍝ the same in the same types

⍝ … lengths and matches
∧/{(≢¨⍵)S{≢⍵}¨⍵}¨L                   ⍝ → 1
≢¨'abc' '' (,1)(2 3⍴0)7              ⍝ → 3 0 1 2 1
⎕DR ≢¨'a' 1                          ⍝ → 11
⎕DR ≢¨200⍴⊂200⍴1                     ⍝ → 163
≢¨2 2⍴'ab' 'c' '' 1                  ⍝ → 2 1 ⏎ 0 1
≢¨⊂'abc'                             ⍝ → 3
⍴≢¨0⍴⊂'abc'                          ⍝ → 0
∧/{(⍵≡¨⊂⊃⍵)S ⍵{⍺≡⍵}¨⊂⊃⍵}¨L           ⍝ → 1
∧/{(⍵≡¨⌽⍵)S ⍵{⍺≡⍵}¨⌽⍵}¨L             ⍝ → 1
∧/{(⍵≢¨⌽⍵)S ⍵{⍺≢⍵}¨⌽⍵}¨L             ⍝ → 1
∧/{((⊂⊃⍵)≢¨⍵)S(⊂⊃⍵){⍺≢⍵}¨⍵}¨L        ⍝ → 1
'ab'≡¨'ab' 'b'                       ⍝ → 0 1
(⊂'ab')≡¨'ab' 'b' 1                  ⍝ → 1 0 0
(65++/3=≢¨W)=+/(⊂'abc')≡¨W,65⍴⊂'abc' ⍝ → 1
1 2 3≡¨⊂1                            ⍝ → 1 0 0
'ab' 'c'≡¨'ab' 'c' 'd'               ⍝ ! LENGTH ERROR
(2 1⍴'ab' 'c')≡¨'ab' 'c'             ⍝ ! RANK ERROR
⍝ … elements
∧/{(⊃¨⍵)S{⊃⍵}¨⍵}¨L                   ⍝ → 1
∧/{(⊃¨⍵)S{⊃⍵}¨⍵}¨{(0<≢¨⍵)/⍵}¨5↑L     ⍝ → 1
∧/{(2⊃¨⍵)S{2⊃⍵}¨⍵}¨{(1<≢¨⍵)/⍵}¨5↑L   ⍝ → 1
⊃¨'abc' 'd' 'ef'                     ⍝ → ade
⊃¨2 2⍴'ab' 'c' 'd' 'e'               ⍝ → ac ⏎ de
⊃¨'ab' (1 2)                         ⍝ → a 1
⊃¨''(1 2)                            ⍝ →   1
⊃¨⍬''                                ⍝ → 0␠␠
3⊃¨'abc' 'de'                        ⍝ ! INDEX ERROR
0⊃¨'abc' 'de'                        ⍝ ! INDEX ERROR
{⎕IO←0 ⋄ 1⊃¨'abc' 'de'}0             ⍝ → be
1.5⊃¨'abc' 'de'                      ⍝ ! DOMAIN ERROR
1 2⊃¨'abc' 'de'                      ⍝ → ae
1⊃¨'abc'(2 2⍴⍳4)                     ⍝ ! RANK ERROR
{⎕ML←2 ⋄ ⊃¨'ab' 'c'}0                ⍝ →  ab c
⍝ … moves of vectors
∧/{(⌽¨⍵)S{⌽⍵}¨⍵}¨L                   ⍝ → 1
∧/{3(⌽¨S{⍺⌽⍵}¨)⍵}¨8↑L                ⍝ → 1
∧/{k←¯20 ¯7 ¯3 ¯1 0 1 3 7 20 ⋄ y←⍵ ⋄ ∧/{(⍵⌽¨y)S ⍵{⍺⌽⍵}¨y}¨k}¨8↑L ⍝ → 1
∧/{k←¯20 ¯7 ¯3 ¯1 0 1 3 7 20 ⋄ y←⍵ ⋄ ∧/{(⍵↑¨y)S ⍵{⍺↑⍵}¨y}¨k}¨6↑L ⍝ → 1
∧/{k←¯20 ¯7 ¯3 ¯1 0 1 3 7 20 ⋄ y←⍵ ⋄ ∧/{(⍵↓¨y)S ⍵{⍺↓⍵}¨y}¨k}¨6↑L ⍝ → 1
∧/{k←¯10+(≢⍵)⍴⍳20 ⋄ (k↑¨⍵)S k{⍺↑⍵}¨⍵}¨6↑L ⍝ → 1
∧/{k←¯10+(≢⍵)⍴⍳20 ⋄ (k↓¨⍵)S k{⍺↓⍵}¨⍵}¨6↑L ⍝ → 1
∧/{k←¯10+(≢⍵)⍴⍳20 ⋄ (k⌽¨⍵)S k{⍺⌽⍵}¨⍵}¨6↑L ⍝ → 1
(,2)↑¨'abc' 'd'                      ⍝ →  ab  d␠␠
(⊂2)↑¨'abc' 'd'                      ⍝ →  ab  d␠␠
2↑¨⊂'abc'                            ⍝ →  ab␠
1 2↑¨⊂'abc'                          ⍝ →  a  ab␠
2↑¨'abc'                             ⍝ →  a   b   c␠␠
⎕DR¨2↑¨(1↑'ab')(1↑70000 1)(0⍴1.5)    ⍝ → 80 323 645
≢¨5000↑¨'ab' 'c'                     ⍝ → 5000 5000
'x'↑¨'ab' 'c'                        ⍝ ! DOMAIN ERROR
1.5↓¨'ab' 'c'                        ⍝ ! DOMAIN ERROR
1 2↑¨'ab' 'cd' 'ef'                  ⍝ ! LENGTH ERROR
(⊂1 2)↑¨'ab' 'cd'                    ⍝ ! RANK ERROR
⍝ … and joined
∧/{(⍵,¨⌽⍵)S ⍵{⍺,⍵}¨⌽⍵}¨6↑L           ⍝ → 1
∧/{(⍵,¨⊂⊃⍵)S ⍵{⍺,⍵}¨⊂⊃⍵}¨6↑L         ⍝ → 1
∧/{('x',¨⍵)S'x'{⍺,⍵}¨⍵}¨L            ⍝ → 1
∧/{(⍵,¨'x')S ⍵{⍺,⍵}¨'x'}¨L           ⍝ → 1
∧/{(⍵,¨1)S ⍵{⍺,⍵}¨1}¨L               ⍝ → 1
∧/{(0.5,¨⍵)S 0.5{⍺,⍵}¨⍵}¨L           ⍝ → 1
∧/{x←(≢⍵)⍴'xyz' ⋄ (x,¨⍵)S x{⍺,⍵}¨⍵}¨6↑L ⍝ → 1
'abc',¨'def'                         ⍝ →  ad  be  cf␠
1 2,¨3.5 4                           ⍝ →  1 3.5  2 4␠
'ab',¨(⊂'')                          ⍝ →  a  b␠
(⊂'xy'),¨'ab' ''                     ⍝ →  xyab  xy␠
(2 2⍴'ab' 'c' 'd' ''),¨'-'           ⍝ →  ab-  c-␠ ⏎  d-   -␠␠
('ab',¨(2 2⍴⍳4)5)S'ab'{⍺,⍵}¨(2 2⍴⍳4)5 ⍝ → 1
⍝ … any other function, of short items and of long ones
∧/{(⍴¨⍵)S{⍴⍵}¨⍵}¨L                   ⍝ → 1
∧/{(≡¨⍵)S{≡⍵}¨⍵}¨L                   ⍝ → 1
∧/{(∪¨⍵)S{∪⍵}¨⍵}¨L                   ⍝ → 1
∧/{(⍋¨⍵)S{⍋⍵}¨⍵}¨5↑L                 ⍝ → 1
∧/{(⊂¨⍵)S{⊂⍵}¨⍵}¨L                   ⍝ → 1
∧/{('b'∊¨⍵)S'b'{⍺∊⍵}¨⍵}¨L            ⍝ → 1
∧/{(⍵⍳¨'b')S ⍵{⍺⍳⍵}¨'b'}¨5↑L         ⍝ → 1
∧/{('b'=¨⍵)S'b'{⍺=⍵}¨⍵}¨L            ⍝ → 1
∧/{(3⍴¨⍵)S 3{⍺⍴⍵}¨⍵}¨L               ⍝ → 1
∧/{(⍵∘.=¨⊂'ab')S ⍵{⍺∘.=⍵}¨⊂'ab'}¨L   ⍝ → 1
(+/¨⌽¨(⍳200)(⍳10))                   ⍝ → 20100 55
⊃¨⍋¨(⌽⍳129)(3 1 2)                   ⍝ → 129 2
2÷¨(1 2)(4 0)                        ⍝ ! DOMAIN ERROR
⍎¨'1+1' '2+2'                        ⍝ → 2 4

⍝ Items that are found and put in order by their bytes: as by the definition, which a float or a number
⍝ among them asks for.
T←(¯1+?400⍴20)↑¨⊂'abcdefgabcdefgabcdef'
T←T,(¯1+?200⍴12)↑¨⊂⎕UCS 97 0 0 98 0 255 0 0 97 0 0 0
T←T,{(?⍵⍴2)⊃¨⊂'ab'}¨?200⍴12
U←T[?100⍴≢T],'zz' 'abcdefgh' '' 'x'
FOUND←{k←1+≢⍺ ⋄ (⍺⍳⍵)≡k⌊(⍺,⊂1.5 2)⍳⍵}
T FOUND U                            ⍝ → 1
T FOUND 5↑U                          ⍝ → 1
T FOUND 4↑U                          ⍝ → 1
(3↑T)FOUND U                         ⍝ → 1
T FOUND T                            ⍝ → 1
(T∊U)≡T∊U,⊂1.5 2                     ⍝ → 1
(∪T)≡¯1↓∪T,⊂1.5 2                    ⍝ → 1
(≠T)≡¯1↓≠T,⊂1.5 2                    ⍝ → 1
(T~U)≡T~U,⊂1.5 2                     ⍝ → 1
(T∩U)≡T∩U,⊂1.5 2                     ⍝ → 1
G←(¯1+?300⍴5)↑¨⊂300 300 301 ¯5
H←(¯1+?300⍴5)↑¨⊂70000 300 301 ¯5
K←(¯1+?300⍴5)↑¨⊂'añ→b'
I←G,H,K,N,B
G FOUND G                            ⍝ → 1
G FOUND H                            ⍝ → 1
H FOUND I                            ⍝ → 1
K FOUND I                            ⍝ → 1
I FOUND I                            ⍝ → 1
I FOUND⌽I                            ⍝ → 1
T FOUND I                            ⍝ → 1
I FOUND T                            ⍝ → 1
('abc' 'de' 'abc' ''⍬)⍳''⍬(1 0)'abc' 'de' ⍝ → 4 5 6 1 2
(4⍴'ab' 'c')⍳(1 2⍴'ab')'ab' 'a' 'c' (,'c') ⍝ → 5 1 5 2 5
(4⍴'ab'(,'c'))⍳(1 2⍴'ab')'ab' 'a' 'c' (,'c') ⍝ → 5 1 5 5 2
(2 2⍴'ab' 'cd')⍳2 2⍴'ab' 'cd'        ⍝ → 1 1
≢∪⍕¨⍳1000                            ⍝ → 1000
(⍕¨⍳1000)⍳'1' '10' '1000' '1001'     ⍝ → 1001 10 1000 1001
LAST←⊂⎕UCS 65535 65535
∧/{(⍋⍵)≡¯1↓⍋⍵,LAST}¨T(⌽T)U(65⍴U)(3↑T)(2↑U)(T,T) ⍝ → 1
∧/{(⍒⍵)≡1↓⍒⍵,LAST}¨T(⌽T)U(65⍴U)(3↑T)(2↑U)(T,T) ⍝ → 1
⍋'b' 'ab' '' 'a'                     ⍝ → 3 4 2 1
⍋'bb' 'ab' '' 'aa'                   ⍝ → 3 4 2 1
⍒'bb' 'ab' '' 'aa' 'bb'              ⍝ → 1 5 2 4 3
⍋4⍴⊂'abcdefgh'                       ⍝ → 1 2 3 4
⍋'abcdefgh' 'abcdefg' 'abcdefghi' 'abcdefga' ⍝ → 2 4 1 3
{⎕IO←0 ⋄ ⍋'bb' 'ab' '' 'aa'}0        ⍝ → 2 3 1 0

⍝ Folds and dfns of many items: what they give for all of them side by side is what they give for each.
EACH←{0=≢⍵:⍬ ⋄ (⊂⍺⍺⊃⍵),∇ 1↓⍵}
V←(?600⍴9)↑¨⊂0.5 ¯1.25 3 1E300 1E¯300 2 7 0.1 5
X←(?600⍴9)↑¨⊂3 ¯2 7 4 100 6 7 ¯128 127
Y←(?600⍴9)↑¨⊂30000 ¯2 7 4 100 6 7 ¯128 127
Y2←(?600⍴9)↑¨⊂9E15 ¯2 7 4 9007199254740993 6 7 ¯128 127
CH←(?600⍴9)↑¨⊂'abcabdefg'
J←V X Y Y2(63↑V)(64↑V)(65↑X)(511↑X)(512↑Y)(513↑V)(⌽V)(1⌽X)
∧/{(+/¨⍵)S(+/EACH)⍵}¨J               ⍝ → 1
∧/{(⌈/¨⍵)S(⌈/EACH)⍵}¨J               ⍝ → 1
∧/{(-/¨⍵)S(-/EACH)⍵}¨J               ⍝ → 1
∧/{(∨/¨0<⍵)S(∨/EACH)0<⍵}¨J           ⍝ → 1
∧/{(+\¨⍵)S(+\EACH)⍵}¨J               ⍝ → 1
∧/{(⌊\¨⍵)S(⌊\EACH)⍵}¨J               ⍝ → 1
∧/{(+/¨⍵)S(+/EACH)⍵}¨{⍵,⊂⍬}¨J        ⍝ → 1
∧/{(+/¨⍵)S(+/EACH)⍵}¨{⍵,⊂2 2⍴⍳4}¨J   ⍝ → 1
∧/{({⍵+1}¨⍵)S{⍵+1}EACH ⍵}¨J          ⍝ → 1
({⍵÷1++/|⍵}¨Y)S{⍵÷1++/|⍵}EACH Y     ⍝ → 1
∧/{({+/⍵×⍵}¨⍵)S{+/⍵×⍵}EACH ⍵}¨X Y Y2  ⍝ → 1
∧/{({⌽⍵}¨⍵)S{⌽⍵}EACH ⍵}¨J            ⍝ → 1
∧/{({⍵[⍋⍵]}¨⍵)S{⍵[⍋⍵]}EACH ⍵}¨J      ⍝ → 1
∧/{({⊃⍵}¨⍵)S{⊃⍵}EACH ⍵}¨J            ⍝ → 1
∧/{({≢⍵}¨⍵)S{≢⍵}EACH ⍵}¨J            ⍝ → 1
({(⍵≠'b')/⍵}¨CH)S{(⍵≠'b')/⍵}EACH CH  ⍝ → 1
({⍵,'x'}¨CH)S{⍵,'x'}EACH CH          ⍝ → 1
({+/⍵='b'}¨CH)S{+/⍵='b'}EACH CH      ⍝ → 1
({∨/⍵='b'}¨CH)S{∨/⍵='b'}EACH CH      ⍝ → 1
({1⎕C ⍵}¨CH)S{1⎕C ⍵}EACH CH          ⍝ → 1
({(⊃⍵)(≢⍵)}¨CH)≡{(⊃⍵)(≢⍵)}EACH CH    ⍝ → 1
+/{⍵÷0}¨X                            ⍝ ! DOMAIN ERROR
{÷⍵}¨X,⊂0 1                          ⍝ ! DOMAIN ERROR

⍝ Parts of a vector, of every length and type, at its end too.
CUT←{p←⍸⍺ ⋄ ((1↓p,1+≢⍵)-p)↑¨(p-1)↓¨⊂⍵} ⍝ ⍺⊂⍵
MARKS←{1,(?(⍵-1)⍴9)=1}
∧/{m←MARKS ≢⍵ ⋄ (m⊂⍵)S m CUT ⍵}¨(?500⍴0)(?500⍴100)(?500⍴30000)(?500⍴2*30)(?500⍴2*40)(500⍴'abcdefg')(500⍴'añ→b')((?500⍴2)=1) ⍝ → 1
∧/{v←⍵⍴'abcdefg' ⋄ m←MARKS ⍵ ⋄ (m⊂v)S m CUT v}¨1+⍳200 ⍝ → 1
∧/{v←?⍵⍴0 ⋄ m←MARKS ⍵ ⋄ (m⊂v)S m CUT v}¨1+⍳100 ⍝ → 1
∧/{v←500⍴'abcdefg' ⋄ m←500⍴⍵↑1 ⋄ (m⊂v)S m CUT v}¨⍳130 ⍝ → 1
(∪(496⍴8↑1)⊂496⍴'abcdefgh')≡,⊂'abcdefgh' ⍝ → 1
≢∪(498⍴3↑1)⊂498⍴'abc'                ⍝ → 1
