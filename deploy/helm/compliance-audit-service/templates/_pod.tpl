{{/* The role's value, or else the one for all roles. Takes root, role, key. */}}
{{- define "cas.of-role" -}}
{{- $own := get (index .root.Values .role) .key -}}
{{- with $own | default (get .root.Values .key) }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* Entries of a list for all roles, then those of the role. Takes root, role, key. */}}
{{- define "cas.all-of-role" -}}
{{- with concat (get .root.Values .key | default list) (get (index .root.Values .role) .key | default list) }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* Fields of the maps for all roles and of the role; the role's win. Takes root, role, key. */}}
{{- define "cas.merged-of-role" -}}
{{- with merge (dict) (get (index .root.Values .role) .key | default dict) (get .root.Values .key | default dict) }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{/* Common to every pod: an account without a token, no privileges, and no writable disk except the API’s packages. */}}
{{- define "cas.pod" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- range $field, $value := .root.Values.podSecurityContext }}
  {{- if not (kindIs "invalid" $value) }}
  {{ $field }}: {{ toJson $value }}
  {{- end }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with include "cas.of-role" (dict "root" $.root "role" $.role "key" $key) }}
{{ $key }}: {{- . | nindent 2 }}
{{- end }}
{{- end }}
volumes:
  - name: secrets
    {{- include "cas.secrets" . | nindent 4 }}
{{- if and (eq .role "api") .root.Values.api.packages.existingClaim }}
  - name: packages
    persistentVolumeClaim: { claimName: {{ .root.Values.api.packages.existingClaim }} }
{{- end }}
{{- with include "cas.all-of-role" (dict "root" .root "role" .role "key" "extraVolumes") }}
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "cas.container" -}}
name: {{ .role }}
image: {{ include "cas.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .role }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ printf "%s-%s" (include "cas.name" .root) .role }} }
{{- with include "cas.all-of-role" (dict "root" .root "role" .role "key" "extraEnvFrom") }}
  {{- . | nindent 2 }}
{{- end }}
{{- with include "cas.all-of-role" (dict "root" .root "role" .role "key" "extraEnv") }}
env: {{- . | nindent 2 }}
{{- end }}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/cas, readOnly: true }
{{- if and (eq .role "api") .root.Values.api.packages.existingClaim }}
  - { name: packages, mountPath: /var/lib/cas/packages }
{{- end }}
{{- with include "cas.all-of-role" (dict "root" .root "role" .role "key" "extraVolumeMounts") }}
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}
