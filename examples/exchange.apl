#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ Arrays exchanged with NumPy, which checks them if it is there.

dir←⊃⎕SH'mktemp -d'
x←⎕F32 3 4⍴÷⍳12
_←x ⎕NPY dir,'/x.npy'
_←('whole' 'truth')((⍳5)(1 0 1 1))⎕NPZ dir,'/both.npz'
y←⎕NPY dir,'/x.npy'
⎕←'back: same ',(x≡y),' type ',⎕DR y
names values←⎕NPZ dir,'/both.npz'
⎕←'archive ',names,values

⍝ NumPy turns it round and adds one; without NumPy that is done here.
python←'import numpy as n; x=n.load("x.npy"); assert x.dtype=="float32"; n.save("z.npy",n.asfortranarray(x.T+1))'
code←2⊃⎕SHELL'cd ',dir,' && python3 -c ''',python,''' 2>/dev/null'
_←{⍵:(⎕F32 1+⍉x)⎕NPY dir,'/z.npy' ⋄ 0}code≠0
z←⎕NPY dir,'/z.npy'
⎕←'turned round ',(⍴z),' equal ',z≡1+⍉x
_←2 ⎕NDELETE dir
