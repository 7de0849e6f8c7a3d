#!/bin/sh
# SPDX-License-Identifier: MIT
# circles.sh BUILD - groups of files that all reach one another, as the linker's symbols have it.
# Three recursions are in the nature of things, and may be as large as tools/circles.max says:
# of the language (a function called runs a dfn or a traditional function, whose statements call functions), of
# cells (a function of all cells at once is made of others) and of nodes (a primitive is built of others). No other may have more than four files.
cd "$(dirname "$0")/.." || exit 2
b=${1:?usage: circles.sh build/CONFIG}
find "$b/src" "$b/runtime" -name '*.o' | sort | while read -r o; do
  source=${o#"$b"/}
  [ ! -e "${source%.o}.c" ] || echo "$o" # else it is left from a file that is no more
done | xargs nm -A | awk -v b="$b/" '
  { f = $1; sub(/:.*/, "", f); f = substr(f, length(b) + 1); sub(/\.o$/, "", f); sub(/^[^:]*:/, "") }
  NF == 3 && $2 ~ /^[TDBRCV]$/ { print "def", $3, f }
  NF == 2 && $1 == "U" { print "use", $2, f }' | awk '
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
  FILENAME != "-" { if ($1 != "#") { most[$1] = $2; title[$1] = $3 } next }
  {
    limit = 4; name = "a circle"
    for (i = 2; i <= NF; i++) if ($i in most) { limit = most[$i]; name = "the recursion of " title[$i] }
    print name ": " $0
    if ($1 > limit) { print "  has more than " limit " files"; bad = 1 }
  }
  END { exit bad }' tools/circles.max -
