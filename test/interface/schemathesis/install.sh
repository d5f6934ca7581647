#!/usr/bin/env bash
# Installs schemathesis into .cache unless the same version is already there. Needs Python 3.10 or newer.
set -euo pipefail
cd "$(dirname "$0")"
folder=../../../.cache/schemathesis

[ -x "$folder/bin/schemathesis" ] && cmp -s requirements.txt "$folder/requirements.txt" && exit 0
command -v python3 >/dev/null || { echo 'check:interface needs Python 3.10 or newer' >&2; exit 1; }
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
cp requirements.txt "$folder/"
