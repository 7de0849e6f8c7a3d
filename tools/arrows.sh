#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the folders' arrows: which folder of src/ may include which. A row for each folder;
# base is src/*.[ch] and src/*.def. Prints every include that breaks a row.
cd "$(dirname "$0")/.." || exit 2
bad=0
allow() { # FOLDER ALLOWED…: the folders whose headers its files may include
  folder=$1
  shift
  for f in src/"$folder"/*.[ch]; do
    for inc in $(sed -nE 's/^ *# *include "\.\.\/([a-z]+)\/.*/\1/p' "$f" | sort -u); do
      case " $* " in *" $inc "*) ;; *) echo "$f includes $inc/: $folder may not"; bad=1 ;; esac
    done
  done
}
allow lexer
allow codegen
allow vk
allow array vk
allow prim array codegen
allow ir prim codegen vk array
allow eval lexer ir prim codegen vk array
# base includes no folder; codegen knows no Vulkan; vk knows no APL.
if grep -nE '# *include "[a-z]+/' src/*.[ch]; then bad=1; fi
if grep -nE '# *include [<"](vulkan|volk)' src/codegen/*.[ch] src/prim/*.[ch] src/ir/*.[ch] src/eval/*.[ch] src/lexer/*.[ch]; then bad=1; fi
if grep -nE '# *include "\.\./(types|prim)' src/vk/*.[ch]; then bad=1; fi
[ $bad = 0 ] && echo "the arrows hold"
exit $bad
