import type { FileSource } from '@kron/command'
import { memoryOutput } from '@kron/command/testing'
import { parseAllDocuments } from 'yaml'
import { type KronctlHost, runKronctl } from '../../packages/operator/src/kronctl/index.js'
import { events, type KubeObject, kronJobs } from '../../packages/operator/src/kube/index.js'
import { VirtualCluster } from '../../packages/operator/testing/cluster/virtual-cluster.js'
import { documentationNow, filesWith, readText } from './documentation-host.js'
import { eventTable, kronJobTable } from './kubectl-text.js'

export interface CommandOutcome {
  readonly text: string
  readonly exitCode: number
}

const second = 1000
/** When the examples are applied; three minutes later the documentation is read. */
const appliedAt = documentationNow - 170 * second
const seenAt = documentationNow + 20 * second
/** How long each Job takes. */
const runMs = 4 * second

/**
 * The cluster that the documentation is about: the real controller has looked after the KronJobs of
 * `examples/kubernetes` for three minutes of virtual time. Commands that change something change it
 * for those after them, as for somebody who follows along.
 */
export class DocumentedCluster {
  readonly #cluster: VirtualCluster
  readonly #stop: () => Promise<void>
  readonly #suffixes = ['x7k2p', 'f4m9q', 'r2v8d']

  readonly #files: FileSource

  private constructor(cluster: VirtualCluster, stop: () => Promise<void>, files: FileSource) {
    this.#cluster = cluster
    this.#stop = stop
    this.#files = files
  }

  static async open(
    manifests: readonly string[],
    pasted: ReadonlyMap<string, string>,
  ): Promise<DocumentedCluster> {
    const fateOf = () => ({ outcome: 'complete', afterMs: runMs }) as const
    const cluster = new VirtualCluster({ at: appliedAt, fateOf })
    const { stop } = cluster.startController()
    for (const object of manifests.flatMap(objectsIn)) {
      cluster.api.objects.create(kronJobs, inNamespace(object))
    }
    await cluster.clock.advanceTo(seenAt)
    return new DocumentedCluster(cluster, stop, filesWith(pasted))
  }

  close(): Promise<void> {
    return this.#stop()
  }

  /** `kronctl ...` or `kubectl kron ...`. */
  async kronctl(words: readonly string[], name: 'kronctl' | 'kubectl kron') {
    const { output, ...streams } = memoryOutput({ columns: 80 })
    const exitCode = await runKronctl(words, { ...this.#host, ...streams }, name)
    // What the controller makes of it.
    await this.#cluster.clock.advanceBy(second)
    return { text: output.both, exitCode }
  }

  get #host(): Omit<KronctlHost, 'stdout' | 'stderr'> {
    return {
      clock: this.#cluster.clock,
      env: {},
      cwd: '/srv/kron',
      home: '/home/ada',
      files: this.#files,
      readInput: async () => new Uint8Array(),
      writeFile: () => undefined,
      suffix: () => this.#suffixes.shift() ?? 'zzzzz',
      connect: async () => ({
        api: this.#cluster.api,
        namespace: 'default',
        server: 'https://kube.example',
        close: async () => undefined,
      }),
    }
  }

  /**
   * The few words of kubectl that the documentation shows. Of `describe` only the end, the events:
   * what comes before is the object as it is.
   */
  kubectl(words: readonly string[]): CommandOutcome {
    const [verb, ...rest] = words
    if (verb === 'apply') return said(appliedLines(rest.at(-1)!))
    if (verb === 'get' && rest[0] === 'kronjobs') {
      const namespace = rest[1] === '-n' ? rest[2]! : 'default'
      const all = this.#cluster.api.objects.all(kronJobs)
      const objects = all.filter(({ metadata }) => metadata.namespace === namespace)
      return said(kronJobTable(objects, this.#now))
    }
    if (verb === 'describe') return said(this.#events(rest.at(-1)!))
    throw new Error(`the documentation has a kubectl without ${words.join(' ')}`)
  }

  #events(kronJob: string): string[] {
    const all = this.#cluster.api.objects.all(events)
    const told = all.filter(({ involvedObject }) => (involvedObject as Named).name === kronJob)
    return ['Events:', ...eventTable(told, this.#now)]
  }

  get #now(): number {
    return this.#cluster.clock.now().getTime()
  }
}

interface Named {
  readonly name: string
}

const said = (lines: readonly string[]): CommandOutcome => ({ text: lines.join('\n'), exitCode: 0 })

const appliedLines = (file: string): string[] =>
  objectsIn(file).map(({ metadata }) => `kronjob.kron.io/${metadata.name} created`)

/** As kubectl reads a file: documents, and the items of Lists. */
export function objectsIn(file: string): KubeObject[] {
  return parseAllDocuments(readText(file)).flatMap((document) => {
    const object = document.toJS() as KubeObject & { readonly items?: readonly KubeObject[] }
    return object.items === undefined ? [object] : [...object.items]
  })
}

const inNamespace = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { namespace: 'default', ...object.metadata },
})
