#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what vapl needs, if it is missing: `build` (to build and run), `test` (to test).
# Says what it does; does nothing where everything is there; uses sudo only when not root.
# `ask` before them: says what is missing, and installs nothing.
set -eu
# name|a file that shows that it is there
build_apt='gcc|/usr/bin/gcc make|/usr/bin/make libvulkan-dev|/usr/include/vulkan/vulkan.h
spirv-headers|/usr/include/spirv/unified1/spirv.h
mesa-vulkan-drivers|/usr/share/vulkan/icd.d libedit-dev|/usr/include/histedit.h
libpcre2-dev|/usr/include/pcre2.h
libjansson-dev|/usr/include/jansson.h pkg-config|/usr/bin/pkg-config libpng-dev|/usr/include/png.h zlib1g-dev|/usr/include/zlib.h libffi-dev|/usr/share/doc/libffi-dev
libsqlite3-dev|/usr/include/sqlite3.h libcurl4-openssl-dev|/usr/share/doc/libcurl4-openssl-dev
libexpat1-dev|/usr/include/expat.h'
test_apt='clang|/usr/bin/clang libclang-rt-dev|/usr/share/doc/libclang-rt-dev clang-format|/usr/bin/clang-format g++|/usr/bin/g++ libcmocka-dev|/usr/include/cmocka.h
libmpfr-dev|/usr/include/mpfr.h spirv-tools|/usr/bin/spirv-val spirv-cross|/usr/bin/spirv-cross
vulkan-validationlayers|/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
chromium-common|/usr/lib/chromium/libvk_swiftshader.so
python3-numpy|/usr/lib/python3/dist-packages/numpy python3-pip|/usr/lib/python3/dist-packages/pip
python3-setuptools|/usr/lib/python3/dist-packages/setuptools
python3-wheel|/usr/lib/python3/dist-packages/wheel
python3-mpi4py|/usr/lib/python3/dist-packages/mpi4py
python3-ipykernel|/usr/lib/python3/dist-packages/ipykernel
python3-jupyter-client|/usr/lib/python3/dist-packages/jupyter_client
python3-venv|/usr/share/doc/python3-venv cmake|/usr/bin/cmake mkdocs|/usr/bin/mkdocs mkdocs-material|/usr/share/mkdocs/themes/material abigail-tools|/usr/bin/abidiff openmpi-bin|/usr/bin/mpirun libopenmpi-dev|/usr/bin/mpicc tmux|/usr/bin/tmux vim|/usr/bin/vim xxd|/usr/bin/xxd python3|/usr/bin/python3 binutils|/usr/bin/objcopy'

want= ask=
[ "${1:-}" != ask ] || { ask=yes; shift; }
for part in "$@"; do
  case $part in
  build) list=$build_apt ;;
  test) list=$test_apt ;;
  *) echo "install.sh: unknown part $part" >&2; exit 2 ;;
  esac
  for row in $list; do
    [ -e "${row#*|}" ] || want="$want ${row%%|*}"
  done
done
if [ -z "$want" ]; then
  echo "Everything needed ($*) is installed."
  exit 0
fi
if [ -n "$ask" ]; then
  echo "These Debian packages, or your system's equivalents, are missing; \`make deps\` installs them:$want"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "These Debian packages, or your system's equivalents, are missing:$want" >&2
  echo "docs/install.md lists the lines for other package managers." >&2
  exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "Installing:$want"
export DEBIAN_FRONTEND=noninteractive
( while sleep 15; do echo "still installing"; done ) & # apt itself says nothing
trap 'kill $!' EXIT
$sudo apt-get update -qq
known=
for name in $want; do # older releases have libclang-rt-dev within clang
  if apt-cache show "$name" >/dev/null 2>&1; then known="$known $name"; else echo "There is no $name here."; fi
done
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $known >/dev/null
