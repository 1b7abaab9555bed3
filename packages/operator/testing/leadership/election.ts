import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { expect } from 'vitest'
import { type KubeApi, leases } from '../../src/kube/index.js'
import { LeaseElector, type Term } from '../../src/leadership/lease-elector.js'
import { MemoryKubeApi } from '../kube-api/index.js'

export const start = Date.UTC(2026, 2, 1)
export const lease = { namespace: 'kron', name: 'kron-operator' }
export const times = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  renewMs: 2000,
  lookMs: 1000,
}

interface CandidateOptions {
  readonly api?: KubeApi
  /** How wrong its wall clock is, which nobody should notice. */
  readonly skewMs?: number
  readonly lookMs?: number
  /** Ends its term by itself after that. */
  readonly leadsForMs?: number
}

/** Candidates for one lease; who led when, by the clock on the wall of the test. */
export class Election {
  readonly clock = new VirtualClock(start)
  readonly api = new MemoryKubeApi({ clock: this.clock })
  readonly led: [who: string, what: 'began' | 'ended', atMs: number][] = []
  readonly lines: Record<string, unknown>[] = []

  candidate(identity: string, options: CandidateOptions = {}) {
    const { api = this.api, skewMs = 0, lookMs = times.lookMs, leadsForMs } = options
    const stopping = new AbortController()
    const { clock } = this
    const log = createLog({
      format: 'json',
      level: 'debug',
      component: 'test',
      clock,
      write: (line) => this.lines.push(JSON.parse(line)),
    })
    let frozenMs = 0
    const elapsed = (): number => this.now() + skewMs + frozenMs
    const wrong = {
      now: () => new Date(clock.now().getTime() + skewMs),
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    }
    const elector = new LeaseElector(
      { lease, identity, ...times, lookMs },
      { api, clock: wrong, elapsed, log },
    )
    let term: Term | null = null
    const running = elector.run(async (given) => {
      term = given
      this.led.push([identity, 'began', this.now()])
      if (leadsForMs === undefined) await ended(given.signal)
      else await clock.sleep(leadsForMs, given.signal).catch(() => undefined)
      this.led.push([identity, 'ended', this.now()])
    }, stopping.signal)
    return {
      elector,
      stopping: stopping.signal,
      isHeld: () => term?.isHeld() ?? false,
      /** While its process stands still, time goes on. */
      freeze: (ms: number) => {
        frozenMs += ms
      },
      stop: async () => {
        stopping.abort('stopped')
        await running
      },
    }
  }

  now(): number {
    return this.clock.now().getTime() - start
  }

  lease(): Record<string, unknown> {
    return this.api.objects.get(leases, lease)['spec'] as Record<string, unknown>
  }

  /** Who began and ended, in order. */
  terms(): string[] {
    return this.led.map(([who, what]) => `${who} ${what}`)
  }

  /** What was logged, but for what people look at only when they search for something. */
  logged(): string[] {
    return this.lines
      .filter(({ level }) => level !== 'debug')
      .map(({ event, operation, message }) => [event, operation, message].filter(Boolean).join(' '))
  }

  /** That it was never led by two. */
  check(): void {
    let leader: string | null = null
    for (const [who, what] of this.led) {
      if (what === 'began') expect(leader).toBeNull()
      leader = what === 'began' ? who : null
    }
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
