#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the tests and prints "N passed, N failed" as its last line. `check.sh all` takes the
# whole cross product of builds, back ends and options (for use by hand, it takes long).
#
# A step is a command with a name and the steps that it needs. As many run side by side as there
# are processors; each begins, in the order in which they are listed, when what it needs is done.
# What a step prints goes to build/log/STEP; a step that fails shows the end of its log, and once
# more, in short, above the count: whoever sees only the end of the output sees why.
#
# What takes long takes turns, which the commit's hash chooses: whole steps (its_turn), and lines of
# the language tests (part). `all` takes everything.
cd "$(dirname "$0")/.." || exit 2
all=${1:-}
jobs=$(nproc 2>/dev/null || echo 2)
rm -rf build/log build/spirv
mkdir -p build/log build/spirv
export VAPL_TEST_SPIRV=$PWD/build/spirv LC_ALL=C.UTF-8
export XDG_CACHE_HOME=$PWD/build/cache
mkdir -p "$XDG_CACHE_HOME"
# What the driver has compiled is kept between runs: its compiler is most of the time of a test on lavapipe.
export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-$HOME/.cache/vapl-check}
# Leaks inside the Vulkan loader and driver are not ours; ours are counted by the tests.
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS=print_stacktrace=1
make() { command make --no-print-directory -s "$@"; }

hash=$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0)
turn=$((16#$hash))
# its_turn I N: is it the turn of the I-th of N? Those of 3, of 8 and of 5 meet in every way.
its_turn() { [ "$all" = all ] || [ $((turn % $2)) = $(($1 % $2)) ]; }
# part N: the option by which lang_runner takes an N-th of the lines that stand alone. Its turn
# comes from other digits than those of the steps, or a line would meet only some of them.
part() { [ "$all" = all ] || echo "--part $((turn / 60))/$1"; }
if [ "$all" = all ]; then
  export VAPL_TEST_ALL=1
else
  export VAPL_TEST_TURN=$((turn / 60))
  export GALLIVM_PERF=nopt # lavapipe's compiler without its optimisations: a fifth of its time
fi

# ── steps ──

total() { local sum=0 n; while read -r n; do sum=$((sum + n)); done; echo $sum; }

# run_step NAME COMMAND…: counts what the command says it passed and failed ("N passed, N
# failed" or cmocka's lines), or the command itself as one test. Exit code 77: skipped.
run_step() {
  local name=$1 log=build/log/$1 start=$SECONDS p f rc TIMEFORMAT='%U %S'
  shift
  { time "$@" >"$log" 2>&1 </dev/null; } 2>"$log.time"
  rc=$?
  p=$(sed -nE 's/^([a-z.]+: )?([0-9]+) passed, [0-9]+ failed$/\2/p; s/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$log" | total)
  f=$(sed -nE 's/^([a-z.]+: )?[0-9]+ passed, ([0-9]+) failed$/\2/p; s/^\[  FAILED  \] .*: ([0-9]+) test\(s\).*/\1/p' "$log" | total)
  if [ "$p" = 0 ] && [ "$f" = 0 ] && [ $rc = 0 ]; then p=1; fi
  if [ $rc = 77 ]; then p=0 f=0 rc=0; tail -n 1 "$log"; fi
  if [ $rc != 0 ] && [ "$f" = 0 ]; then f=1; fi
  echo "$p $f" >"$log.count"
  printf '%-34s %5d passed %4d failed  %4d s, %4.0f s of processor time\n' "$name" "$p" "$f" \
    $((SECONDS - start)) "$(tail -n 1 "$log.time" | awk '{print $1 + $2}')"
  [ "$f" = 0 ] || tail -n 40 "$log"
}

names=()
declare -A needs command state began
step() { # NAME NEEDS COMMAND…: NEEDS are names with commas between them, or -
  local name=$1
  names+=("$name")
  needs[$name]=${2//,/ }
  state[$name]=waiting
  shift 2
  command[$name]=$(printf '%q ' "$@")
}
ready() { # NAME: is all done that it needs? What did not build is not tested.
  local need
  for need in ${needs[$1]/#-/}; do
    [ "${state[$need]}" = done ] || return 1
    [[ $need == build* ]] || continue
    if [ -e "build/log/$need.not-run" ] || ! grep -q ' 0$' "build/log/$need.count"; then
      echo "$1: not run, for $need failed"
      touch "build/log/$1.not-run"
      echo '0 0' >"build/log/$1.count"
      return 1
    fi
  done
}
# Looks at all steps: which have ended, which may begin.
turn_over() {
  local name
  running=() ended=0
  for name in "${names[@]}"; do
    [ "${state[$name]}" = running ] && [ ! -e "build/log/$name.count" ] && running+=("$name")
    [ -e "build/log/$name.count" ] && state[$name]=done ended=$((ended + 1))
  done
  for name in "${names[@]}"; do
    [ ${#running[@]} -lt "$jobs" ] || return
    [ "${state[$name]}" = waiting ] && ready "$name" || continue
    state[$name]=running began[$name]=$SECONDS
    running+=("$name")
    eval "run_step $name ${command[$name]}" &
  done
}
# How far is a step? Files of a build that are compiled or linked (as many as the first build had);
# files of the language tests; tests of a unit; else its seconds.
progress() { # NAME
  local log=build/log/$1 at of=
  case $1 in
  build*) at=$(grep -c '^  [A-Z]' "$log") of=$files ;;
  lang*) at=$(sed -nE 's/^\[([0-9]+)\/.*/\1/p' "$log" | tail -n 1) of=$(sed -nE 's/^\[.*\/([0-9]+)\].*/\1/p' "$log" | tail -n 1) ;;
  test_*) at=$(grep -ac '^\[ RUN' "$log") of=$(sed -nE 's/.*Running ([0-9]+) test.*/\1/p' "$log") ;;
  esac
  if [ -n "$at" ] && [ -n "$of" ]; then echo "$at/$of"; else echo "$((SECONDS - began[$1])) s"; fi
}
run_steps() {
  local said=$SECONDS name line files
  files=$(find src runtime bench tests/unit -name '*.c' | wc -l)
  while turn_over; [ $ended -lt ${#names[@]} ]; do
    sleep 0.1
    [ $((SECONDS - said)) -ge 15 ] || continue
    said=$SECONDS line=
    for name in "${running[@]}"; do line+="$name $(progress "$name") · "; done
    [ ! -e build/log/build.count ] || files=$(grep -c '^  [A-Z]' build/log/build)
    printf '%d:%02d %s%d of %d steps\n' $((SECONDS / 60)) $((SECONDS % 60)) "$line" $ended ${#names[@]}
  done
  wait
}

# ── what the steps run ──

# The limits of time end what hangs; on a machine that is busy all takes several times as long.
unit() { # CONFIG TEST [PATTERN]
  timeout 12000 "build/$1/unit/$2" ${3:+"$3"}
}
pages=$(grep -v '^#' tests/pages | tr '\n' ' ') # of the manual, whose examples are tests
lang() { # CONFIG OPTION…
  local c=$1
  shift
  "build/$c/lang_runner" --each "$@" tests/lang/*.apl $pages
}
# Files that make hundreds of pipelines, which lavapipe compiles for minutes: two or three of them each run.
heavy='order sets bits scalar product items groups search segments middle lib_dfns'
on_device() { # FILE…: those to run on lavapipe
  local f name i taken=
  [ "$all" != all ] || { echo "$@"; return; }
  i=0
  for name in $heavy; do
    [ $((turn / 480 % 5)) != $((i++ % 5)) ] || taken+=" $name"
  done
  for f; do
    name=$(basename "$f" .apl)
    case " $heavy " in *" $name "*) case " $taken " in *" $name "*) ;; *) continue ;; esac ;; esac
    echo "$f"
  done
}
shards=4
under= # what runs it
lang_shard() { # I CONFIG OPTION…: every fourth file, from the I-th on, but that of lang-device-nan
  local i=$1 c=$2
  shift 2
  # shellcheck disable=SC2046,SC2086
  $under "build/$c/lang_runner" --each "$@" $(on_device tests/lang/*.apl $pages | tr ' ' '\n' | grep -v lang/nan.apl | awk -v i="$i" -v n=$shards 'NR % n == i')
}
device_steps() { # NAME OPTION…: the language tests on lavapipe
  local name=$1 i
  shift
  for ((i = 0; i < shards; i++)); do
    step "$name-$i" build lang_shard $i release --device cpu --validate --spirv build/spirv "$@"
  done
}
swiftshader_shard() { under='bash tests/swiftshader.sh' lang_shard "$@"; }
spirv() {
  local bad=0 n
  n=$(find build/spirv -name '*.spv' | wc -l)
  [ "$n" -gt 0 ] || return 1
  # One process for many modules is not offered; the shell's own fork is most of the time.
  for f in build/spirv/*.spv; do
    spirv-val --target-env vulkan1.2 "$f" || { echo "$f"; bad=$((bad + 1)); }
  done
  echo "$((n - bad)) passed, $bad failed"
  [ $bad = 0 ]
}
headers() { # vapl.h and what stands beside it alone, in three languages; no symbol but ours leaves the libraries
  printf '#include "runtime/%s.h"\n' vapl vapl_arrow vapl_cuda vapl_comm vapl_mpi >build/log/h.c && cp build/log/h.c build/log/h.cc || return 1
  gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.c &&
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.c &&
    g++ -std=c++98 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.cc || return 1
  local stray
  stray=$( (nm -D --defined-only build/release/libvapl.so.0; nm -g --defined-only build/release/libvapl.a) |
    awk 'NF==3 && $2!="A" && $3!~/^vapl_/ {print $3}')
  [ -z "$stray" ] || { echo "exported: $stray"; return 1; }
}
ranks() { # OPTION…: several processes that run one program
  command -v "${MPICC:-mpicc}" >/dev/null && command -v mpirun >/dev/null ||
    { echo 'ranks: skipped, there is no mpicc (openmpi-bin, libopenmpi-dev)'; return 77; }
  bash tests/ranks.sh build/release --limit 1200 "$@"
}
oracle() { # folds, groups, systems of equations and transforms against exact arithmetic; random programs each way
  command -v python3 >/dev/null || { echo 'oracle: skipped, python3 is missing'; return 77; }
  timeout 1200 python3 tests/oracle/folds.py build/release/vapl "$@" &&
    timeout 1200 python3 tests/oracle/groups.py build/release/vapl ${1:+--device "$1"} &&
    timeout 1200 python3 tests/oracle/linear.py build/release/vapl "$@" &&
    timeout 1200 python3 tests/oracle/fourier.py build/release/vapl "$@" || return 1
  [ $# = 0 ] || return 0 # the programs compare ways of the host
  timeout 1200 python3 tests/oracle/programs.py build/release/vapl --count 300 &&
    timeout 1200 python3 tests/oracle/programs.py build/release/vapl --trees --count 300 &&
    timeout 1200 python3 tests/oracle/programs.py build/release/vapl --phrases --seed 101 --count 300
}
tables() { # the pages of docs that are made from the program
  for page in primitives operators names; do
    diff docs/$page.md <(build/release/bench/reference $page) || return 1
  done
  diff <(sed '1,/^.." commands:/d; /^.." end of/,$d' docs/vapl.1) <(build/release/bench/reference --commands) &&
    diff docs/coverage.md <(timeout 1200 build/release/bench/coverage) || return 1
  local e=build/release/bench/editors
  diff editors/vim/syntax/vapl.vim <($e vim) && diff editors/vim/ftplugin/vapl.vim <($e keys) &&
    diff editors/vscode/syntaxes/vapl.tmLanguage.json <($e grammar) &&
    diff editors/vscode/snippets/vapl.json <($e snippets) && diff editors/tree-sitter/glyphs.json <($e glyphs)
}
fuzz_built() { # where there is libFuzzer
  echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return p ? 0 * (int)n : 0; }' |
    clang -w -fsanitize=fuzzer -x c - -o build/log/fuzzer || {
    echo 'fuzz: skipped, clang has no libFuzzer'
    return 77
  }
  make fuzz
}
lsp() {
  command -v python3 >/dev/null || { echo 'lsp: skipped, python3 is missing'; return 77; }
  timeout 600 python3 tests/lsp.py build/release/vapl
}
tests=$(for t in tests/unit/test_*.c; do basename "$t" .c; done)
units() { for t in $2; do echo "build/$1/unit/$t"; done; }
benches() { for t in bench/*.c; do echo "build/$1/bench/$(basename "$t" .c)"; done; }
n=0 asan_tests= # those whose turn it is with sanitizers
for t in $tests; do
  ! its_turn $((n++)) 5 || asan_tests+=" $t"
done

# ── the steps ──

# gcc -O2 is what is tested. Long chains of steps begin early.
step format - tools/format.sh check
step arrows - tools/arrows.sh
step accessors - tools/accessors.sh
step kinds - tools/kinds.sh
ranked= # what needs MPI, where it is
command -v "${MPICC:-mpicc}" >/dev/null && ranked=ranks
step build format,arrows,accessors make -j"$jobs" CFLAGS=-Werror all $ranked $(units release "$tests") $(benches release) \
  build/release/device/wrapper.so

# Sanitizers: gcc's in three commits of four, clang's by the fuzzer in the fourth. The host's loops
# have them for one instruction set at a time.
sets=(base one avx2 avx512 avx512b)
[ "$all" = all ] || sets=("${sets[turn / 60 % 5]}")
if ! its_turn 0 4 || [ "$all" = all ]; then
  step build-asan build make CONFIG=asan CFLAGS=-Werror "SANITIZED=${sets[*]}" all $(units asan "$asan_tests")
  step lang-asan-graph build-asan lang asan --tune direct=0 $(part 4)
  step lang-asan build-asan lang asan $(part 2)
  for t in $asan_tests; do step "$t-asan" build-asan unit asan "$t"; done
  its_turn 3 5 && step cli-asan build-asan timeout 1200 bash tests/cli.sh build/asan/vapl
  its_turn 4 5 && step repl-asan build-asan timeout 1200 bash tests/repl.sh build/asan/vapl
fi
if its_turn 0 4; then
  step fuzz-build build fuzz_built
  step fuzz fuzz-build bash tests/fuzz.sh build/fuzz 60
fi

device_steps lang-device --tune direct=0 $(part 8)
# It calls functions for single numbers, thousands of times: these are no matter for a device.
step lang-device-nan build build/release/lang_runner --device cpu --tune direct=1 --validate --spirv build/spirv $(part 2) tests/lang/nan.apl
# The second driver: it has no 64-bit integers, no f64, and subgroups of 4.
for ((i = 0; i < shards; i++)); do
  its_turn $i $shards && step lang-device-swiftshader-$i build swiftshader_shard $i release --device cpu --spirv build/spirv --tune direct=0 $(part 8)
done
its_turn 2 8 && device_steps lang-device-passes --tune "direct=0 finish=0 mask=extended" $(part 8)
its_turn 6 8 && device_steps lang-device-unfused --tune "direct=0 fuse=0 lift=0" $(part 8)
for t in $tests; do step "$t" build unit release "$t"; done

# Warnings: clang's of all files; both compilers' of what intrinsics become without optimisation.
step syntax-clang build make CC=clang CFLAGS="-O0 -Werror" syntax
step syntax-gcc-O0 build make CONFIG=w-gcc-O0 CC=gcc CFLAGS="-O0 -Werror" syntax-loops
its_turn 1 8 && step build-clang-O2 build make CONFIG=w-clang-O2 CC=clang CFLAGS="-O2 -g0 -Werror" all
its_turn 3 8 && step build-gcc-O0 build make CONFIG=w-gcc-O0 CC=gcc CFLAGS="-O0 -g0 -Werror" all
its_turn 5 8 && step build-clang-O0 build make CONFIG=w-clang-O0 CC=clang CFLAGS="-O0 -g0 -Werror" all
step oracle build oracle
its_turn 1 2 && step oracle-device build oracle cpu
step circles build tools/circles.sh build/release
step headers build headers
step size build tools/size.sh build/release
step python build timeout 1200 bash tests/python.sh build/release
step abi build bash tests/abi.sh build/release
step embed build timeout 1200 bash tests/embed.sh build/release
step lang-host build lang release
step lang-direct build lang release --tune "direct=1000000000 lift=2 threads=3 share=64"
step lang-graph build lang release --tune direct=0
# Without the leaves, which only save time (src/tables/fast.def).
step build-plain build make CONFIG=plain CFLAGS=-Werror all
step lang-plain build-plain lang plain
step lang-plain-graph build-plain lang plain --tune direct=0 $(part 4)
step lang-plain-device build-plain build/plain/lang_runner --each --device cpu --tune direct=0 $(part 4) \
  tests/lang/{near,rows,fold_axes,fold_together,oper_fold}.apl
odd_device() { # NAME TUNE FILE…: language tests on a lavapipe that has less, or answers late
  local name=$1 tune=$2
  shift 2
  # shellcheck disable=SC2046
  step "lang-device-$name" build build/release/lang_runner --each --device cpu --tune "direct=0 $tune" $(part 4) $(on_device "${@/%/.apl}")
}
its_turn 0 3 && odd_device starved "scan=ahead starve=2" tests/lang/{segments,fold_axes,order,linear}
its_turn 1 3 && odd_device ahead "scan=ahead" tests/lang/linear
its_turn 1 3 && odd_device small "class=10 smaller=1" tests/lang/{product,order,fold_axes,rows,stores}
its_turn 2 3 && odd_device no-f64 "mask=fp64" tests/lang/{math,fold_axes,assign,linear}
its_turn 0 3 && odd_device no-int64 "mask=int64" tests/lang/{convert,order,product,segments,stores}
# Drivers whose calls fail, devices that have less or lie, a driver without hardware.
step device-fails build bash tests/device.sh build/release fails $(part 8)
step device-masks build bash tests/device.sh build/release masks $(part 4)
step device-lies build bash tests/device.sh build/release lies $(part 6)
step device-spills build bash tests/device.sh build/release spills
step device-automatic build bash tests/device.sh build/release automatic
# Modules by AMD's compiler, for one of three cards by turns.
i=0
for chip in navi21 vega10 gfx1100; do
  its_turn $((i++)) 3 && step "device-$chip" build bash tests/device.sh build/release compile $chip $(part 16)
done
its_turn 3 4 && step device-metal build bash tests/device.sh build/release metal $(part 16)
[ "$all" = all ] && step device-dg2 build bash tests/device.sh build/release compile dg2 # where VAPL_INTEL_SHIM names the library
step device-null build bash tests/device.sh build/release null
step tables build tables
step editors build tests/editors.sh
step lsp build lsp
step component build timeout 1200 sh tests/component.sh build/release/vapl "$([ "$all" = all ] && echo 200 || echo 8)"
step http build timeout 1200 sh tests/http.sh build/release/vapl
step examples build timeout 1200 bash tests/examples.sh build/release/vapl
its_turn 0 2 && step examples-device build timeout 1200 bash tests/examples.sh build/release/vapl --device cpu
step ladder build timeout 1200 build/release/bench/ladder --device cpu --check 1
step pages build timeout 1200 bash tests/pages.sh build/release/vapl docs/{tutorial,gpu,how-plus-reduce-becomes-spirv,how-a-function-runs-over-cells,seeds}.md
step site - bash tests/site.sh
step cli build timeout 1200 bash tests/cli.sh build/release/vapl
step repl build timeout 1200 bash tests/repl.sh build/release/vapl
step doctor build timeout 1200 bash tests/doctor.sh build/release/vapl
step install build bash tests/install.sh release
[ "$all" = all ] && step web build bash tests/web.sh build/release
some=('2 3' '3 5' '1 2' '2 5') # numbers of ranks that take turns
[ "$all" = all ] && some=('1 2 3 5')
# shellcheck disable=SC2046
step ranks build ranks --ranks "${some[turn % ${#some[@]}]}" $(part 4)
modules=build
if [ "$all" = all ]; then
  step build-tsan build make CONFIG=tsan all $(units tsan "$tests")
  step tsan-block build-tsan unit tsan test_block
  step lang-asan-device build-asan lang asan --device cpu --tune direct=0 --validate
  for name in apple phone adreno intel amd small liar wave64 varying short; do
    step "device-lang-$name" build bash tests/device.sh build/release lang "$name"
  done
  step test_codegen-swiftshader build env -u VAPL_TEST_ALL bash tests/swiftshader.sh build/release/unit/test_codegen
  for kind in '' --trees --phrases; do
    step "programs-swiftshader$kind" build bash tests/swiftshader.sh python3 tests/oracle/programs.py build/release/vapl --device cpu --count 3400 --seed 7000 $kind
  done
  for items in 1 4; do
    for wg in 64 256 1024; do
      modules+=,lang-wg$wg-items$items
      step "lang-wg$wg-items$items" build lang release --device cpu --tune "direct=0 wg=$wg items=$items" --spirv build/spirv
    done
  done
fi
for name in "${names[@]}"; do
  case $name in lang-device* | test_codegen | test_exec) modules+=,$name ;; esac
done
step spirv-val "$modules" spirv

[ "$all" = all ] || echo "What takes turns: those of commit $hash (turn $turn); \`make check-all\` takes all."
run_steps
for count in build/log/*.count; do
  grep -q ' 0$' "$count" && continue
  log=${count%.count}
  echo "── failed: ${log##*/}"
  { grep -aE -B1 'FAIL|wanted:|got:|differ|rror:|validation|leaked' "$log"; tail -n 3 "$log"; } | cut -c1-160 | head -n 8
done
cat build/log/*.count | awk '{p += $1; f += $2} END {print p + 0 " passed, " f + 0 " failed"; exit f > 0}'
