import { setTimeout as wait } from 'node:timers/promises'
import type { PlaneAccess } from '../../../../tools/kube/index.ts'

/** What becomes of a Pod, as an annotation of its template says; without one it succeeds. */
export const fate = 'test.kron.io/fate'
export type Fate = 'succeed' | 'fail' | 'run'

interface Pod {
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly labels?: Readonly<Record<string, string>>
    readonly deletionTimestamp?: string
  }
  readonly status: { readonly phase: string }
}

const lookMs = 200

/** Does what no node does here: ends Pods. Those of one namespace, or of all. */
export class Kubelet {
  readonly #plane: PlaneAccess
  readonly #path: string
  readonly #stopping = new AbortController()
  readonly #working: Promise<void>

  constructor(plane: PlaneAccess, namespace?: string) {
    this.#plane = plane
    this.#path = namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${namespace}/pods`
    this.#working = this.#work()
  }

  /** Those of a Job that runs for as long as we like. */
  async endPodsOf(job: string, phase: 'Succeeded' | 'Failed'): Promise<void> {
    for (const pod of await this.#pods(`?labelSelector=job-name%3D${job}`)) {
      await this.#end(pod, phase)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // An API server that is being killed answers nothing; there will be another look.
      await this.#endAll().catch(() => undefined)
      await wait(lookMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #endAll(): Promise<void> {
    const running = (await this.#pods()).filter(({ status }) => status.phase === 'Pending')
    for (const pod of running) {
      const destiny = pod.metadata.annotations?.[fate]
      if (destiny === 'run' || pod.metadata.deletionTimestamp !== undefined) continue
      await this.#end(pod, destiny === 'fail' ? 'Failed' : 'Succeeded')
    }
  }

  async #pods(query = ''): Promise<readonly Pod[]> {
    const path = `${this.#path}${query}`
    return (await this.#plane.client.demand<{ items: Pod[] }>('GET', path)).items
  }

  async #end({ metadata: { namespace, name } }: Pod, phase: string): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`
    await this.#plane.client.send('PATCH', path, { status: { phase } })
  }
}
