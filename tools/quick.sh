#!/bin/bash
# SPDX-License-Identifier: MIT
# quick.sh BUILD - what is worth running after every change: the language tests on the host, by
# the direct path and by the graph, and the unit tests that take less than a few seconds. The
# three run side by side.
cd "$(dirname "$0")/.." || exit 2
b=${1:?usage: quick.sh build/CONFIG}
pages=$(grep -v '^#' tests/pages)
long='api block codegen deep exchange exec fuzz gpu hostile import interrupt ir join math'
units() {
  local t
  for t in tests/unit/test_*.c; do
    t=$(basename "$t" .c)
    case " $long " in *" ${t#test_} "*) continue ;; esac
    "$b/unit/$t" || { echo "$t failed"; return 1; }
  done
}
# shellcheck disable=SC2086
"$b/lang_runner" tests/lang/*.apl $pages >"$b/quick.direct" 2>&1 & direct=$!
# shellcheck disable=SC2086
"$b/lang_runner" --tune direct=0 tests/lang/*.apl $pages >"$b/quick.graph" 2>&1 & graph=$!
units >"$b/quick.units" 2>&1 & units=$!
bad=0
wait $direct || { cat "$b/quick.direct"; bad=1; }
wait $graph || { cat "$b/quick.graph"; bad=1; }
wait $units || { cat "$b/quick.units"; bad=1; }
[ $bad = 0 ] && echo "the quick tests pass"
exit $bad
