#!/usr/bin/env bash
# Checks what cannot be started without a container engine: compose files, the Dockerfile, the chart. It needs Go and
# Python 3; what it installs lies in .cache. A tool that is missing skips its checks, which is a failure where CI=true.
# usage: npm run check:deploy
set -uo pipefail
cd "$(dirname "$0")/.."

readonly CACHE=$PWD/.cache/check-deploy
readonly CHART=deploy/helm/compliance-audit-service
readonly KEDA=github.com/kedacore/keda/v2@v2.21.0
readonly KEDA_SUM=h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=
mkdir -p "$CACHE"
failed=0
skipped=0

check() { # name, command...
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $name"
    [ -z "$output" ] || echo "$output"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s\n%s\n' "$name" "$output"
  fi
}

skip() { # name, reason
  skipped=$((skipped + 1))
  echo "SKIPPED $1: $2"
}

go_tools() {
  command -v go >/dev/null || return 1
  (cd deploy/check && go build -trimpath -o "$CACHE/check" .) || return 1
}

python_tools() {
  command -v python3 >/dev/null || return 1
  [ -x "$CACHE/python/bin/hadolint" ] && cmp -s deploy/check/requirements.txt "$CACHE/python/requirements.txt" && return 0
  rm -rf "$CACHE/python"
  python3 -m venv "$CACHE/python" &&
    "$CACHE/python/bin/pip" install --quiet --disable-pip-version-check -r deploy/check/requirements.txt &&
    cp deploy/check/requirements.txt "$CACHE/python/"
}

# Folder of the module that carries KEDA's schemas; its content is the one that was looked at.
keda_folder() {
  (cd "$CACHE" && go mod download -json "$KEDA") |
    python3 -c 'import json, sys; module = json.load(sys.stdin); print(module["Dir"]) if module.get("Sum") == sys.argv[1] else sys.exit("unexpected content")' "$KEDA_SUM"
}

has_go=true
has_python=true
go_tools || has_go=false
python_tools || has_python=false

if $has_go; then
  check 'docker-compose.yml' "$CACHE/check" compose docker-compose.yml
  check 'docker-compose.yml with deploy/compose.production.yml' \
    "$CACHE/check" compose docker-compose.yml deploy/compose.production.yml
  check 'both with deploy/compose.bucket.yml' \
    "$CACHE/check" compose docker-compose.yml deploy/compose.production.yml deploy/compose.bucket.yml
  for values in "$CHART"/ci/*.yaml; do
    check "chart with ci/$(basename "$values")" \
      "$CACHE/check" chart "$CHART" "$values" "$CACHE/$(basename "$values")"
  done
else
  skip 'compose files and chart' 'Go 1.26 or newer is missing, or its modules cannot be fetched'
fi

if $has_go && $has_python; then
  if keda=$(keda_folder); then
    check 'manifests against published schemas' \
      "$CACHE/python/bin/python" deploy/check/manifests.py "$keda" $(printf "$CACHE/%s " $(cd "$CHART/ci" && ls ./*.yaml))
  else
    skip 'manifests against published schemas' 'the KEDA module cannot be fetched'
  fi
else
  skip 'manifests against published schemas' 'Go or Python 3 is missing, or packages cannot be fetched'
fi

if $has_python; then
  check 'deploy/Dockerfile' "$CACHE/python/bin/hadolint" deploy/Dockerfile
else
  skip 'deploy/Dockerfile' 'Python 3 is missing, or its packages cannot be fetched'
fi

if [ "$skipped" -gt 0 ] && [ "${CI:-}" = true ]; then
  echo 'Skipped checks prove nothing: a failure, because CI=true.'
  failed=$((failed + skipped))
fi
[ "$failed" -eq 0 ]
