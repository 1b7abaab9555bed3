import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { MemoryKubeApi } from '../../testing/kube-api/index.js'
import type { GuardableKubeApi } from '../kube/index.js'
import { LeadershipLost } from '../requests/requests.js'
import { Operator } from './operator.js'

describe('an operator', () => {
  it('has each change asked about at the last moment, by the lease as it is then', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 2, 1))
    const start = clock.now().getTime()
    let frozenMs = 0
    let guard: (() => void) | null = null
    const api: GuardableKubeApi = new MemoryKubeApi({ clock })
    api.guardedBy = (given) => {
      guard = given
      return api
    }
    const write = () => undefined
    const operator = new Operator(
      {
        listen: null,
        lease: { name: 'kron-operator', namespace: undefined, durationMs: 15_000 },
        resyncMs: 1_800_000,
        maxRequests: 4,
        logFormat: 'json',
        logLevel: 'error',
      },
      {
        api,
        clock,
        elapsed: () => clock.now().getTime() - start + frozenMs,
        log: createLog({ format: 'json', level: 'error', component: 'test', clock, write }),
        identity: 'a',
        namespace: 'kron',
      },
    )
    void operator.run(new AbortController().signal)
    await clock.advanceBy(1000)
    expect(operator.isLeading).toBe(true)
    expect(guard).not.toThrow()
    // While the process stood still, time went on; nothing else has happened yet.
    frozenMs = 20_000
    expect(guard).toThrow(LeadershipLost)
  })
})
