#!/bin/sh
# SPDX-License-Identifier: MIT
# examples.sh VAPL [option…] - runs the examples and looks for facts that were computed elsewhere:
# the statistics of the Nile and the sunspots as books print them, sums by their closed forms,
# the primes as number theory counts them, lines through Anscombe's points by rational arithmetic,
# generations of Life, words counted, votes of trees, sums of groups and of the data, ranks,
# neighbours and products of long numbers by other programs. Further arguments are options for vapl.
vapl=$(realpath "${1:?usage: examples.sh path/to/vapl [option...]}")
shift
cd "$(dirname "$0")/../examples" || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed=0 passed=0

run() {
  if "$vapl" "$@" > "$out"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL vapl $*: exit code $?"; fi
}
has() { # each argument is a line of the output, blanks at its ends aside
  for line; do
    if sed 's/^ *//; s/ *$//' "$out" | grep -qxF -e "$line"; then passed=$((passed + 1)); else
      failed=$((failed + 1)); echo "FAIL no line '$line'"; fi
  done
}

run "$@" nile.apl
has 'years  100' 'mean  919.35' 'variance  28637.94697' 'standard deviation  169.2275006' \
  'least  456  in  1913' 'most  1370  in  1879' 'largest fall  381  from  1887  to  1888' \
  'lowest nine-year average  792.1111111  around  1941' \
  'highest nine-year average  1162.222222  around  1894' \
  'last year of the old level  1898' 'mean until then  1097.75' 'mean afterwards  849.9722222' \
  '800 25  *************************' '500  0'
run "$@" sunspots.apl
has 'years  289' 'mean  48.61349481' 'most  190.2  in  1957' \
  'years without any  1711 1712 1810' '814 447 43 ¯262 ¯408 ¯361 ¯158 141 436 607 604 435' \
  'best lag  10  years, correlation  0.6074955574' 'maxima  26' \
  'mean length of a cycle  10.96  years; shortest  7  longest  17' \
  'quietest thirty years begin in  1796  with a mean of  19.01'
run "$@" primes.apl
has 'how many  168' 'the last  997' 'their sum  76127' 'twins  35' 'widest gap  20  after  887' \
  'ways to write 100 as the sum of two primes  6' \
  'even numbers up to 1000 that are no such sum  0'
run "$@" big.apl
has 'sum  5.0000005E13  as predicted  1' 'sum of squares  3.333333833E20  as predicted  1' \
  'sum of 1÷squares  1.644933967' 'sum of 1÷x  16.69531137' \
  'alternating sum of 4÷odds  3.141592554' \
  'divisible by 3 or 5  4666667  their sum  2.333334167E13' 'mean  499999.9445' \
  'standard deviation  288675.6383' 'least and most  0 1000002' \
  'within one standard deviation  0.5773507' \
  'total  4.999999445E12  the last running sum is the sum  1' \
  'elements until half of it  5000001' 'elements until 1E9  2010' 'records  134' \
  'deepest fall  1000002'
run "$@" life.apl
has '⌷⌷⌷...  .⌷⌷...  ⌷.⌷...  ..⌷⌷..  ...⌷..' 'moved by a row and a column  1' \
  'home after 32 steps round the torus  1' 'PULSAR, cells in five generations  48 56 72 48 56' \
  'the same after three  1' \
  'R-PENTOMINO, cells in 15 generations  5 6 7 9 8 9 12 11 18 11 11 10 13 16 19' \
  'the same on the torus  1' 'three in a corner end as  1 1 0 0'
run "$@" regression.apl
has '3.00      0.50      7.50      0.82' 'squares left by the lines   13.7627 13.7763 13.7562 13.7425' \
  'second set, coefficients of a parabola   ¯5.9957 2.7808 ¯0.1267' 'squares left by it   0.000022' \
  'KEPLER: years grow as the distance to the power   1.500' \
  'first set by the pseudo-inverse   3.0001 0.5001' 'and by the normal equations   3.0001 0.5001'
run "$@" reduce.apl
has 'SUMS  2080 524800 8390656 5.000005E11' 'as n(n+1)÷2  1' \
  'DOT PRODUCT  1.70135E10  SQUARES  3.328335E10  ABOVE THE MEAN  50000' \
  'SUM, MAXIMUM, MINIMUM  49950000 999 0' 'TREE OF PAIRS  1  ONE BY ONE  0' \
  'PREFIX SUM  3 4 8 9 14 23 25 31  EXCLUSIVE  0 3 4 8 9 14 23 25' \
  'COMPACTION  3 4 5 9 6  by places  3 4 5 9 6' 'GCD  6  LCM  60' 'SATURATING  100' \
  'SEGMENTS  8 6 17  LARGEST OF EACH  4 5 9'
run "$@" iir.apl
has 'step response after 1 5 20 100  0.1 0.40951 0.8784233454 0.9999734386' 'is 1-a*n  1' \
  'as one by one  1' 'impulse response   1.000000 1.864071 2.514360 2.896691 2.984846' \
  'as the formula  1' 'as the difference equation  1' 'as powers of a matrix  1'
run "$@" automaton.apl
has 'closed  3' '/* one *//* two ** stars / here **//**/' 'int a;  b=a/2;  c(); d=1;' \
  'from state 1 the same  1' 'by choices the same  1' \
  'comments in a million characters  46875' 'NUMBERS  1 1 0 0 0 1 0' \
  'MODULO 3, all beginnings of a binary number  1'
run "$@" mandelbrot.apl
has 'inside  308' 'of  1400' 'steps in all  68027' 'longest outside  180' \
  '.*%%%%@%%%%%%@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@++===----' \
  '...::-----------------=======+%@**@@@@@@@@@@*+****=-----'
run "$@" forest.apl
has 'votes  29462' 'said to be inside  3976  are  3761' 'right  9269' \
  'right by each tree  9134 8679 9010 8235 8934 8283 8740' \
  'points by votes  2932 2341 466 285 258 342 1040 2336' 'walked one by one, different  0'
run "$@" tables.apl
has 'orders  5000  of known customers  4652  lost  348' \
  'Aachen       931    552238       100      1096    593.17' \
  'Celle        930    557092       100      1096    599.02' \
  'Emden        931    561641       100      1096    603.27' 'all of it  1' \
  'first three  1014 117 1027 117 1040 117' 'customers by orders  117 12 116 28' \
  'orders at each step  789 1275 1125 1271 540'
run "$@" pagerank.apl
has 'sum of all ranks   1.000000' 'has come to rest  1' 'best pages  1 2 8 26 5' \
  'their ranks   0.048140 0.028495 0.021256 0.018092 0.016236' 'least rank   0.000209' \
  'by groups the same  1'
run "$@" fft.apl
has 'as by the definition  1' 'there and back  1' \
  'frequencies  50 120  strengths   3.00 1.00' \
  'energy   5120.0000  of the transform   5120.0000' \
  '1219326313565005315910684291106599793590920791245241789'
run "$@" neighbours.apl
has 'distances  150 600  least  0  most  16218' \
  'nearest to the first  238 385 22 332 113  at  2 10 16 18 25' 'right  144  of  150' \
  'named 1 2 3  23 115 12'
run "$@" words.apl
has 'characters  416  words  85  different  34' 'the     11' 'it      10' 'we       4' 'had      2' \
  '2 27  ***************************' '11  2  **'
run "$@" rain.apl
has 'rows  96' 'Brocken     1828.9  1889.2' 'Helgoland    742.1   764.8' 'Zugspitze   1941.9  2231.8' \
  'wettest month  7 10 8 5' 'read back the same  1'
run "$@" log.apl
has 'lines  60' 'understood  60' '200 39' '304 14' '/index.html    16 144 244' '/old            3 192 236'
run "$@" blur.apl
has 'mean before and after  755 755' \
  'row 8  16 16 66 140 215 240 240 240 240 240 240 215 140 66 16 16' 'read back the same  1'
run "$@" exchange.apl
has 'back: same  1  type  325' 'turned round  4 3  equal  1'
run "$@" series.apl
has 'from Jan 2023 to Dec 2024' 'smoothed, first and last  150.4 141.2' '01/23                       o'
run "$@" orders.apl
has 'orders  3' 'worth  81 30 199 359.6 40.5' 'Ada  511.1' '[["Ada",511.1],["Bob",199]]'
run "$@" steps.apl
has 'greatest common divisor  21' '27 after  111 9232' 'moves of ten disks  1023' \
  'square root of 2  1.414213562' 'numbers  12 0  what?  0' 'even  3  odd  2  other  1'
run "$@" calendar --call Main
has '1900  has  365  days and begins on a  Monday' '2000  has  366  days and begins on a  Saturday' \
  'Easter  31 March 2024  20 April 2025  5 April 2026' \
  'Fridays the 13th in 2026:   February  March  November' 'Mo  Tu  We  Th  Fr  Sa  Su' \
  '23  24  25  26  27  28'

echo "examples.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
