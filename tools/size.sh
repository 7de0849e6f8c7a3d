#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints lines by folder and asserts the limits: 34 500 under src, 6 000 under runtime.
cd "$(dirname "$0")/.." || exit 2
lines() { find "$1" -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l; }
for d in src/*/; do printf '%6d  %s\n' "$(lines "$d")" "$d"; done
src=$(lines src)
run=$(lines runtime)
echo "src $src of 34500, runtime $run of 6000"
[ "$src" -le 34500 ] && [ "$run" -le 6000 ]
