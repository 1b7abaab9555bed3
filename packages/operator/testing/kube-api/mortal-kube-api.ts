import type { KubeApi, WatchEvent } from '../../src/kube/kube-api.js'
import { type ApiCall, type ApiPassage, passingKubeApi } from './passing-kube-api.js'

/**
 * The API as one life of a process sees it. The life can end before or after any call: what a dead
 * process awaits never comes, and what it asks for has no effect.
 */
export class MortalKubeApi implements KubeApi {
  readonly calls: ApiCall[] = []
  readonly died: Promise<void>
  readonly list: KubeApi['list']
  readonly watch: KubeApi['watch']
  readonly get: KubeApi['get']
  readonly create: KubeApi['create']
  readonly tryCreate: KubeApi['tryCreate']
  readonly replace: KubeApi['replace']
  readonly patch: KubeApi['patch']
  readonly delete: KubeApi['delete']
  readonly #death = new AbortController()
  #deathAt: { readonly call: number; readonly when: 'before' | 'after' } | undefined

  constructor(api: KubeApi) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.died = promise
    this.#death.signal.addEventListener('abort', () => resolve())
    const passing = passingKubeApi(api, this.#passage())
    this.list = passing.list
    this.watch = passing.watch
    this.get = passing.get
    this.create = passing.create
    this.tryCreate = passing.tryCreate
    this.replace = passing.replace
    this.patch = passing.patch
    this.delete = passing.delete
  }

  get isDead(): boolean {
    return this.#death.signal.aborted
  }

  /** At the call of this number: before it takes effect, or before its answer is seen. */
  dieAt(call: number, when: 'before' | 'after'): void {
    this.#deathAt = { call, when }
  }

  die(): void {
    this.#death.abort()
  }

  #passage(): ApiPassage {
    return {
      act: async (call, effect, signal) => {
        if (!this.#survives(call, 'before')) return never()
        const answer = await effect(signal).then(
          (value) => () => value,
          (error: unknown) => () => {
            throw error
          },
        )
        return this.#survives(call, 'after') ? answer() : never()
      },
      follow: (call, open, signal) => this.#follow(call, open, signal),
    }
  }

  /** To die after a watch is to die when its first event comes. */
  async *#follow(
    call: ApiCall,
    open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    if (!this.#survives(call, 'before')) return never()
    // So that the server does not keep a watch for the dead.
    const whileAlive = AbortSignal.any([signal, this.#death.signal])
    try {
      for await (const event of open(whileAlive)) {
        if (!this.#survives(call, 'after')) return never()
        yield event
      }
    } catch (error) {
      if (!this.isDead) throw error
    }
    if (this.isDead) return never()
  }

  #survives(call: ApiCall, when: 'before' | 'after'): boolean {
    if (when === 'before' && !this.isDead) this.calls.push(call)
    const isLast = this.#deathAt?.call === call.number && this.#deathAt.when === when
    if (isLast) this.die()
    return !this.isDead
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined)
}
