#!/bin/sh
# SPDX-License-Identifier: MIT
# cli.sh VAPL - the command line: options, scripts, pipes, what goes to which stream, exit codes.
vapl=$(realpath "${1:?usage: cli.sh path/to/vapl}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
unset VAPL_DUMP VAPL_TUNE
failed=0 passed=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAIL %s\n' "$*"; }

# t WHAT CODE STDOUT STDERR COMMAND…: the exact standard output; STDERR is a pattern for each of
# its lines in turn (grep -x), '' for none at all. Standard input is the file `in`.
: > in
t() {
  what=$1 code=$2 out=$3 err=$4
  shift 4
  "$@" < in > got.out 2> got.err
  got=$?
  [ "$got" = "$code" ] || fail "$what: exit code $got, expected $code: $(cat got.err)"
  [ "$got" = "$code" ] && pass
  if [ "$(cat got.out)" = "$out" ]; then pass; else fail "$what: printed '$(cat got.out)', expected '$out'"; fi
  if [ -z "$err" ]; then
    if [ -s got.err ]; then fail "$what: on standard error: $(cat got.err)"; else pass; fi
    return
  fi
  printf '%s\n' "$err" > want.err
  n=0
  while IFS= read -r pattern; do
    n=$((n + 1))
    if sed -n "${n}p" got.err | grep -qxe "$pattern"; then pass; else
      fail "$what: line $n of standard error is '$(sed -n "${n}p" got.err)', expected '$pattern'"; fi
  done < want.err
}

# ⍞
printf '\303\251\nab\351\n' > quote
t "⍞ takes UTF-8" 0 é '' sh -c "'$vapl' -e '⍞' <quote"
t "⍞ refuses what is none" 1 '1' '-e.*:1:2: DOMAIN ERROR: ⍞: the byte 233 at offset 2 is not UTF-8' sh -c "'$vapl' -e '≢⍞' -e '≢⍞' <quote"
t "⍞ refuses a line that is too long" 1 '' '-e:1:.*: LIMIT ERROR.*' sh -c "head -c 70000 /dev/zero | tr '\0' x | '$vapl' -e '≢⍞'"

# --safe
for e in "⎕NGET 'in'" "'a'⎕NPUT 'x'" "⎕NEXISTS 'in'" "⎕NDELETE 'in'" "⎕MKDIR 'x'" "⎕NINFO 'in'" "1 ⎕NPARTS 'in'" "'x'⎕FCREATE 0" "'in'⎕FSTIE 0" "⎕FLIB ''" "⎕FCHK 'in'" "⎕SQL 'in'" "⎕SQL ''" \
  "'in'⎕NTIE 0" "'in'⎕NTIE 0 0" "'x'⎕NCREATE 0" "⎕MAP 'in'" "⎕CSV 'in'" "(1 1⍴1)⎕CSV 'x'" "⎕NPY 'in'" "1 ⎕NPY 'x'" "⎕NPZ 'in'" \
  "⎕IMG 'in'" "(1 1⍴1)⎕IMG 'x.pgm'" "⎕SAVE 'x'" "⎕LOAD 'x'" "⎕CY 'x'" "⎕FIX 'file://in'" ; do
  t "--safe: $e" 1 '' '-e:1:.*: FILE ACCESS ERROR: .* is not permitted here' "$vapl" --safe -e "$e"
done
for e in ')SAVE x' ')LOAD in' ')COPY in' ')PCOPY in' ']save x' ']plot x.svg 1 2'; do
  t "--safe: $e" 1 '' '-e:1:1: FILE ACCESS ERROR: .* is not permitted here' "$vapl" --safe -e "$e"
done
for e in "⎕SH 'ls'" "⎕SHELL 'ls'" "⎕CMD 'ls'" "⎕NA 'I4 |getpid'" "⎕HTTP 'none'"; do
  t "--safe: $e" 1 '' '-e:1:.*: PERMISSION ERROR: .*' "$vapl" --safe -e "$e"
done
t "--safe: what comes with vapl" 0 '11' '' "$vapl" --safe -e "'pco'⎕CY'dfns' ⋄ pco 5"
t "--safe: ⎕SE whole" 0 'abc' '' "$vapl" --safe -e "⎕SE.Dyalog.Utils.lcase'ABC'"
t "--allow-dir: what comes with vapl" 0 '11' '' "$vapl" --allow-dir "$dir" -e "'pco'⎕CY'dfns' ⋄ pco 5"
for e in "⎕CY'../lib/dfns'" "⎕CY'/etc/none'" "⎕CY'none'" "⎕CY'dfns.apl'"; do
  t "--safe: $e" 1 '' '-e:1:1: FILE ACCESS ERROR: .* is not permitted here' "$vapl" --safe -e "$e"
done
t "--safe: the environment" 1 '' '-e:1:.*: PERMISSION ERROR: .*' "$vapl" --safe -e "⎕ENV 'HOME'"

# Lines
t "a pipe gets whole lines" 0 '300' '' sh -c "'$vapl' -e '299⍴1' | wc -c | sed 's/[^0-9]//g; s/598/300/'"
t "unless ⎕PW is set" 0 '6' '' sh -c "'$vapl' -e '⎕PW←42' -e '100⍴8' | wc -l | tr -d ' '"
t "empty rows end" 0 '100' '' sh -c "'$vapl' -e '(1E9 1 0)⍴0' | grep -c '^\$'"
t "a terminal gets lines of its width" 0 '99' '' sh -c "script -qc \"stty cols 100; '$vapl' -e '300⍴1'\" /dev/null </dev/null | head -n 1 | tr -d '\r\n' | wc -c | tr -d ' '"
t "and the ends of a long result" 0 '      ⋮  shape 1000 1, its middle is left out: ]rows -fold=off shows all' '' sh -c "script -qc \"stty cols 100 rows 20; '$vapl' -e '1000 1⍴1'\" /dev/null </dev/null | grep shape | tr -d '\r'"

# Work kept
t ")SAVE" 0 "$dir/w.vws saved ....-..-.. ..:..:.." '' sh -c "'$vapl' -e 'x←⍳5' -e 'f←{x+⍵}' -e ')SAVE $dir/w' | sed 's/[0-9]/./g; s|.*/tmp[^ ]*|$dir/w.vws|'"
t ")SAVE over another's" 1 '' '-e:1:1: FILE NAME ERROR.*' "$vapl" -e ')SAVE w'
t ")LOAD" 0 '6 7 8 9 10' '' sh -c "'$vapl' -e ')LOAD w' -e 'f 5' | tail -n 1"
t ")COPY" 0 'not found: nobody
1 2 3 4 5' '' sh -c "'$vapl' -e ')COPY w x nobody' -e x | tail -n 2"
t ")PCOPY" 0 'not copied: x
7' '' sh -c "'$vapl' -e 'x←7' -e ')PCOPY w x' -e x | tail -n 2"
t ")SAVE again" 0 '1' '' sh -c "'$vapl' -e ')LOAD w' -e 'x←1' -e ')SAVE' >/dev/null; '$vapl' -e ')LOAD w' -e x | tail -n 1"
t "]save" 0 '12' '' sh -c "'$vapl' -e ')LOAD w' -e ']save w.apl' >/dev/null; echo 'f 11' >>w.apl; '$vapl' w.apl"
# --allow-dir
mkdir -p "$dir/den" && echo in >"$dir/den/a" && echo out >"$dir/away" && ln -s ../away "$dir/den/up"
t '--allow-dir: within' 0 'in' '' "$vapl" --allow-dir "$dir/den" -e "¯1↓⊃⎕NGET '$dir/den/a'"
t '--allow-dir: two, one as --safe' 0 'in' '' "$vapl" --safe --allow-dir / --allow-dir "$dir/den" -e "¯1↓⊃⎕NGET '$dir/den/a'"
for f in away den/up den/../away none; do
  t "--allow-dir: $f" 1 '' '.*FILE ACCESS ERROR: .* is outside the folders .*' "$vapl" --allow-dir="$dir/den" -e "⎕NGET '$dir/$f'"
done
t '--allow-dir: processes' 1 '' '.*PERMISSION ERROR.*' "$vapl" --allow-dir "$dir/den" -e "⎕SH 'true'"
t '--allow-dir: the environment' 1 '' '.*FILE ACCESS ERROR.*' "$vapl" --allow-dir / -e "⎕NGET '/proc/self/environ'"
t '--allow-dir: no such folder' 1 '' 'vapl: FILE NAME ERROR: .*/none: No such file or directory' "$vapl" --allow-dir "$dir/none" -e 1
mkfifo "$dir/dry"
t 'a pipe that nobody writes' 1 '' '.*LIMIT ERROR: the time .*' "$vapl" --max-time 200ms -e "⎕NGET '$dir/dry'"
t 'a pipe that nobody reads' 1 '' '.*LIMIT ERROR: the time .*' "$vapl" --max-time 200ms -e "'x' ⎕NPUT '$dir/dry' 1"
# Names in commands
t 'a name in quotes' 0 "q r's ⍝ t.vws saved ....-..-.. ..:..:.." '' sh -c "'$vapl' -e 'x←⍳5' -e ')SAVE \"q r'\\''s ⍝ t\"' | sed 's/[0-9]/./g'"
t 'a name in quotes is read' 0 '1 2 3 4 5' '' sh -c "'$vapl' -e ')LOAD '\\''q r'\\'\\''s ⍝ t'\\' -e x | tail -n 1"
t ']save of some names' 0 'some.apl saved' '' "$vapl" -e 'f←{⍵+1} ⋄ g←-' -e ']save some.apl f'
t ']save of some names: what is there' 0 'f←{⍵+1}' '' cat some.apl
t ']plot into a file with blanks' 0 'two words.svg: 640 by 400' '' "$vapl" -e ']plot "two words.svg" 1 2 3'
t ']plot of a namespace' 0 '           2' '' sh -c "'$vapl' -e 'ns←(txt:1 2)' -e ']plot -rows=2 ns.txt' | head -n 1 | cut -b1-12"
while read -r e; do
  t "refused: $e" 1 '' '-e.*:1:1: [A-Z]* ERROR: .*' "$vapl" -e 'x←1' -e "$e"
done <<'END'
)SAVE a b
)SAVE a -x
)SAVE "a
)SAVE "a"b
)SAVE ""
)LOAD a b
)COPY "a
)WSID a b
)CLEAR x
)OFF x
)SI x
)RESET x
)VARS a b
)FNS a b
)OPS a b
]mem x
]device x
]device measure x
]box x
]boxing x
]rows x
]save some.apl nobody
]plot x.pdf 1 2 3
]plot y.pdf 1 2 3
]plot /tmp/y.jpeg 1 2 3
]plot y.svg
]plot -bins=x 1 2
END
t "--safe: )SAVE" 1 '' '.*FILE ACCESS ERROR.*' "$vapl" --safe -e ')SAVE v'

# -e
t "-e shows a value" 0 2 '' "$vapl" -e 1+1
t "an assignment shows nothing" 0 '' '' "$vapl" -e 'x←5'
t "-e may be repeated, in one workspace" 0 '5
6' '' "$vapl" -e 'x←5' -e x -e 'x+1'
t "--eval=" 0 3 '' "$vapl" --eval=1+2
t "-e with lines" 0 7 '' "$vapl" -e 'a←3
a+4'
t "an error: name, line, caret" 1 '' '-e:1:10: DOMAIN ERROR.*
b←1 ⋄ a←3÷0
         ^' "$vapl" -e 'b←1 ⋄ a←3÷0'
t "an error behind what loads ⎕SE tells the call" 1 '' '-e:1:18: SYNTAX ERROR.*
.*
.*
-e:1:1: called here' "$vapl" -e '{⎕SE.Link.Add ⍵∊1@}¨1 2'
t "an error ends the run" 1 '1' '-e\[2\]:1:.*: LENGTH ERROR.*' "$vapl" -e 1 -e '1 2+1 2 3' -e 2
t "a syntax error" 1 '' '-e:1:.*: SYNTAX ERROR.*' "$vapl" -e '(1'
t "a value error" 1 '' '-e:1:1: VALUE ERROR.*' "$vapl" -e 'nobody'
for e in '⌈/9223372036854775807⍴0.5' '+/9223372036854775807⍴7' '0.5+1E12⍴1.5'; do
  t "more elements than memory holds: $e" 1 '' '-e:1:.*: WS FULL.*' "$vapl" --device host -e "$e"
done # a device names its memory in a LIMIT ERROR
t "⎕OFF n" 7 '1' '' "$vapl" -e 1 -e '⎕OFF 7' -e 2
t "⎕OFF" 0 '' '' "$vapl" -e '⎕OFF' -e 2
t ")OFF" 0 '' '' "$vapl" -e ')OFF' -e 2
t "⎕←" 0 '1 2 3
6' '' "$vapl" -e '+/⎕←⍳3'

# scripts
cat > good.apl <<'END'
#!/usr/bin/env vapl
⍝ a script
mean←{
  (+/⍵)÷≢⍵
}
mean 1 2 3 4
mean 10 20
END
t "a script" 0 '2.5
15' '' "$vapl" good.apl
printf '1+1\nf←{⍵÷0}\n\n"é" ⋄ f 5\n9\n' > bad.apl
t "an error in a script: file, line, column" 1 '2
é' 'bad.apl:2:5: DOMAIN ERROR.*
.*
 *^ *' "$vapl" bad.apl
printf '1+1\n(2\n' > open.apl
t "a script that does not parse runs not at all" 1 '' 'open.apl:2:.*SYNTAX ERROR.*' "$vapl" open.apl
printf '1\n]box on\n' > command.apl
t "a command in a script" 0 '1
Was OFF' '' "$vapl" command.apl
printf '#!/usr/bin/apl --script\n)WSID\n  )VARS\n1 ⋄ 2\n)OFF\n3\n' > commands.apl
t "commands in a script, which )OFF ends" 0 'is CLEAR WS
1
2' '' "$vapl" commands.apl
printf '1\n]nosuch 3\n2\n' > command.apl
printf '1\n  →3\n' > branch.apl
t "a branch that no function has" 1 1 'branch.apl:2:3: SYNTAX ERROR: a branch is within.*' "$vapl" branch.apl
t "an unknown command in a script" 1 1 'command.apl:2:1: NONCE ERROR: ]nosuch is no command.*' "$vapl" command.apl
printf ':Namespace A\nx←1\n:Namespace B\n z←##.x\n:EndNamespace\n∇ r←f y\n r←y+x\n∇\n:EndNamespace\nA.(f B.z)\n' > spaces.apl
t "namespaces in a script" 0 2 '' "$vapl" spaces.apl
printf ':Namespace A\nx←÷0\n:EndNamespace\n' > spaces.apl
t "an error in a namespace of a script" 1 '' 'spaces.apl:2:3: DOMAIN ERROR.*' "$vapl" spaces.apl
printf 'r←Main;a\n a←⎕ARG\n r←(≢a)(⊃a)\n' > main.aplf
t "a file that is one function" 0 '2  a ' '' "$vapl" main.aplf --call Main a b
t "--call before the file" 0 '1  x ' '' "$vapl" --call=Main main.aplf x
printf 'r←two x\n r←2\n ∇x' > bad.aplf
t "an error in it" 1 '' 'bad.aplf:3:3: SYNTAX ERROR: x cannot stand here.*' "$vapl" bad.aplf --call two
printf ':Namespace Prog\n∇ Run args\n ⎕←≢args\n∇\n:EndNamespace\n' > prog.apln
t "a scripted namespace, and a call with an empty argument" 0 0 '' "$vapl" prog.apln --call Prog.Run
t "a call of what is not there" 1 '' '--call:1:1: VALUE ERROR: None has no value there
.*
.*' "$vapl" prog.apln --call Prog.None
printf 'a←3\n)SAVE once\na←4\n)COPY_ONCE once\na\na←5\n)COPY_ONCE once\na\n' > once.apl
got=$("$vapl" once.apl | grep -v ' saved ' | tr '\n' ' ')
[ "$got" = '3 5 ' ] && pass || fail "copied once: $got"
mkdir -p folder/sub/.git
printf 'r←Twice x\n r←2×x\n' > folder/Twice.aplf
printf '∇ Main\n sub.half Twice 5\n Lib.k\n∇\n' > folder/any.aplf
printf 'half←{\n  ⍵÷2\n}\n' > folder/sub/half.aplf
printf ':Namespace Lib\nk←#.Twice #.sub.half 8\n:EndNamespace\n' > folder/a.apln
printf 'not APL' > folder/README.md
t "a folder" 0 '5
8' '' "$vapl" folder --call Main
printf 'r←Wrong x\n r←(x\n' > folder/Wrong.aplf
printf ':Class Cls\n :Field\n:EndClass\n' > folder/Cls.aplc
t "what is wrong in its files does not stop it" 1 '5
8' 'folder/Wrong.aplf:2:4: SYNTAX ERROR: ( is not closed
 r←(x
   ^
folder/Cls.aplc:2:2: SYNTAX ERROR: :Field needs a name
 :Field
 \^' "$vapl" folder --call Main
t "a folder is read by leave" 1 '' '.*FILE ACCESS ERROR.*' "$vapl" --safe folder
printf '⎕OFF 3\n' > off.apl
t "⎕OFF in a script" 3 '' '' "$vapl" off.apl
printf '' > empty.apl
t "an empty script" 0 '' '' "$vapl" empty.apl
printf '\357\273\2771+1' > bom.apl
t "a byte order mark, and no newline at the end" 0 2 '' "$vapl" bom.apl
t "no such script" 2 '' 'vapl: nobody.apl: .*' "$vapl" nobody.apl
mkdir nothing
t "a folder without definitions" 0 '' '' "$vapl" nothing
ln -s "$vapl" vapl
printf '#!/usr/bin/env vapl\n6×7\n' > run.apl && chmod +x run.apl
t "#! line" 0 42 '' env PATH="$dir:$PATH" ./run.apl
printf '2 2\n' > -dash.apl
t "-- ends the options" 0 '2 2' '' "$vapl" -- -dash.apl

# pipes
printf '1+1\nf←{\n  ⍵×2\n}\n\nf 21\n' > in
t "a pipe, entry by entry, no prompt" 0 '2
42' '' "$vapl"
t "the same by name" 0 '2
42' '' "$vapl" -
printf '1\n\n{\n⍵÷0\n}5\n2\n' > in
t "an error in a pipe ends it, with its line" 1 1 'stdin:4:2: DOMAIN ERROR.*' "$vapl"
printf 'x←⎕+1\n41\nx\n≢⍞\nabcd\n⍞\n' > in
t "⎕ and ⍞ read the same pipe, unasked; its end is an error" 1 '42
4' 'stdin:6:1: EOF INTERRUPT.*' "$vapl"
printf '3\n(1' > in
t "a pipe that ends inside a bracket" 1 3 'stdin:2:.*SYNTAX ERROR.*' "$vapl"
printf '4\n)OFF\n5\n' > in
t ")OFF in a pipe" 0 4 '' "$vapl"
printf '1\r\n2\r\n' > in
t "lines that end in CR LF" 0 '1
2' '' "$vapl"
: > in
t "an empty pipe" 0 '' '' "$vapl"
mkfifo fifo
( sleep 60 > /dev/null 2>&1 & echo '1+1' > fifo; wait ) & writer=$!
exec 9<> fifo
"$vapl" < fifo > answer & reader=$!
for _ in $(seq 300); do [ -s answer ] && break; sleep 0.1; done
if [ "$(cat answer)" = 2 ]; then pass; else fail "a pipe is answered before it ends"; fi
kill "$reader" "$writer" 2>/dev/null; wait 2>/dev/null
exec 9>&-

# options
t "--version" 0 "vapl $("$vapl" --version | cut -d' ' -f2)" '' "$vapl" --version
"$vapl" --version | grep -qx 'vapl [0-9]*\.[0-9]*\.[0-9]*' && pass || fail "--version has three numbers"
"$vapl" --help | grep -q -e '--device' && pass || fail "--help names --device"
t "an unknown option" 2 '' 'vapl: unknown option --nonsense
usage: .*' "$vapl" --nonsense
t "an unknown short option" 2 '' 'vapl: unknown option -x' "$vapl" -x
t "-e without a text" 2 '' 'vapl: a value is missing after -e' "$vapl" -e
t "--device without a value" 2 '' 'vapl: a value is missing after --device' "$vapl" --device
t "--device host" 0 500500 '' "$vapl" --device host -e '+/⍳1000'
t "--device=host" 0 2 '' "$vapl" --device=host -e 1+1
t "--device auto" 0 2 '' "$vapl" --device auto -e 1+1
t "a device that is not there" 3 '' 'vapl: DEVICE ERROR: .*' "$vapl" --device 'no such device' -e 1
t "a number that is not there" 3 '' 'vapl: DEVICE ERROR: .*' "$vapl" --device 4711 -e 1
"$vapl" --devices > got.out 2> got.err && [ -s got.out ] && pass || fail "--devices: $(cat got.err)"
"$vapl" --print-keymap=vim | grep -qx 'inoremap <buffer> `i ⍳' && pass || fail "--print-keymap=vim"
t "an unknown keymap" 2 '' 'vapl: no such keymap: word' "$vapl" --print-keymap word

# wrong commands
t "no such command" 1 '' '-e:1:1: SYNTAX ERROR: )NOSUCH is no command of this version: see \]help
)NOSUCH x
.*' "$vapl" -e ')NOSUCH x'
t "a command that lacks its expression" 1 '' '-e:1:3: SYNTAX ERROR: \]plan needs an expression .*' "$vapl" -e '  ]plan'
t "a wrong argument" 1 '' '-e:1:1: SYNTAX ERROR: \]box takes on off .*, not -style=huge' "$vapl" -e ']box -style=huge'
printf '1\n)NOSUCH\n2\n' > in
t "in a pipe" 1 1 'stdin:2:1: SYNTAX ERROR: )NOSUCH is no command.*' "$vapl"
: > in

# a mapped file that becomes shorter
head -c 8000000 /dev/zero > shrinks
printf "x←83 ¯1⎕MAP'shrinks'\n_←⎕SH'truncate -s 4096 shrinks'\n2+2\n+/x\n" > in
t "what is gone is an error" 1 '4' 'stdin:4:1: FILE DAMAGED: .*shrinks has become shorter while it was mapped' "$vapl"
printf "x←83 ¯1⎕MAP'shrinks'\n⍴x\n+/x\n" > in
t "the shorter file" 0 '4096
0' '' "$vapl"
: > in

# progress, on a terminal only; when it is told depends on what else the machine does
on_terminal() { script -qc "$1" /dev/null < /dev/null | tr '\r\033' '\n^'; }
on_terminal "'$vapl' -e '1+≢{⎕DL 0.25 ⋄ ⍵}¨⍳16'" > got.out
grep -q '… [0-9]* s, [1-9][0-9] %, about [0-9]* s to go' got.out && pass || fail "the share that is done: $(cat got.out)"
tr -d '\n' < got.out | sed 's/…[^^]*^\[K//g' | grep -qx 17 && pass || fail "it is erased: $(cat got.out)"
# 9 MB of 20 are read, and the pipe holds the next 64 KB
mkfifo slow
echo "(⊂20000000⍴⎕A)⎕NPUT'slow' 1" > in
timeout 60 sh -c '{ head -c 9000000; sleep 4; cat; } < slow > /dev/null' &
on_terminal "timeout 60 '$vapl' in" > got.out
grep -q '… [0-9]* s, 45 %' got.out && pass || fail "the share that is written: $(cat got.out)"
wait $!
: > in
on_terminal "'$vapl' -q -e '⊢⎕DL 2.4'" | grep -q '…' && fail "--quiet shows progress" || pass
on_terminal "'$vapl' -e '⊢⎕DL 2.4' 2>got.err" > /dev/null
[ -s got.err ] && fail "progress in a file" || pass

# limits
for o in max-memory=lots max-memory= max-memory=1X max-time=-1s max-time=now max-steps=0 max-steps=1K; do
  t "--$o" 2 '' "vapl: --${o%%=*} takes a .* such as .*, not .*" "$vapl" "--$o" -e 1
done
t "limits that are not reached" 0 500500 '' "$vapl" --max-memory 100M --max-time=1m --max-steps 1e6 -e '+/{⍵}¨⍳1000'
t "items, of which there is no room for a copy" 0 '800 800' '' "$vapl" --device host --max-memory 30M \
  -e 'w←{⍵+100 100⍴⍳10000}¨⍳800 ⋄ (≢{+⌿⍵}¨w),≢{(+/⍵)÷≢⍵}¨,¨w'
t "the memory" 1 '' '-e:1:1: WS FULL: .* are wanted, .* of at most 104857600 are in use' "$vapl" --max-memory 100M -e '1E9⍴1.5'
for store in 'x[9000;1]←1' 'x[;9]←1' 'x[⊂3 4]←1' '(3 4⌷x)←1' '(¯1 ¯1↑⌽x)←1' '(1 1⍉x)←1' '(3↑⍉x)←1' '(2⌷⍉⊖x)←1' \
  'x[3;4]+←1' 'x[3 4;5]+←1' 'x[3 3;5]∨←1' '(1↑x)+←1' '((⊂3 4)⌷x)←1' '((⊂3 4)⊃x)←1' 'x[3;]←+/9000 3⍴1 0 0' 'x←1@(⊂3 4)⊢x'; do
  t "the memory of $store" 0 '9000 9000' '' "$vapl" --max-memory 40M -e "x←9000 9000⍴0 ⋄ $store ⋄ ⍴x"
done
t "the time" 1 '' '-e:1:[0-9]*: LIMIT ERROR: the time of 0.1 s is used up
{∇⍵}0
.*' "$vapl" --max-time 100ms -e '{∇⍵}0'
t "the steps" 1 '' '-e:1:1: LIMIT ERROR: 100 steps are used up' "$vapl" --max-steps 100 -e '{∇⍵}0'
t "an error guard traps a limit" 0 '1
late' '' "$vapl" --max-steps 100 -e '⎕←1 ⋄ {10::⎕←⍵ ⋄ {∇⍵}0}'"'late'"
t "and the program goes on to its end only" 1 1 '-e:1:.*: LIMIT ERROR: .*' "$vapl" --max-steps 100 -e '⎕←1 ⋄ {10::∇⍵ ⋄ ∇⍵}0'
t "a wait for a pipe" 1 '' '-e:1:1: LIMIT ERROR: .*' sh -c "exec 9<>fifo; '$vapl' --max-time 0.2s -e ⍞ <&9"
t "a pipe that says nothing more" 1 2 'vapl: LIMIT ERROR: .*' sh -c "exec 9<>fifo; echo 1+1 >&9; '$vapl' --max-time 3s <&9"
while read -r hostile; do
  timeout 100 "$vapl" --max-memory 200M --max-time 300ms -e "$hostile" < /dev/null > got.out 2> got.err
  got=$?
  [ $got = 1 ] && grep -qE 'LIMIT ERROR: |WS FULL: ' got.err && pass || fail "hostile: $hostile: exit code $got, $(head -n 1 got.err)"
done <<'END'
{1+∇ ⍵+1}0
{0::∇ ⍵ ⋄ ∇ ⍵}0
f←{0::f ⍵ ⋄ 1+f ⍵} ⋄ f 0
{0::0 ⋄ {∇ ⍵}⍵}¨⍳1000000
{⍵+1}⍣{0}⊢0
+⍣{0}⊢0
{⍵>1E18:⍵ ⋄ ∇ ⍵+1}¨⍳1000
+/,∘.×⍨⍳1E6
+/+/∘.{⍺×⍵}⍨⍳1E6
1E12⍴1
x←{⍵,⍵}⍣100⊢1 2 3
{⍵ ⍵}⍣60⊢1
x←{⍵ ⍵}⍣60⊢1 ⋄ y←x+1
x←('^(a|aa)+$'⎕R'')¨9⍴⊂(100⍴'a'),'b'
f←{⍎'f ⍵'} ⋄ f 1
{0::⎕DL 100 ⋄ ⎕DL 100}1
⎕SH 'sleep 50'
⎕SH 'yes'
x←⌹3500 3500⍴?12250000⍴0
x←(5E6⍴'A')⍷1E7⍴'A'
⍎1000000⍴'('
END

printf 'f←{⍵÷0}\ng←{\n  ⍵>9:0+f ⍵\n  1+∇⍵+1\n}\n)SI\n{0::3 ⋄ g ⍵}1\n)SI\n)RESET\n)SI\n' > in
t ")SI" 0 '3
f[0]*
g[1]
g[2] 9 times
[0]' '' "$vapl"
: > in

# completions
t "an unknown shell" 2 '' 'vapl: no such shell: csh' "$vapl" --print-completion csh
for shell in bash zsh fish; do
  "$vapl" --print-completion $shell > completion.$shell && grep -q max-memory completion.$shell && pass || fail "completions for $shell"
  command -v $shell > /dev/null || continue
  $shell -n completion.$shell > got.out 2>&1 && pass || fail "completions for $shell: $(cat got.out)"
done
complete() { bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vapl; echo ${COMPREPLY[@]}' - "$@"; }
if command -v bash > /dev/null; then
  t "an option" 0 '--max-memory --max-time --max-steps' '' complete vapl --max
  t "its value" 0 'xcompose' '' complete vapl --print-keymap x
fi

# the environment
VAPL_DUMP=tokens,ast "$vapl" -e '1+2' > got.out 2> got.err
grep -q 'number *1' got.err && [ "$(cat got.out)" = 3 ] && pass || fail "VAPL_DUMP=tokens,ast"
# What a statement runs is what ]plan shows: a table that its fold alone reads is not stored.
VAPL_TUNE=direct=0 VAPL_DUMP=graph "$vapl" --device host -e 'x←(⍳300)÷7 ⋄ y←(⍳200)÷3' -e 'r←⌊/x∘.-y' 2> got.err
grep -q '^reduce  ⌊/(' got.err && ! grep -q 'writes 480' got.err && pass || fail "a table is stored before its fold: $(cat got.err)"
# Folds and scans read no long turned array line by line.
for line in '+/,⍉w' '+/(⍉w)×w' '+\⍉w'; do
  VAPL_TUNE=direct=0 VAPL_DUMP=graph "$vapl" --device host -e 'w←⎕F32 1030 1030⍴⍳1000' -e "r←$line" 2> got.err
  grep -q '^map  ⍉\[view\]a' got.err && ! grep -q '^\(reduce\|scan\)  .*⍉' got.err && pass || fail "a fold of a turned array: $line: $(cat got.err)"
done
# Rounds of a loop, each of which reads parts of what the one before has left, are few kernels: none computes it all again.
printf '%s\n' 'd←20 20⍴7|⍳400' ':For k :In ⍳20' 'd←d⌊d[;k]∘.+d[k;]' ':EndFor' 'r←+/,d' > rounds.apl
VAPL_TUNE=direct=0 VAPL_DUMP=graph "$vapl" --device host rounds.apl 2> got.err
[ "$(grep -cE '^(map|reduce)  ' got.err)" -le 15 ] && pass || fail "rounds: $(cat got.err)"
# What only joins arrays is not stored for that: a function's loop reads its numbers where they are.
printf '%s\n' 'steps←{x←⍺ ⋄ y←⍵ ⋄ {(re im n)←⍵ ⋄ n=32:n ⋄ 4<(re×re)+im×im:n ⋄ ∇(x+(re×re)-im×im)(y+2×re×im)(n+1)}0 0 0}' \
  'a←¯2+3×(⍳64)÷64 ⋄ b←¯1.5+3×(⍳64)÷64' 'r←+/,a∘.steps b' > rounds.apl
VAPL_TUNE=direct=0 VAPL_DUMP=graph "$vapl" --device host rounds.apl 2> got.err
[ "$(grep -cE '^(map|reduce)  ' got.err)" -le 8 ] && pass || fail "a lifted loop: $(cat got.err)"
# Nor do they grow into kernels that are longer from round to round.
printf '%s\n' 'c←0J1+(⍳400)÷400' 'z←k←0×⍳400' ':For i :In ⍳20' 'z←c+z×z×2≥|z' 'k+←2≥|z' ':EndFor' 'r←+/k' > rounds.apl
VAPL_TUNE=direct=0 VAPL_DUMP=graph "$vapl" --device host rounds.apl 2> got.err
[ "$(sed -nE 's/.* ([0-9]+) instructions.*/\1/p' got.err | sort -n | tail -n 1)" -le 300 ] && pass || fail "long rounds: $(grep instructions got.err)"
t "VAPL_DUMP with no known word" 0 3 'vapl: VAPL_DUMP takes words .*' env VAPL_DUMP=asm "$vapl" -e '1+2'
LC_ALL=POSIX "$vapl" -e "'⍳é'" | grep -qx '⍳é' && pass || fail "glyphs in the POSIX locale"
"$vapl" -e '⍳3' > /dev/full 2> got.err
[ $? = 1 ] && grep -q 'cannot write' got.err && pass || fail "a full disk is noticed"

# the interrupt (a background job of a shell would ignore it)
interrupted() { # COMMAND…: gets SIGINT once it has written something; its exit code
  : > got.out
  timeout --preserve-status -s INT -k 60 60 "$@" > got.out 2> got.err < fifo & writer=$!
  for _ in $(seq 300); do [ -s got.out ] && break; sleep 0.1; done
  kill -INT $writer
  wait $writer
}
exec 9<> fifo
interrupted "$vapl" -e '⎕←1 ⋄ {∇ ⍵+1}0'
[ $? = 130 ] && pass || fail "the exit code after SIGINT is 130"
grep -q INTERRUPT got.err && pass || fail "SIGINT stops a loop: $(cat got.err)"
echo 1+1 >&9
interrupted "$vapl"
[ $? = 130 ] && pass || fail "SIGINT ends the wait for a pipe with 130"
exec 9>&-

# --check
cat > bad.apl <<'X'
x←1 2 3
⎕←'abc
f←{
  ⍵+1
  a←[1
}
é←5 ⋄ y←é)
∇r←g x
:If x
r←1E400
:EndIf
∇
:EndFor
ok←3
)off
X
printf 'r←f x\nr←(x\n' > wrong.aplf
printf 'r←f x\n:If x\nr←0\n:EndIf\n' > right.aplf
want="bad.apl:2:3: SYNTAX ERROR: a quote in column 3 is not closed
bad.apl:5:5: SYNTAX ERROR: [ is not closed
bad.apl:7:10: SYNTAX ERROR: ) closes nothing
bad.apl:10:3: DOMAIN ERROR: the number 1E400 is out of range
bad.apl:13:1: SYNTAX ERROR: :EndFor ends nothing
wrong.aplf:2:3: SYNTAX ERROR: ( is not closed"
t "--check says all errors of all files" 1 "$want" '' "$vapl" --check bad.apl right.aplf wrong.aplf
t "--check of what is right" 0 '' '' "$vapl" --check right.aplf
t "--check runs nothing" 0 '' '' "$vapl" --check - < /dev/null
t "--check without a file" 2 '' 'usage: .*' "$vapl" --check
t "--check of no file" 2 '' 'vapl: none.apl: .*' "$vapl" --check none.apl
{ echo '(1'; yes 1 | head -n 20000; } > long.apl
t "--check of what never closes" 1 'long.apl:1:1: SYNTAX ERROR: ( is not closed' '' "$vapl" --check long.apl
yes '1)' | head -n 300 > many.apl
[ "$("$vapl" --check many.apl | wc -l)" = 101 ] && pass || fail "--check of many errors"

# ]display shows what is in a namespace; without it, a namespace is its name alone
printf "n←⎕JSON'{\"a\":[1,2],\"text\":\"hi\"}'\nn.f←{⍵+1}\n]display n\nn\n]display 3\n" | "$vapl" | tail -n 8 > got.out
[ "$(head -n 5 got.out)" = "└───────────────┘
  a       1 2
  f       {⍵+1}
  text    'hi'
#.[JSON object]" ] && pass || fail "]display of a namespace: $(cat got.out)"

# ]help breaks its lines between words
printf '⎕PW←60\n]help ⍋\n]help :EndIf\n' | "$vapl" > got.out
if grep -qx 'of x' got.out && grep -qx 'runs: ⍋ y in kernels (sorted by digits: vectors, rows (⍤1),' got.out &&
  grep -qx ':  guard: c:y  in a dfn: if c is 1, the result is y; n::y ' got.out; then
  pass
else fail "]help in 60 columns: $(cat got.out)"; fi

# fmt
cat > prog.apl <<'APL'
#!/usr/bin/env vapl
f ← {
x←iota  omega   ⍝ iota  stays
(+/x)divide tally x ⋄'rho  x'}
log←3⋄log times f[ 1 ; 2 ]


APL
cat > want.apl <<'APL'
#!/usr/bin/env vapl
f←{
  x←⍳⍵ ⍝ iota  stays
  (+/x)÷≢x ⋄ 'rho  x'}
log←3 ⋄ log×f[1;2]
APL
chmod 700 prog.apl && ln -s prog.apl link.apl
t "fmt --check names what would change" 1 'prog.apl' '' "$vapl" fmt --check prog.apl
t "fmt - writes what stands on standard input" 0 "$(cat want.apl)" '' sh -c "'$vapl' fmt - < prog.apl"
t "fmt writes files" 0 '' '' "$vapl" fmt link.apl
cmp -s prog.apl want.apl && [ -x prog.apl ] && [ -L link.apl ] && pass || fail "fmt: $(cat prog.apl)"
t "fmt of what is in form" 0 '' '' "$vapl" fmt --check prog.apl
t "fmt of nothing" 0 '' '' "$vapl" fmt -
printf 'f←{\n' > open.apl
t "fmt leaves what it cannot read" 1 '' 'vapl fmt: open.apl:2: SYNTAX ERROR: a bracket is open at the end' "$vapl" fmt open.apl
# Blanks around primitives, indentation, columns of comments; a name that a header has stays one.
cat > deep.apl <<'APL'
∇ r←not y;max
:If 0 < y ⍝ one
    r←( + / y )+max ¯1 ⍝ two
 r←0 ⍝ both
  :For each :In ⍳ 3
r←3⍴ 1 2 , 4 ⋄ {
  each + ⍵
} r
:EndFor ⍝ three
:Else ⋄ r←0 :EndIf ⋄ :EndIf
∇
∇f[2] ⍝ edits
z ← a . b f . g ∘ . + 1 . + ~ not 0
APL
cat > want.apl <<'APL'
∇ r←not y;max
  :If 0<y ⍝ one
    r←(+/y)+max ¯1 ⍝ two
    r←0            ⍝ both
    :For each :In ⍳3
      r←3⍴1 2,4 ⋄ {
        each+⍵
      } r
    :EndFor ⍝ three
  :Else ⋄ r←0 :EndIf ⋄ :EndIf
∇
∇f[2] ⍝ edits
z←a . b f . g∘.+1 .+~not 0
APL
t "fmt of lines that are deep" 0 "$(cat want.apl)" '' sh -c "'$vapl' fmt - < deep.apl"
t "fmt of what it wrote" 0 "$(cat want.apl)" '' sh -c "'$vapl' fmt - < want.apl"
printf 'r←f y\n r←times y\n' > keeps.aplf
t "fmt leaves names in files of definitions" 1 'keeps.aplf' '' "$vapl" fmt --check keeps.aplf
"$vapl" fmt keeps.aplf
[ "$(cat keeps.aplf)" = "$(printf 'r←f y\nr←times y')" ] && pass || fail "fmt: $(cat keeps.aplf)"
t "fmt without a file" 2 '' 'usage: .*' "$vapl" fmt

# ]plot's SVG is XML, a path for each line, and what stands in its title does not break it
if command -v python3 > /dev/null; then
  "$vapl" -e "]plot -line -title='<&>' lines.svg 1○(⍳50)∘.÷2 3 4" > /dev/null
  t "]plot writes XML" 0 '3 <&>' '' python3 -c "import xml.dom.minidom as m; d = m.parse('lines.svg'); print(sum('M' in p.getAttribute('d') and p.getAttribute('stroke') in ('#0072b2', '#d55e00', '#009e73') for p in d.getElementsByTagName('path')), d.getElementsByTagName('text')[-1].firstChild.data)"
fi

# a product that may be summed in any order is one operation a step, where there is a device
if "$vapl" --device 0 -e 1 > /dev/null 2>&1; then
  "$vapl" --device 0 -e 'q←⎕F32 64 64⍴⍳7' -e "]plan q(+.×⍠'Fast' 1)⍉q" > got.out
  grep -q 'in any order, contracted' got.out && pass || fail "a fast product: $(cat got.out)"
fi

# What kernels do from end to end: no step waits for the host, none is a call for each cell.
if "$vapl" --device 0 -e 1 > /dev/null 2>&1; then
  while IFS= read -r line; do
    VAPL_TUNE=direct=0 "$vapl" --device 0 -e 'm←⎕F32 40 30⍴(⍳7)÷3 ⋄ f←{a b←⍵ ⋄ (a+1)(b×a)} ⋄ m r←m(m×2) ⋄ f1←⎕F32 ?5000⍴0' \
      -e "]plan $line" > got.out 2>&1
    grep -q 'kernels\? on the device' got.out && ! grep -q '^host  ' got.out && pass ||
      fail "$line: $(cat got.out)"
  done <<'APL'
2⊃f⍣3⊢m r
(m+0J1×r)+.×⍉m
{a b←⍵ ⋄ (⊃⍵)+b}f m r
{⍵⍳⌈/⍵}⍤1⊢m
{⍵∊3↑⍵}⍤1⊢m
{⍵[⍵⍳⌈/⍵]}⍤1⊢m
{(⌽⍵)[⍋⍵]}⍤1⊢m
{a b←(⌊/⍵)(⌈/⍵) ⋄ b-a}⍤1⊢m
{(⍋⍵)[1]}⍤1⊢m
{+/⍵>(+/⍵)÷≢⍵}⍤1⊢m
m⍳⍤1 0⊢⌈/m
⊃+/0.5×(⍳31)⌽¨⊂f1
{⍵⍳1}⍤1⊢m>1
{⌈/⍸⍵}⍤1⊢m>0.5
{+/⍸⍵}⍤1⊢m>0.5
{⌈/(⍵>1)/⍵}⍤1⊢⌊m×3
{⌈/(⍵>1)/⍵}⍤1⊢0+m×3
{+/(⍵>1)/⍵}⍤1⊢⌊m×3
{+/(⍵>1)/⍵}⍤1⊢m
{≢(⍵>1)/⍵}⍤1⊢m
{(⍵>1)/⍵}⍤1⊢m
{⊃(⍵>1)/⍵}⍤1⊢m
{≢∪⍵}⍤1⊢⌊m×3
{(+/⍵)>40:+/(⍵>1)/⍵ ⋄ +/⍵}⍤1⊢m
{s←(⍵>1)/⍵ ⋄ s[⍋s]}⍤1⊢m
{{⍵×0.5+0.5×⍵>0.1}⍣5⊢⍵}⍤1⊢m
APL
fi

# no device, and not even the loader, for small work
if command -v strace > /dev/null; then
  strace -f -e trace=openat -o trace "$vapl" -e 1+1 > /dev/null 2>&1
  grep -q libvulkan trace && fail "-e 1+1 loads libvulkan" || pass
fi

echo "cli.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
