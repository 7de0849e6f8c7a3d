⍝ SPDX-License-Identifier: MIT
⍝ HttpCommand.apl - requests of the web as programs of Dyalog APL write them, by ⎕HTTP. docs/outside.md has a page of examples.
⍝
⍝   HttpCommand.Get 'url' [params [headers]]                 Do  command url [params [headers]]
⍝   HttpCommand.GetJSON [command] url [params [headers]]     New command url …, or New '': a request, whose settings
⍝                                                            are its fields; its Run does it
:Namespace HttpCommand
  ⎕IO←1 ⋄ ⎕ML←1
  SETTINGS←'Command' 'URL' 'Params' 'Headers' 'ContentType' 'BaseURL' 'Timeout' 'MaxRedirections' 'OutFile' 'TranslateData'
  SETTINGS,←'RequestOnly' 'SuppressHeaders' 'Auth' 'AuthType' 'Verify' 'Cookies'
  DEFAULTS←'GET' '' '' (0 2⍴⊂'') '' '' 10 10 '' 0 0 0 '' '' 1 ⍬

  ⍝ ── texts ──

  isText←{(10|⎕DR ⍵)∊0 2}                        ⍝ characters, or nothing
  text←{0=⎕NC'⍵':'' ⋄ isText ⍵:,⍵ ⋄ ('-'@('¯'∘=))⍕⍵}
  plain←⎕A,(¯1⎕C ⎕A),⎕D,'-_.~'
  Base64←⎕A,(¯1⎕C ⎕A),⎕D,'+/'
  UrlEncode←{                                    ⍝ a text with %XX for what a URL may not have; of names and values: name=value&…
    9=⎕NC'⍵':∇ pairs ⍵
    isText ⍵:∊{⍵∊plain:⍵ ⋄ ∊'%',¨('0123456789ABCDEF'⌷⍨⊂)¨1+16 16∘⊤¨'UTF-8'⎕UCS ⍵}¨,⍵
    1↓∊{'&',(UrlEncode text⊃⍵),'=',UrlEncode text 2⊃⍵}¨↓pairs ⍵
  }
  UrlDecode←{                                    ⍝ and back
    'UTF-8'⎕UCS bytes(' '@('+'∘=))⍵
  }
  hex←{16⊥¯1+'0123456789ABCDEF'⍳1⎕C ⍵}
  bytes←{0=≢⍵:⍬ ⋄ ('%'=⊃⍵)∧2<≢⍵:(hex ⍵[2 3]),∇ 3↓⍵ ⋄ ('UTF-8'⎕UCS⊃⍵),∇ 1↓⍵}
  Base64Encode←{                                 ⍝ of a text, as UTF-8, or of bytes
    b←{isText ⍵:'UTF-8'⎕UCS ⍵ ⋄ 256|⍵},⍵
    0=≢b:''
    n←3|-≢b
    bits←,⍉(8⍴2)⊤b,n⍴0
    c←Base64[1+2⊥⍉(6,⍨(≢bits)÷6)⍴bits]
    (c↓⍨-n),n⍴'='
  }
  Base64Decode←{                                 ⍝ the bytes, as a text if they are UTF-8
    c←⍵~'=',⎕UCS 10 13
    0=≢c:''
    bits←,⍉(6⍴2)⊤¯1+Base64⍳c
    b←2⊥⍉(8,⍨⌊(≢bits)÷8)⍴bits
    11::⎕UCS b ⋄ 'UTF-8'⎕UCS b
  }
  pairs←{                                        ⍝ names and values as a matrix: of a namespace, of pairs, of a name and a value in turn
    9=⎕NC'⍵':{n←⍵.⎕NL ¯2 ⋄ (≢n)2⍴,n,[1.5]⍵⍎¨n}⍵
    2=≢⍴⍵:⍵
    0=≢⍵:0 2⍴⊂''
    isText⊃⍵:((⌈(≢⍵)÷2)2)⍴⍵
    ↑⍵
  }
  lookup←{i←(¯1⎕C ⍺[;1])⍳⊂¯1⎕C ⍵ ⋄ i>≢⍺:'' ⋄ ⊃⍺[i;2]} ⍝ the text of a header; '' if there is none

  ⍝ ── short ways ──

  ∇ r←{only}Get args
    only←{0=⎕NC'only':0 ⋄ only}⍬
    r←only once(⊂'GET'),list args
  ∇
  ∇ r←{only}Do args
    only←{0=⎕NC'only':0 ⋄ only}⍬
    r←only once list args
  ∇
  ∇ r←{only}GetJSON args;q
    only←{0=⎕NC'only':0 ⋄ only}⍬
    q←make{1=≢⍵:(⊂'GET'),⍵ ⋄ ⍵}list args
    q.(TranslateData RequestOnly)←1 only
    :If 0=≢q.ContentType
      q.ContentType←'application/json; charset=utf-8'
    :EndIf
    r←perform q
  ∇
  ∇ r←New args
    r←make{(1=≢⍵)∧isText⊃⍵:(⊂'GET'),⍵ ⋄ ⍵}list args
  ∇
  Documentation←{'docs/outside.md of vapl'}
  Upgrade←{¯1 'HttpCommand is a part of vapl, and is not upgraded by itself'}
  Version←{'HttpCommand' '5.0.0' 'vapl'}
  list←{0=≢⍵:⍬ ⋄ 9=⎕NC'⍵':,⍵ ⋄ isText ⍵:,⊂,⍵ ⋄ ,⍵}
  once←{q←make ⍵ ⋄ q.RequestOnly←⍺ ⋄ perform q}

  ∇ q←make args;i;first
   ⍝ a request of Command URL Params Headers, or of a namespace of settings
    q←⎕NS''
    q ⎕VSET SETTINGS{⍺ ⍵}¨DEFAULTS
    first←⊃args
    :If 9=⎕NC'first'
      args←first
      q ⎕VSET{⍵(args⍎⍵)}¨SETTINGS∩args.⎕NL ¯2 ¯9
    :Else
      :For i :In ⍳4⌊≢args
        q ⎕VSET⊂(i⊃SETTINGS)(i⊃args)
      :EndFor
    :EndIf
    q.⎕FX'r←Run' 'r←##.perform ⎕THIS'
    q.⎕FX'r←Show' 'r←##.request ⎕THIS'
    q.⎕FX'{r}←name SetHeader text' 'r←Headers←(((¯1⎕C Headers[;1])≢¨⊂¯1⎕C name)⌿Headers)⍪name text'
    q.⎕FX'{r}←name AddHeader text' ':If 0=≢Headers ##.lookup name' 'Headers⍪←name text' ':EndIf' 'r←Headers'
    q.⎕FX'{r}←RemoveHeader name' 'r←Headers←((¯1⎕C Headers[;1])≢¨⊂¯1⎕C name)⌿Headers'
    q.⎕DF'[HttpCommand]'
  ∇

  ⍝ ── a request ──

  ∇ h←prepare q;body;type;url;command;params
   ⍝ what ⎕HTTP takes
    q.Headers←pairs q.Headers
    command←1⎕C q.Command
    command←command,(0=≢command)/'GET'
    url←q.URL
    :If (0<≢q.BaseURL)∧~∨/'://'⍷url
      url←(q.BaseURL↓⍨-'/'=⊃⌽q.BaseURL),'/',('/'=⊃url)↓url
    :EndIf
    url←((~∨/'://'⍷url)/'http://'),url
    h←⎕NS''
    h.(Headers Timeout MaxRedirections Verify)←q.(Headers Timeout MaxRedirections Verify)
    h.OutFile←⊃{isText ⍵:⊂⍵ ⋄ ⍵}q.OutFile
    type←q.ContentType
    :If 0=≢type
      type←q.Headers lookup'Content-Type'
    :EndIf
    params←q.Params
    :If (9≠⎕NC'params')∧0=≢params
      :If (0<≢q.ContentType)∧0=≢q.Headers lookup'Content-Type'
        h.Headers⍪←'Content-Type'q.ContentType
      :EndIf
    :ElseIf (⊂command)∊'GET' 'HEAD'
      body←{(9≠⎕NC'⍵')∧isText ⍵:⍵ ⋄ UrlEncode ⍵}params
      url,←('?&'[1+'?'∊url]),body
    :Else
      type←type,(0=≢type)/'application/x-www-form-urlencoded'
      :If ∨/'json'⍷¯1⎕C type
        body←{(9≠⎕NC'⍵')∧isText ⍵:⍵ ⋄ 1⎕JSON ⍵}params
      :ElseIf (9≠⎕NC'params')∧isText params
        body←params
      :ElseIf ∨/'x-www-form'⍷¯1⎕C type
        body←UrlEncode params
      :Else
        body←params
      :EndIf
      h.Body←body
      :If 0=≢q.Headers lookup'Content-Type'
        h.Headers⍪←'Content-Type'type
      :EndIf
    :EndIf
    :If (0<≢q.Auth)∧0=≢q.Headers lookup'Authorization'
      h.Headers⍪←'Authorization'({'basic'≡¯1⎕C ⍵:'Basic ',Base64Encode q.Auth ⋄ ⍵,((0<≢⍵)/' '),q.Auth}q.AuthType)
    :EndIf
    :If 0<≢q.Cookies
      body←(q.Cookies.Host≡¨⊂host url)/q.Cookies
      :If 0<≢body
        h.Headers⍪←'Cookie'(2↓∊{'; ',⍵.Name,'=',⍵.Value}¨body)
      :EndIf
    :EndIf
    :If ~q.SuppressHeaders
      h.Headers⍪←(0=≢h.Headers lookup'Accept')⌿1 2⍴'Accept' '*/*'
    :EndIf
    h.(URL Command)←url command
  ∇
  host←{u←(3+('://'⍷⍵)⍳1)↓' ',⍵ ⋄ (∧\~u∊'/:?#')/u}

  ∇ r←request q;h;nl
   ⍝ the text of the request
    h←prepare q
    nl←⎕UCS 13 10
    r←h.Command,' ',(path h.URL),' HTTP/1.1',nl
    r,←'Host: ',(host h.URL),nl
    r,←∊{(⊃⍵),': ',(2⊃⍵),nl}¨↓h.Headers
    r,←nl
    :If 2=h.⎕NC'Body'
      r,←text h.Body
    :EndIf
  ∇
  path←{u←(3+('://'⍷⍵)⍳1)↓' ',⍵ ⋄ p←(∨\u='/')/u ⋄ p,(0=≢p)/'/'}

  ∇ r←perform q;h;got;type
    :If q.RequestOnly
      r←request q
      :Return
    :EndIf
    h←prepare q
    r←⎕HTTP h
    r.(Command URL OutFile)←h.(Command URL OutFile)
    r.Cookies←r.Headers cookies host h.URL
    :If 0<≢r.Cookies
      q.Cookies←r.Cookies,((q.Cookies.Name∊¨⊂r.Cookies.Name){0=≢⍺:⍬ ⋄ (~⍺)/⍵}q.Cookies)
    :EndIf
    type←¯1⎕C r.Headers lookup'Content-Type'
    :If q.TranslateData∧(r.rc=0)∧∨/'json'⍷type
      :Trap 0
        got←⎕JSON r.Data
        r.Data←got
      :Else
        r.(rc msg)←¯2 'Data is no JSON'
      :EndTrap
    :EndIf
    r.⎕FX'r←IsOK' 'r←(rc=0)∧2=⌊HttpStatus÷100'
    r.⎕FX'r←GetHeader name;i' 'i←(¯1 ⎕C Headers[;1])⍳⊂¯1 ⎕C name' 'r←⊃(Headers[;2],⊂'''')[i]'
    r.⎕DF'[rc: ',(text r.rc),' | msg: ',r.msg,' | HTTP Status: ',(text r.HttpStatus),' "',r.HttpMessage,'" | ⍴Data: ',(text⍴r.Data),']'
  ∇
  cookies←{                                      ⍝ of the headers ⍺ that a host ⍵ sent
    at←⍵
    one←{c←⎕NS'' ⋄ p←(∧\⍵≠';')/⍵ ⋄ c.Name←(∧\p≠'=')/p ⋄ c.Value←(1+≢c.Name)↓p ⋄ c.Host←at ⋄ c}
    0=≢⍺:⍬
    one¨((¯1⎕C ⍺[;1])≡¨⊂'set-cookie')/⍺[;2]
  }
:EndNamespace
