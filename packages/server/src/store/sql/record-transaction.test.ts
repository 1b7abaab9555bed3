import { describe, expect, it } from 'vitest'
import { sampleNow, sampleRun } from '../../../testing/sample-endpoint.js'
import { sampleOutcome } from '../../../testing/sample-outcome.js'
import { Memory } from '../../../testing/store/sql/memory-conformance.js'
import { strictRules } from '../../../testing/store/sql/rules-conformance.js'
import type { Outcome } from '../../scheduling/index.js'
import type { TakenRun } from './hot-statements.js'
import { recordOutcomes } from './record-transaction.js'

/** Runs that are under way, and what is locked while their outcomes are written. */
function underWay(busy: readonly string[] = []) {
  const memory = new Memory()
  const locked: string[] = []
  const begin = (endpointId: string, overlapping: boolean): Outcome => {
    const run = sampleRun(sampleNow, { endpointId, status: 'running', attempts: 0 })
    memory.put(run, { ...run, overlapLease: overlapping ? sampleNow : null })
    return sampleOutcome({ ...run, overlapping }, sampleNow)
  }
  const lockFreePlans = async () => ({ plans: [], busy: new Set(busy) })
  const lockRuns = async (runs: readonly TakenRun[]) => {
    locked.push(runs.map(({ endpointId }) => endpointId).join())
  }
  const rows = { ...memory.at(sampleNow), lockFreePlans, lockRuns }
  const record = async (...outcomes: readonly Outcome[]) =>
    (await recordOutcomes(rows, outcomes, strictRules(), () => null)).answer.answers
  return { memory, begin, record, locked }
}

describe('recording', () => {
  // Their plans do not hold them: without it one would be lost and end well at the same time.
  it('locks the runs that may overlap, and no others', async () => {
    const { begin, record, locked } = underWay()
    expect(await record(begin('ep_1', false))).toEqual(['recorded'])
    expect(locked).toEqual([])
    const both = [begin('ep_2', false), begin('ep_3', true)]
    expect(await record(...both)).toEqual(['recorded', 'recorded'])
    expect(locked).toEqual(['ep_3'])
  })

  it('leaves the runs of an endpoint alone that somebody is changing', async () => {
    const { memory, begin, record, locked } = underWay(['ep_1'])
    const changing = begin('ep_1', true)
    expect(await record(changing, begin('ep_2', true))).toEqual(['busy', 'recorded'])
    expect(locked).toEqual(['ep_2'])
    expect(memory.run(changing)).toMatchObject({ status: 'running' })
  })
})
