{{/* The values of `pod`, with those of the component: its maps are merged into the others, its lists replace them. */}}
{{- define "rewards.pod" -}}
{{- $own := .pod | default (get .root.Values .component | default dict).pod | default dict }}
{{- mergeOverwrite (deepCopy (.root.Values.pod | default dict)) $own | toJson }}
{{- end }}

{{- define "rewards.podMetadata" -}}
{{- $pod := include "rewards.pod" . | fromJson -}}
labels:
  {{- include "rewards.labels" . | nindent 2 }}
  {{- with $pod.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $pod.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/** The common part of all pods. Called with (dict "root" $ "component" "api" "secrets" (list …)). */}}
{{- define "rewards.podBase" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field, $value := omit (include "rewards.pod" . | fromJson) "labels" "annotations" }}
{{- if $value }}
{{ $field }}: {{- if kindIs "string" $value }} {{ $value | quote }}{{ else }}{{ toYaml $value | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  # The user node of the image: a name alone does not prove to Kubernetes that it is not root.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range .secrets }}
        - secret:
            name: {{ .name | quote }}
            items:
              {{- range .keys }}
              - { key: {{ . }}, path: {{ . }} }
              {{- end }}
        {{- end }}
  {{- with .root.Values.caBundle }}
  {{- if and .configMap .secret }}
  {{- fail "caBundle: name a ConfigMap or a Secret, not both" }}
  {{- end }}
  {{- if or .configMap .secret }}
  - name: ca
    {{- if .configMap }}
    configMap:
      name: {{ .configMap | quote }}
    {{- else }}
    secret:
      secretName: {{ .secret | quote }}
    {{- end }}
      items: [{ key: {{ .key | quote }}, path: ca.crt }]
  {{- end }}
  {{- end }}
{{- end }}

{{- define "rewards.containerBase" -}}
image: {{ include "rewards.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  privileged: false
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/rewards, readOnly: true }
  {{- if include "rewards.hasCa" . }}
  - { name: ca, mountPath: /etc/casino-rewards, readOnly: true }
  {{- end }}
{{- end }}

{{- define "rewards.hasCa" -}}
{{- with .Values.caBundle }}{{ if or .configMap .secret }}true{{ end }}{{ end }}
{{- end }}

{{/* For TLS to the stores and to partners. Node reads it besides the authorities that it knows. */}}
{{- define "rewards.caVariable" -}}
{{- if include "rewards.hasCa" . -}}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/casino-rewards/ca.crt }
{{- end }}
{{- end }}

{{/* The variables that name the files of these secrets. */}}
{{- define "rewards.secretFiles" -}}
{{- range .secrets }}
{{- range .keys }}
- { name: {{ upper . }}_FILE, value: /run/secrets/rewards/{{ . }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Variables in the order of their names; the later map wins, so that nothing is set twice. */}}
{{- define "rewards.variables" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}

{{/* Spreads the pods over machines and zones as far as there are any. */}}
{{- define "rewards.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "rewards.selector" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}

{{/* Only looks: the Job migrates. It has the service's address of the database, and no other secret. */}}
{{- define "rewards.waitForSchema" -}}
- name: wait-for-schema
  {{- include "rewards.containerBase" . | nindent 2 }}
  command: [node, --enable-source-maps, dist/prisma/migrate.js, --wait]
  env:
    - { name: DATABASE_URL_FILE, value: /run/secrets/rewards/database_url }
    {{- if .Values.secrets.direct }}
    - { name: DATABASE_DIRECT_URL_FILE, value: /run/secrets/rewards/database_direct_url }
    {{- end }}
    - { name: REDIS_URL_FILE, value: /run/secrets/rewards/redis_url }
    {{- with include "rewards.caVariable" . }}{{ . | nindent 4 }}{{ end }}
  resources: {{- toYaml .Values.migrate.resources | nindent 4 }}
{{- end }}

{{- define "rewards.probe" -}}
httpGet: { path: {{ .path }}, port: {{ .port }} }
timeoutSeconds: 5
periodSeconds: {{ .periodSeconds }}
failureThreshold: {{ .failureThreshold }}
{{- end }}

{{/*
A process that runs until it is stopped. Called with root, component, replicas (0: somebody else scales), program, youngMb, resources,
variables, secrets, ports, probePort, probeBase and drainSeconds.
*/}}
{{- define "rewards.deployment" -}}
{{- $root := .root }}
{{- include "rewards.checkMemory" . }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "rewards.name" $root }}-{{ .component }}
  labels: {{- include "rewards.labels" . | nindent 4 }}
spec:
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 25% }
  selector:
    matchLabels: {{- include "rewards.selector" . | nindent 6 }}
  template:
    metadata:
      {{- include "rewards.podMetadata" . | nindent 6 }}
    spec:
      {{- include "rewards.podBase" . | nindent 6 }}
      {{- include "rewards.spread" . | nindent 6 }}
      # The longest time that the process itself takes, and a few seconds more.
      terminationGracePeriodSeconds: {{ add .drainSeconds $root.Values.shutdown.timeoutSeconds 10 }}
      initContainers:
        {{- include "rewards.waitForSchema" $root | nindent 8 }}
      containers:
        - name: {{ .component }}
          {{- include "rewards.containerBase" $root | nindent 10 }}
          command: [node, --no-parallel-scavenge, --max-semi-space-size={{ .youngMb }}, --max-old-space-size=768, --enable-source-maps, {{ .program }}]
          env:
            {{- include "rewards.secretFiles" . | nindent 12 }}
            {{- with include "rewards.caVariable" $root }}{{ . | nindent 12 }}{{ end }}
            {{- include "rewards.variables" .variables | nindent 12 }}
          ports:
            {{- range .ports }}
            - { name: {{ .name }}, containerPort: {{ .port }} }
            {{- end }}
          startupProbe: {{- include "rewards.probe" (dict "path" (printf "%s/healthz" .probeBase) "port" .probePort "periodSeconds" 2 "failureThreshold" 30) | nindent 12 }}
          livenessProbe: {{- include "rewards.probe" (dict "path" (printf "%s/healthz" .probeBase) "port" .probePort "periodSeconds" 10 "failureThreshold" 6) | nindent 12 }}
          readinessProbe: {{- include "rewards.probe" (dict "path" (printf "%s/readyz" .probeBase) "port" .probePort "periodSeconds" 5 "failureThreshold" 2) | nindent 12 }}
          resources: {{- toYaml .resources | nindent 12 }}
{{- end }}

{{/* Refuses a limit below what a process may take. A limit in a form that is not read here is accepted. */}}
{{- define "rewards.checkMemory" -}}
{{- $limit := .resources.limits.memory }}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" (toString $limit) }}
{{- $factors := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 }}
{{- $factor := kindIs "string" $limit | ternary (get $factors (trimPrefix $number (toString $limit))) 1 }}
{{- $amount := kindIs "string" $limit | ternary $number $limit }}
{{- if and $number $factor (lt (mulf (float64 $amount) $factor) 1073741824.0) }}
{{- fail (printf "%s.resources.limits.memory: %v is less than 1Gi, but a heap may grow to 768 MB" .component $limit) }}
{{- end }}
{{- end }}

{{- define "rewards.checkReplicas" -}}
{{- if gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas) }}
{{- fail (printf "%s.autoscaling: minReplicas is more than maxReplicas" .component) }}
{{- end }}
{{- end }}

{{- define "rewards.processSecrets" -}}
{{- $secrets := list (dict "name" .Values.secrets.service "keys" (list "database_url" "redis_url" "admin_api_key" "hash_secret" "encryption_keys")) }}
{{- with .Values.secrets.direct }}
{{- $secrets = append $secrets (dict "name" . "keys" (list "database_direct_url")) }}
{{- end }}
{{- with .Values.secrets.tracing }}
{{- $secrets = append $secrets (dict "name" . "keys" (list "otel_exporter_otlp_headers")) }}
{{- end }}
{{- toJson $secrets }}
{{- end }}
{{- define "rewards.sharedVariables" -}}
{{- toJson (dict "HOST" .Values.config.host "BASE_PATH" .Values.config.basePath "TRUST_PROXY" .Values.config.trustProxy "DRAIN_DELAY_SECONDS" .Values.shutdown.drainDelaySeconds "SHUTDOWN_TIMEOUT_SECONDS" .Values.shutdown.timeoutSeconds) }}
{{- end }}
