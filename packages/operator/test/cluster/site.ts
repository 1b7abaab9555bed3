import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlaneAccess } from '../../../../tools/kube/index.ts'
import type { FastOptions } from './fast-operator.ts'
import { Gateway } from './gateway.js'
import { install, kubeconfigOf } from './installation.js'
import { Kubelet } from './kubelet.js'
import { OperatorProcess } from './operator-process.js'
import { TestNamespace } from './test-namespace.js'

/** Whether the controller looks after its own namespace or all of them. */
export type Scope = 'namespace' | 'cluster'

const maxSlowness = 10
const defaultReadyMs = 1500

/** Where a controller is installed: its namespace, its line to the API server, and a Kubelet. */
export class Site {
  readonly namespace: TestNamespace
  readonly gateway: Gateway
  readonly kubelet: Kubelet
  readonly #scope: Scope
  readonly #folder: string
  readonly #processes: OperatorProcess[] = []

  private constructor(namespace: TestNamespace, gateway: Gateway, scope: Scope, folder: string) {
    this.namespace = namespace
    this.gateway = gateway
    this.#scope = scope
    this.#folder = folder
    const { plane, name } = namespace
    this.kubelet = new Kubelet(plane, scope === 'cluster' ? undefined : name)
  }

  static async open(plane: PlaneAccess, scope: Scope = 'namespace'): Promise<Site> {
    return await Site.openIn(await TestNamespace.create(plane), scope)
  }

  /** Where there may be another one already, so that two controllers have a line each. */
  static async openIn(namespace: TestNamespace, scope: Scope = 'namespace'): Promise<Site> {
    const { plane, name } = namespace
    await install(plane, scope === 'cluster' ? 'operator' : 'operator-namespaced', name)
    const gateway = await Gateway.open(plane)
    const folder = mkdtempSync(join(tmpdir(), 'kron-site-'))
    const config = await kubeconfigOf(plane, name, gateway.url)
    writeFileSync(join(folder, 'kubeconfig'), config, { mode: 0o600 })
    return new Site(namespace, gateway, scope, folder)
  }

  /** The program that we ship. */
  start(...args: readonly string[]): OperatorProcess {
    return this.#keep(OperatorProcess.start([...this.#usual, ...args]))
  }

  /** The same on a fast clock. */
  startFast(options: FastOptions, ...args: readonly string[]): OperatorProcess {
    return this.#keep(OperatorProcess.startFast([...this.#usual, ...args], options))
  }

  /**
   * How many times longer than on a machine that has nothing else to do a controller takes to be
   * ready. A fast clock has to be slower by that: one that needs minutes of its clock to send what it
   * has decided, or to renew its lease, shows nothing but that no machine is as fast.
   */
  async slowness(): Promise<number> {
    const from = performance.now()
    const trial = this.startFast({ since: Date.now(), factor: 1 }, '--no-leader-election')
    await trial.logged('ready')
    const tookMs = performance.now() - from
    await trial.kill()
    return Math.min(maxSlowness, Math.max(1, tookMs / defaultReadyMs))
  }

  get #usual(): string[] {
    const kubeconfig = ['--kubeconfig', join(this.#folder, 'kubeconfig')]
    if (this.#scope === 'cluster') return kubeconfig
    return [...kubeconfig, '--namespace', this.namespace.name]
  }

  #keep(started: OperatorProcess): OperatorProcess {
    this.#processes.push(started)
    return started
  }

  /** What was refused for lack of rights, as `method path`; not at times that are excused. */
  forbidden(isExcused: (at: number) => boolean = () => false): string[] {
    return this.gateway.requests
      .filter(({ status, at }) => (status === 401 || status === 403) && !isExcused(at))
      .map(({ method, path }) => `${method} ${path}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.filter(({ isOver }) => !isOver).map((one) => one.kill()))
    await this.kubelet.stop()
    await this.gateway.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
