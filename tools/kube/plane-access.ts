import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { ApiServerClient } from './api-server-client.ts'
import { kubeconfigOf } from './kubeconfig.ts'

/** All that is needed to use a plane from another process; plain data. */
export interface PlaneAddress {
  /** Such as `https://127.0.0.1:20001`. */
  readonly server: string
  /** PEM text. */
  readonly ca: string
  /** By the name of the user. */
  readonly tokens: Readonly<Record<string, string>>
  readonly kubectl: string
  /** Where the kubeconfig file of a user is `<user>.kubeconfig`. */
  readonly folder: string
  readonly hasControllerManager: boolean
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface KubectlOptions {
  readonly input?: string
  /** Default: `admin`. */
  readonly user?: string
}

/** A member of system:masters, in every plane. */
export const admin = 'admin'

/** A plane as its users see it. */
export class PlaneAccess {
  readonly address: PlaneAddress
  readonly server: string
  readonly client: ApiServerClient

  constructor(address: PlaneAddress) {
    this.address = address
    this.server = address.server
    this.client = new ApiServerClient(address.server, address.ca, address.tokens[admin]!)
  }

  /** The text of a kubeconfig. */
  kubeconfig(user: string = admin, namespace?: string): string {
    const token = this.address.tokens[user]
    if (token === undefined) throw new Error(`the control plane has no user ${user}`)
    return kubeconfigOf({ ...this.address, user, token, namespace })
  }

  /** The path of a file with the same. */
  kubeconfigFile(user: string = admin): string {
    if (!(user in this.address.tokens)) throw new Error(`the control plane has no user ${user}`)
    return `${this.address.folder}/${user}.kubeconfig`
  }

  /** Of a service account that exists, with a token that the API server issues. */
  async serviceAccountKubeconfig(namespace: string, name: string): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
    const spec = { expirationSeconds: 3600 }
    const { status } = await this.client.demand<{ status: { token: string } }>('POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    })
    return kubeconfigOf({ ...this.address, user: name, token: status.token, namespace })
  }

  async kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<CommandResult> {
    const { kubectl, folder } = this.address
    const child = spawn(kubectl, ['--kubeconfig', this.kubeconfigFile(options.user), ...args], {
      env: { PATH: process.env['PATH'], HOME: `${folder}/home`, TZ: 'UTC' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // It may end without having read it.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    const [code, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, stdout, stderr }
  }

  /** A new namespace; its content is deleted with the plane. */
  async createNamespace(prefix = 'test'): Promise<string> {
    const name = `${prefix}-${randomBytes(5).toString('hex')}`
    await this.client.demand('POST', '/api/v1/namespaces', { metadata: { name } })
    return name
  }

  /** Ends connections that are kept open. */
  close(): void {
    this.client.close()
  }
}
