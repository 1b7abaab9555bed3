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
