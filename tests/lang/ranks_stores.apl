⍝ SPDX-License-Identifier: MIT
⍝ Assignment to elements, as ranks do it in parts: a place that is named twice has the last value.
x←5000⍴0
x[7 4999 7 2500]←1 2 3 4
x[7 4999 2500],+/x                      ⍝ → 3 2 4 9
x[⍳5000]←⌽⍳5000
x≡⌽⍳5000                                ⍝ → 1
x[1+5000|7×⍳20000]←⍳20000
x[1+5000|7×15000+⍳5000]≡15000+⍳5000     ⍝ → 1
x[5]←0.5
x[4 5 6]                                ⍝ → 16429 0.5 15715
b←5000⍴0 1 1
b[10 20 30 4999]←1 0 0 0
(+/b),b[10 20 30 4999]                  ⍝ → 3332 1 0 0 0
b[⍳5000]←~b
+/b                                     ⍝ → 1668
b[10]←7
b[9 10 11]                              ⍝ → 0 7 0
c←5000⍴'abc'
c[3 4 4000]←'xyz'
c[1 2 3 4 3999 4000 4001]               ⍝ → abxyczb
⍝ Rows, columns and single elements of a matrix.
m←50 100⍴⍳5000
m[3 40;]←0
(+/,m),+/,m[3 40;]                      ⍝ → 12082400 0
m[;5]←⍳50
m[;5]≡⍳50                               ⍝ → 1
m[3;4]←9999
m[3;3 4 5]                              ⍝ → 0 9999 3
m[⍳50;3 4]←m[⍳50;4 3]
m[3;3 4 5]                              ⍝ → 9999 0 3
⍝ What else holds the array keeps what it was.
y←x
y[1]←99
x[1]≠y[1]                               ⍝ → 1
z←(0@3 4000)x
x[3]≠z[3]                               ⍝ → 1
z[3 4000]                               ⍝ → 0 0
z←((⌽⍳2500)@(2×⍳2500))x
z[2×⍳2500]≡⌽⍳2500                       ⍝ → 1
z[¯1+2×⍳2500]≡x[¯1+2×⍳2500]             ⍝ → 1
(3↑x)←0
4↑x                                     ⍝ → 0 0 0 16429
((5000⍴0 1)/x)←¯1
(+/x=¯1),x[1 2 3 4]                     ⍝ → 2500 0 ¯1 0 ¯1
x[4 5]+←10
x[4 5]                                  ⍝ → 9 10.5
⍝ A place that is not there: nothing is written.
was←x
{0::⎕DMX.(EN Message) ⋄ x[5001]←1}0     ⍝ → 3  there is no index 5001 in an axis of length 5000
{0::⎕DMX.(EN Message) ⋄ x[(⍳5999),9000]←1}0     ⍝ → 3  there is no index 5001 in an axis of length 5000
{0::⎕DMX.EN ⋄ x[1 2]←2 3 4}0            ⍝ → 5
x≡was                                   ⍝ → 1
⍝ Sums at places.
h←10⍴0
h[1+10|⍳5000]+←1
h                                       ⍝ → 500 500 500 500 500 500 500 500 500 500
h[1+10|⍳5000]⌈←⍳5000
h                                       ⍝ → 5000 4991 4992 4993 4994 4995 4996 4997 4998 4999
h[1+10|⍳5000]+←0.1×⍳5000
h[1]=5000++/0.1×10×⍳500                 ⍝ → 1
⎕IO←0
x[0 4999]←3 4
x[0 1 4998 4999]                        ⍝ → 3 ¯1 15714 4
