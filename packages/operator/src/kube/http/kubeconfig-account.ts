import type { RequestOptions } from 'node:https'
import type { Cluster, KubeConfig } from '@kubernetes/client-node'
import type { Access, AccessSource, TlsOptions } from './credentials.js'

/** The user of the current context: tokens, certificates, plugins, as the client library does. */
export class KubeconfigAccount implements AccessSource {
  readonly server: string
  readonly proxyUrl: string | null
  readonly #load: () => Promise<KubeConfig>
  #config: KubeConfig | null

  /** A config with a current cluster, and how to load it again. */
  constructor(config: KubeConfig, load: () => Promise<KubeConfig>) {
    const cluster = config.getCurrentCluster()!
    this.server = cluster.server
    this.proxyUrl = cluster.proxyUrl ?? null
    this.#config = config
    this.#load = load
  }

  async read(): Promise<Access> {
    this.#config ??= await this.#load()
    const options: RequestOptions & TlsOptions = { headers: {} }
    const cluster = this.#config.getCurrentCluster()!
    await this.#config.applyToHTTPSOptions(prepared(this.#config, cluster, options))
    return { headers: headersOf(options), tls: tlsOf(options) }
  }

  /** Loaded again, since plugins keep what they got, and the file may have changed. */
  forget(): void {
    this.#config = null
  }
}

/** The library ignores a cluster without a user, and refuses plain HTTP, as `kubectl proxy` has. */
function prepared<T>(config: KubeConfig, cluster: Cluster, options: T): T {
  if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true })
  if (config.getCurrentUser() === null) {
    const context = config.getContextObject(config.getCurrentContext())!
    const name = 'anonymous'
    config.users = [...config.users.filter((user) => user.name !== name), { name }]
    Object.assign(context, { user: name })
  }
  return options
}

function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  const given = Object.entries(headers as Record<string, string>)
  const named = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value.trim()]))
  if (typeof auth !== 'string') return named
  return { ...named, authorization: `Basic ${Buffer.from(auth).toString('base64')}` }
}

const tlsNames = ['ca', 'cert', 'key', 'rejectUnauthorized', 'servername'] as const

function tlsOf(options: TlsOptions): TlsOptions {
  const given = tlsNames.filter((name) => options[name] !== undefined && options[name] !== null)
  return Object.fromEntries(given.map((name) => [name, options[name]]))
}
