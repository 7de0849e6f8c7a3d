⍝ SPDX-License-Identifier: MIT
⍝ ⎕JSON both ways.

⎕JSON '3'                          ⍝ → 3
⎕JSON '-1.5e3'                     ⍝ → ¯1500
⎕JSON '[1,2,3]'                    ⍝ → 1 2 3
⎕DR ⎕JSON '[1,2,3]'                ⍝ → 83
⎕JSON '[1,[2,3],"ab"]'             ⍝ → 1  2 3  ab
⎕JSON '"a\u00e9\n\"\ud83d\ude00"'  ⍝ → aé ⏎ "😀
⍴⎕JSON '"x"'                       ⍝ → 1
⍴⎕JSON '[]'                        ⍝ → 0
⎕JSON '[true,false,null]'          ⍝ →   true    false    null
⎕JSON '{"a":1,"b":[2,"x"]}'        ⍝ → #.[JSON object]
(⎕JSON '{"a":1,"b":[2,"x"]}').(a b)  ⍝ → 1  2  x
(⎕JSON '{}').⎕NL 2 3 9             ⍝ →
(⎕JSON '{"a":{"b":{"c":7}}}').a.b.c  ⍝ → 7
(⎕JSON '[{"x":1},{"x":2}]').x      ⍝ → 1 2
1 ⎕JSON (a:1 ⋄ b:(c:'x' ⋄ d:⍬))    ⍝ → {"a":1,"b":{"c":"x","d":[]}}
1 ⎕JSON () (a:1)                   ⍝ → [{},{"a":1}]
1(⎕JSON⍠'Compact' 0)(a:1 ⋄ b:'x')  ⍝ → { ⏎   "a": 1, ⏎   "b": "x" ⏎ }
1 ⎕JSON (f:{⍵})                    ⍝ ! DOMAIN ERROR: ⎕JSON: f is a function
1 ⎕JSON #                          ⍝ ! DOMAIN ERROR
n←() ⋄ n.n←n
1 ⎕JSON n                          ⍝ ! LIMIT ERROR
(⎕JSON '{"my-key":1,"2x":2,"⍙":3,"":4,"é":5}').⎕NL ¯2   ⍝ →  é  ⍙  ⍙2x  ⍙my⍙45⍙key  ⍙⍙9049⍙
1 ⎕JSON ⎕JSON '{"my-key":1,"2x":2,"⍙":3,"":4,"é":5}'    ⍝ → {"my-key":1,"2x":2,"⍙":3,"":4,"é":5}
(⎕JSON⍠'Format' 'T')'{"a":1,"b":[2,"x"]}'   ⍝ →  a      1 ⏎  b  2  x
⍴(⎕JSON⍠'Format' 'T')'{}'          ⍝ → 0 2
(⎕JSON⍠'Format' 'X')'{}'           ⍝ ! DOMAIN ERROR
⎕JSON '9223372036854775807'        ⍝ → 9.223372037E18
9223372036854775807=⎕JSON '9223372036854775807'  ⍝ → 1
1E30=⎕JSON '1000000000000000000000000000000'     ⍝ → 1
(⎕JSON⍠'Null' ⍬)'[1,null]'         ⍝ → 1
(⎕JSON⍠'Format' 'M')'{"a":[1,"x"],"b":null}'
⎕JSON '[1,'                        ⍝ ! DOMAIN ERROR
⎕JSON '{"a":1,}'                   ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 8: string or '}' expected near '}'
⎕JSON ''                           ⍝ ! DOMAIN ERROR
⎕JSON '[1] x'                      ⍝ ! DOMAIN ERROR
⎕JSON 1000000⍴'['                  ⍝ ! DOMAIN ERROR
(⎕JSON '{"😀":1,"a😀":2}').⎕NL ¯2    ⍝ →  ⍙a⍙128512⍙  ⍙⍙128512⍙
(⎕JSON '{"a\u0000b":1}').⎕NL ¯2    ⍝ →  ⍙a⍙0⍙b
(⎕JSON '{"a":1,"a":2}').a          ⍝ → 2
⎕JSON '[1,2.0,-3,0.5e1]'           ⍝ → 1 2 ¯3 5
⎕DR ⎕JSON '[1,2.0,-3,0.5e1]'       ⍝ → 83
⎕JSON '[1,2.5,"x",3]'              ⍝ → 1 2.5  x  3
⎕DR¨⎕JSON '[1,2.5,"x",3]'          ⍝ → 11 645 80 83
1 ⎕JSON ⎕JSON '["x",9007199254740993]'   ⍝ → ["x",9007199254740993]
⎕JSON '[1e999]'                    ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 2: a number that is too large near '1'
⎕JSON '01'                         ⍝ ! DOMAIN ERROR
⎕JSON '1.'                         ⍝ ! DOMAIN ERROR
⎕JSON '.5'                         ⍝ ! DOMAIN ERROR
⎕JSON '+1'                         ⍝ ! DOMAIN ERROR
⎕JSON '-'                          ⍝ ! DOMAIN ERROR
⎕JSON '[1 2]'                      ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 4: ']' expected near '2'
⎕JSON '[1,]'                       ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 4: unexpected token near ']'
⎕JSON '[tru]'                      ⍝ ! DOMAIN ERROR
⎕JSON '"ab'                        ⍝ ! DOMAIN ERROR
⎕JSON '"\ud83d"'                   ⍝ ! DOMAIN ERROR
⎕JSON '"\ude00\ud83d"'             ⍝ ! DOMAIN ERROR
⎕JSON '"\u12g4"'                   ⍝ ! DOMAIN ERROR
⎕JSON '"\x"'                       ⍝ ! DOMAIN ERROR
⎕JSON '{"a" 1}'                    ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 6: ':' expected near '1'
≢⎕JSON '[',(300000⍴'1,'),'1]'      ⍝ → 150001

⎕JSON ⍳3                           ⍝ → [1,2,3]
1 ⎕JSON 'abc'                      ⍝ → "abc"
1 ⎕JSON 'a'                        ⍝ → "a"
1 ⎕JSON (1 'a' 'bc' ¯1.5 0.1)      ⍝ → [1,"a","bc",-1.5,0.1]
1 ⎕JSON (⊂'true'),(⊂⊂'true'),⊂'x'  ⍝ → ["true",true,"x"]
1 ⎕JSON ⍬                          ⍝ → []
1 ⎕JSON ''                         ⍝ → ""
1 ⎕JSON '"\',⎕UCS 9 10 1 233       ⍝ → "\"\\\t\n\u0001é"
1 ⎕JSON 2 2⍴'a' 1 'b' (2 3)        ⍝ → {"a":1,"b":[2,3]}
1 ⎕JSON 2 2⍴⍳4                     ⍝ ! DOMAIN ERROR
1(⎕JSON⍠'HighRank' 'Split')2 2⍴⍳4  ⍝ → [[1,2],[3,4]]
1(⎕JSON⍠'HighRank' 'Split')2 2⍴'abcd'  ⍝ → ["ab","cd"]
1(⎕JSON⍠'Compact' 0)2 2⍴'a' 1 'b' 'x'  ⍝ → { ⏎   "a": 1, ⏎   "b": "x" ⏎ }
1 ⎕JSON 0J1                        ⍝ ! DOMAIN ERROR
1 ⎕JSON 1E300 1E¯300 123456789012  ⍝ → [1e300,1e-300,123456789012]
1(⎕JSON⍠'Null' ⍬)1 ⍬ 2             ⍝ → [1,null,2]
(⎕JSON⍠'Colour' 1)'1'              ⍝ ! DOMAIN ERROR: ⎕JSON has no option Colour

⍝ There and back
{⍵≡(⎕JSON⍠'Format' 'T')1 ⎕JSON ⍵}¨(1 2 3)('abc' 'dd' ''),⊂2 2⍴'aa' (1 2 'xy') 'bb' (⊂'null')   ⍝ → 1 1 1
x←?1000⍴0 ⋄ x≡⎕JSON 1 ⎕JSON x      ⍝ → 1
t←'{"a":[1,{"b":"x"},[]],"c":{},"d":true}'
t≡1 ⎕JSON ⎕JSON t                  ⍝ → 1
t≡1(⎕JSON⍠'Format' 'M')(⎕JSON⍠'Format' 'M')t   ⍝ → 1
(⎕JSON⍠'Format' 'M')3 4⍴0 '' '' 1 1 'a' 5 3    ⍝ ! DOMAIN ERROR

⍝ Options: the principal one, one that is not there, a value that it does not take
(⎕JSON⍠'M')'{"k":1}'               ⍝ → 0        1 ⏎ 1  k  1  3
(⎕JSON⍠'M'⍠'Compact' 0)'{"k":1}'   ⍝ → 0        1 ⏎ 1  k  1  3
(⎕JSON⍠'Q')'1'                     ⍝ ! DOMAIN ERROR: ⎕JSON: Format takes one of: D M T
(⎕JSON⍠'Format' 1)'1'              ⍝ ! DOMAIN ERROR: ⎕JSON: Format takes one of: D M T
(⎕JSON⍠'Compact' 2)'1'             ⍝ ! DOMAIN ERROR: ⎕JSON: Compact takes 0 to 1

⍝ ── JSON5
j5←⎕JSON⍠'Dialect' 'JSON5'
j5 '1'                             ⍝ → 1
j5 '["a\',(⎕UCS 10),'bc",//:)',(⎕UCS 10),'+.1,/**/0xf]'   ⍝ →  abc  0.1 15
j5 '[1,2,] // end'                 ⍝ → 1 2
j5 '[]/* a * b */'                 ⍝ →
1 ⎕JSON j5 '{a:1,$b:2,''c d'':3,"e":[4,],\u0066g:''"'',}'   ⍝ → {"a":1,"$b":2,"c d":3,"e":[4],"fg":"\""}
j5 '[.5,5.,+5,-.5e1,-0x1F,0XfF]'   ⍝ → 0.5 5 5 ¯5 ¯31 255
9223372036854775807=j5 '0x7fffffffffffffff'   ⍝ → 1
18446744073709551616=j5 '0x10000000000000000' ⍝ → 1
j5 '[Infinity,-Infinity,+Infinity,NaN,true]'  ⍝ →   Infinity    -Infinity    Infinity    NaN    true
⎕UCS j5 '''\x41\v\0\''\q\u00e9'''     ⍝ → 65 11 0 39 113 233
4⌷⍉(j5⍠'Format' 'M')'[''a'',.5,NaN,null,{b:1}]'   ⍝ → 2 4 3 6 5 1 3
j5 '[1,,]'                         ⍝ ! DOMAIN ERROR
j5 '.'                             ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 2: a digit expected near the end
j5 '+'                             ⍝ ! DOMAIN ERROR
j5 '01'                            ⍝ ! DOMAIN ERROR
j5 '0x'                            ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 3: a hexadecimal digit expected near the end
j5 '1/* never'                     ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 2: the end expected near '/'
j5 '"\1"'                          ⍝ ! DOMAIN ERROR
j5 '"\xg"'                         ⍝ ! DOMAIN ERROR
j5 '{1a:2}'                        ⍝ ! DOMAIN ERROR: ⎕JSON: line 1, column 2: a name or '}' expected near '1'
j5 '"a',(⎕UCS 10),'"'              ⍝ ! DOMAIN ERROR
j5 '+true'                         ⍝ ! DOMAIN ERROR
⎕JSON '[1] // x'                   ⍝ ! DOMAIN ERROR
1(⎕JSON⍠'Dialect' 'JSON5')(a:'é"' ⋄ b:'it''s')     ⍝ → {a:'é"',b:"it's"}
1(⎕JSON⍠('Charset' 'ASCII')('Compact' 0)('Dialect' 'JSON5'))(a:'é"')   ⍝ → { ⏎   a: '\xE9"', ⏎ }
1(⎕JSON⍠'Dialect' 'JSON5')⎕JSON '{"a b":1,"c":[],"1":2}'   ⍝ → {"a b":1,c:[],"1":2}
(⎕JSON⍠'Dialect' 'JSON')'1'        ⍝ → 1
(⎕JSON⍠'Charset' 'Latin')'1'       ⍝ ! DOMAIN ERROR: ⎕JSON: Charset takes one of: Unicode ASCII
(⎕JSON⍠2 2⍴'a')'1'                 ⍝ ! DOMAIN ERROR: ⍠ takes names and values
(⎕C⍠'Nosuch' 1)'A'                 ⍝ ! DOMAIN ERROR: ⎕C has no option Nosuch
(⎕UCS⍠1)'A'                        ⍝ ! DOMAIN ERROR: ⎕UCS has no principal option: a name and a value

⍝ Texts as they stand, and wrappers
1 ⎕JSON ⊂¨(1 'null')(1 'true')     ⍝ → [null,true]
1 ⎕JSON 42 'text'(⊂1 'null')(⊂'true')   ⍝ → [42,"text",null,true]
1 ⎕JSON ⊂'f(x)'                    ⍝ → f(x)
1 ⎕JSON (a:⊂'[1, 2]')              ⍝ → {"a":[1, 2]}
f←'item' 'price' 'qty' ⋄ i←'Knife' 'Fork' ⋄ p←3 4 ⋄ q←23 45
1 ⎕JSON ⊂2(f⍪⍉↑i p q)              ⍝ → [{"item":"Knife","price":3,"qty":23},{"item":"Fork","price":4,"qty":45}]
1 ⎕JSON ⊂3((⍉↑i p q)f)             ⍝ → [{"item":"Knife","price":3,"qty":23},{"item":"Fork","price":4,"qty":45}]
1 ⎕JSON ⊂4((i p q)f)               ⍝ → [{"item":"Knife","price":3,"qty":23},{"item":"Fork","price":4,"qty":45}]
1 ⎕JSON ⊂4((i p q)f)2              ⍝ → [{"item":"Fork","price":4,"qty":45}]
1 ⎕JSON ⊂4((i p q)f)(⊂⍬)(1 3)      ⍝ → [{"item":"Knife","qty":23},{"item":"Fork","qty":45}]
1 ⎕JSON ⊂2(f⍪⍉↑i p q)2(3 1)        ⍝ → [{"qty":45,"item":"Fork"}]
1 ⎕JSON (a:⊂3((1 1⍴7)(,⊂'n')))(⊂3((0 1⍴7)(,⊂'n')))   ⍝ → [{"a":[{"n":7}]},[]]
1(⎕JSON⍠'HighRank' 'Split')⊂4(((↑i)p)('a' 'b'))   ⍝ → [{"a":"Knife","b":3},{"a":"Fork ","b":4}]
1(⎕JSON⍠'HighRank' 'Split')2 2⍴'aa' 1 'bb' 2      ⍝ → [["aa",1],["bb",2]]
1 ⎕JSON ⊂4((i p q)f)3              ⍝ ! INDEX ERROR
1 ⎕JSON ⊂4((i p(1 2 3))f)          ⍝ ! DOMAIN ERROR: ⎕JSON: wrapper 4 takes columns of one length
1 ⎕JSON ⊂4((i p q)(1↓f))           ⍝ ! DOMAIN ERROR: ⎕JSON: a dataset has a name for each field
1 ⎕JSON ⊂3((⍉↑i p q)(1 2 3))       ⍝ ! DOMAIN ERROR: ⎕JSON: a member's name is text
1 ⎕JSON ⊂5 'x'                     ⍝ ! DOMAIN ERROR: ⎕JSON: the codes of wrappers are 1 to 4
1 ⎕JSON ⊂1 2                       ⍝ ! DOMAIN ERROR: ⎕JSON: a scalar that holds an array is neither text nor a wrapper
1 ⎕JSON ⎕UCS 97 55357              ⍝ ! DOMAIN ERROR: ⎕JSON: ⎕UCS 55357 is half of a pair and no character

⍝ Charset, lines of a matrix, Format 'M'
1(⎕JSON⍠'Charset' 'ASCII')(dé:'DÉ€😀')   ⍝ → {"d\u00E9":"D\u00C9\u20AC\uD83D\uDE00"}
1 ⎕JSON ⎕UCS 7 10 127              ⍝ → "\u0007\n\u007F"
⎕JSON ↑'[1,' '2]'                  ⍝ → 1 2
M←(⎕JSON⍠'M')'{"v":[1,"x",null,true]}'
M[;4]                              ⍝ → 1 2 3 4 5 6
1(⎕JSON⍠'M')M                      ⍝ → {"v":[1,"x",null,true]}
1(⎕JSON⍠('Format' 'M')('Null' 0))(⎕JSON⍠('Format' 'M')('Null' 0))'[1,null]'   ⍝ → [1,null]
1(⎕JSON⍠'M')1 4⍴0 '' '75' 3        ⍝ ! DOMAIN ERROR: ⎕JSON: row 1: the value is not of its type
1(⎕JSON⍠'M')2 4⍴0 '' '' 2 1 '' 5 4 ⍝ ! DOMAIN ERROR: ⎕JSON: row 2: the value is not of its type
1(⎕JSON⍠'M')2 4⍴0 '' '' 2 2 '' 5 3 ⍝ ! DOMAIN ERROR: ⎕JSON: row 2: it is too deep
1(⎕JSON⍠'M')1 4⍴0 '' 'x' 1         ⍝ ! DOMAIN ERROR: ⎕JSON: row 1: an object or array has no value of its own
1(⎕JSON⍠'M')1 4⍴0 '' 1 9           ⍝ ! DOMAIN ERROR: ⎕JSON: row 1: the value is not of its type
