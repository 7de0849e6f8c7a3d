#!/usr/bin/env vapl
⍝ iir.apl - recursive filters as scans. Each output depends on the one before it, which looks
⍝ sequential; but a step is the function s → x+a×s of the state, two such steps are one of the
⍝ same kind, and putting them together is associative: so a filter is a scan.
⍝ Run it: vapl examples/iir.apl

⍝ First order, a low pass: y[j] = x[j] + a×y[j-1]. Forward: each state from the one before,
⍝ ⍺ is the input, ⍵ the state.
a←0.9
low←{({⍺+a×⍵}⍠'Forward' 1)\⍵}

step←low 1000⍴1-a                            ⍝ the response to a step tends to 1
'LOW PASS, a=0.9'
'step response after 1 5 20 100' (step[1 5 20 100])
'is 1-a*n' ((⌈/|step-1-a*⍳1000)<1E¯12)

⍝ The same one by one, and with what the filter has forgotten: far back nothing counts.
slow←{y←0 ⋄ {y⊢←⍵+a×y}¨⍵}
x←(?1000⍴2)-1.5
'as one by one' ((⌈/|(low x)-slow x)<1E¯12)

⍝ Second order, a resonator: y[j] = x[j] + b1×y[j-1] + b2×y[j-2]. With the poles r×e*±iθ its
⍝ answer to an impulse is (r*n)×(sin (n+1)θ)÷sin θ. One complex state does what two real ones
⍝ do, and stays first order: s[j] = x[j] + p×s[j-1], and y is the part of s along p.
r←0.98 ⋄ theta←○÷10
p←r×*0J1×theta
resonate←{s←({⍺+p×⍵}⍠'Forward' 1)\⍵ ⋄ (11○p×s)÷11○p}
ring←resonate 1,199⍴0
'RESONATOR, 20 samples a turn'
'impulse response' (6⍕5⍴ring)
'as the formula' ((⌈/|ring-(r*n)×(1○theta×1+n)÷1○theta⊣n←¯1+⍳200)<1E¯12)

⍝ By the difference equation itself.
b1←2×r×2○theta ⋄ b2←-r*2
eq←{y←0 0 ⋄ {y⊢←(⍵+(b1×1⊃y)+b2×2⊃y),1⊃y ⋄ 1⊃y}¨⍵}
'as the difference equation' ((⌈/|(eq 1,199⍴0)-ring)<1E¯12)

⍝ And as a scan of 2×2 matrices, whose product does not commute: (y[j] y[j-1]) is a matrix times
⍝ (y[j-1] y[j-2]).
m←2 2⍴b1 b2 1 0
powers←(+.×⍠'Forward' 1)\12⍴⊂m
'as powers of a matrix' ((⌈/|({⍵[1;1]}¨powers)-12⍴1↓ring)<1E¯12)
