#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the arrows: which folder of src/ may include which, a row for each folder, and which
# layer of codegen which. Prints every include that breaks a row.
cd "$(dirname "$0")/.." || exit 2
bad=0
rows=
allow() { # FOLDER ALLOWED…: the folders whose headers its files may include
  rows="$rows$*
"
}
allow base
allow tables base
allow kir base tables
allow lexer base tables
allow codegen base tables kir
allow vk base
allow array base vk
allow fold base tables kir
allow prim base tables array fold
allow text base tables array prim
allow host base tables kir fold
allow ir base tables kir prim host codegen vk array
allow dist base tables kir prim ir array fold vk runtime # vapl_comm.h, the table that an embedder fills in
up="base tables lexer ir prim kir host codegen vk array dist"
value="$up eval eval/value"
allow eval $value eval/run eval/oper eval/system eval/trad text
allow eval/value $value
allow eval/bind $value eval/bind
# run and trad are the language's own recursion (run/call.h). Operators and ⎕-names stand above it: it calls
# them by vm.derived and vm.sys, and includes of system/ what shows values and errors and finds namespaces, of oper/
# cells.h.
allow eval/run $value eval/bind eval/oper eval/system eval/trad
allow eval/trad $value eval/bind eval/run eval/system
allow eval/oper $value eval/bind eval/run eval/system eval/trad
allow eval/system $value eval/bind eval/run text # and, by name alone (sysname.def), runtime/ext
printf '%s' "$rows" | awk '
  NR == FNR { may[$1] = " " substr($0, length($1) + 2) " "; next }
  match($0, /^ *# *include "(\.\.\/)+[a-z\/]+\/[a-z_]+\.[a-z]+"/) {
    folder = FILENAME; sub(/^src\//, "", folder); sub(/\/[^\/]*$/, "", folder)
    if (!(folder in may)) next
    to = $0; sub(/^[^"]*"/, "", to); sub(/\/[^\/]*"$/, "", to)
    from = folder
    while (sub(/^\.\.\//, "", to)) if (!sub(/\/[^\/]*$/, "", from)) from = ""
    if (from != "") to = from "/" to
    if (index(may[folder], " " to " ")) next
    print FILENAME " includes " to "/: " folder " may not"; bad = 1
  }
  END { exit bad }' - src/*/*.[ch] src/*/*/*.[ch] || bad=1

# Inside codegen: layers, each a header with its files, that see those above in this list alone.
layers=
layer() { # HEADERS -- FILES
  layers="$layers$*
"
}
layer pass.h codegen.h task.h choice.h -- task.c slots.c choice.c  # what a pass is, which passes there are
layer spv.h spv_wide.h -- spv.c spv_wide.c                         # SPIR-V words
layer cg.h -- cg.c                                                 # one emission: types, constants, positions
layer cg_arith.h soft.h -- cg_arith.c root.c soft.c                # arithmetic, exact √ and ÷
layer memory.h -- load.c store.c argument_block.c                  # elements ↔ registers
layer instructions.h -- instructions.c kernel_loop.c               # one KIR operation, or many
layer cg_fold.h -- cg_fold.c group.c acc.c                         # accumulators
layer template.h -- thread_place.c finish.c sum.c map.c near.c transpose.c row_maps.c solve.c \
  fourier.c \
  $(cd src/codegen && ls reduce_*.c)                               # the templates
layer reflect.h -- panel.c panel_held.c
layer product.h -- product.c $(cd src/codegen && ls product_[st]*.c)
layer product_matrix.h -- product_matrix.c product_pack.c
layer order.h -- $(cd src/codegen && ls order*.c)
layer scan.h -- $(cd src/codegen && ls scan_*.c)
layer -- emit.c describe.c facts.c                                 # a pass → its module
printf '%s' "$layers" | awk '
  NR == FNR {
    header = 1
    for (i = 1; i <= NF; i++) {
      if ($i == "--") { header = 0; continue }
      layer["src/codegen/" $i] = NR
      if (header) seen_from[$i] = NR
    }
    next
  }
  FNR == 1 && !(FILENAME in layer) { print FILENAME " is in no layer"; bad = 1 }
  match($0, /^ *# *include "[a-z_]+\.h"/) && FILENAME in layer {
    to = $0; sub(/^[^"]*"/, "", to); sub(/".*/, "", to)
    if (to in seen_from && seen_from[to] <= layer[FILENAME]) next
    print FILENAME " includes " to ": a layer above"; bad = 1
  }
  END { exit bad }' - src/codegen/*.[ch] || bad=1
# codegen knows no Vulkan, nor does what stands beside or above it; vk knows no APL.
if grep -nE '# *include [<"]vulkan' $(find src -name '*.[ch]' ! -path 'src/vk/*'); then bad=1; fi
if grep -nE '# *include "\.\./(base/types|tables)' src/vk/*.[ch]; then bad=1; fi
# What a driver is known for stands in one table; shapes for classes of devices in another.
drivers='nvidia|apple|moltenvk|llvmpipe|lavapipe|adreno|mesa|radv|intel|swiftshader'
if grep -niE "\\b($drivers)" $(find src \( -name '*.[ch]' -o -name '*.def' \) ! -path 'src/vk/known.*' ! -path src/codegen/choice.c); then bad=1; fi
[ $bad = 0 ] && echo "the arrows hold"
exit $bad
