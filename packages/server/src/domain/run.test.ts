import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from './id.js'
import { parseRunId, runId } from './run.js'

const endpointId = newId('ep', 5)

describe('the id of a run', () => {
  it('spells out its key', () => {
    const check = fc.property(fc.integer({ min: 0, max: 8.64e15 }), (scheduledFor) => {
      const key = { endpointId, scheduledFor }
      expect(parseRunId(runId(key))).toEqual(key)
    })
    fc.assert(check, { numRuns: 500, seed: 5 })
  })

  it.each([
    '',
    'run_',
    `run_${endpointId.slice(3)}`,
    `run_${endpointId.slice(3)}_`,
    `run_${endpointId.slice(3)}_zzzzzzzzzzz`,
    `run_${endpointId.slice(3)}_12_3`,
    `run_${endpointId.slice(3)}_-1`,
    `run_${endpointId.slice(3)}_A`,
    `run_${'u'.repeat(26)}_1`,
    `ep_${endpointId.slice(3)}_1`,
    ` run_${endpointId.slice(3)}_1`,
    `run_${endpointId.slice(3)}_1\n`,
  ])('is not %j', (text) => {
    expect(parseRunId(text)).toBeNull()
  })
})
