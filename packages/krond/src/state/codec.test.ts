import { IncompatibleStateError, PersistenceError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumOf } from './checksum.js'
import { type DecodedState, decodeState } from './decode-state.js'
import { encodeState } from './encode-state.js'
import { type ActiveExecution, type JobState, outcomes } from './job-state.js'
import { type Migrations, migrations } from './migrations.js'
import type { StateFields } from './state-fields.js'
import { emptyState, withRunningHandled } from './transitions.js'

const identity = '/etc/krond.d/backup:döner "1"'
const at = (text: string): number => Date.parse(text)

const execution: ActiveExecution = {
  nominal: at('2026-03-01T02:00:00Z'),
  chosen: at('2026-03-01T02:32:20Z'),
  startedAt: at('2026-03-01T02:32:20.004Z'),
  process: { pid: 4711, startTicks: 123456789, bootId: '0f6b4e0a-8f6e-4a8e-9a5c-3a1d5c1b2e77' },
}

const full: JobState = {
  identity,
  responsibility: { timing: '5f3a', since: at('2026-02-20T10:00:00.250Z') },
  last: { nominal: execution.nominal, outcome: 'executed', chosen: execution.chosen },
  active: execution,
  others: [{ ...execution, nominal: 0, process: { pid: 1, startTicks: null, bootId: null } }],
  history: [
    { nominal: 0, outcome: 'executed', chosen: 60_000, completedAt: 90_000, exitCode: -1 },
    { nominal: 5000, outcome: 'unschedulable', chosen: null, completedAt: 5000, exitCode: null },
  ],
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function decode(bytes: Uint8Array, table: Migrations = migrations): DecodedState {
  return decodeState(bytes, { file: '/s/x.json', identity, migrations: table })
}

/** A file as other software of the same schema writes it: without our own fields. */
const foreign: StateFields = {
  Version: '1',
  Identity: identity,
  LastHandledPeriodID: '2026-03-01T02:00:00Z',
  LastOutcome: 'executed',
  LastChosenTime: '2026-03-01T02:32:20Z',
  LastNominalTime: '2026-03-01T02:00:00Z',
  ActiveExecution: {
    PeriodID: '2026-03-01T02:00:00Z',
    PID: 4711,
    StartedAt: '2026-03-01T02:32:20Z',
    ChosenTime: '2026-03-01T02:32:20Z',
  },
}

const decodeFields = (fields: unknown, table?: Migrations): DecodedState =>
  decode(bytesOf(JSON.stringify(fields, null, 2)), table)

const instants = fc.integer({ min: at('0000-01-01T00:00:00Z'), max: at('9999-12-31T23:59:59Z') })
const integers = fc.maxSafeInteger()
const executions = fc.record({
  nominal: instants,
  chosen: instants,
  startedAt: instants,
  process: fc.record({
    pid: fc.integer({ min: 1, max: 2 ** 22 }),
    startTicks: fc.option(fc.maxSafeNat()),
    bootId: fc.option(fc.string({ unit: 'binary' })),
  }),
})
const period = {
  nominal: instants,
  outcome: fc.constantFrom(...outcomes),
  chosen: fc.option(instants),
}
const states: fc.Arbitrary<JobState> = fc.record({
  identity: fc.string({ unit: 'binary' }),
  responsibility: fc.option(fc.record({ timing: fc.string({ unit: 'binary' }), since: instants })),
  last: fc.option(fc.record(period)),
  active: fc.option(executions),
  others: fc.array(executions),
  history: fc.array(fc.record({ ...period, completedAt: instants, exitCode: fc.option(integers) })),
})

describe('a state file', () => {
  it('has the fields of the schema in their order, on one line', () => {
    expect(textOf(encodeState(full))).toBe(
      '{"Version":"1","Identity":"/etc/krond.d/backup:döner \\"1\\"",' +
        '"Timing":"5f3a","ResponsibleSince":"2026-02-20T10:00:00.250Z",' +
        '"LastHandledPeriodID":"2026-03-01T02:00:00Z","LastOutcome":"executed",' +
        '"LastChosenTime":"2026-03-01T02:32:20Z","LastNominalTime":"2026-03-01T02:00:00Z",' +
        '"ActiveExecution":{"PeriodID":"2026-03-01T02:00:00Z","PID":4711,' +
        '"StartedAt":"2026-03-01T02:32:20.004Z","ChosenTime":"2026-03-01T02:32:20Z",' +
        '"StartTicks":123456789,"BootID":"0f6b4e0a-8f6e-4a8e-9a5c-3a1d5c1b2e77"},' +
        '"OtherActive":[{"PeriodID":"1970-01-01T00:00:00Z","PID":1,' +
        '"StartedAt":"2026-03-01T02:32:20.004Z","ChosenTime":"2026-03-01T02:32:20Z",' +
        '"StartTicks":null,"BootID":null}],' +
        '"History":[{"PeriodID":"1970-01-01T00:00:00Z","Outcome":"executed",' +
        '"NominalTime":"1970-01-01T00:00:00Z","ChosenTime":"1970-01-01T00:01:00Z",' +
        '"CompletedAt":"1970-01-01T00:01:30Z","ExitCode":-1},' +
        '{"PeriodID":"1970-01-01T00:00:05Z","Outcome":"unschedulable",' +
        '"NominalTime":"1970-01-01T00:00:05Z","ChosenTime":"",' +
        '"CompletedAt":"1970-01-01T00:00:05Z","ExitCode":null}],' +
        '"Checksum":"2e263e4a117bf603"}\n',
    )
  })

  it('has empty texts before the first period', () => {
    expect(JSON.parse(textOf(encodeState(emptyState(identity))))).toMatchObject({
      LastHandledPeriodID: '',
      LastOutcome: '',
      LastChosenTime: '',
      LastNominalTime: '',
      ActiveExecution: null,
      History: [],
    })
  })

  it('is read back as the state that was written', () => {
    fc.assert(
      fc.property(states, (state) => {
        const source = { file: 'f', identity: state.identity, migrations }
        const read = { kind: 'state', state: withRunningHandled(state) }
        expect(decodeState(encodeState(state), source)).toEqual(read)
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused when it could not be read back', () => {
    const broken: JobState[] = [
      {
        ...full,
        last: { nominal: at('9999-12-31T23:59:59Z') + 1000, outcome: 'missed', chosen: 0 },
      },
      { ...full, last: { nominal: 0.5, outcome: 'missed', chosen: 0 } },
      { ...full, active: { ...execution, process: { ...execution.process, pid: Number.NaN } } },
      { ...full, active: { ...execution, process: { ...execution.process, pid: 0 } } },
      { ...full, identity: 'x'.repeat(1024 * 1024) },
    ]
    for (const state of broken) expect(() => encodeState(state)).toThrow(PersistenceError)
  })

  it('is accepted from other software of the same schema', () => {
    const process = { pid: 4711, startTicks: null, bootId: null }
    const startedAt = execution.chosen
    const active = { ...execution, startedAt, process }
    const nothing = { responsibility: null, others: [], history: [] }
    const state = { identity, last: full.last, active, ...nothing }
    expect(decodeFields(foreign)).toEqual({ kind: 'state', state })
  })

  it('has no ActiveExecution where nothing runs, or null', () => {
    const { ActiveExecution: _, ...idle } = foreign
    const decoded = decodeFields(idle)
    expect(decoded).toMatchObject({ kind: 'state', state: { last: full.last, active: null } })
    expect(decodeFields({ ...foreign, ActiveExecution: null })).toEqual(decoded)
  })

  it.each([
    ['an earlier period', { LastHandledPeriodID: '2026-03-01T01:00:00Z' }],
    ['no period', { LastHandledPeriodID: '', LastOutcome: '', LastChosenTime: '' }],
  ])('that has %s as handled has the one that runs as executed', (_, handled) => {
    const LastNominalTime = handled.LastHandledPeriodID
    const { last } = full
    const decoded = decodeFields({ ...foreign, ...handled, LastNominalTime })
    expect(decoded).toMatchObject({
      kind: 'state',
      state: { last, active: { nominal: last!.nominal } },
    })
  })

  it('that has a later period as handled than the one that runs keeps that', () => {
    const later = '2026-03-01T03:00:00Z'
    const skipped = { LastHandledPeriodID: later, LastNominalTime: later, LastOutcome: 'skipped' }
    const last = { nominal: at(later), outcome: 'skipped' }
    expect(decodeFields({ ...foreign, ...skipped })).toMatchObject({ state: { last } })
  })

  it('may have fields of a later release if its checksum covers them', () => {
    const extended = { ...foreign, Later: 1 }
    expect(decodeFields(extended).kind).toBe('corrupt')
    const Checksum = checksumOf(JSON.stringify(extended))
    expect(decodeFields({ ...extended, Checksum })).toEqual(decodeFields(foreign))
  })
})

describe('a damaged state file', () => {
  /** Whether the damage was noticed, or changed nothing. */
  function isHarmless(damaged: Uint8Array, state: JobState): boolean {
    try {
      const decoded = decode(damaged)
      return decoded.kind === 'corrupt' || JSON.stringify(decoded.state) === JSON.stringify(state)
    } catch (error) {
      return error instanceof IncompatibleStateError
    }
  }

  it.each([
    ['a full one', full],
    ['an empty one', emptyState(identity)],
  ])('is never another state after one byte or bit has changed: %s', (_, state) => {
    const original = encodeState(state)
    const damaged = original.slice()
    const harmful: string[] = []
    for (let index = 0; index < original.length; index++) {
      for (let byte = 0; byte < 256; byte++) {
        damaged[index] = byte
        if (!isHarmless(damaged, state)) harmful.push(`byte ${index} as ${byte}`)
      }
      damaged[index] = original[index]!
    }
    expect(harmful).toEqual([])
  })

  it.each([
    ['a full one', full],
    ['an empty one', emptyState(identity)],
  ])('is never another state after it was cut, at either end: %s', (_, state) => {
    const original = encodeState(state)
    for (let length = 0; length < original.length; length++) {
      expect(isHarmless(original.slice(0, length), state)).toBe(true)
      expect(isHarmless(original.slice(original.length - length), state)).toBe(true)
    }
    expect(decode(original.slice(0, -1))).toEqual({ kind: 'state', state })
    expect(decode(original.slice(0, -2)).kind).toBe('corrupt')
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'Version: 1'],
    ['an array', '[]'],
    ['null', 'null'],
    ['zeros', '\0\0\0\0'],
    ['a byte order mark', `\ufeff${JSON.stringify(foreign)}`],
    ['a wrong checksum', JSON.stringify({ ...foreign, Checksum: '0123456789abcdef' })],
    ['a checksum that is no text', JSON.stringify({ ...foreign, Checksum: null })],
    ['an unknown field', JSON.stringify({ ...foreign, Lastoutcome: '' })],
    [
      'a version under another name',
      JSON.stringify({ ...foreign, Version: undefined, Xersion: '1' }),
    ],
    ['an unknown field inside', JSON.stringify({ ...foreign, History: [{ Outcom: '' }] })],
    ['deep nesting', `{"Checksum":"","A":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('is corrupt with %s', (_, text) => {
    expect(decode(bytesOf(text))).toEqual({ kind: 'corrupt', reason: expect.any(String) })
  })

  it('is corrupt when it is not UTF-8 or too large', () => {
    expect(decode(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({ reason: 'it is not UTF-8' })
    const blanks = `${JSON.stringify(foreign)}${' '.repeat(1024 * 1024)}`
    expect(decode(bytesOf(blanks))).toMatchObject({ kind: 'corrupt' })
  })
})

describe('an incompatible state file', () => {
  const active = foreign['ActiveExecution'] as StateFields
  const refused: [string, StateFields][] = [
    ['Identity', { ...foreign, Identity: 'another' }],
    ['Version', { ...foreign, Version: '2' }],
    ['Version', { ...foreign, Version: 'constructor' }],
    ['Version', { ...foreign, Version: 1 }],
    ...Object.keys(foreign)
      .filter((name) => name !== 'ActiveExecution')
      .map((name): [string, StateFields] => [
        name,
        Object.fromEntries(Object.entries(foreign).filter(([key]) => key !== name)),
      ]),
    ['LastOutcome', { ...foreign, LastOutcome: 'done' }],
    ['LastOutcome', { ...foreign, LastHandledPeriodID: '' }],
    ['LastHandledPeriodID', { ...foreign, LastHandledPeriodID: '2026-03-01T03:00:00Z' }],
    ['LastHandledPeriodID', { ...foreign, LastHandledPeriodID: 'yesterday' }],
    ['LastChosenTime', { ...foreign, LastChosenTime: 5 }],
    ['LastNominalTime', { ...foreign, LastNominalTime: '' }],
    ['ActiveExecution', { ...foreign, ActiveExecution: [] }],
    ['ActiveExecution.PID', { ...foreign, ActiveExecution: { ...active, PID: '4711' } }],
    ['ActiveExecution.PID', { ...foreign, ActiveExecution: { ...active, PID: -1 } }],
    ['ActiveExecution.BootID', { ...foreign, ActiveExecution: { ...active, BootID: 5 } }],
    ['OtherActive', { ...foreign, OtherActive: {} }],
    ['History', { ...foreign, History: [null] }],
    ['History[0].NominalTime', { ...foreign, History: [{}] }],
  ]

  it.each(refused)('is refused for its %s', (field, fields) => {
    const code = 'KRON_STATE_INCOMPATIBLE'
    const details = { field, path: '/s/x.json' }
    const error = expect.objectContaining({ code, details: expect.objectContaining(details) })
    expect(() => decodeFields(fields)).toThrow(IncompatibleStateError)
    expect(() => decodeFields(fields)).toThrow(error)
  })

  it('is named with its version', () => {
    expect(() => decodeFields({ ...foreign, Version: '2' })).toThrow(
      'state file "/s/x.json": Version must be "1", got "2": ' +
        'another version of krond wrote it, only that one can go on with it',
    )
  })

  const newer = JSON.stringify({ ...foreign, Version: '2', Checksum: 'sha512:0123' })
  it.each([
    ['a checksum that is made in another way', newer],
    ['a text that we can not parse', newer.slice(0, -1)],
    ['bytes that are not UTF-8', `${newer}\xff`],
    ['more bytes than ours may have', `${newer}${' '.repeat(1024 * 1024)}`],
  ])('is one of a newer version, even with %s', (_, text) => {
    const refused = () => decode(Uint8Array.from(Buffer.from(text, 'latin1')))
    expect(refused).toThrow(IncompatibleStateError)
    expect(refused).toThrow('Version must be "1", got "2"')
  })

  it('is none when damage made something of its version that is no number', () => {
    const damaged = { ...foreign, Version: 'q', Checksum: 'sha512:0123' }
    expect(decodeFields(damaged).kind).toBe('corrupt')
  })
})

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

  it.each<[string, Migrations]>([
    ['is not known', new Map([['0.8', to('1')]])],
    ['ends at a version that is not known', new Map([['0.9', to('0.95')]])],
    ['goes round in circles', new Map([['0.9', to('0.9')]])],
    ['loses the handled period', new Map([['0.9', () => forgetful]])],
    [
      'throws',
      new Map([
        [
          '0.9',
          () => {
            throw new RangeError('no')
          },
        ],
      ]),
    ],
    ['answers nothing', new Map([['0.9', () => null as unknown as StateFields]])],
  ])('is refused when the migration %s', (_, table) => {
    expect(() => decodeFields(older, table)).toThrow(IncompatibleStateError)
  })
})
