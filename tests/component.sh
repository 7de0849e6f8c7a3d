#!/bin/sh
# SPDX-License-Identifier: MIT
# component.sh VAPL [KILLS] - component files, and ⎕SQL, between processes: a writer that is killed loses nothing that it
# was told is written; ⎕FHOLD, ties, damaged files, a full disk.
vapl=$(realpath "${1:?usage: component.sh path/to/vapl [kills]}")
kills=${2:-8}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
failed=0 passed=0
is() { # WHAT GOT WANTED
  if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    printf 'FAIL %s: %s, expected %s\n' "$1" "$2" "$3"
  fi
}
if [ "$("$vapl" -e "⎕FAVAIL" 2>/dev/null)" != 1 ]; then
  echo 'component.sh: skipped, SQLite is missing'
  exit 77
fi

# A writer appends, replaces, drops, and says so when it is done. It is killed sooner or later.
# Component k holds k and as many of them as is its turn; the first tells what was said last.
cat > writer.apl <<'APL'
t←'w.dcf'⎕FSTIE 0
k←2⊃⎕FSIZE t
say←{_←(⊂,⊂⍵)⎕NPUT 'said' 2} ⍝ at once: what is shown waits in a buffer
step←{
  _←(⍵,(17|⍵)⍴⊂⍵ 'text'(⍳100|⍵))⎕FAPPEND t
  _←say 'a',⍕⍵
  _←('seen' ⍵)⎕FREPLACE t 1
  _←say 'r',⍕⍵
  ∇ ⍵+1
}
step k
APL
cat > reader.apl <<'APL'
said←{2::¯1 ⋄ ⍎⍵}
t←'w.dcf'⎕FSTIE 0
n←2⊃⎕FSIZE t
right←{c←⎕FREAD t ⍵ ⋄ (⍵=⊃c)∧(17|⍵)=≢1↓c}
⎕←(∧/right¨1↓⍳n-1)(n-1)(2⊃⎕FREAD t 1)(≢⎕FCHK 'w.dcf')
APL
"$vapl" -e "t←'w'⎕FCREATE 0" -e "'seen' 0 ⎕FAPPEND t" -e "⎕FUNTIE t"
i=0 lost=0 wrong=0
while [ $i -lt "$kills" ]; do
  i=$((i + 1))
  : > said
  "$vapl" --device host writer.apl 2> errors &
  pid=$!
  sleep "0.$(awk -v s=$i 'BEGIN { srand(s); printf "%03d", 150 + 350 * rand() }')"
  kill -9 $pid
  wait $pid 2>/dev/null
  appended=$(sed -n 's/^a\([0-9]*\)$/\1/p' said | tail -n 1)
  replaced=$(sed -n 's/^r\([0-9]*\)$/\1/p' said | tail -n 1)
  # shellcheck disable=SC2046
  set -- $("$vapl" --device host reader.apl 2>&1)
  [ "$1" = 1 ] && [ "$4" = 0 ] || { wrong=$((wrong + 1)); echo "after kill $i: $*"; }
  [ "$2" -ge "${appended:-0}" ] && [ "$3" -ge "${replaced:-0}" ] || {
    lost=$((lost + 1))
    echo "after kill $i: appended $appended, replaced $replaced, found $*"
  }
done
is "after $kills kills: wrong files" $wrong 0
is "after $kills kills: lost writes" $lost 0
is "there was something to lose" "$([ "${2:-0}" -gt "$kills" ] && [ "${appended:-0}" -gt 3 ] && echo yes)" yes

# Two writers at once: no number twice, none left out.
"$vapl" -e "t←'both'⎕FCREATE 0" -e "⎕FUNTIE t"
for who in 1 2; do
  "$vapl" -e "t←'both'⎕FSTIE 0" -e "{}$who{⍺ ⍵ ⎕FAPPEND t}¨⍳200" &
done
wait
is "two writers" "$("$vapl" -e "t←'both'⎕FSTIE 0" -e "2↑⎕FSIZE t" -e "≢∪⎕FREAD t(⍳400)")" "1 401
400"

# ⎕FHOLD: a counter in a component, to which two processes add.
"$vapl" -e "t←'c'⎕FCREATE 0" -e "{}0 ⎕FAPPEND t" -e "⎕FUNTIE t"
for who in 1 2; do
  "$vapl" -e "t←'c'⎕FSTIE 0" -e "{_←⎕FHOLD t ⋄ _←(1+⎕FREAD t 1)⎕FREPLACE t 1 ⋄ _←⎕FHOLD ⍬ ⋄ ⍵}¨⍳100" > /dev/null &
done
wait
is "⎕FHOLD: a counter" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕FREAD t 1")" 200
"$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕FHOLD t" -e "_←'x'⎕NPUT 'held'" -e "⎕DL 2" -e "_←'x'⎕NPUT 'done'" &
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s held ] || sleep 0.1; done
is "⎕FHOLD: a time-out" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "{1006::'timeout' ⋄ 0 ⎕FHOLD ⍵}t" 2>&1)" timeout
is "⎕FHOLD: others read" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕FREAD t 1")" 200
is "⎕FHOLD: a writer waits" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕←'new'⎕FAPPEND t" -e "⎕NEXISTS 'done'")" "2
1"
wait
# who is killed holds nothing any more
"$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕FHOLD t" -e "_←'x'⎕NPUT 'held2'" -e "⎕DL 60" &
pid=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s held2 ] || sleep 0.1; done
kill -9 $pid
wait $pid 2>/dev/null
is "⎕FHOLD: of one that was killed" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "⊢1 ⎕FHOLD t")" 1

# ties of other processes
"$vapl" -e "t←'c'⎕FSTIE 0" -e "_←'x'⎕NPUT 'tied'" -e "⎕DL 1" &
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s tied ] || sleep 0.1; done
is "⎕FTIE of what is tied" "$("$vapl" -e "{24::'tied' ⋄ ⍵ ⎕FTIE 0}'c'")" tied
is "⎕FSTIE of what is shared" "$("$vapl" -e "⊢'c'⎕FSTIE 0")" 1
wait
is "⎕FTIE afterwards" "$("$vapl" -e "⊢'c'⎕FTIE 0")" 1

# damaged files: an error or what is whole, never anything else
"$vapl" -e "t←'g'⎕FCREATE 0" -e "{}{(500⍴⍵)⎕FAPPEND t}¨⍳40" -e "⎕FUNTIE t"
bytes=$(stat -c %s g.dcf)
i=0 strange=
while [ $i -lt 30 ]; do
  i=$((i + 1))
  cp g.dcf bad.dcf
  at=$(awk -v s=$i -v n="$bytes" 'BEGIN { srand(s); print int(n * rand()) }')
  if [ $((i % 5)) = 0 ]; then truncate -s "$at" bad.dcf; else
    head -c 300 /dev/urandom | dd of=bad.dcf bs=1 seek="$at" conv=notrunc 2>/dev/null
  fi
  got=$("$vapl" -e "{18≤⎕EN:⎕EN}0" -e "r←{22 23 24 26::⎕EN ⋄ t←'bad'⎕FTIE 0 ⋄ {20 22 23 26::0 ⋄ c←⎕FREAD t ⍵ ⋄ (500⍴⍵)≡c:0 ⋄ 1}¨⍳40}0" -e "1∊r" 2>&1)
  rm -f bad.dcf*
  [ "$got" = 0 ] || strange="$strange $i:$got"
done
is "damaged files" "$strange" ''
printf 'SQLite format 3\000' > e.dcf
is "a file cut off" "$("$vapl" -e "{22 23::⎕DM ⋄ ⍵ ⎕FTIE 0}'e'" 2>&1 | head -n 1 | grep -c 'FILE')" 1

# a full disk: the file is as it was before
"$vapl" -e "t←'full'⎕FCREATE 0" -e "{}'kept'⎕FAPPEND t" -e "⎕FUNTIE t"
got=$( (ulimit -f 600; trap '' XFSZ; "$vapl" -e "t←'full'⎕FSTIE 0" -e "{26 34::'full' ⋄ (?1000000⍴0)⎕FAPPEND ⍵}t") 2>&1)
is "a full disk" "$got" full
is "a full disk: nothing lost" "$("$vapl" -e "t←'full'⎕FSTIE 0" -e "2↑⎕FSIZE t" -e "⎕FREAD t 1" -e "⎕←'more'⎕FAPPEND t")" "1 2
kept
2"

# permissions
is "--safe" "$("$vapl" --safe -e "'c'⎕FSTIE 0" 2>&1 | grep -c 'FILE ACCESS ERROR')" 1
mkdir in out
cp c.dcf out
ln -s ../out/c.dcf in/link.dcf
is "--allow-dir" "$("$vapl" --allow-dir in -e "t←'in/n'⎕FCREATE 0" -e "⎕←1 ⎕FAPPEND t" -e "{19::'no' ⋄ ⍵ ⎕FSTIE 0}¨'out/c' 'in/link' '../c'" 2>&1)" "1
 no  no  no "
is "⎕SQL: --allow-dir" "$("$vapl" --allow-dir in -e "db←⎕SQL'in/s.db'" -e "db ⎕SQL'create table t(a)'" \
  -e "{19::'no' ⋄ ⎕SQL ⍵}¨'out/s.db' 'in/link.dcf'" \
  -e "db∘{11 10::'refused' ⋄ ⍺ ⎕SQL ⍵}¨'attach ''out/c.dcf'' as c' 'vacuum into ''out/v.db'''" 2>&1)" "0
 no  no 
 refused  refused "
is "⎕SQL: --max-time" "$("$vapl" --max-time 0.5 -e "db←⎕SQL''" \
  -e "db ⎕SQL'with recursive n(i) as (select 1 union all select i+1 from n) select max(i) from n'" 2>&1 | grep -c 'LIMIT ERROR')" 1
if [ "$(id -u)" != 0 ]; then
  chmod a-w c.dcf
  is "a file that may be read only" "$("$vapl" -e "t←'c'⎕FSTIE 0" -e "⎕FREAD t 1" -e "{19::'no' ⋄ 1 ⎕FAPPEND ⍵}t")" "200
no"
fi

echo "component.sh: $passed passed, $failed failed"
[ $failed = 0 ]
