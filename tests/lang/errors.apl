⍝ SPDX-License-Identifier: MIT
⍝ Errors: their names, which one comes first, and that the session goes on.

1 2+1 2 3                      ⍝ ! LENGTH ERROR
(2 2⍴0)+3⍴0                    ⍝ ! RANK ERROR
'a'×2                          ⍝ ! DOMAIN ERROR
unknown                        ⍝ ! VALUE ERROR
unknown 1                      ⍝ ! VALUE ERROR
1 2 3[5]                       ⍝ ! INDEX ERROR
2 2 2⍴⍨16⍴1                    ⍝ ! LIMIT ERROR
)                              ⍝ ! SYNTAX ERROR
1 2 ] 3                        ⍝ ! SYNTAX ERROR
'open                          ⍝ ! SYNTAX ERROR
1+                             ⍝ ! SYNTAX ERROR
←5                             ⍝ ! SYNTAX ERROR
a←                             ⍝ ! SYNTAX ERROR
5←3                            ⍝ ! SYNTAX ERROR
=5                             ⍝ ! SYNTAX ERROR
1(+¨¨)                         ⍝ ! SYNTAX ERROR
¨1                             ⍝ ! SYNTAX ERROR
+.                             ⍝ ! SYNTAX ERROR
1∘2                            ⍝ ! SYNTAX ERROR
⍺                              ⍝ ! SYNTAX ERROR
{∇∇}1                          ⍝ ! SYNTAX ERROR
∞                              ⍝ ! SYNTAX ERROR
1E400                          ⍝ ! DOMAIN ERROR

⍝ Not in this version, and said so
→1                             ⍝ ! NONCE ERROR
⎕JSON '1'                      ⍝ ! NONCE ERROR
#.a                            ⍝ ! NONCE ERROR
1 2 3+[1]2 3⍴⍳6                ⍝ ! LENGTH ERROR
-[1]3 2⍴⍳6                     ⍝ ! SYNTAX ERROR

⍝ Evaluation goes from the right: the rightmost error comes first
(÷0)+1 2 3[9]                  ⍝ ! INDEX ERROR
1 2 3[9]+÷0                    ⍝ ! DOMAIN ERROR
¯9223372036854775808⍉1 2       ⍝ ! RANK ERROR
+/[¯9223372036854775808]1 2    ⍝ ! RANK ERROR
1/[¯9223372036854775808]1 2    ⍝ ! RANK ERROR
(⍳1000)[¯9223372036854775808]  ⍝ ! INDEX ERROR
nix+÷0                         ⍝ ! DOMAIN ERROR
(a←1)+÷0                       ⍝ ! DOMAIN ERROR
a                              ⍝ ! VALUE ERROR
(÷0)+a←2                       ⍝ ! DOMAIN ERROR
a                              ⍝ → 2

⍝ Long arrays, whose errors are found late
x←÷¯500+⍳1000                  ⍝ ! DOMAIN ERROR
x                              ⍝ ! VALUE ERROR
b←1 ⋄ x←÷¯500+⍳1000 ⋄ b←2      ⍝ ! DOMAIN ERROR
b                              ⍝ → 1
y←÷¯500+⍳1000 ⋄ ⎕IO←0           ⍝ ! DOMAIN ERROR: ÷: division by zero
⎕IO                            ⍝ → 1
y←÷¯500+⍳1000 ⋄ ⎕PP←5           ⍝ ! DOMAIN ERROR: ÷: division by zero
⎕PP                            ⍝ → 10
{11::⎕IO ⋄ ⎕IO←0 ⋄ y←÷¯500+⍳1000 ⋄ ⎕IO←1 ⋄ 5}0 ⍝ → 0
{0::'caught' ⋄ ÷¯500+⍳1000}0   ⍝ → caught
{0::'caught' ⋄ y←÷¯500+⍳1000 ⋄ 5}0 ⍝ → caught
{z←÷¯500+⍳1000 ⋄ 0::'caught' ⋄ 5}0 ⍝ ! DOMAIN ERROR
+/÷⍳1000                       ⍝ → 7.485470861
1+1                            ⍝ → 2
