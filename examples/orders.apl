#!/usr/bin/env vapl
⍝ SPDX-License-Identifier: MIT
⍝ JSON to a table. An object is a namespace, an array a vector.

orders←⎕JSON⊃⎕NGET'data/orders.json'
⎕←'orders ',≢orders
customer←orders.customer
items←orders.items

⍝ A row for each item: customer, what, price, pieces
flat←⊃,/items
who←(≢¨items)/customer
table←who,↑flat.(what price pieces)
⎕←table
worth←×/table[;3 4]
⎕←'worth ',worth
⎕←'by customer'
⎕←who{⍺,+/⍵}⌸worth
⎕←1 ⎕JSON{⍵[1],⊂⍵[2]}¨↓who{⍺,+/⍵}⌸worth
