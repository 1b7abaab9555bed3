import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { processOutput, systemFiles } from '@kron/command'
import { systemClock } from '@kron/runtime'
import type { Cluster, ClusterChoice, KronctlHost } from './host.js'

/** The process that runs this program. */
export { endProcess } from '@kron/command'

export function processHost(): KronctlHost {
  return {
    clock: systemClock(),
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    files: systemFiles,
    writeFile: (path, content) => writeFileSync(path, content),
    readInput,
    connect,
    suffix,
    stdout: processOutput(process.stdout),
    stderr: processOutput(process.stderr),
  }
}

async function readInput(): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

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
