#!/usr/bin/env vapl
⍝ regression.apl - least squares with ⌹ on data that can be compared: Anscombe's four sets of eleven
⍝ points (1973), whose means, lines and correlations agree while their pictures differ, and the six
⍝ planets that Kepler knew. Run it: vapl examples/regression.apl

x←10 8 13 9 11 14 6 4 12 7 5
x4←8 8 8 8 8 8 8 19 8 8 8
y1←8.04 6.95 7.58 8.81 8.33 9.96 7.24 4.26 10.84 4.82 5.68
y2←9.14 8.14 8.74 8.77 9.26 8.1 6.13 3.1 9.13 7.26 4.74
y3←7.46 6.77 12.74 7.11 7.81 8.84 6.08 5.39 8.15 6.42 5.73
y4←6.58 5.76 7.71 8.84 8.47 7.04 5.25 12.5 5.56 7.91 6.89

⍝ y⌹m finds the coefficients c for which m+.×c comes nearest to y. A line has two: the columns of
⍝ m are x*0 and x*1. A parabola has x*2 besides, and nothing else changes.
line←{⍵⌹⍺∘.*0 1}
parabola←{⍵⌹⍺∘.*0 1 2}

⍝ Trains: the mean is a sum divided by a tally, deviations are the argument minus its mean.
mean←+/÷≢
dev←⊢-mean
corr←{(⍺+.×⍥dev⍵)÷((+/×⍨dev ⍺)×+/×⍨dev ⍵)*0.5}

⍝ One table of four rows: ↑ makes a matrix of vectors, 10 2⍕ gives ten columns and two decimals.
xs←x x x x4
ys←y1 y2 y3 y4
'ANSCOMBE: intercept, slope, mean, correlation'
10 2⍕↑(xs line¨ys),¨(mean¨ys),¨xs corr¨ys

⍝ What the coefficients c leave unexplained, in squares. The second set is a parabola.
rest←{x y c←⍵ ⋄ +/×⍨y-(x∘.*¯1+⍳≢c)+.×c}
'squares left by the lines' (4⍕{rest ⍵}¨↓⍉↑xs ys (xs line¨ys))
'second set, coefficients of a parabola' (4⍕x parabola y2)
'squares left by it' (6⍕rest x y2 (x parabola y2))

⍝ The planets to Saturn: distance from the sun (the earth's is 1) and years. Where one grows with a
⍝ power of the other, logarithms lie on a line whose slope is the power: Kepler's third law.
distance←0.387 0.723 1 1.524 5.203 9.537
year←0.241 0.615 1 1.881 11.862 29.457
'KEPLER: years grow as the distance to the power' (3⍕1⊃⌽(⍟distance)line⍟year)

⍝ ⌹m alone is the inverse, or for a tall matrix its pseudo-inverse: the same fit, by a product.
m←x∘.*0 1
'first set by the pseudo-inverse' (4⍕(⌹m)+.×y1)
'and by the normal equations' (4⍕((⍉m)+.×y1)⌹(⍉m)+.×m)
