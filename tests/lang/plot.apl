⍝ SPDX-License-Identifier: MIT
⍝ ⎕PLOT and ]plot: pictures of numbers, in braille and in files. The working folder is this file's own.
⍝ needs ⎕NC '⎕IMG'

⎕PW←42
]plot -rows=2 1 2 4              ⍝ →            4┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉ ⏎            1┤⣀⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
]plot -rows=2 -bars 1 ¯1 2       ⍝ →            2┤⢠⣤⣤⣤⣤⣤⣤⣤⣤⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇ ⏎           ¯1┤⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃⣶⣶⣶⣶⣶⣶⣶⣶⣶⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃ ⏎              1                           3
]plot -rows=2 -hist 1 1 1 2 2 3  ⍝ →            3┤⢸⣿⣿⣿⣿⣿⠀⠀⠀⠀⠀⢠⣤⣤⣤⣤⣤⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎            0┤⢸⣿⣿⣿⣿⣿⣀⣀⣀⣀⣀⣸⣿⣿⣿⣿⣿⣇⣀⣀⣀⣀⣀⣶⣶⣶⣶⣶⡆ ⏎              1                           3
]plot -rows=2 -hist -bins=3 1 1 1 2 2 3  ⍝ →            3┤⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇⣤⣤⣤⣤⣤⣤⣤⣤⣤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎            0┤⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇⣿⣿⣿⣿⣿⣿⣿⣿⣿⢰⣶⣶⣶⣶⣶⣶⣶⣶⡆ ⏎              1                           3
]plot -rows=2 3 2⍴1 1 2 4 3 9    ⍝ →            9┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈ ⏎            1┤⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
]plot -rows=2 -line 3 2⍴1 1 2 4 3 9    ⍝ →            9┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⡠⠤⠤⠤⠒⠒⠒⠉⠉ ⏎            1┤⣀⣀⣀⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
]plot -rows=2 3 3⍴⍳9             ⍝ →            1┤⠄⢄⠄⢄⠄⢄⠄⢄⠄⢄⢅⢄⢅⢄⢅⢄⢅⢄⢅⢥⢅⢥⢅⢥⢅⢥⢅⢥⢅ ⏎            3┤⢵⢵⢵⢵⢵⢵⢵⢵⢵⢵⢷⣵⢷⣵⢷⣵⢷⣵⢷⣷⣿⣷⣿⣷⣿⣷⣿⣷⣿ ⏎              1                           3 ⏎              1 to 9
]plot -heat -rows=2 2 2⍴1 2 3 4  ⍝ →            1┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠐⠅⠕⠅⠕⠅⠕⠅⠕⠅⠕⠅⠕⠅⠕ ⏎            2┤⢝⢽⢝⢽⢝⢽⢝⢽⢝⢽⢝⢽⢝⢽⢽⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿ ⏎              1                           2 ⏎              1 to 4
]plot -rows=2 -title='two words' 7   ⍝ →              two words ⏎         10.5┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎          3.5┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              0.5                       1.5
]plot -rows=2 0 0 0              ⍝ →          0.5┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎         ¯0.5┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉ ⏎              1                           3
⍝ What is not finite is left out: the line has a gap.
inf←645 ⎕DR,⊖8 8⍴64↑0,11⍴1
x←1 2,inf,2 1
]plot -rows=2 x                  ⍝ →            2┤⠀⠀⠀⠀⣀⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠑⠢⣄⠀⠀⠀⠀ ⏎            1┤⣀⠤⠒⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠤⣀ ⏎              1                           5
]plot 3⍴inf                      ⍝ → ]plot: there is no finite number to show
]plot ⍬                          ⍝ → ]plot: there is no finite number to show
]plot 0 3⍴0                      ⍝ → ]plot: there is no finite number to show
]plot -rows=2 ¯1.7E308 0 1.7E308 ⍝ →      1.7E308┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉ ⏎     ¯1.7E308┤⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
]plot -rows=2 1E¯320 2E¯320      ⍝ →          0.5┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎         ¯0.5┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉ ⏎              1                           2
]plot -rows=2 ⎕F32 1 2           ⍝ →            2┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉ ⏎            1┤⣀⣀⡠⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           2
]plot -rows=2 -1 2               ⍝ →           ¯1┤⠉⠉⠑⠒⠒⠒⠢⠤⠤⠤⢄⣀⣀⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎           ¯2┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠉⠉⠉⠑⠒⠒⠒⠢⠤⠤⠤⢄⣀⣀ ⏎              1                           2
]plot 'abc'                      ⍝ ! DOMAIN ERROR
]plot 1J2                        ⍝ ! DOMAIN ERROR
]plot (1 2)3                     ⍝ ! DOMAIN ERROR
]plot 2 2 2⍴1                    ⍝ ! RANK ERROR
]plot -bars 2 3 4⍴1              ⍝ ! RANK ERROR
]plot -heat 1 2                  ⍝ ! RANK ERROR
]plot -pie 1 2                   ⍝ ! SYNTAX ERROR
]plot nothing                    ⍝ ! VALUE ERROR
]plot                            ⍝ ! SYNTAX ERROR
⍝ Files.
text←{⊃⎕NGET ⍵}
count←{≢(⍺⎕S 0)⍵}
]plot a.svg 1 3 2                ⍝ → a.svg: 640 by 400
'stroke="#0072b2"' '<text' '</svg>' count¨⊂text 'a.svg'   ⍝ → 1 10 1
]plot b.svg -bars 5 1 4          ⍝ → b.svg: 640 by 400
'<rect' count text 'b.svg'       ⍝ → 4
'fill="#0072b2"' count text 'b.svg'   ⍝ → 3
]plot -title='a<b & c' c.SVG 5 2⍴⍳10   ⍝ → c.SVG: 640 by 400
'h0' 'a&lt;b &amp; c</text>' count¨⊂text 'c.SVG'   ⍝ → 5 1
]plot d.svg 3 3⍴⍳9               ⍝ → d.svg: 640 by 400
'<rect' count text 'd.svg'       ⍝ → 138
]plot -scatter e.svg 100000⍴1 2  ⍝ → e.svg: 640 by 400
1500>'h0' count text 'e.svg'       ⍝ → 1
]plot f.svg 100000⍴1 2           ⍝ → f.svg: 640 by 400
60000>≢text 'f.svg'              ⍝ → 1
]plot -title='Title 1' g.png 1 3 2    ⍝ → g.png: 640 by 400
⍴⎕IMG 'g.png'                    ⍝ → 400 640 3
(⊂0 114 178)∊,⊂⍤1⎕IMG 'g.png'    ⍝ → 1
small←⎕IMG 'g.png'
]plot -title='TITLE 1' g.png 1 3 2    ⍝ → g.png: 640 by 400
100<+/,∨/small≠⎕IMG 'g.png'      ⍝ → 1
]plot nowhere/g.svg 1 2          ⍝ ! FILE NAME ERROR
]plot -file=h.txt -rows=2 1 2 4        ⍝ → h.txt
≢text 'h.txt'                    ⍝ → 129
⍝ Options as words of the command.
]plot -rows=2 -kind=bars 1 ¯1 2  ⍝ →            2┤⢠⣤⣤⣤⣤⣤⣤⣤⣤⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇ ⏎           ¯1┤⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃⣶⣶⣶⣶⣶⣶⣶⣶⣶⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃ ⏎              1                           3
]plot -size=30,2 -names=up,down -line ⍉2 3⍴1 2 4 4 2 1   ⍝ →            4┤⠉⠒⠂⠀⠤⣀⡀⠀⠀⠀⢀⣀⠤⠤⠒⠒⠉ ⏎            1┤⣀⣀⠤⠤⠤⠔⠒⠒⠛⠛⠁⠠⠤⠤⠀⢀⣀ ⏎              1               3 ⏎              ⠤⠤⠤ up   ⠤⠤⠄ down
]plot -yrange=¯1,5 -rows=2 1 2   ⍝ →            5┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎           ¯1┤⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉ ⏎              1                           2
]plot -size=x 1 2                ⍝ ! DOMAIN ERROR
]plot -colour=red 1 2            ⍝ ! SYNTAX ERROR
]plot -format=png 1 2            ⍝ ! DOMAIN ERROR
⍝ ⎕PLOT: the same, as values.
⍴⎕PLOT 1 2 4                     ⍝ → 13 42
(rows:2) ⎕PLOT 1 2 4             ⍝ →            4┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉ ⏎            1┤⣀⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
'rows' 2 ⎕PLOT 1 2 4             ⍝ →            4┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉ ⏎            1┤⣀⣀⣀⡠⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
('rows' 2)('kind' 'bars')('title' 'T') ⎕PLOT 1 ¯1 2   ⍝ →              T ⏎            2┤⢠⣤⣤⣤⣤⣤⣤⣤⣤⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇ ⏎           ¯1┤⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃⣶⣶⣶⣶⣶⣶⣶⣶⣶⠘⠛⠛⠛⠛⠛⠛⠛⠛⠃ ⏎              1                           3
⎕PLOT ⍬                          ⍝ → ⎕PLOT: there is no finite number to show
4↑'svg' ⎕PLOT 1 2                ⍝ → <svg
p←'png' ⎕PLOT 1 2
p[⍳8]                            ⍝ → 137 80 78 71 13 10 26 10
'i.png' ⎕PLOT 1 2
p≡{(⎕NUNTIE ⍵)⊢256|⎕NREAD ⍵ 83(⎕NSIZE ⍵)0}'i.png'⎕NTIE 0   ⍝ → 1
⊢'i.svg' ⎕PLOT 1 2               ⍝ → i.svg
('svg' ⎕PLOT 1 2)≡text 'i.svg'   ⍝ → 1
(file:'j.png' ⋄ size:300 200 ⋄ scale:2) ⎕PLOT 1 2
⍴⎕IMG 'j.png'                    ⍝ → 400 600 3
⍝ Series: columns with names or x, items, pairs, named ones, a namespace.
lines←{+/'stroke="#0072b2"' 'stroke="#d55e00"' 'stroke="#009e73"' count¨⊂⍵}
lines (format:'svg' ⋄ kind:'line') ⎕PLOT 4 3⍴⍳12     ⍝ → 3
lines (format:'svg' ⋄ names:'a' 'b') ⎕PLOT 4 2⍴⍳12   ⍝ → 4
lines (format:'svg' ⋄ x:10×⍳4) ⎕PLOT 4 2⍴⍳12         ⍝ → 2
lines 'svg' ⎕PLOT (1 2)(3 4)(5 6 7)                  ⍝ → 3
lines 'svg' ⎕PLOT ⊂(1 2)(3 4)                        ⍝ → 1
lines 'svg' ⎕PLOT ('one'(1 2))('two'(1 2)(3 4))      ⍝ → 4
lines 'svg' ⎕PLOT (north:1 2 3 ⋄ south:3 2 1)        ⍝ → 4
'>north<' count 'svg' ⎕PLOT (north:1 2 3 ⋄ south:3 2 1)   ⍝ → 1
'>north<' count (format:'svg' ⋄ legend:0) ⎕PLOT (north:1 2 3 ⋄ south:3 2 1)   ⍝ → 0
'stroke="#ff0000"' count (format:'svg' ⋄ colours:'#ff0000' '#00FF00') ⎕PLOT 1 2   ⍝ → 1
⍝ Gaps: what is not finite, and ⎕NULL.
series←{t←(⊃⍸'stroke="#0072b2"'⍷⍵)↓⍵ ⋄ t↑⍨⊃⍸'/>'⍷t}
'M' count series 'svg' ⎕PLOT 1 2,inf,2 1             ⍝ → 2
('svg' ⎕PLOT 1 2 ⎕NULL 2 1)≡'svg' ⎕PLOT 1 2,inf,2 1   ⍝ → 1
⎕PW←300
⍝ Axes: round numbers, powers of ten, times, names.
labels←{'>([^<>\n]+)</text>'⎕S'\1'⊢⍵}
labels 'svg' ⎕PLOT 0 1                               ⍝ →  1.0  1.2  1.4  1.6  1.8  2.0  0.0  0.2  0.4  0.6  0.8  1.0 
labels (format:'svg' ⋄ yscale:'log') ⎕PLOT 10*⍳4     ⍝ →  1.0  1.5  2.0  2.5  3.0  3.5  4.0  10  100  1000  10 000
labels (format:'svg' ⋄ yscale:'log') ⎕PLOT 10*¯8 8   ⍝ →  1.0  1.2  1.4  1.6  1.8  2.0  10⁻⁶  10⁻³  10⁰  10³  10⁶
labels (format:'svg' ⋄ xscale:'date' ⋄ x:45000+31×⍳24) ⎕PLOT ⍳24   ⍝ →  2023-07  2023-10  2024-01  2024-04  2024-07  2024-10  2025-01  0  5  10  15  20  25
labels (format:'svg' ⋄ xscale:'date' ⋄ x:45000+(⍳24)÷24) ⎕PLOT ⍳24   ⍝ →  03:00  06:00  09:00  12:00  15:00  18:00  21:00  03-17  0  5  10  15  20  25
labels (format:'svg' ⋄ x:'Jan' 'Feb' 'Mar' ⋄ title:'T' ⋄ xlabel:'X' ⋄ ylabel:'Y') ⎕PLOT 1 2 3   ⍝ →  Jan  Feb  Mar  0  1  2  3  X  Y  T
labels 'svg' ⎕PLOT ¯2E9 1E9                          ⍝ →  1.0  1.2  1.4  1.6  1.8  2.0  −2E9  −1E9  0  1E9
⎕PW←42
⍝ A log axis leaves out what is not above 0.
(rows:2 ⋄ yscale:'log') ⎕PLOT 1 0 ¯1 100             ⍝ →          100┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈ ⏎            1┤⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           4
⍝ What there is too much of is thinned out.
100000>≢'svg' ⎕PLOT ?1000000⍴0                       ⍝ → 1
2000000>≢(format:'svg' ⋄ kind:'points') ⎕PLOT ?100000 2⍴0   ⍝ → 1
1500000>≢(format:'svg' ⋄ kind:'heat') ⎕PLOT ?1000 1000⍴0    ⍝ → 1
⍝ Every kind with everything: nothing at all, one number, equal ones, the largest.
all←{f←⍺ ⋄ y←⍵ ⋄ ≢¨{(format:f ⋄ kind:⍵) ⎕PLOT y}¨'line' 'points' 'bars' 'hist'}
∧/1000<∊'svg'∘all¨(⍬)(⍬)(,5)(3 3 3)(¯1.7E308 1.7E308)(0 0)(1E¯320 2E¯320)   ⍝ → 1
∧/1000<∊'png'∘all¨(⍬)(⍬)(,5)(3 3 3)(¯1.7E308 1.7E308)(0 0)(1E¯320 2E¯320)   ⍝ → 1
⍝ What is wrong is said.
'colour' 'red' ⎕PLOT 1 2                 ⍝ ! DOMAIN ERROR: ⎕PLOT has no option colour; it has title xlabel ylabel kind names x xscale yscale xrange yrange size scale bins rows legend grid colours format file
(title:1) ⎕PLOT 1 2                      ⍝ ! DOMAIN ERROR: ⎕PLOT: title must be text
'pie' ⎕PLOT 1 2                          ⍝ ! DOMAIN ERROR: ⎕PLOT knows the kinds line points bars hist heat, not pie
(xrange:2 1) ⎕PLOT 1 2                   ⍝ ! DOMAIN ERROR: ⎕PLOT: xrange: its end is not above its start
(xscale:'cubic') ⎕PLOT 1 2               ⍝ ! DOMAIN ERROR: ⎕PLOT: xscale takes one of: linear log date
(colours:'red') ⎕PLOT 1 2                ⍝ ! DOMAIN ERROR: ⎕PLOT: colours takes colours such as '#0072B2'
(x:1 2 3) ⎕PLOT 1 2                      ⍝ ! LENGTH ERROR: ⎕PLOT: x has 3 items, a series 2
(kind:'hist' 'line') ⎕PLOT (1 2)(3 4)    ⍝ ! DOMAIN ERROR: ⎕PLOT: hist and heat do not go with other kinds
'heat' ⎕PLOT 1 2                         ⍝ ! RANK ERROR: ⎕PLOT: a heat map is a matrix of numbers
'x.pdf' ⎕PLOT 1 2                        ⍝ ! DOMAIN ERROR: ⎕PLOT writes .svg, .png and .txt, not x.pdf
(file:'x.pdf') ⎕PLOT 1 2                 ⍝ ! DOMAIN ERROR: ⎕PLOT writes .svg, .png and .txt, not x.pdf
⎕PLOT ⊂(1 2)(3 4 5)                      ⍝ ! LENGTH ERROR: ⎕PLOT: x of a series has 2 numbers, y 3
⎕PLOT 1 2 'a'                            ⍝ ! DOMAIN ERROR: ⎕PLOT: a series is numbers, x and y, or a name and these
⎕PLOT 'abc'                              ⍝ ! DOMAIN ERROR: ⎕PLOT: the data are real numbers
5 ⎕PLOT 1 2                              ⍝ ! DOMAIN ERROR: ⎕PLOT: options are a namespace, names and values, or a word
(f:{⍵}) ⎕PLOT 1 2                        ⍝ ! DOMAIN ERROR: ⎕PLOT: f is no array
(size:10 10 ⋄ format:'svg') ⎕PLOT 1 2    ⍝ ! DOMAIN ERROR: ⎕PLOT: size of a picture is 160 100 at least
(size:8000 8000 ⋄ scale:8 ⋄ format:'png') ⎕PLOT 1 2   ⍝ ! LIMIT ERROR: ⎕PLOT: size has too many pixels
'nowhere/a.svg' ⎕PLOT 1 2                ⍝ ! FILE NAME ERROR
⍝ Names stand below their places; bars of two series differ by their pattern.
(x:'Jan' 'Feb' ⋄ rows:2 ⋄ names:'a' 'b') ⎕PLOT (1 2)(2 1)   ⍝ →            2┤⠀⠀⠀⠀⠀⠀⠀⢕⢕⢕⢕⢕⢕⢕⠀⣿⣿⣿⣿⣿⣿⣿⠀⠀⠀⠀⠀⠀⠀ ⏎            0┤⢸⣿⣿⣿⣿⣿⣿⣗⢕⢕⢕⢕⢕⢕⠀⣿⣿⣿⣿⣿⣿⣿⢕⢕⢕⢕⢕⢕⠅ ⏎                    Jan           Feb ⏎              ⣿⣿ a   ⢕⢕ b
(x:'pq' ⋄ rows:2) ⎕PLOT 1 2      ⍝ →            2┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇ ⏎            0┤⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠀⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇ ⏎                     p             q
(x:1 ⎕NULL 3 ⋄ rows:2) ⎕PLOT 1 2 3   ⍝ →            3┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈ ⏎            1┤⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎              1                           3
(x:1 ⎕NULL 'a') ⎕PLOT 1 2 3      ⍝ ! DOMAIN ERROR: ⎕PLOT: x takes numbers or texts, not both
(x:2 2⍴1) ⎕PLOT 1 2              ⍝ ! DOMAIN ERROR: ⎕PLOT: x takes a vector of numbers or of texts
⍝ Ends that padding would take beyond the largest float.
1000<≢(format:'svg' ⋄ yscale:'log') ⎕PLOT 1 1E300      ⍝ → 1
1000<≢(format:'svg' ⋄ kind:'points') ⎕PLOT 0 1.7E308   ⍝ → 1
1000<≢(format:'svg' ⋄ yscale:'log') ⎕PLOT 1E¯320       ⍝ → 1
⍝ Histograms and bars on log axes stand on the lower end.
(kind:'hist' ⋄ yscale:'log' ⋄ bins:3 ⋄ rows:2) ⎕PLOT 1 1 1 1 3   ⍝ →            4┤⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀ ⏎          0.5┤⢸⣿⣿⣿⣿⣿⣿⣿⣿⡇⣀⣀⣀⣀⣀⣀⣀⣀⣀⢰⣶⣶⣶⣶⣶⣶⣶⣶⡆ ⏎              1                           3
1000<≢(kind:'bars' ⋄ xscale:'log' ⋄ format:'svg') ⎕PLOT 1 2 3    ⍝ → 1
⍝ More series than colours: lines are dashed, then dotted. Long names and titles are cut to their room.
'dasharray="6 4"' 'dasharray="2 3"' count¨⊂'svg' ⎕PLOT 16⍴⊂1 2   ⍝ → 7 2
1000<≢'png' ⎕PLOT 16⍴⊂1 2                ⍝ → 1
'>an unusu…<' '>b<' count¨⊂(format:'svg' ⋄ size:300 200 ⋄ x:'an unusually long name' 'b' 'c') ⎕PLOT 1 2 3   ⍝ → 1 1
' it go…<' count (format:'svg' ⋄ title:100⍴'it goes on ') ⎕PLOT 1 2 3   ⍝ → 1
'inf' 'nan' count¨⊂(yrange:¯1E308 1E308 ⋄ format:'svg') ⎕PLOT 1 2   ⍝ → 0 0
'inf' 'nan' count¨⊂(kind:'bars' ⋄ format:'svg') ⎕PLOT ⊂(0 ¯1.7E308)(1 2)   ⍝ → 0 0
