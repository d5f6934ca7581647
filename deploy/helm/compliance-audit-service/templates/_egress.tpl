{{/* Ports of the brokers, each once, comma-separated. */}}
{{- define "cas.broker-ports" -}}
{{- $ports := list -}}
{{- range .Values.external.kafka.brokers -}}
{{- $ports = append $ports (last (splitList ":" .)) -}}
{{- end -}}
{{- join "," (uniq $ports) -}}
{{- end -}}

{{/* Port of an address: the explicit one, or the default of its scheme. */}}
{{- define "cas.port-of" -}}
{{- $url := urlParse . -}}
{{- $named := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) -}}
{{- $named | default (get (dict "http" "80" "https" "443" "redis" "6379" "rediss" "6379") $url.scheme) -}}
{{- end -}}

{{/* Ports of Redis, comma-separated: with Sentinels their ports and that of the servers. Takes external. */}}
{{- define "cas.redis-ports" -}}
{{- if .redis.sentinels -}}
{{- $ports := list (toString .redis.port) -}}
{{- range .redis.sentinels -}}
{{- $ports = append $ports (last (splitList ":" .)) -}}
{{- end -}}
{{- join "," (uniq $ports) -}}
{{- else -}}
{{- include "cas.port-of" .redis.url -}}
{{- end -}}
{{- end -}}

{{/* Dependencies of a role other than Kafka, with their ports, as a YAML map. Takes root, role. */}}
{{- define "cas.server-ports" -}}
{{- with .root.Values.external -}}
redis: {{ include "cas.redis-ports" . | quote }}
{{- if eq .kafka.saslMechanism "oauthbearer" }}
identityProvider: {{ include "cas.port-of" .kafka.oauth.tokenUrl }}
{{- end }}
schemaRegistry: {{ include "cas.port-of" .schemaRegistry.url }}
{{- if ne $.role "analyzer" }}
clickhouse: {{ include "cas.port-of" .clickhouse.url }}
{{- end }}
{{- if and .judge.url (eq $.role "analyzer") }}
judge: {{ include "cas.port-of" .judge.url }}
{{- end }}
{{- $bucket := $.root.Values.api.packages.bucket }}
{{- if and $bucket.name (eq $.role "api") }}
bucket: {{ include "cas.port-of" ($bucket.endpoint | default "https://amazon") }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* A rule that allows pods to reach one dependency. Takes root, part, ports. */}}
{{- define "cas.egress-to" -}}
- ports:
    {{- range splitList "," .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with get .root.Values.networkPolicy.egressTo .part }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
