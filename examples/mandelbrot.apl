#!/usr/bin/env vapl
⍝ mandelbrot.apl - how many steps z←c+z×z takes to leave the circle of radius 2, for a grid of
⍝ c: a function of two numbers that calls itself until it is done, applied to all pairs by ∘. .
⍝ It is told from its definition and becomes one kernel with a loop in it, on a device as on the
⍝ host; ]plan shows it. Run it: vapl examples/mandelbrot.apl

most←200
steps←{
  x←⍺ ⋄ y←⍵
  {
    (re im n)←⍵
    n=most: n
    4<(re×re)+im×im: n
    ∇ (x+(re×re)-im×im) (y+2×re×im) (n+1)
  } 0 0 0
}

x←¯2.1+0.05×⍳56
y←1.2-0.1×¯1+⍳25
n←y∘.{⍵ steps ⍺}x

'THE SET'
' .:-=+*%@'[1+(1 2 3 5 8 13 30 200)⍸n]

'inside' (+/,n=most)
'of' (≢,n)
'steps in all' (+/,n)
'longest outside' (⌈/(,n<most)/,n)
