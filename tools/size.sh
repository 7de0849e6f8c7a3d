#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the lines of each folder beside its limit and the reason for it, and asserts them. A
# limit is raised only in the commit that argues for it. `core` is all that no build can leave
# out: everything under src but text.
cd "$(dirname "$0")/.." || exit 2
bad=0 core=0
limit() { # FOLDER LIMIT REASON
  n=$(find "$1" -name '*.[ch]' -o -name '*.def' | xargs cat | wc -l)
  note=
  if [ "$n" -gt "$2" ]; then note='  ← above the limit' bad=1; fi
  printf '%6d of %5d  %-11s %s%s\n' "$n" "$2" "$1" "$3" "$note"
  case $1 in src/text | runtime) ;; src/*) core=$((core + n)) ;; esac
}
limit src/base 800 'errors, memory, strings, UTF-8: eight small modules'
limit src/tables 2500 'the language: 80 primitives, 60 real functions, exact integers, operators, ⎕-names, letter cases'
limit src/kir 4500 'the kernel language and its loops, its check, folds of tuples, lowering, value ranges, functions of scalars and their classes'
limit src/lexer 1300 'text to tree, with the grammar above each function'
limit src/codegen 10300 'the kernel templates on one common layer: folds, scans, orders, transposes, hashing; subgroup instructions, exact √ and ÷, f64 in integers'
limit src/vk 2900 'device, memory, queue, transfers, pipelines; every call may fail'
limit src/array 3000 'twelve element types, views, the copy engine, display and boxes'
limit src/prim 7300 'direct path of every primitive, complex numbers, exact mathematics'
limit src/host 6900 'block interpreter, loops, four instruction sets, one fold engine, several folds at once; joins by the tree and in order'
limit src/ir 9500 'lazy graph, inference, fusion, every primitive as a node (moves, stores, sets, orders, segments), planner, residency, reports'
limit src/eval 13400 'binding, dfns, operators, functions walked, lifted over cells and told from their definition, products of matrices, assignment, ⎕-names, commands'
limit src/text 1700 '⍕ ⎕FMT, PCRE2 and templates of ⎕R ⎕S, trees of functions: removable'
limit runtime 3100 'the library, the command line, the session'
echo "core $core of 62000"
[ "$core" -le 62000 ] && [ $bad = 0 ]
