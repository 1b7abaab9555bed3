import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TaskTryDeserializeError } from '../errors/index.js'
import { decodeRecord } from './decode-record.js'
import { newRecord, type TaskRecord } from './task-record.js'

const record = newRecord(0, { name: 'a', expression: '0 * * * *', retryDelayMs: 1000 })
const instants = fc.option(fc.integer({ min: -8.64e15, max: 8.64e15 }), { nil: null })

const records: fc.Arbitrary<TaskRecord> = fc.record({
  id: fc.nat(),
  name: fc.string({ minLength: 1 }),
  expression: fc.string(),
  retryDelayMs: fc.nat(),
  lastAttemptAt: instants,
  lastSuccessAt: instants,
  lastFailureAt: instants,
  pendingRetryUntil: instants,
  runningInstance: fc.option(fc.string(), { nil: null }),
  madeUpFor: fc.option(fc.string(), { nil: null }),
})

describe('a stored record', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(records, (some) => {
        expect(decodeRecord(some)).toEqual(some)
        expect(decodeRecord(JSON.parse(JSON.stringify(some)))).toEqual(some)
      }),
      { numRuns: 300, seed: 20_260_302 },
    )
  })

  it('is read without what a later version may have added', () => {
    expect(decodeRecord({ ...record, colour: 'blue' })).toEqual(record)
  })

  it('may lack what earlier versions did not have', () => {
    const { madeUpFor, ...earlier } = record
    expect(decodeRecord(earlier)).toEqual({ ...record, madeUpFor })
  })

  it('that is anything else is refused with an error of its own kind, and nothing worse', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(record)), (value, field) => {
        for (const stored of [value, { ...record, [field]: value }]) {
          try {
            decodeRecord(stored)
          } catch (error) {
            expect(error).toBeInstanceOf(TaskTryDeserializeError)
          }
        }
      }),
      { numRuns: 500, seed: 20_260_303 },
    )
  })

  it.each([8.64e15, -8.64e15, 0])('may have the instant %d', (at) => {
    expect(decodeRecord({ ...record, lastAttemptAt: at }).lastAttemptAt).toBe(at)
  })

  it('may have an expression that is not valid any more: the registration decides', () => {
    expect(decodeRecord({ ...record, expression: 'x' }).expression).toBe('x')
  })
})
