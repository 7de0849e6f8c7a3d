⍝ SPDX-License-Identifier: MIT
⍝ programs.apl - programs of some lines, as people write them, with arrays of 1 to 50 MB, by the default choice or where
⍝ --device says:
⍝
⍝     vapl bench/programs.apl [factor]      factor: of the number by which each says how large it is
⍝
⍝ A line for each: its name, that number, ms of the first run, mean ms of those behind it, and a number that is the same
⍝ wherever it ran.
∇r←jacobi n;A;b;x;d;i
  A←(n n⍴(2×n),n⍴1)+0.1×?n n⍴0
  b←?n⍴0
  d←(⍳n)∘.=⍳n
  x←n⍴0
  :For i :In ⍳50
    x←(b-(A×~d)+.×x)÷1 1⍉A
  :EndFor
  r←+/x
∇
∇r←cg n;A;b;x;p;q;s;a;rs
  A←?n n⍴0 ⋄ A←(A+.×⍉A)+n×(⍳n)∘.=⍳n
  b←?n⍴0 ⋄ x←n⍴0 ⋄ q←b ⋄ p←b ⋄ rs←q+.×q
  :For i :In ⍳30
    s←A+.×p
    a←rs÷p+.×s
    x+←a×p
    q-←a×s
    p←q+p×(q+.×q)÷rs
    rs←q+.×q
  :EndFor
  r←+/x
∇
∇r←floyd n;D;k
  D←?n n⍴100
  :For k :In ⍳n
    D←D⌊D[;k]∘.+D[k;]
  :EndFor
  r←+/,D
∇
∇r←closure n;D
  D←?n n⍴100
  r←+/,{⍵⌊⍵⌊.+⍵}⍣5⊢D
∇
∇r←mlp n;X;W;V;y;h;o;e;i
  X←?n 64⍴0 ⋄ y←?n 10⍴0 ⋄ W←¯0.5+?64 128⍴0 ⋄ V←¯0.5+?128 10⍴0
  :For i :In ⍳20
    h←0⌈X+.×W
    o←h+.×V
    e←(o-y)÷n
    V-←0.01×(⍉h)+.×e
    W-←0.01×(⍉X)+.×(h>0)×e+.×⍉V
  :EndFor
  r←+/,e×e
∇
∇r←logreg n;X;y;w;p;i
  X←¯0.5+?n 20⍴0 ⋄ y←0<X+.×20⍴1 ¯1 ⋄ w←20⍴0
  :For i :In ⍳50
    p←÷1+*-X+.×w
    w-←0.1×(⍉X)+.×(p-y)÷n
  :EndFor
  r←+/w
∇
∇r←kmeans n;X;C;k;i;d
  X←?n 3⍴0 ⋄ C←X[⍳8;]
  :For i :In ⍳10
    d←(+/X×X)∘.+(+/C×C)
    d-←2×X+.×⍉C
    k←d⍳⍤1 0⌊/d
    C←k{(+⌿⍵)÷≢⍵}⌸X
  :EndFor
  r←+/,C
∇
∇r←nbody n;P;V;i;D;R
  P←?n 3⍴0 ⋄ V←n 3⍴0
  :For i :In ⍳10
    D←P[;1]∘.-P[;1]
    R←0.01+(D×D)+((P[;2]∘.-P[;2])*2)+(P[;3]∘.-P[;3])*2
    V[;1]-←0.001×+/D÷R*1.5
    V[;2]-←0.001×+/(P[;2]∘.-P[;2])÷R*1.5
    V[;3]-←0.001×+/(P[;3]∘.-P[;3])÷R*1.5
    P+←0.01×V
  :EndFor
  r←+/,P
∇
∇r←life n;u
  u←0.3>?n n⍴0
  r←+/,{3=s-⍵∧4=s←+/,¯1 0 1∘.⊖¯1 0 1⌽¨⊂⍵}⍣0⊢u
  r←+/,{s←⊃+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵ ⋄ (s=3)∨⍵∧s=4}⍣20⊢u
∇
∇r←sieve n;p;i
  p←n⍴1 ⋄ p[1]←0
  :For i :In 1↓⍳⌊n*0.5
    :If p[i] ⋄ p[i×1↓⍳⌊n÷i]←0 ⋄ :EndIf
  :EndFor
  r←+/p
∇
∇r←collatz n;x;c
  x←⍳n ⋄ c←n⍴0
  :While ∨/x≠1
    c+←x≠1
    x←(x×x=1)+(x≠1)×((2|x)×1+3×x)+(~2|x)×⌊x÷2
  :EndWhile
  r←⌈/c
∇
∇r←editdist n;a;b;row;i
  a←?n⍴4 ⋄ b←?n⍴4 ⋄ row←0,⍳n
  :For i :In ⍳n
    row←{(⍳n+1){⍺+⌊\⍵-⍺}⍵}i,(1+1↓row)⌊(¯1↓row)+a[i]≠b
  :EndFor
  r←⊢/row
∇
∇r←knap n;w;v;best;i
  w←?n⍴100 ⋄ v←?n⍴1000 ⋄ best←20000⍴0
  :For i :In ⍳n
    best←best⌈v[i]+(-w[i])⌽best×(⍳20000)≤20000-w[i]
  :EndFor
  r←⌈/best
∇
∇r←rk4 n;y;h;i;k1;k2;k3;k4;f
  f←{(⍵[;2]),⍪-⍵[;1]}
  y←?n 2⍴0 ⋄ h←0.01
  :For i :In ⍳50
    k1←f y ⋄ k2←f y+k1×h÷2 ⋄ k3←f y+k2×h÷2 ⋄ k4←f y+k3×h
    y+←(h÷6)×k1+k4+2×k2+k3
  :EndFor
  r←+/,y
∇
∇r←walks n;s
  s←+\¯1+2×?n 100⍴2
  r←(+/,s)+⌈/⌈/|s
∇
∇r←bs n;s;k;t;d1;d2;cdf
  s←50+100×?n⍴0 ⋄ k←50+100×?n⍴0 ⋄ t←0.1+?n⍴0
  cdf←{÷1+*-⍵×1.5976+0.070565992×⍵*2}
  d1←((⍟s÷k)+t×0.02+0.045)÷0.3×t*0.5
  d2←d1-0.3×t*0.5
  r←+/(s×cdf d1)-k×(cdf d2)×*-0.02×t
∇
∇r←movavg n;x
  x←+\¯0.5+?n⍴0
  r←+/(20+/x)÷20
  r+←⌈/(50⌈/x)-50⌊/x
  r+←+/|2-/x
∇
∇r←groupby n;k;v
  k←?n⍴1000 ⋄ v←?n⍴0
  r←+/,k{(+/⍵),(⌈/⍵),≢⍵}⌸v
∇
∇r←words n;t;w
  t←(⎕UCS 97+?n⍴26) ⋄ t[?(⌊n÷6)⍴n]←' '
  w←' '(≠⊆⊢)t
  r←(≢w),(≢∪w),⌈/≢¨w
  r←+/r
∇
∇r←blur n;m;k
  m←?n n⍴0
  r←+/,{(⍵+(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+(¯1⊖⍵))÷5}⍣10⊢m
∇
∇r←sobel n;m;gx;gy
  m←?n n⍴256
  gx←({+/,⍵×3 3⍴1 0 ¯1 2 0 ¯2 1 0 ¯1}⌺3 3)m
  gy←({+/,⍵×3 3⍴1 2 1 0 0 0 ¯1 ¯2 ¯1}⌺3 3)m
  r←+/,((gx*2)+gy*2)*0.5
∇
∇r←fftuser n;x;fft
  fft←{1=≢⍵:⍵ ⋄ h←(≢⍵)÷2 ⋄ e←∇⍵[¯1+2×⍳h] ⋄ o←∇⍵[2×⍳h] ⋄ t←o×*0J¯2×○(¯1+⍳h)÷2×h ⋄ (e+t),e-t}
  x←?(2*⌈2⍟n)⍴0
  r←+/|fft x
∇
∇r←matpow n;A
  A←(?n n⍴0)÷n
  r←+/,{⍵+.×⍵}⍣8⊢A
∇
∇r←power n;A;v
  A←?n n⍴0 ⋄ v←n⍴1
  r←+/{w÷(+/w*2)*0.5⊣w←A+.×⍵}⍣30⊢v
∇
∇r←gauss n;A;i;p
  A←(?n n⍴0)+n×(⍳n)∘.=⍳n
  :For i :In ⍳n
    A[i;]÷←A[i;i]
    p←A[;i]×i≠⍳n
    A-←p∘.×A[i;]
  :EndFor
  r←+/,A
∇
∇r←lu n;A;k;c
  A←(?n n⍴0)+n×(⍳n)∘.=⍳n
  :For k :In ⍳n-1
    c←(k↓A[;k])÷A[k;k]
    A[k↓⍳n;k]←c
    A[k↓⍳n;k↓⍳n]-←c∘.×k↓A[k;]
  :EndFor
  r←+/1 1⍉A
∇
∇r←hist n;x;h
  x←?n⍴0
  h←256⍴0
  h[1+⌊256×x]+←1
  r←+/h×⍳256
∇
∇r←topk n;x
  x←?n⍴0
  r←+/x[10↑⍒x]
  r+←+/10↑x[⍋x]
∇
∇r←dedup n;k
  k←?n⍴n
  r←(≢∪k)+(+/≠k)+≢k∩⍳1000
∇
∇r←joins n;a;b;va;i
  a←?n⍴n ⋄ b←n?n ⋄ va←?n⍴0
  i←b⍳a
  r←+/va[i]
∇
∇r←prefix n;b;p
  b←0.1>?n⍴0 ⋄ b[1]←1
  p←+\b
  r←+/+/¨b⊂?n⍴0
  r+←⌈/≢¨b⊂⍳n
∇
∇r←mandel n;c;z;k;i
  c←(¯2+3×(⍳n)÷n)∘.+0J1×¯1.5+3×(⍳n)÷n
  z←0×c ⋄ k←0
  :For i :In ⍳30
    z←c+z×z×2≥|z
    k+←2≥|z
  :EndFor
  r←+/,k
∇
∇r←ising n;s;i;h
  s←¯1+2×?n n⍴2
  :For i :In ⍳10
    h←(1⌽s)+(¯1⌽s)+(1⊖s)+¯1⊖s
    s←s×1-2×(?n n⍴0)<*-2×0.4×s×h
  :EndFor
  r←+/,s
∇
∇r←pi n;x;y
  x←?n⍴0 ⋄ y←?n⍴0
  r←4×(+/1≥(x×x)+y×y)÷n
∇
∇r←sortrows n;m
  m←?n 8⍴10
  r←+/,m[⍋m;]+.×⍳8
∇
∇r←quartics n;x
  x←?n⍴0
  r←+/x⊥⍨¨⊂1 2 3 4
∇
∇r←polynomial n;x
  x←?n⍴0
  r←+/{1 2 3 4 5+.×⍵*4 3 2 1 0}¨x
∇
∇r←bits n;k
  k←?n⍴2*30
  r←+/,(30⍴2)⊤k
∇
∇r←cipher n;t;a
  a←⎕A ⋄ t←a[?n⍴26]
  r←+/'E'=a[1+26|2+a⍳t]
∇
∇r←cumret n;x
  x←1+0.01×¯0.5+?n⍴0
  r←⌈/(⌈\p)-p←×\x
∇
∇r←corr n;X;Z
  X←?n 50⍴0
  Z←X-(⍴X)⍴(+⌿X)÷n
  Z÷←(⍴X)⍴(+⌿Z*2)*0.5
  r←+/,(⍉Z)+.×Z
∇
∇r←pca n;X;C;v;i
  X←?n 40⍴0
  X-←(⍴X)⍴(+⌿X)÷n
  C←((⍉X)+.×X)÷n
  v←40⍴1
  :For i :In ⍳50
    v←C+.×v ⋄ v÷←(v+.×v)*0.5
  :EndFor
  r←+/v
∇
∇r←heatimp n;u;A;i
  A←(n n⍴(3,(n-2)⍴0),¯1 ¯1)
  A←n n⍴0 ⋄ (1 1⍉A)←3
  u←?n⍴0
  :For i :In ⍳5
    u←u⌹A
  :EndFor
  r←+/u
∇
∇r←conv n;x;k
  x←?n⍴0 ⋄ k←?16⍴0
  r←+/⊃+/k×(¯1+⍳16)⌽¨⊂x
∇
∇r←outerstat n;x;y
  x←?n⍴0 ⋄ y←?n⍴0
  r←+/⌊/|x∘.-y
∇
∇r←rle n;x;b
  x←?n⍴2
  b←1,2≠/x
  r←+/(b/x)×2-⍨/(⍸b),1+n
∇
∇r←perms n
  r←+/,{⍵[⍋?(⍴⍵)⍴0]}⍤1⊢n 16⍴⍳16
∇
∇r←bfs n;G;v;f;d
  G←(8÷n)>?n n⍴0
  v←f←n↑1 ⋄ d←0
  :While ∨/f
    f←(f∨.∧G)∧~v
    v∨←f ⋄ d+←1
  :EndWhile
  r←d,+/v
∇
∇r←pagerank n;G;p;i
  G←(8÷n)>?n n⍴0 ⋄ G←G÷⍤1⊢1⌈+⌿G
  p←n⍴÷n
  :For i :In ⍳20
    p←(0.15÷n)+0.85×G+.×p
  :EndFor
  r←+/p
∇
∇show a;name;n;call;first;begun;k;r
  name n←a ⋄ n←⌈n×factor ⋄ call←name,' ',⍕n
  ⎕RL←7 ⋄ begun←⎕AI[3] ⋄ r←⍎call ⋄ first←⎕AI[3]-begun
  k←0 ⋄ begun←⎕AI[3]
  :Repeat
    ⎕RL←7 ⋄ r←⍎call ⋄ k+←1
  :Until (k≥5)∨300<⎕AI[3]-begun
  ⎕←name,' ',⍕n first((⎕AI[3]-begun)÷k),r
∇
factor←1
:If 0<≢⎕ARG ⋄ factor←⍎⊃⎕ARG ⋄ :EndIf
show¨('jacobi' 1000)('cg' 1000)('floyd' 300)('closure' 500)('mlp' 10000)('logreg' 100000)
show¨('kmeans' 200000)('nbody' 1000)('life' 1000)('sieve' 2000000)('collatz' 100000)('knap' 200)
show¨('rk4' 200000)('walks' 50000)('bs' 1000000)('movavg' 1000000)('groupby' 1000000)('words' 1000000)
show¨('blur' 1000)('sobel' 1000)('fftuser' 16384)('matpow' 500)('power' 2000)('gauss' 300)
show¨('lu' 300)('hist' 5000000)('topk' 5000000)('dedup' 1000000)('joins' 1000000)('prefix' 1000000)
show¨('mandel' 500)('ising' 1000)('pi' 5000000)('sortrows' 200000)('quartics' 10000)('polynomial' 500000)
show¨('bits' 1000000)('cipher' 5000000)('cumret' 2000000)('corr' 100000)('pca' 100000)('heatimp' 300)
show¨('conv' 1000000)('outerstat' 5000)('rle' 2000000)('perms' 20000)('bfs' 2000)('pagerank' 2000)
show'editdist' 1000
