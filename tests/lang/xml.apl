⍝ SPDX-License-Identifier: MIT
⍝ ⎕XML, by expat.
⍝ needs ⎕XML '<a/>'

x←'<xml><document id="001">An introduction to XML</document></xml>'
m←⎕XML x
⍴m                                 ⍝ → 2 5
m[;1 5]                            ⍝ → 0 3 ⏎ 1 5
m[;2]                              ⍝ →  xml  document
m[;3]                              ⍝ →    An introduction to XML
⍴¨m[;4]                            ⍝ →  0 2  1 2
2⊃m[;4]                            ⍝ →  id  001
⎕XML m                             ⍝ → <xml> ⏎   <document id="001">An introduction to XML</document> ⏎ </xml>
('Whitespace' 'Preserve')⎕XML m    ⍝ → <xml><document id="001">An introduction to XML</document></xml>
m≡⎕XML ⎕XML m                      ⍝ → 1

⍝ Text mixed with elements has rows of its own
m←⎕XML'<p>This is <b>bold</b>, and <i/> empty</p>'
m[;1 2 3 5]                        ⍝ → 0  p           7 ⏎ 1     This is  4 ⏎ 1  b  bold     5 ⏎ 1     , and    4 ⏎ 1  i           1 ⏎ 1     empty    4
m[;4]≡6⍴⊂0 2⍴⊂''                   ⍝ → 1
((⎕XML⍠'Whitespace' 'Preserve')'<p>This is <b>bold</b></p>')[2;3]  ⍝ →  This is
≢⊃((⎕XML⍠'Whitespace' 'Preserve')'<p>This is <b>bold</b></p>')[2;3]  ⍝ → 8

⍝ Blanks
w←{(⍵ ⎕XML '<a>',t,'</a>')[1;3]} ⋄ t←'  one',(⎕UCS 10),'  two '
≢⊃w'whitespace' 'strip'            ⍝ → 7
≢⊃w'whitespace' 'trim'             ⍝ → 9
≢⊃w'Whitespace' 'Preserve'         ⍝ → 12
⍴⎕XML'<a>',(⎕UCS 10),'  <b/>',(⎕UCS 10),'</a>'   ⍝ → 2 5

⍝ Comments and the like
c←'<?xml version="1.0"?><!DOCTYPE a><a><!-- note --><?go on?>t</a>'
(⎕XML c)[;2 3 5]                   ⍝ →  a  t  5
p←('markup' 'preserve')⎕XML c
p[;1 5]                            ⍝ → 0  8 ⏎ 0 53 ⏎ 1 16 ⏎ 1 32 ⏎ 1  4
p[;3]                              ⍝ →  <!DOCTYPE a>    <!-- note -->  <?go on?>  t
(p≡('markup' 'preserve')⎕XML⊢)('whitespace' 'preserve')⎕XML p  ⍝ → 1

⍝ Entities, CDATA, characters
(⎕XML'<a q="&lt;&quot;">&amp;&#945;&#x3b2;<![CDATA[<b>&]]></a>')[1;3]  ⍝ →  &αβ<b>&
⎕XML⎕XML'<a q="&lt;&quot;">&amp;&lt;</a>'   ⍝ → <a q="&lt;&quot;">&amp;&lt;</a>
(⎕XML'<a>x&nbsp;y</a>')[1;3]       ⍝ →  x?y
(('UnknownEntity' 'Preserve')⎕XML'<a>x&nbsp;y</a>')[1;3]  ⍝ →  x&nbsp;y
(⎕XML'<ä ö="ü">☺</ä>')[;2 3]       ⍝ →  ä  ☺
(⎕XML'<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>')[1;3]  ⍝ →  é

⍝ Writing
⎕XML 1 2⍴0 'a'                     ⍝ → <a/>
⎕XML 2 3⍴0 'a' '' 1 'b' 5          ⍝ → <a> ⏎   <b>5</b> ⏎ </a>
⎕XML 1 4⍴0 'a' 'x'(1 2⍴'k' ¯1.5)   ⍝ → <a k="¯1.5">x</a>
⎕XML 3 2⍴0 'a' 1 'b' 0 'c'         ⍝ → <a> ⏎   <b/> ⏎ </a> ⏎ <c/>
⍴⎕XML 0 5⍴0                        ⍝ → 0
deep←⎕XML∊(300⍴⊂'<a>'),300⍴⊂'</a>'
deep≡⎕XML⎕XML deep                 ⍝ → 1
many←⎕XML'<r>',(∊20000⍴⊂'<i n="1">t</i>'),'</r>'
(⍴many)(+/many[;5])                ⍝ →  20001 5  100003

⍝ What is wrong
⎕XML'<a><b></a>'                   ⍝ ! DOMAIN ERROR: ⎕XML: line 1, column 9: mismatched tag
⎕XML''                             ⍝ ! DOMAIN ERROR: ⎕XML: line 1, column 1: no element found
⎕XML'<a/><b/>'                     ⍝ ! DOMAIN ERROR
⎕XML'<a',(⎕UCS 0),'/>'             ⍝ ! DOMAIN ERROR
⎕XML 5                             ⍝ ! DOMAIN ERROR
⎕XML 2 2⍴0 'a' 2 'b'               ⍝ ! DOMAIN ERROR: ⎕XML: row 2 is in no element
⎕XML 1 2⍴0 'a b'                   ⍝ ! DOMAIN ERROR: ⎕XML: a b is no name of an element or attribute
⎕XML 1 6⍴0                         ⍝ ! LENGTH ERROR
⎕XML 1 4⍴0 'a' '' 'k'              ⍝ ! DOMAIN ERROR: ⎕XML: attributes are a matrix of names and values
('what' 'x')⎕XML'<a/>'             ⍝ ! DOMAIN ERROR: ⎕XML has the options Whitespace, Markup and UnknownEntity
('markup' 'trim')⎕XML'<a/>'        ⍝ ! DOMAIN ERROR: ⎕XML: Markup is Strip or Preserve
⍝ Blanks alone before what is no text, and nothing at all.
⊃,⎕XML'<a><![CDATA[>]]><?go on?></a>'       ⍝ → 0
(,⎕XML'<a><![CDATA[>]]><?go on?></a>')[2 3 5]   ⍝ →  a  >  5
(,⎕XML'<a><?go on?></a>')[3 5]      ⍝ →    1
