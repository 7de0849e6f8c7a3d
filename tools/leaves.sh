#!/bin/sh
# SPDX-License-Identifier: MIT
# leaves.sh - the files of the leaves, as the tables name them: what `make CONFIG=plain` leaves out, and the headers
# that leaves alone include.
cd "$(dirname "$0")/.." || exit 2
{
  sed -nE 's|^LEAF\([A-Z_]+, ([a-z_/]+),.*|\1|p; s|^PART\(([a-z_/]+)\)$|\1|p' src/tables/fast.def
  sed -nE 's|^LEAF\([A-Z_]+, ([a-z_]+),.*|codegen/\1|p' src/codegen/kernels.def
} | sort -u | sed 's|.*|src/&.c|'
sed -nE 's|^HEADER\(([a-z_/]+)\)$|src/\1.h|p' src/tables/fast.def
