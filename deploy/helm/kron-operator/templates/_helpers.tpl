{{/* The name of the chart, or the name in the values. */}}
{{- define "kron-operator.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of all objects of a release. */}}
{{- define "kron-operator.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "kron-operator.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "kron-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kron-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kron-operator.labels" -}}
{{ include "kron-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "kron-operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "kron-operator.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "kron-operator.leaseName" -}}
{{- default (include "kron-operator.fullname" .) .Values.leaderElection.leaseName -}}
{{- end -}}

{{- define "kron-operator.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The command line; the controller has defaults for empty values. */}}
{{- define "kron-operator.args" -}}
- start
- --listen
- 0.0.0.0:8080
- --format
- {{ .Values.log.format }}
{{- with .Values.watchNamespace }}
- --namespace
- {{ . | quote }}
{{- end }}
{{- if .Values.leaderElection.enabled }}
{{- $lease := include "kron-operator.leaseName" . }}
{{- if ne $lease "kron-operator" }}
- --lease-name
- {{ $lease | quote }}
{{- end }}
{{- with .Values.leaderElection.leaseDuration }}
- --lease-duration
- {{ . | quote }}
{{- end }}
{{- else }}
- --no-leader-election
{{- end }}
{{- with .Values.resync }}
- --resync
- {{ . | quote }}
{{- end }}
{{- with .Values.log.level }}
- --log-level
- {{ . }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end -}}
