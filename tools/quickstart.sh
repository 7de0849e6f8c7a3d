#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job on real data, on whatever Vulkan device there is: `make quickstart` ends here.
vapl=$1
run() {
  echo
  echo "\$ vapl $*"
  shift $(($# - $#))
  "$vapl" "$@"
}
echo
echo "── The Vulkan devices of this machine"
"$vapl" --devices || exit 1
if "$vapl" --device '#0' -e '1' >/dev/null 2>&1; then dev='#0'; else dev=host; fi
echo
echo "── The Nile's annual flow, on device $dev: plan, then result"
run --device "$dev" examples/nile.apl || exit 1
echo
echo "── Ten million elements, on device $dev"
run --device "$dev" examples/big.apl || exit 1
echo
echo "vapl is built: $vapl starts a session, \`make check\` tests it."
