#!/usr/bin/env bash
# Puts Node 24 into a folder: `bash .ci/node-24.sh FOLDER`, then `PATH=FOLDER:$PATH npm test`. npm packages carry the
# binary itself, so that nothing but the packages' registry is needed.
set -euo pipefail
version=24.21.0
folder=${1:?name the folder}
package=node-linux-$(node -p process.arch)
if [ "$("$folder/node" --version 2>/dev/null)" != "v$version" ]; then
  draft=$(mktemp -d)
  trap 'rm -rf "$draft"' EXIT
  npm install --prefix "$draft" --no-audit --no-fund --ignore-scripts "$package@$version"
  mkdir -p "$folder"
  mv "$draft/node_modules/$package/bin/node" "$folder/node"
fi
[ "$("$folder/node" --version)" = "v$version" ]
