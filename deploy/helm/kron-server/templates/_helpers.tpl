{{/* The name of the chart, or the name in the values. */}}
{{- define "kron-server.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of all objects of a release; short enough for -planner behind it. */}}
{{- define "kron-server.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 55 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "kron-server.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 55 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 55 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "kron-server.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kron-server.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kron-server.labels" -}}
{{ include "kron-server.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "kron-server.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "kron-server.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "kron-server.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The address of the API for people: given, or known from an ingress with TLS. */}}
{{- define "kron-server.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{- .Values.publicUrl -}}
{{- else if and .Values.ingress.enabled .Values.ingress.tlsSecretName -}}
{{- printf "https://%s" .Values.ingress.host -}}
{{- end -}}
{{- end -}}

{{/* The command line of a role; the server has defaults for empty values. */}}
{{- define "kron-server.args" -}}
{{- $ := .root -}}
- serve
- --role
- {{ .role }}
- --host
- 0.0.0.0
- --port
- "7077"
- --data
- /data
- --format
- {{ $.Values.log.format }}
{{- with $.Values.log.level }}
- --log-level
- {{ . }}
{{- end }}
{{- with include "kron-server.publicUrl" $ }}
- --public-url
- {{ . | quote }}
{{- end }}
{{- range $.Values.allow }}
- --allow
- {{ . | quote }}
{{- end }}
{{- with $.Values.systemQuotas }}
- --system-quotas
- {{ . | quote }}
{{- end }}
{{- with $.Values.databaseConnections }}
- --database-connections
- {{ . | quote }}
{{- end }}
{{- with $.Values.grace }}
- --grace
- {{ . | quote }}
{{- end }}
{{- range (index $.Values .role).extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end -}}
