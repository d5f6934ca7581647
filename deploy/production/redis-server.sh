#!/bin/sh
# Starts Redis with only the service's users: their rights come from the release, the digests of their passwords (lines
# of "<user> <sha256>") from a secret.
# usage: redis-server.sh <users> <digests> <made file> <arguments of redis-server>...
set -eu
users=$1 digests=$2 made=$3
shift 3

umask 077
cp "$users" "$made.draft"
while read -r user digest || [ -n "$user" ]; do
  sed "s/^user $user on #$user /user $user on #$digest /" "$made.draft" >"$made"
  cp "$made" "$made.draft"
done <"$digests"
rm "$made.draft"
exec redis-server "$@" --aclfile "$made"
