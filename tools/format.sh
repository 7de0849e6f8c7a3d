#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh [check] - formats the C files, or says which would change. Each version of
# clang-format has its own opinion: the tree is held to that of version 14.
cd "$(dirname "$0")/.." || exit 2
tool=
for name in clang-format-14 clang-format; do
  if $name --version 2>/dev/null | grep -q 'version 14\.'; then tool=$name; break; fi
done
if [ -z "$tool" ]; then
  echo "format: skipped, for clang-format 14 is not here"
  exit 77
fi
files=$(git ls-files '*.c' '*.h')
# shellcheck disable=SC2086
if [ "${1:-}" = check ]; then
  $tool --dry-run -Werror $files
else
  $tool -i $files
fi
