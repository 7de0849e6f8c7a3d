#!/usr/bin/env vapl
⍝ pagerank.apl - pages ranked by the links to them: every page gives its rank in equal parts to those
⍝ that it links to, again and again. Run it: vapl examples/pagerank.apl

⍝ Links as two columns: from each of a thousand pages to three others, two of which many share.
n←1000
from←(⍳n),(⍳n),⍳n
to←1+n|(7×⍳n),((⍳n)*2),⌊(⍳n)÷10
links←n⍴0
links[from]+←1

⍝ One step: what arrives at each page, added up place by place, and a share that all have.
step←{h←n⍴0 ⋄ h[to]+←(⍵÷links)[from] ⋄ (0.15÷n)+0.85×h}
rank←step⍣50⊢n⍴÷n
'sum of all ranks' (6⍕+/rank)
'has come to rest' (1e¯6>⌈/|rank-step rank)
best←5↑⍒rank
'best pages' best
'their ranks' (6⍕rank[best])
'least rank' (6⍕⌊/rank)

⍝ The same by groups: ⌸ sums what goes to each page that has links to it.
sums←{to{⍺,+/⍵}⌸(⍵÷links)[from]}rank
h←n⍴0
h[sums[;1]]←sums[;2]
'by groups the same' (1e¯12>⌈/|(step rank)-(0.15÷n)+0.85×h)
