#!/bin/bash
# SPDX-License-Identifier: MIT
# pages.sh VAPL PAGE… - runs the console blocks of pages of the manual and compares.
#
# In a block between ```console and ``` a line behind "$ " is a command, and what follows it is
# what it prints, standard error too. The commands of a page run one after the other in one
# shell, in a folder of links to the tree's; `vapl` is the program that is tested. What differs from machine to
# machine is made equal on both sides: lavapipe's version, and the width of its subgroups.
vapl=$(realpath "${1:?usage: pages.sh path/to/vapl page...}")
tree=$(realpath "$(dirname "$0")/..")
shift
export LC_ALL=C.UTF-8 LP_NATIVE_VECTOR_WIDTH=256 VAPL=$vapl
for tool in xxd spirv-dis; do
  command -v $tool >/dev/null || { echo "pages: skipped, $tool is missing"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache
# How the device divides is looked up once; the plans are those of the starts after that.
"$vapl" --device cpu -e '+/1÷⍳100000' >/dev/null 2>&1 || { echo 'pages: skipped, lavapipe is missing'; exit 77; }

passed=0 failed=0

vapl() { "$VAPL" "$@"; }
equal_names() { sed -E 's/llvmpipe \([^)]*\)/llvmpipe/; s/ +$//'; }

check() { # the command, and what the page shows of it
  eval "$command" >"$folder/got" 2>&1 </dev/null
  if diff <(printf %s "$want" | equal_names) <(equal_names <"$folder/got") >"$folder/diff"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s:%s: %s\n' "$page" "$at" "$command"
    cat "$folder/diff"
  fi
}

for page; do
  unset VAPL_DUMP VAPL_TUNE
  mapfile -t lines <"$page" || exit 1
  mkdir "$folder/work" && ln -s "$tree"/* "$folder/work" && pushd "$folder/work" >/dev/null || exit 1
  console=0 command=
  for n in "${!lines[@]}"; do
    line=${lines[n]}
    case $line in
    '```'* | '$ '*)
      if [ -n "$command" ]; then check; fi
      command=
      [ "$line" = '```console' ] && console=1 && continue
      [ "${line:0:1}" = '`' ] && console=0 && continue
      [ $console = 1 ] && command=${line:2} at=$((n + 1)) want=
      ;;
    *) [ -z "$command" ] || want+=$line$'\n' ;;
    esac
  done
  popd >/dev/null && rm -rf "$folder/work"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
