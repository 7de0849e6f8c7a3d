#!/usr/bin/env vapl
⍝ reduce.apl - what the classic tutorials of parallel reduction and prefix sums compute, each in a
⍝ line. How fast it is says ]time -9 EXPR, and which kernels it becomes ]plan EXPR, in a session.
⍝ Run it: vapl examples/reduce.apl

⍝ The sum of a vector, whatever its length: one subgroup, one workgroup, many.
'SUMS' (+/⍳64) (+/⍳1024) (+/⍳4096) (+/⍳1000000)
'as n(n+1)÷2' ((+/¨⍳¨63 65 4095 4097 100003)≡{⍵×(⍵+1)÷2}63 65 4095 4097 100003)

⍝ A reduction needs an operator and its zero; the zero is the result for nothing.
'MAXIMUM' (⌈/7×1000|⍳100000) 'of nothing' (⌈/⍬) 'product of nothing' (×/⍬)

⍝ Composition: what stands before the reduction is a part of its kernel. A dot product, a norm,
⍝ how many are above the mean.
x←1000|7×⍳100000
'DOT PRODUCT' (x+.×⌽x) 'SQUARES' (+/x×x) 'ABOVE THE MEAN' (+/x>(+/x)÷≢x)

⍝ Several results in one pass over x.
'SUM, MAXIMUM, MINIMUM' ((+/,⌈/,⌊/)x)

⍝ Floats: the order of additions changes the last bits. vapl's is a tree that depends on the
⍝ length alone: the same bits on each device and each time. A tree of pairs is also nearer to
⍝ the truth than adding one after the other: the relative errors for 10^5 times 0.1.
y←100000⍴0.1
tree←+/y
serial←y[1]+{⍵+0.1}⍣99999⊢0
'TREE OF PAIRS' (1E¯13>|1-tree÷10000) 'ONE BY ONE' (1E¯13>|1-serial÷10000)

⍝ Prefix sums: inclusive, exclusive, and what they are used for: where the ones go.
v←3 1 4 1 5 9 2 6
'PREFIX SUM' (+\v) 'EXCLUSIVE' (¯1↓0,+\v)
keep←v>2
place←+\keep
'COMPACTION' (keep/v) 'by places' (((keep/v)@(keep/place))(+/keep)⍴0)

⍝ Your own operator: the greatest common divisor, numbers below a limit, two results at once.
'GCD' (∨/360 84 126) 'LCM' (∧/4 6 10)
'SATURATING' (({100⌊⍺+⍵}⍠'Assoc' 1)/60 30 20 10)

⍝ Segments: sums of parts, by marks and by keys.
marks←1 0 0 1 0 1 0 0
'SEGMENTS' (+/¨marks⊂v) 'LARGEST OF EACH' (⌈/¨marks⊂v)
key←'abacabad'
'BY KEY' (key{⍺(+/⍵)}⌸v)
