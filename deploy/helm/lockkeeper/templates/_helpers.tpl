{{- define "lockkeeper.name" -}}
{{- if contains "lockkeeper" .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ printf "%s-lockkeeper" .Release.Name | trunc 53 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "lockkeeper.selector" -}}
app.kubernetes.io/name: lockkeeper
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end }}

{{- define "lockkeeper.labels" -}}
{{ include "lockkeeper.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "lockkeeper.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "lockkeeper.name" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end -}}
{{- end }}

{{/* Whether the release needs a volume. */}}
{{- define "lockkeeper.keeps" -}}
{{- if or (eq .Values.database.type "sqlite") (eq .Values.blobs.type "directory") }}true{{ end -}}
{{- end }}

{{/* Checks that the schema of the values cannot express: dependencies between values. */}}
{{- define "lockkeeper.check" -}}
{{- $several := gt (int .Values.replicas) 1 -}}
{{- if and $several (ne .Values.database.type "postgres") -}}
{{- fail "replicas: more than one takes database.type postgres: a database of SQLite is on a volume that one server has" -}}
{{- end -}}
{{- if and $several (eq .Values.blobs.type "directory") (not .Values.persistence.existingClaim) (ne .Values.persistence.accessMode "ReadWriteMany") -}}
{{- fail "replicas: more than one takes blobs.type s3, or a volume that all of them share (persistence.accessMode ReadWriteMany)" -}}
{{- end -}}
{{- if and (eq .Values.database.type "postgres") (not .Values.database.existingSecret) -}}
{{- fail "database.existingSecret: name the Secret with the address of PostgreSQL" -}}
{{- end -}}
{{- if and (eq .Values.blobs.type "s3") (not .Values.blobs.bucket) -}}
{{- fail "blobs.bucket: name the bucket" -}}
{{- end -}}
{{- if and (eq .Values.blobs.type "s3") (not .Values.blobs.region) -}}
{{- fail "blobs.region: say where the bucket is; us-east-1 where a server has no regions" -}}
{{- end -}}
{{- end }}

{{/* lockkeeper.yaml. Secrets are in files and environment variables instead. */}}
{{- define "lockkeeper.config" -}}
{{- $tls := dict "certificate_file" "/run/secrets/lockkeeper/tls.crt" "private_key_file" "/run/secrets/lockkeeper/tls.key" "min_version" .Values.tls.minVersion -}}
{{- $main := dict "address" "0.0.0.0:8200" "services" (list "access" "workspaces") "tls" $tls -}}
{{- $metrics := dict "address" "0.0.0.0:9200" "services" (list "metrics") "plain_http" true -}}
{{- $storage := dict "type" .Values.database.type -}}
{{- if eq .Values.database.type "postgres" -}}
{{- $_ := set $storage "schema" .Values.database.schema -}}
{{- $_ := set $storage "pool_size" (int .Values.database.poolSize) -}}
{{- else -}}
{{- $_ := set $storage "directory" "/data" -}}
{{- end -}}
{{- if eq .Values.blobs.type "s3" -}}
{{- $blobs := dict "type" "s3" "bucket" .Values.blobs.bucket "force_path_style" .Values.blobs.forcePathStyle -}}
{{- range $key := list "region" "endpoint" "prefix" -}}
{{- with get $.Values.blobs $key -}}{{- $_ := set $blobs $key . -}}{{- end -}}
{{- end -}}
{{- $_ := set $storage "blobs" $blobs -}}
{{- else -}}
{{- $_ := set $storage "blob_directory" "/data/blobs" -}}
{{- end -}}
{{- $config := dict "listeners" (list $main $metrics) "storage" $storage "keyring_file" "/run/secrets/lockkeeper/keyring.json" -}}
{{- $_ := set $config "workers" .Values.workers -}}
{{- $_ := set $config "audit" (dict "sinks" (list (dict "type" "stdout"))) -}}
{{- toYaml (mergeOverwrite $config (deepCopy .Values.config)) -}}
{{- end }}
