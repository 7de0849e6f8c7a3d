x←(⎕CSV⍠'Invert' 2)'/tmp/w9/csvm/utf.csv' '' (1 2) ⋄ ⍴⊃x
