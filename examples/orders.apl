#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ JSON to a table. An object is a table of names and values, an array a vector.

orders←⎕JSON⊃⎕NGET'data/orders.json'
of←{(⍵[;1]⍳⊂⍺)⊃⍵[;2]}            ⍝ 'name' of object
⎕←'orders ',≢orders
customer←'customer'∘of¨orders
items←'items'∘of¨orders

⍝ A row for each item: customer, what, price, pieces
flat←⊃,/items
who←(≢¨items)/customer
table←who,↑{('what'of ⍵)('price'of ⍵)('pieces'of ⍵)}¨flat
⎕←table
worth←×/table[;3 4]
⎕←'worth ',worth
⎕←'by customer'
⎕←who{⍺,+/⍵}⌸worth
⎕←1 ⎕JSON{⍵[1],⊂⍵[2]}¨↓who{⍺,+/⍵}⌸worth
