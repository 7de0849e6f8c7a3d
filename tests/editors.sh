#!/bin/bash
# SPDX-License-Identifier: MIT
# editors.sh [BUILD] - does Vim colour a line as the tables say, and type glyphs; is what VS Code
# reads JSON, and does its engine find the lexer's tokens, where that is installed? Does tree-sitter's grammar pass its
# tests, and parse every file that vapl does?
cd "$(dirname "$0")/.." || exit 2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0 failed=0
is() { # WHAT GOT WANTED
  if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)); printf 'FAIL %s\n  wanted: %s\n  got:    %s\n' "$1" "$3" "$2"; fi
}

if command -v python3 >/dev/null; then
  for f in editors/{vscode,vscode/*,tree-sitter}/*.json; do
    python3 -m json.tool "$f" >/dev/null
    is "$f" $? 0
  done
fi
mkdir "$out/bin"
printf '#!/bin/sh\nexit 1\n' >"$out/bin/npm"
chmod +x "$out/bin/npm"
if command -v python3 >/dev/null; then
  PATH=$out/bin:$PATH packaging/vsix.sh >"$out/vsix" 2>/dev/null
  is 'a .vsix without npm' "$(python3 -m zipfile -l "$(cat "$out/vsix")" | grep -cE '^(extension.vsixmanifest|\[Content_Types\].xml|extension/(package.json|extension.js|syntaxes/vapl.tmLanguage.json)) ')" 5
fi
! command -v node >/dev/null || is 'the extension' "$(node --check editors/vscode/extension.js 2>&1)" ''
vapl=${1:-build/release}/vapl engine="require('vscode-textmate');require('vscode-oniguruma')"
if [ -x "$vapl" ] && node -e "$engine" 2>/dev/null; then
  node tests/grammar.js "$vapl" tests/lang/*.apl examples/*.apl
  is 'tokens in VS Code' $? 0
else echo 'editors: the grammar is not tried, node with vscode-textmate and vscode-oniguruma is missing'; fi
if command -v tree-sitter >/dev/null && [ -x "$vapl" ]; then
  cp -r editors/tree-sitter "$out"
  export XDG_CACHE_HOME=$out/cache TREE_SITTER_DIR=$out
  (cd "$out/tree-sitter" && sh -c "$(sed -n 's/.*"test": "\(.*\)".*/\1/p' package.json)") >"$out/tests" 2>&1
  is 'the tests of the grammar of tree-sitter' "$?$(grep -E '✗|Caused' "$out/tests")" 0
  for f in tests/lang/*.apl examples/*.apl examples/*/*.apl* lib/*.apl*; do
    case $f in */line_editor.apl) continue ;; esac # ∇f[2] is no part of the grammar
    "$vapl" --check "$f" >/dev/null 2>&1 && realpath "$f"
  done >"$out/files"
  is 'files that tree-sitter cannot parse' "$(cd "$out/tree-sitter" && tree-sitter parse -q --paths "$out/files" 2>/dev/null)" ''
  echo "editors: tree-sitter parses $(wc -l <"$out/files") files"
else echo 'editors: the grammar of tree-sitter is not tried, tree-sitter (tree-sitter-cli from Debian 13 on) is missing'; fi
command -v vim >/dev/null && vim --version | grep -q +syntax ||
  { echo "$passed passed, $failed failed"; echo 'editors: Vim is missing'; exit $((failed > 0)); }

# Each character and the first letter of its group: Name, Function, Operator, Mark, nUmber …
cat >"$out/a.apl" <<'END'
m←{(+/⍵)÷≢⍵} ⍝ it's
x1←¯1.5E3 .5 'it''s' ⎕io ⎕FOO a+.×b∘.-c
]plan x⍝'
]planx^
END
printf 'x←1\n y←(2\nz←3 ]\n' >"$out/wrong.apl"
cat >"$out/show.vim" <<END
set nocompatible encoding=utf-8 runtimepath+=$PWD/editors/vim
filetype plugin on
syntax on
edit $out/a.apl
let shown = []
for l in range(1, line('\$'))
  let o = ''
  let c = 1
  while c <= len(getline(l))
    let name = synIDattr(synID(l, c, 1), 'name')
    let o .= name == '' ? '.' : name == 'vaplNumber' ? 'n' : name == 'vaplComment' ? '#' : name[4]
    let c += len(matchstr(getline(l)[c - 1:], '^.'))
  endwhile
  call add(shown, o)
endfor
call add(shown, &filetype . maparg('\`i', 'i') . maparg('\`<Bar>', 'i') . maparg('\`\`', 'i'))
edit $out/wrong.apl
silent make
for e in getqflist()
  call add(shown, e.lnum . ' ' . e.col . ' ' . e.text)
endfor
call writefile(shown, '$out/shown')
qall!
END
PATH=$(realpath "${vapl%/*}"):$PATH LC_ALL=C.UTF-8 timeout 30 vim -E -s -u "$out/show.vim" </dev/null >/dev/null 2>&1
mapfile -t shown <"$out/shown"
is 'a dfn' "${shown[0]}" 'NM..FOM.FFM..######'
is 'a line' "${shown[1]}" 'NNMnnnnnn.nn.SSSSSSS.SSS.UUUU.NFOFNOOFN'
is 'a command' "${shown[2]}" 'CCCCCCC##'
is 'none' "${shown[3]}" '.NNNNNF'
is 'keys' "${shown[4]}" 'vapl⍳⊣⋄'
is 'an error that :make shows' "${shown[5]}" '2 4 SYNTAX ERROR: ( is not closed'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
