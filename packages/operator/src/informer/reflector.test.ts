import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type FaultSource, FaultyKubeApi, MemoryKubeApi } from '../../testing/kube-api/index.js'
import { type KubeApi, type KubeObject, leases } from '../kube/index.js'
import { Reflector } from './reflector.js'

const start = Date.UTC(2026, 2, 1)
let ended = new AbortController()
afterEach(() => {
  ended.abort()
  ended = new AbortController()
})

function reflecting(faults: FaultSource | null = null, resyncMs = 3_600_000, already = 0) {
  const clock = new VirtualClock(start)
  const server = new MemoryKubeApi({ clock })
  const api: FaultyKubeApi = new FaultyKubeApi(server, clock, faults)
  const changes: string[] = []
  const failures: string[] = []
  const reflector = new Reflector<KubeObject>({
    api: api as KubeApi,
    clock,
    resource: leases,
    resyncMs,
    project: (object) => object,
    onChange: (key, item, before) => {
      const what = item === null ? 'gone' : before === null ? 'new' : 'changed'
      changes.push(`${key} ${what}`)
    },
    onFailure: (_, operation) => failures.push(operation),
  })
  const named = (name: string) => ({ namespace: 'default', name })
  const put = (name: string) => server.objects.create(leases, { metadata: named(name), spec: {} })
  for (let number = 0; number < already; number++) put(`lease-${number}`)
  void reflector.run(ended.signal)
  const change = (name: string, holderIdentity: string) =>
    server.objects.patch(leases, named(name), { spec: { holderIdentity } })
  const remove = (name: string) =>
    server.objects.delete(leases, named(name), { propagation: 'Background' })
  const holder = (name: string) =>
    (reflector.item(`default/${name}`)?.['spec'] as { holderIdentity?: string })?.holderIdentity
  return { clock, server, api, reflector, changes, failures, put, change, remove, holder }
}

describe('a reflector', () => {
  it('reads what there is, then follows what changes', async () => {
    const { clock, changes, put, change, remove, reflector } = reflecting()
    put('a')
    await clock.advanceBy(100)
    put('b')
    change('a', 'x')
    await clock.advanceBy(100)
    remove('b')
    await clock.advanceBy(100)
    expect(changes).toEqual([
      'default/a new',
      'default/b new',
      'default/a changed',
      'default/b gone',
    ])
    expect(reflector.size).toBe(1)
  })

  it('reads many objects page by page', async () => {
    const { clock, reflector, api } = reflecting(null, 3_600_000, 1201)
    await clock.advanceBy(1000)
    expect(reflector.size).toBe(1201)
    expect(api.calls.filter(({ verb }) => verb === 'list')).toHaveLength(3)
  })

  it('goes on from where it was when a watch ends', async () => {
    const { clock, server, put, reflector, api } = reflecting()
    await clock.advanceBy(100)
    server.cutWatches()
    put('a')
    await clock.advanceBy(2000)
    expect(reflector.size).toBe(1)
    expect(api.calls.filter(({ verb }) => verb === 'list')).toHaveLength(1)
  })

  it('reads everything again when its version has expired, and notices what is gone', async () => {
    const { clock, server, put, remove, changes } = reflecting()
    put('a')
    await clock.advanceBy(100)
    server.holdWatches()
    remove('a')
    put('b')
    server.cutWatches()
    server.compact()
    server.releaseWatches()
    await clock.advanceBy(5000)
    expect(changes.sort()).toEqual(['default/a gone', 'default/a new', 'default/b new'])
  })

  it('reads everything again from time to time', async () => {
    const { clock, api } = reflecting(null, 1_800_000)
    await clock.advanceBy(3_700_000)
    expect(api.calls.filter(({ verb }) => verb === 'list')).toHaveLength(3)
  })

  it('asks less and less often while it fails', async () => {
    const { clock, failures } = reflecting(() => ({ kind: 'broken' }))
    await clock.advanceBy(600_000)
    expect(failures.length).toBeGreaterThan(10)
    expect(failures.length).toBeLessThan(40)
  })

  it('does not turn round and round when watches end at once', async () => {
    const { clock, api } = reflecting(({ verb }) => (verb === 'watch' ? { kind: 'cut' } : null))
    await clock.advanceBy(60_000)
    expect(api.calls.length).toBeLessThan(20)
  })
})

describe('what we wrote ourselves', () => {
  it('is known before the watch tells', async () => {
    const { clock, server, reflector, put, holder, change } = reflecting()
    put('a')
    await clock.advanceBy(100)
    server.holdWatches()
    reflector.note(change('a', 'us'))
    expect(holder('a')).toBe('us')
  })

  it('does not come back after the watch told that it is gone', async () => {
    const { clock, reflector, put, remove } = reflecting()
    await clock.advanceBy(100)
    const created = put('a')
    remove('a')
    await clock.advanceBy(100)
    reflector.note(created)
    expect(reflector.size).toBe(0)
  })

  it('is not undone by older news', async () => {
    const { clock, server, reflector, put, change, remove, holder } = reflecting()
    put('a')
    await clock.advanceBy(100)
    server.holdWatches()
    change('a', 'before')
    remove('a')
    reflector.note(put('a'))
    reflector.note(change('a', 'us'))
    server.releaseWatches()
    await clock.advanceBy(100)
    expect(holder('a')).toBe('us')
  })
})
