⍝ SPDX-License-Identifier: MIT
⍝ Functions of elements, where ranks compute parts of the array each: what one element leaves, all leave.
⎕PP←17
⎕PW←200
x←9007199254740993 3 5 7
x×x                                     ⍝ → 8.11296384146067E31 9 25 49
x×9007199254740993                      ⍝ → 8.11296384146067E31 27021597764222980 45035996273704968 63050394783186952
x+9223372036854775807                   ⍝ → 9.2323792361095168E18 9.2233720368547758E18 9.2233720368547758E18 9.2233720368547758E18
x*3                                     ⍝ → 7.3075081866545178E47 27 125 343
x←9007199254740993 3 5 7 1000000000000000003
y←2 1 1 1 9223372036854775807
x+y                                     ⍝ → 9007199254740996 4 6 8 1.0223372036854776E19
x-y×¯1                                  ⍝ → 9007199254740996 4 6 8 1.0223372036854776E19
x×y                                     ⍝ → 18014398509481984 3 5 7 9.2233720368547758E36
⍝ Codes and exponents of one element each go by functions of their own; many in one array do not.
⎕DR 9 11∘.○,0                           ⍝ → 645
⎕DR 9 11○0 0                            ⍝ → 645
⍝ An error of one rank's part, met by a guard.
{0::⎕DMX.Message ⋄ 10 20 30[⍳4]}0       ⍝ → there is no index 4 in an axis of length 3
{0::⎕EN ⋄ (2 2⍴128)[1+3|⍳5;]⍳3 4}0      ⍝ → 3
{0::⎕EN ⋄ 3×(10⍴⍳9)[9+3|⍳5]}0           ⍝ → 3
{0::⎕EN ⋄ (⊂1 2 11)⌷5 5⍴⍳9}0            ⍝ → 3
⍝ One of several errors: which one does not depend on where y is cut.
{0::⎕DMX.Message ⋄ 1E300÷⍵}⎕F32 5 2 4 3 4 0 7 8 ⍝ → ÷: division by zero
{0::⎕DMX.Message ⋄ 1E300÷⍵}⎕F32 0 2 4 3 4 5 7 8 ⍝ → ÷: division by zero
{0::⎕DMX.Message ⋄ 1E300÷⍵}5 2 1E¯20 3 4 0 7 8 ⍝ → ÷: division by zero
{0::⎕DMX.Message ⋄ 1E300÷⍵}5 2 4 3 4 1E¯20 7 8 ⍝ → ÷: the result is too large for a number
⍝ It comes before the next one, which all ranks have.
{0::⎕EN ⋄ ((⌽@(⍳8))⌿)3 2⍴'ab' 1 'c' 2}0 ⍝ → 3
⍝ A part of ⍉y is not ⍉ of a part of y.
⍴(704⍴5)=+/⍉⎕F64 768 704⍴⍳9             ⍝ → 704
(+/⍉m)≡+⌿m←⎕F64 768 704⍴⍳9              ⍝ → 1
⍝ Sums so far of floats, where each rank has whole tiles of the tree, and where elements are left behind the last.
⎕PP←17
⎕PW←200
x←0.1×30721⍴⍳1007
(+\x)[15360 15361 23040 30720 30721]    ⍝ → 764556.00000000012 764581.59999999998 1155855.7000000002 1535614.5000000002 1535665.6000000001
(+\⎕F32 x)[15360 15361 23040 30720 30721]⍝ → 764556 764581.625 1155855.75 1535614.5 1535665.625
(+\46081⍴x)[15361 30721 46081]          ⍝ → 764581.59999999998 1535665.6000000001 2300221.6000000001
(+\x,¯1E308 1E308,30719↑x)[15361 30722 30723]⍝ → 764581.59999999998 ¯1E308 1535614.5
(+\(30719⍴1E300),¯1E300 3)[2 30721]     ⍝ → 2.0000000000000001E300 3.0718000000000004E304
+/+\x,⌽x                                ⍝ → 94355901460.800003
⍝ Another type of floats, and code points: each rank converts its part. An error tells the place among all elements.
(⎕DR z)(+/z)(z[3 100])⊣z←⎕F32 0.5×⍳100   ⍝ → 325 2525  1.5 50 
{0::⎕DMX.Message ⋄ ⎕F32(10⍴1),⍵,10⍴2}1E39 ⍝ → element 11 is too large
⎕DR ⎕F64 ⎕F32 3 4⍴⍳9                    ⍝ → 645
(⎕UCS 65+⍳20)(⎕UCS 'abc',20⍴'⍳⍵')       ⍝ →  BCDEFGHIJKLMNOPQRSTU  97 98 99 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077 9075 9077
{0::⎕EN ⋄ ⊃⎕F32 12⍴1.5,(4⍴1),1E300}0         ⍝ → 11
⍝ An error of one rank's part that others hear of within an exchange, and then one that all ranks have.
v←{0::⍬ ⋄ 31⍴(30⍴1),0.0}0
w←{0::⍬ ⋄ 43 3⍴(129⍴'∊∊azzaacéc')}0
few←{400≥≢⍵:⍵ ⋄ 0}
d←{0::7 ⋄ r←⍕(⍴⍵)(⎕DR ⍵)(≡⍵)(few,⍵) ⋄ ≢r}
d w                                     ⍝ → 144
r←{0::⎕EN ⋄ ((⊂⍤1⊢w)⊃(⍟v))}0
s←{0::⎕EN ⋄ ((⍋⍋(⍵×⍵))≤(-(1 2+⍵)))}r
r s                                     ⍝ → 11 4
