#!/bin/bash
# SPDX-License-Identifier: MIT
# site.sh - makes the site of the manual and looks at it: nothing that mkdocs warns about, each page
# of docs/ in the navigation, and what site.py asks of each page.
cd "$(dirname "$0")/.." || exit 2
command -v python3 >/dev/null || { echo "site: skipped, python3 is missing"; exit 77; }
bash tools/site.sh || exit
missing=0
for page in docs/*.md; do
  grep -q ": $page\$" docs/site/mkdocs.yml || { echo "$page is missing in nav of docs/site/mkdocs.yml"; missing=1; }
done
python3 tests/site.py build/site && exit $missing
