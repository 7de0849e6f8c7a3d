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
is "it is stripped" '! readelf -S "$dir/usr/bin/vapl" | grep -q debug_info'
is "the library is stripped" '! readelf -S "$dir/usr/lib/libvapl.so" | grep -q debug_info'
is "completions" 'grep -q max-time "$dir/usr/share/bash-completion/completions/vapl" "$dir/usr/share/zsh/site-functions/_vapl"'
is "of fish" 'grep -q max-time "$dir/usr/share/fish/vendor_completions.d/vapl.fish"'
printf '#include <vapl.h>\nint main(void) { return vapl_version() == 0; }\n' > "$dir/t.c"
is "a program is built by pkg-config" 'cc "$dir/t.c" $(PKG_CONFIG_PATH="$dir/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" pkg-config --cflags --libs vapl) -o "$dir/t" && LD_LIBRARY_PATH="$dir/usr/lib" "$dir/t"'
make "$1" uninstall
is "nothing is left" '[ -z "$(find "$dir/usr" -type f -o -type l)" ]'
echo "install.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
