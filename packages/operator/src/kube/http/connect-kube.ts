import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { ConfigurationError, quote } from '@kron/core'
import type { AccessSource } from './credentials.js'
import { HttpKubeApi, type HttpKubeApiOptions } from './http-kube-api.js'
import { KubeconfigAccount } from './kubeconfig-account.js'
import { loadKubeconfig } from './kubeconfig-file.js'
import { ServiceAccount, serviceAccountFolder } from './service-account.js'

export interface ConnectOptions extends HttpKubeApiOptions {
  /** The path of a file. */
  readonly kubeconfig?: string | undefined
  /** Instead of the current one of the file. */
  readonly context?: string | undefined
  /** The service account of our pod and nothing else. */
  readonly inCluster?: boolean | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly serviceAccountFolder?: string
}

export interface KubeConnection {
  readonly api: HttpKubeApi
  /** Of the context or the service account; `default` if they have none. */
  readonly namespace: string
  /** The address of the API server. */
  readonly server: string
}

interface Found {
  readonly source: AccessSource
  readonly namespace: string | null
}

/**
 * To the cluster of the file that is named, of $KUBECONFIG, of the Pod that we are in, or of the
 * file in the home folder: the first of these that exists. No request is made.
 */
export async function connectKube(options: ConnectOptions = {}): Promise<KubeConnection> {
  const { source, namespace } = await find(options)
  await check(source)
  const api = new HttpKubeApi(source, options)
  return { api, namespace: namespace ?? 'default', server: source.server }
}

async function find(options: ConnectOptions): Promise<Found> {
  const { kubeconfig, context, inCluster = false, environment = process.env } = options
  if (kubeconfig !== undefined) return fromFiles([resolve(kubeconfig)], context)
  if (inCluster) return fromPod(options) ?? missing('this process is not in a Pod')
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  const existing = named.map((path) => resolve(path)).filter((path) => existsSync(path))
  // As kubectl, which passes over those that are not there; but not if none is.
  if (named.length > 0) return fromFiles(existing.length > 0 ? existing : named, context)
  const pod = context === undefined ? fromPod(options) : null
  if (pod !== null) return pod
  const atHome = join(environment['HOME'] || homedir(), '.kube', 'config')
  if (existsSync(atHome)) return fromFiles([atHome], context)
  return missing('pass --kubeconfig, set KUBECONFIG, or run in a Pod')
}

async function fromFiles(paths: readonly string[], context: string | undefined): Promise<Found> {
  const load = () => loadKubeconfig(paths, context)
  const config = await load()
  const { namespace = null } = config.getContextObject(config.getCurrentContext()) ?? {}
  const { server } = config.getCurrentCluster()!
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
    const message = `the cluster's server ${quote(server)} is not a URL with http or https`
    throw new ConfigurationError('KRON_FILE_UNREADABLE', message, {
      field: 'server',
      value: server,
    })
  }
  return { source: new KubeconfigAccount(config, load), namespace }
}

function fromPod(options: ConnectOptions): Found | null {
  const { environment = process.env } = options
  const folder = options.serviceAccountFolder ?? serviceAccountFolder
  const host = environment['KUBERNETES_SERVICE_HOST']
  const port = environment['KUBERNETES_SERVICE_PORT']
  if (!host || !port || !existsSync(join(folder, 'token'))) return null
  const source = new ServiceAccount(host, port, folder)
  return { source, namespace: source.readNamespace() }
}

function missing(advice: string): never {
  const message = `no cluster is configured: ${advice}`
  throw new ConfigurationError('KRON_ARGUMENT_INVALID', message, { field: 'kubeconfig' })
}

/** A file that can't be read or used is found at the start, not by the first request. */
async function check(source: AccessSource): Promise<void> {
  try {
    const { tls } = await source.read()
    createSecureContext({ ...tls })
  } catch (cause) {
    const message = `the credentials for ${source.server} can't be used: ${(cause as Error).message}`
    const details = { field: 'credentials', value: source.server }
    throw new ConfigurationError('KRON_FILE_UNREADABLE', message, details, { cause })
  }
}
