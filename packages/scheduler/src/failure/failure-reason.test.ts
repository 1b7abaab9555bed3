import { describe, expect, it } from 'vitest'
import { failureReason } from './failure-reason.js'

const caused = (depth: number): Error =>
  new Error(`level ${depth}`, depth === 0 ? {} : { cause: caused(depth - 1) })

describe('the reason of a failure as plain data', () => {
  it('has what caused it, down to the eighth cause', () => {
    let reason = failureReason(caused(20))
    const messages = [reason.message]
    while (reason.cause !== undefined) {
      reason = reason.cause
      messages.push(reason.message)
    }
    expect(messages).toEqual(Array.from({ length: 9 }, (_, depth) => `level ${20 - depth}`))
  })

  it('has the first ten of many errors', () => {
    const many = Array.from({ length: 1000 }, (_, number) => new Error(`${number}`))
    const { errors = [] } = failureReason(new AggregateError(many, 'all'))
    expect(errors.map(({ message }) => message).join('')).toBe('0123456789')
  })

  it('has at most 10,000 characters of a text', () => {
    const long = 'x'.repeat(20_000)
    const { message, stack } = failureReason(new Error(long))
    expect(message).toBe('x'.repeat(10_000))
    expect(stack).toHaveLength(10_000)
    expect(failureReason(long).message).toBe('x'.repeat(10_000))
  })
})
