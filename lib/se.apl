⍝ SPDX-License-Identifier: MIT
⍝ se.apl - what ⎕SE has besides the names that the program itself defines: run in ⎕SE when that is first named. Without this
⍝ file ⎕SE is there, and these names are not. Nothing here reaches the network: packages lie on the disk, or are not found.
⎕IO←1 ⋄ ⎕ML←1

⍝ ── ⎕SE.Dyalog.Utils ──

Dyalog.Utils.lcase←{¯1 ⎕C ⍵}
Dyalog.Utils.ucase←{1 ⎕C ⍵}
Dyalog.Utils.layoutText←{ ⍝ the words of a text in lines of at most ⍺ columns, as a matrix
  ⍺←⎕PW ⋄ most←⍺
  lines←{0=≢⍵:⍺ ⋄ n←1⌈+/most≥¯1++\1+≢¨⍵ ⋄ (⍺,⊂1↓∊' ',¨n↑⍵)∇ n↓⍵}
  ↑(0⍴⊂'')lines(⍵≠' ')⊆⍵
}
Dyalog.Utils.repObj←{⎕SE.Dyalog.Array.Serialise ⍵} ⍝ an array as text
Dyalog.Utils.ExpandConfig←{ ⍝ a text with the values of the variables that are named in [ ]
  i←⍵⍳'[' ⋄ j←⍵⍳']'
  (i≥j)∨j>≢⍵:⍵
  name←(i↓(j-1)↑⍵)
  ((i-1)↑⍵),(⎕ENV name),∇ j↓⍵
}
Dyalog.Utils.CD←{⎕SE.UCMD'cd ',⍵}

⍝ ── ⎕SE.Link ──

Link.Version←'4.0.0' ⍝ of the Link whose conventions these are
Link.GetFileName←{(326=⎕DR ⍵)∧1<|≡⍵:∇¨⍵ ⋄ 4⊃5179⌶⍵} ⍝ the file that a name came from; empty if none

⍝ ── files of packages and projects ──

json←{(⎕JSON⍠'Dialect' 'JSON5')⊃⎕NGET ⍵} ⍝ the namespace of a file in JSON, with what JSON5 allows besides
setting←{ ⍝ the value at the end of a path of names, with points between, in a namespace; ⍺ if it has none
  (ns path)←⍵ ⋄ names←'.'(≠⊆⊢)path
  0=≢names:ns
  9≠⎕NC'ns':⍺
  ~(⊂⊃names)∊ns.⎕NL ¯2 ¯9:⍺
  ⍺ ∇(ns⍎⊃names)(1↓∊'.',¨1↓names)
}
bare←{'/'=⊃⌽⍵:¯1↓⍵ ⋄ ⍵} ⍝ a folder's name without a slash at its end
space←{ ⍝ the namespace that ⍵, a reference or a path of names, is in the namespace ⍺; made if it is not there
  9=⎕NC'⍵':⍵
  names←'.'(≠⊆⊢)⍵
  0=≢names:⍺
  (,'#')≡⊃names:# ∇ 1↓∊'.',¨1↓names
  _←{0=⍺.⎕NC ⍵:⍵ ⍺.⎕NS ⍬ ⋄ ⍵}
  _←⍺ _⊃names
  (⍺⍎⊃names)∇ 1↓∊'.',¨1↓names
}

⍝ ── ⎕SE.Tatin: packages ──
⍝
⍝ A package is a folder group-name-version with a file apl-package.json; in apl-dependencies.txt are those that it needs. Where
⍝ several lie in one folder, its apl-buildlist.json says which they are, packageID, and which of them were asked for, principal.
⍝ A package is imported into #._tatin.group_name_version, and a reference to that, or to its api there, stands where it is used.

:Namespace Tatin
  ⎕IO←1 ⋄ ⎕ML←1
  parts←{'-'(≠⊆⊢)⍵}
  ∇ r←folder Package id;in;said;report;lx;need;name;ids
   ⍝ the package of a folder, imported if it is not there yet
    name←id ⋄ ((id∊'-.')/name)←'_'
    in←# ##.space'_tatin.',name
    said←##.json folder,'/',id,'/apl-package.json'
    :If 0=in.⎕NC'∆loaded'
      in.∆loaded←id
      in.⎕IO←1 ##.setting said'io'
      in.⎕ML←1 ##.setting said'ml'
      :For need :In folder Needs id
        name←2⊃parts need
        :If ∨/'='=need ⋄ name←(¯1+need⍳'=')↑need ⋄ need←(need⍳'=')↓need ⋄ :EndIf
        ⍎'in.',name,'←folder Package folder Find need'
      :EndFor
      report←⎕SE.Link.Import in(folder,'/',id,'/',''##.setting said'source')
      report ⎕SIGNAL(∨/'ERRORS ENCOUNTERED'⍷report)/11
      lx←''##.setting said'lx'
      :If 0<≢lx ⋄ {}in⍎lx,' ⋄ 0' ⋄ :EndIf
    :EndIf
    r←in ##.space''##.setting said'api'
  ∇
  ∇ r←folder Needs id;file
    file←folder,'/',id,'/apl-dependencies.txt'
    r←0⍴⊂''
    :If ⎕NEXISTS file ⋄ r←(⊂' ')~¨⍨⊃⎕NGET file 1 ⋄ r←(0<≢¨r)/r ⋄ :EndIf
  ∇
  ∇ r←folder Find id;there;fits
   ⍝ the package in the folder that is called so, as a whole, or without its version, or without its group
    there←{⊃,/1↓⎕NPARTS ⍵}¨⊃(⎕NINFO⍠'Wildcard' 1)folder,'/*'
    fits←(id∘≡¨there)∨((id,'-')∘{⍺≡(≢⍺)↑⍵}¨there)∨∨/¨(⊂'-',id,'-')⍷¨there,¨'-'
    :If 3=≢parts id ⋄ fits∨←(⊂id){(¯1↓parts ⍺)≡¯1↓parts ⍵}¨there ⋄ :EndIf
    :If ~∨/fits
      ('the package ',id,' is not here, and none is fetched: put its folder into ',folder)⎕SIGNAL 22
    :EndIf
    r←(fits/there)⊃⍨⊃⍒fits/there
  ∇
  ∇ r←LoadDependencies args;folder;ns;list;id;ref
   ⍝ the packages of a folder that were asked for, into a namespace: references to them
    (folder ns)←2↑(,⊂⍣(1≥|≡args)⊢args),⊂'#'
    folder←##.bare folder ⋄ ns←# ##.space ns
    ('there are no packages in ',folder,': it has no apl-buildlist.json')⎕SIGNAL(~⎕NEXISTS folder,'/apl-buildlist.json')/22
    list←##.json folder,'/apl-buildlist.json'
    r←0⍴⊂⍬
    :For id :In ((≢list.packageID)⍴1 ##.setting list'principal')/list.packageID
      ref←folder Package folder Find id
      ⍎'ns.',(2⊃parts id),'←ref'
      r,←ref
    :EndFor
  ∇
  ∇ r←LoadPackage args
   ⍝ one package by its name: its reference
    r←⊃LoadPackages args
  ∇
  ∇ r←ReadPackageConfigFile path
   ⍝ the namespace of a package's folder, or of the file itself
    path←##.bare path
    r←##.json path,(~'.json'≡¯5↑path)/'/apl-package.json'
  ∇
  ∇ r←LoadPackages args;ids;ns;id;ref;places;here;found
   ⍝ packages by their names, from tatin-packages here or in the home folder
    (ids ns)←2↑(,⊂⍣(1≥|≡args)⊢args),⊂'#'
    ids←' ,'((~∊⍨)⊆⊢)⍣(1≥|≡ids)⊢ids
    ns←# ##.space ns
    places←'tatin-packages'((⎕ENV'HOME'),'/.local/share/vapl/tatin-packages')
    r←0⍴⊂⍬
    :For id :In ids
      here←(⎕NEXISTS¨places)/places
      ('the package ',id,' is not here, and none is fetched: make a folder tatin-packages and put it there')⎕SIGNAL(0=≢here)/22
      found←(⊃here)Find id
      ref←(⊃here)Package found
      ⍎'ns.',(2⊃parts found),'←ref'
      r,←ref
    :EndFor
  ∇
:EndNamespace

⍝ ── ⎕SE.Cider: projects ──

:Namespace Cider
  ⎕IO←1 ⋄ ⎕ML←1
  projects←0 2⍴⊂'' ⍝ of each that is open its namespace and its folder
  ∇ r←ListOpenProjects verbose
    r←projects
  ∇
  ∇ r←CloseProject names;which
   ⍝ forgets projects, by the names of their namespaces or by their folders; '' means all: how many there were
    names←,⊂⍣(1≥|≡names)⊢names
    which←(0=≢∊names)∨∨/projects∊names
    projects⌿⍨←~which
    r←+/which
  ∇
  ∇ r←ReadProjectConfigFile path
   ⍝ the namespace of a project's cider.config
    path←##.bare path
    r←##.json path,(~'.config'≡¯7↑path)/'/cider.config'
  ∇
  ∇ r←OpenProject path;said;cider;ns;source;report;list;one;to;init
   ⍝ makes the namespace that the folder's cider.config says, with its source and its packages, and calls its init
    path←##.bare⊃,⊂⍣(1≥|≡path)⊢path
    said←ReadProjectConfigFile path
    cider←said ##.setting said'CIDER'
    ns←(# ##.space'#'##.setting cider'parent')##.space''##.setting cider'projectSpace'
    ns.⎕IO←1 ##.setting said'SYSVARS.io'
    ns.⎕ML←1 ##.setting said'SYSVARS.ml'
    source←''##.setting cider'source'
    report←⎕SE.Link.Import ns(path,(0<≢source)/'/',source)
    report ⎕SIGNAL(∨/'ERRORS ENCOUNTERED'⍷report)/11
    list←''##.setting cider'dependencies.tatin'
    :For one :In ','(≠⊆⊢)list
      (one to)←2↑('='(≠⊆⊢)one),⊂''
      {}⎕SE.Tatin.LoadDependencies(path,'/',one)(ns ##.space to)
    :EndFor
    init←''##.setting cider'init'
    :If 0<≢init
      {}ns⍎init,((0≠2⊃⊃,ns.⎕AT init)/' ⍬'),' ⋄ 0'
    :EndIf
    r←ns
    projects⌿⍨←projects[;1]≢¨⊂⍕ns
    projects⍪←(⍕ns)path
  ∇
:EndNamespace
