#!/bin/bash
# SPDX-License-Identifier: MIT
# ranks.sh BUILD [--ranks "1 2 3 5"] [--part K/N] [--limit SECONDS] [--tune T] [FILE…] - several processes that run
# one program, by MPI. Skipped (exit 77) where there is no mpicc and no mpirun.
#
# 1. the engine (vapl-mpi.so) against what its functions mean, and jobs of which a rank dies or aborts;
#    ranks_outside: files, clocks, input … of each rank its own; ranks_parts: vapl_part and its like;
# 2. the command line: vapl -n, vapl --ranks under mpirun, input, exit codes, Ctrl-C, a rank that is killed, one
#    that sleeps; a session in tmux;
# 3. language tests (FILE…, without any all of them) under each number of ranks, arrays of two rows and more being
#    cut: the same text on all ranks;
# 4. without files, random programs (tests/oracle/programs.py).
# A job that takes longer than --limit (60) seconds is ended, and says how far it came.
cd "$(dirname "$0")/.." || exit 2
b=${1:?usage: ranks.sh build/CONFIG}
shift
counts='1 2 3 5' part='' limit=60 tune=
while [ "${1#--}" != "${1:-}" ]; do
  case $1 in
  --ranks) counts=$2 ;;
  --part) part="--part $2" ;;
  --limit) limit=$2 ;;
  --tune) tune=$2 ;;
  *) echo "ranks.sh: unknown option $1"; exit 2 ;;
  esac
  shift 2
done
if ! command -v mpirun >/dev/null || ! command -v "${MPICC:-mpicc}" >/dev/null; then
  echo "ranks.sh: no MPI (openmpi-bin, libopenmpi-dev), skipped"
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none LC_ALL=C.UTF-8
unset VAPL_DUMP VAPL_TUNE
vapl=$PWD/$b/vapl dir=$(mktemp -d)
export HOME=$dir XDG_CACHE_HOME=$dir/cache
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAIL %s\n' "$*"; }
ok() { if [ "$1" = 0 ]; then pass; else shift; fail "$*"; fi; }
job() { timeout -k 5 "$limit" "$@"; }
runs() { job mpirun -n "$@"; }

# ── the engine ──

for n in $counts; do
  runs "$n" "$b/comm_runner" >"$dir/out" 2>&1 </dev/null
  ok $? "the engine on $n ranks: $(tail -n 5 "$dir/out")"
  runs "$n" "$b/comm_runner" --engine "$b/peers/vapl-mpi.so" device >"$dir/out" 2>&1 </dev/null
  ok $? "memory of devices on $n ranks: $(tail -n 5 "$dir/out")"
done
for n in $counts; do
  runs "$n" "$b/ranks_outside" >"$dir/out" 2>&1 </dev/null
  ok $? "what is outside of $n ranks: $(tail -n 12 "$dir/out")"
done
for n in $counts; do
  runs "$n" "$b/ranks_parts" "$b/vapl-mpi.so" >"$dir/out" 2>&1 </dev/null
  ok $? "parts of $n ranks: $(tail -n 12 "$dir/out")"
done
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iruntime examples/ranks.c "$b/libvapl.a" -ldl -lpthread -lm -o "$dir/example"
ok $? "examples/ranks.c is compiled"
for n in $counts; do
  runs "$n" "$dir/example" "$b/vapl-mpi.so" >"$dir/out" 2>&1 </dev/null
  diff "$dir/out" examples/data/ranks.txt
  ok $? "examples/ranks.c on $n ranks"
done
# ends WHAT CODE COMMAND…: within ten seconds, with that exit code.
ends() {
  local what=$1 code=$2 begun=$SECONDS got
  shift 2
  job "$@" >"$dir/out" 2>&1 </dev/null
  got=$?
  [ $got = "$code" ] && [ $((SECONDS - begun)) -le 10 ]
  ok $? "$what: exit code $got after $((SECONDS - begun)) s, expected $code: $(tail -n 5 "$dir/out")"
}
ends "a rank dies" 137 mpirun -n 3 "$b/comm_runner" dies
grep -q 'rank 2' "$dir/out"
ok $? "its number is said: $(cat "$dir/out")"
ends "a rank aborts" 42 mpirun -n 3 "$b/comm_runner" aborts

# ── devices that reach one another: memory of the host plays theirs ──

if "$vapl" --device cpu -e 1 >/dev/null 2>&1; then
  cat tests/ranks/peers.apl - >"$dir/peers.apl" <<<']ranks'
  job "$vapl" --device cpu tests/ranks/peers.apl >"$dir/one" 2>&1 </dev/null
  VAPL_TUNE=cut_from=2,exchange_from=1 job "$vapl" -n 2 --device cpu --comm "$b/peers/vapl-mpi.so" "$dir/peers.apl" \
    >"$dir/two" 2>&1 </dev/null
  diff "$dir/one" <(head -n "$(wc -l <"$dir/one")" "$dir/two") && grep -q 'from device to device, which' "$dir/two"
  ok $? "exchanges between devices: $(tail -n 3 "$dir/two")"
fi

# ── the command line ──

# t WHAT CODE STDOUT STDERR COMMAND…: as in cli.sh; STDERR is a pattern for all of it.
: >"$dir/in"
t() {
  local what=$1 code=$2 out=$3 err=$4 got
  shift 4
  job "$@" <"$dir/in" >"$dir/out" 2>"$dir/err"
  got=$?
  [ $got = "$code" ] || fail "$what: exit code $got, expected $code: $(cat "$dir/err")"
  [ $got = "$code" ] && pass
  [ "$(cat "$dir/out")" = "$out" ]
  ok $? "$what: printed '$(cat "$dir/out")', expected '$out'"
  if [ -z "$err" ]; then [ ! -s "$dir/err" ]; else grep -qxe "$err" "$dir/err"; fi
  ok $? "$what: on standard error '$(cat "$dir/err")', expected '$err'"
}
v() { local what=$1 code=$2 out=$3 err=$4; shift 4; t "$what" "$code" "$out" "$err" "$vapl" -n 3 --device host "$@"; }
v "a text" 0 $'55\n1 2 3' '' -e '+/⍳10' -e '⍳3'
v "an error: its text once, and nothing of mpirun's" 1 '' ' *1÷0\|.*DOMAIN ERROR.*\| *^' -e '1÷0'
[ "$(wc -l <"$dir/err")" = 3 ]
ok $? "an error takes three lines: $(cat "$dir/err")"
v "the exit code of a program" 7 '' '' -e '⎕OFF 7'
v "the exit code 0" 0 '' '' -e '⎕OFF'
v "a wrong option" 2 '' 'vapl: .*' --device nowhere,nothing --nonsense
v "lines are as long as they are" 0 299 '' -e '+/299⍴1'
[ "$(job "$vapl" -n 2 --device host -e '299⍴1' | wc -c)" = 598 ]
ok $? "output through a pipe is not folded"
[ "$(job "$vapl" -n 2 --device host -e '⎕UCS 27 30 7' | od -An -tx1)" = ' 1b 1e 07 0a' ]
ok $? "control characters come through a pipe as they are"
printf '1+1\n⍞\nabc\n{\n⍵+1}3\n⎕OFF 3\n' >"$dir/in"
v "a program on standard input" 3 $'2\nabc\n4' ''
printf 'hello\n' >"$dir/in"
printf 'x←⍞\nx,x\n⍴x\n⍞\n' >"$dir/prog.apl"
v "a file, and its input, which ends" 1 $'hellohello\n5' '.*EOF INTERRUPT.*\|⍞\|^' "$dir/prog.apl"
: >"$dir/in"
v "no such file" 2 '' "vapl: $dir/none: .*" "$dir/none"
printf '⎕ARG\n' >"$dir/args.apl"
v "arguments" 0 ' a  -n  b ' '' "$dir/args.apl" a -n b
mkdir "$dir/folder"
printf 'Main←{⎕←6×7}\n' >"$dir/folder/Main.aplf"
v "a folder" 0 42 '' --call Main "$dir/folder"
t "under mpirun" 0 55 '' mpirun -n 3 "$vapl" --ranks -e '+/⍳10'
VAPL_TUNE=cut_from=1000 job "$vapl" -n 2 --device host -e 'x←?3000⍴100' -e 's←+/x' -e ']plan +/1⌽x' >"$dir/out" 2>&1
grep -qx 'ranks  elements that change place: rank 0 sends 1 B' "$dir/out" && grep -qx 'ranks   .* agreements, 2 messages; rank 0 sent 9 B' "$dir/out"
ok $? "]plan shows what goes to other ranks: $(cat "$dir/out")"
t "not beside -n" 2 '' 'vapl: -n starts what --ranks is for.*' "$vapl" -n 2 --ranks
t "a number" 2 '' 'vapl: -n takes a number.*' "$vapl" -n none
t "no mpirun" 2 '' 'vapl: -n needs MPI, .*openmpi-bin.*' "$vapl" -n 2 --mpirun no-such-mpirun -e 1
t "no engine" 2 '' 'vapl: .*no-engine.*' "$vapl" --ranks --comm "$dir/no-engine" -e 1
for variable in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS; do
  t "copies that know nothing of one another: $variable" 2 '' 'vapl: 8 copies were started, .*' \
    env $variable=8 "$vapl" --ranks -e 1
done
t "one copy alone" 0 1 '' "$vapl" --ranks -e 1

# begin COMMAND…: in the background; ranks: the process ids of its ranks, as soon as there are N.
begin() { env --default-signal=INT "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" & started=$!; }
all_ranks() { pgrep -f -- "$vapl --ranks" | while read -r p; do [ "$(cat "/proc/$p/comm" 2>/dev/null)" = vapl ] && echo "$p"; done; }
ranks_of() { all_ranks | sed -n "${1}p"; } # the process id of one
ranks() { # N
  local k
  for k in $(seq 100); do
    mapfile -t ranks < <(all_ranks)
    [ ${#ranks[@]} = "$1" ] && grep -q begun "$dir/out" && return
    sleep 0.1
  done
  fail "no $1 ranks of a job: $k, ${ranks[*]}"
}
end() { # WHAT CODE SECONDS
  local begun=$SECONDS got
  { sleep "$limit"; kill "$started"; } 2>/dev/null & local watch=$!
  wait "$started"
  got=$?
  kill $watch 2>/dev/null
  [ $got = "$2" ] && [ $((SECONDS - begun)) -le "$3" ]
  ok $? "$1: exit code $got after $((SECONDS - begun)) s, expected $2: $(cat "$dir/out" "$dir/err")"
}
printf "⎕←'begun'\n{⍵+1}⍣1e12⊢1\n" >"$dir/long.apl"
begin "$vapl" -n 3 --device host "$dir/long.apl"
ranks 3
kill -INT $started
end "Ctrl-C stops a program" 130 10
grep -q 'INTERRUPT' "$dir/err"
ok $? "it says so: $(cat "$dir/err")"
[ "$(grep -c 'Forwarding' "$dir/err")" = 0 ]
ok $? "and nothing of mpirun's: $(cat "$dir/err")"
begin "$vapl" -n 3 --device host "$dir/long.apl"
ranks 3
kill -KILL "${ranks[1]}"
end "a rank that is killed ends the job" 137 10
grep -q 'rank [012] .*signal 9' "$dir/err"
ok $? "its number is said: $(cat "$dir/err")"
begin "$vapl" -n 3 --device host "$dir/long.apl"
ranks 3
kill -KILL $started
{
  for _ in $(seq 100); do kill -0 "${ranks[0]}" || break; sleep 0.1; done
  kill -0 "${ranks[0]}"
  outlives=$?
  wait "$started"
} 2>/dev/null
if [ $outlives = 0 ]; then kill "${ranks[@]}"; fail "the job outlives the process that started it"; else pass; fi
printf "⎕←'begun'\n{}⎕DL 3\n+/⍳4\n" >"$dir/long.apl"
begin "$vapl" -n 3 --device host "$dir/long.apl"
ranks 3
kill -STOP "${ranks[2]}"
sleep 20
kill -CONT "${ranks[2]}"
end "a rank that sleeps delays the others" 0 30
[ "$(tail -n 1 "$dir/out")" = 10 ]
ok $? "and changes nothing: $(cat "$dir/out" "$dir/err")"
grep -q 'rank [01] has waited 1[0-9] s .*for rank [0-2]' "$dir/err"
ok $? "they say for whom they wait: $(cat "$dir/err")"

# ── a session ──

mux="tmux -f /dev/null -S $dir/tmux"
screen() { $mux capture-pane -p | sed 's/ *$//'; }
see() { # WHAT PATTERN: until a line of the screen matches
  for _ in $(seq 200); do
    if screen | grep -qxe "$2"; then pass; return; fi
    sleep 0.05
  done
  fail "$1: no line '$2' on the screen: $(screen | sed '/^$/d')"
}
entry() { # types it at a prompt
  for _ in $(seq 200); do
    [ "$($mux display-message -p '#{cursor_x}')" = 6 ] && break
    sleep 0.05
  done
  $mux send-keys -l -- "$1"
}
key() { $mux send-keys "$@"; }
if command -v tmux >/dev/null && ldd "$vapl" | grep -q libedit &&
  $mux -u new-session -d -x 90 -y 50 "env LC_ALL=POSIX '$vapl' -n 3 --device host; echo left with \$?; cat"; then
  see "how many ranks there are" 'vapl .* on 3 ranks, .*'
  entry '+/`i10'; key Enter
  see "glyphs are typed in a session" '      +/⍳10'
  see "what it shows" '55'
  entry 'helper←{⍵×2}'; key Enter
  entry 'hel'; key Tab
  see "Tab completes a name that the ranks have" '      helper'
  $mux send-keys -l ' 21'; key Enter
  see "and they apply it" '42'
  entry '{'; key Enter; $mux send-keys -l '⍵+1}6'; key Enter
  see "an entry of several lines" '7'
  entry 'x←⍞'; key Enter; sleep 1; $mux send-keys -l 'typed'; key Enter
  entry 'x,x'; key Enter
  see "input of a program" 'typedtyped'
  entry '1÷0'; key Enter
  see "an error" 'DOMAIN ERROR: ÷: division by zero'
  entry '{⍵+1}⍣1e12⊢1'; key Enter; sleep 2; key C-c
  see "Ctrl-C stops what runs, on all ranks" '.*INTERRUPT.*'
  entry 'dropped'; key C-c
  entry '1 2≡2 1'; key Enter
  see "and drops what is typed" '0'
  entry ')off'; key Enter
  see "a session ends" 'left with 0'
  $mux kill-server
  sleep 0.5
  $mux -u new-session -d -x 90 -y 50 "env LC_ALL=POSIX '$vapl' -n 3 --device host; echo left with \$?; cat"
  entry '⎕←7'; key Enter
  see "another session" '7'
  kill -KILL "$(ranks_of 2)"
  see "a rank dies while a line is typed: its number is said" '.*rank [0-2] .*signal 9.*'
  see "and the session ends" 'left with 137'
  $mux kill-server
  sleep 0.5
  printf "⎕←'begun'\n{⍵+1}⍣1e12⊢1\n" >"$dir/long.apl"
  $mux -u new-session -d -x 90 -y 50 "env LC_ALL=POSIX '$vapl' -n 3 --device host '$dir/long.apl'; echo left with \$?; cat"
  see "a program at a terminal" begun
  kill -STOP "$(ranks_of 2)"
  key C-c; sleep 0.5; key C-c
  see "a second Ctrl-C ends a job that does not answer" '.*left with 130'
  $mux kill-server
else
  echo "ranks.sh: no tmux or no libedit: no session is tried"
fi

# ── language tests ──

files=("$@")
[ ${#files[@]} -gt 0 ] || files=(tests/lang/*.apl $(grep -v '^#' tests/pages))
group=8
for n in $counts; do
  for ((i = 0; i < ${#files[@]}; i += group)); do
    # shellcheck disable=SC2086
    runs "$n" "$b/lang_runner" --ranks --each --device host $part --tune "cut_from=2${tune:+ $tune}" "${files[@]:i:group}" \
      >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    p=$(sed -nE 's/^([0-9]+) passed, [0-9]+ failed$/\1/p' "$dir/out")
    f=$(sed -nE 's/^[0-9]+ passed, ([0-9]+) failed$/\1/p' "$dir/out")
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1}))
    [ $got = 0 ] && continue
    echo "── $n ranks: exit code $got, files $((i + 1)) to $((i + group)) of ${#files[@]}"
    [ -n "$p" ] || grep -a '^\[' "$dir/out" | tail -n 1
    { grep -av '^\[' "$dir/out"; sed '/^---/,$d' "$dir/err"; } | head -n 60
  done
done

# ── random programs, where no file is named: the same text as on one rank; and where ranks run out of memory ──

several=$(echo "$counts" | tr ' ' '\n' | grep -vx 1 | paste -sd,)
oracle() { # WHAT OPTION…
  local what=$1
  shift
  timeout 900 python3 tests/oracle/programs.py "$vapl" --ranks "$several" --count 60 --limit "$limit" "$@" >"$dir/out" 2>&1
  ok $? "random programs, $what: $(head -c 3000 "$dir/out")"
}
if [ $# = 0 ] && [ -n "$several" ] && command -v python3 >/dev/null; then
  oracle forms
  oracle trees --trees
  oracle phrases --phrases
  oracle "short of memory" --memory 2M --seed 78216 --count 84
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
