#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the tests and prints "N passed, N failed" as its last line. `check.sh all` takes the
# whole cross product of builds, back ends and options (for use by hand, it takes long).
#
# A step is a command with a name. Steps of one stage do not depend on each other and run side
# by side, as many as there are processors; `stage` waits for those before it. What a step
# prints goes to build/log/STEP; a step that fails shows the end of its log, and once more, in
# short, above the count: whoever sees only the end of the output sees why.
cd "$(dirname "$0")/.." || exit 2
all=${1:-}
jobs=$(nproc 2>/dev/null || echo 2)
rm -rf build/log build/spirv
mkdir -p build/log build/spirv
export VAPL_TEST_SPIRV=$PWD/build/spirv XDG_CACHE_HOME=$PWD/build/cache LC_ALL=C.UTF-8
mkdir -p "$XDG_CACHE_HOME"
# Leaks inside the Vulkan loader and driver are not ours; ours are counted by the tests.
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS=print_stacktrace=1
make() { command make --no-print-directory -s "$@"; }

[ "$all" = all ] && export VAPL_TEST_ALL=1 # every combination, where tests else take turns

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

running=0
step() { # NAME COMMAND…: starts it as soon as a processor is free
  if [ $running -ge "$jobs" ]; then
    wait -n
    running=$((running - 1))
  fi
  run_step "$@" &
  running=$((running + 1))
}
stage() { # waits for all that was started; what comes now may use it
  wait
  running=0
}

# ── what the steps run ──

unit() { # CONFIG TEST [PATTERN]
  timeout 900 "build/$1/unit/$2" ${3:+"$3"}
}
unit_steps() { # CONFIG SUFFIX: a step for each unit test, two for the longest
  local t
  step "test_codegen-scans$2" unit "$1" test_codegen 'test_scan*'
  step "test_codegen-others$2" unit "$1" test_codegen '-test_scan*'
  for t in $tests; do
    [ "$t" = test_codegen ] || step "$t$2" unit "$1" "$t"
  done
}
pages='README.md docs/data.md docs/language.md docs/primitives.md docs/tutorial.md' # whose examples are tests
lang() { # CONFIG OPTION…
  local c=$1
  shift
  "build/$c/lang_runner" "$@" tests/lang/*.apl $pages
}
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
headers() { # vapl.h alone, in three languages; no symbol but ours leaves the libraries
  echo '#include "runtime/vapl.h"' >build/log/h.c && cp build/log/h.c build/log/h.cc || return 1
  gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.c &&
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.c &&
    g++ -std=c++98 -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only build/log/h.cc || return 1
  local stray
  stray=$( (nm -D --defined-only build/release/libvapl.so.0; nm -g --defined-only build/release/libvapl.a) |
    awk 'NF==3 && $2!="A" && $3!~/^vapl_/ {print $3}')
  [ -z "$stray" ] || { echo "exported: $stray"; return 1; }
}
stripped() { # the library that is installed is small; scalar functions and folds are there for three instruction sets
  strip -o build/log/lib.so build/release/libvapl.so.0 || return 1
  local bytes
  bytes=$(stat -c %s build/log/lib.so)
  echo "libvapl.so.0 stripped: $bytes bytes of 5000000"
  [ "$bytes" -lt 5000000 ]
}
oracle() { # folds, groups and systems of equations against exact arithmetic; random programs each way
  command -v python3 >/dev/null || { echo 'oracle: skipped, python3 is missing'; return 77; }
  timeout 600 python3 tests/oracle/folds.py build/release/vapl "$@" &&
    timeout 600 python3 tests/oracle/groups.py build/release/vapl ${1:+--device "$1"} &&
    timeout 300 python3 tests/oracle/linear.py build/release/vapl "$@" &&
    timeout 300 python3 tests/oracle/programs.py build/release/vapl --count 300 &&
    timeout 300 python3 tests/oracle/programs.py build/release/vapl --trees --count 300 &&
    timeout 300 python3 tests/oracle/programs.py build/release/vapl --phrases --seed 101 --count 300
}
tables() { # the pages of docs that are made from the program
  diff docs/primitives.md <(build/release/bench/reference) &&
    diff <(sed '1,/^.." commands:/d; /^.." end of/,$d' docs/vapl.1) <(build/release/bench/reference --commands) &&
    diff docs/coverage.md <(timeout 300 build/release/bench/coverage) || return 1
  local e=build/release/bench/editors
  diff editors/vim/syntax/vapl.vim <($e vim) && diff editors/vim/ftplugin/vapl.vim <($e keys) &&
    diff editors/vscode/syntaxes/vapl.tmLanguage.json <($e grammar) &&
    diff editors/vscode/snippets/vapl.json <($e snippets)
}
tests=$(for t in tests/unit/test_*.c; do basename "$t" .c; done)
units() { for t in $tests; do echo "build/$1/unit/$t"; done; }
benches() { for t in bench/*.c; do echo "build/$1/bench/$(basename "$t" .c)"; done; }

# ── the stages ──

step format tools/format.sh check
step arrows tools/arrows.sh
step accessors tools/accessors.sh
step size tools/size.sh
stage
# gcc -O2 is what is tested; the others are built for their warnings, as fast as they can be.
run_step build make -j"$jobs" CFLAGS=-Werror all $(units release) $(benches release)
step build-asan make CONFIG=asan CFLAGS=-Werror all $(units asan)
step build-clang-O2 make CONFIG=w-clang-O2 CC=clang CFLAGS="-O2 -g0 -Werror" all
step build-gcc-O0 make CONFIG=w-gcc-O0 CC=gcc CFLAGS="-O0 -g0 -Werror" all
step build-clang-O0 make CONFIG=w-clang-O0 CC=clang CFLAGS="-O0 -g0 -Werror" all
step syntax-clang make CC=clang CFLAGS=-Werror syntax
step circles tools/circles.sh build/release
step headers headers
step stripped stripped
step python timeout 300 bash tests/python.sh build/release
step abi bash tests/abi.sh build/release
step embed timeout 300 bash tests/embed.sh build/release
unit_steps release ""
step lang-host lang release
step lang-direct lang release --tune "direct=1000000000 lift=2 threads=3 share=64"
step lang-graph lang release --tune direct=0
step lang-device lang release --device cpu --tune direct=0 --validate --spirv build/spirv
step lang-device-passes lang release --device cpu --tune "direct=0 finish=0 mask=extended" --spirv build/spirv
step lang-device-unfused lang release --device cpu --tune "direct=0 fuse=0 lift=0" --spirv build/spirv
step lang-device-starved build/release/lang_runner --device cpu \
  --tune "direct=0 scan=ahead starve=2" tests/lang/{segments,fold_axes,order}.apl
step lang-device-small build/release/lang_runner --device cpu --tune "direct=0 class=10 smaller=1" \
  tests/lang/{product,order,fold_axes,rows,stores}.apl
step lang-device-no-f64 build/release/lang_runner --device cpu --tune "direct=0 mask=fp64" \
  tests/lang/{math,fold_axes,assign}.apl
step tables tables
step editors tests/editors.sh
step examples timeout 300 bash tests/examples.sh build/release/vapl
step examples-device timeout 300 bash tests/examples.sh build/release/vapl --device cpu
step ladder timeout 300 build/release/bench/ladder --device cpu --check 1
step oracle oracle
step oracle-device oracle cpu
step pages timeout 300 bash tests/pages.sh build/release/vapl docs/{tutorial,gpu,how-plus-reduce-becomes-spirv}.md
step cli timeout 300 bash tests/cli.sh build/release/vapl
step repl timeout 300 bash tests/repl.sh build/release/vapl
step doctor timeout 300 bash tests/doctor.sh build/release/vapl
step install bash tests/install.sh release
stage
unit_steps asan -asan
step lang-asan lang asan
step lang-asan-graph lang asan --tune direct=0
step cli-asan timeout 300 bash tests/cli.sh build/asan/vapl
step repl-asan timeout 300 bash tests/repl.sh build/asan/vapl
step spirv-val spirv
stage
if [ "$all" = all ]; then
  run_step build-tsan make -j"$jobs" CONFIG=tsan all $(units tsan)
  step tsan-block unit tsan test_block
  step lang-asan-device lang asan --device cpu --tune direct=0 --validate
  for items in 1 4; do
    for wg in 64 256 1024; do
      step "lang-wg$wg-items$items" lang release --device cpu --tune "direct=0 wg=$wg items=$items" --spirv build/spirv
    done
  done
  stage
  run_step spirv-val-all spirv
fi
for count in build/log/*.count; do
  grep -q ' 0$' "$count" && continue
  log=${count%.count}
  echo "── failed: ${log##*/}"
  { grep -aE -B1 'FAIL|wanted:|got:|differ|rror:|validation|leaked' "$log"; tail -n 3 "$log"; } | cut -c1-160 | head -n 8
done
cat build/log/*.count | awk '{p += $1; f += $2} END {print p + 0 " passed, " f + 0 " failed"; exit f > 0}'
