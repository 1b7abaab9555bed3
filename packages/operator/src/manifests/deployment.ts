import {
  type Installation,
  labelsOf,
  type Manifest,
  namespacedMeta,
  selectorLabels,
} from './installation.js'

const port = 8080
/** Of nobody; the image has it too. */
const userId = 65_532

/** Two replicas: one leads, the other takes over within the duration of the lease. */
export function deployment(installation: Installation): Manifest {
  const matchLabels = selectorLabels(installation)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: namespacedMeta(installation),
    spec: {
      replicas: installation.replicas,
      selector: { matchLabels },
      template: {
        metadata: { labels: labelsOf(installation) },
        spec: {
          serviceAccountName: installation.name,
          securityContext: podSecurity,
          topologySpreadConstraints: [spread(matchLabels)],
          containers: [container(installation)],
        },
      },
    },
  }
}

const podSecurity = {
  runAsNonRoot: true,
  runAsUser: userId,
  runAsGroup: userId,
  seccompProfile: { type: 'RuntimeDefault' },
}

const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

/** So that the loss of one node is not the loss of both. */
const spread = (matchLabels: Record<string, string>): object => ({
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels },
})

function container(installation: Installation): object {
  return {
    name: 'kron-operator',
    image: installation.image,
    args: argumentsOf(installation),
    // The lease is in the namespace of the Pod, and its holder is known by the Pod's name.
    env: [fromField('POD_NAME', 'metadata.name'), fromField('POD_NAMESPACE', 'metadata.namespace')],
    ports: [{ name: 'http', containerPort: port }],
    livenessProbe: probe('/healthz', 20),
    readinessProbe: probe('/readyz', 10),
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      // None for the processor: many Jobs that are due in the same second should not wait.
      limits: { memory: '512Mi' },
    },
    securityContext: containerSecurity,
  }
}

function argumentsOf({ watches }: Installation): string[] {
  const args = ['start', '--listen', `0.0.0.0:${port}`, '--format', 'json']
  return watches === 'cluster' ? args : [...args, '--namespace', '$(POD_NAMESPACE)']
}

const fromField = (name: string, fieldPath: string): object => ({
  name,
  valueFrom: { fieldRef: { fieldPath } },
})

const probe = (path: string, periodSeconds: number): object => ({
  httpGet: { path, port: 'http' },
  periodSeconds,
  timeoutSeconds: 5,
})
