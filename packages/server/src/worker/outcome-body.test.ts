import { describe, expect, it } from 'vitest'
import { sampleId, sampleNow } from '../../test/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../test/sample-outcome.js'
import type { Outcome } from '../scheduling/index.js'
import { withoutBody } from './outcome-body.js'

const run = {
  endpointId: sampleId,
  tenantId: 'ten_00000000000000000000000001',
  scheduledFor: sampleNow,
  fence: 1,
  overlapping: false,
}

const outcomeWith = (response: Outcome['response']): Outcome =>
  sampleOutcome(run, sampleNow, { response })

describe('an outcome without its body', () => {
  it('keeps the rest of its response, and says that it is cut off where it is', () => {
    const whole = outcomeWith({ ...emptyResponse!, body: Buffer.from('hello') })
    expect(withoutBody(whole)).toEqual(outcomeWith(emptyResponse))
    const cut = { ...emptyResponse!, truncated: true }
    expect(withoutBody(whole, { truncated: true })).toEqual(outcomeWith(cut))
  })

  it.each([
    ['no response', null],
    ['an empty body', emptyResponse],
  ])('with %s is what it was', (_, response) => {
    const outcome = outcomeWith(response)
    expect(withoutBody(outcome, { truncated: true })).toEqual(outcomeWith(response))
  })
})
