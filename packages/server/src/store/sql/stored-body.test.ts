import { describe, expect, it } from 'vitest'
import { sampleNow, sampleRun } from '../../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../../testing/sample-outcome.js'
import type { Outcome } from '../../scheduling/index.js'
import { storedBodies, unpackBody } from './stored-body.js'

const run = { ...sampleRun(sampleNow), overlapping: false }

/** A run that was answered with so many bytes, which are all the same. */
function answered(bytes: number): Outcome & { readonly response: { readonly body: Uint8Array } } {
  const response = { ...emptyResponse!, body: new Uint8Array(bytes).fill(7) }
  return { ...sampleOutcome(run, sampleNow), response }
}

async function stored(bytes: number): Promise<Uint8Array> {
  const outcome = answered(bytes)
  return (await storedBodies([outcome]))(outcome)!
}

describe('the body of a response', () => {
  it('is stored as it is while it is small, and compressed from 512 bytes on', async () => {
    expect(await stored(511)).toHaveLength(512)
    expect((await stored(512)).byteLength).toBeLessThan(100)
  })

  it('is compressed before the transaction begins when it is large', async () => {
    const outcome = answered(16 * 1024)
    const bodyOf = await storedBodies([sampleOutcome(run, sampleNow), outcome])
    const { body } = outcome.response
    const before = body.slice()
    // What comes later is not read any more.
    body.fill(0)
    expect(unpackBody(bodyOf(outcome)!)).toEqual(before)
  })
})
