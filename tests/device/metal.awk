# SPDX-License-Identifier: MIT
# metal.awk - what is wrong in a kernel in Metal's language as SPIRV-Cross writes it: operations of subgroups that Apple's
# devices lack, and barriers in divergent flow. A value is the THREAD's if it is made of the thread's number, of what an
# atomic or a subgroup gives, or if it is set where a thread's value decides; a condition on such a value diverges. What
# is read from memory at an address that all threads have is none.

# Does the text name a value that is the thread's?
function is_threads(text,    rest, word) {
  if (text ~ /gl_(Local|Global)Invocation|gl_Subgroup(ID|Invocation)|(simd|quad)_|atomic_/) return 1
  rest = text
  while (match(rest, /_[0-9]+/)) {
    word = substr(rest, RSTART, RLENGTH)
    # A member of a structure is no value of its own.
    if ((RSTART == 1 || substr(rest, RSTART - 1, 1) !~ /[A-Za-z0-9_.]/) && word in threads) return 1
    rest = substr(rest, RSTART + RLENGTH)
  }
  return 0
}

# Blocks that are open around a line: header[1] … header[n], and whether they diverge.
function enter(text) {
  n++
  header[n] = text
  if (text ~ /^ *else *$/) diverges[n] = diverges[n "else"]
  else diverges[n] = text ~ /^ *(if|while|switch)/ && is_threads(text)
  diverges[n "else"] = 0
  if (text ~ /^ *(for|while|do)/) loop[n] = 0
  else delete loop[n]
}
function leave() {
  diverges[n "else"] = header[n] ~ /^ *if/ ? diverges[n] : 0
  n--
}
function divergent(    i) {
  for (i = 1; i <= n; i++) if (diverges[i]) return 1
  return 0
}

# A line that sets a value; one that is declared where it is set, in a block of its own, is set once.
function set(line,    name, declared) {
  if (!match(line, /^ *([a-z][a-z0-9_]* (device |threadgroup )?)?[a-z0-9_*& ]*_[0-9]+ = /)) return
  name = substr(line, RSTART, RLENGTH - 3)
  declared = name ~ /^ *[a-z]/
  sub(/.*[ *&]/, "", name)
  if (name in threads) return
  if (is_threads(substr(line, RSTART + RLENGTH)) || (!declared && divergent())) {
    threads[name] = 1
    changed = 1
  }
}

{ line[NR] = $0 }

END {
  do {
    changed = n = 0
    for (i = 1; i <= NR; i++) {
      if (line[i] ~ /^ *\{/) enter(line[i - 1])
      else if (line[i] ~ /^ *\}/) leave()
      else set(line[i])
    }
  } while (changed)
  n = 0
  for (i = 1; i <= NR; i++) {
    if (line[i] ~ /^ *\{/) enter(line[i - 1])
    else if (line[i] ~ /^ *\}/) leave()
    if (line[i] ~ /^ *u?long[234]? .*= *(simd|quad)_/) print "64 bits in a subgroup: " line[i]
    if (line[i] ~ /simd_(prefix|and|or|xor|min|max|sum|product)/) print "arithmetic of subgroups: " line[i]
    if (line[i] ~ /^ *return;/ && divergent()) left = 1
    if (line[i] ~ /^ *break;/ && divergent())
      for (k = n; k > 0; k--)
        if (k in loop) {
          loop[k] = 1
          break
        }
    if (line[i] !~ /threadgroup_barrier/) continue
    if (divergent()) print "a barrier where threads diverge"
    if (left) print "a barrier behind a return of some threads"
    for (k = n; k > 0; k--)
      if (loop[k]) print "a barrier in a loop that some threads leave"
  }
}
