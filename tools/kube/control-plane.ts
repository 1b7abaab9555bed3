import { findFreePort } from '../postgres/free-port.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { Etcd } from './etcd.ts'
import {
  apiServerFlags,
  argumentsOf,
  type ControlPlaneOptions,
  controllerManagerFlags,
  etcdFlags,
  type Ports,
} from './flags.ts'
import { Guard } from './guard.ts'
import { PlaneAccess } from './plane-access.ts'
import { PlaneFolder } from './plane-folder.ts'
import { eventually } from './waiting.ts'

const readyLimitMs = 120_000

export type Component = 'etcd' | 'kube-apiserver' | 'kube-controller-manager'

interface Parts {
  readonly options: ControlPlaneOptions
  readonly binaries: Binaries
  readonly ports: Ports
  readonly folder: PlaneFolder
  readonly guard: Guard
}

/** A plane of our own: its life is in our hands. */
export class ControlPlane extends PlaneAccess {
  readonly #parts: Parts
  #stopped: Promise<void> | null = null

  private constructor(parts: Parts, ca: string) {
    const { binaries, ports, folder } = parts
    super({
      server: serverOf(ports),
      ca,
      tokens: folder.tokens,
      kubectl: binaries.kubectl,
      folder: folder.path,
      hasControllerManager: binaries.controllerManager !== null,
    })
    this.#parts = parts
  }

  /** With ports that may be taken: then it fails as if anything else were wrong. */
  static async start(options: ControlPlaneOptions, ports: Ports): Promise<ControlPlane> {
    const binaries = findBinaries()
    const folder = new PlaneFolder(options.parentFolder, options.users)
    const guard = new Guard(folder.path)
    const parts: Parts = { options, binaries, ports, folder, guard }
    try {
      const etcd = etcdFlags(folder.path, ports, options)
      guard.start('etcd', binaries.etcd, argumentsOf(etcd))
      await whenReady(parts, 'etcd', async () => (await new Etcd(ports.etcd).isHealthy()) || null)
      startApiServer(parts)
      const ca = await whenReady(parts, 'kube-apiserver', () => folder.readAuthority())
      folder.writeKubeconfigs(serverOf(ports), ca)
      const plane = new ControlPlane(parts, ca)
      await plane.#complete()
      guard.hold(false)
      return plane
    } catch (error) {
      await guard.leave()
      throw error
    }
  }

  async #complete(): Promise<void> {
    const { options, binaries } = this.#parts
    await this.#apiServerReady()
    for (const crd of options.crds ?? []) await this.installCrd(crd)
    const wanted = options.controllerManager ?? binaries.controllerManager !== null
    if (wanted) await this.startControllerManager()
  }

  /** Resolves when the API server serves the kind. */
  async installCrd(crd: object): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const { metadata } = await this.client.demand<{ metadata: { name: string } }>('POST', path, crd)
    await eventually(`the CRD ${metadata.name}`, readyLimitMs, async () => {
      const { status } = await this.client.demand<CrdWithStatus>('GET', `${path}/${metadata.name}`)
      const isEstablished = ({ type, status }: Condition): boolean =>
        type === 'Established' && status === 'True'
      return status?.conditions?.some(isEstablished) || null
    })
  }

  pidOf(component: Component): number | null {
    return this.#parts.guard.pidOf(component)
  }

  logTail(component: Component): string {
    return this.#parts.folder.logTail(component)
  }

  /** As a crash would; resolves when it is gone. */
  killApiServer(): Promise<void> {
    return this.#parts.guard.signal('kube-apiserver', 'SIGKILL')
  }

  /** On the same port, with the same certificate; resolves when it is ready. */
  async restartApiServer(): Promise<void> {
    await this.killApiServer()
    startApiServer(this.#parts)
    await this.#apiServerReady()
  }

  /** Lists that go on from an older page expire (410); watches too, if there is no watch cache. */
  compactEtcd(): Promise<void> {
    return new Etcd(this.#parts.ports.etcd).compact()
  }

  /** No older version can be watched or listed any more: 410, whatever the caches knew. */
  async forgetHistory(): Promise<void> {
    await this.killApiServer()
    await this.compactEtcd()
    await this.restartApiServer()
  }

  /** Resolves when its controllers work. */
  async startControllerManager(): Promise<void> {
    const { binaries, guard, options } = this.#parts
    const { controllerManager } = binaries
    if (controllerManager === null) throw new Error('there is no kube-controller-manager here')
    const flags = controllerManagerFlags(this.kubeconfigFile(), options)
    const namespace = await this.createNamespace('started')
    guard.start('kube-controller-manager', controllerManager, argumentsOf(flags))
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`
    await whenReady(this.#parts, 'kube-controller-manager', async () => {
      return (await this.client.send('GET', account)).status === 200 || null
    })
    await this.client.demand('DELETE', `/api/v1/namespaces/${namespace}`)
  }

  stopControllerManager(): Promise<void> {
    return this.#parts.guard.signal('kube-controller-manager', 'SIGKILL')
  }

  /** Ends all processes and removes the folder; may be called again. */
  stop(): Promise<void> {
    this.close()
    this.#stopped ??= this.#parts.guard.leave()
    return this.#stopped
  }

  async #apiServerReady(): Promise<void> {
    await whenReady(this.#parts, 'kube-apiserver', async () => {
      const [ready, namespace] = await Promise.all([
        this.client.send('GET', '/readyz'),
        // Made by the API server itself, soon after its start.
        this.client.send('GET', '/api/v1/namespaces/default'),
      ])
      return (ready.status === 200 && namespace.status === 200) || null
    })
  }
}

interface Condition {
  readonly type: string
  readonly status: string
}

interface CrdWithStatus {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

const serverOf = ({ apiServer }: Ports): string => `https://127.0.0.1:${apiServer}`

function startApiServer({ options, binaries, ports, folder, guard }: Parts): void {
  const flags = apiServerFlags(folder.path, ports, options)
  guard.start('kube-apiserver', binaries.apiServer, argumentsOf(flags))
}

/** An error has the end of the component's log, since the file is removed afterwards. */
async function whenReady<T>(
  { guard, folder }: Parts,
  component: Component,
  ask: () => Promise<T | null> | T | null,
): Promise<T> {
  const failed = (what: string, cause?: unknown): Error =>
    new Error(`${component} ${what}:\n${folder.logTail(component)}`, { cause })
  const end = new AbortController()
  guard.endOf(component).then((how) => end.abort(failed(`ended (${how})`)))
  try {
    return await eventually(component, readyLimitMs, ask, end.signal)
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : failed('was not ready in time', error)
  }
}

const portAttempts = 5

/** etcd, an API server and a controller manager, on free ports of 127.0.0.1. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt++) {
    const ports = { etcd: await findFreePort(), apiServer: await findFreePort() }
    try {
      return await ControlPlane.start(options, ports)
    } catch (error) {
      const isTaken = /address already in use/.test((error as Error).message)
      if (!isTaken || attempt === portAttempts) throw error
    }
  }
}
