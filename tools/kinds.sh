#!/bin/sh
# SPDX-License-Identifier: MIT
# kinds.sh - in how many files of src each kind of nodes (src/ir/kind.h) is named: there, by its row, by what
# builds it and by what looks for it. Prints them; fails where these are more than `most`, or than three
# for a kind that serves one primitive. Both only go down.
cd "$(dirname "$0")/.." || exit 2
most=6
bad=0
for kind in $(sed -nE 's/^extern const node_kind (.*);.*/\1/p' src/ir/kind.h | tr -d ' ' | tr ',' ' '); do
  files=$(grep -rlE "\\b$kind\\b|^KIND\\(${kind#kind_}," src | sort)
  n=$(echo "$files" | wc -l)
  limit=$most
  case $kind in
  *_order | *_put | *_lookup | *_find | *_runs | *_roll | *_deal | *_convert | *_items) limit=3 ;;
  esac
  if [ "$n" -gt "$limit" ]; then bad=1; fi
  printf '%d of %d  %s:' "$n" "$limit" "$kind"
  for f in $files; do printf ' %s' "${f#src/ir/}"; done
  echo
done
[ $bad = 0 ] || echo 'kinds: one is named in too many files'
exit $bad
