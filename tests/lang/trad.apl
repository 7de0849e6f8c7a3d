⍝ SPDX-License-Identifier: MIT
⍝ Traditional functions, control structures and branches.
⍝ in order: lines depend on what lines before them did

⍝ niladic: the result is used where a value stands
)CLEAR
∇ r←two
 r←2
∇
1+two  ⍝ → 3
two×two  ⍝ → 4

⍝ no result: nothing is shown, and the call is no value
)CLEAR
∇ say x
 'said ',x
∇
say 'a'  ⍝ → said a
∇ t
 :Trap 6
   1+say 'b'
   'not here'
 :Else
   'no value'
 :EndTrap
∇
t  ⍝ → said b ⏎ no value

⍝ shy: shown only when it is used
)CLEAR
∇ {r}←quiet x
 r←x+1
∇
quiet 1
⊢quiet 1  ⍝ → 2
a←quiet 2
a  ⍝ → 3
1+quiet 3  ⍝ → 5

⍝ ambivalent: the left name has no value when there is no left argument
)CLEAR
∇ r←{a}amb b
 :If 0=⎕NC'a' ⋄ a←100 ⋄ :EndIf
 r←a+b
∇
amb 1  ⍝ → 101
2 amb 1  ⍝ → 3
amb¨1 2  ⍝ → 101 102

⍝ a dyadic function needs its left argument, a monadic one takes none: SYNTAX ERROR
)CLEAR
∇ r←a dy b
 r←a,b
∇
∇ r←mo b
 r←b
∇
∇ t
 :Trap 0
   dy 1
 :Else
   ⎕EN
 :EndTrap
 :Trap 0
   1 mo 2
 :Else
   ⎕EN
 :EndTrap
∇
t  ⍝ → 2 ⏎ 2

⍝ a list of names takes a vector of that length apart
)CLEAR
∇ r←area(w h)
 r←w×h
∇
area 3 4  ⍝ → 12
area¨(1 2)(5 6)  ⍝ → 2 30
∇ t x
 :Trap 5
   area x
 :Else
   'length'
 :EndTrap
∇
t 1 2 3  ⍝ → length
t 1 2  ⍝ → 2

area 3  ⍝ ! LENGTH ERROR: area takes a vector of 2 items
area 1 2⍴3 4  ⍝ ! LENGTH ERROR
∇ r←one(w)
 r←w
∇
one,3  ⍝ → 3
one 3  ⍝ ! LENGTH ERROR

⍝ a list of names as the result is their values side by side
)CLEAR
∇ (y m d)←birthday age
 y←1949+age
 m←4
 d←30
∇
birthday 50  ⍝ → 1999 4 30
≢birthday 1  ⍝ → 3

⍝ a monadic operator, its derived function ambivalent
)CLEAR
∇ r←{x}(f twice)y
 :If 0=⎕NC'x'
   r←f f y
 :Else
   r←x f x f y
 :EndIf
∇
×⍨twice 3  ⍝ → 81
1 +twice 5  ⍝ → 7
{⍵+1}twice 0  ⍝ → 2

⍝ a dyadic operator with functions and with an array
)CLEAR
∇ r←(f after g)y
 r←f g y
∇
-after(×⍨)5  ⍝ → ¯25
∇ r←(n times f)y;i
 r←y
 :For i :In ⍳n
   r←f r
 :EndFor
∇
3 times(2∘×)1  ⍝ → 8

⍝ the operator of the manual that filters
)CLEAR
∇ VEC←(P FILTER)VEC
 VEC←(P¨VEC)/VEC
∇
{2|⍵}FILTER 1 2 3 4 5  ⍝ → 1 3 5
⎕NC'FILTER'  ⍝ → 4
⎕NC⊂'FILTER'  ⍝ → 4.1

⍝ classes: traditional, a copy of it, what is derived from it
)CLEAR
∇ R←AVG X
 R←(+/X)÷≢X
∇
MEAN←AVG
VMEAN←AVG∘,
⎕NC'AVG' 'MEAN' 'VMEAN'  ⍝ → 3.1 3.1 3.3
⎕NC'AVG'  ⍝ → 3
MEAN 1 2 3 6  ⍝ → 3

⍝ a name that is not local is the global one
)CLEAR
A←1
∇ F
 A←10
∇
F
A  ⍝ → 10

⍝ a local name keeps the global one
)CLEAR
A←1
∇ F;A
 A←10
 A
∇
F  ⍝ → 10
A  ⍝ → 1

⍝ a local name has no value until it is given one
)CLEAR
A←1
∇ F;A
 ⎕NC'A'
 :Trap 6
   A
 :Else
   'none'
 :EndTrap
∇
F  ⍝ → 0 ⏎ none
A  ⍝ → 1

⍝ dynamic scope: who is called sees, and changes, the names of its caller
)CLEAR
x←1
∇ outer;x
 x←10
 inner
 x
∇
∇ inner
 x
 x←x+1
∇
outer  ⍝ → 10 ⏎ 11
x  ⍝ → 1

⍝ names that a dfn assigns are its own, also within a traditional function
)CLEAR
∇ r←f x;y
 y←1
 {y←⍵}5
 r←y
 {y+←⍵}5
 r←r,y
∇
f 0  ⍝ → 1 6

⍝ lines of local names may follow the header
)CLEAR
c←'kept'
∇ r←foo y;a;b       ⍝ some locals
         ;c;d       ⍝ some more
 (a b c d)←y
 r←a+b-c×d
∇
foo 1 2 3 4  ⍝ → ¯9
c  ⍝ → kept

⍝ a label is the number of its line
)CLEAR
∇ r←f x
 ⍝ a comment is a line

L:r←L,M
M:r←r,x
∇
f 9  ⍝ → 3 4 9
⎕NC'L'  ⍝ → 0

⍝ a name becomes local while the function runs
)CLEAR
n←1
∇ f name
 ⎕SHADOW name
 ⍎name,'←99'
 n
∇
f 'n'  ⍝ → 99
n  ⍝ → 1

⍝ a local ⎕IO passes through until it is assigned, and is put back
)CLEAR
∇ r←f;⎕IO
 r←⎕IO
 ⎕IO←0
 r←r,g
∇
∇ r←g
 r←⎕IO,⍳2
∇
f  ⍝ → 1 0 0 1
⎕IO  ⍝ → 1

⍝ ⎕EX of a local name does not uncover the global one
)CLEAR
x←1
∇ f;x
 x←2
 z←⎕EX'x'
 ⎕NC'x'
∇
f  ⍝ → 0
x  ⍝ → 1

⍝ names are put back when an error leaves the function
)CLEAR
x←1
∇ f;x
 x←2
 ÷0
∇
∇ t
 :Trap 11
   f
 :Else
   x
 :EndTrap
∇
t  ⍝ → 1
x  ⍝ → 1

⍝ the manual's jump over a line
)CLEAR
∇ TEST
 1
 →4
 3
 4
∇
TEST  ⍝ → 1 ⏎ 4

⍝ an empty branch goes on, 0 leaves
)CLEAR
∇ f x
 →⍬
 'one'
 →x⍴0
 'two'
 →''
 'three'
 →0
 'four'
∇
f 0  ⍝ → one ⏎ two ⏎ three
f 1  ⍝ → one

⍝ conditional branches: ×⍳, /, ⍴, and several labels
)CLEAR
∇ r←f n
 →BIG×⍳n>10
 →(n<0)/NEG
 →(n=0 1)/ZERO,ONE
 r←'other' ⋄ →0
BIG:r←'big' ⋄ →0
NEG:r←'negative' ⋄ →0
ZERO:r←'zero' ⋄ →0
ONE:r←'one'
∇
f¨20 ¯1 0 1 5  ⍝ →  big  negative  zero  one  other

⍝ a line that is not there ends the function
)CLEAR
∇ r←f n
 r←n
 →n
 r←'fell through'
∇
f 99  ⍝ → 99
f ¯1  ⍝ → ¯1
f 3  ⍝ → fell through

⍝ a loop by labels
)CLEAR
∇ r←fact n;i
 r←i←1
L:→(n<i)/0
 r←r×i
 i←i+1
 →L
∇
fact 10  ⍝ → 3628800

⍝ An arrow alone leaves everything that runs
)CLEAR
∇ F
 'F[1]'
 G
 'F[3]'
∇
∇ G
 'G[1]'
 →
 'G[3]'
∇
F  ⍝ → F[1] ⏎ G[1]
'next'  ⍝ → next

⍝ a label, several expressions, a comment
)CLEAR
∇ f
MULT: 5×10 ⋄ 2×4  ⍝ MULTIPLICATION
 x←3 ⋄ x
∇
f  ⍝ → 50 ⏎ 8 ⏎ 3

⍝ the first condition that holds
)CLEAR
∇ r←wine age
 :If age<5
   r←'young'
 :ElseIf age<10
   r←'right'
 :ElseIf age<15
   r←'past'
 :Else
   r←'over'
 :EndIf
∇
wine¨1 5 12 30  ⍝ →  young  right  past  over

⍝ :AndIf is not evaluated behind a false one, nor :OrIf behind a true one
)CLEAR
∇ r←say x
 ⎕←'asked ',⍕x
 r←x
∇
∇ t
 :If say 0
 :AndIf say 1
   'both'
 :Else
   'not both'
 :EndIf
 :If say 1
 :OrIf say 0
   'one'
 :EndIf
∇
t  ⍝ → asked 0 ⏎ not both ⏎ asked 1 ⏎ one

⍝ control words in any case, :End for all, several on a line
)CLEAR
∇ t;i
 :if 1 ⋄ 'a' ⋄ :end
 :FOR i :IN 1 2 ⋄ i ⋄ :ENDFOR
 :While i<4 ⋄ i←i+1 ⋄ :End
 i
∇
t  ⍝ → a ⏎ 1 ⏎ 2 ⏎ 4

⍝ a condition is one 0 or 1; anything else is DOMAIN ERROR
)CLEAR
∇ r←t c
 :Trap 0
   :If c
     r←'yes'
   :Else
     r←'no'
   :EndIf
 :Else
   r←⎕EN
 :EndTrap
∇
t 1  ⍝ → yes
t,0  ⍝ → no
t 2  ⍝ → 11

⍝ the condition is asked before each round
)CLEAR
∇ r←f n
 r←⍬
 :While n>0
   r←r,n
   n←n-1
 :EndWhile
∇
f 3  ⍝ → 3 2 1
⍴f 0  ⍝ → 0

⍝ at least once, then until the condition holds
)CLEAR
∇ r←f n
 r←0
 :Repeat
   r←r+1
 :Until r≥n
∇
f 5  ⍝ → 5
f ¯5  ⍝ → 1

⍝ values from left to right, none for an empty array
)CLEAR
∇ r←f v;i
 r←⍬
 :For i :In v
   r←r,10×i
 :EndFor
∇
f 3 4 5  ⍝ → 30 40 50
⍴f ⍬  ⍝ → 0
f 7  ⍝ → 70

⍝ any rank, in ravel order; items are disclosed
)CLEAR
∇ f v;i
 :For i :In v
   i
 :EndFor
∇
f 2 2⍴⍳4  ⍝ → 1 ⏎ 2 ⏎ 3 ⏎ 4
f 'ab' 'cde'  ⍝ → ab ⏎ cde
f ⊂'whole'  ⍝ → whole

⍝ several variables: :In takes each item apart, :InEach goes along the lists
)CLEAR
∇ f;a;b
 :For a b :In (1 2)(3 4)
   ⎕←a b
 :EndFor
 :For a b :InEach (1 3)(2 4)
   ⎕←a b
 :EndFor
∇
f  ⍝ → 1 2 ⏎ 3 4 ⏎ 1 2 ⏎ 3 4

⍝ :Leave and :Continue are of the innermost loop
)CLEAR
∇ r←f;i;j
 r←⍬
 :For i :In 1 2
   :For j :In 1 2 3 4
     :If j=2 ⋄ :Continue ⋄ :EndIf
     :If j=4 ⋄ :Leave ⋄ :EndIf
     r←r,j+10×i
   :EndFor
   r←r,0
 :EndFor
∇
f  ⍝ → 11 13 0 21 23 0

⍝ :Case matches exactly, :CaseList any item
)CLEAR
∇ r←f x
 :Select x
 :Case 1
   r←'one'
 :Case 'abc'
   r←'text'
 :CaseList 2 3
   r←'few'
 :CaseList 'yes' 'no'
   r←'word'
 :Else
   r←'else'
 :EndSelect
∇
f 1  ⍝ → one
f,1  ⍝ → else
f 'abc'  ⍝ → text
f 3  ⍝ → few
f 'no'  ⍝ → word
f 9  ⍝ → else

⍝ an error of the listed kind goes behind :Else, others go on outwards
)CLEAR
∇ r←f code
 :Trap 0
   :Trap code
     r←÷0
   :Else
     r←'inner'
   :EndTrap
 :Else
   r←'outer'
 :EndTrap
∇
f 11  ⍝ → inner
f 5  ⍝ → outer
f ⍬  ⍝ → outer
f 0  ⍝ → inner

⍝ :Case and :CaseList by the number of the error
)CLEAR
∇ r←f x
 :Trap 0
   r←⍎x
 :Case 11
   r←'domain'
 :CaseList 4 5
   r←'shape'
 :Else
   r←'other ',⍕⎕EN
 :EndTrap
∇
f '1+1'  ⍝ → 2
f '÷0'  ⍝ → domain
f '1 2+1 2 3'  ⍝ → shape
f 'undefined∆name'  ⍝ → other 6

⍝ without :Else execution goes on behind :EndTrap
)CLEAR
∇ r←f
 r←'before'
 :Trap 11
   ÷0
   r←'not reached'
 :EndTrap
 r←r,' and after'
∇
f  ⍝ → before and after

⍝ :Return anywhere is →0
)CLEAR
∇ r←f v;i
 :For i :In v
   :If i<0
     r←'negative'
     :Return
   :EndIf
 :EndFor
 r←'fine'
∇
f 1 2 ¯3 4  ⍝ → negative
f 1 2  ⍝ → fine

⍝ names are those of the namespace; local names stay visible
)CLEAR
ns←⎕NS''
ns.a←5
∇ r←f ref;x
 x←10
 :With ref
   b←a+x
 :EndWith
 r←ref.b
∇
f ns  ⍝ → 15
ns.(a b)  ⍝ → 5 15
⎕NC'b'  ⍝ → 0

⍝ a section changes nothing
)CLEAR
∇ r←f x
 :Section the first part
   r←x
 :EndSection
 :Section
   :If x>1
     r←r,2
   :EndIf
 :EndSection done
∇
f 3  ⍝ → 3 2

⍝ the error belongs to the statement that called
)CLEAR
∇ R←A DIVIDE B
 :If 0∊B
   'DIVISION ERROR'⎕SIGNAL 11
 :EndIf
 R←A÷B
∇
∇ t
 :Trap 11
   2 4 6 DIVIDE 0
 :Else
   ⊃⎕DM
   (2⊃⎕DM)~' '
   ⎕EN
 :EndTrap
∇
t  ⍝ → DIVISION ERROR ⏎ t[2]246DIVIDE0 ⏎ 11

⍝ an empty number signals nothing
)CLEAR
∇ r←f x
 'too small'⎕SIGNAL(x<0)/500
 r←x
∇
f 3  ⍝ → 3
∇ t
 :Trap 500
   f ¯3
 :Else
   ⊃⎕DM
 :EndTrap
∇
t  ⍝ → too small

⍝ ⎕DM says function, line and statement
)CLEAR
∇ f x
 ⍝ first
 y←1÷x
∇
∇ t
 :Trap 0
   f 0
 :Else
   ⊃⎕DM
   (2⊃⎕DM)~' '
 :EndTrap
∇
t  ⍝ → DOMAIN ERROR ⏎ f[2]y←1÷x

⍝ a local ⎕TRAP with E branches to a label
)CLEAR
∇ R←A DIV B;⎕TRAP
 ⎕TRAP←11 'E' '→ERR'
 R←A÷B
 →0
ERR:R←'none'
∇
10 DIV 2  ⍝ → 5
10 DIV 0  ⍝ → none

⍝ C cuts back to the function where ⎕TRAP is local
)CLEAR
∇ r←f;x;⎕TRAP
 x←'f'
 ⎕TRAP←0 'C' '→ERR'
 r←g
 →0
ERR:r←'back in ',x
∇
∇ r←g;x
 x←'g'
 r←÷0
∇
f  ⍝ → back in f

⍝ the name, shy; a number, not shy, where the definition is wrong
)CLEAR
⎕FX 'r←foo x' 'r←x+1'
foo 1  ⍝ → 2
⊢⎕FX 'r←bar x' 'r←x-1'  ⍝ → bar
bar 1  ⍝ → 0
⎕FX 'a b c d e' '1'  ⍝ → 1
⎕NC'a'  ⍝ → 0

⍝ the lines of a function; none for what is no function
)CLEAR
∇ r←MEAN x    ⍝ average
 r←(+/x)÷≢x
∇
≢⎕NR'MEAN'  ⍝ → 2
(⊂' ')~⍨¨⎕NR'MEAN'  ⍝ →  r←MEANx⍝average  r←(+/x)÷≢x
v←1
⍴⎕NR'v'  ⍝ → 0
⍴⎕CR'v'  ⍝ → 0 0

⍝ functions and operators by class
)CLEAR
∇ alpha
∇
∇ r←(f beta)y
 r←f y
∇
gamma←{⍵}
⎕NL ¯3  ⍝ →  alpha  gamma
⎕NL ¯4  ⍝ →  beta
⎕NL ¯3.1  ⍝ →  alpha

⍝ ⎕SI and ⎕LC name what runs, the innermost first
)CLEAR
∇ outer
 ⍝ line 1
 inner
∇
∇ inner
 ⎕SI
 ⎕LC
∇
outer  ⍝ →  inner  outer ⏎ 2 2
⍴⎕SI  ⍝ → 0

⍝ which lines have a stop; lines that are not there are ignored
)CLEAR
∇ R←FOO
 R←10
∇
⊢(0,⍳10)⎕STOP'FOO'  ⍝ → 0 1
⎕STOP'FOO'  ⍝ → 0 1
⊢1 ⎕STOP'FOO'  ⍝ → 1
⍴⍬ ⎕STOP'FOO'  ⍝ → 0
FOO  ⍝ → 10

⍝ a traditional function as an operand, a dfn as another one's
)CLEAR
∇ r←a add b
 r←a+b
∇
add/1 2 3 4  ⍝ → 10
1 2 3 add¨10 20 30  ⍝ → 11 22 33
(add⍨)5  ⍝ → 10
10 add⍤0⊢1 2  ⍝ → 11 12
1 2∘.add 10 20  ⍝ → 11 21 ⏎ 12 22

⍝ control structures in the lines of a script
)CLEAR
:For i :In 1 2
  :If i=2
    ⎕←'two'
  :Else
    ⎕←i
  :EndIf
:EndFor  ⍝ → 1 ⏎ two
:Trap 0
  ⎕←÷0
:EndTrap
⎕←'and on'  ⍝ → and on

⍝ a namespace with traditional functions
)CLEAR
⎕FIX ':Namespace calc' 'k←10' '∇ r←scale x' ' r←k×x' '∇' '∇ r←both x' ' r←(scale x)k' '∇' ':EndNamespace'
calc.scale 2 3  ⍝ → 20 30
calc.k←100
calc.both 1  ⍝ → 100 100
⎕NC⊂'calc.scale'  ⍝ → 3.1

⍝ ⍎ makes local names local
)CLEAR
∇ f;x
 ⍎'x←5'
 x
∇
f  ⍝ → 5
⎕NC'x'  ⍝ → 0

⍝ the newest definition counts; an array's name is free again after ⎕EX
)CLEAR
∇ r←f
 r←1
∇
f  ⍝ → 1
∇ r←f
 r←2
∇
f  ⍝ → 2
z←⎕EX'f'
f←3
f  ⍝ → 3

⍝ nested structures and early leaving, as people write them
)CLEAR
∇ r←primes n;i;j
 r←⍬
 :For i :In 1↓⍳n
   :For j :In r
     :If 0=j|i
       →NEXT
     :EndIf
   :EndFor
   r←r,i
NEXT:
 :EndFor
∇
primes 20  ⍝ → 2 3 5 7 11 13 17 19

⍝ ── what is refused, when it is defined ──
)CLEAR
⎕FX 'r←f x' ':If x' 'r←1'                      ⍝ → 2
⎕FX 'r←f x' ':If x' 'r←1' ':EndWhile'          ⍝ → 4
⎕FX 'r←f x' ':Leave'                           ⍝ → 2
⎕FX 'r←f x' ':AndIf 1'                         ⍝ → 2
⎕FX 'r←f x' ':For i ⍳3' ':EndFor'              ⍝ → 2
⎕FX 'r←f x' ':Case 1'                          ⍝ → 2
⎕FX 'r←f x' ':Nothing'                         ⍝ → 2
⎕FX 'r←f x' '1 2('                             ⍝ → 2
⎕FX 'r←(f x'                                   ⍝ → 1
⎕FX 5                                          ⍝ ! DOMAIN ERROR
v←1
⎕FX 'r←v x' 'r←x'                              ⍝ → 1
v                                              ⍝ → 1
⎕FX 'g←{' '⍵+1' '}'
g 1                                            ⍝ → 2

⍝ ── loops and their conditions ──
∇ r←f x;i
 r←⍬
 :While x>0
   x-←1
   :If x=7 ⋄ :Continue ⋄ :EndIf
   :If x=3 ⋄ :Leave ⋄ :EndIf
   r,←x
 :EndWhile
∇
f 10                                           ⍝ → 9 8 6 5 4
∇ r←g x
 r←0
 :Repeat
   r+←1
   :If r=2 ⋄ :Continue ⋄ :EndIf
 :Until r≥x
 :AndIf r≠4
∇
g 4                                            ⍝ → 5
g 2                                            ⍝ → 2
∇ r←h x
 r←0
 :While x
 :AndIf r<5
   r+←1
 :EndWhile
∇
h 1                                            ⍝ → 5
h 0                                            ⍝ → 0
∇ r←o x
 :If x=1
   r←'between'
 :OrIf x=2
 :OrIf x=3
   r←'few'
 :ElseIf x=4
   r←'four'
 :Else
   r←'other'
 :EndIf
∇
o¨⍳5                                           ⍝ →  few  few  few  four  other
∇ r←k x;i;j
 r←0
 :For i j :InEach (1 2 3)10
   r+←i×j
 :EndFor
∇
k 0                                            ⍝ → 60
∇ z←jump;i
 z←⍬
 :For i :In ⍳9
   →(i>3)⍴OUT
   z,←i
 :EndFor
OUT:z,←0
∇
jump                                           ⍝ → 1 2 3 0

⍝ ── names ──
∇ r←fib n
 :If n<2 ⋄ r←n ⋄ :Else ⋄ r←(fib n-1)+fib n-2 ⋄ :EndIf
∇
fib 15                                         ⍝ → 610
∇ r←deep n
 r←1+deep n+1
∇
deep 0                                         ⍝ ! LIMIT ERROR
∇ r←acc x;s
 s←0
 {s+←⍵}¨x
 r←s
∇
acc ⍳4                                         ⍝ → 10
∇ r←w x;f
 f←{⍵×2}
 r←f x
∇
w 4                                            ⍝ → 8
fib 7                                          ⍝ → 13
∇ r←late x;y
 y←÷x
 r←1
 :Trap 0
   r←y+1
 :Else
   r←'no'
 :EndTrap
∇
late 0                                         ⍝ ! DOMAIN ERROR
late 2                                         ⍝ → 1.5
∇ r←lazy x;big
 :Trap 11
   big←÷x
   r←'not seen'
 :Else
   r←'seen'
 :EndTrap
∇
lazy 200000⍴1 0                                ⍝ → seen
lazy 200000⍴1 1                                ⍝ → not seen
∇ r←keeps x
 r←1
 :Trap 0
   r←2
   ÷0
 :EndTrap
∇
keeps 0                                        ⍝ → 2
∇ r←{left}amb right
 :If 0=⎕NC'left' ⋄ left←'none' ⋄ :EndIf
 r←left right
∇
amb¨1 2                                        ⍝ →   none  1   none  2
(⊂'a')amb¨1 2                                  ⍝ →  a 1  a 2
amb/1 2                                        ⍝ →  1 2
{r←1 amb ⍵ ⋄ r}5                               ⍝ → 1 5
⎕VR'keeps'                                     ⍝ →      ∇ r←keeps x ⏎ [1]    r←1 ⏎ [2]    :Trap 0 ⏎ [3]      r←2 ⏎ [4]      ÷0 ⏎ [5]    :EndTrap ⏎      ∇
⎕FX 'r←vr x' '⍝ one' ' ⍝ two' 'l:r←x' ' m: r←x' 'r←x' '' ' :If x' '   r←2' ' :EndIf'
⎕VR'vr'                                        ⍝ →      ∇ r←vr x ⏎ [1]   ⍝ one ⏎ [2]   ⍝ two ⏎ [3]   l:r←x ⏎ [4]   m: r←x ⏎ [5]    r←x ⏎ [6] ⏎ [7]    :If x ⏎ [8]      r←2 ⏎ [9]    :EndIf ⏎      ∇

⍝ ── many names ──
)CLEAR
a b j ←1 2 10
∇ r←many a;b;c;d;e;f;g;h;i;j;b;a;j
 ⎕SHADOW 'k k b'
 r←⎕NC ,¨'abjk'
 k←b←j←a
 r,←k b j
∇
many 5                                         ⍝ → 2.1 0 0 0 5 5 5
a b j                                          ⍝ → 1 2 10
k                                              ⍝ ! VALUE ERROR
∇ r←labels
 l:m:n:r←l,m,n
 →1E300
∇
labels                                         ⍝ ! DOMAIN ERROR

⍝ ── as programs have them ──
∇ r←pairs x;a;b
 :Access Public Shared
 :Implements Method ns.pairs
 r←⍬
 :For (a b) :In x ⋄ r,←a×b :EndFor
∇
pairs (1 2)(3 4)                               ⍝ → 2 12
∇ r←single x;i
 :For (i) :In x
  r←i ⋄ :EndFor
∇
single 'abc'                                   ⍝ → c
:For (a b) :InEach (1 2)(3 4) ⋄ c←a b :EndFor
c                                              ⍝ → 2 4
:If 0 ⋄ c←1 :Else ⋄ c←2 :EndIf
c                                              ⍝ → 2
∇ r←unfinished x
 :If x=1 ⋄ r←'one' :ElseIf
   r←2
 :EndIf
∇
unfinished 1                                   ⍝ → one
unfinished 2                                   ⍝ ! SYNTAX ERROR: an expression is missing behind the word
∇ r←handled x
 :Trap 11 ⋄ r←÷x
 :Case
 :EndTrap
∇
handled 2                                      ⍝ → 0.5
handled 0                                      ⍝ ! SYNTAX ERROR: an expression is missing behind the word
∇ r←x along[k]y
 r←x,y,⎕NC'k'
∇
1 along 2                                      ⍝ → 1 2 0
∇ r←(f op1)[k]y
 r←f y
∇
-op1 3                                         ⍝ → ¯3
1 along[1]2                                    ⍝ ! SYNTAX ERROR
⎕FX 'r←f[1]y'                                  ⍝ → 1
⎕FX 'r←f[k l]y'                                ⍝ → 1
⎕FX 'r←f[k]'                                   ⍝ → 1
⎕FX 'f x' ':For (1 b) :In x' ':EndFor'         ⍝ → 2
⎕FX 'f x' ':For () :In x' ':EndFor'            ⍝ → 2
⎕FX 'f x' 'x ⋄ l:x'                            ⍝ → 2
⎕FX 'f x' '0 :EndIf'                           ⍝ → 2
⎕FX 'f x' ':Accessible' 'x'                    ⍝ → 2

⍝ ── kept ──
)CLEAR
∇ r←a f b;c
 c←'it''s' ⍝ a text
 r←a+b
∇
∇ r←(p op)x
 r←p p x
∇
∇ zero
∇
ns←⎕NS⍬
ns.⎕FX 'r←sq x' 'r←x×k'
ns.k←3
]save trad.apl
⎕SAVE 'trad.vws'
)CLEAR
2 ⎕FIX 'file://trad.apl'
1 f 2                                          ⍝ → 3
×⍨op 3                                         ⍝ → 81
zero
ns.sq 5                                        ⍝ → 15
(⎕NR 'f')[2]                                   ⍝ →   c←'it''s' ⍝ a text
)CLEAR
⎕LOAD 'trad.vws'
1 f 2                                          ⍝ → 3
×⍨op 3                                         ⍝ → 81
ns.sq 5                                        ⍝ → 15
3⊃⎕NR 'f'                                      ⍝ →  r←a+b
t←f∘,
q←f
⎕FX 'r←f x' 'r←0'
]save trad.apl                                 ⍝ → trad.apl saved
⎕SAVE 'trad.vws'
)CLEAR
⎕LOAD 'trad.vws'
3 t 4                                          ⍝ → 7
)CLEAR
2 ⎕FIX 'file://trad.apl'
3 t 4                                          ⍝ → 7
3 q 4                                          ⍝ → 7
f 1                                            ⍝ → 0
⊢⎕NDELETE 'trad.vws' 'trad.apl'                ⍝ → 1 1

⍝ ── a function that a text gives when it runs ──
)CLEAR
t←'×'
2(⍎t)7                                         ⍝ → 14
2(⍎t)7+1                                       ⍝ → 16
10-2(⍎t)3                                      ⍝ → 4
(⍎t)¯7                                         ⍝ → ¯1
1 2(⍎t)3 4                                     ⍝ → 3 8
(⍎t)+/1 2 3                                    ⍝ → 1
2 3(⍎t)¨10 20                                  ⍝ → 20 60
(⍎t)/1 2 3 4                                   ⍝ → 24
1 0 1(⍎t)1 2 3                                 ⍝ → 1 0 3
(⍎'-')(⍎t)5                                    ⍝ → ¯1
{(⍎⍵)1 2 3}'+/'                                ⍝ → 6
{⍺(⍎⍵)1 2 3}⍨'+'                               ⍝ ! DOMAIN ERROR
h←⍎t
3 h 4                                          ⍝ → 12
n←⎕NS⍬
n.k←10
2 n.(⍎'+')5                                    ⍝ → 7
2 n.(⍎##.t)5                                   ⍝ → 10
n.(⍎'{⍵+k}')5                                  ⍝ → 15
n.add←{k+⍵}
get←{n}
(get 0).add 1                                  ⍝ → 11
1+(get 0).add 1                                ⍝ → 12
((get 0)(get 0)).add 1 2                       ⍝ → 11 12
(⍎'1 2')+1                                     ⍝ → 2 3
(⍎'1 2')(⍎'3')                                 ⍝ →  1 2  3
(⍎'1 0 1')/1 2 3                               ⍝ → 1 3

⍝ ── operators of a namespace keep their right operand ──
)CLEAR
a←⎕NS⍬ ⋄ a.b←⎕NS⍬
a.b.op←{⍺⍺ ⍵⍵ ⍵}
op←{⍺⍺ ⍵⍵ ⍵ ⋄ ⍺}
-a.b.op× 3                                     ⍝ → ¯1
{-a.b.op× ⍵}3                                  ⍝ → ¯1
{n←⎕NS⍬ ⋄ n.op←{⍺ ⍺⍺ ⍵⍵ ⍵} ⋄ 1 +n.op- ⍵}3      ⍝ → ¯2
+/a.b.op(2∘×)1 2 3                             ⍝ → 12
a.b.t←{-##.##.op× ⍵}
a.b.t 4                                        ⍝ → ¯1
a.t←{-b.op× ⍵} ⋄ a.t 4                         ⍝ → ¯1
a.t←{-#.op× ⍵} ⋄ a.t 4                         ⍝ → ¯1
a.b.t←{-⎕THIS.op× ⍵} ⋄ a.b.t 4                 ⍝ → ¯1
a.⎕FX 'r←(f top g)y' 'r←f g y'
-a.top(3∘+)1                                   ⍝ → ¯4
a.sl←/
+a.sl 1 2 3                                    ⍝ → 6
a.op←{⍺⍺ ⍵}
f←{-a.op ⍵}
f 3                                            ⍝ → ¯3
a.op←{⍺⍺ ⍵⍵ ⍵}
f 3                                            ⍝ ! SYNTAX ERROR
f←{-op ⍵} ⋄ op←{⍺⍺ ⍵}
f 3                                            ⍝ → ¯3
op←{⍺⍺ ⍵⍵ ⍵} ⋄ f←{-op× ⍵}
f 3                                            ⍝ → ¯1

⍝ ── the ⎕-variables of a namespace ──
)CLEAR
a←⎕NS⍬ ⋄ b←⎕NS⍬
{a.⎕IO←0}⍬
a.⎕IO                                          ⍝ → 0
{(a.⎕IO b.⎕IO)←1 0 ⋄ ⎕IO}⍬                     ⍝ → 1
a.⎕IO,b.⎕IO                                    ⍝ → 1 0
{b.⎕IO+←1}⍬
b.⎕IO                                          ⍝ → 1
{a.(⎕ML ⎕CT ⎕DIV)←0 0 1}⍬
a.(⎕ML,⎕CT,⎕DIV)                               ⍝ → 0 0 1
{a.(⎕IO←0)}⍬
a.⎕IO,⎕IO                                      ⍝ → 0 1
{#.⎕IO←0 ⋄ 1}⍬                                 ⍝ → 1
⎕IO                                            ⍝ → 0
#.⎕IO←1
∇ f;⎕IO
 ⎕IO←0
 a.⎕IO←1
∇
f
a.⎕IO,⎕IO                                      ⍝ → 1 1
{a.({⎕IO←0 ⋄ ⍵}1)}⍬                            ⍝ → 1
a.⎕IO                                          ⍝ → 1

⍝ ── labels ──
)CLEAR
∇ f x
 :Trap 2
   ⍎x
 :Else
   ⊃⎕DM
   ⎕DMX.Message
 :EndTrap
l:
∇
f 'l←3'                                        ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f 'l+←3'                                       ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f 'l[1]←3'                                     ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f '(x l)←3 4'                                  ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f '(⍬⍴l)←3'                                    ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f '{l+←⍵}3'                                    ⍝ → SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f '#.l←3'                                      ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f ':For l :In 1 2 ⋄ :EndFor'                   ⍝ → ⍎SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f 'set'                                        ⍝ ! VALUE ERROR
∇ set
 l←5
∇
f 'set'                                        ⍝ → SYNTAX ERROR ⏎ l is a label: it cannot be assigned
f '⎕←{l←⍵ ⋄ l}5'                               ⍝ → 5
∇ set;l
 ⎕←l←5
∇
f 'set'                                        ⍝ → 5
f '⎕←⎕NC''l''⋄⎕←⎕NC⊂''l''⋄⎕←⎕NL ¯1⋄⎕←(⊂''l'')∊⎕NL ¯2'   ⍝ → 1 ⏎ 1 ⏎  l ⏎ 0
f '⎕←⎕NC''#.l''⋄⎕←{l←5⋄⎕NC''l''}0⋄⎕←{⎕NC''l''}0⋄⎕←⎕NL 1 9'  ⍝ → 1 ⏎ 2 ⏎ 1 ⏎ l
∇ set;l
 ⎕←⎕NC'l'
 l←3
 ⎕←⎕NC'l'
∇
f 'set'                                        ⍝ → 0 ⏎ 2
l←7
l                                              ⍝ → 7

⍝ ── → in a text that ⍎ runs ──
)CLEAR
∇ f x
 ⍎x
 'one'
l:'two'
∇
f '→l'                                         ⍝ → two
f '→0'
f '→⍬'                                         ⍝ → one ⏎ two
f '1 ⋄ →l ⋄ 2'                                 ⍝ → 1 ⏎ two
f '1 ⋄ →⍬ ⋄ 2'                                 ⍝ → 1 ⏎ 2 ⏎ one ⏎ two
f '→2.5'                                       ⍝ ! DOMAIN ERROR
f '→'
f '{⍎''→l''}1'                                 ⍝ ! SYNTAX ERROR
f ':If 1 ⋄ →l ⋄ :EndIf'                        ⍝ ! SYNTAX ERROR
∇ g x;i
 :For i :In 1 2 3
   :Trap 0
     i
     1+⍎x
   :EndTrap
 :EndFor
l:'out'
∇
g '→l'                                         ⍝ → 1 ⏎ out
⍎'→1'                                          ⍝ ! SYNTAX ERROR
{→1}0                                          ⍝ ! SYNTAX ERROR

⍝ ── ⎕TRAP ──
∇ inner;⎕TRAP
 ⎕TRAP←(11 'N')(0 'E' '→0')
 ÷0
∇
∇ outer;⎕TRAP
 ⎕TRAP←11 'C' '→l'
 inner
 'not'
 →0
l:'cut'
∇
outer                                          ⍝ → cut
∇ inner;⎕TRAP
 ⎕TRAP←11 'S'
 ÷0
∇
outer                                          ⍝ ! DOMAIN ERROR
∇ inner;⎕TRAP
 ⎕TRAP←11 'E' 'count+←1'
 ÷0
∇
∇ outer;⎕TRAP
 ⎕TRAP←11 'E' 'count+←10'
 inner
∇
count←0
outer                                          ⍝ ! DOMAIN ERROR
count                                          ⍝ → 1
outer                                          ⍝ ! DOMAIN ERROR
count                                          ⍝ → 2
∇ next;⎕TRAP
 ⎕TRAP←11 'E' '→l'
 ÷0
l:'next'
∇
next                                           ⍝ → next
∇ nearer;⎕TRAP
 ⎕TRAP←11 'E' '→l'
 :Trap 11
   fails
 :Else
   'trap'
 :EndTrap
 {11::'guard' ⋄ fails}0
 →0
l:'not'
∇
∇ fails
 ÷0
∇
nearer                                         ⍝ → trap ⏎ guard
⎕TRAP←11 'X' '1'                               ⍝ ! DOMAIN ERROR
⎕TRAP←(11 'E' '1')5                            ⍝ ! DOMAIN ERROR
⎕TRAP←⍬

⍝ ── a niladic function of a namespace, and a local ⎕RL ──
n←⎕NS⍬
n.⎕FX 'say' '⎕←''said'''
n.say                                          ⍝ → said
1+n.say                                        ⍝ ! VALUE ERROR
⎕RL←⍬ 1
∇ f;⎕RL
 ⎕RL←42
 z←?10
∇
f
⎕RL                                            ⍝ →    1

⍝ ── words that are none ──
⎕FX 'f' ':Class a' ':EndClass'                 ⍝ → 2
:Field public x                                ⍝ ! SYNTAX ERROR: it stands in a class
:EndNamespace                                  ⍝ ! SYNTAX ERROR: :EndNamespace ends nothing
:Nothing                                       ⍝ ! SYNTAX ERROR: :Nothing is no control word
{:Class}                                       ⍝ ! SYNTAX ERROR: :Class is a control word: a dfn has none

⍝ ⎕STOP is event 1001 where somebody handles it, else it does nothing
)CLEAR
∇ r←f x
 r←x+1
 ⍝ a line without a statement: the stop is before the next one

 r←r×2
∇
1 ⎕STOP'f'
f 4                                            ⍝ → 10
∇ r←t;⎕TRAP
 :Trap 1001
   r←f 4
 :Else
   r←⎕EN,⎕LC
 :EndTrap
∇
t                                              ⍝ → 1001 4
{1001::'stopped' ⋄ f ⍵}4                       ⍝ → stopped
{0::'stopped' ⋄ f ⍵}4                          ⍝ → 10
{1000::⎕EM ⎕EN ⋄ f ⍵}4                         ⍝ → STOP
0 ⎕STOP'f'
{1001::'at the end' ⋄ f ⍵}4                    ⍝ → at the end
3 ⎕STOP'f'
{1001::⊃1↓⎕DM ⋄ f ⍵}4                          ⍝ → f[4] r←r×2
∇ r←f x
 r←x+1
∇
⍴⎕STOP'f'                                      ⍝ → 0
{1001::'stopped' ⋄ f ⍵}4                       ⍝ → 5
∇ r←s;⎕TRAP
 ⎕TRAP←1001 'C' '→end'
 f 1
 r←'not stopped'
 →0
end:r←'trapped'
∇
s                                              ⍝ → 2 ⏎ not stopped
1 ⎕STOP'f'
s                                              ⍝ → trapped
⍝ a function stops itself at its next line
∇ r←self;x
 :Trap 1001
   x←(1+⊃⎕LC)⎕STOP⊃⎕SI
   r←'not here'
 :Else
   r←'here'
 :EndTrap
∇
self                                           ⍝ → here

⍝ ⎕TRACE shows values and branches
)CLEAR
∇ r←dsl skip;a;b;c;d
 a←2×3+4
 b←(2 3⍴'ABCDEF')a
 →next×⍳skip
 'skipped'
next:c←'one' ⋄ d←'two'
end:r←c d
∇
⊢(0,⍳6)⎕TRACE'dsl'                             ⍝ → 0 1 2 3 4 5 6
dsl 1  ⍝ →  dsl[1]  14 ⏎  dsl[2]   ABC  14 ⏎           DEF ⏎  dsl[3]  →5 ⏎  dsl[5]  one ⏎  dsl[5]  two ⏎  dsl[6]   one  two ⏎  dsl[0]   one  two ⏎  one  two
⍬ ⎕TRACE'dsl'
dsl 1                                          ⍝ →  one  two
∇ nothing x
 :If x
   →⍬
 :EndIf
 {}x
∇
⍝ a branch to nowhere
2 ⎕TRACE'nothing'
nothing 1                                      ⍝ →  nothing[2]  →

⍝ a function that a dfn calls sees the dfn's names, and assigns them
)CLEAR
x←'global'
∇ r←getx
 r←x
∇
∇ r←text s
 r←⍎s
∇
∇ r←setx y
 x←y ⋄ r←y
∇
∇ r←further
 r←getx
∇
∇ r←own;x
 x←'own' ⋄ r←getx
∇
∇ r←(f op)y
 r←f y
∇
{x←1 ⋄ getx}0                      ⍝ → 1
{getx}0                            ⍝ → global
{x←1 ⋄ r←setx 5 ⋄ r,x}0            ⍝ → 5 5
x                                  ⍝ → global
{x←1 ⋄ text'x+1'}0                 ⍝ → 2
{x←1 ⋄ text'⎕NC''x'''}0            ⍝ → 2
{zz←1 ⋄ text'⎕NL¯2'}0              ⍝ →  s  x  zz
{x←1 ⋄ r←text'⎕EX''x''' ⋄ r,⊂x}0   ⍝ → 1  global
{x←1 ⋄ further}0                   ⍝ → 1
{x←1 ⋄ own}0                       ⍝ → own
{x←1 ⋄ r←text¨'x' 'x←7' ⋄ r,x}0    ⍝ → 1 7 7
{x←⍵ ⋄ text⍤1⊢2 1⍴'x'}3            ⍝ → 3 3
{x←⍵ ⋄ {⍺⍺'x'}⍨text}3              ⍝ ! SYNTAX ERROR
{x←⍵ ⋄ text{⍺⍺'x'}0}3              ⍝ → 3
{x←⍵ ⋄ {x+⍵}op 1}3                 ⍝ → 4
{x←1 ⋄ {x←2 ⋄ getx}⍵}0             ⍝ → 2
{x←1 ⋄ {getx}⍵}0                   ⍝ → 1
{x←⍵ ⋄ ⍵=0:getx ⋄ (∇⍵-1),getx}3    ⍝ → 0 1 2 3
{x←2 ⋄ ⍎'x←3 ⋄ getx'}0             ⍝ → 3
∇ r←makes y;x
 ⎕SHADOW'xx'
 {⍎⍵,'←5'}¨'x' 'xx'
 r←getx,xx
∇
makes 0                            ⍝ → 5 5
⎕NC'xx'                            ⍝ → 0
{x←⍵ ⋄ (getx)(getx)}4              ⍝ → 4 4
x                                  ⍝ → global
∇ r←fn y
 r←f y
∇
{f←{⍵×10} ⋄ fn 3}0                 ⍝ → 30
∇ r←idx y
 x[2]←y ⋄ r←x
∇
{x←1 2 3 ⋄ r←idx 9 ⋄ r≡x}0         ⍝ → 1
∇ r←chain y;x
 x←5
 r←{getx}y
 r,←{x←6 ⋄ getx}y
 r,←x
∇
{x←4 ⋄ r←chain 0 ⋄ r,x}0           ⍝ → 5 6 5 4
∇ r←loop n
 :For x :In ⍳n ⋄ :EndFor
 r←x
∇
{x←2 ⋄ r←loop 10 ⋄ r,x}0           ⍝ → 10 10
∇ r←(f changes)y
 x←100
 r←(f y),x
∇
{x←7 ⋄ r←{x+⍵}changes 3 ⋄ r,x}0    ⍝ → 103 100 100
∇ r←hides y
 r←x
 ⎕SHADOW'x'
 x←y ⋄ r←r,x
∇
{x←7 ⋄ r←hides 9 ⋄ r,x}0           ⍝ → 7 9 7
∇ r←fails y
 x←3
 r←÷0
∇
{x←2 ⋄ 0::x ⋄ fails 0}0            ⍝ → 3
{x←2 ⋄ 0::x ⋄ r←x÷0 ⋄ getx}0       ⍝ → 2
x                                  ⍝ → global
∇ r←inner y
 r←{x+⍵}y
∇
{x←2 ⋄ inner 5}0                   ⍝ → 7
∇ r←later;k
 x←x+1
 :Trap 0
   k←÷x-x
 :EndTrap
 r←x
∇
{x←2 ⋄ r←later ⋄ r,x}0             ⍝ → 3 3

⍝ the local names of a function stay visible, and its own, in :With
)CLEAR
ns←⎕NS⍬
ns.x←'nsx'
x←'x'
∇ r←f;q
 :With ns
   r←⊂x
   q←5
   z←6
   r,←q z
   ⍎'q←7'
   r,←⍎'q'
   r,←{q+⍵}1
   (q y)←9 10
   :For q :In 11 12 ⋄ :EndFor
   q+←1
 :EndWith
 r,←q
∇
f≡'nsx' 5 6 7 8 13   ⍝ → 1
ns.⎕NL¯2             ⍝ →  x  y  z

⍝ an error in what ⍎ runs says so
)CLEAR
∇ r←f x
 r←÷x
∇
{0::⊃⎕DM ⋄ ⍎'1+'}0          ⍝ → ⍎SYNTAX ERROR
{0::⊃⎕DM ⋄ ⍎'1÷0'}0         ⍝ → ⍎DOMAIN ERROR
{0::⊃⎕DM ⋄ ⍎'(1'}0          ⍝ → ⍎SYNTAX ERROR
{0::⊃⎕DM ⋄ ⍎5}0             ⍝ → DOMAIN ERROR
{0::⊃⎕DM ⋄ ⍎'f 0'}0         ⍝ → DOMAIN ERROR
{0::⊃⎕DM ⋄ ⍎'{÷⍵}0'}0       ⍝ → DOMAIN ERROR
{0::⎕DMX.EM ⋄ ⍎'1÷0'}0      ⍝ → DOMAIN ERROR
{0::⎕EM ⎕EN ⋄ ⍎'1÷0'}0      ⍝ → DOMAIN ERROR
{0::⊃⎕DM ⋄ 'mine'⎕SIGNAL 11⊣⍎'1'}0   ⍝ ! DOMAIN ERROR

⍝ any ⎕-variable may be local; ⎕PATH has namespaces whose functions are found from elsewhere
)CLEAR
∇ r←f;⎕PATH;⎕WX;⎕DCT
 ⎕PATH←'lib' ⋄ ⎕WX←1 ⋄ ⎕DCT←0
 r←⎕PATH ⎕WX(g 3)
∇
lib←⎕NS⍬
lib.k←10
lib.x←5
lib.⎕FX'r←g y' 'r←y+k'
lib.⎕FX'r←nil' 'r←k'
lib.⎕FX'r←(h op)y' 'r←h h y'
lib.plus←+
f                      ⍝ →  lib  1 13
⎕PATH ⎕WX              ⍝ →    3
g 3                    ⍝ ! VALUE ERROR
⎕PATH←' nowhere lib'
g 3                    ⍝ → 13
1+nil                  ⍝ → 11
-op 3                  ⍝ → 3
{g ⍵}3                 ⍝ → 13
g¨1 2                  ⍝ → 11 12
x                      ⍝ ! VALUE ERROR
1 plus 2               ⍝ ! VALUE ERROR
⎕NC'g'                 ⍝ → 0
g←{⍵}
g 3                    ⍝ → 3
⎕EX'g'
a←⎕NS⍬
a.b←'a.b'⎕NS⍬
'a.b'⎕NS⍬
a.⎕FX'r←up y' 'r←-y'
a.b.(up 1)             ⍝ ! VALUE ERROR
⎕PATH←'↑'
a.b.(up 1)             ⍝ → ¯1
up 1                   ⍝ ! VALUE ERROR
⎕PATH←''

⍝ an array is not assigned to the name of a function that is defined by ∇
)CLEAR
∇ r←nil
 r←1
∇
∇ r←f y
 r←y
∇
∇ r←(g op)y
 r←g y
∇
nil←3                  ⍝ ! SYNTAX ERROR
f←3                    ⍝ ! SYNTAX ERROR
op←3                   ⍝ ! SYNTAX ERROR
(nil z)←3 4            ⍝ ! SYNTAX ERROR
#.f←3                  ⍝ ! SYNTAX ERROR
⍎'f←3'                 ⍝ ! SYNTAX ERROR
:For nil :In 1 2 ⋄ :EndFor   ⍝ ! SYNTAX ERROR
x←5
nil,x                  ⍝ → 1 5
∇ r←own;f
 f←3
 r←f
∇
own                    ⍝ → 3
f 2                    ⍝ → 2
f←{⍵+1}
f 1                    ⍝ → 2
f←7
f                      ⍝ → 7
op←{⍵}
op 4                   ⍝ → 4
⎕EX'nil'
nil←3
nil                    ⍝ → 3
{nil←⍵ ⋄ nil}4         ⍝ → 4

⍝ an error that is found late: the loop goes on from the round in which it was made
)CLEAR
∇ r←f d;i;x;⎕TRAP
 ⎕TRAP←11 'E' 'd[i]←1 ⋄ →L'
 r←⍬
 :For i :In ⍳5
  L:x←÷d[i]
   r←r,i,x
   :If i=5 ⋄ :AndIf x>100 ⋄ :EndIf
 :EndFor
∇
f 1 2 0 4 5            ⍝ → 1 1 2 0.5 3 1 4 0.25 5 0.2

⍝ ⎕CS: the rest of the function runs in another namespace, its local names stay its own
)CLEAR
n←⎕NS⍬
'm'⎕NS⍬
n.x←5
m.x←6
x←7
∇ r←f y;old;q;i
 q←1
 old←⎕CS n
 r←x,q
 z←8
 :For i :In 1 2
   ⎕CS'#.m'
   r,←x
   :With #.n
     r,←x
   :EndWith
   ⎕CS old
 :EndFor
 r,←x
 ⎕CS m
 r,←{x+⍵}y
∇
f 10                   ⍝ → 5 1 6 5 6 5 7 16
x,n.z                  ⍝ → 7 8
⎕NC'z'                 ⍝ → 0
∇ r←g
 r←⎕CS''
∇
g                      ⍝ → #
⎕CS'n'                 ⍝ ! NONCE ERROR
{⎕CS'n'}0              ⍝ ! NONCE ERROR
