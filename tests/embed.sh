#!/bin/bash
# SPDX-License-Identifier: MIT
# embed.sh BUILD - vapl as a library: the C examples and the blocks of docs/embedding.md, compiled
# without a warning as C99, C11 and C++17, against both libraries, run, and their output compared.
build=$(realpath "${1:?usage: embed.sh build/release}")
cd "$(dirname "$0")/.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $*"; }

warn='-Wall -Wextra -Wpedantic -Wshadow -Werror'
shared="-L$build -l:libvapl.so.0 -Wl,-rpath,$build"
sanitize=
case $build in */asan) sanitize='-fsanitize=address,undefined' ;; esac
compile() { # NAME WHERE SOURCE LIBRARY…: as C99 against the archive, else against libvapl.so.0
  local exe=$1 language=$2 source=$3 compiler=gcc
  shift 3
  [ "$language" = c++17 ] && compiler='g++ -x c++'
  # shellcheck disable=SC2086
  $compiler -std=$language $warn $sanitize -Iruntime "$source" -x none "$@" -ldl -lpthread -lm -o "$exe"
}
example() { # NAME LIBRARY…: its output is examples/data/NAME.txt
  local name=$1
  shift
  compile "$tmp/a" c99 "examples/$name.c" "$build/libvapl.a" "$@" || { bad "$name as C99"; return; }
  for language in c11 c++17; do
    # shellcheck disable=SC2086
    compile "$tmp/so_$language" $language "examples/$name.c" $shared "$@" || bad "$name as $language"
  done
  for exe in "$tmp/a" "$tmp/so_c11" "$tmp/so_c++17"; do
    "$exe" >"$tmp/out" 2>&1
    case $? in
    0) ;;
    77) echo "$name: skipped, there is no device"; return ;;
    *) bad "$name: exit code" ;;
    esac
    if diff "$tmp/out" "examples/data/$name.txt"; then ok; else bad "$name says something else"; fi
  done
}

# What the validation layers say stands in the output, which differs then.
if [ -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ]; then
  export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
  export VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
else echo 'vulkan_share, vulkan_device: the validation layers are missing'; fi
for name in embed_hello callback wrap threads limits vulkan_share vulkan_device; do example $name; done
# Each block of the page that shows C is a program, or what one has before its main.
awk -v to="$tmp/block" '/^ *```c$/ {n++; on = 1; next} /^ *```$/ {on = 0} on {print > (to n ".c")}' docs/embedding.md
for block in "$tmp"/block*.c; do
  name=docs/embedding.md:$(basename "$block" .c)
  grep -q '#include' "$block" || sed -i '1i #include <vapl.h>' "$block"
  grep -q 'int main' "$block" || echo 'int main(void) { return 0; }' >>"$block"
  for language in c99 c11 c++17; do
    # shellcheck disable=SC2086
    if compile "$tmp/block" $language "$block" $shared && "$tmp/block" >"$tmp/out" &&
      { ! grep -q printf "$block" || grep -qx 1122.6 "$tmp/out"; }; then ok; else bad "$name as $language"; fi
  done
done
echo "embed.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
