⍝ x[⍋k]: elements that go along with the keys of another array. A name for the order has them looked up.
⎕IO←1 ⋄ ⎕CT←0 ⋄ ⎕RL←7
bits←{2=≢⍴⍵:⍵ ⋄ (⎕DR ⍵)∊325 645:11⎕DR ⍵ ⋄ ⍵}
up←{x←⍺ ⋄ k←⍵ ⋄ p←⍋k ⋄ a←x[⍋k] ⋄ b←x[p] ⋄ ((bits a)≡bits b)∧(⎕DR a)=⎕DR b}
down←{x←⍺ ⋄ k←⍵ ⋄ p←⍒k ⋄ a←x[⍒k] ⋄ b←x[p] ⋄ ((bits a)≡bits b)∧(⎕DR a)=⎕DR b}
⍝ NaN, -0, infinities among floats; the least and the greatest among integers
odd←(645⎕DR(64⍴1),((56⍴0),1,7⍴0),64⍴0),1.5 ¯2.5 1E30 ¯1E30 0.125
odd[2]=odd[3]                          ⍝ → 1
≢∪11⎕DR odd[2 3]                       ⍝ → 2
make←{n←⍵ ⋄ s←n⍴⌽odd ⋄ r←¯0.5+?n⍴0
 bit←0.2>r ⋄ small←⌊100×r ⋄ short←⌊30000×r ⋄ int←⌊2E9×r ⋄ long←⌊9E15×r
 far←n⍴0 9223372036854775807 ¯9223372036854775808 7
 char←'abcdefg'[1+7|⌊1000×1+r] ⋄ wide←'ÿω⍋z'[1+4|⌊1000×1+r]
 bit small short int long far char wide r s(⎕F32 r)(⎕F32 s)}
⍝ every type of keys, up or down, with one of elements; then with more than a workgroup holds
all←{z←make ⍵ ⋄ a←12⍴1 0 ⋄ (∧/(a/1⌽z)up¨a/z)∧∧/((~a)/5⌽z)down¨(~a)/z}
all¨1 2 31 33 257                      ⍝ → 1 1 1 1 1
z←make 5003 ⋄ ∧/z[7 12 10]up¨z[4 2 12]        ⍝ → 1
z←make 8191 ⋄ ∧/z[1 4]down¨z[10 4]            ⍝ → 1
⍝ by definition: a permutation is undone, equal keys keep their order
n←8191 ⋄ p←n|17×⍳n ⋄ k←30000×p-5
(p[⍋k]≡¯1+⍳n)(p[⍒k]≡⌽¯1+⍳n)            ⍝ → 1 1
((0.5×p)[⍋k]≡0.5×¯1+⍳n)((0.5×p)[⍒k÷7]≡0.5×⌽¯1+⍳n)    ⍝ → 1 1
(⍳n)[⍋q]≡⊃,/{⍸q=⍵}¨¯1+⍳7⊣q←7|p         ⍝ → 1
(⍳n)[⍒q÷4]≡⊃,/{⍸q=⍵}¨⌽¯1+⍳7            ⍝ → 1
⍝ the other ways to say it, and other origins
((⊂⍋k)⌷p÷2)≡(¯1+⍳n)÷2                  ⍝ → 1
(p⌷⍨⊂⍋k)≡¯1+⍳n                         ⍝ → 1
({p[⍒⍵]}k÷3)≡⌽¯1+⍳n       ⍝ → 1
(3+2×p[⍋k])≡1+2×⍳n                     ⍝ → 1
(+/p[⍋k])=+/p                          ⍝ → 1
⎕IO←0 ⋄ (p[⍋k]≡⍳n)(p[⍒k]≡⌽⍳n) ⋄ ⎕IO←1   ⍝ → 1 1
t←p[⍋k] ⋄ p[1]←¯1 ⋄ k[1]←0 ⋄ t≡¯1+⍳n   ⍝ → 1
⍝ shorter, longer, empty, none
p←n|17×⍳n ⋄ k←30000×p-5
(p,1 2)[⍋k]≡p[0+⍋k]                    ⍝ → 1
p[⍋k,1 2]                              ⍝ ! INDEX ERROR
(⊂⍋k,1 2)⌷p                            ⍝ ! INDEX ERROR
(⍬[⍋⍬])≡⍬                              ⍝ → 1
(n 1⍴p)[⍋k]                            ⍝ ! RANK ERROR
(÷p)[⍋k]                               ⍝ ! DOMAIN ERROR
(÷1+p)[⍋÷p]                            ⍝ ! DOMAIN ERROR
((9223372036854775807-p)+1+p)[⍋k]≡n⍴2*63    ⍝ → 1
(p+0J1)[⍋k]≡0J1+¯1+⍳n                  ⍝ → 1
(p*0.5)[⍋k]≡(¯1+⍳n)*0.5                ⍝ → 1
((p-3)*0.5)[⍋k]≡(¯4+⍳n)*0.5            ⍝ → 1
(⊂¨p)[⍋k]≡¯1+⍳n                        ⍝ → 1
⍝ less than 32 bits: as numbers of 32, then packed
n←70001 ⋄ i←¯100000+?n⍴200000 ⋄ p←⍋i
{(⍵[⍋i]≡⍵[p])∧(⎕DR ⍵)=⎕DR ⍵[⍋i]}¨(i>0)(¯15000+?n⍴30000)('ÿω⍋z'[?n⍴4])   ⍝ → 1 1 1
{q←⍒⍵ ⋄ (⍵[⍒⍵]≡⍵[q])∧(⎕DR ⍵)=⎕DR ⍵[⍒⍵]}¨(¯15000+?n⍴30000)(⎕UCS 200+?n⍴30000)   ⍝ → 1 1
