import { PersistenceError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import {
  type CallKind,
  type Fault,
  type FaultPlan,
  FaultyDisk,
} from '../../testing/disk/faulty-disk.js'
import { MemoryDisk } from '../../testing/disk/memory-disk.js'
import type { JobState } from './job-state.js'
import { StateStore } from './state-store.js'
import { emptyState, handled } from './transitions.js'

const folder = '/s'
const clock = new VirtualClock(0)
const jobs = ['a', 'b']

function numbered(identity: string, number: number): JobState {
  const period = { nominal: number * 1000, outcome: 'missed', chosen: null } as const
  return handled(emptyState(identity), period, { at: 0, historyLength: 1 })
}

const storeOn = (disk: MemoryDisk | FaultyDisk): StateStore => {
  const store = new StateStore({ disk, folder, uid: 0, clock })
  store.open()
  return store
}

/** A source of numbers from 0 to 1 that is the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface Life {
  readonly memory: MemoryDisk
  readonly disk: FaultyDisk
  /** By job, the number of the latest save that resolved. */
  readonly durable: Map<string, number>
  readonly failures: unknown[]
}

/** Saves state 1 of two jobs on a good disk, then 2 and 3 of both on one that fails. */
async function live(plan: FaultPlan | null): Promise<Life> {
  const memory = new MemoryDisk()
  const first = storeOn(memory)
  for (const identity of jobs) await first.save(numbered(identity, 1))
  const disk = new FaultyDisk(memory, plan)
  const life = { memory, disk, durable: new Map(jobs.map((job) => [job, 1])), failures: [] }
  const failures: unknown[] = life.failures
  try {
    const store = storeOn(disk)
    for (const identity of jobs) expect(store.load(identity).kind).toBe('found')
    const saves = [2, 3].flatMap((number) =>
      jobs.map(async (identity) => {
        await store.save(numbered(identity, number))
        life.durable.set(identity, number)
      }),
    )
    for (const outcome of await Promise.allSettled(saves)) {
      if (outcome.status === 'rejected') failures.push(outcome.reason)
    }
  } catch (error) {
    failures.push(error)
  }
  return life
}

const faults: [string, Fault][] = [
  ['EIO', { kind: 'refused', code: 'EIO' }],
  ['ENOSPC', { kind: 'refused', code: 'ENOSPC' }],
  ['EMFILE', { kind: 'refused', code: 'EMFILE' }],
  ['a failure that was none', { kind: 'done-but-failed', code: 'EIO' }],
  ['a short write', { kind: 'short-write' }],
]

const matrix = faults.flatMap(([name, fault]) =>
  [false, true].map((forever) => ({ name, fault, forever, often: forever ? 'for ever' : 'once' })),
)

describe('a disk that fails at any call', () => {
  it.each(matrix)('leaves the old or the new state: $name, $often', async ({ fault, forever }) => {
    const { disk: healthy } = await live(null)
    const calls = healthy.calls.length
    expect(calls).toBeGreaterThan(25)
    let lost = 0
    for (let call = 1; call <= calls; call++) {
      for (let seed = 0; seed < 24; seed++) {
        const { memory, durable, failures } = await live({ fault, call, forever })
        for (const failure of failures) expect(failure).toBeInstanceOf(PersistenceError)
        memory.crash(seed === 0 ? () => 0 : seed === 1 ? () => 0.999 : randomFrom(seed * 7919))
        const store = storeOn(memory)
        for (const identity of jobs) {
          const saved = durable.get(identity)!
          const possible = [1, 2, 3].filter((number) => number >= saved)
          const loaded = store.load(identity)
          expect(loaded.kind).toBe('found')
          const number = loaded.kind === 'found' ? (loaded.state.last?.nominal ?? 0) / 1000 : 0
          expect(possible).toContain(number)
          if (number < 3) lost++
        }
      }
    }
    // Without this a disk that never fails would pass as well.
    if (fault.kind === 'short-write' && !forever) expect(lost).toBe(0)
    if (fault.kind === 'refused') expect(lost).toBeGreaterThan(0)
  })

  const operationOf: Partial<Record<CallKind, string>> = {
    replace: 'rename',
    syncFolder: 'sync folder',
  }
  const writing: CallKind[] = ['create', 'write', 'sync', 'close', 'replace', 'syncFolder']

  it.each(writing)('says what failed, and is not asked again after a failed %s', async (of) => {
    const memory = new MemoryDisk()
    const disk = new FaultyDisk(memory, { fault: { kind: 'refused', code: 'EIO' }, call: 1, of })
    const store = storeOn(disk)
    const first = store.save(numbered('a', 1))
    const second = store.save(numbered('a', 2))
    await expect(first).rejects.toBeInstanceOf(PersistenceError)
    await expect(first).rejects.toMatchObject({
      code: 'KRON_PERSISTENCE',
      details: { operation: operationOf[of] ?? of, errno: 'EIO' },
      cause: { code: 'EIO' },
    })
    const asked = disk.calls.length
    await expect(second).rejects.toMatchObject({
      code: 'KRON_PERSISTENCE',
      details: { path: expect.any(String) },
    })
    await expect(store.save(numbered('b', 1))).rejects.toBeInstanceOf(PersistenceError)
    expect(disk.calls.length).toBe(asked)
    await store.idle()
  })

  it('closes the file when a write or a sync fails', async () => {
    for (const of of ['write', 'sync'] as const) {
      const fault: Fault = { kind: 'refused', code: 'ENOSPC' }
      const disk = new FaultyDisk(new MemoryDisk(), { fault, call: 1, of })
      await expect(storeOn(disk).save(numbered('a', 1))).rejects.toThrow('ENOSPC')
      expect(disk.calls.at(-1)?.kind).toBe('close')
    }
  })

  it('fails all saves that wait for the sync of the folder, the next one too', async () => {
    const fault: Fault = { kind: 'refused', code: 'EIO' }
    const disk = new FaultyDisk(new MemoryDisk(), { fault, call: 1, of: 'syncFolder' })
    const store = storeOn(disk)
    const saves = Array.from({ length: 20 }, (_, index) => store.save(numbered(`job ${index}`, 1)))
    const outcomes = await Promise.allSettled(saves)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(disk.calls.filter(({ kind }) => kind === 'syncFolder')).toHaveLength(1)
  })

  it('fails a save of which a write takes nothing', async () => {
    const fault: Fault = { kind: 'short-write' }
    const disk = new FaultyDisk(new MemoryDisk(), { fault, call: 1, of: 'write', forever: true })
    await expect(storeOn(disk).save(numbered('a', 1))).rejects.toThrow('nothing was written')
  })

  it('fails a save of what could not be read back, and writes nothing', async () => {
    const disk = new FaultyDisk(new MemoryDisk(), null)
    const store = storeOn(disk)
    const save = store.save(numbered('a', Number.NaN))
    await expect(save).rejects.toMatchObject({ details: { operation: 'encode' } })
    expect(disk.calls.filter(({ kind }) => kind === 'create')).toEqual([])
  })
})

describe('a life that died before its last change was durable', () => {
  /** State 2 has its name, but not yet for ever; then another life begins to save state 3. */
  async function secondLife(call: number): Promise<MemoryDisk> {
    const memory = new MemoryDisk()
    const whole = new FaultyDisk(memory, null)
    await storeOn(whole).save(numbered('a', 1))
    const renamed = new FaultyDisk(memory, {
      fault: { kind: 'refused', code: 'EIO' },
      call: whole.calls.filter(({ kind }) => kind === 'syncFolder').length,
      of: 'syncFolder',
    })
    await expect(storeOn(renamed).save(numbered('a', 2))).rejects.toThrow()
    const store = storeOn(
      new FaultyDisk(memory, { fault: { kind: 'refused', code: 'EIO' }, call, forever: true }),
    )
    await store.save(numbered('a', 3)).catch(() => undefined)
    return memory
  }

  it('leaves a state to the next one, even if that loses power', async () => {
    for (let call = 4; call <= 12; call++) {
      for (let seed = 1; seed <= 40; seed++) {
        const memory = await secondLife(call)
        memory.crash(randomFrom(seed * 7919))
        expect(storeOn(memory).load('a')).toMatchObject({ kind: 'found' })
      }
    }
  })
})
