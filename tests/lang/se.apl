⍝ SPDX-License-Identifier: MIT
⍝ ⎕SE besides Link: ⎕SE.UCMD, ⎕SE.Dyalog, and in lib/se.apl ⎕SE.Tatin and ⎕SE.Cider over folders that lie on the disk.
⍝ needs ⎕NC '⎕SE.UCMD'
⍝ in order

⎕SE.UCMD 'disp (1 2)3'             ⍝ → ┌→──┬─┐ ⏎ │1 2│3│ ⏎ └~─→┴~┘
5↑⎕SE.UCMD ']version'              ⍝ → vapl
63↑⎕SE.UCMD 'nothing x'            ⍝ → * Command Execution Failed: NONCE ERROR: ]nothing is no command
⎕SE.UCMD 'box off'                 ⍝ → Was OFF
⍴⎕SE.UCMD 'repr 2 3⍴⍳6'            ⍝ → 15
⎕SE.UCMD 5                         ⍝ ! DOMAIN ERROR
28↑⎕SE.UCMD 'disp ÷0'              ⍝ → * Command Execution Failed:
r←⎕SE.UCMD 'disp ⎕←5'
r                                  ⍝ → 5 ⏎ 5
]repr 1 'a'(2 2⍴⍳4)                ⍝ → 3⍴(1)('a')(2 2⍴1 2 3 4)
]repr +                            ⍝ ! DOMAIN ERROR
⎕SE.Dyalog.Utils.display 1 'a'     ⍝ → ┌→──┐ ⏎ │1 a│ ⏎ └+──┘
⎕SE.Dyalog.Utils.disp (1 2)'ab'    ⍝ → ┌───┬──┐ ⏎ │1 2│ab│ ⏎ └───┴──┘
1 ⎕SE.Dyalog.Utils.disp (1 2)'ab'  ⍝ → ┌→──┬──┐ ⏎ │1 2│ab│ ⏎ └~─→┴─→┘
(⍳10)[⊂1] ⎕SE.Dyalog.Utils.disp (1 2)'ab'  ⍝ → ┌→──┬──┐ ⏎ │1 2│ab│ ⏎ └~─→┴─→┘
⍴⎕SE.Dyalog.Utils.disp 2 2⍴⊂1 2 3  ⍝ → 5 13
'x' ⎕SE.Dyalog.Utils.disp 1        ⍝ ! DOMAIN ERROR
x←(1 2)'ab'(2 3⍴⍳6)⍬('' (⊂1.5))
x≡⎕SE.Dyalog.Array.Deserialise ⎕SE.Dyalog.Array.Serialise x  ⍝ → 1
(⎕SE.Dyalog.Array.Deserialise '(a:1' 'b:[1 2' '3 4]' ')').b  ⍝ → 1 2 ⏎ 3 4
⎕SE.Dyalog.Array.Deserialise '+'   ⍝ ! DOMAIN ERROR
⎕SE.Dyalog.Utils.lcase 'ABC'       ⍝ → abc
10 ⎕SE.Dyalog.Utils.layoutText 'the quick brown fox'  ⍝ → the quick ⏎ brown fox
'[',⎕SE.Dyalog.Utils.ExpandConfig'a/[NOWHERE]/b]'  ⍝ → [a//b]
⎕SE.Dyalog.Utils.nothing           ⍝ ! VALUE ERROR

⍝ Files that SALT.Load finds beside a script, or in lib
{}(⊂'Salted←{⍵+1}')⎕NPUT 'Salted.aplf'
⎕SE.SALT.Load 'Salted'             ⍝ → Salted
⎕SE.SALT.Load '[SALT]/Salted'      ⍝ → Salted
3↑⎕SE.SALT.Load 'nothing'          ⍝ → ***
n←⎕SE.SALT.Load 'dfns.apl -target=lib'
5 lib.to 7                         ⍝ → 5 6 7

⍝ Tatin: two packages, of which one was asked for and needs the other
put←{_←3 ⎕MKDIR⊃⎕NPARTS ⍵ ⋄ _←(⊂⍺)⎕NPUT ⍵ 1}
P←'packages/'
'{' '"packageID": ["acme-sums-1.2.0", "acme-base-0.3.1",],' ' "principal": [1, 0], // comment' '}' put P,'apl-buildlist.json'
(,⊂'{"name":"sums","group":"acme","version":"1.2.0","source":"APLSource","api":"API","io":0,"lx":"Init"}')put P,'acme-sums-1.2.0/apl-package.json'
(,⊂'acme-base-0.2.0')put P,'acme-sums-1.2.0/apl-dependencies.txt'
'r←Total x' 'r←##.base.Add/x' put P,'acme-sums-1.2.0/APLSource/API/Total.aplf'
'r←First' 'r←⎕IO' put P,'acme-sums-1.2.0/APLSource/API/First.aplf'
'Init' 'API.started←⎕THIS' put P,'acme-sums-1.2.0/APLSource/Init.aplf'
(,⊂'{name:"base",group:"acme",version:"0.3.1",source:"base.apln",/* none */ api:"base"}')put P,'acme-base-0.3.1/apl-package.json'
':Namespace base' 'Add←{⍺+⍵}' ':EndNamespace' put P,'acme-base-0.3.1/base.apln'
r←⎕SE.Tatin.LoadDependencies 'packages' '#.app'
app.sums.Total 1 2 3               ⍝ → 6
app.sums.First                     ⍝ → 0
app.⎕NC'base'                      ⍝ → 0
⍕app.sums.started                  ⍝ → #._tatin.acme_sums_1_2_0
_tatin.acme_base_0_3_1.base.(2 Add 3)  ⍝ → 5
r≡,app.sums                        ⍝ → 1
'tatin-packages'⎕NMOVE 'packages'
app2←⎕NS ⍬
r←⎕SE.Tatin.LoadPackages 'sums' app2
app2.sums.Total 4 5                ⍝ → 9
⎕SE.Tatin.LoadPackages 'acme-nothing' '#'   ⍝ ! FILE NAME ERROR: the package acme-nothing is not here, and none is fetched: put its folder into tatin-packages
⎕SE.Tatin.LoadDependencies 'nowhere' '#'    ⍝ ! FILE NAME ERROR: there are no packages in nowhere: it has no apl-buildlist.json

⍝ Cider: a project's folder
'{ // the project' 'CIDER: {' 'parent: "#.work",' 'projectSpace: "sales",' 'source: "src",' 'init: "Start",' 'dependencies: {tatin: "tatin-packages=Lib"},' '},' 'SYSVARS: {io: 0, ml: 1},' '}'put 'project/cider.config'
'tatin-packages'{⍵ ⎕NCOPY ⍺}'project/'
'Start' 'began←⎕IO,Lib.sums.Total 1 2' put 'project/src/Start.aplf'
'r←Twice x' 'r←2×x' put 'project/src/deep/Twice.aplf'
p←⎕SE.Cider.OpenProject 'project'
⍕p                                 ⍝ → #.work.sales
work.sales.began                   ⍝ → 0 3
work.sales.deep.Twice 4            ⍝ → 8
⎕SE.Cider.OpenProject 'nowhere'    ⍝ ! FILE NAME ERROR
⎕SE.Cider.ListOpenProjects 0       ⍝ →  #.work.sales  project
(⎕SE.Cider.ReadProjectConfigFile 'project').CIDER.source   ⍝ → src
{}⎕SE.Cider.OpenProject 'project'
⍴⎕SE.Cider.ListOpenProjects 1       ⍝ → 1 2
⎕SE.Cider.CloseProject '#.other'    ⍝ → 0
⎕SE.Cider.CloseProject '#.work.sales'   ⍝ → 1
⍴⎕SE.Cider.ListOpenProjects 0       ⍝ → 0 2
⎕SE.Cider.CloseProject ''           ⍝ → 0
(⎕SE.Tatin.ReadPackageConfigFile 'tatin-packages/acme-base-0.3.1/').api   ⍝ → base
⍕⎕SE.Tatin.LoadPackage 'base' '#.app3'  ⍝ → #._tatin.acme_base_0_3_1.base
app3.base.(2 Add 3)                 ⍝ → 5
⊃⎕SE.Link.Version                   ⍝ → 4
¯9↑⎕SE.Link.GetFileName '#.work.sales.Start'   ⍝ → tart.aplf
⎕SE.Link.GetFileName '#.nothing' '#.p'  ⍝ →
