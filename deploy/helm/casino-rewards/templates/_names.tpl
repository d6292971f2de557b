{{- define "rewards.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Each version has its own Job, so a tag that changes its meaning would migrate only once. */}}
{{- define "rewards.version" -}}
{{- if and (eq .Values.image.tag "latest") (not .Values.image.digest) }}
{{- fail "image.tag: latest names no version, and its second image would not be migrated; give a version or a digest" }}
{{- end }}
{{- .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "rewards.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ include "rewards.version" . }}{{ end }}
{{- end }}

{{/** The constant labels: selectors are immutable. Called with (dict "root" $ "component" "api"). */}}
{{- define "rewards.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "rewards.labels" -}}
{{ include "rewards.selector" . }}
{{- /* A tag may be longer than a label, and begin and end with other characters. Helm adds managed-by to what it installs. */}}
app.kubernetes.io/version: {{ regexReplaceAll "^[^A-Za-z0-9]+|[^A-Za-z0-9]+$" (include "rewards.version" .root | replace "+" "_" | trunc 63) "" | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The paths that a proxy passes on to everybody: never probes, metrics or the console. */}}
{{- define "rewards.playPaths" -}}
["/box/open", "/prize/order", "/prize/cashback", "/boxes", "/fairness", "/verify"]
{{- end }}
{{/* Of the surface manage only documents, and updates of shipments, which are signed. */}}
{{- define "rewards.publicPaths" -}}
["/partners", "/docs", "/openapi.json", "/.well-known/security.txt"]
{{- end }}
{{/* The management API of casinos, with lists and the feed of events. Their keys open nothing else of /admin. */}}
{{- define "rewards.managePaths" -}}
["/admin/casinos"]
{{- end }}
{{/* The console's host name must not be reached by others. Management may share the public one: that is chosen by name. */}}
{{- define "rewards.checkHosts" -}}
{{- $others := list }}
{{- $console := list }}
{{- with .Values.ingress }}{{ if .enabled }}
{{- $others = concat $others (list .host .manageHost) }}
{{- $console = append $console .consoleHost }}
{{- end }}{{ end }}
{{- with .Values.gateway }}{{ if .enabled }}
{{- $others = concat $others (.hostnames | default list) (.manageHostnames | default list) }}
{{- $console = concat $console (.consoleHostnames | default list) }}
{{- end }}{{ end }}
{{- range compact $console }}
{{- if has . $others }}
{{- fail (printf "ingress.consoleHost, gateway.consoleHostnames: %s is also a host name of players or casinos; the console needs one of its own" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- define "rewards.consolePaths" -}}
["/ops", "/admin", "/docs", "/openapi.json"]
{{- end }}
