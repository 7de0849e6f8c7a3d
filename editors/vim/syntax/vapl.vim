" Syntax of vapl's APL, made from vapl's tables by `make editors`.
if exists('b:current_syntax') | finish | endif
syntax case match
syntax match vaplName /[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ][A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]*/
syntax match vaplFunction /[+\-×÷⌈⌊|*<≤=≥>≠∧∨⍲⍱~⍟○!⍳⍴≢≡,⍪⌽⊖⍉↑↓⊂⊃⊣⊢⊆∊∪∩⍸⍷⌷⍋⍒?⊥⊤⌹⍕\^⍎∈∣∼⋆]/
syntax match vaplOperator /[¨⍨\/⌿\\⍀.⍣∘⍤⍥⍛@⌸⌺⍠&⌶]\|∘\./
syntax match vaplNumber /\v¯?(\d+\.?\d*|\.\d+)([Ee]¯?\d+)?([Jj]¯?(\d+\.?\d*|\.\d+)([Ee]¯?\d+)?)?/
syntax match vaplMark /[←→⋄◊∇⍺⍵⍬#:]\|⍺⍺\|⍵⍵\|∇∇/
syntax match vaplUnknown /⎕\a[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]*/
syntax match vaplSystem /\v\c⎕(_|IO|ML|DIV|PP|PW|CT|FR|RL|WSID|A|D|AV|TC|TS|AI|WA|ARG|EN|DM|DMX|SI|LC|XSI|NSI|RSI|NULL|OFF|UCS|C|VFI|DR|F32|F64|FFT|NC|NL|EX|NS|THIS|DF|VGET|VSET|CR|NR|VR|FX|SHADOW|CS|TRAP|STOP|TRACE|DL|ENV|EM|SIGNAL|FMT|R|S|OPT|NGET|NPUT|NEXISTS|NDELETE|MKDIR|NINFO|NPARTS|NCOPY|NMOVE|NTIE|NCREATE|NUNTIE|NERASE|NREAD|NAPPEND|NREPLACE|NSIZE|NRESIZE|NNUMS|NNAMES|MAP|SH|CMD|SHELL|CSV|SAVE|LX|LOAD|CY|FIX|ED|PROFILE|NPY|NPZ|JSON|DT|IMG|AT|ATX|LOCK|REFS|SIZE|SRC|AN|SD|WX|DCT|RTL|AVU|PATH|USING|EXCEPTION|TID|TNUMS|WG|NQ|FC|L|PR|PS|TZ|X|EA|EC|ES|ET|AF|SE|SE.Link.Import|SE.Link.Create|SE.Link.Export|SE.Link.Status|SE.Link.Break|SE.Link.Expunge|SE.Link.Add|SE.Link.Fix|SE.Link.Refresh|SE.SALT.Load)[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]@!|⎕[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ]@!|⍞/
syntax region vaplString start=/'/ end=/'/ oneline
syntax region vaplString start=/"/ end=/"/ oneline
syntax match vaplCommand /\v\c^\s*[\])](VARS|FNS|OPS|ERASE|CLEAR|WSID|SAVE|LOAD|XLOAD|COPY|COPY_ONCE|PCOPY|save|ED|edit|SI|SINL|RESET|SIC|locals|OFF|box|boxing|rows|disp|display|profile|time|plan|plot|dinput|link.create|link.import|link.export|link.status|link.break|link.expunge|link.refresh|load|get|device|mem|help|HELP)[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]@!.*/ contains=vaplString,vaplComment
syntax match vaplComment /⍝.*/ contains=@Spell
syntax match vaplComment /\%1l^#!.*/
highlight default link vaplNumber Number
highlight default link vaplFunction Function
highlight default link vaplOperator Operator
highlight default link vaplMark Statement
highlight default link vaplUnknown Error
highlight default link vaplSystem Identifier
highlight default link vaplString String
highlight default link vaplCommand PreProc
highlight default link vaplComment Comment
highlight default link vaplName Normal
let b:current_syntax = 'vapl'
