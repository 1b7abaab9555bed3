import type { OutputOptions } from '@kron/command'

/** Which cluster and namespace, as kubectl has the options. */
export interface ClusterOptions extends OutputOptions {
  readonly namespace?: string
  readonly allNamespaces: boolean
  readonly selector?: string
  readonly kubeconfig?: string
  readonly context?: string
}

export interface SourceOptions extends ClusterOptions {
  /** Instead of a cluster. */
  readonly filename?: readonly string[]
}
