export interface PlaneUser {
  readonly name: string
  readonly groups?: readonly string[]
}

export type Flags = Readonly<Record<string, string>>

export interface ControlPlaneOptions {
  /** Beside `admin`; what they may do is up to RBAC objects. */
  readonly users?: readonly PlaneUser[]
  /** CustomResourceDefinitions, in use before the controller manager starts. */
  readonly crds?: readonly object[]
  /** Whether the controller manager is started as well (default: where there is one). */
  readonly controllerManager?: boolean
  /** Without it, watches read from etcd, so that compaction alone expires them (default: on). */
  readonly watchCache?: boolean
  /** Flags such as `max-requests-inflight` or `event-ttl`, without dashes; they win over ours. */
  readonly apiServerFlags?: Flags
  readonly controllerManagerFlags?: Flags
  readonly etcdFlags?: Flags
  /** Where the folder is created (default: the system's folder for temporary files). */
  readonly parentFolder?: string
}

export interface Ports {
  readonly etcd: number
  readonly apiServer: number
}

export const argumentsOf = (flags: Flags): string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`)

export function etcdFlags(folder: string, { etcd }: Ports, options: ControlPlaneOptions): Flags {
  const url = `http://127.0.0.1:${etcd}`
  return {
    'data-dir': `${folder}/etcd`,
    'listen-client-urls': url,
    'advertise-client-urls': url,
    // Nobody else joins, so any port will do.
    'listen-peer-urls': 'http://127.0.0.1:0',
    // Tests kill processes, never the power.
    'unsafe-no-fsync': 'true',
    ...options.etcdFlags,
  }
}

export function apiServerFlags(folder: string, ports: Ports, options: ControlPlaneOptions): Flags {
  return {
    'etcd-servers': `http://127.0.0.1:${ports.etcd}`,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': String(ports.apiServer),
    // Makes its own certificate there, and finds it again after a restart.
    'cert-dir': `${folder}/certificates`,
    'endpoint-reconciler-type': 'none',
    'service-cluster-ip-range': '10.0.0.0/24',
    'token-auth-file': `${folder}/tokens.csv`,
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': `${folder}/service-account.pub`,
    'service-account-signing-key-file': `${folder}/service-account.key`,
    // Namespaces of tests pass away sooner.
    'delete-collection-workers': '4',
    'watch-cache': String(options.watchCache ?? true),
    ...options.apiServerFlags,
  }
}

/** What tests need of it: each one more is work for a machine that runs many tests at once. */
export const controllers: readonly string[] = [
  'job-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
]

export function controllerManagerFlags(kubeconfig: string, options: ControlPlaneOptions): Flags {
  return {
    kubeconfig,
    controllers: controllers.join(','),
    'leader-elect': 'false',
    'secure-port': '0',
    // Its own limit of 20 requests a second would be what tests wait for.
    'kube-api-qps': '1000',
    'kube-api-burst': '1000',
    ...options.controllerManagerFlags,
  }
}
