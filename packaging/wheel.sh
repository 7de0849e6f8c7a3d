#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh BUILD - a wheel with libvapl.so.0 within, in build/dist: `pip install` of it needs no checkout and no
# compiler. Its tag is the true one: the library links libc alone (libm is part of it) and opens everything else
# when it is first used, so the wheel fits each system with glibc of that version or newer (PEP 600).
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "$1")
python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import setuptools, wheel, pip' 2>/dev/null && python=$p
done
[ -n "$python" ] || { echo 'wheel.sh: python3-setuptools, python3-wheel or python3-pip is missing' >&2; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r bindings/python "$dir/python" # setuptools writes beside what it builds
strip -o "$dir/libvapl.so.0" "$build/libvapl.so.0"
links=$(objdump -p "$dir/libvapl.so.0" | awk '$1 == "NEEDED" && $2 !~ /^(libc|libm|ld-linux-.*)\.so/ {print $2}')
[ -z "$links" ] || { echo "wheel.sh: the library links $links, which the tag does not allow" >&2; exit 1; }
glibc=$(objdump -T "$dir/libvapl.so.0" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
glibc=$(echo "${glibc#GLIBC_}" | tr . _)
mkdir -p build/dist
export VAPL_WHEEL_LIBRARY="$dir/libvapl.so.0" VAPL_WHEEL_TAG="manylinux_${glibc}_$(uname -m)"
"$python" -m pip wheel -q --no-index --no-build-isolation --no-deps -w build/dist "$dir/python"
ls build/dist/vapl-*"$VAPL_WHEEL_TAG".whl
