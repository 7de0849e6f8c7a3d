#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ A series smoothed and plotted: the rain of one place, month by month.

(station year month mm)_←(⎕CSV⍠'Invert' 2)'data/rain.csv' '' (1 2 2 2) 1
m←station≡¨⊂'Brocken'
x←m/mm
when←(100×m/year)+m/month
⎕←'months ',≢x
moving←(3+/x)÷3
⎕←'smoothed, first and last ',1⍕moving[1 22]
dates←1 ⎕DT{(⌊⍵÷100)(100|⍵)1}¨when
⎕←'from ',(⊃'Mmm YYYY'⎕DT 1↑dates),' to ',⊃'Mmm YYYY'⎕DT ¯1↑dates
⍝ A line for each month; o is the month, * the mean of it and its neighbours.
width←50
scale←{1+⌊width×⍵÷1.01×⌈/x}
line←{r←' '⍴⍨1+width ⋄ r[⍵]←'o' ⋄ r}
plot←line¨scale x
both←{r←⍺ ⋄ r[⍵]←'*' ⋄ r}
plot←(1↑plot),((¯1↓1↓plot)both¨scale moving),¯1↑plot
label←'MM/YY'∘{⍺ ⎕DT ⍵}dates
⎕←↑label,¨' ',¨plot
