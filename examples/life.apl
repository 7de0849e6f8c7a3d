#!/usr/bin/env vapl
⍝ life.apl - Conway's game of life, written twice: with a window on each cell's neighbourhood, and
⍝ with the whole board turned in nine directions at once. Run it: vapl examples/life.apl

⍝ The rule: a cell with three neighbours will live; one with two stays as it is. Counting the cell
⍝ itself: three make life, four keep it.

⍝ ⌺3 3 lays a window of 3 by 3 on every cell, with zeros beyond the edge of the board.
window←{around←{+/,⍵}⌺3 3⊢⍵ ⋄ (around=3)∨⍵∧around=4}

⍝ ∘.⌽ turns the board by ¯1 0 1 columns and ∘.⊖ each of those by ¯1 0 1 rows: nine boards, whose
⍝ sum has at each place the cells around it. What leaves on one side comes in on the other.
torus←{around←⊃+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵ ⋄ (around=3)∨⍵∧around=4}

⍝ f⍣n does f n times. A glider is itself again after four steps, one row lower and one column to
⍝ the right, so on a torus of 8 by 8 it is home after 32.
glider←8 8↑3 3⍴0 1 0 0 0 1 1 1 1
'A GLIDER AND ITS NEXT FOUR GENERATIONS'
{'.⌷'[1+6 6↑window⍣⍵⊢glider]}¨0,⍳4
'moved by a row and a column' ((window⍣4⊢glider)≡¯1⊖¯1⌽glider)
'home after 32 steps round the torus' (glider≡torus⍣32⊢glider)

⍝ The pulsar has a period of three. A quarter of it and mirror images make the whole.
quarter←6 6⍴0 0 1 1 1 0 0 0 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 1 0 0 0 0 1 0 0 1 1 1 0
half←quarter,0,⌽quarter
pulsar←¯2⊖¯2⌽17 17↑half⍪0⍪⊖half
'PULSAR, cells in five generations' ({+/,window⍣⍵⊢pulsar}¨0,⍳4)
'the same after three' (pulsar≡window⍣3⊢pulsar)

⍝ Five cells, the R-pentomino, change for 1103 generations. Both ways agree on the first twenty,
⍝ which do not reach the edge. f⍣≡ goes on until nothing changes: three in a corner become a block.
r←¯40 ¯40↑21 21↑3 3⍴0 1 1 1 1 0 0 1 0
'R-PENTOMINO, cells in 15 generations' ({+/,window⍣⍵⊢r}¨0,⍳14)
'the same on the torus' ((window⍣20⊢r)≡torus⍣20⊢r)
'three in a corner end as' (window⍣≡4 4↑2 2⍴1 1 1 0)
