{{/* One role: its settings, its processes, its disruption budget. Takes root, role, values. */}}
{{- define "cas.role" -}}
{{- $name := printf "%s-%s" (include "cas.name" .root) .role -}}
{{- $settings := include "cas.role-settings" . -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
data:
  {{- $settings | nindent 2 }}
  NODE_OPTIONS: --max-old-space-size={{ .values.heapMiB }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "cas.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    {{- if eq .role "api" }}
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
    {{- else }}
    # Each process that joins or leaves stops its whole group for a moment: few steps, and none extra.
    rollingUpdate: { maxSurge: 0, maxUnavailable: 50% }
    {{- end }}
  template:
    metadata:
      labels:
        {{- include "cas.selector" . | nindent 8 }}
        {{- with include "cas.merged-of-role" (dict "root" .root "role" .role "key" "podLabels") }}
        {{- . | nindent 8 }}
        {{- end }}
      annotations:
        # A changed setting starts new processes.
        checksum/settings: {{ $settings | sha256sum }}
        {{- with include "cas.merged-of-role" (dict "root" .root "role" .role "key" "podAnnotations") }}
        {{- . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "cas.pod" (merge (dict "account" (include "cas.name" .root)) .) | nindent 6 }}
      terminationGracePeriodSeconds: {{ ternary 40 30 (eq .role "api") }}
      topologySpreadConstraints:
        {{- with include "cas.of-role" (dict "root" .root "role" .role "key" "topologySpreadConstraints") }}
        {{- . | nindent 8 }}
        {{- else }}
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "cas.selector" $ | nindent 14 }}
        {{- end }}
        {{- end }}
      containers:
        - {{- include "cas.container" . | nindent 10 }}
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            # Of operators: health and metrics of every role, /internal of the API.
            - { name: admin, containerPort: 9090 }
          resources: {{- toYaml .values.resources | nindent 12 }}
          startupProbe:
            httpGet: { path: /health/live, port: admin }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: admin }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: admin }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- if eq .role "api" }}
          lifecycle:
            # Until every proxy has heard that this one goes.
            preStop: { exec: { command: [sleep, '8'] } }
          {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "cas.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "cas.selector" . | nindent 6 }}
{{- end -}}
