#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the arrows: which folder of src/ may include which, a row for each folder, and which
# layer of codegen which. Prints every include that breaks a row.
cd "$(dirname "$0")/.." || exit 2
bad=0
allow() { # FOLDER ALLOWED…: the folders whose headers its files may include
  folder=$1
  shift
  for f in src/"$folder"/*.[ch]; do
    for inc in $(sed -nE 's/^ *# *include "((\.\.\/)+[a-z/]+)\/[a-z_]+\.[a-z]+".*/\1/p' "$f" | sort -u); do
      to=$(cd "$(dirname "$f")/$inc" && pwd | sed 's|.*/src/||')
      case " $* " in *" $to "*) ;; *) echo "$f includes $to/: $folder may not"; bad=1 ;; esac
    done
  done
}
allow base
allow tables base
allow kir base tables
allow lexer base tables
allow codegen base tables kir
allow vk base
allow array base vk
allow prim base tables array
allow text base tables array prim
allow host base tables kir
allow ir base tables kir prim host codegen vk array
up="base tables lexer ir prim kir host codegen vk array"
value="$up eval eval/value"
allow eval $value eval/run eval/system eval/trad text
allow eval/value $value
allow eval/bind $value eval/bind
# run, oper and system are the language's own recursion (run/call.h): run calls the other two
# by oper.h, system.h, show.h and error.h.
allow eval/run $value eval/bind eval/oper eval/system eval/trad
allow eval/trad $value eval/bind eval/run eval/oper eval/system
allow eval/oper $value eval/bind eval/run eval/system
allow eval/system $value eval/bind eval/run text # and, by name alone (sysname.def), runtime/ext
# Inside codegen: layers, each a header with its files, that see those above in this list alone.
below=
layer() { # HEADERS -- FILES
  headers=
  while [ "$1" != -- ]; do headers="$headers $1"; shift; done
  shift
  for f in $headers "$@"; do
    layered="$layered $f"
    for inc in $(sed -nE 's/^ *# *include "([a-z_]+\.h)".*/\1/p' "src/codegen/$f"); do
      case " $below $headers " in *" $inc "*) ;; *) echo "codegen/$f includes $inc: a layer above"; bad=1 ;; esac
    done
  done
  below="$below $headers"
}
layer pass.h codegen.h task.h choice.h -- task.c slots.c choice.c  # what a pass is, which passes there are
layer spv.h -- spv.c                                               # SPIR-V words
layer cg.h -- cg.c                                                 # one emission: types, constants, positions
layer cg_arith.h soft.h -- cg_arith.c root.c soft.c                # arithmetic, exact √ and ÷
layer memory.h -- load.c store.c argument_block.c                  # elements ↔ registers
layer instructions.h -- instructions.c kernel_loop.c               # one KIR operation, or many
layer cg_fold.h -- cg_fold.c group.c acc.c                         # accumulators
layer template.h -- thread_place.c finish.c sum.c map.c near.c transpose.c row_maps.c \
  $(cd src/codegen && ls reduce_*.c)                               # the templates
layer product.h -- $(cd src/codegen && ls product*.c)
layer order.h -- $(cd src/codegen && ls order*.c)
layer scan.h -- $(cd src/codegen && ls scan_*.c)
layer -- emit.c describe.c                                         # a pass → its module
for f in src/codegen/*.[ch]; do
  case " $layered " in *" ${f##*/} "*) ;; *) echo "$f is in no layer"; bad=1 ;; esac
done
# codegen knows no Vulkan, nor does what stands beside or above it; vk knows no APL.
if grep -nE '# *include [<"](vulkan|volk)' $(find src -name '*.[ch]' ! -path 'src/vk/*'); then bad=1; fi
if grep -nE '# *include "\.\./(base/types|tables)' src/vk/*.[ch]; then bad=1; fi
[ $bad = 0 ] && echo "the arrows hold"
exit $bad
