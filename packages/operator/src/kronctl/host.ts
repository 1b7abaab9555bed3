import { randomInt } from 'node:crypto'
import { type CommandHost, processHost as commonHost, type FileSource } from '@kron/command'
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

/** The process that runs this program. */
export const processHost = (): KronctlHost => ({ ...commonHost(), connect, suffix })

/** What talks to clusters takes longer to load than most commands on files take. */
async function connect(choice: ClusterChoice): Promise<Cluster> {
  const { connectKube } = await import('../kube/http/index.js')
  const { api, namespace, server } = await connectKube(choice)
  return { api, namespace, server, close: () => api.close() }
}

/** As Kubernetes makes endings: no vowels, no words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'

const suffix = (): string =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]!).join('')
