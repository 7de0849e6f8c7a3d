#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the tests and prints "N passed, N failed" as its last line. `check.sh all` takes the
# whole cross product of builds, back ends and options (for use by hand, it takes long).
#
# What a step prints goes to build/log/STEP; a step that fails shows the end of its log.
cd "$(dirname "$0")/.." || exit 2
all=${1:-}
passed=0 failed=0
jobs=$(nproc 2>/dev/null || echo 2)
mkdir -p build/log build/spirv
rm -f build/spirv/*.spv
export VAPL_TEST_SPIRV=$PWD/build/spirv XDG_CACHE_HOME=$PWD/build/cache LC_ALL=C.UTF-8
mkdir -p "$XDG_CACHE_HOME"
# Leaks inside the Vulkan loader and driver are not ours; ours are counted by the tests.
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS=print_stacktrace=1
make() { command make --no-print-directory -s -j"$jobs" "$@"; }

# step NAME COMMAND…: counts what the command says it passed and failed ("N passed, N failed"
# or cmocka's lines), or the command itself as one test.
step() {
  local name=$1 start=$SECONDS p f
  shift
  "$@" >"build/log/$name" 2>&1 </dev/null
  local rc=$?
  p=$(sed -nE 's/^([a-z.]+: )?([0-9]+) passed, [0-9]+ failed$/\2/p; s/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "build/log/$name" | paste -sd+ | bc_)
  f=$(sed -nE 's/^([a-z.]+: )?[0-9]+ passed, ([0-9]+) failed$/\2/p; s/^\[  FAILED  \] .*: ([0-9]+) test\(s\).*/\1/p' "build/log/$name" | paste -sd+ | bc_)
  if [ "$p" = 0 ] && [ "$f" = 0 ] && [ $rc = 0 ]; then p=1; fi
  if [ $rc = 77 ]; then p=0 f=0 rc=0; tail -n 1 "build/log/$name"; fi
  if [ $rc != 0 ] && [ "$f" = 0 ]; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f))
  printf '%-34s %5d passed %4d failed  %4d s\n' "$name" "$p" "$f" $((SECONDS - start))
  [ "$f" = 0 ] || tail -n 40 "build/log/$name"
}
bc_() { read -r e; echo $((${e:-0})); }

unit_tests() { # CONFIG: every unit test, each with its own exit code
  local rc=0 t
  for t in tests/unit/test_*.c; do
    echo "── $t"
    timeout 900 "build/$1/unit/$(basename "$t" .c)" || rc=1
  done
  return $rc
}
lang() { # CONFIG OPTION…
  local c=$1
  shift
  "build/$c/lang_runner" "$@" tests/lang/*.apl
}
spirv() {
  local rc=0 n=0 f
  for f in build/spirv/*.spv; do
    [ -e "$f" ] || continue
    n=$((n + 1))
    spirv-val --target-env vulkan1.2 "$f" || { echo "$f"; rc=$((rc + 1)); }
  done
  echo "$((n - rc)) passed, $rc failed"
  [ $n -gt 0 ] && [ $rc = 0 ]
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
embed() { # the C example, against both libraries
  local e=build/release/embed
  gcc -std=c99 -Wall -Wextra -Werror -Iruntime examples/embed_hello.c build/release/libvapl.a -ldl -lpthread -lm -o ${e}_a &&
    gcc -std=c11 -Wall -Wextra -Werror -Iruntime examples/embed_hello.c -Lbuild/release -l:libvapl.so.0 -Wl,-rpath,"$PWD/build/release" -o ${e}_so &&
    ${e}_a && ${e}_so
}
step arrows tools/arrows.sh
step size tools/size.sh
units() { for t in tests/unit/test_*.c; do echo "build/$1/unit/$(basename "$t" .c)"; done; }
benches() { for t in bench/*.c; do echo "build/$1/bench/$(basename "$t" .c)"; done; }
step build make CFLAGS=-Werror all $(units release) $(benches release) # gcc -O2
step build-gcc-O0 make CONFIG=w-gcc-O0 CC=gcc CFLAGS="-O0 -Werror" all
for opt in 0 2; do
  step build-clang-O$opt make CONFIG=w-clang-O$opt CC=clang CFLAGS="-O$opt -Werror" all
done
step syntax-clang make CC=clang CFLAGS=-Werror syntax
step build-asan make CONFIG=asan CFLAGS=-Werror all $(units asan)
step headers headers
step unit unit_tests release
step lang-host lang release
step lang-direct lang release --tune direct=1000000000
step lang-stress lang release --tune direct=0
step lang-device lang release --device cpu --tune direct=0 --validate --spirv build/spirv
step lang-device-unfused lang release --device cpu --tune "direct=0 fuse=0" --spirv build/spirv
step lang-asan lang asan
step lang-asan-stress lang asan --tune direct=0
step unit-asan unit_tests asan
step spirv-val spirv
step embed embed
step examples timeout 300 bash tests/examples.sh build/release/vapl
step examples-device timeout 300 bash tests/examples.sh build/release/vapl --device cpu
for c in release asan; do
  step cli-$c timeout 300 bash tests/cli.sh build/$c/vapl
  step repl-$c timeout 300 bash tests/repl.sh build/$c/vapl
done
if [ "$all" = all ]; then
  step build-tsan make CONFIG=tsan all $(units tsan)
  step tsan-block build/tsan/unit/test_block
  step lang-asan-device lang asan --device cpu --tune direct=0 --validate
  for items in 1 4; do
    for wg in 64 256 1024; do
      step "lang-wg$wg-items$items" lang release --device cpu --tune "direct=0 wg=$wg items=$items" --spirv build/spirv
    done
  done
  step spirv-val-all spirv
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
