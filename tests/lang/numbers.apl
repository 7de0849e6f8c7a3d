⍝ Scalars that travel without arrays between primitives, calls, names and indices.

⍝ What reads a name finds an array.
{a←⍵+1 ⋄ ⎕NC 'a'}3                       ⍝ → 2
{a←⍵+1 ⋄ ⍎'a×2'}3                        ⍝ → 8
{a←⍵+1 ⋄ {a+⍵}2}3                        ⍝ → 6
{a←⍵+1 ⋄ a,a}3                           ⍝ → 4 4
{a←⍵+1 ⋄ a+←10 ⋄ a}3                     ⍝ → 14
{a b←⍵+1 ⋄ a×b}3                         ⍝ → 16
{a←⍵+1 ⋄ a[⍬]}3                          ⍝ ! RANK ERROR
{⍺←⍵+1 ⋄ ⍺ ⍵}3                           ⍝ → 4 3
{⎕IO←⍵-1 ⋄ ⍳3}1                          ⍝ → 0 1 2
{a←⍵+1 ⋄ (⊂a)⍳⍨⍳9}3                      ⍝ → 4
{a←⍵+1 ⋄ +/a⍴⍵}3                         ⍝ → 12
{a←⍵+1 ⋄ b←⎕EX 'a' ⋄ a}3                 ⍝ ! VALUE ERROR
{a←⍵-1 ⋄ 11::a ⋄ a←a+5 ⋄ ⍎'1÷0'}3        ⍝ → 2
{⎕DR ⍵+1}¨0 1 127 32767                  ⍝ → 11 83 163 323
⎕DR {⍵-1}2                               ⍝ → 11
{⍵×0.5}1E308                             ⍝ → 5E307

⍝ What a row of numbers cannot say is left to arrays.
(2*62)={⍵×2}⍣62⊢1                        ⍝ → 1
({⍵×2}⍣63⊢1)=2*63                        ⍝ → 1
{⍵÷0}3                                   ⍝ ! DOMAIN ERROR
{0÷⍵}0                                   ⍝ → 1
{⍵*0.5}¯4                                ⍝ → 0J2
{⍵+'a'}1                                 ⍝ ! DOMAIN ERROR
{⍵×1E308}1E308                           ⍝ ! DOMAIN ERROR
{⎕DIV←1 ⋄ ⍵÷0}3                          ⍝ → 0
{⎕CT←0 ⋄ ⍵=1+1E¯15}1                     ⍝ → 0
{⍵=1+1E¯15}1                             ⍝ → 1

⍝ Guards.
{⍵+0.5:1 ⋄ 2}0.5                         ⍝ → 1
{⍵-0.5:1 ⋄ 2}0.5                         ⍝ → 2
{⍵+1:1 ⋄ 2}1                             ⍝ ! DOMAIN ERROR
{⍵=0:'end' ⋄ ∇⍵-1}100000                 ⍝ → end
fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}
fib 20                                   ⍝ → 6765

⍝ Shy results.
1+{a←⍵}5                                 ⍝ → 6
({a←⍵+1}5)                               ⍝ → 6

⍝ Indices.
{x←⍳5 ⋄ x[⍵+1]}2                         ⍝ → 3
{x←⍳5 ⋄ x[⍵+9]}2                         ⍝ ! INDEX ERROR
{x←⍳5 ⋄ x[⍵-2]}2                         ⍝ ! INDEX ERROR
{x←0.5 1 ⋄ x[⍵÷2]}2                      ⍝ → 0.5
{⎕IO←0 ⋄ x←5 6 7 ⋄ x[⍵-2]}2              ⍝ → 5
{x←1 0 1 1 ⋄ x[⍵]+1}2                    ⍝ → 1
{x←'abc' ⋄ x[⍵]}2                        ⍝ → b
{x←2 2⍴⍳4 ⋄ x[⍵]}2                       ⍝ ! RANK ERROR
{x←⍬ ⋄ x[⍵]}1                            ⍝ ! INDEX ERROR
{⍵[3]}⍳5                                 ⍝ → 3
{⍵[1]}5 100000                           ⍝ → 5

⍝ Powers.
{⍵+1}⍣0⊢5                                ⍝ → 5
2{⍺×⍵}⍣10⊢1                              ⍝ → 1024
{⍵+1}⍣¯2⊢5                               ⍝ ! DOMAIN ERROR
{}⍣2⊢5                                   ⍝ ! VALUE ERROR
{⍵,1}⍣3⊢0                                ⍝ → 0 1 1 1

⍝ what leaves the finite numbers in the middle of a chain is an error, though the end is finite
big←1E200,99⍴2
3⌊1+big×big                              ⍝ ! DOMAIN ERROR
+/3⌊0.5+2×1+99⍴2                         ⍝ → 297
+/1E300⌊(big×2)-1+0.5×big                ⍝ → 1.5E200
{⍵>1E100:0 ⋄ 1+⍵×⍵+0.5}¨3↑big            ⍝ → 0 6 6
{⍵>1E300:0 ⋄ 3⌊1+⍵×⍵+0.5}¨3↑big          ⍝ ! DOMAIN ERROR
{⍵>2.5:0 ⋄ 1÷⍵-1E200}¨1↓4↑big            ⍝ → ¯1E¯200 ¯1E¯200 ¯1E¯200
sq←{{(z n)←⍵ ⋄ n=5:n ⋄ z>1E99:-n ⋄ ∇(z×z)(n+1)}⍵ 0}
sq¨0.5 1E20 3                            ⍝ → 5 ¯3 5
on←{{(z n)←⍵ ⋄ n=9:n ⋄ ∇(0.5+z×z)(n+1)}⍵ 0}
on¨0.5 0.25                              ⍝ → 9 9
on¨0.5 1E20                              ⍝ ! DOMAIN ERROR

⍝ numbers beside the ends of what is equal within ⎕CT
near←{c←⍵ ⋄ v←c×1+(2*¯53)×¯100+⍳200 ⋄ (+/c=v),(+/c<v),(+/c≤v),(+/c>v),(+/c≥v)}
∊near¨1 3 ¯7.1                           ⍝ → 181 10 191 9 190 179 11 190 10 189 179 10 189 11 190
∊near¨1E10 0.1 0                         ⍝ → 181 10 191 9 190 181 10 191 9 190 200 0 200 0 200
