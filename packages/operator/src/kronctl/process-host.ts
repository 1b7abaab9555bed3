import { randomInt } from 'node:crypto'
import { processHost as commonHost } from '@kron/command'
import type { Cluster, ClusterChoice, KronctlHost } from './host.js'

export { endProcess } from '@kron/command'

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
