import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Access, AccessSource } from './credentials.js'

export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * The account of the pod that we are in. Not through the client library: it would cost more memory
 * than all the rest of us, and keeps a refused token for a minute.
 */
export class ServiceAccount implements AccessSource {
  readonly server: string
  readonly proxyUrl = null
  readonly #folder: string

  constructor(host: string, port: string, folder: string = serviceAccountFolder) {
    this.server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
    this.#folder = folder
  }

  /** Null when the account was mounted without it. */
  readNamespace(): string | null {
    try {
      return readFileSync(join(this.#folder, 'namespace'), 'utf8').trim() || null
    } catch {
      return null
    }
  }

  async read(): Promise<Access> {
    const [ca, token] = await Promise.all([
      readFile(join(this.#folder, 'ca.crt')),
      readFile(join(this.#folder, 'token'), 'utf8'),
    ])
    return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } }
  }

  forget(): void {
    // Nothing is kept: each reading is of the files.
  }
}
