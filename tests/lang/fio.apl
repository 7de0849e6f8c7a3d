⍝ SPDX-License-Identifier: MIT
⍝ ⎕FIO, GNU APL's files.
⍝ needs ⎕NC '⎕FIO'
⍝ in order

⎕←h←'w'⎕FIO[3]'f'                  ⍝ → 3
(⎕UCS 'one',(⎕UCS 10),'two')⎕FIO[7]h   ⍝ → 7
(⎕UCS 10,945)⎕FIO[23]h             ⍝ → 3
('%d|%5.2f|%s|%%|%x|%-4d|%c' 42 3.14159 'ab' 255 7 'α')⎕FIO[22]h  ⍝ → 24
⎕FIO[16]h                          ⍝ → 0
⎕FIO[12]h                          ⍝ → 34
⎕FIO[4]h                           ⍝ → 0
⎕FIO[4]h                           ⍝ ! DOMAIN ERROR: ⎕FIO: no file has the handle 3
⎕FIO[49]'f'                        ⍝ →  one  two  α42| 3.14|ab|%|ff|7   |α
⍴⎕FIO[26]'f'                       ⍝ → 34
h←⎕FIO[3]'f'
⎕FIO[8]h                           ⍝ → 111 110 101 10
⎕FIO[9]h                           ⍝ → 116
⎕FIO[12]h                          ⍝ → 5
⎕UCS 2 ⎕FIO[6]h                    ⍝ → wo
¯2 ⎕FIO[15]h                       ⍝ → 0
⎕FIO[6]h                           ⍝ → 206 177
⎕FIO[10]h                          ⍝ → 1
⎕FIO[6]h                           ⍝ → ¯1
0 ⎕FIO[13]h                        ⍝ → 0
⎕FIO[10]h                          ⍝ → 0
⎕UCS 3 ⎕FIO[8]h                    ⍝ → one
1 ⎕FIO[14]h                        ⍝ → 0
⎕UCS 3 ⎕FIO[6]h                    ⍝ → two
⎕FIO[11]h                          ⍝ → 0
⎕FIO[4]h                           ⍝ → 0
h←'r+'⎕FIO[3]'f' ⋄ 4 ⎕FIO[6]h ⍝ → 111 110 101 10
'T'⎕FIO[23]h                       ⍝ → 1
⎕FIO[4]h                           ⍝ → 0
2⊃⎕FIO[49]'f'                      ⍝ → Two
h←'ab'⎕FIO[3]'f' ⋄ (,65)⎕FIO[7]h   ⍝ → 1
⎕FIO[4]h                           ⍝ → 0
⎕UCS 256|¯1↑⎕UCS ⎕FIO[26]'f'       ⍝ → A
⎕FIO[3]'nowhere/x'                 ⍝ → ¯1
⎕FIO 1                             ⍝ → 2
⎕FIO[2]2                           ⍝ → No such file or directory
⎕FIO[20]'d'                        ⍝ → 0
⎕FIO[20]'d'                        ⍝ → ¯1
'd/g'≡⊢'d/g'⊣'f'⎕FIO[27]'d/g'      ⍝ → 1
⎕FIO[29]'d'                        ⍝ →  g
'F'⎕FIO[31]'d/g'                   ⍝ → 0
'RW'⎕FIO[31]'d/h'                  ⍝ → ¯1
⎕FIO[21]'d'                        ⍝ → ¯1
⎕FIO[19]'d/g'                      ⍝ → 0
⍴⎕FIO[29]'d'                       ⍝ → 0
⎕FIO[21]'d'                        ⍝ → 0
⎕FIO[29]'d'                        ⍝ → ¯1
h←⎕FIO[24]'printf "a\nb"'
⎕FIO[8]h                           ⍝ → 97 10
⎕UCS ⎕FIO[8]h                      ⍝ → b
⎕FIO[8]h                           ⍝ → ¯1
⎕FIO[25]h                          ⍝ → 0
h←'w'⎕FIO[24]'cat > piped'
'text'⎕FIO[23]h                    ⍝ → 4
⎕FIO[25]h                          ⍝ → 0
⎕FIO[26]'piped'                    ⍝ → text
'hello '⎕FIO[23]1                  ⍝ → hello 6
('n=%d' 5)⎕FIO[22]1                ⍝ → n=53
0<⍴⎕FIO 30                         ⍝ → 1
1E9<⎕FIO[50]1                      ⍝ → 1
(2*8)>⎕FIO[60]8                    ⍝ → 1
'%d'⎕FIO[22]1                      ⍝ ! LENGTH ERROR: ⎕FIO: the format has more conversions than values
('%d' 'x')⎕FIO[22]1                ⍝ ! DOMAIN ERROR
('%y' 1)⎕FIO[22]1                  ⍝ ! DOMAIN ERROR: ⎕FIO: %y is no conversion
256 ⎕FIO[7]1                       ⍝ ! DOMAIN ERROR: ⎕FIO: bytes are wanted, 0 to 255
'q'⎕FIO[3]'f'                      ⍝ ! DOMAIN ERROR: ⎕FIO[3]: a mode is r, w, a, r+, w+ or a+
1 ⎕FIO[4]3                         ⍝ ! SYNTAX ERROR: ⎕FIO[4] takes no left argument
⎕FIO[32]1                          ⍝ ! NONCE ERROR: ⎕FIO[32] is not in this version
⎕FIO ''                            ⍝ ! DOMAIN ERROR: ⎕FIO takes the number of a function in brackets: ⎕FIO[3]
⎕FIO[3]99                          ⍝ ! DOMAIN ERROR
⎕FIO[6]99                          ⍝ ! DOMAIN ERROR
open←⎕FIO[3]
⎕←h←open 'piped'                   ⍝ → 3
⎕←h←⎕FIO.fopen 'piped'              ⍝ → 4
⎕FIO.fclose h                      ⍝ → 0
'w'⎕FIO.errno 'x'                  ⍝ ! SYNTAX ERROR: ⎕FIO[1] takes no left argument
⎕FIO.socket 1                      ⍝ ! NONCE ERROR: ⎕FIO.socket is not in this version
(⎕FIO.getcwd '')≡⎕FIO 30           ⍝ → 1
⎕UCS[3]'a'                         ⍝ ! SYNTAX ERROR: this function takes no axis
