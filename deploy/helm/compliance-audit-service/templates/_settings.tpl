{{/* A role's environment. Secrets are files, named here and mounted by "cas.secrets". */}}
{{- define "cas.settings" -}}
HOST: {{ .root.Values.config.listenAddress | quote }}
ADMIN_HOST: {{ .root.Values.config.listenAddress | quote }}
LOG_LEVEL: {{ .root.Values.config.logLevel }}
MASTER_KEY: /run/secrets/cas/master.key
{{- with .root.Values.external.kafka }}
KAFKA_BROKERS: {{ join "," .brokers | quote }}
KAFKA_SSL: {{ .tls | quote }}
{{- if eq .saslMechanism "oauthbearer" }}
KAFKA_SASL_MECHANISM: oauthbearer
KAFKA_OAUTH_TOKEN_URL: {{ .oauth.tokenUrl | quote }}
KAFKA_OAUTH_CLIENT_ID: {{ .oauth.clientId | quote }}
KAFKA_OAUTH_CLIENT_SECRET_FILE: /run/secrets/cas/kafka-oauth-client-secret
{{- if .oauth.scope }}
KAFKA_OAUTH_SCOPE: {{ .oauth.scope | quote }}
{{- end }}
{{- else if .saslMechanism }}
KAFKA_SASL_MECHANISM: {{ .saslMechanism }}
KAFKA_SASL_USERNAME: {{ .saslUsername | quote }}
KAFKA_SASL_PASSWORD_FILE: /run/secrets/cas/kafka-password
{{- end }}
{{- end }}
{{- if and .root.Values.external.kafka.tls .root.Values.secrets.authorities }}
KAFKA_SSL_CA: /run/secrets/cas/ca.pem
{{- end }}
{{- if .root.Values.secrets.kafkaClient }}
KAFKA_SSL_CERT: /run/secrets/cas/kafka-client.crt
KAFKA_SSL_KEY: /run/secrets/cas/kafka-client.key
{{- end }}
{{- with .root.Values.external.redis }}
REDIS_URL: {{ .url | quote }}
{{- with get (.usernames | default dict) $.role | default .username }}
REDIS_USERNAME: {{ . | quote }}
{{- end }}
{{- if .password }}
REDIS_PASSWORD_FILE: /run/secrets/cas/redis-password
{{- end }}
REDIS_DURABILITY: {{ .durability }}
{{- if .sentinels }}
REDIS_SENTINELS: {{ join "," .sentinels | quote }}
{{- if .sentinelPassword }}
REDIS_SENTINEL_PASSWORD_FILE: /run/secrets/cas/redis-sentinel-password
{{- end }}
{{- end }}
{{- if and (hasPrefix "rediss:" .url) $.root.Values.secrets.authorities }}
REDIS_CA: /run/secrets/cas/ca.pem
{{- end }}
{{- end }}
{{- with .root.Values.external.schemaRegistry }}
SCHEMA_REGISTRY_URL: {{ .url | quote }}
{{- if .username }}
SCHEMA_REGISTRY_USERNAME: {{ .username | quote }}
SCHEMA_REGISTRY_PASSWORD_FILE: /run/secrets/cas/schema-registry-password
{{- end }}
{{- if and (hasPrefix "https:" .url) $.root.Values.secrets.authorities }}
SCHEMA_REGISTRY_CA: /run/secrets/cas/ca.pem
{{- end }}
{{- end }}
{{- end -}}

{{/* Key of the password of a role's user in the state. */}}
{{- define "cas.redis-password" -}}
{{- if get (.root.Values.external.redis.usernames | default dict) .role -}}
redis-{{ .role }}-password
{{- else -}}
redis-password
{{- end -}}
{{- end -}}

{{/* Key of the password of a role's account in the warehouse. */}}
{{- define "cas.clickhouse-password" -}}
{{- if get (.root.Values.external.clickhouse.usernames | default dict) .role -}}
clickhouse-{{ .role }}-password
{{- else -}}
clickhouse-password
{{- end -}}
{{- end -}}

{{/* The warehouse; analyzers have none. */}}
{{- define "cas.warehouse-settings" -}}
{{- with .root.Values.external.clickhouse -}}
CLICKHOUSE_URL: {{ .url | quote }}
CLICKHOUSE_USERNAME: {{ get (.usernames | default dict) $.role | default .username | quote }}
CLICKHOUSE_DATABASE: {{ .database | quote }}
{{- if .password }}
CLICKHOUSE_PASSWORD_FILE: /run/secrets/cas/clickhouse-password
{{- end }}
CLICKHOUSE_TIMEOUT_MS: {{ .timeoutMs | quote }}
CLICKHOUSE_WAIT_MS: {{ .waitMs | quote }}
{{- if .cluster }}
CLICKHOUSE_CLUSTER: {{ .cluster | quote }}
{{- end }}
{{- if and (hasPrefix "https:" .url) $.root.Values.secrets.authorities }}
CLICKHOUSE_CA: /run/secrets/cas/ca.pem
{{- end }}
{{- end -}}
{{- end -}}

{{/* The optional judge, called only by analyzers. */}}
{{- define "cas.judge-settings" -}}
{{- with .root.Values.external.judge -}}
JUDGE_URL: {{ .url | quote }}
JUDGE_MODEL: {{ .model | quote }}
JUDGE_ON_OUTAGE: {{ .onOutage }}
JUDGE_CALLS_PER_MINUTE: {{ .callsPerMinute | quote }}
JUDGE_PARAMETERS: {{ .parameters | quote }}
{{- if .codes }}
JUDGE_CODES: {{ join "," .codes | quote }}
{{- end }}
{{- if .apiKey }}
JUDGE_API_KEY_FILE: /run/secrets/cas/judge-api-key
{{- end }}
{{- end -}}
{{- end -}}

{{/* The bucket of evidence packages, used only by the API. */}}
{{- define "cas.bucket-settings" -}}
{{- with .root.Values.api.packages.bucket -}}
PACKAGES_S3_BUCKET: {{ .name | quote }}
PACKAGES_S3_REGION: {{ .region | quote }}
PACKAGES_S3_PREFIX: {{ .prefix | quote }}
{{- if .endpoint }}
PACKAGES_S3_ENDPOINT: {{ .endpoint | quote }}
PACKAGES_S3_PATH_STYLE: {{ .pathStyle | quote }}
{{- if and (hasPrefix "https:" .endpoint) $.root.Values.secrets.authorities }}
PACKAGES_S3_CA: /run/secrets/cas/ca.pem
{{- end }}
{{- end }}
{{- if .accessKey }}
PACKAGES_S3_ACCESS_KEY_ID_FILE: /run/secrets/cas/packages-s3-access-key-id
PACKAGES_S3_SECRET_ACCESS_KEY_FILE: /run/secrets/cas/packages-s3-secret-access-key
{{- end }}
{{- end -}}
{{- end -}}

{{/* Host names of the API's Services in the cluster. */}}
{{- define "cas.service-names" -}}
{{- $names := list -}}
{{- range list "api" "api-admin" -}}
{{- $name := printf "%s-%s" (include "cas.name" $) . -}}
{{- $full := printf "%s.%s" $name $.Release.Namespace -}}
{{- $names = concat $names (list $name $full (printf "%s.svc" $full)) -}}
{{- end -}}
{{- join "," $names -}}
{{- end -}}

{{- define "cas.role-settings" -}}
{{ include "cas.settings" . }}
{{- if ne .role "analyzer" }}
{{ include "cas.warehouse-settings" . }}
{{- end }}
{{- if and (eq .role "analyzer") .root.Values.external.judge.url }}
{{ include "cas.judge-settings" . }}
{{- end }}
{{- if eq .role "api" }}
PORT: "8080"
ADMIN_PORT: "9090"
{{- if .root.Values.config.internalOnPublic }}
INTERNAL_ON_PUBLIC: "true"
{{- end }}
KEY_HEADER: {{ .root.Values.config.keyHeader }}
{{- with .root.Values.config.basePath }}
BASE_PATH: {{ . | quote }}
{{- end }}
SIGNUP: {{ .root.Values.config.signup }}
HTTP_BODY_MEMORY_MIB: {{ .root.Values.api.bodyMemoryMiB | quote }}
{{- if .root.Values.api.packages.existingClaim }}
PACKAGES_DIR: /var/lib/cas/packages
{{- end }}
{{- if .root.Values.api.packages.bucket.name }}
{{ include "cas.bucket-settings" . }}
{{- end }}
{{- with .root.Values.config.trustedProxies }}
TRUSTED_PROXIES: {{ join "," . | quote }}
{{- end }}
{{- with .root.Values.config.allowedHosts }}
ALLOWED_HOSTS: {{ printf "%s,%s" (join "," .) (include "cas.service-names" $.root) | quote }}
{{- end }}
SIGNING_KEY: /run/secrets/cas/signing.key
INTERNAL_SECRET_FILE: /run/secrets/cas/internal-secret
{{- else if eq .role "migrate" }}
KAFKA_REPLICATION_FACTOR: {{ .root.Values.external.kafka.replicationFactor | quote }}
{{- else }}
HEALTH_PORT: "9090"
{{- end }}
{{- if eq .role "analyzer" }}
{{- /* Scale with more analyzers instead: a thread takes up to 192 MiB more. */}}
ANALYSIS_THREADS: "1"
{{- end }}
{{- end -}}

{{/* The files named in a role's settings, from existing secrets: each role sees only its own. */}}
{{- define "cas.secrets" -}}
projected:
  defaultMode: 0400
  sources:
    - secret:
        name: {{ .root.Values.secrets.keys }}
        items:
          - { key: master.key, path: master.key }
          {{- if eq .role "api" }}
          - { key: signing.key, path: signing.key }
          - { key: internal-secret, path: internal-secret }
          {{- end }}
    {{- with .root.Values.external }}
    {{- $judgeKey := and .judge.url .judge.apiKey (eq $.role "analyzer") }}
    {{- $bucket := $.root.Values.api.packages.bucket }}
    {{- $bucketKey := and $bucket.name $bucket.accessKey (eq $.role "api") }}
    {{- if or .redis.password (and .redis.sentinels .redis.sentinelPassword) .kafka.saslMechanism .schemaRegistry.username (and .clickhouse.password (ne $.role "analyzer")) $judgeKey $bucketKey }}
    - secret:
        name: {{ $.root.Values.secrets.passwords }}
        items:
          {{- if .redis.password }}
          - { key: {{ include "cas.redis-password" $ }}, path: redis-password }
          {{- end }}
          {{- if and .redis.sentinels .redis.sentinelPassword }}
          - { key: redis-sentinel-password, path: redis-sentinel-password }
          {{- end }}
          {{- if eq .kafka.saslMechanism "oauthbearer" }}
          - { key: kafka-oauth-client-secret, path: kafka-oauth-client-secret }
          {{- else if .kafka.saslMechanism }}
          - { key: kafka-password, path: kafka-password }
          {{- end }}
          {{- if .schemaRegistry.username }}
          - { key: schema-registry-password, path: schema-registry-password }
          {{- end }}
          {{- if and .clickhouse.password (ne $.role "analyzer") }}
          - { key: {{ include "cas.clickhouse-password" $ }}, path: clickhouse-password }
          {{- end }}
          {{- if $judgeKey }}
          - { key: judge-api-key, path: judge-api-key }
          {{- end }}
          {{- if $bucketKey }}
          - { key: packages-s3-access-key-id, path: packages-s3-access-key-id }
          - { key: packages-s3-secret-access-key, path: packages-s3-secret-access-key }
          {{- end }}
    {{- end }}
    {{- end }}
    {{- with .root.Values.secrets.authorities }}
    - secret:
        name: {{ . }}
        items:
          - { key: ca.pem, path: ca.pem }
    {{- end }}
    {{- with .root.Values.secrets.kafkaClient }}
    - secret:
        name: {{ . }}
        items:
          - { key: tls.crt, path: kafka-client.crt }
          - { key: tls.key, path: kafka-client.key }
    {{- end }}
{{- end -}}
