x←(⎕CSV⍠'Invert' 2)'/tmp/w9/csvm/all.csv' '' (1 2) ⋄ ⍴⊃x
