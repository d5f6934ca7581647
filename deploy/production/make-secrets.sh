#!/usr/bin/env bash
# Creates every file that deploy/compose.production.yml reads in a new folder: passwords, the service's keys, and
# certificates of an authority created for this. It shows what is needed and lets you try the overlay; get real
# certificates from your own authority. Run it as root: each file belongs to the one container that reads it.
# usage: make-secrets.sh <folder>
set -euo pipefail
umask 077

folder=${1:?usage: make-secrets.sh <folder>}
if [ -e "$folder" ]; then
  echo "$folder exists; nothing was changed. Losing master.key loses everything that is sealed under it." >&2
  exit 1
fi
mkdir -p "$folder"
cd "$folder"

readonly SERVICE=10001 KAFKA=1000 REGISTRY=185 CLICKHOUSE=101 REDIS=999
readonly DAYS=825

password() { openssl rand -hex 24 | tr -d '\n'; }

openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj '/CN=compliance-audit-service authority' \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
  -keyout ca.key -out ca.pem 2>/dev/null

certificate() { # name, host names...
  local name=$1 names
  shift
  names=$(printf ',DNS:%s' "$@")
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr" 2>/dev/null
  openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$DAYS" -out "$name.crt" \
    -extfile <(printf 'subjectAltName=DNS:localhost%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names") 2>/dev/null
  rm "$name.csr"
}
certificate kafka kafka kafka-2 kafka-3
certificate registry registry
certificate clickhouse clickhouse
certificate redis redis redis-replica
# For Kafka: certificate and key in one file.
cat kafka.key kafka.crt >kafka.pem
cat registry.key registry.crt >registry.pem
rm kafka.key kafka.crt ca.srl

password >kafka-password
cp kafka-password kafka-access-password
for user in api analyzer sink correlator migrate health replica operator; do
  password >"redis-$user-password"
  printf 'cas_%s %s\n' "$user" "$(sha256sum <"redis-$user-password" | cut -d' ' -f1)" >>redis-digests
done
printf 'masteruser cas_replica\nmasterauth %s\n' "$(cat redis-replica-password)" >redis-replica.conf
rm redis-replica-password
{
  printf '<clickhouse>'
  for role in api sink correlator migrate; do
    password >"clickhouse-$role-password"
    printf '<cas_%s_password_sha256>%s</cas_%s_password_sha256>' \
      "$role" "$(sha256sum <"clickhouse-$role-password" | cut -d' ' -f1)" "$role"
  done
  printf '</clickhouse>\n'
} >clickhouse-account.xml
openssl rand 32 >master.key
openssl genpkey -algorithm ed25519 -out signing.key
password >internal-secret

chmod 600 ./*
chmod 644 ca.pem
chmod 755 .
chown "$SERVICE" master.key signing.key internal-secret kafka-password clickhouse-{api,sink,correlator,migrate}-password \
  redis-{api,analyzer,sink,correlator,migrate}-password
chown "$KAFKA" kafka.pem kafka-access-password
chown "$REGISTRY" registry.pem registry.key registry.crt
chown "$CLICKHOUSE" clickhouse.key clickhouse.crt clickhouse-account.xml
# redis-operator-password stays owned by root: that user has every right, and no container reads the file.
chown "$REDIS" redis.key redis.crt redis-digests redis-replica.conf redis-health-password
echo "Made $folder. Keep master.key in a safe place too, and ca.key away from this machine."
