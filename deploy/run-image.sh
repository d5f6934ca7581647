#!/usr/bin/env bash
# Does what the Dockerfile does, without a container engine: runs its build steps in an empty folder, and starts the
# result as the image does: as an unprivileged user, on a read-only disk. Needs root, to change the user.
# usage: npm run check:image
set -euo pipefail
cd "$(dirname "$0")/.."

readonly RUN_AS=10001
source_folder=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/dependencies" "$work/build" "$work/app"

step() { echo "== $*"; }

# COPY and RUN lines come from the Dockerfile itself, so that this cannot drift from it.
stage() { # name of a stage: its instructions, continued lines joined
  sed -e ':a' -e '/\\$/N; s/\\\n//; ta' deploy/Dockerfile |
    awk -v stage="$1" '/^FROM /{ inside = ($NF == stage) } inside'
}

run_stage() { # name, folder
  local line from to words
  while read -r line; do
    case $line in
      COPY\ --from=*)
        read -ra words <<<"${line#COPY --from=}"
        from=$work/${words[0]}${words[1]#/app}
        cp -a "$from" "$2/${words[2]}"
        ;;
      COPY\ *)
        read -ra words <<<"${line#COPY }"
        to=$2/${words[-1]}
        # Files in .dockerignore are left out here as well.
        (cd "$source_folder" && tar cf - --exclude='*.test.ts' --exclude='*.log' --exclude=deploy/local \
          --exclude=deploy/helm "${words[@]:0:${#words[@]}-1}") | tar xf - -C "$2"
        [ -e "$to" ] || { echo "COPY made no $to" >&2; return 1; }
        ;;
      RUN\ *)
        line=$(sed -E 's/^RUN (--mount=[^ ]+ )*//' <<<"$line")
        step "$1: $line"
        (cd "$2" && bash -euo pipefail -c "$line" </dev/null)
        ;;
    esac
  done < <(stage "$1")
}

run_stage dependencies "$work/dependencies"
run_stage build "$work/build"
run_stage runtime "$work/app"
# Only root may write there, as in the image.
chown -R root:root "$work/app"
chmod -R go-w,a+rX "$work/app"

entrypoint=$(stage runtime | sed -n 's/^ENTRYPOINT //p' | node -p 'JSON.parse(require("fs").readFileSync(0)).join(" ")')
as_in_image() { # environment and arguments, as for env
  (cd "$work/app" && env -i PATH="$PATH" NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0 ADMIN_PORT=9090 HEALTH_PORT=9090 \
    setpriv --reuid "$RUN_AS" --regid "$RUN_AS" --clear-groups --no-new-privs --inh-caps=-all "$@")
}

step "size: $(du -sm "$work/app" | cut -f1) MiB, packages $(du -sm "$work/app/node_modules" | cut -f1) MiB"
step 'what the user may write'
if as_in_image find . -writable -not -type l -print -quit | grep .; then
  echo 'The user may change the program.' >&2
  exit 1
fi
step 'no development package, no embedded engine, no test'
for name in typescript jest chdb @chdb; do
  [ ! -e "$work/app/node_modules/$name" ] || { echo "$name is in the image" >&2; exit 1; }
done
if find "$work/app/dist" "$work/app/schemas" -name '*.test.*' | grep .; then exit 1; fi

step 'cas --help'
# shellcheck disable=SC2086 # the entry point is two words
as_in_image $entrypoint --help | grep -E '^  (api|analyzer|sink|migrate) '

step 'cas config --check for every role'
mkdir "$work/keys" "$work/handed"
chmod 700 "$work/keys"
# With the rights of the compose file's container, and again with files owned as in an earlier release.
for _ in first repeated; do
  setpriv --bounding-set=-all,+chown --inh-caps=-all \
    node "$work/app/dist/deploy/image/make-keys.js" "$work/keys" "$work/handed"
  chown "$RUN_AS" "$work/keys/master.key"
done
for role in api analyzer sink; do
  handed=$work/handed/$role
  parts=(KAFKA_BROKERS=127.0.0.1:1 REDIS_URL=redis://127.0.0.1:1 SCHEMA_REGISTRY_URL=http://127.0.0.1:1
    MASTER_KEY="$handed/master.key" REDIS_PASSWORD_FILE="$handed/redis-password")
  if [ "$role" != analyzer ]; then
    parts+=(CLICKHOUSE_URL=http://127.0.0.1:1 CLICKHOUSE_PASSWORD_FILE="$handed/clickhouse-password")
  fi
  if [ "$role" = api ]; then
    parts+=(SIGNING_KEY="$handed/signing.key" INTERNAL_SECRET_FILE="$handed/internal-secret")
  fi
  # shellcheck disable=SC2086
  as_in_image env "${parts[@]}" $entrypoint config --check --role "$role" | sed -n 1p
done

step 'health check without a service'
if as_in_image node dist/deploy/image/healthy.js 1; then exit 1; fi
echo 'ok'
