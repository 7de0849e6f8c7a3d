⍝ SPDX-License-Identifier: MIT
⍝ ⎕-names: variables and their values, characters, representations, names, signals.

⍝ Variables
⎕IO                            ⍝ → 1
⎕ML                            ⍝ → 1
⎕CT                            ⍝ → 1E¯14
⎕DIV                           ⍝ → 0
⎕PP                            ⍝ → 10
⎕PW                            ⍝ → 80
⎕FR                            ⍝ → 645
⎕RL≡⍬ 1                        ⍝ → 1
⎕IO←2                          ⍝ ! DOMAIN ERROR: ⎕IO takes 0 to 1
⎕IO←0 1                        ⍝ ! LENGTH ERROR: ⎕IO must be one number
⎕IO←⍬                          ⍝ ! LENGTH ERROR
⎕IO←1 1⍴0                      ⍝ → 
⎕IO                            ⍝ → 0
⎕IO←,1
⎕IO←2 2⍴0                      ⍝ ! RANK ERROR: ⎕IO must be one number
⎕IO←'a'                        ⍝ ! DOMAIN ERROR: ⎕IO must be a number
⎕IO←0.5                        ⍝ ! DOMAIN ERROR: ⎕IO must be a whole number
⎕IO←+                          ⍝ ! SYNTAX ERROR
⎕ML←4                          ⍝ ! DOMAIN ERROR: ⎕ML takes 0 to 3
⎕DIV←2                         ⍝ ! DOMAIN ERROR: ⎕DIV takes 0 to 1
⎕PP←0                          ⍝ ! DOMAIN ERROR
⎕PP←35                         ⍝ ! DOMAIN ERROR
⎕PW←41                         ⍝ ! DOMAIN ERROR
⎕PW←100000 ⋄ ⎕PW               ⍝ → 100000
⎕PW←80
⎕CT←¯1                         ⍝ ! DOMAIN ERROR: ⎕CT takes 0 to 2*¯32
⎕CT←2*¯31                      ⍝ ! DOMAIN ERROR
⎕CT←'a'                        ⍝ ! DOMAIN ERROR
⎕CT←1 2                        ⍝ ! LENGTH ERROR
⎕CT←0 ⋄ ⎕CT                    ⍝ → 0
⎕CT←2*¯32 ⋄ 1=1+2*¯33          ⍝ → 1
⎕CT←1E¯14
⎕FR←1287                       ⍝ ! NONCE ERROR
⎕FR←645
⎕FR←1                          ⍝ ! DOMAIN ERROR
⎕PP←3 ⋄ ÷3                     ⍝ → 0.333
⎕PP←10
⎕PP+←1 ⋄ ⎕PP                   ⍝ → 11
⎕PP←10
⎕A←1                           ⍝ ! SYNTAX ERROR: ⎕A cannot be assigned
⎕TS←1                          ⍝ ! SYNTAX ERROR

⍝ A dfn that assigns one has its own
{⎕PP←3 ⋄ ⎕←÷⍵}3                ⍝ → 0.333
⎕PP                            ⍝ → 10
{⎕IO←0 ⋄ {⎕IO}0}0              ⍝ → 0
{⎕IO ⎕ML←0 2 ⋄ ⎕IO ⎕ML}0       ⍝ → 0 2
⎕IO ⎕ML                        ⍝ → 1 1
{⎕CT←0 ⋄ 1=1+1E¯15}0           ⍝ → 0
1=1+1E¯15                      ⍝ → 1

⍝ Migration levels
{⎕ML←0 ⋄ ∊⍵}1 'a' (2 3)        ⍝ → 0   0 0
{⎕ML←0 ⋄ ≡⍵}1(2 3)             ⍝ → ¯2
{⎕ML←1 ⋄ ∊⍵}1(2 3)             ⍝ → 1 2 3
{⎕ML←1 ⋄ ≡⍵}1(2 3)             ⍝ → ¯2
{⎕ML←2 ⋄ ↑⍵}2(3 4)             ⍝ → 2
{⎕ML←2 ⋄ ⊃⍵}2(3 4)             ⍝ → 2 0 ⏎ 3 4
{⎕ML←2 ⋄ ≡⍵}1(2 3)             ⍝ → 2
{⎕ML←2 ⋄ 1 0 1⊂⍵}1 2 3         ⍝ →  1 2  3
{⎕ML←3 ⋄ 1 0 1⊂⍵}1 2 3         ⍝ →  1  3
{⎕ML←3 ⋄ 1 1 2⊂⍵}1 2 3         ⍝ →  1 2  3
{⎕ML←2 ⋄ ⎕UCS ⎕TC}0            ⍝ → 8 10 13
{⎕ML←3 ⋄ ⎕UCS ⎕TC}0            ⍝ → 8 13 10

⍝ ⎕RL: a seed, or a seed and a generator
⎕RL←⍬ ⋄ ⎕RL≡⍬ 1                ⍝ → 1
⎕RL←⍬ 2 ⋄ ⎕RL≡⍬ 2              ⍝ → 1
⎕RL←5                          ⍝ ! DOMAIN ERROR
⎕RL←5 2                        ⍝ ! DOMAIN ERROR
⎕RL←⍬ 1
⎕RL←¯1                         ⍝ ! DOMAIN ERROR
⎕RL←1.5                        ⍝ ! DOMAIN ERROR
⎕RL←'a'                        ⍝ ! DOMAIN ERROR
⎕RL←1 3                        ⍝ ! DOMAIN ERROR
⎕RL←1 2 3                      ⍝ ! LENGTH ERROR
⎕RL←2 2⍴1                      ⍝ ! RANK ERROR
⎕RL←(¯1+2*31)0                 ⍝ ! DOMAIN ERROR
⎕RL←(¯2+2*31)0
⎕RL←⍬ 1

⍝ Constants and the surroundings
⍴⎕AV                           ⍝ → 256
⎕AV⍳'a⍵⍣∆'                     ⍝ → 18 16 256 65
∪≢¨⎕AV⊆⍨1                      ⍝ → 256
⍴⎕TS                           ⍝ → 7
⎕TS[1]>2000                    ⍝ → 1
⍴⎕AI                           ⍝ → 4
⎕WA>0                          ⍝ → 1
⎕WSID                          ⍝ → CLEAR WS
⎕WSID←'mine' ⋄ ⎕WSID           ⍝ → mine
⎕WSID←'CLEAR WS'
⍴⎕ARG                          ⍝ → 0
⎕ENV 'HOME'                    ⍝ →
⎕ENV 1                         ⍝ ! DOMAIN ERROR
0≤⎕DL 0                        ⍝ → 1
⎕DL 'a'                        ⍝ ! DOMAIN ERROR
⎕DL ¯1                         ⍝ ! DOMAIN ERROR
1 ⎕DL 0                        ⍝ ! SYNTAX ERROR: ⎕DL takes no left argument

⍝ Names that are known, and not
⎕SVO 'x'                       ⍝ ! NONCE ERROR: ⎕SVO is not in this version
⎕NXLATE                        ⍝ ! NONCE ERROR
⎕NOSUCH                        ⍝ ! SYNTAX ERROR: there is no system name ⎕NOSUCH
⎕NOSUCH←1                      ⍝ ! SYNTAX ERROR
⎕io+⎕Ml                        ⍝ → 2

⍝ ⎕UCS
⎕UCS 'Aé世'                    ⍝ → 65 233 19990
⎕UCS 65 233 19990              ⍝ → Aé世
⎕UCS 97                        ⍝ → a
⎕UCS 2 2⍴97 98 99 100          ⍝ → ab ⏎ cd
⍴⎕UCS 2 0⍴'a'                  ⍝ → 2 0
''≡⎕UCS ⍬                      ⍝ → 1
⍬≡⎕UCS ''                      ⍝ → 1
⎕UCS 97.0                      ⍝ → a
⎕UCS 97.5                      ⍝ ! DOMAIN ERROR: ⎕UCS: element 1 is not a number 0 to 1114111
⎕UCS 97 ¯1                     ⍝ ! DOMAIN ERROR: ⎕UCS: element 2 is not a number 0 to 1114111
⎕UCS 1114112                   ⍝ ! DOMAIN ERROR
⎕UCS 'a' 'bc'                  ⍝ ! DOMAIN ERROR
⎕UCS⎕UCS 128512                ⍝ → 128512
'UTF-8'⎕UCS 'é世'              ⍝ → 195 169 228 184 150
'UTF-8'⎕UCS 195 169            ⍝ → é
'UTF-8'⎕UCS 200                ⍝ ! DOMAIN ERROR
'UTF-8'⎕UCS 256                ⍝ ! DOMAIN ERROR
'UTF-8' 83 ⎕UCS 'é'            ⍝ → ¯61 ¯87
'UTF-8' 83 ⎕UCS ¯61 ¯87        ⍝ → é
'UTF-16'⎕UCS ⎕UCS 128512       ⍝ → 55357 56832
⎕UCS 'UTF-16'⎕UCS 55357 56832  ⍝ → 128512
'UTF-16'⎕UCS 55357             ⍝ ! DOMAIN ERROR
'UTF-16'⎕UCS 56832 55357       ⍝ ! DOMAIN ERROR
'UTF-32'⎕UCS 'aé'              ⍝ → 97 233
'UTF-32'⎕UCS 97 233            ⍝ → aé
'UTF-7'⎕UCS 'a'                ⍝ ! DOMAIN ERROR
'UTF-8'⎕UCS 2 2⍴'a'            ⍝ ! RANK ERROR
⍬≡'UTF-8'⎕UCS ''               ⍝ → 1

⍝ ⎕C
⎕C 'PeTe'                      ⍝ → pete
1 ⎕C 'PeTe'                    ⍝ → PETE
¯1 ⎕C 'PeTe'                   ⍝ → pete
¯3 ⎕C 'PeTe'                   ⍝ → pete
2 ⎕C 'a'                       ⍝ ! DOMAIN ERROR
'a' ⎕C 'a'                     ⍝ ! DOMAIN ERROR
1 2 ⎕C 'a'                     ⍝ ! LENGTH ERROR
⎕C 42 'Pete' 'Πέτρος'          ⍝ → 42  pete  πέτροσ
1 ⎕C 42 'Pete' 'Πέτρος'        ⍝ → 42  PETE  ΠΈΤΡΟΣ
¯1 ⎕C 42 'Pete' 'Πέτρος'       ⍝ → 42  pete  πέτρος
1 ⎕C 'æøåßÿµ'                  ⍝ → ÆØÅßŸΜ
¯1 ⎕C 'ÆØÅẞŸ'                  ⍝ → æøåßÿ
1 ⎕C 'жяєѓ'                    ⍝ → ЖЯЄЃ
⎕C 'ЖЯЄЃ'                      ⍝ → жяєѓ
1 ⎕C 'աև'                      ⍝ → Աև
1 ⎕C 'ａｚ'                    ⍝ → ＡＺ
¯1 ⎕C 1 ⎕C 'ǆłžő'              ⍝ → ǆłžő
1 ⎕C 'ⅷⓩ'                      ⍝ → ⅧⓏ
⎕C 5                           ⍝ → 5
⎕C ''≡''                       ⍝ → 1
⍴⎕C 2 0⍴'A'                    ⍝ → 2 0
⎕C 2 2⍴'AbCd'                  ⍝ → ab ⏎ cd

⍝ ⎕VFI
⎕VFI '2 -2 ¯2'                 ⍝ →  1 0 1  2 0 ¯2
⎕VFI '12.1 1E1 1A1 ¯10'        ⍝ →  1 1 0 1  12.1 10 0 ¯10
⊃(//⎕VFI'12.1 1E1 1A1 ¯10')    ⍝ → 12.1 10 ¯10
','⎕VFI'3.9,2.4,,76,'          ⍝ →  1 1 1 1 1  3.9 2.4 0 76 0
'⋄'⎕VFI'1 ⋄ 2 3 ⋄ 4 '          ⍝ →  1 0 1  1 0 4
',;'⎕VFI'1,2;3'                ⍝ →  1 1 1  1 2 3
(⍬ ⍬)≡⎕VFI''                   ⍝ → 1
(⍬ ⍬)≡⎕VFI'   '                ⍝ → 1
⎕VFI '7'                       ⍝ →  1  7
⍴¨⎕VFI '7'                     ⍝ →  1  1
⎕VFI 'a b'                     ⍝ →  0 0  0 0
⎕VFI 5                         ⍝ ! DOMAIN ERROR
⎕VFI 2 2⍴'1'                   ⍝ ! RANK ERROR

⍝ ⎕DR
⎕DR¨1 2 300 70000 1.5 'a'      ⍝ → 11 83 163 323 645 80
⎕DR¨'世'(⎕UCS 128512)(1(2 3))  ⍝ → 160 320 326
80 ⎕DR 0 1 0 0 1 0 0 0 0 1 0 0 1 0 1 1 ⍝ → HK
83 ⎕DR 0 1 0 0 1 0 0 0 0 1 0 0 1 0 1 1 ⍝ → 72 75
163 ⎕DR 0 1 0 0 1 0 0 0 0 1 0 0 1 0 1 1 ⍝ → 19272
11 ⎕DR 'H'                     ⍝ → 0 1 0 0 1 0 0 0
11 ⎕DR 2 1⍴'HK'                ⍝ → 0 1 0 0 1 0 0 0 ⏎ 0 1 0 0 1 0 1 1
80 ⎕DR 1 0 1                   ⍝ ! LENGTH ERROR
645 ⎕DR 83 ⎕DR 1.5 2.5         ⍝ → 1.5 2.5
323 ⎕DR 1 2                    ⍝ ! LENGTH ERROR
7 ⎕DR 1                        ⍝ ! DOMAIN ERROR
326 ⎕DR 1                      ⍝ ! DOMAIN ERROR
80 ⎕DR 1(2 3)                  ⍝ ! DOMAIN ERROR
0 645 ⎕DR 72 75                ⍝ →  72 75  1 1
⎕DR⊃0 645 ⎕DR 72 75            ⍝ → 645
163 645 ⎕DR 2 83 ⎕DR 72 75     ⍝ ! DOMAIN ERROR
163 645 ⎕DR 72 75              ⍝ →  19272  1
0 83 ⎕DR 1 200 ¯5              ⍝ →  1 0 ¯5  1 0 1
0 11 ⎕DR 1 0 2                 ⍝ →  1 0 0  1 1 0
0 323 ⎕DR 1.5 3                ⍝ →  0 3  0 1
0 80 ⎕DR 'a世'                 ⍝ →  a   1 0
1 2 3 ⎕DR 1                    ⍝ ! LENGTH ERROR

⍝ ⎕NC ⎕NL ⎕EX
⎕NC 'f'                        ⍝ → 0
f←{⍺+⍵} ⋄ g←+/ ⋄ op←{⍺⍺ ⍵} ⋄ x←1 ⋄ each←¨
⎕NC 'f'                        ⍝ → 3
⍴⎕NC 'f'                       ⍝ → 1
⍴⎕NC 'op'                      ⍝ → 1
⍴⎕NC⊂'op'                      ⍝ →
⍴⎕NC 'op' 'x'                  ⍝ → 2
⍴⎕EX 'none'                    ⍝ → 1
⍴⎕EX⊂'none'                    ⍝ →
⍴⎕EX 2 1⍴'ab'                  ⍝ → 2
:Select ⎕NC⊂'op' ⋄ :Case 4.2 ⋄ 'dop' ⋄ :Else ⋄ 'none' ⋄ :EndSelect ⍝ → dop
⎕NC ↑'f' 'op' 'x'              ⍝ → 3 4 2
⎕NC 'f' 'g' 'op' 'x' 'zz' '1a' 'each' ⍝ → 3.2 3.3 4.2 2.1 0 ¯1 4.3
⎕NC⊂,'f'                       ⍝ → 3.2
plus←+ ⋄ dd←f op
⎕NC 'plus'                     ⍝ → 3
⎕NC⊂'plus'                     ⍝ → 3.3
⎕NC⊂'dd'                       ⍝ → 3.3
⎕NC 'a b'                      ⍝ → ¯1
⎕NC ''                         ⍝ → ¯1
⎕NC '⎕IO'                      ⍝ → 2
⎕NC '⎕NC'                      ⍝ → 3
⎕NC 1                          ⍝ ! DOMAIN ERROR
⎕NC 2 2 2⍴'a'                  ⍝ ! RANK ERROR
{⎕NC '⍺'}0                     ⍝ → 0
1{⎕NC '⍺'}0                    ⍝ → 2
{loc←1 ⋄ ⎕NC 'loc' 'x'}0       ⍝ → 2.1 2.1
⎕NC 'loc'                      ⍝ → 0
{x←+/ ⋄ ⎕NC 'x'}0              ⍝ → 3
1 ⎕NC 'x'                      ⍝ ! SYNTAX ERROR
⎕NL 3                          ⍝ → dd ⏎ f ⏎ g ⏎ plus
'dg'⎕NL 3                      ⍝ → dd ⏎ g
⎕NL ¯3.2                       ⍝ →  f
⎕NL 2 ¯4                       ⍝ →  each  op  x
⍴⎕NL 9                         ⍝ → 0 0
(0⍴⊂'')≡⎕NL ¯9                 ⍝ → 1
⎕NL 'a'                        ⍝ ! DOMAIN ERROR
1 ⎕NL 2                        ⍝ ! DOMAIN ERROR
{inner←⍵ ⋄ 'i'⎕NL 2}0          ⍝ → inner
⎕EX 'x'
⎕←⎕EX 'x' 'f' '⎕IO' '1a'       ⍝ → 1 1 0 0
⎕NC 'x' 'fx'                   ⍝ → 0 0
{x←5 ⋄ z←⎕EX 'x' ⋄ ⎕NC 'x'}0   ⍝ → 0

⍝ ⎕CR ⎕NR ⎕VR
f←{⍺+⍵}
⎕CR 'f'                        ⍝ → f←{⍺+⍵}
⍴⎕CR 'f'                       ⍝ → 1 7
⎕NR 'f'                        ⍝ →  f←{⍺+⍵}
m←{
  a←⍵
  a×2
}
⎕CR 'm'                        ⍝ → m←{ ⏎   a←⍵ ⏎   a×2 ⏎ }
≢⎕NR 'm'                       ⍝ → 4
(~v∊⎕UCS 13)/v←⎕VR 'f'         ⍝ →      ∇ f←{⍺+⍵}     ∇
⍴⎕CR 'plus'                    ⍝ → 1
⎕CR 'plus'                     ⍝ → +
box←2 2∘⍴ ⋄ ⎕CR 'box'          ⍝ →  2 2 ∘⍴
mean←+/÷≢ ⋄ ⎕CR 'mean'         ⍝ →  +/ ÷≢
⍴⎕CR 'nosuch'                  ⍝ → 0 0
⍴⎕NR 'nosuch'                  ⍝ → 0
⎕CR 5                          ⍝ ! DOMAIN ERROR

⍝ ⎕SIGNAL, ⎕EN, ⎕DM, ⎕DMX
÷0                             ⍝ ! DOMAIN ERROR
⎕EN                            ⍝ → 11
1↑⎕DM                          ⍝ →  DOMAIN ERROR
⎕DMX.EM                        ⍝ → DOMAIN ERROR
⎕DMX.EN                        ⍝ → 11
⎕DMX.(EN EM)                   ⍝ → 11  DOMAIN ERROR
⎕DMX.((1+EN),⍴EM)              ⍝ → 12 12
0<≢⎕DMX.Message                ⍝ → 1
⎕DM≡⎕DMX.DM                    ⍝ → 1
⎕DMX.OSError                   ⍝ → 0 0
⎕DMX.Nosuch                    ⍝ ! VALUE ERROR
⎕DMX                           ⍝ →  EM       VALUE ERROR ⏎  Message  Nosuch has no value there
⎕EM 11                         ⍝ → DOMAIN ERROR
⎕EM 1 2                        ⍝ →  WS FULL  SYNTAX ERROR
⎕EM 500                        ⍝ → ERROR 500
'Hello'⎕SIGNAL 200             ⍝ ! ERROR: Hello
⊃⎕DM                           ⍝ → Hello
⎕DMX.EM                        ⍝ → Hello
⎕DMX.Message                   ⍝ →
⎕SIGNAL⊂⊂('EN' 200)            ⍝ ! ERROR
⎕DMX.EM                        ⍝ → ERROR 200
⎕SIGNAL⊂('EN' 200)('Vendor' 'Andy')('Message' 'My error') ⍝ ! ERROR: My error
⎕DMX.(EN EM Vendor Message)    ⍝ → 200  ERROR 200  Andy  My error
⎕SIGNAL⊂2 2⍴'EN' 11 'EM' 'Mine' ⍝ ! DOMAIN ERROR: Mine
⎕DMX.(EN EM Vendor)            ⍝ → 11  Mine  vapl
⎕SIGNAL⊂('EN' 200)             ⍝ ! DOMAIN ERROR
⎕SIGNAL⊂('EN' 200)('DM' 1)     ⍝ ! DOMAIN ERROR
⎕SIGNAL⊂,⊂('Message' 'x')      ⍝ ! DOMAIN ERROR
'x'⎕SIGNAL⊂⊂('EN' 200)         ⍝ ! DOMAIN ERROR
⎕SIGNAL 1000                   ⍝ ! DOMAIN ERROR
⎕SIGNAL ¯1                     ⍝ ! DOMAIN ERROR
⎕SIGNAL 'a'                    ⍝ ! DOMAIN ERROR
⎕SIGNAL 2 2⍴11                 ⍝ ! RANK ERROR
1 ⎕SIGNAL 11                   ⍝ ! DOMAIN ERROR
⎕SIGNAL 5 11                   ⍝ ! LENGTH ERROR
''⎕SIGNAL 11                   ⍝ ! DOMAIN ERROR
⊢⎕SIGNAL 0                     ⍝ → 0
⎕EN                            ⍝ → 0
⍴⎕DM                           ⍝ → 0
'x'⎕SIGNAL 0                   ⍝ ! DOMAIN ERROR
⎕SIGNAL ⍬
{0::⎕DMX.(EN EM) ⋄ 'oops'⎕SIGNAL 11}0 ⍝ ! DOMAIN ERROR: oops
sig←{'oops'⎕SIGNAL 11}
{0::⎕DMX.(EN EM) ⋄ sig ⍵}0 ⍝ → 11  oops
sig←{⎕SIGNAL⊂('EN' 200)('Message' 'm')}
{200::⎕DMX.Message ⋄ sig ⍵}0 ⍝ → m
sig←{⎕SIGNAL 1006} ⋄ {1006::'caught' ⋄ sig ⍵}0 ⍝ → caught

⍝ What ⎕DMX shows, and what goes both ways
÷0                             ⍝ ! DOMAIN ERROR
⎕DMX                           ⍝ →  EM       DOMAIN ERROR ⏎  Message  ÷: division by zero
d←⎕DMX ⋄ d.EN                  ⍝ → 11
⊢⎕SIGNAL 0                     ⍝ → 0
⎕DMX                           ⍝ →
⎕UCS⍣¯1⊢97                     ⍝ → a
'UTF-8'(⎕UCS⍣¯1)'é'            ⍝ → 195 169
2 ⎕UCS⍥⎕UCS 97                 ⍝ ! DOMAIN ERROR

⍝ Seeds make sequences, states go on with them; complex numbers
⎕RL←42 ⋄ a←?10⍴100 ⋄ ⎕RL←42 ⋄ a≡?10⍴100 ⍝ → 1
⎕RL←42 ⋄ ⎕RL                   ⍝ → 42 1
z←?5⍴9 ⋄ s←⎕RL ⋄ a←?5⍴9 ⋄ ⎕RL←s ⋄ a≡?5⍴9 ⍝ → 1
⎕RL←0 ⋄ 0<⊃⎕RL                 ⍝ → 1
⎕RL←⍬ 1
⎕VFI '1J2 3'                   ⍝ →  1 1  1J2 3
645 ⎕DR 1J2 3J4                ⍝ → 1 2 3 4
1289 ⎕DR 1.5 2.5               ⍝ → 1.5J2.5
0 1289 ⎕DR 1 2                 ⍝ →  1 2  1 1
0 645 ⎕DR 1J2 3                ⍝ →  0 3  0 1
⎕DR 1J2                        ⍝ → 1289
⎕UCS 1J2                       ⍝ ! DOMAIN ERROR
{1J0:'yes' ⋄ 'no'}0            ⍝ → yes
