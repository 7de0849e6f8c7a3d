#!/bin/sh
# SPDX-License-Identifier: MIT
# quickstart.sh VAPL - the main job on the Vulkan device there is: a GPU if one is usable, else
# the CPU implementation, else the host. Prints which device it used, the plan and the result.
vapl=${1:?usage: quickstart.sh path/to/vapl}
cd "$(dirname "$0")/.." || exit 2

echo
echo "── The Vulkan devices of this machine"
list=$("$vapl" --devices) || list=
printf '%s\n' "${list:-none}"
# The first line that names a usable device; a CPU implementation only if there is no other.
dev=$(printf '%s\n' "$list" | awk '/^[0-9]/ && !/refused/ {
  if (!/CPU/) { print "#" $1; found = 1; exit } if (cpu == "") cpu = "#" $1 }
  END { if (!found && cpu != "") print cpu }')
dev=${dev:-host}

echo
echo "── vapl --device $dev examples/nile.apl: the Nile's annual flow at Aswan"
"$vapl" --device "$dev" examples/nile.apl || exit 1

echo
echo "── Ten million elements on device $dev: the plan of each expression, then its result"
while IFS= read -r line; do
  printf '      %s\n' "$line"
done <<'EOF' >build/quickstart.txt
x←⍳10000000
]plan +/x
+/x
]plan ⌈/|x-5000000
⌈/|x-5000000
m←(+/x)÷≢x
]plan (+/(x-m)*2)÷≢x
(+/(x-m)*2)÷≢x
]plan ¯3↑+\x
¯3↑+\x
]device
EOF
while IFS= read -r line; do
  set -- "$@" -e "${line#      }"
done <build/quickstart.txt
shift
"$vapl" --device "$dev" "$@" || exit 1

echo
echo "vapl is built. $vapl starts a session, \`make deps check\` tests it, README.md tells more."
