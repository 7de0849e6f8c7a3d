#!/bin/bash
# SPDX-License-Identifier: MIT
# bits.sh BUILD [--ranks "2 3 5"] [--tune T] [--device D] [--lengths "N …"] [--shapes "N K N K …"] - folds and scans
# (folds.apl) on one rank and on several: the same bits, and the same errors.
cd "$(dirname "$0")/../.." || exit 2
b=${1:?usage: bits.sh build/CONFIG}
shift
counts='2 3 5' tune=cut_from=2 device=host lengths='2 3 5 16 1000 16383 16385 30721 46081 76801 100000 245761'
shapes='7 3 40 5 1000 17 20000 2 90000 3'
while [ $# -gt 0 ]; do
  case $1 in
  --ranks) counts=$2 ;;
  --tune) tune=$2 ;;
  --device) device=$2 ;;
  --lengths) lengths=$2 ;;
  --shapes) shapes=$2 ;;
  *) echo "bits.sh: unknown option $1"; exit 2 ;;
  esac
  shift 2
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none LC_ALL=C.UTF-8 VAPL_TUNE=$tune
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
for n in 1 $counts; do
  mkdir "$dir/$n"
  {
    echo "PLACE←'$dir/$n' ⋄ LENGTHS←,$lengths ⋄ SHAPES←↓{((2÷⍨≢⍵),2)⍴⍵}$shapes"
    cat tests/ranks/folds.apl
  } >"$dir/$n.apl"
  job=()
  [ "$n" -gt 1 ] && job=(-n "$n")
  timeout 600 "$b/vapl" "${job[@]}" --device "$device" "$dir/$n.apl" >"$dir/$n.out" 2>&1 </dev/null
  code=$?
  [ "$n" = 1 ] && echo "bits.sh: $(find "$dir/1" -type f | wc -l) results, $(grep -c ERROR "$dir/1.out") errors"
  [ $code = 0 ] || { echo "FAIL $n ranks: exit code $code: $(tail -n 3 "$dir/$n.out")"; bad=1; }
  diff "$dir/1.out" "$dir/$n.out" >"$dir/diff" || { echo "FAIL $n ranks: other errors:"; head -n 20 "$dir/diff"; bad=1; }
  diff -rq "$dir/1" "$dir/$n" >"$dir/diff" || { echo "FAIL $n ranks: other bits, $(wc -l <"$dir/diff"):"; head -n 20 "$dir/diff"; bad=1; }
done
exit $bad
