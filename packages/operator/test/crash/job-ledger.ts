import type { KubeObject } from '../../src/kube/index.js'
import { hasEnded } from '../cluster/cluster-job.js'

/** A Job as etcd has seen it come and go; times are real ones. */
export interface LedgerEntry {
  readonly uid: string
  readonly name: string
  /** `namespace/name`. */
  readonly kronJob: string
  readonly period: string
  readonly createdAt: number
  endedAt: number | null
  goneAt: number | null
}

interface EtcdEvent {
  /** Absent for a PUT. */
  readonly type?: 'DELETE'
  readonly kv: {
    readonly key: string
    readonly value?: string
    readonly create_revision?: string
    readonly mod_revision: string
  }
}

interface WatchAnswer {
  readonly result: {
    readonly created?: boolean
    readonly canceled?: boolean
    readonly events?: readonly EtcdEvent[]
  }
}

const folder = '/registry/jobs/'
/** The key after all that begin with the folder's name. */
const end = '/registry/jobs0'

/**
 * Every Job there ever was, from etcd itself: neither a controller nor the death of an API server
 * can keep one out of it. The API server has to store objects as JSON.
 */
export class JobLedger {
  readonly entries: LedgerEntry[] = []
  /** Why it may have missed something; null while it has not. */
  gap: string | null = null
  readonly #byKey = new Map<string, LedgerEntry>()
  readonly #closing = new AbortController()
  #reading: Promise<void> = Promise.resolve()

  /** Resolves when nothing can escape it any more. */
  static async open(etcdPort: number): Promise<JobLedger> {
    const ledger = new JobLedger()
    const response = await fetch(`http://127.0.0.1:${etcdPort}/v3/watch`, {
      method: 'POST',
      body: JSON.stringify({ create_request: { key: btoa(folder), range_end: btoa(end) } }),
      signal: ledger.#closing.signal,
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    ledger.#reading = ledger.#read(response.body!, resolve)
    await Promise.race([promise, ledger.#reading])
    return ledger
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#reading
  }

  async #read(body: ReadableStream<Uint8Array>, created: () => void): Promise<void> {
    let rest = ''
    try {
      const decoder = new TextDecoder()
      for await (const piece of body) {
        const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
        rest = lines.pop()!
        for (const line of lines) this.#take(JSON.parse(line) as WatchAnswer, created)
      }
      this.gap ??= 'the watch has ended'
    } catch (error) {
      if (!this.#closing.signal.aborted) this.gap ??= String(error)
    }
  }

  #take({ result }: WatchAnswer, created: () => void): void {
    if (result.created === true) created()
    if (result.canceled === true) this.gap = 'the watch was cancelled'
    for (const event of result.events ?? []) this.#note(event)
  }

  #note({ type, kv }: EtcdEvent): void {
    const now = Date.now()
    const known = this.#byKey.get(kv.key)
    if (type === 'DELETE') {
      if (known !== undefined) known.goneAt = now
      return
    }
    const job = JSON.parse(Buffer.from(kv.value!, 'base64').toString()) as KubeObject
    if (kv.create_revision === kv.mod_revision) {
      const entry = entryOf(job, now)
      this.entries.push(entry)
      this.#byKey.set(kv.key, entry)
    } else if (known !== undefined && hasEnded(job)) known.endedAt ??= now
  }
}

function entryOf({ metadata }: KubeObject, createdAt: number): LedgerEntry {
  const { namespace, name, uid = '', annotations, ownerReferences } = metadata
  const owner = ownerReferences?.find(({ controller }) => controller === true)
  const kronJob = `${namespace}/${owner?.name}`
  const period = annotations?.['kron.io/period-id'] ?? ''
  return { uid, name, kronJob, period, createdAt, endedAt: null, goneAt: null }
}
