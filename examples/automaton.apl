#!/usr/bin/env vapl
⍝ automaton.apl - regular expressions as scans. An automaton goes from state to state, character
⍝ by character; but each character is a function from states to states, a short vector, and
⍝ putting two of them together is one indexing, associative though it does not commute. So all
⍝ the states that a text goes through are a scan. Run it: vapl examples/automaton.apl

⍝ C comments, /[*]([^*]|[*]+[^*/])*[*]+/ : state 1 code, 2 after /, 3 in a comment, 4 after a *
⍝ in it, 5 just closed. The columns are the classes of a character: / * other.
next←5 3⍴2 1 1  2 3 1  3 4 3  5 4 3  2 1 1

text←'int a; /* one */ b=a/2; /* two ** stars / here **/ c();/**/ d=1;'
class←3⌊'/*'⍳text

⍝ The states one after the other: ⍺ is the class, ⍵ the state before. The first is 1.
states←1↓({next[⍵;⍺]}⍠'Forward' 1)\1,class
'C COMMENTS'
states
'closed' (+/states=5)

⍝ A character belongs to a comment if it is in state 3 or 4, closes one, or is the / before.
in←states∊3 4 5
in←in∨(1↓in,0)∧text='/'
in/text
(~in)/text

⍝ The same by functions: column ⍺ of the table is what a character does to every state. `then`
⍝ puts two of them together; it is associative, so ⍠'Assoc' 1 may cut the text anywhere.
act←{next[;⍵]}¨class
then←{⍺[⍵]}                                   ⍝ ⍵ first, then ⍺
all←(then⍠'Forward' 1)\act                    ⍝ what each beginning of the text does
'from state 1 the same' (states≡1⊃¨all)

⍝ The table as choices and arithmetic: a function of numbers, of which vapl finds that its states
⍝ are few, so that it makes one pass over a long text (]plan says `class: states`).
step←{c←(⍵=3)∨⍵=4 ⋄ ⍺=1:2+(⍵=3)+3×⍵=4 ⋄ ⍺=2:1+(3×c)+2×⍵=2 ⋄ 1+2×c}
'by choices the same' (states≡1↓(step⍠'Forward' 1)\1,class)
long←(1000000⍴class),3
'comments in a million characters' (+/5=(step⍠'Forward' 1)\1,long)

⍝ Does a whole text match? A number: -?[0-9]+([.][0-9]+)?  States: 1 start, 2 sign, 3 digits,
⍝ 4 point, 5 decimals, 6 no more. Classes: digit - . other.
number←6 4⍴3 2 6 6  3 6 6 6  3 6 4 6  5 6 6 6  5 6 6 6  6 6 6 6
kind←{1+(10<⍵)+(11<⍵)+12<⍵}
last←{⊃⌽({number[⍵;⍺]}⍠'Forward' 1)\1,kind'0123456789-.'⍳⍵}
match←{(last ⍵)∊3 5}
'NUMBERS' (match¨'12' '-3.5' '1.' '.5' '--2' '10.25' '7a')

⍝ Remainders are automata too: binary digits, read from the left, modulo 3.
mod3←3 2⍴1 2 3 1 2 3
bits←(?500⍴2)-1
left←¯1+1↓({mod3[⍵;⍺]}⍠'Forward' 1)\1,1+bits
should←({3|⍺+2×⍵}⍠'Forward' 1)\bits
'MODULO 3, all beginnings of a binary number' (left≡should)
