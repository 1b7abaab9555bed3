import { IncompatibleStateError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { type DecodedState, decodeState } from './decode-state.js'
import { type Migration, type Migrations, migrations } from './migrations.js'
import type { StateFields } from './state-fields.js'

const identity = '/etc/krond.d/backup:nightly'
const foreign: StateFields = {
  Version: '1',
  Identity: identity,
  LastHandledPeriodID: '2026-03-01T02:00:00Z',
  LastOutcome: 'executed',
  LastChosenTime: '2026-03-01T02:32:20Z',
  LastNominalTime: '2026-03-01T02:00:00Z',
  ActiveExecution: null,
}

function decodeFields(fields: unknown, table: Migrations = migrations): DecodedState {
  const bytes = new TextEncoder().encode(JSON.stringify(fields))
  return decodeState(bytes, { file: '/s/x.json', identity, migrations: table })
}

describe('a state file of another version', () => {
  const older: StateFields = { ...foreign, Version: '0.9' }
  const forgetful: StateFields = {
    ...foreign,
    LastHandledPeriodID: '',
    LastOutcome: '',
    LastChosenTime: '',
    LastNominalTime: '',
  }
  const to = (Version: string) => (fields: StateFields) => ({ ...fields, Version })

  it('is migrated step by step', () => {
    const table: Migrations = new Map([
      ['0.8', to('0.9')],
      ['0.9', to('1')],
    ])
    expect(decodeFields({ ...foreign, Version: '0.8' }, table)).toEqual(decodeFields(foreign))
  })

  it('gives a migration nothing but its fields, and is the same each time', () => {
    const given: unknown[][] = []
    const migration = (...all: [StateFields]): StateFields => {
      given.push(structuredClone(all))
      return to('1')(...all)
    }
    const table: Migrations = new Map([['0.9', migration]])
    const [first, second] = [decodeFields(older, table), decodeFields(older, table)]
    expect(given).toEqual([[older], [older]])
    expect(second).toEqual(first)
    expect(first).toEqual(decodeFields(foreign))
  })

  const known = '"1", "0.9"'
  const keeping = 'a migration from version "0.9" that keeps the handled period'
  it.each<[string, Migrations, object, string]>([
    [
      'is not known',
      new Map([['0.8', to('1')]]),
      { field: 'Version', value: '0.9', version: '0.9' },
      '"1", "0.8"',
    ],
    [
      'ends at a version that is not known',
      new Map([['0.9', to('0.95')]]),
      { field: 'Version', value: '0.95', version: '0.9' },
      known,
    ],
    [
      'goes round in circles',
      new Map([['0.9', to('0.9')]]),
      { field: 'Version', value: '0.9', version: '0.9' },
      known,
    ],
    [
      'loses the handled period',
      new Map([['0.9', () => forgetful]]),
      { field: 'LastHandledPeriodID', value: '2026-03-01T02:00:00Z', version: '0.9' },
      keeping,
    ],
    [
      'throws',
      new Map([['0.9', throwing]]),
      { field: 'Version', value: '0.9', version: '0.9' },
      keeping,
    ],
    [
      'answers nothing',
      new Map([['0.9', () => null as unknown as StateFields]]),
      { field: 'LastHandledPeriodID', version: '0.9' },
      keeping,
    ],
  ])('is refused when the migration %s', (_, table, details, allowed) => {
    const refused = (): unknown => decodeFields(older, table)
    expect(refused).toThrow(IncompatibleStateError)
    expect(refused).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(` must be ${allowed}, got `),
        details: expect.objectContaining({ ...details, allowed, path: '/s/x.json' }),
      }),
    )
  })

  it('is refused with the reason when the migration throws, and without one otherwise', () => {
    const causeOf = (migration: Migration): unknown => {
      try {
        return decodeFields(older, new Map([['0.9', migration]]))
      } catch (error) {
        return (error as Error).cause
      }
    }
    expect(causeOf(throwing)).toEqual(new RangeError('no'))
    expect(causeOf(() => forgetful)).toBeUndefined()
  })

  it('may have had no handled period at all', () => {
    const { LastHandledPeriodID: _, ...before } = older
    const table: Migrations = new Map([['0.9', () => foreign]])
    expect(decodeFields(before, table)).toEqual(decodeFields(foreign))
  })
})

function throwing(): never {
  throw new RangeError('no')
}
