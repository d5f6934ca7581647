{{/* How fast a group may grow and shrink. */}}
{{- define "cas.scaling-behavior" -}}
scaleUp:
  stabilizationWindowSeconds: {{ .scaleUpStabilizationSeconds }}
  policies:
    - { type: Pods, value: {{ .scaleUpPods }}, periodSeconds: {{ .scaleUpPeriodSeconds }} }
scaleDown:
  stabilizationWindowSeconds: {{ .scaleDownStabilizationSeconds }}
  policies:
    - { type: Pods, value: 1, periodSeconds: {{ .scaleDownPeriodSeconds }} }
{{- end -}}

{{/*
Scales a role on the lag of its consumer group. Takes root, role, values, topics, and group if it is not called
like the role. Retry topics are excluded: their records wait on purpose.
*/}}
{{- define "cas.lag-autoscaler" -}}
{{- if eq .root.Values.lagAutoscaling.provider "keda" -}}
{{ include "cas.keda-autoscaler" . }}
{{- else if eq .root.Values.lagAutoscaling.provider "external-metric" -}}
{{ include "cas.metric-autoscaler" . }}
{{- end -}}
{{- end -}}

{{- define "cas.keda-autoscaler" -}}
{{- $name := printf "%s-%s" (include "cas.name" .root) .role -}}
{{- $kafka := .root.Values.external.kafka -}}
{{- if eq $kafka.saslMechanism "oauthbearer" -}}
{{- fail "lagAutoscaling.provider keda does not go with external.kafka.saslMechanism oauthbearer; use external-metric" -}}
{{- end -}}
{{- $login := or $kafka.saslMechanism (and $kafka.tls (or .root.Values.secrets.authorities .root.Values.secrets.kafkaClient)) -}}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { name: {{ $name }} }
  minReplicaCount: {{ .values.autoscaling.minReplicas }}
  maxReplicaCount: {{ .values.autoscaling.maxReplicas }}
  pollingInterval: {{ .root.Values.lagAutoscaling.pollingIntervalSeconds }}
  # When the brokers do not answer, the number stays as it is.
  fallback: { failureThreshold: 3, replicas: {{ .values.autoscaling.minReplicas }}, behavior: currentReplicasIfHigher }
  advanced:
    horizontalPodAutoscalerConfig:
      behavior: {{- include "cas.scaling-behavior" .root.Values.lagAutoscaling | nindent 8 }}
  triggers:
    {{- range .topics }}
    - type: kafka
      metricType: AverageValue
      metadata:
        bootstrapServers: {{ join "," $kafka.brokers | quote }}
        consumerGroup: {{ get $ "group" | default $.role }}
        topic: {{ . }}
        lagThreshold: {{ $.values.autoscaling.lagPerReplica | quote }}
        # A group begins at the earliest record, so that a partition without a position is behind by all of it.
        offsetResetPolicy: earliest
        allowIdleConsumers: "false"
        version: {{ $.root.Values.lagAutoscaling.keda.kafkaVersion | quote }}
        tls: {{ ternary "enable" "disable" $kafka.tls }}
        sasl: {{ get (dict "" "none" "plain" "plaintext" "scram-sha-256" "scram_sha256" "scram-sha-512" "scram_sha512") $kafka.saslMechanism }}
      {{- if $login }}
      authenticationRef: { name: {{ $name }} }
      {{- end }}
    {{- end }}
{{- if $login }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
spec:
  {{- if $kafka.saslMechanism }}
  env:
    - { parameter: username, name: KAFKA_SASL_USERNAME, containerName: {{ .role }} }
  {{- end }}
  secretTargetRef:
    {{- if $kafka.saslMechanism }}
    - { parameter: password, name: {{ .root.Values.secrets.passwords }}, key: kafka-password }
    {{- end }}
    {{- with .root.Values.secrets.authorities }}
    - { parameter: ca, name: {{ . }}, key: ca.pem }
    {{- end }}
    {{- with .root.Values.secrets.kafkaClient }}
    - { parameter: cert, name: {{ . }}, key: tls.crt }
    - { parameter: key, name: {{ . }}, key: tls.key }
    {{- end }}
{{- end }}
{{- end -}}

{{- define "cas.metric-autoscaler" -}}
{{- $name := printf "%s-%s" (include "cas.name" .root) .role -}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  minReplicas: {{ .values.autoscaling.minReplicas }}
  maxReplicas: {{ .values.autoscaling.maxReplicas }}
  metrics:
    - type: External
      external:
        metric:
          name: {{ .root.Values.lagAutoscaling.externalMetric.name }}
          selector: { matchLabels: { group: {{ get . "group" | default .role }} } }
        target: { type: AverageValue, averageValue: {{ .values.autoscaling.lagPerReplica | quote }} }
  behavior: {{- include "cas.scaling-behavior" .root.Values.lagAutoscaling | nindent 4 }}
{{- end -}}
