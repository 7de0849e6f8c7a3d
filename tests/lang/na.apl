⍝ SPDX-License-Identifier: MIT
⍝ ⎕NA: functions of C libraries. L is the library that tests/na_library.c makes.
⍝ needs ⎕NA '|getpid'
⍝ in order: lines depend on what lines before them did

L←⎕ENV 'LIBRARY'

⍝ by value, each type and width
⎕NA 'I1 ',L,'|i1_next I1'
i1_next 41                              ⍝ → 42
i1_next 127                             ⍝ → ¯128
i1_next ¯128                            ⍝ → ¯127
i1_next 128                             ⍝ ! DOMAIN ERROR
i1_next ¯129                            ⍝ ! DOMAIN ERROR
i1_next 1.5                             ⍝ ! DOMAIN ERROR
i1_next 'a'                             ⍝ ! DOMAIN ERROR
i1_next 2J1                             ⍝ ! DOMAIN ERROR
i1_next ⊂1 2                            ⍝ ! LENGTH ERROR
i1_next 1 2                             ⍝ ! LENGTH ERROR
i1_next ⍬                               ⍝ ! LENGTH ERROR
i1_next 1 1⍴1                           ⍝ ! RANK ERROR
3 i1_next 1                             ⍝ ! SYNTAX ERROR
i1_next 6÷2                             ⍝ → 4
i1_next¨1 2 3                           ⍝ → 2 3 4
⎕NA 'I2 ',L,'|i2_next I2'
i2_next¨32766 ¯32768                    ⍝ → 32767 ¯32767
i2_next 32768                           ⍝ ! DOMAIN ERROR
⎕NA 'I4 ',L,'|i4_next I4'
i4_next¨2147483646 ¯2147483648          ⍝ → 2147483647 ¯2147483647
i4_next 2147483648                      ⍝ ! DOMAIN ERROR
⎕NA 'I8 ',L,'|i8_next I8'
9223372036854775807 ¯9223372036854775807=i8_next¨9223372036854775806 ¯9223372036854775808 ⍝ → 1 1
i8_next 1E19                            ⍝ ! DOMAIN ERROR
⎕NA 'U1 ',L,'|u1_next U1'
u1_next¨254 255 0                       ⍝ → 255 0 1
u1_next ¯1                              ⍝ ! DOMAIN ERROR
u1_next 256                             ⍝ ! DOMAIN ERROR
⎕NA 'U2 ',L,'|u2_next U2'
u2_next 65534                           ⍝ → 65535
u2_next 65536                           ⍝ ! DOMAIN ERROR
⎕NA 'U4 ',L,'|u4_next U4'
u4_next 4294967294                      ⍝ → 4294967295
u4_next 4294967296                      ⍝ ! DOMAIN ERROR
⎕NA 'U8 ',L,'|u8_next U8'
9223372036854775807=u8_next 9223372036854775806 ⍝ → 1
u8_next 2*63                            ⍝ → 9.223372037E18
u8_next ¯1                              ⍝ ! DOMAIN ERROR
u8_next 2*64                            ⍝ ! DOMAIN ERROR
⎕NA 'F4 ',L,'|f4_next F4'
f4_next 0.5                             ⍝ → 1.5
f4_next 1                               ⍝ → 2
f4_next 1E39                            ⍝ ! DOMAIN ERROR
inf←⊃645⎕DR(48⍴0),1 1 1 1 0 0 0 0 0 1 1 1 1 1 1 1
inf=f4_next inf                         ⍝ → 1
⎕NA 'F8 ',L,'|f8_next F8'
1.1 1(-inf)=f8_next¨0.1 0(-inf)         ⍝ → 1 1 1
f8_next 'a'                             ⍝ ! DOMAIN ERROR
⎕NA 'C ',L,'|c1_next C'
c1_next 'A'                             ⍝ → B
⎕UCS c1_next ⎕UCS 232                   ⍝ → 233
c1_next '⍳'                             ⍝ ! DOMAIN ERROR
c1_next 65                              ⍝ ! DOMAIN ERROR
⎕NA 'C2 ',L,'|c2_next C2'
⎕UCS c2_next '⍳'                        ⍝ → 9076
c2_next ⎕UCS 65536                      ⍝ ! DOMAIN ERROR
⎕NA 'T ',L,'|c4_next T'
⎕UCS c4_next ⎕UCS 128512                ⍝ → 128513
c4_next ⎕UCS 1114111                    ⍝ ! DOMAIN ERROR
⎕NA 'J16 ',L,'|j_square J'
j_square 1J2                            ⍝ → ¯3J4
j_square 3                              ⍝ → 9

⍝ arrays in
⎕NA 'I1 ',L,'|i1_sum <I1[] P'
i1_sum (⍳5)5                            ⍝ → 15
i1_sum (100 100)2                       ⍝ → ¯56
i1_sum (1 0 1 1)4                       ⍝ → 3
i1_sum (1 300)2                         ⍝ ! DOMAIN ERROR
i1_sum ⍬ 0                              ⍝ → 0
i1_sum 'ab'2                            ⍝ ! DOMAIN ERROR
i1_sum (1(2 3))2                        ⍝ ! DOMAIN ERROR
⎕NA 'I2 ',L,'|i2_sum <I2[] P'
i2_sum (1 300 ¯7)3                      ⍝ → 294
i2_sum (2 2⍴⍳4)4                        ⍝ → 10
⎕NA 'I4 ',L,'|i4_sum <I4[] P'
i4_sum (1E6×⍳4)4                        ⍝ → 10000000
⎕NA 'I4 ',L,'|i4_sum <I4[3] P'
i4_sum (1 2 3)3                         ⍝ → 6
i4_sum (1 2 3 4)3                       ⍝ ! LENGTH ERROR
i4_sum (1 2)2                           ⍝ ! LENGTH ERROR
⎕NA 'I8 ',L,'|i8_sum <I8[] P'
3298534883328=i8_sum (2*40 41)2         ⍝ → 1
500000500000=i8_sum (⍳1000000)1E6       ⍝ → 1
⎕NA 'U1 ',L,'|u1_sum <U1[] P'
u1_sum (200 55)2                        ⍝ → 255
u1_sum (¯1 1)2                          ⍝ ! DOMAIN ERROR
⎕NA 'U2 ',L,'|u2_sum <U2[] P'
u2_sum (65000 535)2                     ⍝ → 65535
⎕NA 'U4 ',L,'|u4_sum <U4[] P'
u4_sum (4294967000 295)2                ⍝ → 4294967295
⎕NA 'U8 ',L,'|u8_sum <U8[] P'
u8_sum (2*62 62)2                       ⍝ → 9.223372037E18
⎕NA 'F4 ',L,'|f4_sum <F4[] P'
f4_sum (0.5 0.25 1)3                    ⍝ → 1.75
f4_sum (⎕F32 0.5 0.25)2                 ⍝ → 0.75
f4_sum (1 1E40)2                        ⍝ ! DOMAIN ERROR
⎕NA 'F8 ',L,'|f8_sum <F8[] P'
f8_sum (0.5 1.5)2                       ⍝ → 2
f8_sum (⍳10)10                          ⍝ → 55
f8_sum (+\100⍴0.5)100                   ⍝ → 2525
x←0.5×⍳1000
f8_sum x 1000                           ⍝ → 250250
x≡0.5×⍳1000                             ⍝ → 1
⎕NA 'U1 ',L,'|c1_sum <C[] P'
c1_sum 'ab'2                            ⍝ → 195
c1_sum 'a⍳'2                            ⍝ ! DOMAIN ERROR
c1_sum (97 98)2                         ⍝ ! DOMAIN ERROR
⎕NA 'U2 ',L,'|c2_sum <C2[] P'
c2_sum 'a⍳'2                            ⍝ → 9172
⎕NA 'U4 ',L,'|c4_sum <T[] P'
c4_sum ('a',⎕UCS 128512)2               ⍝ → 128609

⍝ arrays out
⎕NA L,'|i1_count >I1[] P'
i1_count 3 3                            ⍝ → 65 66 67
i1_count 0 0                            ⍝ → 
⍴i1_count 0 0                           ⍝ → 0
i1_count 5 3                            ⍝ → 65 66 67 0 0
i1_count ¯1 0                           ⍝ ! DOMAIN ERROR
i1_count 2.5 0                          ⍝ ! DOMAIN ERROR
i1_count (1 2)0                         ⍝ ! LENGTH ERROR
⎕NA L,'|i2_count >I2[] P'
i2_count 2 2                            ⍝ → 65 66
⎕NA L,'|i4_count >I4[4] P'
i4_count 0 4                            ⍝ → 65 66 67 68
⎕NA L,'|i8_count >I8[] P'
i8_count 2 2                            ⍝ → 65 66
⎕NA L,'|u1_count >U1[] P'
200↓u1_count 203 203                    ⍝ → 9 10 11
⎕NA L,'|u2_count >U2[] P'
u2_count 2 2                            ⍝ → 65 66
⎕NA L,'|u4_count >U4[] P'
u4_count 2 2                            ⍝ → 65 66
⎕NA L,'|u8_count >U8[] P'
u8_count 2 2                            ⍝ → 65 66
⎕NA L,'|f4_count >F4[] P'
0.5+f4_count 2 2                        ⍝ → 65.5 66.5
⎕DR f4_count 2 2                        ⍝ → 645
⎕NA L,'|f8_count >F8[] P'
f8_count 2 2                            ⍝ → 65 66
⎕NA L,'|c1_count >C[] P'
c1_count 5 5                            ⍝ → ABCDE
⎕NA L,'|c2_count >C2[3] P'
c2_count 0 3                            ⍝ → ABC
⎕NA L,'|c4_count >T[] P'
c4_count 3 3                            ⍝ → ABC
⎕NA L,'|i4_count >I4 P'
i4_count 0 1                            ⍝ → 65

⍝ and both
turn←{_←⎕NA 'I4 ',L,'|',⍵,'_turn =',(1⎕C ⍵),'[] P' ⋄ ⍎⍵,'_turn ⍺(≢⍺)'}
1 2 3 turn 'i1'                         ⍝ → 3  3 2 1
1 200 3 turn 'i2'                       ⍝ → 3  3 200 1
1 2 3 turn 'i4'                         ⍝ → 3  3 2 1
1 2 3 turn 'i8'                         ⍝ → 3  3 2 1
1 2 255 turn 'u1'                       ⍝ → 3  255 2 1
1 2 65535 turn 'u2'                     ⍝ → 3  65535 2 1
1 2 4294967295 turn 'u4'                ⍝ → 3  4294967295 2 1
1 2 3 turn 'u8'                         ⍝ → 3  3 2 1
0.5 2 3 turn 'f4'                       ⍝ → 3  3 2 0.5
0.5 2 3 turn 'f8'                       ⍝ → 3  3 2 0.5
'abc' turn 'c1'                         ⍝ → 3  cba
'a⍳c' turn 'c2'                         ⍝ → 3  c⍳a
'a⍳c' turn 'c4'                         ⍝ → 3  c⍳a
⎕NA 'I4 ',L,'|i4_turn =I4[] P'
x←2 3⍴⍳6 ⋄ y←x
2⊃i4_turn x 6                           ⍝ → 6 5 4 ⏎ 3 2 1
x y≡2⍴⊂2 3⍴⍳6                           ⍝ → 1
⎕NA L,'|j_conjugate =J[] I4'
j_conjugate (1J2 3)2                    ⍝ → 1J¯2 3

⍝ many arguments
⎕NA 'I8 ',L,'|twelve I1 I2 I4 I8 U1 U2 U4 U8 I1 I2 I4 I8'
twelve ⍳12                              ⍝ → 650
(+/(⍳12)×¯1 ¯2 ¯3 ¯4 5 6 7 8 ¯9 ¯10 ¯11 ¯12)=twelve ¯1 ¯2 ¯3 ¯4 5 6 7 8 ¯9 ¯10 ¯11 ¯12 ⍝ → 1
twelve ⍳11                              ⍝ ! LENGTH ERROR
⎕NA 'F8 ',L,'|ten_floats F8 F8 F8 F8 F8 F8 F8 F8 F8 F8'
ten_floats 0.5×⍳10                      ⍝ → 192.5
⎕NA 'F8 ',L,'|mixed F4 I1 F8 I8 F4 U2 F8 I4 F4 U1'
mixed 0.5 ¯2 3.5 4 5.5 6 7.5 8 9.5 10   ⍝ → 388.5
⎕NA 'I4 ',L,'|seven'
seven                                   ⍝ → 7
1+seven                                 ⍝ → 8
⎕NC 'seven'                             ⍝ → 3
⎕NC ⊂'seven'                            ⍝ → 3.6
⎕NA L,'|nothing I4'
⍴nothing 3                              ⍝ → 0

⍝ texts
⎕NA 'P ',L,'|text_length <0C'
text_length ⊂'hello'                    ⍝ → 5
text_length,⊂''                         ⍝ → 0
text_length ⊂'⍳'                        ⍝ ! DOMAIN ERROR
text_length 'a'                         ⍝ → 1
text_length 'hello'                     ⍝ ! LENGTH ERROR
text_length ⊂1 2                        ⍝ ! DOMAIN ERROR
⎕NA 'P ',L,'|text_length <0UTF8'
text_length ⊂'grüß ⍳'                   ⍝ → 10
⎕NA 'P ',L,'|text_length <UTF8[]'
text_length ⊂'⍳',⎕UCS 0                 ⍝ → 3
⎕NA 'P ',L,'|wide_length <0T'
wide_length ⊂'⍳a'                       ⍝ → 2
⎕NA 'P ',L,'|units_16 <0UTF16[]'
units_16 ⊂'a',⎕UCS 128512               ⍝ → 3
⎕NA 'P ',L,'|units_16 <0C2'
units_16 ⊂'a⍳'                          ⍝ → 2
⎕NA 'I4 ',L,'|text_copy >0C <0C'
text_copy 100 'hello'                   ⍝ → 5  hello
text_copy 5 'hello'                     ⍝ → 5  hello
⎕NA L,'|text_copy >0C[10] <0C'
text_copy 0 'hello'                     ⍝ → hello
⎕NA L,'|text_copy >0UTF8[20] <0UTF8'
text_copy 0 'grüß'                      ⍝ → grüß
⎕NA 'I4 ',L,'|wide_copy >0T <0T'
wide_copy 100 '⍳⍴'                      ⍝ → 2  ⍳⍴
⎕NA L,'|text_upper =0C'
text_upper ⊂'hello'                     ⍝ → HELLO
x←'abc' ⋄ text_upper ⊂x                 ⍝ → ABC
x                                       ⍝ → abc
⎕NA '>0UTF8 ',L,'|text_constant I4'
text_constant 1                         ⍝ → grüß dich
⍴text_constant 0                        ⍝ → 0
⎕NA '>0UTF16 ',L,'|text_16'
⎕UCS text_16                            ⍝ → 97 128512 122
⎕NA '>I4[3] ',L,'|three_numbers I4'
three_numbers 1                         ⍝ → 3 1 4
three_numbers 0                         ⍝ ! DOMAIN ERROR
⎕NA '>I4 ',L,'|three_numbers I4'
three_numbers 1                         ⍝ → 3
⎕NA L,'|counted_turn =#C[]'
counted_turn ⊂'abc'                     ⍝ → cba
counted_turn ⊂256⍴'x'                   ⍝ ! LENGTH ERROR
⎕NA L,'|counted_make >#C[20] I4'
counted_make 0 3                        ⍝ → xxx

⍝ pointers and structures
⎕NA 'P ',L,'|make_numbers I4' ⋄ ⎕NA 'F8 ',L,'|number_at P I4' ⋄ ⎕NA L,'|free_numbers P'
p←make_numbers 10
number_at p 7                           ⍝ → 3.5
⍴free_numbers p                         ⍝ → 0
⍴free_numbers 0                         ⍝ → 0
free_numbers ¯1                         ⍝ ! DOMAIN ERROR
⎕NA 'F8 ',L,'|record_weight <{I1 F8 {I2 I2} 0C[6]}'
record_weight ⊂2 1.5(10 3)'abc'         ⍝ → 13
record_weight ⊂2 1.5(10 3)'abcdef'      ⍝ ! LENGTH ERROR
record_weight ⊂2 1.5(10 3)              ⍝ ! LENGTH ERROR
record_weight ⊂2 1.5(10 3)'abc' 1       ⍝ ! LENGTH ERROR
record_weight ⊂200 1.5(10 3)'abc'       ⍝ ! DOMAIN ERROR
record_weight ⊂2 1.5(10 3)1             ⍝ ! DOMAIN ERROR
⎕NA L,'|record_make >{I1 F8{I2 I2}0C[6]}'
record_make 0                           ⍝ → 2 2.5  ¯3 4  abc 
⎕NA L,'|record_make >{I1 F8 {I2 I2} C[6]}'
⎕UCS 4⊃record_make 0                    ⍝ → 97 98 99 0 0 0
⎕NA L,'|points_turn ={I2 I2}[] I4'
points_turn ((1 2)(3 4))2               ⍝ →  2 1  4 3 
⎕NA L,'|points_make >{I2 I2}[] I4'
points_make 3 3                         ⍝ →  0 0  1 1  2 4 
⎕NA L,'|points_make >{I2[2]}[2] I4'
points_make 0 2                         ⍝ →   0 0    1 1  

⍝ names, namespaces
⊢⎕NA 'I4 ',L,'|seven'                   ⍝ → seven
'sieben'⎕NA 'I4 ',L,'|seven'
sieben                                  ⍝ → 7
('I4 ',L,'|seven')≡⎕CR 'sieben'         ⍝ → 1
ns←() ⋄ 'ns.acht'⎕NA 'F8 ',L,'|f8_next F8'
ns.acht 7                               ⍝ → 8
ns.⎕NA 'I4 ',L,'|seven'
ns.seven+1                              ⍝ → 8
ns.⎕NL ¯3                               ⍝ →  acht  seven 
{_←⎕NA 'I4 ',L,'|i4_next I4' ⋄ i4_next ⍵}9 ⍝ → 10
'not a name'⎕NA 'I4 ',L,'|seven'        ⍝ ! DOMAIN ERROR
⊢⎕EX 'sieben'                           ⍝ → 1
sieben                                  ⍝ ! VALUE ERROR
f8_next⍣3⊢0.5                           ⍝ → 3.5
(f8_next+i4_next)3                      ⍝ → 8

⍝ libraries by parts of their names
⎕NA 'F8 m|cos F8' ⋄ cos 0               ⍝ → 1
⎕NA 'F8 libm|cos F8' ⋄ cos 0            ⍝ → 1
⎕NA 'F8 libm.so.6|cos F8' ⋄ cos 0       ⍝ → 1
'copy'⎕NA 'dyalog64|MEMCPY >I4[] <I4[] P' ⋄ copy 2(5 6)8 ⍝ → 5 6
'len'⎕NA 'P msvcrt.dll|strlen <0C' ⋄ len⊂'abc' ⍝ → 3
'len'⎕NA 'P |strlen* <0C' ⋄ len⊂'abc'   ⍝ → 3
'len'⎕NA 'P "libc.so.6"|strlen& <0C' ⋄ len⊂'abc' ⍝ → 3
⎕NA 'I4 no_such_library|f I4'           ⍝ ! FILE NAME ERROR
⎕NA 'I4 libc.so.6|no_such_function I4'  ⍝ ! VALUE ERROR

⍝ what is no declaration
⎕NA ''                                  ⍝ ! DOMAIN ERROR: ⎕NA: column 1: a library's name, | and a function's are wanted
⎕NA 'm'                                 ⍝ ! DOMAIN ERROR
⎕NA 'm|'                                ⍝ ! DOMAIN ERROR
⎕NA 'm|cos X8'                          ⍝ ! DOMAIN ERROR: ⎕NA: column 7: a type is wanted: I U C T F J P UTF8 UTF16 or {…}
⎕NA 'm|cos F3'                          ⍝ ! DOMAIN ERROR
⎕NA 'm|cos F8]'                         ⍝ ! DOMAIN ERROR
⎕NA 'm|cos F8[]'                        ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <F8[0]'                      ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <F8[99999999999]'            ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <0F8'                        ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <{F8'                        ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <{}'                         ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <{<I4}'                      ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <{I4[]}'                     ⍝ ! DOMAIN ERROR
⎕NA 'm|cos <UTF8'                       ⍝ ! DOMAIN ERROR
⎕NA 'm|cos {F8}'                        ⍝ ! NONCE ERROR
⎕NA 'm|cos D8'                          ⍝ ! NONCE ERROR
⎕NA 'm|cos ∇'                           ⍝ ! NONCE ERROR
⎕NA 'm|cos',130⍴' I'                    ⍝ ! LIMIT ERROR
⎕NA 'm|cos <',(100000⍴'{'),'I'          ⍝ ! LIMIT ERROR
⎕NA 'm|c',(⎕UCS 0),'s'                  ⍝ ! DOMAIN ERROR
⎕NA 1 2 3                               ⍝ ! DOMAIN ERROR
⎕NA 'I[] m|cos F8'                      ⍝ ! DOMAIN ERROR
⎕NA '>I[] m|cos F8'                     ⍝ ! DOMAIN ERROR
