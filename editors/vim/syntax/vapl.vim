" Syntax of vapl's APL, made from vapl's tables by `make editors`.
if exists('b:current_syntax') | finish | endif
syntax case match
syntax match vaplName /[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ][A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]*/
syntax match vaplFunction /[+\-×÷⌈⌊|*<≤=≥>≠∧∨⍲⍱~⍟○!⍳⍴≢≡,⍪⌽⊖⍉↑↓⊂⊃⊣⊢⊆∊∪∩⍸⍷⌷⍋⍒?⊥⊤⌹⍕\^⍎∈∣∼⋆∗−εϵιρ]/
syntax match vaplOperator /[¨⍨\/⌿\\⍀.⍣∘⍤⍥⍛@⌸⌺⍠&⌶]\|∘\./
syntax match vaplNumber /\v¯?(\d+\.?\d*|\.\d+)([Ee]¯?\d+)?([Jj]¯?(\d+\.?\d*|\.\d+)([Ee]¯?\d+)?)?/
syntax match vaplMark /[←→⋄◊∇⍫⍺⍵αω⍬#:]\|⍺⍺\|⍵⍵\|∇∇/
syntax match vaplUnknown /⎕\a[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]*/
syntax match vaplSystem /\v\c⎕(_|IO|ML|DIV|PP|PW|CT|FR|RL|WSID|A|D|AV|TC|TS|AI|WA|ARG|EN|DM|DMX|SI|LC|XSI|NSI|RSI|NULL|OFF|UCS|C|VFI|DR|F32|F64|FFT|NC|NL|EX|NS|THIS|DF|VGET|VSET|CR|NR|VR|FX|SHADOW|CS|TRAP|STOP|TRACE|DL|ENV|EM|SIGNAL|FMT|R|S|OPT|NGET|NPUT|NEXISTS|NDELETE|MKDIR|NINFO|NPARTS|NCOPY|NMOVE|NTIE|NCREATE|NUNTIE|NERASE|NREAD|NAPPEND|NREPLACE|NSIZE|NRESIZE|NNUMS|NNAMES|MAP|SH|CMD|SHELL|NA|FCREATE|FTIE|FSTIE|FUNTIE|FAPPEND|FREPLACE|FREAD|FDROP|FSIZE|FRDCI|FNUMS|FNAMES|FERASE|FRENAME|FHOLD|FRDAC|FSTAC|FCOPY|FCHK|FPROPS|FRESIZE|FLIB|FAVAIL|HTTP|SQL|CSV|SAVE|LX|LOAD|CY|FIX|ED|NEW|CLASS|INSTANCES|BASE|PROFILE|MONITOR|NPY|NPZ|JSON|XML|DT|IMG|PLOT|AT|ATX|LOCK|REFS|SIZE|SRC|AN|SD|WX|DCT|RTL|AVU|PATH|USING|EXCEPTION|WG|NQ|FC|L|PR|PS|TZ|X|EA|EC|ES|ET|AF|TID|TNUMS|TNAME|TCNUMS|TSYNC|TKILL|TPUT|TGET|TPOOL|TREQ|FIO|SE|SE.Link.Import|SE.Link.Create|SE.Link.Export|SE.Link.Status|SE.Link.Break|SE.Link.Expunge|SE.Link.Add|SE.Link.Fix|SE.Link.Refresh|SE.SALT.Load|SE.UCMD|SE.Dyalog.Utils.disp|SE.Dyalog.Utils.display|SE.Dyalog.Array.Serialise|SE.Dyalog.Array.Deserialise)[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]@!|⎕[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ]@!|⍞/
syntax region vaplString start=/'/ end=/'/ oneline
syntax region vaplString start=/"/ end=/"/ oneline
syntax match vaplCommand /\v\c^\s*[\])](VARS|FNS|OPS|ERASE|CLEAR|WSID|SAVE|LOAD|XLOAD|COPY|COPY_ONCE|PCOPY|save|ED|edit|SI|SINL|RESET|SIC|map|locals|OFF|box|boxing|rows|disp|display|profile|time|plan|plot|dinput|link.create|link.import|link.export|link.status|link.break|link.expunge|link.refresh|load|runtime|repr|cd|version|get|device|ranks|mem|help|HELP)[A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ0-9]@!.*/ contains=vaplString,vaplComment
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
