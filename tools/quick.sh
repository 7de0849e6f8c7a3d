#!/bin/sh
# SPDX-License-Identifier: MIT
# quick.sh BUILD - what is worth running after every change: the language tests on the host, by
# the direct path and by the graph, and the unit tests that take less than a few seconds.
cd "$(dirname "$0")/.." || exit 2
b=${1:?usage: quick.sh build/CONFIG}
long='test_codegen test_block test_exec test_gpu test_ir test_fuzz test_math'
"$b/lang_runner" tests/lang/*.apl docs/data.md docs/primitives.md docs/tutorial.md || exit 1
"$b/lang_runner" --tune direct=0 tests/lang/*.apl docs/data.md docs/primitives.md docs/tutorial.md || exit 1
for t in "$b"/unit/test_*; do
  name=$(basename "$t")
  case " $long " in *" ${name%%-*} "*) continue ;; esac
  case $name in *.d) continue ;; esac
  "$t" >"$b/quick.log" 2>&1 || { cat "$b/quick.log"; echo "$name failed"; exit 1; }
done
echo "the quick tests pass"
