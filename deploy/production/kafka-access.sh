#!/usr/bin/env bash
# Creates the service's user on the brokers, and the rights of the service and the registry. Every step may be repeated.
set -euo pipefail

BROKERS=${BROKERS:-kafka:9094}
BIN=${KAFKA_BIN:-/opt/kafka/bin}
SECRETS=${SECRETS:-/run/secrets}

# In a file, so that the process list does not show the password.
umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/admin.properties" <<PROPERTIES
security.protocol=SSL
ssl.keystore.type=PEM
ssl.keystore.location=$SECRETS/kafka.pem
ssl.truststore.type=PEM
ssl.truststore.location=$SECRETS/ca.pem
PROPERTIES
printf 'SCRAM-SHA-512=iterations=8192,password=%s\n' "$(cat "$SECRETS/kafka-access-password")" >"$folder/user.properties"

acls() {
  "$BIN/kafka-acls.sh" --bootstrap-server "$BROKERS" --command-config "$folder/admin.properties" --add --force "$@"
}

"$BIN/kafka-configs.sh" --bootstrap-server "$BROKERS" --command-config "$folder/admin.properties" \
  --alter --entity-type users --entity-name cas --add-config-file "$folder/user.properties"

# The service creates its topics but never deletes one.
acls --allow-principal User:cas --topic audit. --resource-pattern-type prefixed \
  --operation Create --operation Describe --operation DescribeConfigs \
  --operation Read --operation Write
acls --allow-principal User:registry --topic kafkasql-journal --operation All
acls --allow-principal User:cas --allow-principal User:registry --group '*' --operation Read --operation Describe
acls --allow-principal User:cas --allow-principal User:registry --cluster \
  --operation Describe --operation DescribeConfigs --operation IdempotentWrite
