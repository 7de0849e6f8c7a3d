#!/bin/sh
# SPDX-License-Identifier: MIT
# Accessors of one element (arr_get_int and the like) are calls with a branch on the type: in a
# loop over elements they cost ten times what a block of them does (prim/scalar.h: sc_load,
# sc_put_ints). Counts those within four lines of a `for`, and holds each file to the number that
# tools/accessors.txt has, which may only become less: `tools/accessors.sh list` writes it anew.
cd "$(dirname "$0")/.." || exit 2
count() {
  for f in src/prim/*.c src/array/*.c src/ir/*.c src/eval/*/*.c src/text/*.c; do
    awk -v f="$f" '/(^|[^a-z_])for \(/ { near = 5 }
      near > 0 && /arr_(get|put)_(int|float)\(/ { n++ }
      near > 0 { near-- }
      END { if (n) print f, n }' "$f"
  done
}
if [ "$1" = list ]; then
  count > tools/accessors.txt
  exit
fi
count | awk 'NR == FNR { most[$1] = $2; next }
  $2 > most[$1] + 0 { print $1 ": " $2 " accessors in loops, " most[$1] + 0 " allowed"; bad = 1 }
  $2 < most[$1] + 0 { print $1 ": " $2 " accessors in loops are left, " most[$1] + 0 " allowed" }
  END { exit bad }' tools/accessors.txt - && echo "no new accessors in loops"
