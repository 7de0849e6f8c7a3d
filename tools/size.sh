#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the lines of each folder beside its limit and the reason for it, and asserts them. A
# limit is raised only in the commit that argues for it. `core` is all that no build can leave
# out: everything under src but text.
cd "$(dirname "$0")/.." || exit 2
bad=0 core=0
limit() { # FOLDER LIMIT REASON
  n=$(find "$1" -path "$1/ext" -prune -o \( -name '*.[ch]' -o -name '*.def' \) -print | xargs cat | wc -l)
  note=
  if [ "$n" -gt "$2" ]; then note='  ← above the limit' bad=1; fi
  printf '%6d of %5d  %-11s %s%s\n' "$n" "$2" "$1" "$3" "$note"
  case $1 in src/text | runtime*) ;; src/*) core=$((core + n)) ;; esac
}
limit src/base 1200 'errors and the calls they left, memory and blocks that wait, strings, UTF-8: eight small modules'
limit src/tables 3200 'the language: 80 primitives, 60 real and 40 complex functions, exact integers, shuffles, operators, ⎕-names, hints, letter cases'
limit src/kir 4600 'the kernel language and its loops, its check, folds of tuples, lowering, value ranges, functions of scalars and their classes'
limit src/lexer 1300 'text to tree, with the grammar above each function'
limit src/codegen 12400 'the kernel templates on one common layer: folds, scans, orders of arrays and rows, products, rows, neighbours, transposes, hashing; subgroup instructions, exact √ and ÷, f64 in integers'
limit src/vk 2900 'device, memory, queue, transfers, pipelines; every call may fail'
limit src/array 3300 'twelve element types, views, the copy engine, what grows, display and boxes'
limit src/prim 8300 'direct path of every primitive, products by tiles, complex numbers, exact mathematics'
limit src/host 6900 'block interpreter, loops, four instruction sets, one fold engine, several folds at once; joins by the tree and in order'
limit src/ir 10700 'lazy graph, inference, fusion, every primitive as a node (moves, stores, sets, searches, orders, segments, products, rows), planner, residency, reports'
limit src/eval 14400 'binding, dfns, operators, functions walked, lifted over cells and groups and told from their definition, products of matrices, assignment, ⎕-names, commands'
limit src/text 1700 '⍕ ⎕FMT, PCRE2 and templates of ⎕R ⎕S, trees of functions: removable'
limit runtime 3200 'the library, the command line, the session'
limit runtime/ext 5700 'files, CSV, JSON, npy, pictures, dates, workspaces: each removable, nothing opened at start-up'
echo "core $core of 68000"
[ "$core" -le 68000 ] && [ $bad = 0 ]
