⍝ SPDX-License-Identifier: MIT
⍝ needs 'a'⎕S 0⊢'a'
⍝ ⎕R and ⎕S: patterns, transformations, options, texts of several lines.

⍝ Replacing
'a'⎕R'b'⊢'banana'              ⍝ → bbnbnb
('a'⎕R'')'banana'              ⍝ → bnn
''⎕R'-'⊢'abc'                  ⍝ → -a-b-c-
'x*'⎕R'-'⊢'abc'                ⍝ → -a-b-c-
'x'⎕R'y'⊢''                    ⍝ →
⍴'x'⎕R'y'⊢''                   ⍝ → 0
'^'⎕R'x'⊢''                    ⍝ → x
'a'⎕R'b'⊢'a'                   ⍝ → b
⍴'a'⎕R'b'⊢'a'                  ⍝ → 1
('.at'⎕R'\u0')'The cat sat'    ⍝ → The CAT SAT
('.at'⎕R'[&]')'The cat sat'    ⍝ → The [cat] [sat]
'(.)(.)'⎕R'\2\1'⊢'abcde'       ⍝ → badce
'(a)|(b)'⎕R'<\1|\2>'⊢'abc'     ⍝ → <a|><|b>c
'(?<x>.)(?<y>.)'⎕R'\<y>\<x>'⊢'abcd' ⍝ → badc
'(?<x>.)(?<y>.)'⎕R'\u<y>\(1)'⊢'abcd' ⍝ → BaDc
'b'⎕R'%'⊢'abc'                 ⍝ → aabcc
'b'⎕R'\u%'⊢'abc'               ⍝ → aABCc
'B'⎕R'\l&'⊢'aBc'               ⍝ → abc
'Σ'⎕R'\f&'⊢'aΣc'               ⍝ → aσc
'b'⎕R'\\\%\&'⊢'abc'            ⍝ → a\%&c
'b'⎕R'\x{4E16}'⊢'abc'          ⍝ → a世c
⎕UCS 'b'⎕R'\n\r'⊢'b'           ⍝ → 10 13
'b'⎕R'\q'⊢'abc'                ⍝ ! DOMAIN ERROR
'b'⎕R'\1'⊢'abc'                ⍝ ! DOMAIN ERROR
'b'⎕R'\<no>'⊢'abc'             ⍝ ! DOMAIN ERROR
'b'⎕R'\x{0}'⊢'abc'             ⍝ ! DOMAIN ERROR
'b'⎕R'\'⊢'abc'                 ⍝ ! DOMAIN ERROR
'(b'⎕R'x'⊢'abc'                ⍝ ! DOMAIN ERROR: a pattern, behind its character 2: missing closing parenthesis
'[b'⎕S 0⊢'abc'                 ⍝ ! DOMAIN ERROR
'red' 'blue'⎕R'blue' 'red'⊢'red hat blue coat' ⍝ → blue hat red coat
'red' 'blue'⎕R'x'⊢'red hat blue coat' ⍝ → x hat x coat
'an' 'ana'⎕R'1' '22'⊢'banana'  ⍝ → b11a
'ana' 'an'⎕R'1' '22'⊢'banana'  ⍝ → b1na
'aa' 'bb'⎕R'x' 'yy' 'zzz'⊢'a'  ⍝ ! LENGTH ERROR: 2 patterns, but 3 transformations
'\bthe\b'⎕R'a'⍠1⊢'The other the' ⍝ → a other a
'\d+'⎕R{⌽⍵.Match}⊢'a12b345'    ⍝ → a21b543
'\d+'⎕R{'<',⍵.Match,'>'}⊢'a12b345' ⍝ → a<12>b<345>
'b'⎕R{'\u&'}⊢'abc'             ⍝ → a\u&c
'b'⎕R{5}⊢'abc'                 ⍝ ! DOMAIN ERROR
'b'⎕R{}⊢'abc'                  ⍝ ! VALUE ERROR
'b'⎕R{÷0}⊢'abc'                ⍝ ! DOMAIN ERROR
'(\w)(\w*)'⎕R{(1 ⎕C ⍵.(Lengths[2]↑Offsets[2]↓Block)),⍵.(Lengths[3]↑Offsets[3]↓Block)}⊢'to be' ⍝ → To Be
⎕R'b'⊢'abc'                    ⍝ ! SYNTAX ERROR
1⎕R'b'⊢'abc'                   ⍝ ! DOMAIN ERROR
(2 2⍴'a')⎕R'b'⊢'abc'           ⍝ ! RANK ERROR
'a'⎕R 5⊢'abc'                  ⍝ ! DOMAIN ERROR
'a'⎕R'b'⊢5                     ⍝ ! DOMAIN ERROR
'a'⎕R'b'⊢2 2⍴'a'               ⍝ ! RANK ERROR
1('a'⎕R'b')'a'                 ⍝ ! NONCE ERROR
f←'a'⎕R'b'
f                              ⍝ → a ⎕R b
f¨'aa' 'ba'                    ⍝ →  bb  bb
(⌽f)'ca'                       ⍝ → bc
⎕NC⊂,'f'                       ⍝ → 3.3

⍝ Searching
STR←'The cat sat on the mat'
('.at'⎕S'\u0')STR              ⍝ →  CAT  SAT  MAT
('.at'⎕S 0)STR                 ⍝ → 4 8 19
('.at'⎕S 0 1)STR               ⍝ →  4 3  8 3  19 3
('.at'⎕S(,0))STR               ⍝ →  4  8  19
('.at'⎕S{⍵.((1↑Offsets),1↑Lengths)})STR ⍝ →  4 3  8 3  19 3
('.at'⎕S{})STR                 ⍝ →
('cat' 'mat'⎕S 3)STR           ⍝ → 0 1
('t'⎕S 4)STR                   ⍝ ! DOMAIN ERROR: ⎕S: codes are 0 to 3
('t'⎕S(2 2⍴0))STR              ⍝ ! RANK ERROR
'x'⎕S 0⊢'abc'                  ⍝ →
⍬≡'x'⎕S 0⊢'abc'                ⍝ → 1
(0⍴⊂'')≡'x'⎕S'&'⊢'abc'         ⍝ → 1
'é+'⎕S 0 1⊢'aéébé'             ⍝ →  1 2  4 1
'.'⎕S'&'⊢'世界'                ⍝ →  世  界
≢'.'⎕S'&'⊢'世界'               ⍝ → 2
'(A)|(B)'⎕S{⍵.(Offsets Lengths)}⊢'ABC' ⍝ →   0 0  1 1    1 ¯1 1  1 ¯1 1
'b(?<n>.)'⎕S{⍵.Names}⊢'abc'    ⍝ →     n
⊃'b.'⎕S{⍵.(Block BlockNum Pattern PatternNum Match ReplaceMode TextOnly)}⊢'abcd' ⍝ →  abcd  0  b.  0  bc  0 0
⊃'b.'⎕S{a←⍵ ⋄ a.Match}⊢'abcd'  ⍝ → bc
'\d'⎕S{⍵.Offsets[1]}⊢'a1b2'    ⍝ → 1 3
'b'⎕S{⍵.Nosuch}⊢'abc'          ⍝ ! VALUE ERROR
(?⍨5).Match                    ⍝ ! SYNTAX ERROR
'\w+'⎕S'&'⊢'to be, or not'     ⍝ →  to  be  or  not
≢¨'\w+'⎕S'&'⊢'to be, or not'   ⍝ → 2 2 2 3

⍝ Several lines
('e$'⎕R'E')'one' 'two' 'three' ⍝ →  onE  two  threE
('e'⎕S 2 0)'one' 'two' 'three' ⍝ →  0 2  2 3  2 4
('\s+'⎕R'\r')'a b' 'c'         ⍝ →  a  b  c
('o'⎕R'x')0⍴⊂''                ⍝ →
⍴('o'⎕R'x')0⍴⊂''               ⍝ → 0
('^'⎕R'>')'a' '' 'bc'          ⍝ →  >a  >  >bc
('^'⎕R'>')'ab',(⎕UCS 10),'c'   ⍝ → >ab ⏎ >c
⎕UCS('$'⎕R'x')'a',⎕UCS 13 10   ⍝ → 97 120 13 10
('$'⎕R'!'⍠'Mode' 'L')'ABC' 'DEF' ⍝ →  ABC!  DEF!
('$'⎕R'!'⍠'Mode' 'D')'ABC' 'DEF' ⍝ →  ABC  DEF!
('$'⎕R'!'⍠'Mode' 'M')'ABC' 'DEF' ⍝ →  ABC!  DEF!
('.'⎕R'X'⍠'Mode' 'D')'ABC' 'DEF' ⍝ →  XXX  XXX
('.'⎕R'X'⍠('Mode' 'D')('DotAll' 1))'ABC' 'DEF' ⍝ →  XXXXXXXX
('C\r\nD'⎕S 0 2⍠'Mode' 'D')'ABC' 'DEF' ⍝ →  2 0
('\n'⎕R'X'⍠('Mode' 'D')('EOL' 'LF'))'ABC' 'DEF' ⍝ →  ABCXDEF
('\n'⎕S 0⍠'Mode' 'D'⍠'NEOL' 1⍠'EOL' 'LF')'AB',(⎕UCS 13),'C',(⎕UCS 133),'D' ⍝ → 2 4
⎕UCS('A'⎕R'x'⍠'ResultText' 'Simple')'AB' 'CD' ⍝ → 120 66 13 10 67 68
('b'⎕R'x'⍠'ResultText' 'Nested')'ab',(⎕UCS 10),'bc' ⍝ →  ax  xc

⍝ Options
('[AEIOU]'⎕R'X'⍠'IC' 1)'ABCDE abcde' ⍝ → XBCDX XbcdX
('[AEIOU]'⎕R'X'⍠1)'ABCDE abcde' ⍝ → XBCDX XbcdX
('[AEIOU]'⎕R'X'⎕OPT 1)'ABCDE abcde' ⍝ → XBCDX XbcdX
('.'⎕R'x'⍠'ML' 2)'ABC' 'DEF'   ⍝ →  xxC  xxF
('.'⎕R'x'⍠'ML' ¯2)'ABC' 'DEF'  ⍝ →  AxC  DxF
('.'⎕R'x'⍠'ML' ¯4⍠'Mode' 'D')'ABC' 'DEF' ⍝ →  ABC  xEF
('.'⎕S'&'⍠'ML' ¯9)'ABC'        ⍝ →
('[A-Z].*[0-9]'⎕R'X')'ABC123 DEF456' ⍝ → X
('[A-Z].*[0-9]'⎕R'X'⍠'Greedy' 0)'ABC123 DEF456' ⍝ → X23 X56
('[0-9]+'⎕S'\0'⍠'OM' 1)'A 12 56 B' ⍝ →  12  2  56  6
('aa'⎕S 0⍠'OM' 1)'aaaa'        ⍝ → 0 1 2
('aa'⎕S 0)'aaaa'               ⍝ → 0 2
('\w'⎕S'\0')'Bjørn'            ⍝ →  B  j  r  n
('\w'⎕S'\0'⍠'UCP' 1)'Bjørn'    ⍝ →  B  j  ø  r  n
('.at'⎕S'\u0'⍠('Regex' 0))STR  ⍝ →
('a.b'⎕R'x'⍠('Regex' 0))'a.b acb' ⍝ → x acb
('.at'⎕R'\u0'⍠('Regex'(1 0)))'cat' ⍝ → \u0
('.'⎕R'x'⍠'No' 1)'a'           ⍝ ! DOMAIN ERROR: ⎕R has no option No
('.'⎕R'x'⍠⍬)'a'                ⍝ → x
('A'⎕R'x'⍠(⊂1))'a'             ⍝ → x
('A'⎕R'x'⍠2)'a'                ⍝ ! DOMAIN ERROR: ⎕R: IC takes 0 to 1
('A'⎕R'x'⍠'InEnc' 'UTF-8')'a'  ⍝ ! DOMAIN ERROR: ⎕R has no option InEnc
('.'⎕R'x'⍠'IC' 2)'a'           ⍝ ! DOMAIN ERROR
('.'⎕R'x'⍠'Mode' 'X')'a'       ⍝ ! DOMAIN ERROR
'a'⎕R'\x{D800}'⊢'a'             ⍝ ! DOMAIN ERROR
('.'⎕R'x'⍠'OM' 1)'a'           ⍝ ! DOMAIN ERROR
('.'⎕S'x'⍠'ResultText' 'Simple')'a' ⍝ ! DOMAIN ERROR
('.'⎕R'x'⍠'DotAll' 1)'a'       ⍝ ! DOMAIN ERROR

⍝ Texts that programs work on
words←'\w+'⎕S'&'
{(⊂⍋⍵)⌷⍵}words 'the quick brown fox'  ⍝ →  brown  fox  quick  the
'^\s+' '\s+$' '\s+'⎕R'' '' ' '⊢'  much   space  ' ⍝ → much space
'([^=;]+)=([^;]*)'⎕S'\1'⊢'a=1;bc=23' ⍝ →  a  bc
'(?<=,|^)[^,]*'⎕S'&'⊢'a,,bc'   ⍝ →  a    bc
',(?=(?:[^"]*"[^"]*")*[^"]*$)'⎕R'|'⊢'a,"b,c",d' ⍝ → a|"b,c"|d
'(\d{2})/(\d{2})/(\d{4})'⎕R'\3-\2-\1'⊢'01/03/1980' ⍝ → 1980-03-01
'(.)\1+'⎕S 1⊢'aabcccd'         ⍝ → 2 3
'\d+'⎕S{⊃⌽⎕VFI ⍵.Match}⊢'a12b345' ⍝ →  12  345
+/∊'\d+'⎕S{⊃⌽⎕VFI ⍵.Match}⊢'a12b345' ⍝ → 357
'(a+)+$'⎕R'x'⊢(30⍴'a'),'b'     ⍝ ! LIMIT ERROR
