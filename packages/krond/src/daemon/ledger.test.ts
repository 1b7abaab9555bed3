import { PersistenceError } from '@kron/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { emptyState, type JobState } from '../state/index.js'
import { JobRecord } from './job-record.js'
import { Ledger } from './ledger.js'

const at = Date.parse('2026-03-01T10:00:00Z')
const failure = new PersistenceError('KRON_PERSISTENCE', 'no', { field: 'state' })
const skipped = (nominal: number) => (state: JobState) => ({
  ...state,
  last: { nominal, outcome: 'skipped' as const, chosen: nominal },
})

describe('a change of state', () => {
  let record: JobRecord
  let saved: (number | undefined)[]
  let broken: unknown[]
  let isFull: boolean
  let ledger: Ledger

  beforeEach(() => {
    const job = sampleJob('0 * * * *')
    record = new JobRecord(job, emptyState(job.identity))
    saved = []
    broken = []
    isFull = false
    const save = async ({ last }: JobState): Promise<void> => {
      saved.push(last?.nominal)
      if (isFull) throw failure
    }
    ledger = new Ledger({ save }, (error, of) => broken.push(error, of))
  })

  it('is with the store at once, in the order of the changes', async () => {
    const changes = [at, at + 1].map((nominal) => ledger.change(record, nominal, skipped(nominal)))
    expect(saved).toEqual([at, at + 1])
    await Promise.all(changes)
    expect(broken).toEqual([])
  })

  it('that waits for its turn is written with those since', async () => {
    const turn = Promise.withResolvers<void>()
    const waiting = ledger.change(record, at, skipped(at), turn.promise)
    expect([record.handledThrough, saved]).toEqual([at, []])
    await ledger.change(record, at + 1, skipped(at + 1))
    turn.resolve()
    await waiting
    expect(saved).toEqual([at + 1, at + 1])
  })

  it('that can not be written is told with its job and period, and fails', async () => {
    isFull = true
    const concern = { identity: record.identity, period_id: '2026-03-01T10:00:00Z' }
    const error = await ledger.change(record, at, skipped(at)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: 'no', details: concern })
    expect(broken).toEqual([error, record])
  })
})
