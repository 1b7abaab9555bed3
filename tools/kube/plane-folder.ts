import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlaneUser } from './flags.ts'
import { kubeconfigOf } from './kubeconfig.ts'
import { admin } from './plane-access.ts'

const tailBytes = 4000

/** What the components read and write. The guardian removes it. */
export class PlaneFolder {
  readonly path: string
  readonly tokens: Readonly<Record<string, string>>

  constructor(parent: string = tmpdir(), users: readonly PlaneUser[] = []) {
    this.path = mkdtempSync(join(parent, 'kron-kube-'))
    mkdirSync(join(this.path, 'home'))
    const all = [{ name: admin, groups: ['system:masters'] }, ...users]
    const token = (): string => randomBytes(16).toString('hex')
    this.tokens = Object.fromEntries(all.map(({ name }) => [name, token()]))
    const lines = all.map(
      ({ name, groups = [] }) => `${this.tokens[name]},${name},${name},"${groups.join(',')}"\n`,
    )
    this.#write('tokens.csv', lines.join(''))
    const keys = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    this.#write('service-account.key', keys.privateKey)
    this.#write('service-account.pub', keys.publicKey)
  }

  /** The API server's own certificate with the one that signed it; null until it is created. */
  readAuthority(): string | null {
    const [certificate, key] = ['crt', 'key'].map((end) =>
      join(this.path, 'certificates', `apiserver.${end}`),
    ) as [string, string]
    // The key is written after the certificate, so that this one is whole by then.
    return existsSync(key) ? readFileSync(certificate, 'utf8') : null
  }

  writeKubeconfigs(server: string, ca: string): void {
    for (const [user, token] of Object.entries(this.tokens)) {
      this.#write(`${user}.kubeconfig`, kubeconfigOf({ server, ca, user, token }))
    }
  }

  /** The end of a component's log. */
  logTail(component: string): string {
    const log = join(this.path, `${component}.log`)
    if (!existsSync(log)) return '(no log)'
    const { size } = statSync(log)
    const tail = Buffer.alloc(Math.min(size, tailBytes))
    const file = openSync(log, 'r')
    readSync(file, tail, 0, tail.length, size - tail.length)
    closeSync(file)
    return tail.toString()
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text, { mode: 0o600 })
  }
}
