#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ A CSV file to a summary to a CSV file: rain by station and year.

(station year month mm)names←(⎕CSV⍠'Invert' 2)'data/rain.csv' '' (1 2 2 2) 1
⎕←'rows ',≢mm
⎕←'columns ',∊' ',¨names

places←∪station
⍝ Rows are stations, columns are years.
total←{+/mm/⍨(station≡¨⊂⍺)∧year=⍵}
years←∪year
sums←places∘.{⍺ total ⍵}years
⎕←'total of each place and year'
⎕←places,'F8.1'⎕FMT sums

⍝ The wettest month of each place, both years together
month∆of←{m←station≡¨⊂⍵ ⋄ s←(m/month){+/⍵}⌸m/mm ⋄ ⊃⍒s}
⎕←'wettest month ',month∆of¨places

dir←⊃⎕SH'mktemp -d'
out←dir,'/summary.csv'
bytes←((places,sums)((⊂'station'),⍕¨years))(⎕CSV⍠'Overwrite' 1)out
⎕←'written ',bytes,' bytes; first line ',⊃⊃⎕NGET out 1
back←⎕CSV out '' (1 2 2) 1
⎕←'read back the same ',(places,sums)≡⊃back
_←2 ⎕NDELETE dir
