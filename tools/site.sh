#!/bin/bash
# SPDX-License-Identifier: MIT
# site.sh - the manual as a site, in build/site. The pages stand in build/pages as in the tree, so
# a link that works in the tree works on the site: the files that pages name are copied, too.
# Needs Debian's mkdocs and mkdocs-material. Warnings of mkdocs are errors.
set -eu
cd "$(dirname "$0")/.."
command -v mkdocs >/dev/null || { echo 'site: skipped, mkdocs is missing'; exit 77; }
mkdocs build --help | grep -q material || { echo 'site: skipped, mkdocs-material is missing'; exit 77; }
rm -rf build/pages build/site
mkdir -p build/pages
pages=(*.md docs/*.md {editors,examples,bindings/python,packaging}/README.md)
{
  printf '%s\n' "${pages[@]}"
  for page in "${pages[@]}"; do # what they link to: files, and all that lies in folders
    grep -oE '\]\([^)#: ]+' "$page" | cut -c3- | while read -r to; do
      to=$(realpath -m --relative-to=. "$(dirname "$page")/$to")
      [ -e "$to" ] && find "$to" -type f ! -path '*/.*'
    done
  done
} | sort -u | grep -v '^build/' | while read -r file; do
  install -D -m 644 "$file" "build/pages/$file"
done
{ # a link to this folder leads to a list
  printf '# Results of measurements\n\n'
  for file in bench/results/*.tsv; do printf -- '- [%s](%s)\n' "${file##*/}" "${file##*/}"; done
} >build/pages/bench/results/README.md
cp docs/site/{vapl.css,icon.svg,files.js} build/pages
mkdocs build --quiet --strict --config-file docs/site/mkdocs.yml
rm -f build/site/sitemap.xml* # it would name no place
{ printf 'search_index_is('; cat build/site/search/search_index.json; echo ')'; } >build/site/search/search_index.js
echo 'build/site/index.html'
