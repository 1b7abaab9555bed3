import { type Span, trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { parentOf, traceParentOf } from './trace-parent.js'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const header = `00-${traceId}-${spanId}-01`

it('of a span is what its request says', () => {
  const span: Span = trace.wrapSpanContext({ traceId, spanId, traceFlags: 1 })
  expect(traceParentOf(span)).toBe(header)
})

it.each([
  [header, 1],
  [`00-${traceId}-${spanId}-00`, 0],
  [`00-${traceId}-${spanId}-03`, 1],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, 1],
])('%s is read', (text, traceFlags) => {
  const parent = trace.getSpanContext(parentOf(text))
  expect(parent).toEqual({ traceId, spanId, traceFlags, isRemote: true })
})

it.each([
  undefined,
  '',
  'x',
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-1`,
])('%s has no parent', (text) => {
  expect(trace.getSpanContext(parentOf(text))).toBeUndefined()
})
