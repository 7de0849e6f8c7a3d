⍝ SPDX-License-Identifier: MIT
⍝ Folds and scans of vectors and tables, every result into a file of the folder PLACE: bits.sh compares these files as
⍝ one rank and as several have written them. Lengths are about 1, the number of ranks, and tiles of the trees.
∇ put(name value);z
  value←,value
  :If (⎕DR value)∊645 1289 ⋄ value←643⎕DR value ⋄ :ElseIf 325=⎕DR value ⋄ value←323⎕DR value ⋄ :EndIf ⍝ every NaN alike
  value,←2*62 ⍝ the width of integers does not count
  z←value ⎕NPY PLACE,'/',name,'.npy'
∇
∇ one(name text)
  :Trap 0 ⋄ put name(⍎text) ⋄ :Else ⋄ ⎕←name,': ',⎕DMX.EM ⋄ :EndTrap
∇
wave←{1|1e4×1○⍵}                   ⍝ numbers from 0 to 1 that look random, the same wherever they are computed
KINDS←⊂'float' '¯0.5+wave ⍳N'
KINDS,←⊂'wide' '(¯0.5+wave ⍳N)×10*30×¯0.5+wave 3×⍳N'
KINDS,←⊂'near1' '1+0.0001×¯0.5+wave ⍳N'
KINDS,←⊂'single' '⎕F32 ¯0.5+wave ⍳N'
KINDS,←⊂'zeros' '-0.0×wave ⍳N'
KINDS,←⊂'huge' '1e308×¯0.5+wave ⍳N'
nan←⊃645⎕DR 64⍴1
inf←⊃645⎕DR(48⍴0),1 1 1 1 0 0 0 0,0 1 1 1 1 1 1 1
KINDS,←⊂'nan' '{x←⍵ ⋄ x[⌈N÷2]←nan ⋄ x}¯0.5+wave ⍳N'
KINDS,←⊂'infinite' '{x←⍵ ⋄ x[⌈N÷3]←inf ⋄ x}1e307×¯0.5+wave ⍳N'
KINDS,←⊂'products' '(wave ⍳N)×wave 7×⍳N'
KINDS,←⊂'ints' '⌊1000×¯0.5+wave ⍳N'
KINDS,←⊂'bytes' '⌊100×wave ⍳N'
KINDS,←⊂'long' '⌊9e18×¯0.5+wave ⍳N'
KINDS,←⊂'highest' '9223372036854775807-⍳N'
KINDS,←⊂'left' '(4e9×⍳N)×N-⍳N'
KINDS,←⊂'bits' '0.5<wave ⍳N'
KINDS,←⊂'most' '0.0001<wave ⍳N'
KINDS,←⊂'few' '0.9999<wave ⍳N'
KINDS,←⊂'ones' 'N⍴1'
FNS←'+-×⌈⌊∧∨≠='
TRUTHS←'bits' 'most' 'few' 'ones'   ⍝ ∧ ∨ ≠ = of these alone: of numbers each prefix is a fold of its own
∇ folds N;kind;f;X;ok;M
  :For kind :In KINDS
    :Trap 0 ⋄ X←⍎2⊃kind ⋄ ok←1 ⋄ :Else ⋄ ⎕←(⍕N),' ',(⊃kind),': ',⎕DMX.EM ⋄ ok←0 ⋄ :EndTrap
    :If ~ok ⋄ :Continue ⋄ :EndIf
    M←5+4×(⊂⊃kind)∊TRUTHS
    :For f :In ⍳M
      one((⍕N),'-',(⊃kind),'-fold',⍕f)(FNS[f],'/X')
      one((⍕N),'-',(⊃kind),'-fused',⍕f)(FNS[f],'/X×X')
      one((⍕N),'-',(⊃kind),'-scan',⍕f)(FNS[f],'\X')
      one((⍕N),'-',(⊃kind),'-where',⍕f)(FNS[f],'/(0<X)/X')
    :EndFor
    one((⍕N),'-',(⊃kind),'-none')'⌈/(X≠X)/X'
    one((⍕N),'-',(⊃kind),'-count')'(≢(0<X)/X),≢⍸X=⌈/X'
    one((⍕N),'-',(⊃kind),'-place')'(X⍳⌈/X),(X⍳⌊/X),X⍳2↑X'
    one((⍕N),'-',(⊃kind),'-mean')'((+/X)÷≢X),+/(X-(+/X)÷≢X)*2'
  :EndFor
∇
∇ tables(N K);kind;f;X;ok;M
  :For kind :In KINDS
    :Trap 0 ⋄ X←N K⍴⍎('N'⎕R('(N×K)'))2⊃kind ⋄ ok←1 ⋄ :Else ⋄ ⎕←(⍕N K),' ',(⊃kind),': ',⎕DMX.EM ⋄ ok←0 ⋄ :EndTrap
    :If ~ok ⋄ :Continue ⋄ :EndIf
    M←5+4×(⊂⊃kind)∊TRUTHS
    :For f :In ⍳M
      one((⍕N),'x',(⍕K),'-',(⊃kind),'-fold',⍕f)(FNS[f],'⌿X')
      one((⍕N),'x',(⍕K),'-',(⊃kind),'-scan',⍕f)(FNS[f],'⍀X')
    :EndFor
  :EndFor
∇
folds¨LENGTHS
tables¨SHAPES
