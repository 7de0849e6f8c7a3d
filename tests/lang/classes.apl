⍝ SPDX-License-Identifier: MIT
⍝ Classes: fields, methods, constructors, bases, names, destructors.
⍝ in order: lines depend on what lines before them did

⍝ A class is a scalar that shows as its path; the words are in any case
)CLEAR
:class Empty
:ENDCLASS
Empty                              ⍝ → #.Empty
⍴⍴Empty                            ⍝ → 0
Empty≡Empty                        ⍝ → 1
⎕NC⊂'Empty'                        ⍝ → 9.4
⎕NC'Empty'                         ⍝ → 9
e←⎕NEW Empty
e                                  ⍝ → #.[Empty]
(e≡e)(e≡⎕NEW Empty)(e≡Empty)       ⍝ → 1 0 0
⎕NC⊂,'e'                           ⍝ → 9.2
⎕NEW Empty 1                       ⍝ ! LENGTH ERROR: no public constructor of #.Empty takes this argument
⎕NEW⊂Empty                         ⍝ → #.[Empty]
⎕NEW 3                             ⍝ ! DOMAIN ERROR: ⎕NEW takes a class, or a class and an argument
⎕NEW e                             ⍝ ! DOMAIN ERROR
⎕NEW ⎕NS ⍬                         ⍝ ! DOMAIN ERROR
⎕NEW'Form'                         ⍝ ! NONCE ERROR: ⎕NEW: classes of .NET and of windows are not in this version
⎕NEW'Form'(⊂'Caption' 'x')         ⍝ ! NONCE ERROR
⎕NEW ⍬                             ⍝ ! DOMAIN ERROR
2 ⎕NEW Empty                       ⍝ ! SYNTAX ERROR

⍝ Fields: words in any order, private and of instances unless they say otherwise; values are each instance's own
)CLEAR
:Class Pet
  :Field Public Name
  :field  PUBLIC Instance Legs←4
  :Field Shared Public Count ← 0
  :Field Tail←'long'
  :Field Private Age←3
  :Field Public Late ← (1 2 3)(4
5)
  :Field Public Half←{⍵÷2} 9
:EndClass
a b←⎕NEW¨Pet Pet
a.Legs←3
a.Legs,b.Legs                      ⍝ → 3 4
a.Half                             ⍝ → 4.5
a.Name                             ⍝ ! VALUE ERROR
a.Name←'Ann' ⋄ b.Name←'Bo'
a.Name,b.Name                      ⍝ → AnnBo
a.Tail                             ⍝ ! VALUE ERROR: Tail has no value there
a.Age                              ⍝ ! VALUE ERROR
Pet.Legs                           ⍝ ! VALUE ERROR: Legs has no value there
Pet.Count+←1 ⋄ a.Count+←1
Pet.Count,a.Count,b.Count          ⍝ → 2 2 2
a.Legs[1]←7                        ⍝ ! RANK ERROR
a.Legs←4 4 ⋄ a.Legs[2]←0 ⋄ a.Legs  ⍝ → 4 0
(1↑a.Legs)←9 ⋄ a.Legs              ⍝ → 9 0
a.Legs×←2 ⋄ a.Legs                 ⍝ → 18 0
b.Legs                             ⍝ → 4
a.(Legs Name)                      ⍝ →  18 0  Ann
a.(Legs←1 ⋄ Legs+1)                ⍝ → 1 2
(a b).Name                         ⍝ →  Ann  Bo
(a b).Legs←5 6
b.Legs,a.Legs                      ⍝ → 6 5
:Class Bad
  :Field Nonsense x
:EndClass                          ⍝ ! SYNTAX ERROR: :Field is Public or Private, Instance or Shared, ReadOnly, and a name
:Class Bad
  :Field Public x
  :Field x
:EndClass                          ⍝ ! SYNTAX ERROR: the class has a member of this name
:Class Bad
  :Field x←
:EndClass                          ⍝ ! SYNTAX ERROR: a value is missing behind the arrow
:Class Bad
  :Field x←÷0
:EndClass                          ⍝ ! DOMAIN ERROR
:Class Bad
  :Field x←{⍵}
:EndClass                          ⍝ ! SYNTAX ERROR: a field is an array
⎕NC'Bad'                           ⍝ → 0
:Class Pet
  :Field Public z←÷0
:EndClass                          ⍝ ! DOMAIN ERROR
(⎕NEW Pet).Half                    ⍝ → 4.5

⍝ ReadOnly: from outside never, from inside once
)CLEAR
:Class R
  :Field Public Shared ReadOnly Pi←3
  :Field Public ReadOnly Given
  :Field Public ReadOnly One←1
  ∇ make x
   :Access Public
   :Implements Constructor
   Given←x
  ∇
  ∇ Again
   :Access Public
   Given←9
  ∇
  ∇ Other
   :Access Public
   One←9
  ∇
:EndClass
R.Pi                               ⍝ → 3
R.Pi←4                             ⍝ ! SYNTAX ERROR: Pi is ReadOnly
r←⎕NEW R 7
r.Given                            ⍝ → 7
r.Given←8                          ⍝ ! SYNTAX ERROR: Given is ReadOnly
r.One+←1                           ⍝ ! SYNTAX ERROR
r.Again                            ⍝ ! SYNTAX ERROR: Given is ReadOnly
r.Other                            ⍝ ! SYNTAX ERROR
r.(Given One)                      ⍝ → 7 1
Pi←5 ⋄ Pi                          ⍝ → 5

⍝ Initial values are made in the order of the lines, in the class; methods are there before
)CLEAR
:Class O
  twice←{2×⍵}
  :Field Shared Public A←twice 5
  :Field Shared Public B←A+1
  :Field Public C←B,later 3
  ∇ r←later x
    r←x*2
    :Access Shared
  ∇
:EndClass
O.(A B)                            ⍝ → 10 11
(⎕NEW O).C                         ⍝ → 11 9
O.twice 1                          ⍝ ! VALUE ERROR

⍝ Methods: private unless they say Public; of instances unless they say Shared; two lines of :Access, anywhere
)CLEAR
:Class M
  :Field Public K←10
  ∇ r←priv x
    r←K+x
  ∇
  ∇ r←Pub x
    r←priv x
    :Access Public
  ∇
  ∇ r←Both x
    :Access Public
    :Access Shared
    r←x+1
  ∇
  ∇ r←Nil
    :Access public
    r←K
  ∇
  ∇ {r}←Shy x
    :Access public
    r←x
  ∇
  ∇ r←{x}Amb y
    :Access public
    :If 0=⎕NC'x' ⋄ x←K ⋄ :EndIf
    r←x×y
  ∇
  ∇ r←List(a b)
    :Access public
    r←a-b
  ∇
  ∇ None x
    :Access public
    K←x
  ∇
  ∇ r←(f Op)y
    :Access public
    r←f f y
  ∇
:EndClass
m←⎕NEW M
m.Pub 1                            ⍝ → 11
m.priv 1                           ⍝ ! VALUE ERROR
M.Both 1                           ⍝ → 2
m.Both 1                           ⍝ → 2
M.Pub 1                            ⍝ ! VALUE ERROR
m.Nil                              ⍝ → 10
1+m.Nil                            ⍝ → 11
m.Nil,m.Nil                        ⍝ → 10 10
m.Shy 5
⊢m.Shy 5                           ⍝ → 5
m.Amb 2                            ⍝ → 20
3 m.Amb 2                          ⍝ → 6
m.List 5 3                         ⍝ → 2
m.List 5 3 1                       ⍝ ! LENGTH ERROR
1+m.None 3                         ⍝ ! VALUE ERROR
m.K                                ⍝ → 3
m.Pub¨1 2 3                        ⍝ → 4 5 6
1 m.Amb¨2 3                        ⍝ → 2 3
m.(K,Pub 5)                        ⍝ → 3 8
{m.Pub ⍵}¨4 5                      ⍝ → 7 8
m.Amb/1 2 3 4                      ⍝ → 24
m.Pub∘- 1                          ⍝ → 2
(m.Pub+m.Amb)2                     ⍝ → 11
f←m.Pub ⋄ f 1                      ⍝ → 4
n←⎕NEW M ⋄ n.K←100
(m n).Pub 1 2                      ⍝ → 4 102
(m n).Nil                          ⍝ → 3 100
g←n.Pub ⋄ ⎕EX 'n' ⋄ g 1            ⍝ → 101
⍎'m.Pub 2'                         ⍝ → 5
m.Pub←5                            ⍝ ! SYNTAX ERROR: Pub is a method of a class: it cannot be assigned
M.Both←5                           ⍝ ! SYNTAX ERROR
:Class Bad
  ∇ f
    :Access Pubic
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: :Access is Public or Private, Instance or Shared, Overridable or Override
:Class Bad
  ∇ f
  ∇
  ∇ f
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: the class has a member of this name
:Class Bad
  :Access Public
:EndClass                          ⍝ ! SYNTAX ERROR: it stands in a method

⍝ Errors in methods have their line, and the caller's
)CLEAR
:Class E
  ∇ r←f x
    :Access Public
    r←÷x
  ∇
  ∇ make x
    :Access Public
    :Implements Constructor
    'no good'⎕SIGNAL x
  ∇
:EndClass
e←⎕NEW E ⍬
∇ t
  :Trap 11
    e.f 0
  :Else
    ⎕DM
  :EndTrap
∇
t                                  ⍝ →  DOMAIN ERROR  f[2] r←÷x         ^
{11::'caught' ⋄ e.f ⍵}0            ⍝ → caught
⎕NEW E 501                         ⍝ ! ERROR: no good
e.make ⍬                           ⍝ ! SYNTAX ERROR: make is a constructor: ⎕NEW calls it

⍝ Names inside: locals, then the instance's, then the class's, then those of where ⎕NEW ran; privates are not seen by others
)CLEAR
outer←'outer'
hidden←{'hidden ',⍵}
:Class N
  plain←'plain'
  :Field Public F←'field'
  ∇ r←Look n
    :Access Public
    :Trap 6 ⋄ r←⍎n ⋄ :Else ⋄ r←'none' ⋄ :EndTrap
  ∇
  ∇ r←Local F
    :Access Public
    r←F Inner F
  ∇
  ∇ r←a Inner x
    r←a,F
  ∇
  ∇ New
    :Access Public
    made←5
  ∇
  ∇ Set
    :Access Public
    outer←'mine'
  ∇
  ∇ r←Where
    :Access Public
    r←##≡#
  ∇
:EndClass
n←⎕NEW N
n.Look¨'F' 'plain' 'outer' 'nowhere'   ⍝ →  field  plain  outer  none
n.Look 'hidden ''x'''              ⍝ → hidden x
n.Local 'L'                        ⍝ → LL
n.F                                ⍝ → field
n.Look 'made'                      ⍝ → none
n.New ⋄ n.Look 'made'              ⍝ → 5
n.made                             ⍝ ! VALUE ERROR
n.Set
outer                              ⍝ → outer
n.Look 'outer'                     ⍝ → mine
(⎕NEW N).Look 'outer'              ⍝ → outer
n.outer                            ⍝ ! VALUE ERROR
n.Where                            ⍝ → 1
n.extra←3
n.extra                            ⍝ → 3
n.Look 'extra'                     ⍝ → none
n.⎕FX 'r←Mock x' 'r←x,extra'
n.Mock 1                           ⍝ → 1 3
n.Look 'Mock 1'                    ⍝ → none

⍝ ⎕THIS; a method may hand its instance on
)CLEAR
:Class T
  :Field Public Peer
  :Field secret←'s'
  ∇ r←Me
    :Access Public
    r←⎕THIS
  ∇
  ∇ r←Cls
    :Access Public Shared
    r←⎕THIS
  ∇
  ∇ Join x
    :Access Public
    Peer←x
    x.Peer←⎕THIS
  ∇
  ∇ r←Own
    :Access Public
    r←⎕THIS.secret
  ∇
  ∇ r←Other x
    :Access Public
    :Trap 6 ⋄ r←x.secret ⋄ :Else ⋄ r←'none' ⋄ :EndTrap
  ∇
  ∇ r←Make
    :Access Public Shared
    r←##.⎕NEW ⎕THIS
  ∇
:EndClass
a b←⎕NEW¨T T
a.Me≡a                             ⍝ → 1
a≡a.⎕THIS                          ⍝ → 1
T.Cls≡T                            ⍝ → 1
a.Cls≡T                            ⍝ → 1
a.Join b
(a.Peer≡b)(b.Peer≡a)               ⍝ → 1 1
a.Own                              ⍝ → s
a.Other b                          ⍝ → none
T.Make                             ⍝ → #.[T]

⍝ Constructors: by the length of the list, then the general one; a scalar never takes a list
)CLEAR
:Class C
  :Field Public W
  ∇ m0
   :Access Public
   :Implements Constructor
   W←'none'
  ∇
  ∇ m1(a)
   :Access Public
   :Implements Constructor
   W←'one'
  ∇
  ∇ m2(a b)
   :Access Public
   :Implements Constructor
   W←'two'
  ∇
  ∇ any a
   :Implements Constructor
   :Access Public
   W←'any'
  ∇
:EndClass
(⎕NEW C).W                         ⍝ → none
(⎕NEW C 1).W                       ⍝ → any
(⎕NEW C(,1)).W                     ⍝ → one
(⎕NEW C(1 2)).W                    ⍝ → two
(⎕NEW C(⊂1 2)).W                   ⍝ → any
(⎕NEW C(1 2 3)).W                  ⍝ → any
(⎕NEW C ⍬).W                       ⍝ → any
(⎕NEW C(2 2⍴⍳4)).W                 ⍝ → any
(⎕NEW C'ab').W                     ⍝ → two
:Class P
  ∇ make
   :Implements Constructor
  ∇
:EndClass
⎕NEW P                             ⍝ ! LENGTH ERROR: no public constructor of #.P takes no argument
:Class Q
  ∇ make x
   :Access Public
   :Implements Constructor
  ∇
:EndClass
⎕NEW Q                             ⍝ ! LENGTH ERROR: no public constructor of #.Q takes no argument
:Class Bad
  ∇ make x
   :Access Public Shared
   :Implements Constructor
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: a constructor is of instances, with a right argument or none

⍝ Bases: public members come from them, a higher one replaces a lower one; private ones are each class's own
)CLEAR
:Class Base
  :Field Public Open←1
  :Field Private Same←'base'
  :Field Public Shared Count←0
  ∇ r←Get
   :Access Public
   r←Same
  ∇
  ∇ r←Who
   :Access Public
   r←'base'
  ∇
  ∇ r←Ask
   :Access Public
   r←Who
  ∇
  ∇ r←ThisIs
   :Access Public
   r←⎕THIS
  ∇
:EndClass
:Class Top : Base
  :Field Private Same←'top'
  ∇ r←GetTop
   :Access Public
   r←Same
  ∇
  ∇ r←Who
   :Access Public
   r←'top of ',⎕BASE.Who
  ∇
  ∇ r←Both
   :Access Public
   Open+←1
   r←Open,⎕BASE.Open
  ∇
  ∇ r←Try n
   :Access Public
   :Trap 6 ⋄ r←⍎n ⋄ :Else ⋄ r←'none' ⋄ :EndTrap
  ∇
:EndClass
t←⎕NEW Top
t.Get,' ',t.GetTop                 ⍝ → base top
t.Who                              ⍝ → top of base
t.Ask                              ⍝ → base
t.Both                             ⍝ → 2 2
t.Open                             ⍝ → 2
t.ThisIs≡t                         ⍝ → 1
t.Same                             ⍝ ! VALUE ERROR
Top.Count←5 ⋄ Base.Count           ⍝ → 5
t.Try 'Same'                       ⍝ → top
:Class Only: Base
  ∇ r←Try n
   :Access Public
   :Trap 6 ⋄ r←⍎n ⋄ :Else ⋄ r←'none' ⋄ :EndTrap
  ∇
:EndClass
(⎕NEW Only).Try¨'Open' 'Same'      ⍝ → 1  none
:Class Bad: Nowhere
:EndClass                          ⍝ ! VALUE ERROR
v←5
:Class Bad: v
:EndClass                          ⍝ ! DOMAIN ERROR: a class or a namespace is wanted here
:Class Bad: 'Form'
:EndClass                          ⍝ ! NONCE ERROR: classes of .NET and of windows are not in this version
:Class Bad: #
:EndClass                          ⍝ ! DOMAIN ERROR: the base is no class
:Class Path: #.Base
:EndClass
(⎕NEW Path).Open                   ⍝ → 1
∇ r←t0
  r←⎕BASE
∇
t0                                 ⍝ ! SYNTAX ERROR: ⎕BASE stands before a point: ⎕BASE.name
⎕BASE.x                            ⍝ ! VALUE ERROR: ⎕BASE: there is no base class

⍝ Overridable and Override: both are needed
)CLEAR
:Class B
  ∇ r←a
   :Access Public Overridable
   r←'B'
  ∇
  ∇ r←b
   :Access Public
   r←'B'
  ∇
  ∇ r←c
   :Access Public Overridable
   r←'B'
  ∇
  ∇ r←All
   :Access Public
   r←a,b,c
  ∇
:EndClass
:Class D: B
  ∇ r←a
   :Access Public Override
   r←'D'
  ∇
  ∇ r←b
   :Access Public Override
   r←'D'
  ∇
  ∇ r←c
   :Access Public
   r←'D'
  ∇
:EndClass
:Class F: D
:EndClass
(⎕NEW B).All                       ⍝ → BBB
(⎕NEW D).All                       ⍝ → DBB
(⎕NEW F).All                       ⍝ → DBB
(⎕NEW F).(a,b,c)                   ⍝ → DDD
(B ⎕CLASS ⎕NEW F).(a,b,c)          ⍝ → DBB
:Class G: B
  ∇ r←a
   :Access Public Override
   r←'G',⎕BASE.a
  ∇
  ∇ r←c
   :Access Public Override
   r←⎕BASE.(a,b),'!'
  ∇
:EndClass
(⎕NEW G).All                       ⍝ → GBBBB!

⍝ The chain of constructors: where :Implements stands; niladic ones without :Base; classes without any are passed over
)CLEAR
log←⍬
:Class A
  ∇ make x
   :Access Public
   :Implements Constructor
   ##.log,←'A',x
  ∇
  ∇ make0
   :Access Public
   :Implements Constructor
   ##.log,←'A'
  ∇
:EndClass
:Class B: A
:EndClass
:Class C: B
  ∇ make x
   :Access Public
   ##.log,←'('
   :Implements Constructor :Base x,'!'
   ##.log,←')'
  ∇
  ∇ make0
   :Access Public
   :Implements Constructor
   ##.log,←'C'
  ∇
:EndClass
c←⎕NEW C'x' ⋄ log                  ⍝ → (Ax!)
log←'' ⋄ c←⎕NEW C ⋄ log            ⍝ → AC
log←'' ⋄ c←⎕NEW B ⋄ log            ⍝ → A
⎕NEW B'x'                          ⍝ ! LENGTH ERROR
:Class M
  ∇ make x
   :Access Public
   :Implements Constructor
  ∇
:EndClass
:Class N: M
  ∇ make
   :Access Public
   :Implements Constructor
  ∇
:EndClass
⎕NEW N                             ⍝ ! LENGTH ERROR: no public constructor of #.M takes no argument
:Class L
  ∇ make
   :Access Public
   :Implements Constructor :Base 5
  ∇
:EndClass
⎕NEW L                             ⍝ ! SYNTAX ERROR: :Base: the class has no base

⍝ Classes in namespaces and in classes find what stands beside them
)CLEAR
:Namespace a
  :Class one
    :Field Public v←1
  :EndClass
  :Class two
    ∇ r←make
     :Access Public Shared
     r←⎕NEW one
    ∇
    ∇ r←make2
     :Access Public
     r←(⎕NEW one).v
    ∇
    ∇ r←up
     :Access Public Shared
     r←##
    ∇
    :Class in
      :Field Public w←2
    :EndClass
    ∇ r←inner
     :Access Public Shared
     r←(⎕NEW in).w
    ∇
  :EndClass
  helper←{⍵+1}
:EndNamespace
a.two.make                         ⍝ → #.a.two.[one]
(⎕NEW a.two).make2                 ⍝ → 1
a.two.up                           ⍝ → #.a
a.two.inner                        ⍝ → 2
a.two.in                           ⍝ ! VALUE ERROR
⎕NEW a.one                         ⍝ → #.[one]
a.⎕NEW a.one                       ⍝ → #.a.[one]
a.one                              ⍝ → #.a.one
:Class d: a.one
:EndClass
(⎕NEW d).v                         ⍝ → 1

⍝ ⎕IO, ⎕ML, ⎕CT of a class are its own
)CLEAR
:Class Z
  ⎕IO←0 ⋄ ⎕ML←3
  :Field Public At←⍳2
  ∇ r←f x
   :Access Public
   r←x[0],⎕IO,⎕ML
  ∇
  ∇ r←g x;⎕IO
   :Access Public Shared
   ⎕IO←1
   r←⍳x
  ∇
:EndClass
z←⎕NEW Z
z.f 5 6                            ⍝ → 5 0 3
Z.g 2                              ⍝ → 1 2
z.At                               ⍝ → 0 1
⎕IO,⎕ML                            ⍝ → 1 1

⍝ :Include: the functions of a namespace with their :Access; the class's own come first, of two namespaces the later
)CLEAR
:Namespace s1
  ∇ r←f
   :Access Public
   r←'s1 f ',K
  ∇
  ∇ r←g
   :Access Public
   r←'s1 g'
  ∇
  ∇ r←p
   r←'s1 p'
  ∇
  d←{'s1 d ',⍵}
  v←'no'
:EndNamespace
:Namespace s2
  ∇ r←g
   :Access Public Shared
   r←'s2 g'
  ∇
:EndNamespace
:Class I
  K←'k'
  :Include s1
  :Include #.s2
  ∇ r←h
   :Access Public
   r←p,d 'x'
  ∇
  ∇ r←q
   :Access Public
   r←v
  ∇
:EndClass
i←⎕NEW I
i.f                                ⍝ → s1 f k
i.g                                ⍝ → s2 g
I.g                                ⍝ → s2 g
i.h                                ⍝ → s1 ps1 d x
i.p                                ⍝ ! VALUE ERROR
i.q                                ⍝ ! VALUE ERROR: v has no value
s1.g                               ⍝ → s1 g
:Class J
  ∇ r←g
   :Access Public
   r←'own g'
  ∇
  :Include s1
:EndClass
(⎕NEW J).g                         ⍝ → own g
:Class Bad
  :Include nowhere
:EndClass                          ⍝ ! VALUE ERROR

⍝ A class that is defined anew: what exists keeps what it has
)CLEAR
:Class V
  ∇ r←f
   :Access Public
   r←1
  ∇
:EndClass
v←⎕NEW V
:Class V
  ∇ r←f
   :Access Public
   r←2
  ∇
:EndClass
v.f,(⎕NEW V).f                     ⍝ → 1 2

⍝ ⎕FIX and ⎕SRC
)CLEAR
c←⎕FIX ':Class Made' '∇ r←Hi' ':Access Public' 'r←''hi''' '∇' ':EndClass'
c≡Made                             ⍝ → 1
(⎕NEW c).Hi                        ⍝ → hi
⎕SRC Made                          ⍝ →  :Class Made  ∇ r←Hi  :Access Public  r←'hi'  ∇  :EndClass
⎕NC⊂'Made'                         ⍝ → 9.4
u←⎕NEW ⎕FIX ':Class' ':EndClass'
⎕NC⊂,'u'                           ⍝ → 9.2
⎕FIX ':Class a' ':EndNamespace'    ⍝ ! SYNTAX ERROR: :EndNamespace does not end :Class
⎕FIX ':Class a' 'x←1'              ⍝ ! SYNTAX ERROR: :Class is not closed
⎕FIX ':Class 1' ':EndClass'        ⍝ ! SYNTAX ERROR: :Class takes one name, and its base behind a colon
⎕FIX ':Class a:' ':EndClass'       ⍝ ! SYNTAX ERROR: :Class takes one name, and its base behind a colon
⎕FIX ':EndClass'                   ⍝ ! SYNTAX ERROR: :EndClass ends nothing

⍝ ⎕NC and ⎕NL: from outside public members are negative, others are none; from inside all are there
)CLEAR
:Class K
  :Field Public F←1
  :Field Public Empty
  :Field Public Shared S←1
  :Field hidden←0
  plain←0
  :Property P
  :Access Public
   ∇ r←get
    r←3
   ∇
  :EndProperty
  ∇ r←M
   :Access Public
   r←⎕NC 'F' 'hidden' 'P' 'M' 'loc' 'plain' 'nothing'
  ∇
  ∇ r←Names
   :Access Public
   r←⎕NL ¯2.2
  ∇
:EndClass
:Class L: K
  :Field Public G←1
:EndClass
k←⎕NEW K ⋄ l←⎕NEW L
⎕NC 'k.F' 'k.Empty' 'k.S' 'k.P' 'k.M' 'k.hidden' 'k.plain' 'k.x'   ⍝ → ¯2.2 ¯2.2 ¯2.2 ¯2.3 ¯3.1 0 0 0
⎕NC'K.S' 'K.F'                     ⍝ → ¯2.2 0
⎕NC'k.F'                           ⍝ → 0
⎕NC'k.M'                           ⍝ → 3
k.M                                ⍝ → 2.2 2.2 2.3 3.1 0 2.1 0
k.⎕NL ¯2.2                         ⍝ →  Empty  F  S
k.⎕NL ¯2                           ⍝ →  Empty  F  P  S
k.⎕NL ¯2.3                         ⍝ →  P
k.⎕NL ¯3                           ⍝ →  M  Names
l.⎕NL ¯2.2                         ⍝ →  Empty  F  G  S
K.⎕NL ¯2                           ⍝ →  S
k.Names                            ⍝ →  Empty  F  S  hidden
⎕NL ¯9.2 ¯9.4                      ⍝ →  K  L  k  l
⎕NL ¯9.4                           ⍝ →  K  L
⎕NC(,'K')(,'k')                    ⍝ → 9.4 9.2

⍝ ⎕CLASS and ⎕INSTANCES
)CLEAR
:Class A
  :Field Public X←1
  ∇ r←f
   :Access Public
   r←'A'
  ∇
:EndClass
:Class B: A
  ∇ r←f
   :Access Public
   r←'B'
  ∇
:EndClass
b←⎕NEW B
(⊃,/⎕CLASS b)≡B A                  ⍝ → 1
⍴⎕CLASS b                          ⍝ → 2
B≡⊃⊃⎕CLASS b                       ⍝ → 1
(⊃,/⎕CLASS B)≡B A                  ⍝ → 1
≢⎕CLASS ⎕NS ⍬                      ⍝ → 0
⎕CLASS 5                           ⍝ ! DOMAIN ERROR
(A ⎕CLASS b).f,(B ⎕CLASS b).f      ⍝ → AB
(A ⎕CLASS b).X←9 ⋄ b.X             ⍝ → 9
b ⎕CLASS A                         ⍝ ! DOMAIN ERROR
B ⎕CLASS ⎕NEW A                    ⍝ ! DOMAIN ERROR
(B ⎕CLASS b)≡b                     ⍝ → 1
≢⎕INSTANCES A                      ⍝ → 1
c d←⎕NEW¨A B
(⎕INSTANCES A)≡b c d               ⍝ → 1
(⎕INSTANCES B)≡b d                 ⍝ → 1
⊢⎕EX 'b'                           ⍝ → 1
(⎕INSTANCES A)≡c d                 ⍝ → 1
⎕INSTANCES 5                       ⍝ ! DOMAIN ERROR
q←A ⎕CLASS d ⋄ ⊢⎕EX 'd'            ⍝ → 1
≢⎕INSTANCES B                      ⍝ → 1
⊢⎕EX 'q'                           ⍝ → 1
≢⎕INSTANCES B                      ⍝ → 0

⍝ Interfaces
)CLEAR
:Namespace n
  :Interface Swimmer
    ∇ r←Swim
    ∇
    ∇ r←Dive x
    ∇
  :EndInterface
:EndNamespace
:Interface Flyer
:EndInterface
:Class Base
:EndClass
:Class Duck: Base, n.Swimmer, Flyer
  :Field Name←'duck'
  ∇ r←Paddle
   :Implements Method n.Swimmer.Swim
   r←Name,' swims'
  ∇
  ∇ r←Down x
   :Implements Method Swimmer.Dive
   r←x,Name
  ∇
:EndClass
d←⎕NEW Duck
(n.Swimmer ⎕CLASS d).Swim          ⍝ → duck swims
s←n.Swimmer ⎕CLASS d ⋄ s.Dive 1    ⍝ → 1 duck
≢¨⎕CLASS d                         ⍝ → 3 1
⎕NC'n.Swimmer' 'Flyer'             ⍝ → 9.5 9.5
(Flyer ⎕CLASS d).Swim              ⍝ ! VALUE ERROR
d.Paddle                           ⍝ ! VALUE ERROR
⎕NEW Flyer                         ⍝ ! DOMAIN ERROR
n.Swimmer ⎕CLASS ⎕NEW Base         ⍝ ! DOMAIN ERROR
:Class Bad
  ∇ f
   :Implements Method Flyer.X
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: :Implements Method names a method of an interface of the class

⍝ ⎕DF
)CLEAR
:Class D
  ∇ make n
   :Access Public
   :Implements Constructor
   ⎕DF n
  ∇
:EndClass
d←⎕NEW D'Eeyore'
d                                  ⍝ → Eeyore
⍴⍕d                                ⍝ → 6
d.⎕DF'me' ⋄ d                      ⍝ → me
⊢d.⎕DF ⎕NULL                       ⍝ → me
d                                  ⍝ → #.[D]
D.⎕DF 'The class' ⋄ D              ⍝ → The class

⍝ Destructors: when the last reference goes, from the class to its bases
)CLEAR
:Class A
  ∇ kill
   :Implements Destructor
   'A dies'
  ∇
:EndClass
:Class B: A
  :Field Public N
  ∇ make n
   :Access Public
   :Implements Constructor
   N←n
  ∇
  ∇ kill
   :Implements Destructor
   'B dies: ',N
  ∇
:EndClass
a←⎕NEW B'one' ⋄ b←a
{}⎕EX 'a' ⋄ 'still there'          ⍝ → still there
{}⎕EX 'b' ⋄ 'gone'                 ⍝ → B dies: one ⏎ A dies ⏎ gone
a←⎕NEW B'two' ⋄ a←0 ⋄ 'next'       ⍝ → B dies: two ⏎ A dies ⏎ next
∇ r←local;x
  x←⎕NEW B'local'
  r←'result'
∇
local,'!' ⋄ 'after'                ⍝ → result! ⏎ B dies: local ⏎ A dies ⏎ after
(⎕NEW B'short').N ⋄ 'end'          ⍝ → short ⏎ B dies: short ⏎ A dies ⏎ end
l←⎕NEW¨(B'x')(B'y') ⋄ l←1↓l ⋄ 'one is left'   ⍝ → B dies: x ⏎ A dies ⏎ one is left
)CLEAR                             ⍝ → clear ws ⏎ B dies: y ⏎ A dies
:Class E
  ∇ kill
   :Implements Destructor
   ÷0
  ∇
:EndClass
e←⎕NEW E ⋄ e←0 ⋄ 'goes on'         ⍝ → DOMAIN ERROR: ÷: division by zero ⏎ kill[2] ÷0 ⏎         ^ ⏎ called here ⏎       e←⎕NEW E ⋄ e←0 ⋄ 'goes on' ⏎         ^ ⏎ goes on
⎕EN≠11                             ⍝ → 1
:Class F
  ∇ make x
   :Access Public
   :Implements Constructor
   ÷x
  ∇
  ∇ kill
   :Implements Destructor
   'never'
  ∇
:EndClass
f←⎕NEW F 0                         ⍝ ! DOMAIN ERROR
≢⎕INSTANCES F                      ⍝ → 0
:Class Bad
  ∇ kill x
   :Implements Destructor
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: a destructor is of instances, without arguments

⍝ What an instance makes in its methods does not keep it: ## leads to it while it lives
)CLEAR
:Class Node
  :Field Public Kids←⍬
  :Field Public Name
  :Field Public Opts
  ∇ make n
   :Access Public
   :Implements Constructor
   Name←n
   Opts←⎕NS ⍬
  ∇
  ∇ r←Add n
   :Access Public
   r←⎕NEW Node n
   Kids,←r
  ∇
  ∇ r←Up
   :Access Public
   r←##.Name
  ∇
  ∇ kill
   :Implements Destructor
   'dies: ',Name
  ∇
:EndClass
n←⎕NEW Node'root'
k←n.Add'kid'
k.Up                               ⍝ → root
k.##≡n                             ⍝ → 1
n.Opts.##≡n                        ⍝ → 1
{}⎕EX'n' ⋄ 'and'                   ⍝ → dies: root ⏎ and
k.##                               ⍝ → #
{}⎕EX'k' ⋄ 'and'                   ⍝ → dies: kid ⏎ and

⍝ A circle waits for the end
)CLEAR
:Class C
  :Field Public Other
  ∇ kill
   :Implements Destructor
   'late'
  ∇
:EndClass
a b←⎕NEW¨C C
a.Other←b ⋄ b.Other←a
{}⎕EX'ab' ⋄ 'nothing yet'          ⍝ → nothing yet
a.Other←0 ⋄ {}⎕EX'a' ⋄ {}⎕EX'b' ⋄ 'now'   ⍝ → late ⏎ late ⏎ now

⍝ Simple properties
)CLEAR
:Class T
  :Field Private c←0
  :Field Public Log←''
  :Property Fahrenheit
  :Access Public Instance
   ∇ r←GET
    r←32+c×1.8
   ∇
   ∇ SET arg
    c←(arg.NewValue-32)÷1.8
   ∇
  :EndProperty
  :Property Simple One,Two
  :Access Public
   ∇ r←get arg
    r←arg.Name
   ∇
   ∇ set arg
    Log,←arg.Name,'←',⍕arg.NewValue
   ∇
  :EndProperty
  :Property Never
  :Access Public
   ∇ set arg
    Log←''
   ∇
  :EndProperty
  :Property Sh
  :Access Public Shared
   ∇ r←get
    r←'shared'
   ∇
  :EndProperty
  :Property List
  :Access Public
   ∇ r←get
    r←10 20 30
   ∇
  :EndProperty
  ∇ r←In
   :Access Public
   Fahrenheit+←18
   r←c,Fahrenheit
  ∇
:EndClass
t←⎕NEW T
t.Fahrenheit                       ⍝ → 32
t.Fahrenheit←212
t.Fahrenheit                       ⍝ → 212
t.Fahrenheit-←18 ⋄ t.Fahrenheit    ⍝ → 194
t.In                               ⍝ → 100 212
t.One,t.Two                        ⍝ → OneTwo
t.One←5 ⋄ t.Two←6 ⋄ t.Log          ⍝ → One←5Two←6
t.Never                            ⍝ ! VALUE ERROR: the property Never has no get
t.Never←1 ⋄ ≢t.Log                 ⍝ → 0
t.List[2]                          ⍝ → 20
t.List←5                           ⍝ ! SYNTAX ERROR: the property List has no set
T.Sh                               ⍝ → shared
t.Sh                               ⍝ → shared
T.List                             ⍝ ! VALUE ERROR
(t t).List                         ⍝ →  10 20 30  10 20 30
+/t.List                           ⍝ → 60
t.(List One)                       ⍝ →  10 20 30  One
⎕NC⊂'t.List'                       ⍝ → ¯2.3
:Class Bad
  :Property X
   ∇ other
   ∇
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: a property has r←get, r←get x and set x
:Class Bad
  :Property X
  :EndProperty
:EndClass                          ⍝ ! SYNTAX ERROR: the property has neither get nor set
:Property X
:EndProperty                       ⍝ ! SYNTAX ERROR: it stands in a class

⍝ An error in set stands at the assignment
)CLEAR
:Class C
  :Field v←1
  :Property L
  :Access Public
   ∇ r←get
    r←v
   ∇
   ∇ set a
    'bad level'⎕SIGNAL(a.NewValue<0)/11
    v←a.NewValue
   ∇
  :EndProperty
:EndClass
c←⎕NEW C
c.L←5
c.L←¯1                             ⍝ ! DOMAIN ERROR: bad level
c.L                                ⍝ → 5

⍝ Triggers: at the end of the statement, from wherever the field was assigned
)CLEAR
:Class T
  :Field Public A←1
  :Field Public B←1 2 3
  :Field Public C←0
  :Field Public Seen←⍬
  ∇ see x
   :Implements Trigger A,B
   Seen,←⊂x.(Name NewValue OldValue)
  ∇
  ∇ Set x
   :Access Public
   A←x
  ∇
:EndClass
t←⎕NEW T
≢t.Seen                            ⍝ → 0
t.A←2
⊃t.Seen                            ⍝ →  A  2 1
t.B[2]←9
2⊃t.Seen                           ⍝ →  B  1 9 3  1 2 3
t.A+←1
3⊃t.Seen                           ⍝ →  A  3 2
t.Set 7
4⊃t.Seen                           ⍝ →  A  7 3
t.C←5
≢t.Seen                            ⍝ → 4
A←5 ⋄ A                            ⍝ → 5
:Class Bad
  ∇ f
   :Implements Trigger X
  ∇
:EndClass                          ⍝ ! SYNTAX ERROR: a trigger is of fields of its class
:Class Bad
  ∇ f
   :Implements Trigger *
  ∇
:EndClass                          ⍝ ! NONCE ERROR

⍝ Methods as any traditional function: loops, :Trap, recursion, dfns in them, names that are local
)CLEAR
:Class A
  :Field Public X←1
  ∇ r←f y
   :Access Public
   r←{⍵+X}y
  ∇
  ∇ r←g y
   :Access Public
   r←f¨y
  ∇
  ∇ r←h y;s;i
   :Access Public
   s←0
   :For i :In y
     s←s+X×i
   :EndFor
   r←s
  ∇
  ∇ r←Rec n
   :Access Public
   :If n=0 ⋄ r←X
   :Else ⋄ r←1+Rec n-1 ⋄ :EndIf
  ∇
  ∇ r←Sh;X
   :Access Public
   X←99
   r←See
  ∇
  ∇ r←See
   r←X
  ∇
  ∇ SetV v
   :Access Public
   (X Z)←v
  ∇
  ∇ r←Ex n
   :Access Public
   r←⍎n
  ∇
:EndClass
a←⎕NEW A
a.f 1 2 3                          ⍝ → 2 3 4
a.g 1 2 3                          ⍝ → 2 3 4
a.h ⍳4                             ⍝ → 10
a.h¨(⍳2)(⍳3)                       ⍝ → 3 6
a.Rec 50                           ⍝ → 51
a.Sh                               ⍝ → 99
a.X                                ⍝ → 1
a.SetV 5 6
a.X                                ⍝ → 5
a.Ex 'X+f 1'                       ⍝ → 11
a.Ex 'X←7'                         ⍝ → 7
a.X                                ⍝ → 7
+/a.f⍳100                          ⍝ → 5750
a.(f⍤0)1 2                         ⍝ → 8 9
(a.f⍣3)1                           ⍝ → 22
a.f{⍺⍺ ⍵}1                         ⍝ → 8
xs←⎕NEW¨3⍴A
xs.X←⍳3
(xs.X>1)/xs                        ⍝ →  #.[A]  #.[A]
xs.f 1                             ⍝ → 2 3 4
xs.X+←1 ⋄ xs.X                     ⍝ → 2 3 4
xs⍳xs[2]                           ⍝ → 2
xs∊xs[1 3]                         ⍝ → 1 0 1
⊃⎕NR'a.Rec'                        ⍝ → r←Rec n
+/(⎕NEW A).h¨⍳1000                 ⍝ → 500500

⍝ ⎕JSON has what is public; ⎕NS and ⎕VGET read it
)CLEAR
:Class A
  :Field Public X←5
  :Field priv←2
  ∇ r←f
   :Access Public
   r←priv
  ∇
:EndClass
a←⎕NEW A
1 ⎕JSON a                          ⍝ → {"X":5}
a.⎕VGET'X'                         ⍝ → 5
a ⎕VGET'X'                         ⍝ → 5
a ⎕VGET'priv'                      ⍝ ! VALUE ERROR: ⎕VGET: priv has no value
{}a ⎕VSET⊂'X' 6
a.X                                ⍝ → 6

⍝ What a class says to others is read over
)CLEAR
:Class W
  :Using System
  ∇ r←f x
   :Access WebMethod Public
   :Signature r←Int32 f Int32 x
   :Attribute Something('x')
   r←x
  ∇
:EndClass
(⎕NEW W).f 3                       ⍝ → 3

⍝ )SAVE and )LOAD keep the text and what fields hold; nothing is run
)CLEAR
T←⎕ENV 'TMP'
:Class Base
  :Field Public Open←1
  :Field Private secret←'s'
  :Field Public Shared Count←0
  :Field Public Shared Last
  dbl←{2×⍵}
  ∇ r←Get
   :Access Public
   r←secret,⍕dbl Open
  ∇
  ∇ make
   :Access Public
   :Implements Constructor
   Count+←1
   Last←⎕THIS
  ∇
:EndClass
:Namespace a
  :Class Top: #.Base
   :Field Public Mine←⍳3
   ∇ r←Who
    :Access Public
    r←'top ',⎕BASE.Get
   ∇
  :EndClass
:EndNamespace
t←⎕NEW a.Top
t.Open←21 ⋄ t.Mine[2]←99
b←⎕NEW Base
two←t b t
t.⎕DF 'shown'
⊢⎕SAVE T,'/classes.vws'
)CLEAR
⎕LOAD(⎕ENV'TMP'),'/classes.vws'
t                                  ⍝ → shown
t.Open,t.Mine                      ⍝ → 21 1 99 3
t.Who                              ⍝ → top s42
Base.Count                         ⍝ → 2
Base.Last≡b                        ⍝ → 1
two[1]≡two[3]                      ⍝ → 1
t≡1⊃two                            ⍝ → 1
(⊃⊃⎕CLASS t)≡a.Top                 ⍝ → 1
≢⎕INSTANCES Base                   ⍝ → 2
(⎕NEW a.Top).Who                   ⍝ → top s2
Base.Count                         ⍝ → 3
≢⎕SRC a.Top                        ⍝ → 7
a.Top.##                           ⍝ → #.a
t.##                               ⍝ → #
)CLEAR
{}'a'⎕CY(⎕ENV'TMP'),'/classes.vws'
(⎕NEW a.Top).Who                   ⍝ → top s2
)CLEAR

⍝ A folder's .aplc files, a base in a later one; what is written is the text
)CLEAR
D←(⎕ENV 'TMP'),'/classes'
{}3 ⎕MKDIR D
put←{{}(⊂⍺)⎕NPUT(D,'/',⍵)1}
':Class Alpha: Beta' '∇ r←f' ':Access Public' 'r←''alpha '',⎕BASE.f' '∇' ':EndClass' put 'Alpha.aplc'
':Class Beta' '∇ r←f' ':Access Public' 'r←''beta''' '∇' ':EndClass' put 'Beta.aplc'
':Interface Face' ':EndInterface' put 'Face.apli'
{}⎕SE.Link.Import # D
(⎕NEW Alpha).f                     ⍝ → alpha beta
⎕NC 'Alpha' 'Beta' 'Face'          ⍝ → 9.4 9.4 9.5
x←⎕NEW Beta
{}⎕SE.Link.Export # (D,'/out')
⎕NEXISTS D∘,¨'/out/Alpha.aplc' '/out/Face.apli' '/out/x' '/out/x.aplc'   ⍝ → 1 1 0 0
⊃⊃⎕NGET(D,'/out/Alpha.aplc')1      ⍝ → :Class Alpha: Beta

⍝ ]save writes classes as they stand, bases first; instances are )SAVE's
)CLEAR
:Class Zzz
  ∇ r←f
   :Access Public
   r←5
  ∇
:EndClass
:Class Aaa: Zzz
:EndClass

⍝ An instance with more names than fields: the index of its names has a power of two of places, for any seed of hashes
)CLEAR
:Class Many
  :Field Public a1←1
  :Field Public a2←2
  :Field Public a3←3
  :Field Public a4←4
  ∇ Fill
    :Access Public
    b1←b2←b3←b4←b5←b6←b7←b8←b9←c1←c2←c3←c4←c5←c6←9
  ∇
  ∇ r←Sum
    :Access Public
    r←a1+a2+a3+a4+b1+b2+b3+b4+b5+b6+b7+b8+b9+c1+c2+c3+c4+c5+c6
  ∇
:EndClass
many←{⎕NEW Many}¨⍳20
many.Fill
+/many.Sum                         ⍝ → 2900

⍝ What fills an array of instances: another one, by the constructor without arguments, when it is used
)CLEAR
:Class Bird
  :Field Public Species
  :Field Public Shared Made←0
  ∇ egg spec
    :Access Public
    :Implements Constructor
    Species←spec
  ∇
  ∇ default
    :Access Public
    :Implements Constructor
    Made+←1
    Species←'Default Bird'
  ∇
  ∇ r←Speak
    :Access Public
    r←'Tweet ',Species
  ∇
  ∇ r←a Say b
    :Access Public
    r←Species,a,b
  ∇
  ∇ bye
    :Implements Destructor
    ⎕←'bye ',Species
  ∇
:EndClass
Birdy←⎕NEW Bird 'Robin'
(3↑Birdy).Species                  ⍝ →  Robin  Default Bird  Default Bird ⏎ bye Default Bird ⏎ bye Default Bird
Bird.Made                          ⍝ → 2
n←0⍴Birdy ⋄ e←0/Birdy Birdy
Bird.Made                          ⍝ → 2
t←3↑Birdy
t                                  ⍝ →  #.[Bird]  #.[Bird]  #.[Bird]
t[1 2]≡¨t[2 3]                     ⍝ → 0 0
t[2].Species←'Wren'
t.Species                          ⍝ →  Robin  Wren  Default Bird
t.Speak                            ⍝ →  Tweet Robin  Tweet Wren  Tweet Default Bird
Bird.Made                          ⍝ → 4
t←⍬                                ⍝ → bye Wren ⏎ bye Default Bird
n.Species                          ⍝ →  ⏎ bye Default Bird
⍴n.Species                         ⍝ → 0 ⏎ bye Default Bird
≢⊃n.Species                        ⍝ → 12 ⏎ bye Default Bird
n.Speak≡0⍴⊂18⍴' '                  ⍝ → 1 ⏎ bye Default Bird
'a' n.Say 'b'                      ⍝ →  ⏎ bye Default Bird
(⊃n).Species                       ⍝ → Default Bird ⏎ bye Default Bird
≢⎕INSTANCES Bird                   ⍝ → 1
1 0 1\Birdy Birdy                  ⍝ →  #.[Bird]  #.[Bird]  #.[Bird]
(1 0 1\Birdy Birdy).Species        ⍝ →  Robin  Default Bird  Robin ⏎ bye Default Bird
(2 2⍴Birdy Birdy Birdy)[1;].Species ⍝ →  Robin  Robin
n←e←⍬
:Class One
  :Field Public x←5
  ∇ make v
    :Access Public
    :Implements Constructor
    x←v
  ∇
:EndClass
o←2↑⎕NEW One 3
o.x                                ⍝ ! LENGTH ERROR: no public constructor of #.One takes no argument
o[1].x                             ⍝ → 3
(0⍴⎕NEW One 3).x                   ⍝ ! LENGTH ERROR
)CLEAR
:Class Plain
  :Field Public x←5
:EndClass
p←4↑⎕NEW Plain
p.x                                ⍝ → 5 5 5 5
p.x←⍳4 ⋄ p.x                       ⍝ → 1 2 3 4
3↑⎕NS⍬                             ⍝ →  #.[Namespace]  0 0

⍝ Methods that give no value: in arrays of instances, behind what is known only when it runs, in parentheses
)CLEAR
:Class Acc
  :Field Public total←0
  ∇ Add x
    :Access Public
    total+←x
  ∇
  ∇ a AddBoth b
    :Access Public
    total+←a+b
  ∇
  ∇ r←Me
    :Access Public
    r←⎕THIS
  ∇
  ∇ r←Only x
    :Access Public
    :If x ⋄ r←x ⋄ :EndIf
  ∇
:EndClass
a←⎕NEW Acc
(⊃,a).Add 3
a.Me.Add 4
a.total                            ⍝ → 7
3 (⊃,a).AddBoth 4
3 a.Me.AddBoth 4
a.total                            ⍝ → 21
x←2⍴a
x.Add 1 2
x[1].Add 5
(,a).Add 1
5 x.AddBoth 6
a.total                            ⍝ → 52
x.Add 1 2 3                        ⍝ ! LENGTH ERROR: as many arguments as namespaces are wanted
1+x.Add 3                          ⍝ ! VALUE ERROR: the function gave no result
1+(⊃,a).Add 3                      ⍝ ! VALUE ERROR: the function gave no result
x.Only 1 1                         ⍝ → 1 1
x.Only 1 0                         ⍝ ! VALUE ERROR: the function gave no result
x.Only 0 1                         ⍝ ! VALUE ERROR: the function gave no result
x.Only 0
(⎕NEW Acc).Add 5
a.(Add 3)
x.(Add 3)
1+a.(Add 3)                        ⍝ ! VALUE ERROR: the function gave no result
{⍵.(Add 3)}a
1 2 a.Add¨3 4                      ⍝ ! SYNTAX ERROR

⍝ An error in a trigger that runs at the end of an entry
)CLEAR
:Class T
  :Field Public A←1
  ∇ see x
   :Implements Trigger A
   ÷x.NewValue
  ∇
:EndClass
t←⎕NEW T
t.A←0                              ⍝ ! DOMAIN ERROR
t.A←1

⍝ A local name without a value is nothing, whatever is around; a shared method that one of an instance calls sees its members
)CLEAR
:Class C
  :Field Private N←7
  :Field Public a←1
  ∇ r←f;x
    :Access Public
    r←x
  ∇
  ∇ r←g;x
    :Access Public
    r←{x}0
  ∇
  ∇ r←out
    :Access Public
    r←x
  ∇
  ∇ r←sh
    :Access Public Shared
    r←{N,⍵}a
  ∇
  ∇ r←call
    :Access Public
    N←8
    r←sh
  ∇
:EndClass
x←5
c←⎕NEW C
c.f                                ⍝ ! VALUE ERROR: x has no value
c.g                                ⍝ ! VALUE ERROR: x has no value
c.out                              ⍝ → 5
c.call                             ⍝ → 8 1
c.sh                               ⍝ ! VALUE ERROR
C.sh                               ⍝ ! VALUE ERROR

⍝ What a line of the class gives a name, instances read until they give it a value: then each has its own
)CLEAR
:Class K
  n←0
  names←values←0⍴⊂''
  v←1 2 3
  square←{⍵*2}
  ∇ Inc
    :Access Public
    n+←1
  ∇
  ∇ r←Get
    :Access Public
    r←n
  ∇
  ∇ Set(k x)
    :Access Public
    (names values),←⊂¨k x
  ∇
  ∇ Change(k x)
    :Access Public
    values[names⍳⊂k]←⊂x
    v[2]←x
    (1↑v)←9
  ∇
  ∇ r←All
    :Access Public
    r←names,values
  ∇
  ∇ r←V
    :Access Public
    r←v,square 3
  ∇
  ∇ IncS
    :Access Public Shared
    n+←1
    v[3]+←1
  ∇
  ∇ r←GetS
    :Access Public Shared
    r←n,v
  ∇
:EndClass
a b c←⎕NEW¨K K K
a.Inc ⋄ a.Inc ⋄ b.Inc
a.Get,b.Get,c.Get,K.GetS           ⍝ → 2 1 0 0 1 2 3
K.IncS
a.Get,b.Get,c.Get,K.GetS           ⍝ → 2 1 1 1 1 2 4
a.Set 'x' 5 ⋄ b.Set 'y' 6 ⋄ a.Set 'z' 7
a.All                              ⍝ → xz 5 7
b.All                              ⍝ → y 6
c.All                              ⍝ →
a.Change 'x' 8
a.All                              ⍝ → xz 8 7
a.V,b.V                            ⍝ → 9 8 4 9 1 2 4 9
K.GetS                             ⍝ → 1 1 2 4

⍝ Empty arrays of instances match, and stay what they are in a workspace that is kept
)CLEAR
:Class B
  :Field Public S←'x'
  ∇ d
    :Access Public
    :Implements Constructor
    S←'made'
  ∇
:EndClass
b←⎕NEW B
e←0⍴b
(e≡0⍴b)(e≡0⍴0)(e≡0⍴⊂b b)           ⍝ → 1 0 0
b∊e                                ⍝ → 0
e⍳b                                ⍝ → 1
⍴e,b                               ⍝ → 1
⍴↑e                                ⍝ → 0
⍴(0 2⍴b).S                         ⍝ → 0 2
(⊃0⍴⊂b b).S                        ⍝ →  made  made
(1↑e).S                            ⍝ →  made
⍴e.⎕NC⊂,'S'                        ⍝ → 0
⎕NC⊂,'e'                           ⍝ → 2.1
