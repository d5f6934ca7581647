{{/* What every pod of the chart has: an account without a token, no rights, and no disk to write on but the API’s packages. */}}
{{- define "cas.pod" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  # The group by which secrets are readable; the service accepts no key that others may read.
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
volumes:
  - name: secrets
    {{- include "cas.secrets" . | nindent 4 }}
{{- if and (eq .role "api") .root.Values.api.packages.existingClaim }}
  - name: packages
    persistentVolumeClaim: { claimName: {{ .root.Values.api.packages.existingClaim }} }
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
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/cas, readOnly: true }
{{- if and (eq .role "api") .root.Values.api.packages.existingClaim }}
  - { name: packages, mountPath: /var/lib/cas/packages }
{{- end }}
{{- end -}}
