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
limit src/base 1775 'errors and the calls they left, limits of time and steps, memory and blocks that wait, files mapped, what is kept on disk, loops that threads share, strings, UTF-8, how much memory there is: twelve small modules'
limit src/tables 3900 'the language: 80 primitives, 60 real and 40 complex functions, exact integers, shuffles, operators, ⎕-names, hints, letter cases, glyphs, and the help with its examples'
limit src/kir 4600 'the kernel language and its loops, its check, folds of tuples, lowering, value ranges, functions of scalars and their classes'
limit src/lexer 1300 'text to tree, with the grammar above each function'
limit src/codegen 12800 'the kernel templates on one common layer: folds, scans, orders of arrays and rows, products, rows, neighbours, transposes, hashing; subgroup instructions, exact √ and ÷, f64 in integers; shapes by class of device'
limit src/vk 3250 'device, memory, queue, transfers, pipelines, a device and buffers shared with the host program, what the driver says of pipelines; every call may fail'
limit src/array 4360 'twelve element types, references, views, slices, the copy engine in stretches, truth values by words for four instruction sets, what grows, elements backwards, numbers as digits, short vectors that share a block, display and boxes of wide characters'
limit src/prim 14320 'direct path of every primitive, of numbers without arrays and of integers of 8 bits too, folds of all lengths, products and ⌹ by tiles, complex numbers, items by their headers, searches by trees of keys and by hashes, what is joined at places, complex functions and divisors in vectors, exact mathematics'
limit src/host 6900 'block interpreter, loops, four instruction sets, one fold engine, several folds at once; joins by the tree and in order'
limit src/ir 12330 'lazy graph, inference, fusion, every primitive as a node (moves, stores, sets, counts, searches, orders, segments, products, ⌹ by panels, rows; complex sets and order by parts), planner, residency, reports'
limit src/eval 17480 'binding, chains as rows of steps, elements written where they are, dfns, operators, functions walked, lifted over cells and groups and told from their definition, products of matrices, assignment, namespaces and their collection, ⎕-names, commands, help'
limit src/text 1700 '⍕ ⎕FMT, PCRE2 and templates of ⎕R ⎕S, trees of functions: removable'
limit runtime 4750 'the library and its Vulkan sharing, the command line, --doctor, fmt, the session'
limit runtime/ext 7350 'files, CSV of separated and fixed fields and of tied files, JSON, npy, pictures, plots, dates, workspaces: each removable, nothing opened at start-up'
echo "core $core of 82290"
[ "$core" -le 82290 ] && [ $bad = 0 ]
