#!/bin/sh
# SPDX-License-Identifier: MIT
# size.sh [BUILD] - the lines of each folder, and three limits that only go down unless what is added to the
# language needs more: the lines of the plain core (all that no build can leave out: everything under src but
# text and the leaves), those of the leaves (leaves.sh), and the bytes of the stripped library of BUILD.
cd "$(dirname "$0")/.." || exit 2
core_most=94550 leaves_most=16590 library_most=4815000
build=${1:-build/release}

lines() { # FOLDER
  find "$1" -path "$1/ext" -prune -o \( -name '*.[ch]' -o -name '*.def' \) -print | xargs cat | wc -l
}
core=0
for folder in src/* runtime runtime/ext; do
  [ -d "$folder" ] || continue
  n=$(lines "$folder")
  printf '%6d  %s\n' "$n" "$folder"
  case $folder in src/text | runtime*) ;; *) core=$((core + n)) ;; esac
done
leaves=$(tools/leaves.sh | xargs cat | wc -l)
bad=0
at_most() { # WHAT N MOST
  note=
  if [ "$2" -gt "$3" ]; then note='  ← above the limit' bad=1; fi
  echo "$1 $2 of $3$note"
}
at_most 'plain core, lines:' $((core - leaves)) "$core_most"
at_most 'leaves, lines:' "$leaves" "$leaves_most"
if [ -e "$build/libvapl.so.0" ]; then
  strip -o "$build/stripped.so" "$build/libvapl.so.0" || exit 1
  at_most 'library stripped, bytes:' "$(stat -c %s "$build/stripped.so")" "$library_most"
fi
[ $bad = 0 ]
