import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../kube/index.js'
import { failureText, missedReason } from './attempt.js'

describe('why a try failed', () => {
  it.each([
    ['refused: over quota', new ApiFailure('over quota', { status: 403 })],
    ['no answer: reset', new ApiFailure('reset', { status: null })],
    ['no answer: broken', new Error('broken')],
    ['no answer: 7', 7],
  ])('is %j', (text, error) => {
    expect(failureText(error)).toBe(text)
  })

  it('is told with how late it was, if it is known, and not at any length', () => {
    expect(missedReason('5m late', null)).toBe('5m late')
    expect(missedReason('5m late', 'refused: no')).toBe('5m late; refused: no')
    const long = missedReason('5m late', 'x'.repeat(1000))
    expect(long).toBe(`5m late; ${'x'.repeat(491)}`)
  })
})
