x←(⎕CSV⍠'Invert' 2)'/tmp/w9/csvm/few.csv' '' (1 2) ⋄ ⍴⊃x
