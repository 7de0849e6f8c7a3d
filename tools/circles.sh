#!/bin/sh
# SPDX-License-Identifier: MIT
# circles.sh BUILD - groups of files that all reach one another, as the linker's symbols have it.
# The language's own recursion (a function applied runs a dfn or an operator, which applies
# functions) is one such group and may be as large as tools/circles.max says; no other may
# have more than four files.
cd "$(dirname "$0")/.." || exit 2
b=${1:?usage: circles.sh build/CONFIG}
find "$b/src" "$b/runtime" -name '*.o' | sort | while read -r o; do
  source=${o#"$b"/}
  [ -e "${source%.o}.c" ] || continue # left from a file that is no more
  nm "$o" | awk -v f="${o#"$b"/}" '
    { sub(/\.o$/, "", f) }
    NF == 3 && $2 ~ /^[TDBRCV]$/ { print "def", $3, f }
    NF == 2 && $1 == "U" { print "use", $2, f }'
done | awk '
  $1 == "def" { home[$2] = $3 }
  $1 == "use" { n++; symbol[n] = $2; user[n] = $3 }
  END {
    for (i = 1; i <= n; i++) {
      to = home[symbol[i]]
      if (to == "" || to == user[i] || (user[i], to) in edge) continue
      edge[user[i], to] = 1
      out[user[i]] = out[user[i]] " " to
      into[to] = into[to] " " user[i]
      file[user[i]] = file[to] = 1
    }
    # A file is in the circle of another when it both reaches it and is reached from it.
    for (f in file) {
      if (f in circle) continue
      size = reach(f, out, forth); reach(f, into, back)
      names = ""; members = 0
      for (g in forth) if (g in back) { circle[g] = f; names = names " " g; members++ }
      if (members > 1) print members, names
    }
  }
  function reach(from, arrows, seen,   queue, head, tail, next_ones, k, count) {
    split("", seen); seen[from] = 1; queue[tail = 1] = from
    for (head = 1; head <= tail; head++) {
      count = split(arrows[queue[head]], next_ones, " ")
      for (k = 1; k <= count; k++)
        if (!(next_ones[k] in seen)) { seen[next_ones[k]] = 1; queue[++tail] = next_ones[k] }
    }
    return tail
  }' | sort -rn | awk '
  / src\/eval\/run\/eval( |$)/ {
    print "the recursion of the language: " $0
    if ($1 > LANGUAGE) { print "  has more than " LANGUAGE " files"; bad = 1 }
    next
  }
  { print "a circle of " $0; if ($1 > 4) { print "  has more than 4 files"; bad = 1 } }
  END { exit bad }' LANGUAGE="$(cat tools/circles.max)"
