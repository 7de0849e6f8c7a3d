#!/bin/bash
# SPDX-License-Identifier: MIT
# fuzz.sh BUILD SECONDS [TARGET…] - libFuzzer's targets (tests/fuzz/fuzz.c), all of them, one after
# another, SECONDS in all. What is found is shown, and kept in BUILD/fuzz/found. Exit code 77 where
# they were not built: `make fuzz` needs clang and its libFuzzer (Debian: libclang-rt-dev or in clang).
build=${1:?usage: fuzz.sh build/fuzz SECONDS} seconds=${2:?usage: fuzz.sh build/fuzz SECONDS}
cd "$(dirname "$0")/.." || exit 1
fuzz=$build/fuzz
[ -x "$fuzz/fuzz" ] || { echo "fuzz: skipped, there is no $fuzz/fuzz: make fuzz"; exit 77; }
shift 2
targets=${*:-$("$fuzz/fuzz" --list)}
each=$((seconds / $(wc -w <<<"$targets")))
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$fuzz/found"
"$fuzz/fuzz" --dict >"$tmp/dict"
passed=0 failed=0

# Lines of the language tests, without what they expect, for those that take a program.
lines() { # TO
  sed -nE 's/ +⍝ (→|!).*//p' tests/lang/*.apl | grep -v ⎕DL | awk -v to="$1" 'NR % 12 == 0 {
    file = to "/line" NR; print > file; close(file)}'
}
for t in $targets; do
  mkdir "$tmp/$t"
  "$fuzz/$t" --seeds "$tmp/$t"
  case $t in parse | eval) lines "$tmp/$t" ;; esac
  if "$fuzz/$t" -max_total_time=$((each > 0 ? each : 1)) -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
    -dict="$tmp/dict" -artifact_prefix="$fuzz/found/$t-" -print_final_stats=1 "$tmp/$t" >"$tmp/log" 2>&1; then
    passed=$((passed + 1))
    echo "$t: $(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/log") inputs"
  else
    failed=$((failed + 1))
    echo "FAIL $t"
    grep -aE 'not so|runtime error|SUMMARY|ERROR: |^ +#[0-9] .* in |artifact_prefix|^Base64' "$tmp/log" | head -n 30
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
