⍝ SPDX-License-Identifier: MIT
⍝ dfns.apl - small functions that programs copy by name: 'cmat' ⎕CY 'dfns'. docs/dfns.md says what each does.
⍝
⍝ Each is whole in itself, for it may be copied alone, and has the ⎕IO of the namespace that it is copied into.

⍝ ── numbers ──

to←{ ⍝ numbers from ⍺ up or down to ⍵; (first second)to last: by their difference
  from←⊃⍺
  step←⍺{1<≢,⍺:--/2↑⍺ ⋄ ¯1*⍵<⊃⍺}⍵
  from+step×(⍳0⌈1+⌊(⍵-from)÷step)-⎕IO
}
iotag←{ ⍝ ⍳ of a number with its sign, letters up to ⍵; first iotag last [step]; array iotag ⍵: index of
  ⍺←⎕NULL
  text←{0=10|⎕DR ⍵}
  upto←{(from last by)←3↑⍵,1 ⋄ step←(|by)×¯1*last<from ⋄ from+step×(⍳1+⌊(last-from)÷step)-⎕IO}
  (⎕NULL≡⍺)∧text ⍵:⎕UCS upto ⎕UCS('aA'⊃⍨⎕IO+⍵∊⎕A),⍵
  ⎕NULL≡⍺:(×⍵)×⍳|⍵
  0<≢⍴⍺:⍺⍳⍵
  text ⍺:⎕UCS upto(⎕UCS ⍺),{text ⍵:⎕UCS ⍵ ⋄ ⍵}¨⍵
  upto ⍺,⍵
}
pco←{ ⍝ primes: the ⍵th; by a code ⍺: 0 is not, 1 is, 2 factors over exponents, 3 factors, 4 next, ¯4 before, ¯1 how many below, 10 is, from m to below n
  ⍺←⍬ ⋄ io←⎕IO ⋄ ⎕IO←0 ⋄ ⎕CT←0
  sieve←{ ⍝ truth values of 0 … ⍵-1
    ⍵≤3:⍵↑0 0 1
    n←⍵ ⋄ k←⎕NS ⍬
    k.b←n⍴0 1 ⋄ k.b[1 2]←0 1
    _←{⍵=0:0 ⋄ k.b[⍵×⍵+2×⍳0⌈⌈(n-⍵×⍵)÷2×⍵]←0}¨1↓⍸∇⌈1+n*0.5
    k.b
  }
  times←{ ⍝ ⍺×⍵ modulo ⍺⍺; where that has more than 63 bits, by nine bits of ⍵ at a time
    n←⍺⍺ ⋄ x←⍺
    3E9>⌈/n:n|⍺×⍵
    ⊃{n|(⍵×512)+x×⍺}/(↓⊖(6⍴512)⊤⍵),⊂0×n
  }
  passes←{ ⍝ Miller and Rabin's test of odd numbers to the base ⍺
    n←⍵ ⋄ a←⍺ ⋄ power←(2*53)∨n-1 ⋄ s←⌊0.5+2⍟power ⋄ odd←⌊(n-1)÷power
    x←⊃{n|(a*⍺)×⍵(n times)⍵}/(↓⊖((1+⌊2⍟⌈/odd)⍴2)⊤odd),⊂1+0×n
    again←{⍺≥⌈/s:0 ⋄ y←⍵(n times)⍵ ⋄ ((y=n-1)∧⍺<s)∨(⍺+1)∇ y}
    (x=1)∨(x=n-1)∨1 again x
  }
  passed←{0∊(≢⍺)(≢⍵):1⍨¨⍵ ⋄ ok←(⊃⍺)passes ⍵ ⋄ ok\(1↓⍺)∇ ok/⍵}
  few←⍸sieve 100
  is←{
    v←,⍵ ⋄ most←⌈/v,0 ⋄ ok←(v≥2)∧v=⌊v ⋄ v←⌊0⌈v
    most<1E6⌈2E7⌊100×≢v:(⍴⍵)⍴ok∧(sieve 1+most)[v]
    ok←ok∧(v∊few)∨~∨⌿0=few∘.|v
    i←⍸ok∧v>1E4
    ok[i]←(9↑few)passed v[i]
    (⍴⍵)⍴ok
  }
  roots←{ ⍝ the factors of what has none below the cube root of 2*53
    ⍵<2:⍬ ⋄ is ⍵:,⍵ ⋄ r←⌊0.5+⍵*0.5
    ⍵=r×r:r r
    p←⍵{d←⍵-⍳1E6 ⋄ ∨/z←0=d|⍺:⊃z/d ⋄ ⍺ ∇ ⍵-1E6}r
    p,⍵÷p
  }
  factors←{ ⍝ of ⍵, by primes ⍺
    ⍵≤1:⍬
    d←(0=⍺|⌊⍵)/⍺
    n←⍵{0≠⍵|⍺:0 ⋄ 1+(⌊⍺÷⍵)∇ ⍵}¨d
    (n/d),roots ⌊⍵÷×/n/d
  }
  each←{(⊃⍣(0=≢⍴⍵))⍺⍺¨⍵}
  near←{ ⍝ the next prime from ⍵ on by ⍺, 1 or ¯1
    ∨/b←is c←⍵+⍺×1+⍳64:⊃b/c
    ⍺ ∇ ⍵+64×⍺
  }
  below←{ ⍝ how many, by Lucy's sums: lo[i] up to i, hi[i] up to ⌊n÷i⌋
    ⍵≤2:0
    n←(⌈⍵)-1 ⋄ r←⌊n*0.5 ⋄ k←⎕NS ⍬ ⋄ k.lo←¯1+⍳1+r ⋄ k.hi←¯1+⌊n÷1⌈⍳1+r
    _←{⍵=0:0
      p←⍵ ⋄ before←k.lo[p-1]
      at←1+⍳r⌊⌊n÷p×p ⋄ next←at×p ⋄ b←next≤r
      k.hi[at]-←(k.hi[b/next],k.lo[⌊n÷(~b)/next])-before
      i←(p×p)+⍳0⌈1+r-p×p
      k.lo[i]-←k.lo[⌊i÷p]-before
    }¨⍸sieve 1+r
    k.hi[1]
  }
  most←⌈/,⍵,0
  ⍺≡⍬:(⍸sieve 15⌈⌈1+{⍵×(⍟⍵)+⍟⍟⍵}3⌈most+1-io)[⍵-io]
  ⍺≡0:~is ⍵
  ⍺≡1:is ⍵
  by←{⍸sieve 2+⌊208064⌊(4⌈⍵)*0.5}
  ⍺≡2:(by most)∘{↑(∪f)({+/f=⍵}¨∪f←⍺ factors ⍵)}each ⍵
  ⍺≡3:(by most)∘factors each ⍵
  (⍺≡4)∧most<1E7:p[1+(p←⍸sieve 400+⌈most)⍸⍵]
  (⍺≡¯4)∧most<1E7:p[(p←⍸sieve 1+⌈most)⍸(⌈⍵)-1]
  ⍺≡4:{1 near⌊⍵}each ⍵
  ⍺≡¯4:{¯1 near⌈⍵}each ⍵
  (⍺≡¯1)∧most<2E7:1+(⍸sieve 3⌈⌈most)⍸(⌈⍵)-1
  ⍺≡¯1:below each ⍵
  (⍺≡10)∧most<2E7:(⊃⍵)↓sieve⊃⌽⍵
  ⍺≡10:is(⊃⍵)+⍳--/⍵
  'pco: codes are 0 1 2 3 4 ¯4 ¯1 10'⎕SIGNAL 11
}
factors←{ ⍝ the prime factors of a whole number, ascending
  ⎕IO←0 ⋄ ⎕CT←0
  trial←{ ⍝ by ⍺ and what follows
    ⍵<⍺×⍺:⍵~1
    c←⍺+⍳1000⌈⍺⌊1E6 ⋄ d←(0=c|⍵)/c
    0=≢d:(1+⊃⌽c)∇ ⍵
    (⊃d),(⊃d)∇⌊⍵÷⊃d
  }
  2 trial ⍵
}
sieve←{ ⍝ the primes of the whole numbers ⍵
  ⎕IO←0 ⋄ ⎕CT←0
  upto←{ ⍝ truth values of 0 … ⍵-1
    ⍵≤3:⍵↑0 0 1
    n←⍵ ⋄ k←⎕NS ⍬ ⋄ k.b←n⍴0 1 ⋄ k.b[1 2]←0 1
    _←{⍵=0:0 ⋄ k.b[⍵×⍵+2×⍳0⌈⌈(n-⍵×⍵)÷2×⍵]←0}¨1↓⍸∇⌈1+n*0.5
    k.b
  }
  (upto 1+⌈/0,⍵)[0⌈⍵]/⍵
}
gcd←{⍺∨⍵} ⍝ greatest common divisor
mean←{(+⌿⍵)÷≢⍵} ⍝ of the major cells
det←{ ⍝ determinant; of whole numbers exactly, by elimination without fractions, while its steps fit
  ⎕IO←0
  ≠/⍴⍵:'det takes a square matrix'⎕SIGNAL 5
  ⍵≡⌊⍵:1 1{ ⍝ ⍺: sign, the last pivot
    0=≢⍵:×/⍺
    row←⊃⍒0≠⍵[;0] ⋄ p←⍵[row;0] ⋄ p=0:0
    m←(⊂row,(⍳≢⍵)~row)⌷⍵
    sign←(⊃⍺)×¯1*row
    (sign,p)∇(1 1↓(p×m)-m[;0]∘.×m[0;])÷⊃⌽⍺
  }⍵
  1{
    0=≢⍵:⍺
    row←⊃⍒|⍵[;0] ⋄ p←⍵[row;0] ⋄ p=0:0
    m←(⊂row,(⍳≢⍵)~row)⌷⍵
    (⍺×p×¯1*row)∇ 1 1↓m-(m[;0]÷p)∘.×m[0;]
  }⍵
}
gauss_jordan←{ ⍝ ⍺: right sides, one or a matrix of them: what times ⍵ gives them; alone the inverse of ⍵
  ⎕IO←0 ⋄ n←≢⍵
  ⍺←∘.=⍨⍳n
  ≠/⍴⍵:'gauss_jordan takes a square matrix'⎕SIGNAL 5
  solved←{
    ⍺=n:n↓[1]⍵
    row←⍺+⊃⍒|⍺↓⍵[;⍺] ⋄ 0=⍵[row;⍺]:'the matrix is singular'⎕SIGNAL 11
    m←⍵[(row@⍺)(⍺@row)⍳n;]
    line←m[⍺;]÷m[⍺;⍺]
    (⍺+1)∇ line@⍺⊢m-m[;⍺]∘.×line
  }
  (⍴⍺)⍴0 solved ⍵,⍺
}
Cholesky←{ ⍝ the lower triangle that times its own transpose is ⍵
  ⎕IO←0 ⋄ n←≢⍵
  n=0:⍵
  pivot←⍵[0;0]
  (pivot≤0)∨⍵≢⍉⍵:'Cholesky takes a symmetric matrix that is positive definite'⎕SIGNAL 11
  column←⍵[;0]÷pivot*0.5
  rest←1↓column
  column,0⍪∇(1 1↓⍵)-rest∘.×rest
}
roots←{ ⍝ of a quadratic with the coefficients ⍵, the highest first
  (a b c)←⍵
  d←(b×b)-4×a×c
  0J0≢d+0J0:(-b+1 ¯1×d*0.5)÷2×a
  2⍴-b÷2×a
}
root←{⍺←2 ⋄ ⍵*÷⍺} ⍝ the ⍺th root, the square root
fibonacci←{⍺←0 1 ⋄ ⍵=0:⊃⍺ ⋄ (1↓⍺,+/⍺)∇ ⍵-1} ⍝ the ⍵th number of Fibonacci, from 0 1 or ⍺ on
factorial←{⍺←1 ⋄ ⍵=0:⍺ ⋄ (⍺×⍵)∇ ⍵-1} ⍝ by tail calls
cfract←{ ⍝ the continued fraction of a number, as far as it makes a difference
  x←⍵
  ⍬{
    (p q r s y)←⍵ ⋄ n←⌊y ⋄ a←(n×p)+r ⋄ b←(n×q)+s
    (1E¯14×1⌈|x)≥|x-a÷b:⍺,n
    (⍺,n)∇ a b p q,÷y-n
  }1 0 0 1,⍵
}
rational←{ ⍝ numerator over denominator of the nearest fractions within ⎕CT
  near←⎕CT⌈1E¯15
  one←{ ⍝ by the continued fraction of ⍵
    x←⍵
    {
      (p q r s y)←⍵ ⋄ n←⌊y ⋄ a←(n×p)+r ⋄ b←(n×q)+s
      (near×1⌈|x)≥|x-a÷b:a b
      ∇ a b p q,÷y-n
    }1 0 0 1,⍵
  }
  ↑[¯0.5+⎕IO]one¨⍵
}

⍝ ── combinations, sequences ──

cmat←{ ⍝ the combinations of ⍺ of ⍳⍵, one a row, in order
  io←⎕IO ⋄ ⎕IO←0
  n←⍵ ⋄ k←⍺
  k>n:(0,k)⍴0
  io+{ ⍝ each row goes on with what may follow its last item
    k=1⊃⍴⍵:⍵
    last←{0=1⊃⍴⍵:(≢⍵)⍴¯1 ⋄ ⊢/⍵}⍵
    many←(n-k-1⊃⍴⍵)-last
    ∇(many⌿⍵),1+(many/last)+(⍳+/many)-many/¯1↓0,+\many
  }1 0⍴0
}
pmat←{ ⍝ the permutations of ⍳⍵, one a row, in order
  io←⎕IO ⋄ ⎕IO←0
  io+{
    ⍵=0:1 0⍴0
    rest←∇ ⍵-1 ⋄ first←(≢rest)/⍳⍵
    first,((≢first),⍵-1)⍴rest+[1 2](⍳⍵)∘.≤rest
  }⍵
}
life←{ ⍝ the next generation of Life, on a board whose edges meet
  rows←⍵+(1⊖⍵)+¯1⊖⍵
  n←rows+(1⌽rows)+¯1⌽rows
  (n=3)∨⍵∧n=4
}
queens←{ ⍝ all ways of placing ⍵ queens on a board of ⍵ rows: the column of that in each row
  io←⎕IO ⋄ ⎕IO←0 ⋄ n←⍵
  io+{
    n=k←1⊃⍴⍵:⍵
    rows←n⌿⍵ ⋄ column←(≢rows)⍴⍳n
    far←|rows-column∘.+k⍴0
    ∇(~∨/(far=0)∨far=(⍴far)⍴k-⍳k)⌿rows,column
  }1 0⍴0
}

⍝ ── graphs: a vector of lists of neighbours. Trees have the parent of each vertex: ¯1 of a root, ¯2 of what is not reached ──

span←{ ⍝ breadth first from the vertices ⍵: the tree
  io←⎕IO ⋄ ⎕IO←0
  many←≢¨⍺ ⋄ to←io-⍨∊⍺ ⋄ begin←0,+\many
  k←⎕NS ⍬ ⋄ k.tree←(≢⍺)⍴¯2 ⋄ k.tree[⍵-io]←¯1
  k.tree+io×0≤{
    0=≢⍵:k.tree
    n←many[⍵] ⋄ from←n/⍵
    next←to[(n/begin[⍵]-¯1↓0,+\n)+⍳+/n]
    new←⍸¯2=k.tree[next]
    new←(≠next[new])/new
    k.tree[next[new]]←from[new]
    ∇ next[new]
  }∪,⍵-io
}
stpath←{ ⍝ from a root of the tree ⍺ to the vertex ⍵; ⍬ if there is none
  tree←⍺
  ¯2=tree[⍵]:⍬
  ⌽⍬{⍵<0:⍺ ⋄ (⍺,⍵)∇ tree[⍵]}⍵
}
stpaths←{ ⍝ the path to each vertex of a tree
  tree←⍵
  path←{¯2=tree[⍵]:⍬ ⋄ ⌽⍬{⍵<0:⍺ ⋄ (⍺,⍵)∇ tree[⍵]}⍵}
  path¨⍳≢⍵
}
path←{ ⍝ a shortest path of the graph ⍺ between the two items of ⍵, each of which may be several; ⍬ if there is none
  io←⎕IO ⋄ ⎕IO←0
  (from last)←,¨⍵-io
  many←≢¨⍺ ⋄ to←io-⍨∊⍺ ⋄ begin←0,+\many
  k←⎕NS ⍬ ⋄ k.tree←(≢⍺)⍴¯2 ⋄ k.tree[from]←¯1
  io+{
    0=≢⍵:⍬
    ∨/met←last∊⍵:⌽⍬{⍵<0:⍺ ⋄ (⍺,⍵)∇ k.tree[⍵]}⊃met/last
    n←many[⍵] ⋄ at←n/⍵
    next←to[(n/begin[⍵]-¯1↓0,+\n)+⍳+/n]
    new←⍸¯2=k.tree[next]
    new←(≠next[new])/new
    k.tree[next[new]]←at[new]
    ∇ next[new]
  }∪from
}
search←{ ⍝ the vertices that are reached from ⍵, breadth first
  io←⎕IO ⋄ ⎕IO←0
  many←≢¨⍺ ⋄ to←io-⍨∊⍺ ⋄ begin←0,+\many
  k←⎕NS ⍬ ⋄ k.seen←(≢⍺)⍴0
  io+⍬{
    0=≢⍵:⍺
    k.seen[⍵]←1
    n←many[⍵]
    next←to[(n/begin[⍵]-¯1↓0,+\n)+⍳+/n]
    (⍺,⍵)∇∪(~k.seen[next])/next
  }∪,⍵-io
}
dfspan←{ ⍝ depth first from the vertex ⍵: the tree
  io←⎕IO ⋄ ⎕IO←0
  g←⍺-io ⋄ k←⎕NS ⍬ ⋄ k.tree←(≢⍺)⍴¯2
  k.tree+io×0≤(,¯1){ ⍝ the vertices ⍵ are to be visited, the last one first, from ⍺
    0=≢⍵:k.tree
    v←⊃⌽⍵
    k.tree[v]≠¯2:(¯1↓⍺)∇ ¯1↓⍵
    k.tree[v]←⊃⌽⍺
    next←⌽,v⊃g
    ((¯1↓⍺),(≢next)⍴v)∇(¯1↓⍵),next
  }∪,⍵-io
}
∇ r←scc g;⎕IO;io;begin;to;end;at;before;n;root;v;w;call;calls;stack;stacks;path;paths;place;count
 ⍝ strongly connected components: a number for each vertex, as they are first met (Gabow's way, by stacks in vectors)
 io←⎕IO ⋄ ⎕IO←0
 n←≢g ⋄ to←(∊g)-io ⋄ begin←0,+\≢¨g
 end←1↓begin ⋄ at←n↑begin
 call←stack←path←place←n⍴0 ⋄ before←r←n⍴¯1
 calls←stacks←paths←count←0
 :For root :In ⍳n
   :If before[root]≥0 ⋄ :Continue ⋄ :EndIf
   w←root
  visit:
   before[w]←count ⋄ count+←1 ⋄ place[w]←stacks
   stack[stacks]←w ⋄ stacks+←1 ⋄ path[paths]←w ⋄ paths+←1 ⋄ call[calls]←w ⋄ calls+←1
   :While calls>0
     v←call[calls-1]
     :While at[v]<end[v]
       w←to[at[v]] ⋄ at[v]+←1
       :If before[w]<0 ⋄ →visit ⋄ :EndIf
       :If r[w]<0
         :While before[path[paths-1]]>before[w] ⋄ paths-←1 ⋄ :EndWhile
       :EndIf
     :EndWhile
     calls-←1
     :If v=path[paths-1]
       paths-←1
       r[stack[place[v]+⍳stacks-place[v]]]←v
       stacks←place[v]
     :EndIf
   :EndWhile
 :EndFor
 r←io+(∪r)⍳r
∇
wspan←{ ⍝ cheapest paths in a graph of two rows, neighbours over costs, from the vertex ⍵: the tree
  io←⎕IO ⋄ ⎕IO←0
  many←≢¨⍺[0;] ⋄ to←io-⍨∊⍺[0;] ⋄ costs←∊⍺[1;] ⋄ begin←0,+\many
  k←⎕NS ⍬ ⋄ k.tree←(≢many)⍴¯2 ⋄ k.far←(≢many)⍴⌊/⍬ ⋄ k.tree[⍵-io]←¯1 ⋄ k.far[⍵-io]←0
  k.tree+io×0≤{ ⍝ what has become nearer is looked at again
    0=≢⍵:k.tree
    n←many[⍵] ⋄ from←n/⍵
    edge←(n/begin[⍵]-¯1↓0,+\n)+⍳+/n
    far←k.far[from]+costs[edge]
    by←⍋far ⋄ next←to[edge[by]]
    i←⍸(≠next)∧far[by]<k.far[next]
    k.far[next[i]]←far[by[i]] ⋄ k.tree[next[i]]←from[by[i]]
    ∇ next[i]
  }∪,⍵-io
}
wpath←{ ⍝ a cheapest path of a graph of two rows between the two items of ⍵; ⍬ if there is none
  io←⎕IO ⋄ ⎕IO←0
  (from last)←⍵-io
  many←≢¨⍺[0;] ⋄ to←io-⍨∊⍺[0;] ⋄ costs←∊⍺[1;] ⋄ begin←0,+\many
  k←⎕NS ⍬ ⋄ k.tree←(≢many)⍴¯2 ⋄ k.far←(≢many)⍴⌊/⍬ ⋄ k.tree[from]←¯1 ⋄ k.far[from]←0
  tree←{
    0=≢⍵:k.tree
    n←many[⍵] ⋄ at←n/⍵
    edge←(n/begin[⍵]-¯1↓0,+\n)+⍳+/n
    far←k.far[at]+costs[edge]
    by←⍋far ⋄ next←to[edge[by]]
    i←⍸(≠next)∧far[by]<k.far[next]⌊k.far[last]
    k.far[next[i]]←far[by[i]] ⋄ k.tree[next[i]]←at[by[i]]
    ∇ next[i]
  },from
  ¯2=tree[last]:⍬
  io+⌽⍬{⍵<0:⍺ ⋄ (⍺,⍵)∇ tree[⍵]}last
}
wcost←{ ⍝ what the edges of the path ⍵ cost
  g←⍺
  (¯1↓⍵){⌊/(⍵=⊃g[⎕IO;⍺])/⊃g[⎕IO+1;⍺]}¨1↓⍵
}
wmst←{ ⍝ a cheapest tree that spans what is reached from the vertex ⍵ of a graph of two rows, whose edges lead both ways
  io←⎕IO ⋄ ⎕IO←0
  near←{⍵-io}¨⍺[0;] ⋄ costs←,¨⍺[1;]
  k←⎕NS ⍬ ⋄ k.tree←k.from←(≢near)⍴¯2 ⋄ k.far←(≢near)⍴⌊/⍬ ⋄ k.from[⍵-io]←¯1
  k.tree+io×0≤{ ⍝ ⍵ comes to the tree, then the vertex that is nearest to it
    k.tree[⍵]←k.from[⍵] ⋄ k.far[⍵]←⌊/⍬
    next←,⍵⊃near ⋄ cost←⍵⊃costs
    i←⍸(¯2=k.tree[next])∧cost<k.far[next]
    k.far[next[i]]←cost[i] ⋄ k.from[next[i]]←⍵
    ∧/k.far=⌊/⍬:k.tree
    ∇ k.far⍳⌊/k.far
  }⍵-io
}
insnode←{ ⍝ with a further vertex, of the number ⍵ and without edges
  v←⍵ ⋄ g←{⍵+⍵≥v}¨⍺
  ((v-⎕IO)↑g),(⊂⍬),(v-⎕IO)↓g
}
remnode←{ ⍝ without the vertex ⍵
  v←⍵
  {⍵-⍵>v}¨(~(⍳≢⍺)∊v)/⍺~¨v
}
inslink←{(from to)←⍵ ⋄ g←⍺ ⋄ to∊from⊃g:g ⋄ (from⊃g),←to ⋄ g} ⍝ with an edge between the two items of ⍵
remlink←{(from to)←⍵ ⋄ g←⍺ ⋄ (from⊃g)~←to ⋄ g} ⍝ without that edge

⍝ ── text ──

dlb←{⍺←' ' ⋄ (∨\∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ without leading blanks ⍺, along the last axis
dtb←{⍺←' ' ⋄ (⌽∨\⌽∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ without trailing ones
deb←{⍺←' ' ⋄ ((∨\b)∧⌽∨\⌽b←∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ without either
dmb←{⍺←' ' ⋄ (b∨¯1↓1,b←∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ of each run of blanks one
dab←{⍺←' ' ⋄ (∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ without any
dxb←{⍺←' ' ⋄ ((∨\b)∧b∨1↓0,⍨b←∨⌿(⍵≠⍺)⍴⍨(×/¯1↓⍴⍵),¯1↑⍴⍵)/⍵} ⍝ without leading and trailing ones, of each run between others one
segs←{(~⍵∊⍺)⊆⍵} ⍝ ⍵ cut at the items that are in ⍺
words←{((1 ⎕C ⍵)≠¯1 ⎕C ⍵)⊆⍵} ⍝ the runs of letters
ucase←{1 ⎕C ⍵} ⍝ in upper case
lcase←{¯1 ⎕C ⍵} ⍝ in lower case
just←{ ⍝ the rows of ⍵ moved to the left ¯1, into the middle 0, to the right 1
  ⍺←¯1
  b←⍵≠' '
  before←+/~∨\b ⋄ after←+/~∨\⌽b
  ⍺=¯1:before⌽⍵
  ⍺=1:(-after)⌽⍵
  (⌊(before-after)÷2)⌽⍵
}
wrap←{ ⍝ the words of ⍵ in lines of at most ⍺ columns
  ⍺←⎕PW ⋄ most←⍺
  words←(⍵≠' ')⊆⍵
  0=≢words:0⍴⊂''
  line←{ ⍝ ⍺: lines; how many words fit
    0=≢⍵:⍺
    n←1⌈+/most≥¯1++\1+≢¨⍵
    (⍺,⊂1↓∊' ',¨n↑⍵)∇ n↓⍵
  }
  (0⍴⊂'')line words
}
justify←{ ⍝ the same, with blanks between words so that each line but the last has ⍺ columns
  ⍺←⎕PW ⋄ most←⍺
  words←(⍵≠' ')⊆⍵
  0=≢words:0⍴⊂''
  fill←{gaps←¯1+≢⍵ ⋄ gaps=0:∊⍵ ⋄ free←most-+/≢¨⍵ ⋄ n←(⌊free÷gaps)+(⍳gaps)≤(gaps|free)-1-⎕IO ⋄ ∊(⊃⍵),(n⍴¨' '),¨1↓⍵}
  line←{
    n←1⌈+/most≥¯1++\1+≢¨⍵
    n≥≢⍵:⍺,⊂1↓∊' ',¨⍵
    (⍺,⊂fill n↑⍵)∇ n↓⍵
  }
  (0⍴⊂'')line words
}
vtol←{⍺←⎕UCS 10 ⋄ 1↓¨(⍺=⍺,⍵)⊂⍺,⍵} ⍝ the lines of a text, between which ⍺ stands
ltov←{⍺←⎕UCS 10 ⋄ 1↓⊃,/(⊂''),⍺,¨⍵} ⍝ lines as a text
xtabs←{ ⍝ tabs as blanks, up to the next of every ⍺th column
  ⍺←8 ⋄ n←⍺ ⋄ tab←⎕UCS 9
  parts←1↓¨(tab=tab,⍵)⊂tab,⍵
  (∊{⍵↑⍨n×1+⌊(≢⍵)÷n}¨¯1↓parts),⊃⌽parts
}
rmcm←{(∧\~(⍵='⍝')>≠\⍵='''')/⍵} ⍝ a line without its comment
nlines←{≢⎕FMT ⍵} ⍝ lines that it is displayed in
tokens←{ ⍝ the tokens of a line of APL, blanks and a comment among them
  names←'[\p{L}_∆⍙⎕][\p{L}\d_∆⍙]*' ⋄ numbers←'¯?(\d[\d_]*\.?\d*|\.\d+)([Ee]¯?\d+)?([Jj]¯?(\d+\.?\d*|\.\d+)([Ee]¯?\d+)?)?'
  ('⍝.*' '''(?:[^'']|'''')*''?' numbers names '\s+' '.'⎕S'&')⍵
}
subs←{ ⍝ (from to)subs array: items that are in from become those of to
  (from to)←,¨⍺
  i←from⍳r←,⍵ ⋄ b←i<⎕IO+≢from
  (b/r)←(i⌊¯1+⎕IO+≢from)[⍸b]⊃¨⊂to
  (⍴⍵)⍴r
}
ss←{ ⍝ (from to)ss vector: each part that is from becomes to
  ⎕IO←0
  (from to)←,¨⍺ ⋄ n←≢from
  n=0:⍵
  apart←{∧/n≤(1↓⍵)-¯1↓⍵:⍵ ⋄ ⍬{0=≢⍵:⍺ ⋄ (⍺,⊃⍵)∇(⍵≥n+⊃⍵)/⍵}⍵}
  at←apart⍸from⍷⍵
  0=≢at:⍵
  rest←(⍳≢⍵)~,at∘.+⍳n
  (⍵[rest],((≢at)×≢to)⍴to)[⍋rest,(≢to)/at]
}
subvec←{∨/⍺⍷⍵} ⍝ is ⍺ a part of ⍵?
in←{ ⍝ the paths to the items of ⍵, and theirs, that are ⍺
  what←⍺
  {
    what≡⍵:,⊂⍬
    0=≡⍵:0⍴⊂⍬
    ⊃,/(⊂0⍴⊂⍬),,(⍳⍴⍵){(⊂⊂⍣(1≥≡⍺)⊢⍺),¨⍵}¨∇¨⍵
  }⍵
}
le←{(⍋⍺ ⍵)≡⍳2} ⍝ does ⍺ not come behind ⍵, in the order of all arrays?

⍝ ── operators ──

foldl←{ ⍝ the items of ⍵ into ⍺, or into the first of them, from the left
  ⍺←⎕NULL ⋄ f←⍺⍺
  ⎕NULL≡⍺:⊃{⍵ f ⍺}/⌽⍵
  ⊃{⍵ f ⍺}/(⌽⍵),⊂⍺
}
acc←{ ⍝ what ⍺⍺/ of ⍵ meets on its way, from the right: each item is that of the rest
  2>≢⍵:⍵
  f←⍺⍺ ⋄ k←⎕NS ⍬ ⋄ k.last←⊃⌽⍵
  ⌽(¯1↑⍵),{k.last←⍵ f k.last ⋄ k.last}¨⌽¯1↓⍵
}
pow←{⍺←⊢ ⋄ ⍺(⍺⍺⍣⍵⍵)⍵} ⍝ ⍺⍺ so often as ⍵⍵ says
traj←{ ⍝ the states that ⍺⍺ leads through, up to one that was there before
  f←⍺⍺
  (,⊂⍵){next←f ⍵ ⋄ (⊂next)∊⍺:⍺ ⋄ (⍺,⊂next)∇ next}⍵
}
until←{⍺←⊢ ⋄ ⍵⍵ next←⍺ ⍺⍺ ⍵:next ⋄ ⍺ ∇ next} ⍝ ⍺⍺, once or more, until ⍵⍵ is true of what it gives
while←{⍺←⊢ ⋄ ~⍵⍵ ⍵:⍵ ⋄ ⍺ ∇ ⍺ ⍺⍺ ⍵} ⍝ ⍺⍺ as long as ⍵⍵ is true
limit←{⍺⍺⍣≡⍵} ⍝ ⍺⍺ until nothing changes
and←{⍺←⊢ ⋄ ⍺ ⍺⍺ ⍵:⍺ ⍵⍵ ⍵ ⋄ 0} ⍝ are both true? ⍵⍵ is asked only if ⍺⍺ is
or←{⍺←⊢ ⋄ ⍺ ⍺⍺ ⍵:1 ⋄ ⍺ ⍵⍵ ⍵} ⍝ is one of them true? ⍵⍵ is asked only if ⍺⍺ is not
trav←{ ⍝ ⍺⍺ gathers the tree ⍵ into ⍺, a node before the nodes that ⍵⍵ gives for it
  f←⍺⍺ ⋄ below←⍵⍵
  ⍺{now←⍺ f ⍵ ⋄ visit←∇ ⋄ ⊃{⍵ visit ⍺}/(⌽below ⍵),⊂now}⍵
}
ravt←{ ⍝ the same, a node behind them
  f←⍺⍺ ⋄ below←⍵⍵
  ⍺{visit←∇ ⋄ (⊃{⍵ visit ⍺}/(⌽below ⍵),⊂⍺)f ⍵}⍵
}
bsearch←{ ⍝ the least whole number between the two of ⍵ of which ⍺⍺ is true; one more than the last if of none
  f←⍺⍺
  {
    (lo hi)←⍵
    lo>hi:lo
    middle←⌊0.5×lo+hi
    f middle:∇ lo(middle-1)
    ∇(middle+1)hi
  }⍵
}
cache←{k←⎕NS ⍬ ⋄ k.(keys values)←⊂0⍴⊂⍬ ⋄ k} ⍝ a place for what memo keeps
memo←{ ⍝ ⍺⍺, whose results for arguments that it had are in the cache ⍵⍵
  ⍺←⎕NULL ⋄ f←⍺⍺ ⋄ k←⍵⍵
  key←⍺{⎕NULL≡⍺:,⊂⍵ ⋄ ⍺ ⍵}⍵
  i←k.keys⍳⊂key
  i<⎕IO+≢k.keys:i⊃k.values
  now←⍺{⎕NULL≡⍺:f ⍵ ⋄ ⍺ f ⍵}⍵
  k.keys,←⊂key ⋄ k.values,←⊂now
  now
}

⍝ ── dates ──

days←{ ⍝ the days since 1899-12-31 of times as ⎕TS has them, along the last axis; Julian before 1752-09-14
  t←((¯1↓⍴⍵),7)↑⍵
  (y m d h min s ms)←⊂[⍳¯1+≢⍴t]t
  late←17520914≤d+100×m+100×y
  y+←⌊(m-1)÷12 ⋄ m←12|m-1
  y-←m<2 ⋄ m←12|m+10
  n←d+(⌊(2+153×m)÷5)+(365×y)+(⌊y÷4)+late×(⌊y÷400)-⌊y÷100
  (n-693901+2×~late)+(ms+1000×s+60×min+60×h)÷86400000
}
date←{ ⍝ times as ⎕TS has them of the days ⍵ since 1899-12-31
  at←⌊0.5+⍵×86400000
  late←at≥¯53798×86400000
  n←(⌊at÷86400000)+693900+2×~late
  cycle←1461+late×144636
  day←cycle|n
  y←⌊(day-(⌊day÷1460)-late×(⌊day÷36524)-⌊day÷146096)÷365
  of←day-(365×y)+late×(⌊y÷4)-⌊y÷100
  m←⌊(2+5×of)÷153
  d←1+of-⌊(2+153×m)÷5
  y+←(4+late×396)×⌊n÷cycle
  month←1+12|m+2
  t←(↑(y+month≤2)month d)⍪(24 60 60 1000⊤at)
  (¯1⌽⍳≢⍴t)⍉t
}
easter←{ ⍝ of the years ⍵, as yyyymmdd; Julian up to 1752
  late←⍵>1752 ⋄ golden←19|⍵ ⋄ century←⌊⍵÷100
  moon←30|15+(19×golden)+late×century-(⌊century÷4)+⌊(13+8×century)÷25
  moon-←late×(moon=29)∨(moon=28)∧golden>10
  at←moon-7|moon+⍵+(⌊⍵÷4)+late×2+(⌊century÷4)-century
  month←3+⌊(at+40)÷44
  (10000×⍵)+(100×month)+at+28-31×⌊month÷4
}
cal←{ ⍝ the month of a year and its number, as a matrix; Julian before 1752-09-14
  (y m)←⍵
  number←{ ⍝ of the first day of a month; 0 is a Sunday
    (y m)←⍵
    late←1752.8≤y+m÷12 ⋄ k←y-m<3
    (⌊(2+153×12|m+9)÷5)+(365×k)+(⌊k÷4)+(late×(⌊k÷400)-⌊k÷100)-693900+2×~late
  }
  n←(number(y+m=12)(1+12|m))-first←number y m
  dates←(1-⎕IO)+⍳n
  dates+←11×(1752 9≡y m)∧dates>2
  weeks←6 21⍴126↑((3×7|first)⍴' '),,3 0⍕⍪dates
  name←((m-1-⎕IO)⊃'January' 'February' 'March' 'April' 'May' 'June' 'July' 'August' 'September' 'October' 'November' 'December'),' ',⍕y
  title←20↑name↑⍨-(≢name)+⌊(20-≢name)÷2
  (↑title'Su Mo Tu We Th Fr Sa')⍪0 1↓weeks⌿⍨∨/weeks≠' '
}

⍝ ── lists, codes ──

alget←{(keys values)←⍺ ⋄ (keys⍳⊂⍵)⊃values} ⍝ the value of the key ⍵ in the association list ⍺, keys and values
alset←{ ⍝ with the value of a key: list alset key value
  (keys values)←⍺ ⋄ (key value)←⍵
  i←keys⍳⊂key
  i=⎕IO+≢keys:(keys,⊂key)(values,⊂value)
  (i⊃values)←value
  keys values
}
alpush←{(keys values)←⍺ ⋄ (key value)←⍵ ⋄ ((⊂key),keys)((⊂value),values)} ⍝ with a value of a key in front of the one that it has
alpop←{(keys values)←⍺ ⋄ b←(⍳≢keys)≠keys⍳⊂⍵ ⋄ (b/keys)(b/values)} ⍝ without the first value of the key ⍵
list←{⊃{⍺ ⍵}/⍵,⊂⍬} ⍝ a linked list: the first item and the list of the others, ⍬ at the end
hex←{ ⍝ numbers as hexadecimal digits, along a further axis
  n←⌈/1,1+⌊16⍟1⌈,⍵
  ((⍴⍵),n)⍴'0123456789ABCDEF'[⎕IO+⍉(n⍴16)⊤,⍵]
}
dec←{ ⍝ the numbers of hexadecimal digits, along the last axis
  ⎕IO←0
  i←'0123456789ABCDEF'⍳1 ⎕C ⍵
  16∊i:'dec takes hexadecimal digits'⎕SIGNAL 11
  16⊥(1⌽⍳≢⍴i)⍉i
}
base64←{ ⍝ bytes as text, or text as bytes
  ⎕IO←0
  digits←⎕A,(¯1 ⎕C ⎕A),⎕D,'+/'
  bits←{,⍉(⍺⍴2)⊤⍵}
  0=10|⎕DR ⍵:{n←⌊8÷⍨≢⍵ ⋄ 2⊥⍉n 8⍴⍵}6 bits digits⍳⍵~'=',⎕UCS 10 13
  n←⌈4×3÷⍨≢⍵
  digits[2⊥⍉n 6⍴(8 bits 256|⍵),6⍴0],(3|-≢⍵)⍴'='
}
morse←{ ⍝ text as Morse's code, or back: a blank between letters, / between words
  ⎕IO←0
  letters←⎕A,⎕D,'.,?''/()&:;=+-"@'
  codes←' '(≠⊆⊢)'.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. .----. -..-. -.--. -.--.- .-... ---... -.-.-. -...- .-.-. -....- .-..-. .--.-.'
  ∧/⍵∊'.- /':(letters,' ')[(codes,⊂,'/')⍳' '(≠⊆⊢)⍵]
  i←(letters,' ')⍳1 ⎕C ⍵
  (≢codes)<⌈/0,i:'morse has no code for that'⎕SIGNAL 11
  1↓∊' ',¨(codes,⊂'/')[i]
}
roman←{ ⍝ a number from 1 to 3999 as Roman numerals, or back
  ⎕IO←0
  digits←'IVXLCDM'
  0=10|⎕DR ⍵:{7∊n←digits⍳1 ⎕C ⍵:'roman takes Roman numerals'⎕SIGNAL 11 ⋄ v←1 5 10 50 100 500 1000[n] ⋄ +/v×¯1*v<1↓v,0}⍵
  ~⍵∊1+⍳3999:'roman takes a number from 1 to 3999'⎕SIGNAL 11
  forms←⍬(,0)(0 0)(0 0 0)(0 1)(,1)(1 0)(1 0 0)(1 0 0 0)(0 2)
  digits[∊6 4 2 0+forms[10 10 10 10⊤⍵]]
}

⍝ ── puzzles ──

assign←{ ⍝ which column goes to each row so that the costs ⍵ are least: a matrix of truth values (the Hungarian method)
  ⎕IO←0
  >/⍴⍵:⍉∇⍉⍵
  (rows columns)←⍴⍵ ⋄ cost←⍵
  k←⎕NS ⍬ ⋄ k.u←rows⍴0 ⋄ k.v←columns⍴0 ⋄ k.of←columns⍴¯1 ⍝ prices of rows and columns, and the row of each column
  place←{ ⍝ a column for the row ⍵
    k.least←columns⍴⌊/⍬ ⋄ k.way←columns⍴¯1 ⋄ k.used←columns⍴0 ⋄ k.first←⍵
    at←¯1{ ⍝ from the column ⍺, which the row ⍵ has, to the nearest one
      new←cost[⍵;]-k.u[⍵]+k.v
      i←⍸(~k.used)∧new<k.least
      k.least[i]←new[i] ⋄ k.way[i]←⍺
      i←⍸~k.used
      to←i[{⍵⍳⌊/⍵}k.least[i]] ⋄ by←k.least[to]
      j←⍸k.used
      k.u[k.first,k.of[j]]+←by ⋄ k.v[j]-←by ⋄ k.least[i]-←by
      k.used[to]←1
      k.of[to]<0:to
      to ∇ k.of[to]
    }⍵
    {⍵<0:0 ⋄ from←k.way[⍵] ⋄ k.of[⍵]←{⍵<0:k.first ⋄ k.of[⍵]}from ⋄ ∇ from}at
  }
  _←place¨⍳rows
  (⍳rows)∘.=k.of
}
X←{ ⍝ which rows of the matrix ⍵ of truth values have between them one 1 in each column; ⍬ if none do (exact cover)
  ⎕IO←0 ⋄ m←⍵
  solve←{ ⍝ ⍺: rows that were chosen; ⍵: columns and rows that are left
    (columns rows)←⍵
    0=≢columns:,⊂⍺
    left←m[rows;columns] ⋄ n←+⌿left
    0=⌊/n:⍬
    ⍺ first(left[;n⍳⌊/n]/rows)columns rows
  }
  first←{ ⍝ the first of some rows that leads on
    (try columns rows)←⍵
    0=≢try:⍬
    row←⊃try ⋄ covered←m[row;columns]
    r←(⍺,row)solve((~covered)/columns)((~∨/m[rows;covered/columns])/rows)
    0<≢r:r
    ⍺ ∇(1↓try)columns rows
  }
  r←⍬ solve(⍳1⊃⍴m)(⍳≢m)
  0=≢r:⍬
  (⍳≢m)∊⊃r
}
sudoku←{ ⍝ a solution of ⍵, which has 0 where numbers are to be found; ⍬ if there is none
  ⎕IO←0 ⋄ n←≢⍵ ⋄ side←⌊0.5+n*0.5
  row←n/⍳n ⋄ column←(n×n)⍴⍳n ⋄ box←(⌊column÷side)+side×⌊row÷side
  near←(∘.=⍨row)∨(∘.=⍨column)∨∘.=⍨box
  solve←{
    open←⍸⍵=0
    0=≢open:⍵
    can←~near[open;]∨.∧⍵∘.=1+⍳n
    many←+/can
    0=⌊/many:⍬
    at←many⍳⌊/many
    ⍵(open[at]try)can[at;]/1+⍳n
  }
  try←{0=≢⍵:⍬ ⋄ r←solve(⊃⍵)@⍺⍺⊢⍺ ⋄ 0<≢r:r ⋄ ⍺ ∇ 1↓⍵}
  r←solve,⍵
  0=≢r:⍬
  (⍴⍵)⍴r
}
kt←{ ⍝ a knight's tour of a board of the shape ⍵: when it is on each square; ⍬ if there is none
  io←⎕IO ⋄ ⎕IO←0 ⋄ n←×/⍵
  row←(1⊃⍵)/⍳⊃⍵ ⋄ column←n⍴⍳1⊃⍵
  near←⍸¨↓2=(|∘.-⍨row)×|∘.-⍨column
  free←{(0>⍺[⍵])/⍵}
  go←{ ⍝ ⍺: when each square was visited, ¯1 not yet; ⍵: where the knight is. First where least can follow
    n=1+⌈/⍺:⍺
    to←⍺ free ⍵⊃near
    ⍺ try to[⍋(⊂⍺){≢⍺ free ⍵⊃near}¨to]
  }
  try←{0=≢⍵:⍬ ⋄ r←((1+⌈/⍺)@(⊃⍵)⊢⍺)go⊃⍵ ⋄ 0<≢r:r ⋄ ⍺ ∇ 1↓⍵}
  r←(0@0⊢n⍴¯1)go 0
  0=≢r:⍬
  io+⍵⍴r
}

⍝ ── whole numbers of any size ──

nats←{ ⍝ ⍺⍺, one of + - × ÷ * ⌊ ⌈ | ∨ ∧ and the relations, of numbers of any size, or their digits as text: text. - stops at 0, ÷ is whole
  ⎕IO←0 ⋄ ⎕PP←34 ⋄ b←1000000 ⍝ numbers are limbs to the base b, the lowest first; 0 has none
  lean←{(⌽∨\⌽0≠⍵)/⍵}
  read←{
    text←{0=10|⎕DR ⍵:⍵~' ' ⋄ ⍕⍵}⍵
    (0=≢text)∨~∧/text∊⎕D:'nats takes whole numbers'⎕SIGNAL 11
    n←⌈6÷⍨≢text
    lean⌽10⊥⍉n 6⍴⎕D⍳(-6×n)↑text,⍨(6×n)⍴'0'
  }
  show←{{0=≢⍵:,'0' ⋄ ⍵}{(∨\'0'≠⍵)/⍵}⎕D[,⍉(6⍴10)⊤⌽⍵]}
  carry←{over←⌊⍵÷b ⋄ 0∧.=over:lean ⍵ ⋄ ∇((b|⍵),0)+0,over}
  plus←{n←(≢⍺)⌈≢⍵ ⋄ carry(n↑⍺)+n↑⍵}
  sign←{n←(≢⍺)⌈≢⍵ ⋄ ⊃⌽0,{(0≠⍵)/⍵}×(n↑⍺)-n↑⍵}
  minus←{0≥⍺ sign ⍵:⍬ ⋄ carry ⍺-(≢⍺)↑⍵}
  times←{ ⍝ by 300 limbs of the shorter one at a time
    (≢⍺)>≢⍵:⍵ ∇ ⍺
    0=≢⍺:⍬
    300<≢⍺:(⍵ ∇ 300↑⍺)plus(300⍴0),⍵ ∇ 300↓⍺
    n←≢⍺
    carry+⌿(-⍳n)⌽(n,n+≢⍵)↑⍺∘.×⍵
  }
  divide←{ ⍝ quotient and rest: limb by limb from the highest, by the highest two of the divisor
    0=≢⍵:'division by zero'⎕SIGNAL 11
    by←⍵ ⋄ n←≢⍵ ⋄ top←1+b⊥⌽¯2↑⍵
    digit←{ ⍝ ⍺ so far, ⍵ what is left
      0>⍵ sign by:⍺ ⍵
      q←1⌈⌊top÷⍨b⊥⌽¯3↑(n+1)↑⍵
      (⍺+q)∇ ⍵ minus carry q×by
    }
    (quotient rest)←⊃{(q r)←⍵ ⋄ (d r)←0 digit lean ⍺,r ⋄ (d,q)r}/⍺,⊂⍬ ⍬
    (lean quotient)rest
  }
  power←{ ⍝ ⍵: a number
    ⍵=0:,1 ⋄ half←⍺ ∇⌊⍵÷2 ⋄ square←half times half
    2|⍵:square times ⍺ ⋄ square
  }
  common←{0=≢⍵:⍺ ⋄ ⍵ ∇ 1⊃⍺ divide ⍵}
  x←6 16 5 ⋄ y←16 6 5
  which←((x+y)(x-y)(x×y)(x÷y)(x*y)(x⌊y)(x⌈y)(x|y)(x∨y)(x∧y)(x<y)(x≤y)(x=y)(x≥y)(x>y)(x≠y))⍳⊂x ⍺⍺ y
  one←{
    p←read ⍺ ⋄ q←read ⍵ ⋄ s←p sign q
    which=0:show p plus q
    which=1:show p minus q
    which=2:show p times q
    which=3:show⊃p divide q
    which=4:show p power b⊥⌽q
    which=5:show(0<s)⊃p q
    which=6:show(0>s)⊃p q
    which=7:show{0=≢p:⍵ ⋄ 1⊃⍵ divide p}q
    which=8:show p common q
    which=9:show{0∊(≢p)(≢q):⍬ ⋄ p times⊃q divide ⍵}p common q
    which<16:(which-10)⊃(s<0)(s≤0)(s=0)(s≥0)(s>0)(s≠0)
    'nats takes one of + - × ÷ * ⌊ ⌈ | ∨ ∧ < ≤ = ≥ > ≠'⎕SIGNAL 11
  }
  several←{(0<≢⍴⍵)∧0≠10|⎕DR ⍵} ⍝ numbers, or several texts
  (several ⍺)∨several ⍵:({several ⍵:⍵ ⋄ ⊂⍵}⍺)one¨{several ⍵:⍵ ⋄ ⊂⍵}⍵
  ⍺ one ⍵
}
big←{ ⍝ the same of numbers with a sign, ¯ or - in front of text; and one of + - × | of ⍵ alone
  ⎕IO←0 ⋄ ⎕PP←34 ⋄ b←1000000 ⍝ numbers are a sign and limbs to the base b, the lowest first; 0 has none
  lean←{(⌽∨\⌽0≠⍵)/⍵}
  read←{
    text←{0=10|⎕DR ⍵:⍵~' ' ⋄ ⍕⍵}⍵
    below←(1↑text)∊'¯-' ⋄ text←below↓text
    (0=≢text)∨~∧/text∊⎕D:'big takes whole numbers'⎕SIGNAL 11
    n←⌈6÷⍨≢text
    size←lean⌽10⊥⍉n 6⍴⎕D⍳(-6×n)↑text,⍨(6×n)⍴'0'
    (¯1*below)size
  }
  show←{(s size)←⍵ ⋄ 0=≢size:,'0' ⋄ ((s<0)/'¯'),{(∨\'0'≠⍵)/⍵}⎕D[,⍉(6⍴10)⊤⌽size]}
  carry←{over←⌊⍵÷b ⋄ 0∧.=over:lean ⍵ ⋄ ∇((b|⍵),0)+0,over}
  plus←{n←(≢⍺)⌈≢⍵ ⋄ carry(n↑⍺)+n↑⍵}
  sign←{n←(≢⍺)⌈≢⍵ ⋄ ⊃⌽0,{(0≠⍵)/⍵}×(n↑⍺)-n↑⍵}
  minus←{0≥⍺ sign ⍵:⍬ ⋄ carry ⍺-(≢⍺)↑⍵}
  times←{ ⍝ by 300 limbs of the shorter one at a time
    (≢⍺)>≢⍵:⍵ ∇ ⍺
    0=≢⍺:⍬
    300<≢⍺:(⍵ ∇ 300↑⍺)plus(300⍴0),⍵ ∇ 300↓⍺
    n←≢⍺
    carry+⌿(-⍳n)⌽(n,n+≢⍵)↑⍺∘.×⍵
  }
  divide←{ ⍝ quotient and rest: limb by limb from the highest, by the highest two of the divisor
    0=≢⍵:'division by zero'⎕SIGNAL 11
    by←⍵ ⋄ n←≢⍵ ⋄ top←1+b⊥⌽¯2↑⍵
    digit←{ ⍝ ⍺ so far, ⍵ what is left
      0>⍵ sign by:⍺ ⍵
      q←1⌈⌊top÷⍨b⊥⌽¯3↑(n+1)↑⍵
      (⍺+q)∇ ⍵ minus carry q×by
    }
    (quotient rest)←⊃{(q r)←⍵ ⋄ (d r)←0 digit lean ⍺,r ⋄ (d,q)r}/⍺,⊂⍬ ⍬
    (lean quotient)rest
  }
  power←{ ⍝ ⍵: a number
    ⍵=0:,1 ⋄ half←⍺ ∇⌊⍵÷2 ⋄ square←half times half
    2|⍵:square times ⍺ ⋄ square
  }
  common←{0=≢⍵:⍺ ⋄ ⍵ ∇ 1⊃⍺ divide ⍵}
  add←{(s p)←⍺ ⋄ (t q)←⍵ ⋄ s=t:s(p plus q) ⋄ 0≤p sign q:s(p minus q) ⋄ t(q minus p)}
  compare←{(s p)←⍺ add(-⊃⍵)(1⊃⍵) ⋄ s×0<≢p}
  whole←{ ⍝ quotient, rounded down, and rest
    (s p)←⍺ ⋄ (t q)←⍵ ⋄ (n r)←p divide q
    (s=t)∨0=≢r:((s×t)n)(t r)
    ((s×t)(n plus,1))(t(q minus r))
  }
  ⍺←⎕NULL
  op←⍺⍺
  alone←{
    (s p)←read ⍵
    which←(6 0 ¯6)(¯6 0 6)(1 0 ¯1)(6 0 6)⍳⊂op 6 0 ¯6
    which=0:show s p
    which=1:show(-s)p
    which=2:⍕s×0<≢p
    which=3:show 1 p
    'big takes one of + - × | of a number alone'⎕SIGNAL 11
  }
  x←6 16 5 ⋄ y←16 6 5
  which←{⎕NULL≡⍵:16 ⋄ ((x+y)(x-y)(x×y)(x÷y)(x*y)(x⌊y)(x⌈y)(x|y)(x∨y)(x∧y)(x<y)(x≤y)(x=y)(x≥y)(x>y)(x≠y))⍳⊂x op y}⍺
  one←{
    p←read ⍺ ⋄ q←read ⍵ ⋄ s←p compare q
    which=0:show p add q
    which=1:show p add(-⊃q)(1⊃q)
    which=2:show((⊃p)×⊃q)((1⊃p)times 1⊃q)
    which=3:show⊃p whole q
    which=4:{⍵<0:'big: a power has no sign'⎕SIGNAL 11 ⋄ show((⊃p)*2|⍵)((1⊃p)power ⍵)}(⊃q)×b⊥⌽1⊃q
    which=5:show(0<s)⊃p q
    which=6:show(0>s)⊃p q
    which=7:{0=≢1⊃p:show ⍵ ⋄ show 1⊃⍵ whole p}q
    which=8:show 1((1⊃p)common 1⊃q)
    which=9:show 1({0∊(≢1⊃p)(≢1⊃q):⍬ ⋄ (1⊃p)times⊃(1⊃q)divide ⍵}(1⊃p)common 1⊃q)
    which<16:(which-10)⊃(s<0)(s≤0)(s=0)(s≥0)(s>0)(s≠0)
    'big takes one of + - × ÷ * ⌊ ⌈ | ∨ ∧ < ≤ = ≥ > ≠'⎕SIGNAL 11
  }
  several←{(0<≢⍴⍵)∧0≠10|⎕DR ⍵} ⍝ numbers, or several texts
  ⎕NULL≡⍺:{several ⍵:alone¨⍵ ⋄ alone ⍵}⍵
  (several ⍺)∨several ⍵:({several ⍵:⍵ ⋄ ⊂⍵}⍺)one¨{several ⍵:⍵ ⋄ ⊂⍵}⍵
  ⍺ one ⍵
}

⍝ ── showing, timing, names ──

disp←{⍺←0 ⋄ ⍺ ⎕SE.Dyalog.Utils.disp ⍵} ⍝ boxes around the items of ⍵; 1: with marks
display←{⎕SE.Dyalog.Utils.display ⍵} ⍝ boxes with marks around all arrays
dsp←{⎕SE.Dyalog.Utils.disp ⍵} ⍝ as disp
cmpx←{ ⍝ how long the expressions ⍵ take, compared with the first one; 1 cmpx: in seconds, as numbers
  ⎕IO←0 ⋄ ⍺←0
  texts←,⊂⍣(1≥|≡⍵)⊢⍵ ⋄ ns←⊃⎕RSI
  takes←{ ⍝ ⍺ times, each time with all that the value waits for
    text←'{⍵=0:0 ⋄ _←⎕DR(',(⍵⊃texts),') ⋄ ∇ ⍵-1}',⍕⍺
    from←⎕AI[2] ⋄ _←ns⍎text ⋄ (⎕AI[2]-from)÷1000
  }
  many←{text←⍵ ⋄ {0.05≤t←⍵ takes text:⍵ ⋄ ∇ ⍵×2⌈⌊0.1÷t⌈0.01}1}¨⍳≢texts
  s←1E¯9⌈(⌊⌿↑{many takes¨⍳≢texts}¨⍳10)÷many
  ⍺:s
  values←{⊂ns⍎⍵}¨texts
  mark←'* '[values∊1↑values]
  number←{exponent←⌊10⍟⍵ ⋄ (1⍕⍵÷10*exponent),'E',⍕exponent}
  part←{p←⌊0.5+100×¯1+⍵÷⊃s ⋄ ¯5↑((p>0)/'+'),(⍕p),'%'}
  room←⎕PW-4+(⌈/≢¨texts)+7+3+6
  bars←{(1⌈⌊0.5+room×⍵÷⌈/s)⍴'⎕'}
  ↑mark{⍺,' ',⍵}¨(↓↑texts){⍺,' → ',(number ⍵),' | ',(part ⍵),' ',bars ⍵}¨s
}
refs←{⎕REFS ⍵} ⍝ the names that are in the function ⍵
tree←{ ⍝ the names in a namespace and those within it, as the lines of a matrix
  ⎕IO←0
  ns←⍎⍣(0=10|⎕DR ⍵)⊢⍵
  lines←{
    ns←⍺ ⋄ depth←⍵
    names←ns.⎕NL¯2 ¯3 ¯4 ¯9
    ⊃,/(⊂0⍴⊂''),names{own←⊂((2×depth)⍴' '),⍺ ⋄ 9≠⌊ns.⎕NC ⍺:own ⋄ own,(ns⍎⍺)lines depth+1}¨0
  }
  ↑ns lines 0
}
