#!/usr/bin/env vapl
⍝ forest.apl - a random forest decides for ten thousand points whether they lie in a disc, all
⍝ points and all trees at once. The trees were grown elsewhere, from 1500 random points each.
⍝ Run it: vapl examples/forest.apl

⍝ Seven complete trees of depth 4: 15 questions each, numbered from the root, so that the
⍝ children of node i are nodes 2i and 2i+1. Question: is coordinate `asks` above `bound`?
asks←1 1 1 1 2 2 2 2 1 2 2 1 2 1 2
asks←asks,2 2 2 2 1 1 1 1 1 1 1 1 2 2 1
asks←asks,1 1 1 2 2 2 1 2 1 1 2 2 2 2 2
asks←asks,1 1 1 2 1 2 1 1 2 2 2 2 2 2 2
asks←asks,2 2 2 1 1 2 1 2 1 2 1 1 2 2 2
asks←asks,1 2 2 1 2 2 2 1 2 2 1 2 1 1 2
asks←asks,1 2 1 2 2 2 1 2 2 1 2 2 2 2 2

bound←80 15 85 6 82 38 88 34 14 26 83 81 57 95 97
bound←bound,81 23 84 14 10 58 41 54 29 8 72 26 82 85 62
bound←bound,24 13 82 1 28 73 85 0 5 23 81 21 86 37 74
bound←bound,16 14 80 7 15 17 85 7 96 58 45 14 53 29 41
bound←bound,81 12 90 86 15 82 56 0 96 32 76 79 83 99 95
bound←bound,15 1 80 2 23 31 84 2 1 21 13 20 54 60 87
bound←bound,13 35 78 32 44 19 87 15 35 2 96 16 68 32 31

leaf←0 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0
leaf←leaf,0 0 0 0 0 0 1 0 0 1 0 0 0 0 0 0
leaf←leaf,0 0 0 0 0 0 1 0 0 1 1 0 0 0 0 0
leaf←leaf,0 0 0 0 0 0 0 0 0 0 1 1 0 0 0 0
leaf←leaf,0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0
leaf←leaf,0 0 0 0 0 0 0 0 0 1 1 1 0 0 0 0
leaf←leaf,0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0

trees←7 ⋄ depth←4 ⋄ inner←15 ⋄ leaves←16

⍝ The points of a grid, a row of two coordinates each, and the truth.
side←100
points←⍉2(side×side)⍴(side/¯1+⍳side),(side×side)⍴¯1+⍳side
true←1200≥+/(points-50)*2

⍝ Each point stands at a node of each tree: a table, points × trees. A step asks all of their
⍝ questions by three gathers and goes down: node 2i, or 2i+1 if the answer is yes. It is the
⍝ same for all, so no branch is needed, and `depth` steps end in the leaves.
n←≢points
flat←,points
row←2×¯1+⍳n                                   ⍝ where a point's coordinates begin
tree←inner×¯1+⍳trees                          ⍝ where a tree's questions begin
down←{q←⍵+(⍴⍵)⍴tree
  x←flat[asks[q]+⍉(⌽⍴⍵)⍴row]
  (2×⍵)+x>bound[q]}
node←(down⍣depth)(n trees)⍴1
vote←leaf[(node-leaves-1)+(⍴node)⍴leaves×¯1+⍳trees]
inside←(+/vote)>trees÷2

'A FOREST OF' trees 'TREES FOR' n 'POINTS'
'votes' (+/,vote)
'said to be inside' (+/inside) 'are' (+/true)
'right' (+/inside=true)
'right by each tree' (+⌿vote=true∘.=trees⍴1)
'points by votes' ({+/⍵=+/vote}¨0,⍳trees)

⍝ The same by walking down one tree for one point, some of them.
walk←{⍺←1 ⋄ p t←⍵ ⋄ ⍺≥leaves:leaf[(⍺-leaves-1)+leaves×t-1]
  q←⍺+inner×t-1
  ((2×⍺)+points[p;asks[q]]>bound[q])∇ ⍵}
some←1+37×⍳200
'walked one by one, different' (+/,vote[some;]≠{walk ⍵}¨some∘.,⍳trees)

⍝ A picture, each ninth point.
pick←9×⍳11
'.#'[1+(side side⍴inside)[pick;pick]]
