import { PersistenceError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { emptyState, type JobState } from '../state/index.js'
import { JobRecord } from './job-record.js'
import { Ledger } from './ledger.js'
import { Places } from './places.js'
import { Responsibilities } from './responsibilities.js'
import { Rush } from './rush.js'

const failure = new PersistenceError('KRON_PERSISTENCE', 'no', { field: 'state' })
const newJobs = (count: number): JobRecord[] =>
  Array.from({ length: count }, (_, number) => {
    const job = sampleJob('0 * * * *', { name: `job-${number}` })
    return new JobRecord(job, emptyState(job.identity))
  })

describe('that jobs were seen for the first time', () => {
  let clock: VirtualClock
  let saved: string[]
  let isFull: boolean
  let responsibilities: Responsibilities

  beforeEach(() => {
    clock = new VirtualClock(Date.UTC(2026, 2, 1, 10))
    saved = []
    isFull = false
    const save = async ({ identity }: JobState): Promise<void> => {
      saved.push(identity)
      if (isFull) throw failure
    }
    const ledger = new Ledger({ save }, () => {})
    responsibilities = new Responsibilities({ clock }, ledger, new Rush(clock, new Places(1)))
  })

  it('holds at once, and is written when the daemon runs', async () => {
    const jobs = newJobs(100)
    for (const job of jobs) responsibilities.assume(job)
    await clock.advanceBy(60_000)
    expect(jobs.every((job) => job.responsibleSince === Date.UTC(2026, 2, 1, 10))).toBe(true)
    expect(saved).toEqual([])
    responsibilities.begin()
    await responsibilities.written()
    expect(saved).toEqual(jobs.map(({ identity }) => identity))
  })

  it('is left to the next daemon for those that waited when a write failed', async () => {
    const jobs = newJobs(40)
    responsibilities.begin()
    isFull = true
    for (const job of jobs.slice(0, 39)) responsibilities.assume(job)
    await responsibilities.written()
    expect(saved).toHaveLength(32)
    responsibilities.assume(jobs[39]!)
    await responsibilities.written()
    expect(saved.slice(32)).toEqual([jobs[39]!.identity])
  })
})
