#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ A log analysed by regular expressions.

lines←⊃⎕NGET'data/server.log' 1
⎕←'lines ',≢lines
pattern←'^(\S+) (\d\d):\S+ (\S+) GET (\S+) (\d+) (\d+)ms$'
tab←⎕UCS 9
fields←(pattern ⎕S(1↓∊tab,¨'\1' '\2' '\3' '\4' '\5' '\6'))lines
⎕←'understood ',≢fields
⍝ Lines with tabs are a table already.
day hour who path code ms←(⎕CSV⍠('Invert' 2)('Separator' tab))fields 'N' (1 2 1 1 2 2)
⎕←'by code'
⎕←{⍵[⍋⍵[;1];]}code{⍺,≢⍵}⌸code
⎕←'by path: requests, mean and most milliseconds'
rows←path{⍺,(≢⍵),(⌊0.5+(+/⍵)÷≢⍵),⌈/⍵}⌸ms
⎕←rows[⍒rows[;2];]
⎕←'not found ',∪path/⍨code=404
⎕←'days ',∪day
