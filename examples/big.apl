#!/usr/bin/env vapl
⍝ big.apl - sums, running sums, extremes and statistics over ten million elements. Nothing is
⍝ stored that need not be: ⍳n is made inside the kernels that read it, a chain of functions is
⍝ one pass, and statements that share work share it. Run it: vapl examples/big.apl
⍝ Put ]plan before an expression in a session to see the kernels it becomes.

n←10000000
x←⍳n
'TEN MILLION ELEMENTS' n

⍝ The sum of 1 to n, exactly, and what Gauss said it is.
'sum' (+/x) 'as predicted' ((+/x)=n×(n+1)÷2)
'sum of squares' (+/x×x) 'as predicted' ((+/x×x)=n×(n+1)×(1+2×n)÷6)

⍝ Series: they end near π×π÷6, near the logarithm of n plus Euler's constant, and near π.
'sum of 1÷squares' (+/÷x×x)
'sum of 1÷x' (+/÷x)
'alternating sum of 4÷odds' (4×+/(n⍴1 ¯1)÷(2×x)-1)

⍝ Divisible by 3 or 5: how many, and their sum.
m←(0=3|x)∨0=5|x
'divisible by 3 or 5' (+/m) 'their sum' (+/m×x)

⍝ Numbers that look random: multiples of a prime, modulo another. Their statistics are those of
⍝ numbers drawn evenly from 0 to 1000002.
y←1000003|7919×x
mean←(+/y)÷n
variance←((+/y×y)÷n)-mean*2
'mean' mean
'standard deviation' (variance*0.5)
'least and most' ((⌊/y),⌈/y)
'within one standard deviation' ((+/(variance≥(y-mean)*2))÷n)

⍝ Running sums: where does the sum pass half of the total, and a thousand million?
s←+\y
'total' (s[n]) 'the last running sum is the sum' (s[n]=+/y)
'elements until half of it' (1++/s<s[n]÷2)
'elements until 1E9' (1++/s<1E9)

⍝ Records: how often is an element larger than all before it? The running maximum then steps.
r←⌈\y
'records' (1++/(1↓r)>¯1↓r)

⍝ The deepest fall below the highest point reached so far.
'deepest fall' (⌈/r-y)
