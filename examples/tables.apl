#!/usr/bin/env vapl
⍝ tables.apl - two tables joined and summed up, a column being a vector: what databases call a
⍝ join and a group-by with five aggregates. Run it: vapl examples/tables.apl

⍝ Customers have a number and a city; orders name a customer, some of them one that nobody knows.
cities←↑'Aachen' 'Bonn' 'Celle' 'Demmin' 'Emden'
id←1000+⍳40
city←1+5|7×⍳40
n←5000
buyer←1000+1+43|13×⍳n
cents←100+997|(⍳n)×(⍳n)+31

⍝ The join: where each order's customer is in the other table. What is not found is behind it.
row←id⍳buyer
known←row≤≢id
'orders' n 'of known customers' (+/known) 'lost' (+/~known)
at←city[known/row]
paid←known/cents

⍝ The group-by: ⌸ gives its operand a key and what has that key. All five come at once.
sums←at{⍺,(≢⍵),(+/⍵),(⌊/⍵),(⌈/⍵),(+/⍵)÷≢⍵}⌸paid
sums←sums[⍋sums[;1];]
'CITY, ORDERS, SUM, LEAST, MOST, MEAN'
cities[sums[;1];],10 0 10 0 10 0 10 0 10 2⍕0 1↓sums
'all of it' ((+/paid)=+/sums[;3])

⍝ Orders per customer, those who bought most, and how many have how many.
count←{⍺,≢⍵}⌸known/buyer
best←count[3↑⍒count[;2];]
'first three' (,best)
'customers by orders' (,{⍺,≢⍵}⌸count[;2])

⍝ A price list by quantity: which step does each amount reach?
steps←0 250 500 750 1000
'orders at each step' (+/(⍳5)∘.=steps⍸cents)
