import { describe, expect, it } from 'vitest'
import { sampleNow, sampleRun } from '../../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../../testing/sample-outcome.js'
import { outcomeText } from './run-row.js'

const run = { ...sampleRun(sampleNow), overlapping: false }
const outcome = { ...sampleOutcome(run, sampleNow), notes: [] }

describe('what an outcome leaves in the row of its run', () => {
  it('is nothing where there is nothing to tell', () => {
    expect(outcomeText(outcome)).toBeNull()
  })

  it('is only what there is to tell', () => {
    const told = JSON.parse(outcomeText({ ...outcome, response: emptyResponse })!)
    const response = { httpStatus: 200, headers: {}, bodyBytes: 0, truncated: false }
    expect(told).toEqual({ response })
  })
})
