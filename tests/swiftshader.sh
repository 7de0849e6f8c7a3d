#!/bin/bash
# SPDX-License-Identifier: MIT
# swiftshader.sh COMMAND… - runs it with SwiftShader as the only Vulkan driver: a CPU that has
# subgroups of 4, 32 KiB of workgroup memory, no 64-bit integers and no f64. SWIFTSHADER names its
# library; else it is Chromium's, which Debian has in chromium-common. Exit code 77: there is none.
library=${SWIFTSHADER:-}
for at in /usr/lib/chromium /usr/lib64/chromium-browser /usr/lib/chromium-browser /opt/google/chrome; do
  [ -n "$library" ] || [ ! -e "$at/libvk_swiftshader.so" ] || library=$at/libvk_swiftshader.so
done
if [ ! -e "$library" ]; then
  echo 'swiftshader: skipped, there is no libvk_swiftshader.so (chromium-common)'
  exit 77
fi
icd=$(mktemp --suffix=.json) || exit 1
trap 'rm -f "$icd"' EXIT
printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
  "$(realpath "$library")" >"$icd"
VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd "$@"
