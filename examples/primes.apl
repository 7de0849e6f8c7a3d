#!/usr/bin/env vapl
⍝ primes.apl - the primes below a thousand, by the definition: a number is prime if exactly two
⍝ numbers divide it. Run it: vapl examples/primes.apl

limit←1000
prime←{2=+/0=(⍳⍵)|⍵}
is←prime¨⍳limit
p←is/⍳limit

'PRIMES UP TO' limit
'how many' (≢p)
'the first twenty' (20⍴p)
'the last' (p[≢p])
'their sum' (+/p)

⍝ Neighbours that differ by two, and the widest gap.
gap←(1↓p)-¯1↓p
'twins' (+/gap=2)
'widest gap' (⌈/gap) 'after' ((gap=⌈/gap)/¯1↓p)

⍝ Every even number from 4 on seems to be the sum of two primes. In how many ways is 100?
ways←{+/is[⍳⌊⍵÷2]∧is[⍵-⍳⌊⍵÷2]}
'ways to write 100 as the sum of two primes' (ways 100)
'even numbers up to 1000 that are no such sum' (+/0=ways¨2+2×⍳499)
