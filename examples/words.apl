#!/usr/bin/env vapl
⍝ words.apl - counting words and letters: texts are character vectors, a list of words is a vector
⍝ of them, and ⌸ groups what is equal. Run it: vapl examples/words.apl

⍝ The text is the opening of "A Tale of Two Cities" by Charles Dickens (1859).
text←'It was the best of times, it was the worst of times, it was the age of wisdom, it was the '
text←text,'age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was '
text←text,'the season of Light, it was the season of Darkness, it was the spring of hope, it was '
text←text,'the winter of despair, we had everything before us, we had nothing before us, we were '
text←text,'all going direct to Heaven, we were all going direct the other way'

⍝ ⎕C folds case. A mask of letters cuts the text: x⊆y keeps runs where x is not 0.
lower←⎕C text
words←(lower∊⎕C ⎕A)⊆lower
'A TALE OF TWO CITIES'
'characters' (≢text) 'words' (≢words) 'different' (≢∪words)

⍝ f⌸ calls f for each different item, with the item and where it is found; here it counts. ⍒ of
⍝ the counts sorts them, the most frequent first.
table←{⍺,≢⍵}⌸words
'THE TEN MOST FREQUENT'
10↑table[⍒table[;2];]

⍝ The lengths of the words, as a histogram: how many have 2, 3 … letters?
length←≢¨words
'WORDS BY LENGTH'
{⍵,(+/length=⍵),⊂'*'⍴⍨+/length=⍵}⍤0⊢∪length[⍋length]
