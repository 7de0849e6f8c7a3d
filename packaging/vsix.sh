#!/bin/sh
# SPDX-License-Identifier: MIT
# vsix.sh - build/dist/vapl-VERSION.vsix, which `code --install-extension` takes: a zip of editors/vscode with two
# files that say what is in it. npm brings the client library that speaks with `vapl lsp`; where npm gets nothing, the
# extension has colours, brackets and glyphs alone, and says so here.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define VAPL_VERSION_TEXT "\(.*\)"/\1/p' runtime/vapl.h)
out=build/dist/vapl-$version.vsix work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p build/dist
cp -r editors/vscode "$work/extension"
cp LICENSE "$work/extension/LICENSE.txt"
cp editors/README.md "$work/extension/README.md"
sed -i "s/\"version\": \".*\"/\"version\": \"$version\"/" "$work/extension/package.json"
if ! (cd "$work/extension" && npm install --omit=dev --no-package-lock --no-fund --no-audit --ignore-scripts) >"$work/log" 2>&1; then
  rm -rf "$work/extension/node_modules"
  echo "vsix: without the language client, for npm could not fetch it: $(tail -n 1 "$work/log")" >&2
fi
cat >"$work/[Content_Types].xml" <<'END'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
END
(cd "$work" && find extension -type f -name '*.*' | sed 's/.*\.//' | sort -u && echo vsixmanifest) |
  while read -r ending; do
    echo "<Default Extension=\".$ending\" ContentType=\"application/octet-stream\"/>"
  done >>"$work/[Content_Types].xml"
echo '</Types>' >>"$work/[Content_Types].xml"
cat >"$work/extension.vsixmanifest" <<END
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="vapl" Version="$version" Publisher="vapl"/>
    <DisplayName>vapl</DisplayName>
    <Description xml:space="preserve">$(sed -n 's/^  "description": "\(.*\)",$/\1/p' editors/vscode/package.json)</Description>
    <Categories>Programming Languages,Snippets,Formatters</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="$(sed -n 's/.*"vscode": "\(.*\)".*/\1/p' editors/vscode/package.json)"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
END
rm -f "$out"
file=$PWD/$out
(cd "$work" && python3 -m zipfile -c "$file" extension.vsixmanifest '[Content_Types].xml' extension/)
echo "$out"
