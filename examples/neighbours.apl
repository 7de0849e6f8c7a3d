#!/usr/bin/env vapl
⍝ neighbours.apl - points named after the nearest ones whose name is known: the k nearest
⍝ neighbours, from all distances at once. Run it: vapl examples/neighbours.apl

⍝ Known points on a grid, named 1, 2 or 3 by where they lie; new ones between them.
spot←{(97|⍵×31)(89|⍵×⍵)}
known←⍉↑spot⍳600
new←⍉↑spot 600+⍳150
name←{1+(⍵[1]>48)+⍵[2]>⍵[1]}
names←name⍤1⊢known

⍝ (a-b)² is a² + b² - 2ab: a product of matrices gives all squares of distances, exactly.
squares←{((+/⍺*2)∘.+⍥,+/⍵*2)-2×⍺+.×⍉⍵}
d←new squares known
'distances' (⍴d) 'least' (⌊/,d) 'most' (⌈/,d)
nearest←5↑⍤1⍋⍤1⊢d
'nearest to the first' (nearest[1;]) 'at' (d[1;nearest[1;]])

⍝ Of five neighbours the name that most have, the least of several.
votes←+/(⍳3)∘.=⍤1⊢names[nearest]
said←(⍳3){⍺⌷⍨⍵⍳⌈/⍵}⍤1⊢votes
true←name⍤1⊢new
'right' (+/said=true) 'of' (≢new)
'named 1 2 3' (+/(⍳3)∘.=said)
