#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints lines by folder and asserts the limits: 34 000 under src, 6 000 under runtime.
cd "$(dirname "$0")/.." || exit 2
for d in src/*/; do printf '%6d  %s\n' "$(cat "$d"*.[ch] "$d"*.def 2>/dev/null | wc -l)" "$d"; done
printf '%6d  src/*\n' "$(cat src/*.[ch] src/*.def | wc -l)"
src=$(find src -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)
run=$(find runtime -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)
echo "src $src of 34000, runtime $run of 6000"
[ "$src" -le 34000 ] && [ "$run" -le 6000 ]
