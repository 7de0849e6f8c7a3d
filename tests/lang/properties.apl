⍝ SPDX-License-Identifier: MIT
⍝ Numbered, keyed and default properties, and parts of simple ones.
⍝ in order: lines depend on what lines before them did

⍝ Numbered: get and set of each element; indices mean what they mean of any array
)CLEAR
:Class V
  :Field Private data←10 20 30
  :Field Public log←⍬
  :Property Numbered Item
  :Access Public Instance
    ∇ r←shape
      r←⍴data
    ∇
    ∇ r←get arg
      log,←arg.Indexers
      r←data[⊃arg.Indexers]
    ∇
    ∇ set arg
      data[⊃arg.Indexers]←arg.NewValue
    ∇
  :EndProperty
  ∇ r←Second
    :Access Public
    r←Item[2]
  ∇
  ∇ Put x
    :Access Public
    Item[2]←x
    Item[1 3]+←1
    (1↑Item)×←2
  ∇
  ∇ r←All
    :Access Public
    r←Item
  ∇
:EndClass
v←⎕NEW V
v.Item[2]                          ⍝ → 20
v.log                              ⍝ → 2
v.Item[3 1]                        ⍝ → 30 10
v.log                              ⍝ → 2 3 1
v.Item                             ⍝ → 10 20 30
v.Item[]                           ⍝ → 10 20 30
v.Item[2 2⍴1 2 3 1]                ⍝ → 10 20 ⏎ 30 10
⍴v.Item[,2]                        ⍝ → 1
⍴v.Item[⍬]                         ⍝ → 0
v.Item[4]                          ⍝ ! INDEX ERROR
v.Item[0]                          ⍝ ! INDEX ERROR
v.Item[1;2]                        ⍝ ! RANK ERROR
v.Item[2]←99 ⋄ v.Item              ⍝ → 10 99 30
v.Item[1 3]←5 ⋄ v.Item             ⍝ → 5 99 5
v.Item[1 3]←7 8 ⋄ v.Item           ⍝ → 7 99 8
v.Item[1 3]←7 8 9                  ⍝ ! LENGTH ERROR
v.Item[4]←1                        ⍝ ! INDEX ERROR
v.Item+←1 ⋄ v.Item                 ⍝ → 8 100 9
v.Item[3]×←2 ⋄ v.Item              ⍝ → 8 100 18
v.Item[1 1]+←1 ⋄ v.Item            ⍝ → 9 100 18
v.Item←1 2 3 ⋄ v.Item              ⍝ → 1 2 3
v.Item←4 ⋄ v.Item                  ⍝ → 4 4 4
v.Item←1 2                         ⍝ ! LENGTH ERROR
(2↑v.Item)←8 9 ⋄ v.Item            ⍝ → 8 9 4
(3⊃v.Item)←7 ⋄ v.Item              ⍝ → 8 9 7
(⌽v.Item)←1 2 3 ⋄ v.Item           ⍝ → 3 2 1
(v.Item>1)/v.Item                  ⍝ → 3 2
((v.Item>1)/v.Item)←0 ⋄ v.Item     ⍝ → 0 0 1
v.Item←1 2 3 ⋄ v.Second            ⍝ → 2
v.Put 9 ⋄ v.Item                   ⍝ → 4 9 4
v.All                              ⍝ → 4 9 4
v.Second[1]                        ⍝ ! RANK ERROR
v.All[2]                           ⍝ → 9
v.(Item[2],+/Item)                 ⍝ → 9 17
v.(Item[2]←3) ⋄ v.Item             ⍝ → 3 ⏎ 4 3 4
{⍵.Item[1]}v                       ⍝ → 4
w←⎕NEW V
(v w).Item                         ⍝ →  4 3 4  10 20 30
v[1]                               ⍝ ! RANK ERROR
⎕IO←0
v.Item[0]                          ⍝ → 4
v.Item[3]                          ⍝ ! INDEX ERROR
⎕IO←1
⎕NC⊂'v.Item'                       ⍝ → ¯2.3

⍝ Of several axes, with ⎕IO of the class; items may be anything
)CLEAR
:Class M
  ⎕IO←0
  :Field Private data
  ∇ make x
   :Access Public
   :Implements Constructor
   data←x
  ∇
  :Property Numbered At
  :Access Public
    ∇ r←shape arg
      r←⍴data
      ⎕SIGNAL(arg.Name≢'At')/11
    ∇
    ∇ r←get arg
      r←data[⊂arg.Indexers]
    ∇
    ∇ set arg
      data[⊂arg.Indexers]←⊂arg.NewValue
    ∇
  :EndProperty
:EndClass
m←⎕NEW M(2 3⍴⍳6)
m.At                               ⍝ → 1 2 3 ⏎ 4 5 6
m.At[2;3]                          ⍝ → 6
m.At[2;]                           ⍝ → 4 5 6
m.At[;3 1]                         ⍝ → 3 1 ⏎ 6 4
m.At[(1 1)(2 3)]                   ⍝ → 1 6
m.At[1]                            ⍝ ! RANK ERROR
m.At[3;1]                          ⍝ ! INDEX ERROR
m.At[1;1]←⊂'text' ⋄ m.At[1;1]      ⍝ →  text
m.At[1;]←0 ⋄ m.At                  ⍝ → 0 0 0 ⏎ 4 5 6
m.At[(1 1)(2 3)]←8 9 ⋄ m.At        ⍝ → 8 0 0 ⏎ 4 5 9
(,m.At)←⍳6 ⋄ m.At                  ⍝ → 1 2 3 ⏎ 4 5 6
(1 1⍉m.At)←0 ⋄ m.At                ⍝ → 0 2 3 ⏎ 4 0 6
m.At←2 3⍴1 ⋄ m.At                  ⍝ → 1 1 1 ⏎ 1 1 1
m.At←3 2⍴1                         ⍝ ! LENGTH ERROR
m.At←⍳6                            ⍝ ! LENGTH ERROR

⍝ By default: indices of the instance, of its class where it is shared, from within
)CLEAR
:Class D
  :Field Public data←10 20 30
  :Field Shared all←5 6 7
  :Property Numbered Default Item
  :Access Public Instance
    ∇ r←shape
      r←⍴data
    ∇
    ∇ r←get arg
      r←data[⊃arg.Indexers]
    ∇
    ∇ set arg
      data[⊃arg.Indexers]←⊂arg.NewValue
    ∇
  :EndProperty
  ∇ r←Mine
    :Access Public
    r←⎕THIS[2]
  ∇
  ∇ Add n
    :Access Public
    data+←n
  ∇
:EndClass
d←⎕NEW D
d[2]                               ⍝ → 20
d[3 1]                             ⍝ → 30 10
d[2]←7 ⋄ d[2]                      ⍝ → 7
(⊂3 2)⌷d                           ⍝ → 30 7
2⌷d                                ⍝ → 7
⌷d                                 ⍝ → 10 7 30
+/⌷d                               ⍝ → 47
d[]                                ⍝ → 10 7 30
d[4]                               ⍝ ! INDEX ERROR
4⌷d                                ⍝ ! INDEX ERROR
1 2⌷d                              ⍝ ! LENGTH ERROR
((⊂2 3)⌷d)←'Hello' 'World'
d[2 3]                             ⍝ →  Hello  World
d[2 3]←2 3
d.Mine                             ⍝ → 2
d[1]+←5 ⋄ d[1]                     ⍝ → 15
d.data                             ⍝ → 15 2 3
4⊃d                                ⍝ ! RANK ERROR
⍴d                                 ⍝ →
≡d                                 ⍝ → 0
{⍵[2]}d                            ⍝ → 2
{2⌷⍵}d                             ⍝ → 2
(d d)[1]≡d                         ⍝ → 1
1 2⌷¨⊂d                            ⍝ → 15 2
d[3]←d ⋄ d[3].data[2]              ⍝ → 2
d[3].Add 1                         ⍝ ! DOMAIN ERROR
d[3]←0
D[1]                               ⍝ ! RANK ERROR
:Class DD: D
  ∇ r←Two
    :Access Public
    r←⎕THIS[2],⎕BASE.Item[1]
  ∇
:EndClass
dd←⎕NEW DD
dd[1 2]                            ⍝ → 10 20
dd.Two                             ⍝ → 20 10
dd[1]←3 ⋄ dd.Two                   ⍝ → 20 3
:Class S
  :Field Shared all←5 6 7
  :Property Numbered Default Item
  :Access Public Shared
    ∇ r←shape
      r←⍴all
    ∇
    ∇ r←get arg
      r←all[⊃arg.Indexers]
    ∇
  :EndProperty
:EndClass
S[2]                               ⍝ → 6
(⎕NEW S)[3]                        ⍝ → 7
⌷S                                 ⍝ → 5 6 7
S[2]←1                             ⍝ ! SYNTAX ERROR: the property Item has no set
S.Item←1                           ⍝ ! SYNTAX ERROR: the property Item has no set

⍝ Simple ones: the part of the value
)CLEAR
:Class P
  :Field Private v←1 2 3
  :Field Public gets←0
  :Property Default A
  :Access Public
    ∇ r←get
      gets+←1
      r←v
    ∇
    ∇ set arg
      v←arg.NewValue
    ∇
  :EndProperty
:EndClass
p←⎕NEW P
p.A[2]                             ⍝ → 2
p.gets                             ⍝ → 1
p.A[2]←9 ⋄ p.A                     ⍝ → 1 9 3
p.A[4]←9                           ⍝ ! INDEX ERROR
p.A[1 2]+←1 ⋄ p.A                  ⍝ → 2 10 3
(2↑p.A)←5 ⋄ p.A                    ⍝ → 5 5 3
p.A←'abc' 'de' ⋄ p.A[2]            ⍝ →  de
p.A[2]←⊂'xyz' ⋄ p.A                ⍝ →  abc  xyz
(1↑p.A)←⊂'q'                       ⍝ ! NONCE ERROR: a selection of the property A
p[1]                               ⍝ →  abc
p[1]←8 ⋄ ⌷p                        ⍝ → 8  xyz
2⌷p                                ⍝ →  xyz

⍝ Keyed: get and set are given the indices as they are written
)CLEAR
:Class K
  :Field Private keys←0⍴⊂''
  :Field Private vals←⍬
  :Field Public given
  :Property Keyed Default Item
  :Access Public Instance
    ∇ r←get arg;k
      given←arg
      k←⊃arg.Indexers
      r←(vals,0)[keys⍳k]
    ∇
    ∇ set arg;k
      given←arg
      k←⊃arg.Indexers
      keys,←,k
      vals,←(⍴,k)⍴arg.NewValue
    ∇
  :EndProperty
  :Property Keyed Any
  :Access Public Instance
    ∇ r←get arg
      given←arg
      r←val
    ∇
    ∇ set arg
      given←arg
    ∇
  :EndProperty
  :Field Public val←1
:EndClass
k←⎕NEW K
k.Item[⊂'one']←1
k.Item['two' 'three']←2 3
k.Item[⊂'one']                     ⍝ → 1
k.Item['three' 'one' 'none']       ⍝ → 3 1 0
k[⊂'two']                          ⍝ → 2
k['two' 'one']                     ⍝ → 2 1
(⊂'two' 'one')⌷k                   ⍝ → 2 1
k[⊂'four']←4 ⋄ k[⊂'four']          ⍝ → 4
k.Item['a' 'b']←1 2 3              ⍝ ! LENGTH ERROR: the keys are of another shape than the values
k.Item['a' 'b']←2 2⍴1              ⍝ ! RANK ERROR
⌷k                                 ⍝ ! NONCE ERROR
k.val←3 4⍴⍳12
k.Any[⍳3;⍳4]                       ⍝ → 1  2  3  4 ⏎ 5  6  7  8 ⏎ 9 10 11 12
k.given.(IndexersSpecified Name)   ⍝ →  1 1  Any
k.given.Indexers                   ⍝ →  1 2 3  1 2 3 4
k.Any[;⍳4]                         ⍝ → 1  2  3  4 ⏎ 5  6  7  8 ⏎ 9 10 11 12
k.given.IndexersSpecified          ⍝ → 0 1
⎕NULL≡1⊃k.given.Indexers           ⍝ → 1
k.Any[;]                           ⍝ → 1  2  3  4 ⏎ 5  6  7  8 ⏎ 9 10 11 12
k.Any[⍳4;⍳3]                       ⍝ ! LENGTH ERROR: the keys are of another shape than the values
k.Any[⍳12]                         ⍝ ! RANK ERROR: the keys are of another shape than the values
k.Any[]                            ⍝ ! RANK ERROR
k.Any                              ⍝ → 1  2  3  4 ⏎ 5  6  7  8 ⏎ 9 10 11 12
k.given.⎕NC'Indexers' ⋄ k.given.⎕NC'Name' ⍝ → 0 ⏎ 2
k.Any[]←10 ⋄ k.given.(IndexersSpecified NewValue) ⍝ →  0  10
k.Any[;]←10 ⋄ k.given.IndexersSpecified ⍝ → 0 0
k.Any['a' 'b';]←5 ⋄ k.given.IndexersSpecified ⍝ → 1 0
k.Any←5 ⋄ k.given.NewValue         ⍝ → 5
k.val←1 2 ⋄ k.Any[⊂'x';'Jan' 'Oct'] ⍝ → 1 2
k.Any[1;1;1;1;1;1;1;1;1]           ⍝ ! RANK ERROR

⍝ What is wrong in a script
)CLEAR
:Class B
  :Property Numbered X
    ∇ r←get a
     r←1
    ∇
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: a numbered property has a function shape
:Class B
  :Property Keyed X
    ∇ r←get
     r←1
    ∇
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: a property has r←get x and set x
:Class B
  :Property Other X
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: :Property is Simple, Numbered or Keyed, Default, and takes names with commas between
:Class B
  :Property Default X
    ∇ r←get
     r←1
    ∇
  :EndProperty
  :Property Default Y
    ∇ r←get
     r←1
    ∇
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: the class has a default property
:Class B
  :Property X
    ∇ r←get
     r←1
    ∇
    ∇ r←get
     r←2
    ∇
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: the property has this function already
:Class B
  :Property Numbered X
  :Access Public
    ∇ r←shape
     r←¯1
    ∇
    ∇ r←get a
     r←1 2
    ∇
  :EndProperty
  :Property Numbered Y
  :Access Public
    ∇ r←shape
     r←2
    ∇
    ∇ r←get a
     r←1 2
    ∇
  :EndProperty
  :Property Numbered Z
  :Access Public
    ∇ r←shape
     r←⍬
    ∇
    ∇ set a
    ∇
  :EndProperty
:EndClass
b←⎕NEW B
b.X                                ⍝ ! DOMAIN ERROR: shape of the property X gives no lengths
b.Y                                ⍝ ! RANK ERROR: get of the numbered property Y gives a scalar
b.Y[1]                             ⍝ ! RANK ERROR
b.Y[1]←2                           ⍝ ! SYNTAX ERROR: the property Y has no set
b.Z                                ⍝ ! VALUE ERROR: the property Z has no get
b.Z[⍬]                             ⍝ ! VALUE ERROR
