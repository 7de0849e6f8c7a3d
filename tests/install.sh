#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh CONFIG - make install puts what works where it belongs, make uninstall takes all of
# it away again.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make() { command make -s CONFIG="$1" DESTDIR="$dir" PREFIX=/usr "$2" > "$dir.log" 2>&1 || cat "$dir.log"; rm -f "$dir.log"; }
make "$1" install
passed=0 failed=0
is() { if eval "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; fi; }
config=$1
is "make alone makes all" 'command make -pqn CONFIG="$config" 2>/dev/null | grep -qx ".DEFAULT_GOAL := all"'
is "the program runs" '[ "$("$dir/usr/bin/vapl" -e 1+1)" = 2 ]'
cy="⎕CY 'dfns'"
is "it finds its libraries" '[ "$(cd / && "$dir/usr/bin/vapl" -e "$cy" -e "2 to 4")" = "2 3 4" ]'
is "it is stripped" '! readelf -S "$dir/usr/bin/vapl" | grep -q debug_info'
is "the library is stripped" '! readelf -S "$dir/usr/lib/libvapl.so" | grep -q debug_info'
is "completions" 'grep -q max-time "$dir/usr/share/bash-completion/completions/vapl" "$dir/usr/share/zsh/site-functions/_vapl"'
is "of fish" 'grep -q max-time "$dir/usr/share/fish/vendor_completions.d/vapl.fish"'
if [ -e "build/$1/vapl-mpi.so" ] && command -v mpirun >/dev/null; then
  is "ranks" '[ "$("$dir/usr/bin/vapl" -n 2 -e "+/⍳4")" = 10 ]'
else
  is "without an engine of ranks it says so" '"$dir/usr/bin/vapl" -n 2 -e 1 2>&1 | grep -q "make mpi"'
fi
printf '#include <vapl.h>\nint main(void) { return vapl_version() == 0; }\n' > "$dir/t.c"
is "a program is built by pkg-config" 'cc "$dir/t.c" $(PKG_CONFIG_PATH="$dir/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" pkg-config --cflags --libs vapl) -o "$dir/t" && LD_LIBRARY_PATH="$dir/usr/lib" "$dir/t"'
if command -v cmake >/dev/null; then
  printf 'cmake_minimum_required(VERSION 3.13)\nproject(t C)\nfind_package(vapl 0.1 REQUIRED)\n' > "$dir/CMakeLists.txt"
  for l in vapl static; do
    printf 'add_executable(%s t.c)\ntarget_link_libraries(%s vapl::%s)\n' $l $l $l >> "$dir/CMakeLists.txt"
  done
  is "programs are built by CMake" 'cmake -S "$dir" -B "$dir/b" -DCMAKE_PREFIX_PATH="$dir/usr" >"$dir/log" 2>&1 &&
    cmake --build "$dir/b" >>"$dir/log" 2>&1 && "$dir/b/vapl" && "$dir/b/static" || { cat "$dir/log"; false; }'
  sed -i 's/vapl 0.1 /vapl 99 /' "$dir/CMakeLists.txt"
  is "CMake is told that there is no such version" '! cmake -S "$dir" -B "$dir/c" -DCMAKE_PREFIX_PATH="$dir/usr" >"$dir/log" 2>&1 &&
    grep -q "version: 0.1" "$dir/log"'
else echo 'install.sh: cmake is missing, its package file was not tried'; fi
version=$(sed -n 's/^#define VAPL_VERSION_TEXT "\(.*\)"/\1/p' runtime/vapl.h)
versions() {
  [ "$("$dir/usr/bin/vapl" --version | head -n 1)" = "vapl $version" ] || return 1
  grep -qx "Version: $version" "$dir/usr/lib/pkgconfig/vapl.pc" || return 1
  for f in bindings/python/pyproject.toml bindings/python/vapl/__init__.py editors/vscode/package.json docs/vapl.1 packaging/debian/changelog; do
    grep -qE "(version\"?_* ?[=:] ?\"|vapl \(?)$version[-\") ]" $f || { echo "$f: not $version"; return 1; }
  done
}
is "one version everywhere" versions
make "$1" uninstall
is "nothing is left" '[ -z "$(find "$dir/usr" -type f -o -type l)" ]'
sub=/usr/lib/x # of a system that keeps libraries of several architectures
make() { command make -s CONFIG="$1" DESTDIR="$dir" PREFIX=/usr LIBDIR=$sub "$2" > "$dir.log" 2>&1 || cat "$dir.log"; rm -f "$dir.log"; }
make "$1" install
is "LIBDIR" '[ -e "$dir$sub/libvapl.so.0" ] && [ ! -e "$dir/usr/lib/libvapl.so" ] && grep -qx "libdir=$sub" "$dir$sub/pkgconfig/vapl.pc"'
make "$1" uninstall
is "nothing is left of that" '[ -z "$(find "$dir/usr" -type f -o -type l)" ]'
echo "install.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
