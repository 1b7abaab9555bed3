import type { CommandHost, FileSource } from '@kron/command'
import type { KubeApi } from '../kube/index.js'

/** Everything a command has of the process it runs in. */
export interface KronctlHost extends CommandHost {
  readonly home: string
  readonly files: FileSource
  /** All of standard input. */
  readInput(): Promise<Uint8Array>
  connect(options: ClusterChoice): Promise<Cluster>
  /** Five letters and digits that tell a Job from others of its KronJob. */
  suffix(): string
}

/** Which cluster; what is left out is as kubectl has it. */
export interface ClusterChoice {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

export interface Cluster {
  readonly api: KubeApi
  /** Of the context; `default` if it has none. */
  readonly namespace: string
  /** The address of the API server. */
  readonly server: string
  close(): Promise<void>
}
