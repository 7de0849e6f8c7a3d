#!/bin/bash
# SPDX-License-Identifier: MIT
# syntax.sh CC FLAG… -- FILE… - has the compiler look at the files and build nothing. Where it is
# clang, whose start takes longer than most files do, one process looks at many.
cd "$(dirname "$0")/.." || exit 2
command=()
while [ "$1" != -- ]; do command+=("$1"); shift; done
shift
jobs=$(nproc 2>/dev/null || echo 2)
command+=(-fsyntax-only)
if "${command[0]}" --version | grep -q clang; then
  # What the driver would run for one file, without that file's name at its end, takes several.
  inner=$("${command[@]}" -### "$1" 2>&1 | grep -- '"-cc1"' | tail -n 1)
  eval "inner=($inner)"
  [ "${inner[-1]}" = "$1" ] && command=("${inner[@]::${#inner[@]}-1}")
fi
printf '%s\0' "$@" | xargs -0 -n $((($# + jobs - 1) / jobs)) -P "$jobs" "${command[@]}"
