#!/bin/sh
# SPDX-License-Identifier: MIT
# repl.sh VAPL - the session at a terminal, as a person sees it: what tmux's screen shows after
# keys are typed. Skipped (exit 77) where tmux is missing or the build has no line editing.
vapl=$(realpath "${1:?usage: repl.sh path/to/vapl}")
command -v tmux >/dev/null || { echo "repl.sh: no tmux, skipped"; exit 77; }
ldd "$vapl" | grep -q libedit || { echo "repl.sh: built without libedit, skipped"; exit 77; }

dir=$(mktemp -d)
tmux -f /dev/null -S "$dir/try" new-session -d true 2>/dev/null ||
  { rm -rf "$dir"; echo "repl.sh: no terminal can be made here, skipped"; exit 77; }
failed=0 passed=0 terminal=0 mux=
trap 'stop; rm -rf "$dir"' EXIT

start() { # in a fresh terminal; LC_ALL=POSIX: the program has to see to UTF-8 itself
  terminal=$((terminal + 1)) # a server of its own: the one before may still be ending
  mux="tmux -f /dev/null -S $dir/tmux-$terminal"
  $mux -u new-session -d -x 100 -y 40 \
    "env LC_ALL=$1 EDITOR='$dir/ed -x' TMPDIR=$dir/tmp HOME=$dir XDG_STATE_HOME=$dir/state XDG_CONFIG_HOME=$dir/config '$vapl' --device host; echo left with \$?; cat"
}
stop() { [ -z "$mux" ] || $mux kill-server 2>/dev/null; mux=; }
text() { $mux send-keys -l -- "$1"; }
# An entry is typed when the cursor stands behind six blanks: what is typed ahead would be echoed
# by the terminal itself.
prompt() {
  for _ in $(seq 600); do
    [ "$($mux display-message -p '#{cursor_x}')" = 6 ] && return
    sleep 0.02
  done
  echo "FAIL no prompt before: $1"; failed=$((failed + 1))
}
entry() { prompt "$1"; text "$1"; }
key() { $mux send-keys "$@"; }
screen() { $mux capture-pane -p; }

# see WHAT PATTERN: waits until a line of the screen matches the whole PATTERN (grep -x).
see() {
  for _ in $(seq 600); do
    if screen | sed 's/ *$//' | grep -qxe "$2"; then passed=$((passed + 1)); return; fi
    sleep 0.05
  done
  echo "FAIL $1: no line '$2' on the screen:"; screen | sed '/^ *$/d; s/^/    |/'
  failed=$((failed + 1))
}
# count WHAT N PATTERN: waits until exactly N lines match.
count() {
  for _ in $(seq 600); do
    n=$(screen | sed 's/ *$//' | grep -cxe "$3")
    if [ "$n" = "$2" ]; then passed=$((passed + 1)); return; fi
    sleep 0.05
  done
  echo "FAIL $1: $n lines '$3', expected $2:"; screen | sed '/^ *$/d; s/^/    |/'
  failed=$((failed + 1))
}

mkdir -p "$dir/config/vapl"
cat > "$dir/config/vapl/init.apl" <<'END'
)NOSUCH
1+
]box -style=mid
helper←{
  ⍵×2
}
'init ran' ⋄ fromit←6×7
END

start POSIX
see "banner" 'vapl .*'
see "a bad line of init.apl says so" '.*init.apl:1:1: SYNTAX ERROR: )NOSUCH is no command.*'
see "another" '.*init.apl:2:3: SYNTAX ERROR.*'
see "init.apl runs before the prompt" 'init ran'
entry '+/`i10'; key Enter
see "six blanks, the prefix key gives a glyph" '      +/⍳10'
see "output is flush left" '55'
entry 'fromit'; key Enter
see "what init.apl assigned is there" '42'
entry '2`-3`=4'; key Enter
see "glyphs with the keys - and =" '      2×3÷4'
see "their value" '1\.5'

entry 'double`[{'; key Enter
entry '2`-`w'; key Enter
entry '}'; key Enter
entry 'double 21'; key Enter
see "an open brace goes on over lines" '      double 21'
count "the value of fromit, and of the function" 2 '42'

# What was typed is shown in colours of its glyphs, and an error in one.
painted() { $mux capture-pane -p -e; }
shows() { # WHAT PATTERN
  if painted | grep -qe "$2"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL $1: no line like $2 in"; painted | cat -v; fi
}
entry "+/⍳3 ⍝ a note"; key Enter
see "a line with a note" '      +/⍳3 ⍝ a note'
see "its value" '6'
e=$(printf '\033')
shows "its glyphs have colours" "$e\\[36m+$e\\[35m/$e\\[36m⍳$e\\[39m3 $e\\[90m⍝ a note"
entry '1÷0'; key Enter
see "an error" 'DOMAIN ERROR.*'
shows "an error is red" "$e\\[31mDOMAIN ERROR"

prompt Up; key Up; key Up
key Up; key Up
see "Up recalls the whole block" '      double←{'
count "twice on the screen now" 2 '      double←{'
key C-c
entry '7+`'; key '`'; text '8'; key Enter
see "prefix twice is the diamond; Ctrl-C has dropped what was typed" '      7+⋄8'

entry '1+'
see "a line is being typed" '      1+'
key C-c
entry '90+9'; key Enter
see "Ctrl-C drops the line, the session lives" '99'
entry 'loop`[{`g `w+1}'; key Enter
entry "'it runs' \`\` loop 0"; key Enter
see "the loop is running" 'it runs'
key C-c
see "Ctrl-C stops what runs" '.*INTERRUPT.*'
entry '30+3'; key Enter
see "and the session goes on" '33'
entry '1`=0'; key Enter
see "an error shows its name" 'DOMAIN ERROR.*'
entry '44-0'; key Enter
see "and the session goes on" '44'

entry '`'; key Tab
see "the table of glyphs" '.*`i ⍳ iota.*'
text 'r2 3'; key Enter
see "behind which the prefix is still on" '      ⍴2 3'
entry 'tri`[{'; key Enter
entry '3`-`w'; key Enter
entry '}'; key Enter
prompt Up; key Up; key Up; key BSpace; text '4'; key Down; key Enter
see "Up moves within a recalled block" '      4×⍵'
prompt C-c; key C-c
entry '40+2'; key Enter
see "a value" '42'
entry '2`-`l_'; key Enter
see "the last value is ⎕_" '84'
entry "'$(printf '%.0sabcdefgh' $(seq 15))'"
$mux resize-window -x 60 -y 40
text ',5'; sleep 0.3
count "a resize draws a long entry again, once" 1 "      'abcdefgh.*"
key Enter
see "and it runs" "abcdefgh.*"
$mux resize-window -x 100 -y 40
entry '5`'; key Tab; text '-6'; key Enter
see "the entry survives the table" '30'
entry '+/iota'; key Tab; text '4'; key Enter
see "the name of a glyph becomes the glyph" '      +/⍳4'
see "and works" '10'
entry 'sum'; key Tab; text '3 4'; key Enter
see "so does the name of a primitive, or of a task" '      +/3 4'
entry '2 2 resha'; key Tab; key Tab; text '7'; key Enter
see "which Tab completes first" '      2 2 ⍴7'
entry 'fro'; key Tab; text '+1'; key Enter
see "Tab completes names" '      fromit+1'
see "to the right one" '43'

entry '`lsig'; key Tab; text ' 6'; key Enter
see "Tab completes ⎕-names, in either case" '      ⎕sigNAL 6'
see "to one that is there" 'VALUE ERROR'
entry ']devi'; key Tab; key Enter
see "and commands" '      \]device'
echo '1+1' >"$dir/few[1].apl"
entry ")load $dir/few"; key Tab; key Enter
see "files behind )LOAD" "      )load $dir/few\\[1\\].apl"
entry "≢⎕NGET '$dir/few"; key Tab; text "'"; key Enter
see "and in quotes" "      ≢⎕NGET '$dir/few\\[1\\].apl'"

entry ']time -3 +/`i3000000'; key Enter
see "]time -n shows the median" 'median .*, best .* of 3 runs.*'
see "and how near to a copy it is" "memory .* GB/s: .* of a copy's .*"
entry ']time -3'; key Enter
see "]time of a negative number is what it was" '[0-9.]* [µm]s'

entry 'n`[1+`l'; key Enter
see "⎕ asks" '⎕:'
entry '6`-7'; key Enter
entry 'n+100'; key Enter
see "and evaluates what is typed" '143'
entry '`{`['"'name: ' "'`` t`[`{ `` t,'"'.'"; key Enter
see "⍞← is the prompt of ⍞" 'name:'
text 'Noether'; key BSpace; key BSpace; text 'er'; key Enter
see "and editing leaves it alone" 'name: Noether'
see "the prompt is a part of what was typed" 'name: Noether.'
entry 'n`[`l'; key Enter
see "⎕ asks again" '      n←⎕'
prompt "⎕ asks again"
key C-c
see "Ctrl-C stops the input" 'INTERRUPT.*'
entry '200+22'; key Enter
see "the session goes on" '222'

# A paste in brackets is one entry, even with line breaks in it.
prompt paste
$mux set-buffer "p←3
p×p+1"
$mux paste-buffer -p
key Enter
see "a pasted block runs as one" '12'
prompt C-d
key C-d
see "Ctrl-D leaves" 'left with 0'
stop

start C.UTF-8
see "banner" 'vapl .*'
prompt Up
key Up
see "the history is kept between sessions" '      p←3'
key C-c
prompt C-r
key C-r; text 'double 2'; key Enter
see "Ctrl-R finds the earlier entry" '.*double 21'
see "the function is gone: an error, not an end" 'VALUE ERROR.*'
entry ')OFF'; key Enter
see ")OFF leaves" 'left with 0'
stop

# Undo and redo.
start C.UTF-8
see "banner" 'vapl .*'
entry '11+22 '; text '+33'; key C-_; text '1'; key Enter
see "Ctrl-_ takes back what was typed last" '      11+22 1'
entry '5-'; text '4'; key Home; key C-k; key C-_; key Enter
see "and what was deleted" '1'
entry '700'; key C-u; key C-_; key M-_; text '8+8'; key Enter
see "Alt-_ does it again" '      8+8'
see "and it runs" '16'

# The person's editor, which here is sed: the file is private, and gone afterwards.
cat > "$dir/ed" <<'END'
#!/bin/sh
[ "$1" = -x ] && shift
ls -ld "$1" "${1%/*}" | cut -c1-10 | tr '\n' ' '
echo "edits ${1##*/}"
sed -i -f "${0%/*}/sed" "$1"
stty raw -echo
END
chmod +x "$dir/ed"; mkdir "$dir/tmp"
cat > "$dir/sed" <<'END'
s/x+1$/x+(/
t
s/x+($/x+100/
s/⍵×2/⍵×20/
s/^ *3 4/7 8/
s/abc/abd/
s/z←3/z←33/
s/^new/r←new y\nr←-y/
END
entry "⊢⎕FX 'r←f x' 'r←x+1'"; key Enter
see "a function is made" 'f'
entry ')ED f'; key Enter
see "the editor has its file, which is private" 'drwx------ -rw------- edits f\.aplf'
see "what cannot be defined is shown" 'f\.aplf:2:5: SYNTAX ERROR: ( is not closed'
see "and offered again" 'edit it again? \[y\]/n'
key Enter
entry 'f 1'; key Enter
see "and what was mended defined" '101'
entry 'g←{⍵×2}'; key Enter
entry ']edit g'; key Enter
see "a dfn, too" '.* edits g\.aplf'
entry 'g 2'; key Enter
see "which is another now" '40'
entry "m←2 2⍴1 2 3 4 ⋄ t←'abc' ⋄ ns←⎕NS⍬ ⋄ ns.z←3"; key Enter
entry ")ed m t ns"; key Enter
see "arrays in array notation" '.* edits m\.apla'
see "characters as they are" '.* edits t\.txt'
see "a namespace as a script" '.* edits ns\.apln'
entry 't,(,m),ns.z'; key Enter
see "all changed" 'abd 1 2 7 8 33'
entry ')ED new'; key Enter
entry 'new 5'; key Enter
see "something new" '¯5'
entry '∇f'; key Enter
see "∇ and the name alone edit it, too" '      ∇f'
entry "'files:',⍕≢⎕SH'ls $dir/tmp'"; key Enter
see "no file is left" 'files:0'

# A person is asked for the lines of ∇f[…] by their numbers.
entry '∇f[⎕]'; key Enter
see "the lines are shown" '\[1\]   r←x+100'
see "and one is asked for" '\[2\]'
text '[1.1] r←r×2'; key Enter
see "by its number" '\[1\.2\]'
text 'r←(r'; key Enter
text '∇'; key Enter
see "what cannot be defined says so" '.*SYNTAX ERROR: ( is not closed'
text '[1.2] r←r-1'; key Enter; text '∇'; key Enter
entry 'f 0'; key Enter
see "and is mended" '199'
entry '∇f[1]'; key Enter
see "a line is asked for" '\[1\]'
key C-c
see "Ctrl-C leaves it as it was" 'INTERRUPT.*'
entry 'f 0+0'; key Enter
count "as it was" 2 '199'
stop

# Functions that are suspended. glyphs are typed as they are.
define() { for l in "$@"; do entry "$l"; key Enter; done; }
start C.UTF-8
see "banner" 'vapl .*'
define '∇ r←f x;y' 'y←x+1' 'r←÷y-4' '∇' '∇ r←g x' 'r←10+f x' '∇' 'g 3'
see "an error in a function between ∇ shows" 'f\[2\] r←÷y-4'
entry 'y+100'; key Enter
see "its names are there" '104'
entry ')SI'; key Enter
see "it is suspended" '#\.f\[2\]\*'
see "and was called" '#\.g\[1\]'
entry ')SINL'; key Enter
see "with its names" '#\.f\[2\]\*  *r  *x  *y'
entry '⎕SI'; key Enter
see "⎕SI" ' f  g'
entry '⎕LC'; key Enter
see "⎕LC" '2 1'
entry ']locals'; key Enter
see "]locals" '  y       4'
entry "y←8 ⋄ 'set'"; key Enter
see "a name is assigned" 'set'
entry '→⎕LC'; key Enter
see "→⎕LC repeats the line" '10.25'
entry "≢⎕SI"; key Enter
see "nothing is suspended any more" '0'
define 'g 3' "'again',⍕≢⎕SI"
see "it fails again" 'again2'
define 'y←77 ⋄ g 3' "'again',⍕≢⎕SI"
see "what is run in a suspended function is suspended too" 'again4'
entry '→'; key Enter
entry 'y+0.5'; key Enter
see "→ gives the newer one up" '77.5'
define '∇ r←f x' 'r←¯1' '∇' '→1' "'old lines',⍕y"
see "a new definition leaves the lines of what runs" 'old lines4'
entry ')SAVE x'; key Enter
see ")SAVE asks for )RESET" 'NONCE ERROR: )SAVE while.*'
entry ')RESET'; key Enter
entry '⎕←≢⎕SI ⋄ g 3'; key Enter
see ")RESET gives up all, and the new definition is there" '9'
entry 'y'; key Enter
see "the name is not" 'VALUE ERROR: y has no value'
stop

start C.UTF-8
see "banner" 'vapl .*'
define '∇ r←h x;a' 'a←x' ':While 1' 'a←a+1' ':EndWhile' '∇' 'h 1'
sleep 0.5
key C-c
see "Ctrl-C suspends" 'h\[[234]\].*'
entry 'a>1'; key Enter
see "its names are there" '1'
define '→0' '∇ r←k x' 'r←x×2' 'r←r+1' '∇' "0 2 ⎕STOP 'k'" 'k 5'
see "a stop" 'k\[2\]'
entry 'r'; key Enter
see "before its line" '10'
entry '→⎕LC'; key Enter
see "and before the end" 'k\[0\]'
entry 'r←44 ⋄ →⎕LC'; key Enter
see "the result" '44'
define "⍬ ⎕STOP 'k'" "1 ⎕TRACE 'k'" 'k 6'
see "a traced line" ' k\[1\]  12'
define "2 ⎕STOP 'k'" '∇ r←m' ':Trap 1001' 'r←k 1' ':Else' "r←'trapped'" ':EndTrap' '∇' 'm'
see "a stop is caught" 'trapped'
define '∇ r←k x' 'r←{z←⍵,1 ⋄ ÷0×⊃z}x' '∇' 'k 9' ']locals'
see "the names of a dfn that a suspended function called" '  z       9 1'
see "and its own" '  x       9'
define '→' 'd←{v←⍵,7 ⋄ ÷0×⊃v}' 'd 3' ']locals'
see "what it had named" '  v       3 7'
define 'q←3 ⋄ {b←⍵ ⋄ {÷⍵}b}0' ')SINL'
see "a dfn without a name has none" '\[0\]'
entry ']locals'; key Enter
see "its caller" '  b       0'
define '⍵'
entry ']locals'; key Enter
see "is there until the next entry" 'no call has failed.*'
define '{0::5 ⋄ d ⍵}1'
see "guards come first" '5'
define '∇ t' '÷0' '∇' '⎕←1⊣{0::2 ⋄ t}0' 't'
see "in functions by ∇ too" 't\[1\] ÷0'
prompt "end"; key C-d
see "Ctrl-D leaves a suspended function" 'left with 0'
stop

start C.UTF-8
see "banner" 'vapl .*'
define '∇ t' '÷0' '∇' 't' 't' ')OFF'
see ")OFF leaves suspended functions" 'left with 0'
stop

# What would steer the terminal is shown, wherever it comes from.
touch "$dir/$(printf 'e\033]0;a')" "$dir/$(printf 'e\033]0;b')"
start C.UTF-8
see "banner" 'vapl .*'
entry '⎕UCS 97 27 91 51 49 109 7 127 155 8238 98'; key Enter
see "control characters in a value" 'a^\[\[31m^G^?<U+009B><U+202E>b'
entry '⎕←(⎕UCS 27 99)1'; key Enter
see "… in a nested one" ' ␛c  1'
entry "⎕NGET ⎕UCS 47 27 93 48 59 7"; key Enter
see "… in a message" 'FILE NAME ERROR: ⎕NGET: /^\[\]0;^G: No such file or directory'
entry "⎕←⍞⊣⍞←⎕UCS 27 99 58"; key Enter
see "… in a prompt" '\^\[c:'
text 'typed'; key Enter
see "… and what is typed behind it" '.*typed'
entry ")load $dir/e"; key Tab; key Tab
see "… in names of files" ".*e^\\[\]0;a.*"
key C-c
entry '1 ⎕PW'; key C-a; key C-k; text "⍎'1',(⎕UCS 27),'+÷0'"; key Enter
see "the caret stands under its place" '      1^\[+÷0'
stop

start 'POSIX NO_COLOR=1'
see "banner" 'vapl .*'
entry '1÷0'; key Enter
see "an error without colours" 'DOMAIN ERROR.*'
if painted | grep -q "$e\\[3"; then failed=$((failed + 1)); echo "FAIL NO_COLOR: $(painted | cat -v)"; else passed=$((passed + 1)); fi
stop

echo "repl.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
