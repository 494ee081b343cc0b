{{- define "agent.name" -}}
{{- if contains "lockkeeper" .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ printf "%s-lockkeeper-agent" .Release.Name | trunc 53 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "agent.selector" -}}
app.kubernetes.io/name: lockkeeper-agent
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "agent.labels" -}}
{{ include "agent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "agent.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "agent.name" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end -}}
{{- end }}

{{- define "agent.check" -}}
{{- if and .Values.certificate.existingSecret .Values.token.existingSecret -}}
{{- fail "certificate.existingSecret, token.existingSecret: one of them says who the agent is, not both" -}}
{{- end -}}
{{- if not (or .Values.certificate.existingSecret .Values.token.existingSecret) -}}
{{- fail "certificate.existingSecret: name the Secret with the certificate of the agent (or that with the token of its pool in token.existingSecret)" -}}
{{- end -}}
{{- end }}

{{/* agent.yaml */}}
{{- define "agent.config" -}}
{{- $config := dict "address" .Values.address "name" (default .Release.Name .Values.name) "slots" (int .Values.slots) "folder" "/data" "executor" "kubernetes" -}}
{{- if .Values.authority.existingSecret -}}{{- $_ := set $config "ca_cert" "/run/secrets/lockkeeper/ca.crt" -}}{{- end -}}
{{- if .Values.certificate.existingSecret -}}
{{- $_ := set $config "cert" "/run/secrets/lockkeeper/tls.crt" -}}
{{- $_ := set $config "key" "/run/secrets/lockkeeper/tls.key" -}}
{{- $_ := set $config "mount" .Values.certificate.mount -}}
{{- with .Values.certificate.role -}}{{- $_ := set $config "role" . -}}{{- end -}}
{{- else -}}
{{- $_ := set $config "token_file" "/run/secrets/lockkeeper/token" -}}
{{- end -}}
{{- $made := dict "namespace" .Values.runs.namespace "image" .Values.runs.image -}}
{{- $_ := set $config "kubernetes" (mergeOverwrite $made (deepCopy .Values.runs.kubernetes)) -}}
{{- toYaml (mergeOverwrite $config (deepCopy .Values.config)) -}}
{{- end }}
