#!/bin/bash
# SPDX-License-Identifier: MIT
# web.sh BUILD - the page of docs/web.md: its size, the language tests by the interpreter that it has, under node;
# every digit against BUILD/vapl; then the page itself in Chromium without a window. Exit code 77 where emscripten,
# node, Python or Chromium is missing.
build=$(realpath "${1:?usage: web.sh build/release}")
cd "$(dirname "$0")/.." || exit 1
for tool in emcc node python3 chromium; do
  command -v $tool >/dev/null || { echo "web: skipped, $tool is missing (Debian's emscripten, nodejs, chromium)"; exit 77; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
web=build/web
make -f web/web.mk -j"${jobs:-2}" page $web/lang_runner.js >"$tmp/make" 2>&1 || { tail -n 20 "$tmp/make"; exit 1; }
passed=0 failed=0
check() { # WHAT COMMAND…
  local what=$1
  shift
  if "$@" >"$tmp/out" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL $what"; tail -n 30 "$tmp/out" | cut -c1-300; fi
}

bytes=$(cat $web/page/* | wc -c)
echo "web.sh: the page has $bytes bytes, $(cat $web/page/* | gzip -9 | wc -c) compressed"
check 'less than 3 MB' [ "$bytes" -lt 3000000 ]

# How many lines of a file want what the page has not (docs/web.md): processes, threads, the libraries of zlib, libpng,
# SQLite and PCRE2, links between files and their times, the folder of vapl's libraries, and thousands of millions of bits.
declare -A lacks=([about]=17 [component]=125 [files]=29 [fio]=78 [image]=8 [keep]=8 [lib_dfns]=279 [link]=2 [namespace]=2 [plot]=43
  [puzzles]=14 [se]=34 [structure]=2)
lines=0
lang() { # FILE
  local file=${1##*/} last
  last=$(timeout 600 node $web/lang_runner.js "$1" | tee "$tmp/lang" | tail -n 1)
  [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || { tail -n 5 "$tmp/lang"; return 1; }
  lines=$((lines + BASH_REMATCH[1]))
  [ "${BASH_REMATCH[2]}" = "${lacks[${file%.*}]:-0}" ] || { cat "$tmp/lang"; return 1; }
}
for f in tests/lang/*.apl docs/language.md docs/tutorial.md; do check "$f" lang "$f"; done
echo "web.sh: $lines lines of the language tests"

node tests/web/session.js $web/page/vapl.js tests/web/bits.apl >"$tmp/page"
"$build/vapl" -q --device host - <tests/web/bits.apl >"$tmp/program" 2>&1
check 'every digit' diff "$tmp/program" "$tmp/page"
check 'the page in Chromium' timeout 600 python3 tests/web/browser.py $web/page

echo "web.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
