#!/bin/bash
# SPDX-License-Identifier: MIT
# abi.sh BUILD [update] - what programs that were linked with libvapl.so.0 rely on: tests/abi has
# the headers as they were released, without comments. Libraries of empty functions are made of
# them and of today's, and abidiff compares the two; new functions are welcome, everything else
# (a field that moved, a type, a function that is gone) is an error. The library itself must have
# each function. `update` takes today's headers: only where a change keeps old programs running.
# Exit code 77: abidiff is missing.
cd "$(dirname "$0")/.." || exit 1
build=${1:?usage: abi.sh build/release [update]}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bare() { # without comments
  sed -E ':more; s:/\*([^*]|\*+[^*/])*\*+/::g; /\/\*/ {N; b more}' "runtime/$1" | sed 's/ *$//; /^$/d'
}
if [ "$2" = update ]; then
  for h in vapl.h vapl_vulkan.h vapl_arrow.h vapl_cuda.h; do bare $h | clang-format >tests/abi/$h; done
fi
command -v abidiff >/dev/null || { echo 'abi: skipped, abigail-tools is missing'; exit 77; }

empty_library() { # FOLDER NAME
  for h in vapl_vulkan.h vapl_arrow.h vapl_cuda.h; do [ ! -e "$1/$h" ] || printf "#include \"%s\"\n" "$h"; done >"$tmp/all.h"
  gcc -E -P -I"$1" -x c "$tmp/all.h" | tr '\n' ' ' |
    sed -E 's/__attribute__\(\(visibility\("default"\)\)\) ([^;]*);/\n\1 { __builtin_trap(); }\n/g' >"$tmp/$2.c"
  gcc -g -shared -fPIC -Wl,-soname,libvapl.so.0 "$tmp/$2.c" -o "$tmp/$2"
}
functions() { nm -D --defined-only "$1" | awk '$3 ~ /^vapl_/ {sub(/@.*/, "", $3); print $3}' | sort; }
failed=0
empty_library tests/abi was && empty_library runtime now || exit 1
abidiff --no-added-syms "$tmp/was" "$tmp/now" || { failed=1; echo "FAIL: see above; if it is meant: $0 $build update"; }
diff <(functions "$tmp/now") <(functions "$build/libvapl.so.0") || { failed=1; echo 'FAIL: runtime/vapl.map and the headers do not agree'; }
echo "abi.sh: $((2 - failed)) passed, $failed failed"
[ $failed = 0 ]
