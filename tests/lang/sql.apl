⍝ SPDX-License-Identifier: MIT
⍝ ⎕SQL: databases of SQLite. T is a folder of this file's own.
⍝ needs ⎕SQL ¯1
⍝ in order: lines depend on what lines before them did

T←⎕ENV 'TMP'
db←⎕SQL T,'/a.db'
db                                 ⍝ → 1
db ⎕SQL'create table t(a integer, b real, c text, d blob)' ⍝ → 0
db ⎕SQL'insert into t values(?,?,?,?)'(1 2.5 'grüß' ⎕NULL) ⍝ → 1
db ⎕SQL'insert into t values(?,?,?,?)'((2 3 4)(0.5×⍳3)('x' 'yy' 'zzz')⎕NULL) ⍝ → 3
(names cols)←db ⎕SQL'select * from t order by a'
names                              ⍝ →  a  b  c  d 
⊃cols                              ⍝ → 1 2 3 4
2⊃cols                             ⍝ → 2.5 0.5 1 1.5
3⊃cols                             ⍝ →  grüß  x  yy  zzz 
4⊃cols                             ⍝ →  [Null]  [Null]  [Null]  [Null] 
⎕DR 2⊃cols                         ⍝ → 645
get←{⊃2⊃db ⎕SQL ⍵}
get'select a from t where a>?'2    ⍝ → 3 4
get'select a from t where c=?' 'grüß' ⍝ → 1
get'select a from t where c=?'(⊂'yy') ⍝ → 3
get'select a from t where c=? and a=?'('yy' 3) ⍝ → 3
get'select a from t where a in (?,?)'(1 4) ⍝ → 1 4
get'select a from t where a>100'   ⍝ →
⍴get'select a from t where a>100'  ⍝ → 0
get'select ? is null'⎕NULL         ⍝ → 1
get'select count(*) from t where c is null' ⍝ → 0
⊃(get'select c from t where a=1')  ⍝ → grüß
≡get'select 1 where 0'             ⍝ → 1

⍝ types
get'select 9223372036854775807 union select -5'=9223372036854775807 ⍝ ! DOMAIN ERROR
9223372036854775807=get'select 9223372036854775807' ⍝ → 1
get'select 1 union select 2.5'     ⍝ → 1 2.5
n←get'select 1.5 union all select null'
n[1],n[2]≡n[2]                     ⍝ → 1.5 1
get'select 1 union all select null' ⍝ → 1  [Null] 
get'select null union all select 7' ⍝ →  [Null]  7 
get'select null union all select null' ⍝ →  [Null]  [Null] 
get'select 1 union all select ''x''' ⍝ → 1  x 
get'select 1.5 union all select ''x'' union all select null' ⍝ → 1.5  x  [Null] 
⊃get'select x''00ff41'''           ⍝ → 0 255 65
⊃get'select ?'(⊂'⍳⍴',⎕UCS 128512)  ⍝ → ⍳⍴😀
get'select ?'(2*62)                ⍝ → 4.611686018E18
get'select ?'1J2                   ⍝ ! DOMAIN ERROR
get'select ?'(⊂⊂1 2)               ⍝ ! DOMAIN ERROR
get'select ?+?'(1 2.5)             ⍝ → 3.5
get'select typeof(?)'(⊂,'a')       ⍝ →  text 

⍝ many rows
db ⎕SQL'insert into t(a,c) values(?,?)'(2 2⍴5 'five' 6 'six') ⍝ → 2
db ⎕SQL'insert into t(a,b) values(?,?)'(3 2⍴7 0.5 8 1 9 1.5) ⍝ → 3
db ⎕SQL'insert into t(a,c) values(?,?)'((10 11)'same') ⍝ → 2
get'select c from t where a>9'     ⍝ →  same  same 
db ⎕SQL'insert into t(a,b) values(?,?)'((⍳3)(⍳4)) ⍝ ! LENGTH ERROR
db ⎕SQL'insert into t(a,b) values(?,?)'(⍳3) ⍝ ! LENGTH ERROR
db ⎕SQL'insert into t(a,b) values(?,?)' ⍝ ! LENGTH ERROR
db ⎕SQL'insert into t(a) values(1)'(1 2) ⍝ ! LENGTH ERROR
db ⎕SQL'insert into t(a,b) values(?,?)'((0⍴0)(0⍴0)) ⍝ → 0
db ⎕SQL'create table u(k integer primary key)' ⍝ → 0
db ⎕SQL'insert into u values(?)'(,⍳1) ⍝ → 1
db ⎕SQL'insert into u values(?)'(⊂⊂5 6 1) ⍝ ! DOMAIN ERROR
db ⎕SQL'insert into u values(?)'(,⊂5 6 1) ⍝ ! DOMAIN ERROR: ⎕SQL: UNIQUE constraint failed: u.k
get'select k from u'               ⍝ → 1
db ⎕SQL'insert into u values(?)'(3 1⍴5 6 7) ⍝ → 3
db ⎕SQL'update u set k=k+10'       ⍝ → 4
db ⎕SQL'delete from u where k>?'15 ⍝ → 2
db ⎕SQL'delete from u; insert into u values(3); select * from u' ⍝ →   k    3  
db ⎕SQL'begin'                     ⍝ → 0
db ⎕SQL'insert into u values(?)'(2 1⍴8 9) ⍝ → 2
db ⎕SQL'rollback'                  ⍝ → 0
get'select k from u'               ⍝ → 3
db ⎕SQL'begin; insert into u values(8); commit' ⍝ → 0
get'select k from u'               ⍝ → 3 8
db ⎕SQL'-- nothing'                ⍝ → 0
db ⎕SQL''                          ⍝ → 0

⍝ what is wrong
db ⎕SQL'selec'                     ⍝ ! DOMAIN ERROR: ⎕SQL: near "selec": syntax error
db ⎕SQL'select * from none'        ⍝ ! DOMAIN ERROR: ⎕SQL: no such table: none
db ⎕SQL 3                          ⍝ ! DOMAIN ERROR
db ⎕SQL 'select 1' 2 3             ⍝ ! LENGTH ERROR
99 ⎕SQL 'select 1'                 ⍝ ! FILE TIE ERROR
⎕SQL 99                            ⍝ ! FILE TIE ERROR
⎕SQL T,'/no/such/a.db'             ⍝ ! FILE NAME ERROR
_←(5000⍴'no database')⎕NPUT T,'/b.db'
b←⎕SQL T,'/b.db'                   ⍝ ! FILE DAMAGED
⎕SQL db
db ⎕SQL 'select 1'                 ⍝ ! FILE TIE ERROR
db←⎕SQL T,'/a.db'
get'select count(*) from t'        ⍝ → 11
m←⎕SQL''
m                                  ⍝ → 2
m ⎕SQL'create table x(y)'          ⍝ → 0
⎕SQL db ⋄ ⎕SQL m
