⍝ SPDX-License-Identifier: MIT
⍝ ]plot: pictures of numbers, in braille and in files. The working folder is this file's own.
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
]plot -bars 2 3⍴1                ⍝ ! RANK ERROR
]plot -heat 1 2                  ⍝ ! RANK ERROR
]plot -pie 1 2                   ⍝ ! SYNTAX ERROR
]plot nothing                    ⍝ ! VALUE ERROR
]plot                            ⍝ ! SYNTAX ERROR
⍝ Files.
text←{⊃⎕NGET ⍵}
count←{≢(⍺⎕S 0)⍵}
]plot a.svg 1 3 2                ⍝ → a.svg: 640 by 400
'<path fill' '<text' '</svg>' count¨⊂text 'a.svg'   ⍝ → 1 10 1
]plot b.svg -bars 5 1 4          ⍝ → b.svg: 640 by 400
'<rect' count text 'b.svg'       ⍝ → 4
]plot -title='a<b & c' c.SVG 5 2⍴⍳10   ⍝ → c.SVG: 640 by 400
'<circle' 'a&lt;b &amp; c' count¨⊂text 'c.SVG'   ⍝ → 5 1
]plot d.svg 3 3⍴⍳9               ⍝ → d.svg: 640 by 400
'<rect' count text 'd.svg'       ⍝ → 10
]plot -scatter e.svg 100000⍴1 2  ⍝ → e.svg: 640 by 400
1500>'<circle' count text 'e.svg'   ⍝ → 1
]plot f.svg 100000⍴1 2           ⍝ → f.svg: 640 by 400
60000>≢text 'f.svg'              ⍝ → 1
]plot -title='Title 1' g.png 1 3 2    ⍝ → g.png: 640 by 400
⍴⎕IMG 'g.png'                    ⍝ → 400 640 3
(⊂31 90 160)∊,⊂⍤1⎕IMG 'g.png'    ⍝ → 1
small←⎕IMG 'g.png'
]plot -title='TITLE 1' g.png 1 3 2    ⍝ → g.png: 640 by 400
4÷⍨+/,∨/small≠⎕IMG 'g.png'       ⍝ → 27
]plot nowhere/g.svg 1 2          ⍝ ! FILE NAME ERROR
