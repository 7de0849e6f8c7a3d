#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh TARBALL - Debian's packages of vapl, in build/deb: vapl, libvapl0, libvapl-dev, python3-vapl. Needs
# dpkg-dev, debhelper and dh-python. DEBFULLNAME and DEBEMAIL say whose packages they are. lintian looks at them
# where it is installed, and any error or warning of it fails, but for what concerns uploads to Debian's archive.
set -eu
cd "$(dirname "$0")/.."
for need in dpkg-buildpackage:dpkg-dev dh:debhelper pybuild:dh-python; do
  command -v "${need%:*}" >/dev/null || { echo "deb.sh: the Debian package ${need#*:} is missing" >&2; exit 77; }
done
tarball=$(realpath "$1")
version=$(basename "$tarball" .tar.gz) version=${version#vapl-}
rm -rf build/deb
mkdir -p build/deb
cp "$tarball" "build/deb/vapl_$version.orig.tar.gz"
tar -C build/deb -xf "$tarball"
cp -r packaging/debian "build/deb/vapl-$version/debian"
not=initial-upload-closes-no-bugs
if [ -z "${DEBEMAIL:-}" ]; then
  DEBEMAIL=nobody@localhost.localdomain
  not=$not,bogus-mail-host,bogus-mail-host-in-debian-changelog
fi
sed -i "s|@MAINTAINER@|${DEBFULLNAME:-The vapl authors} <$DEBEMAIL>|" "build/deb/vapl-$version/debian/control" \
  "build/deb/vapl-$version/debian/changelog"
(cd "build/deb/vapl-$version" && dpkg-buildpackage -us -uc -d --no-check-builddeps "-j$(nproc)")
if command -v lintian >/dev/null; then
  lintian --allow-root --suppress-tags "$not" --fail-on error,warning build/deb/*.changes
else echo 'deb.sh: lintian is missing: the packages were not looked at'; fi
ls build/deb/*.deb
