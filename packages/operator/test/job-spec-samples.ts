const container = 'template.spec.containers[0]'

/** A JobSpec whose one container has more, and whose Pod has. */
export const podWith = (more: object, pod: object = {}): object => ({
  template: {
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'example.com/main:1', ...more }],
      ...pod,
    },
  },
})

/** Mistakes that Kubernetes 1.36 refuses, and what we say of them. */
export const flawedPods: readonly (readonly [string, object, string])[] = [
  [
    'a misspelt field of a container',
    podWith({ comand: ['x'] }),
    `${container}.comand is unknown to Kubernetes 1.36; did you mean command?`,
  ],
  [
    'a misspelt field of a Pod',
    podWith({}, { serviceAcountName: 'x' }),
    'template.spec.serviceAcountName is unknown to Kubernetes 1.36; ' +
      'did you mean serviceAccountName?',
  ],
  [
    'a misspelt field of the Job',
    { ...podWith({}), backofLimit: 3 },
    'backofLimit is unknown to Kubernetes 1.36; did you mean backoffLimit?',
  ],
  [
    'a number as the value of a variable',
    podWith({ env: [{ name: 'A', value: 1 }] }),
    `${container}.env[0].value must be text, got 1; in quotes it is: "1"`,
  ],
  [
    'a boolean as the value of a variable',
    podWith({ env: [{ name: 'A', value: true }] }),
    `${container}.env[0].value must be text, got true; in quotes it is: "true"`,
  ],
  [
    'an amount with a unit that does not exist',
    podWith({ resources: { limits: { memory: '1Gb' } } }),
    `${container}.resources.limits.memory must be an amount such as 500m, 2 or 1Gi, got "1Gb"; ` +
      'did you mean 1Gi or 1G?',
  ],
  [
    'text for a number',
    podWith({ ports: [{ containerPort: '80' }] }),
    `${container}.ports[0].containerPort must be a whole number, got "80"`,
  ],
  [
    'text for a boolean',
    podWith({ tty: 'yes' }),
    `${container}.tty must be true or false, got "yes"`,
  ],
  [
    'text for a list',
    podWith({ command: 'echo hello' }),
    `${container}.command must be a list, got "echo hello"`,
  ],
  [
    'a number in a list of texts',
    podWith({ args: ['--count', 3] }),
    `${container}.args[1] must be text, got 3; in quotes it is: "3"`,
  ],
  [
    'a list for an object',
    podWith({ resources: [] }),
    `${container}.resources must be an object, got an array of 0`,
  ],
  [
    'a choice that does not exist',
    podWith({ imagePullPolicy: 'IfNotPresnt' }),
    `${container}.imagePullPolicy must be one of Always, IfNotPresent, Never, ` +
      'got "IfNotPresnt"; did you mean IfNotPresent?',
  ],
  [
    'a volume without a name',
    podWith({}, { volumes: [{ emptyDir: {} }] }),
    'template.spec.volumes[0].name is required and missing',
  ],
  [
    'a number as a label',
    { template: { ...(podWith({}) as Templated).template, metadata: { labels: { a: 1 } } } },
    'template.metadata.labels.a must be text, got 1; in quotes it is: "1"',
  ],
]

interface Templated {
  readonly template: object
}

/** What Kubernetes 1.36 takes, from many corners of it. */
export const soundPods: readonly (readonly [string, object])[] = [
  ['next to nothing', podWith({})],
  ['nulls', podWith({ env: null, resources: { limits: null } }, { volumes: null })],
  ['amounts as numbers', podWith({ resources: { limits: { cpu: 0.5, memory: 1e9 } } })],
  [
    'amounts as text',
    podWith({ resources: { requests: { cpu: '250m', memory: '1.5Gi' }, limits: { cpu: '1e3' } } }),
  ],
  [
    'ports that are numbers and names',
    podWith({
      ports: [
        { containerPort: 53, name: 'dns' },
        { containerPort: 53, protocol: 'UDP' },
      ],
      livenessProbe: { tcpSocket: { port: 'dns' } },
      readinessProbe: { httpGet: { port: 53, scheme: 'HTTPS' } },
    }),
  ],
  [
    'volumes of several kinds',
    podWith(
      {
        volumeMounts: [
          { name: 'work', mountPath: '/work' },
          { name: 'work', mountPath: '/more', readOnly: true },
        ],
      },
      {
        volumes: [
          { name: 'work', emptyDir: { sizeLimit: '1Gi' } },
          { name: 'keys', secret: { secretName: 'keys', defaultMode: 256 } },
          { name: 'host', hostPath: { path: '/x', type: '' } },
          { name: 'all', projected: { sources: [{ configMap: { name: 'a' } }] } },
        ],
        tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
        nodeSelector: { disk: 'fast' },
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      },
    ),
  ],
]
