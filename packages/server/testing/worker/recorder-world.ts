import { VirtualClock } from '@kron/runtime/testing'
import type { Outcome, Planning } from '../../src/scheduling/index.js'
import { type RecordAnswer, type Recorded, type Store, StoreError } from '../../src/store/index.js'
import { Recorder } from '../../src/worker/recorder.js'
import { sampleNow } from '../sample-endpoint.js'
import { sampleOutcome } from '../sample-outcome.js'

export const gatherMs = 20

const outcome = (n: number, overlapping = false): Outcome => {
  const endpointId = `ep_${String(n).padStart(26, '0')}`
  const key = { endpointId, tenantId: 'ten_00000000000000000000000001', scheduledFor: sampleNow }
  return sampleOutcome({ ...key, fence: 1, overlapping }, sampleNow)
}

/** Of runs that overlap: `2b` is the second run of endpoint 2. */
const overlapping = (name: string): Outcome => {
  const scheduledFor = sampleNow + name.charCodeAt(1) - 'a'.charCodeAt(0)
  return { ...outcome(Number(name[0]), true), scheduledFor }
}

const nameOf = (one: Outcome): string =>
  `${numberOf(one)}${String.fromCharCode('a'.charCodeAt(0) + one.scheduledFor - sampleNow)}`

export const withBody = (n: number, bytes: number): Outcome => {
  const response = { httpStatus: 200, headers: {}, truncated: false, body: new Uint8Array(bytes) }
  return { ...outcome(n), response }
}

export const numberOf = ({ endpointId }: Outcome): number => Number(endpointId.slice(3))

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)

const away = () => new StoreError('unavailable', 'away', 'unknown')

/** A recorder in virtual time. The store takes `writeMs`, and fails while `isAway`. */
export function setUp({ maxAtOnce = 100, writeMs = 0 } = {}) {
  const clock = new VirtualClock(0)
  const now = () => clock.now().getTime()
  const world = {
    clock,
    isAway: false,
    rushedUntil: 0,
    answer: 'recorded' as Recorded,
    /** Runs whose endpoints somebody is changing. */
    busy: new Set<number>(),
    /** Runs of any endpoint that are busy by their place among its runs, from 1 on. */
    busyAt: new Set<number>(),
    /** What the store refuses for good. */
    isRefused: (_outcomes: readonly Outcome[]): boolean => false,
    refusal: new RangeError('Invalid string length') as Error,
    /** What was sent to the store, and when. */
    batches: [] as { readonly at: number; readonly runs: number[] }[],
    /** The same by the names of `overlap`. */
    overlaps: [] as string[][],
    recorded: [] as [number, Recorded][],
    heard: [] as [now: number, sentAt: number, count: number][],
    failures: [] as number[],
    onRecorded: (_outcome: Outcome): void => undefined,
    /** Five outcomes a millisecond. */
    rush: async (ms: number) => {
      for (let passed = 0; passed < ms; passed++) {
        world.add(...range(passed * 5 + 1, passed * 5 + 5))
        await clock.advanceBy(1)
      }
    },
    add: (...runs: number[]) => {
      for (const run of runs) world.recorder.add(outcome(run))
    },
    overlap: (...names: string[]) => {
      for (const name of names) world.recorder.add(overlapping(name))
    },
    recorder: null as unknown as Recorder,
  }
  const record = async (outcomes: readonly Outcome[]): Promise<RecordAnswer> => {
    world.batches.push({ at: now(), runs: outcomes.map(numberOf) })
    world.overlaps.push(outcomes.map(nameOf))
    if (writeMs > 0) await clock.sleep(writeMs)
    if (world.isAway) throw away()
    if (world.isRefused(outcomes)) throw world.refusal
    const isBusy = (one: Outcome): boolean =>
      world.busy.has(numberOf(one)) || world.busyAt.has(one.scheduledFor - sampleNow + 1)
    const answers = outcomes.map((one) => (isBusy(one) ? 'busy' : world.answer))
    return { now: sampleNow, answers, nextWakeAt: null }
  }
  world.recorder = new Recorder({
    store: { record } as Partial<Store> as Store,
    planning: {} as Planning,
    clock,
    maxAtOnce,
    gatherMs,
    isRushed: () => now() < world.rushedUntil,
    elapsed: now,
    onRecorded: (one, answer) => {
      world.recorded.push([numberOf(one), answer])
      world.onRecorded(one)
    },
    onBatch: (answer, sentAt, count) => void world.heard.push([answer.now, sentAt, count]),
    onFailure: (_error, waiting) => void world.failures.push(waiting),
  })
  return world
}
