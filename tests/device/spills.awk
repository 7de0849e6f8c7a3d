# SPDX-License-Identifier: MIT
# spills.awk - counts what a compiler made: of the lines `module HASH` of the first file (the wrapper's report), by the
# second, what was made of each (compiler.c).
NR == FNR { used[substr($1, 8)] = 1; next }
!($1 in used) || seen[$1]++ { next }
{
  spilled = 0
  for (i = 4; i <= NF; i++)
    if ($i ~ /^(Spilled VGPRs|Spill Count)=/) { sub(/.*=/, "", $i); spilled = $i }
  n++
  failed += $3 != "0"
  some += spilled > 0
  much += spilled > 16
}
END { printf "%d modules, %d failed, %d spill, %d spill more than 16 registers\n", n, failed, some, much }
