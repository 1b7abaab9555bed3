import { expect, it } from 'vitest'
import { byCron, sampleEndpoint } from '../../test/sample-endpoint.js'
import { scheduleOnly } from './schedule-only.js'

it('leaves an endpoint its schedule and its limits, and nothing that is sent', () => {
  const limits = { minIntervalMs: 5, concurrency: 'allow' } as const
  const body = { kind: 'text', content: 'x'.repeat(100_000), contentType: null } as const
  const whole = sampleEndpoint({ ...byCron('0 3 * * *'), ...limits, body, headers: { a: 'b' } })
  const bare = scheduleOnly(whole)
  expect(bare.definition).toMatchObject({ ...limits, baseline: whole.definition.baseline })
  expect(JSON.stringify(bare).length).toBeLessThan(1000)
})
