#!/usr/bin/env vapl
⍝ nile.apl - the flow of the Nile at Aswan, year by year from 1871 to 1970, in units of 10*8
⍝ cubic metres: the data on which statistics books explain a change of level. Around 1898 the
⍝ river fell by a quarter and did not come back. Run it: vapl examples/nile.apl

flow←1120 1160 963 1210 1160 1160 813 1230 1370 1140
flow←flow,995 935 1110 994 1020 960 1180 799 958 1140
flow←flow,1100 1210 1150 1250 1260 1220 1030 1100 774 840
flow←flow,874 694 940 833 701 916 692 1020 1050 969
flow←flow,831 726 456 824 702 1120 1100 832 764 821
flow←flow,768 845 864 862 698 845 744 796 1040 759
flow←flow,781 865 845 944 984 897 822 1010 771 676
flow←flow,649 846 812 742 801 1040 860 874 848 890
flow←flow,744 749 838 1050 918 986 797 923 975 815
flow←flow,1020 906 901 1170 912 746 919 718 714 740
years←1870+⍳≢flow

⍝ Each function says what it needs in its argument; ⍵ is the series.
mean←{(+/⍵)÷≢⍵}
variance←{(+/(⍵-mean ⍵)*2)÷(≢⍵)-1}       ⍝ of a sample: n-1
sd←{(variance ⍵)*0.5}
when←{⍵/years}                           ⍝ the years that a Boolean series marks

'THE NILE AT ASWAN, 1871 TO 1970 (10*8 cubic metres a year)'
'years' (≢flow)
'mean' (mean flow)
'variance' (variance flow)
'standard deviation' (sd flow)
'least' (⌊/flow) 'in' (when flow=⌊/flow)
'most' (⌈/flow) 'in' (when flow=⌈/flow)

⍝ The largest fall from one year to the next: differences of neighbours.
change←(1↓flow)-¯1↓flow
'largest fall' (-⌊/change) 'from' (¯1+when 0,change=⌊/change) 'to' (when 0,change=⌊/change)

⍝ A moving average over nine years by running sums: each window is a difference of two of them.
k←9
sums←0,+\flow
average←((k↓sums)-(-k)↓sums)÷k
middle←(⌊k÷2)↓(-⌊k÷2)↓years
'lowest nine-year average' (⌊/average) 'around' ((average=⌊/average)/middle)
'highest nine-year average' (⌈/average) 'around' ((average=⌈/average)/middle)

⍝ Where did the level change? For each year split the series there and take the squares that
⍝ remain around the two means; the best split leaves least. n and the sum give a mean; the
⍝ squares that a mean explains are sum×sum÷n, so largest explained is least remaining.
n←≢flow
left←¯1↓+\flow
count←⍳n-1
explained←(left×left÷count)+(((+/flow)-left)*2)÷n-count
last←(explained=⌈/explained)/count
year←years[last]
'last year of the old level' year
'mean until then' (mean last⍴flow)
'mean afterwards' (mean last↓flow)

⍝ How often was the flow in each class of a hundred?
'HISTOGRAM: flow from, years, bar'
from←300+100×⍳10
counts←{+/(flow≥⍵)∧flow<⍵+100}¨from
table←(10 1⍴from),(10 1⍴counts),10 1⍴{⍵⍴'*'}¨counts
table
