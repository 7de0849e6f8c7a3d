#!/usr/bin/env vapl
⍝ fft.apl - the fast Fourier transform, in place of n×n products n×log n: the two halves of what is
⍝ left are added and subtracted, row by row, and put side by side (Stockham's order, which needs no
⍝ reversal of bits). Run it: vapl examples/fft.apl

⎕IO←0
⍝ ⍵ has a power of two rows: each step has half as many, twice as long.
turn←{1=≢⍵:,⍵ ⋄ h←(≢⍵)÷2 ⋄ a←h↑⍵ ⋄ b←h↓⍵ ⋄ w←*0J¯1×○(⍳h)÷h ⋄ ∇(a+b),w×⍤0 1⊢a-b}
fft←{turn((≢⍵),1)⍴⍵}
inverse←{(+fft+⍵)÷≢⍵}
slow←{(*0J¯2×○((⍳≢⍵)∘.×⍳≢⍵)÷≢⍵)+.×⍵}

x←(16⍴3 1 4 1 5 9 2 6)+⍳16
'as by the definition' (1e¯9>⌈/|(fft x)-slow x)
'there and back' (1e¯9>⌈/|x-inverse fft x)

⍝ Two tones: their strength is where their frequencies are.
t←(⍳1024)÷1024
tones←(3×1○○2×50×t)+2○○2×120×t
strength←|(fft tones)÷512
'frequencies' (⍸0.5<512↑strength) 'strengths' (2⍕(0.5<512↑strength)/512↑strength)

⍝ The energy is the same on both sides.
'energy' (4⍕+/tones*2) 'of the transform' (4⍕(+/(|fft tones)*2)÷1024)

⍝ Numbers of many digits, multiplied as polynomials whose digits are the coefficients.
times←{n←2*⌈2⍟(≢⍺)+≢⍵ ⋄ d←⌊0.5+9○inverse(fft n↑⌽⍺)×fft n↑⌽⍵ ⋄ digits d}
digits←{c←⌊⍵÷10 ⋄ ∧/0=c:⌽⍵ ⋄ ∇(⍵-10×c)+¯1↓0,c}
show←{(∨\⍵≠0)/⍵}
product←show(30⍴1 2 3 4 5 6 7 8 9)times 25⍴9 8 7 6 5 4 3 2 1
'a product of' (≢product) 'digits'
⎕D[product]
