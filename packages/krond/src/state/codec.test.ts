import { IncompatibleStateError, PersistenceError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DecodedState, decodeState } from './decode-state.js'
import { checksumOf, encodeState } from './encode-state.js'
import { type ActiveExecution, type JobState, outcomes } from './job-state.js'
import { migrations } from './migrations.js'
import type { StateFields } from './state-fields.js'
import { emptyState, withRunningHandled } from './transitions.js'

const identity = '/etc/krond.d/backup:döner "1"'
const at = (text: string): number => Date.parse(text)
const tooLate = at('9999-12-31T23:59:59Z') + 1000
const tooEarly = at('0000-01-01T00:00:00Z') - 1

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

function decode(bytes: Uint8Array): DecodedState {
  return decodeState(bytes, { file: '/s/x.json', identity, migrations })
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

const decodeFields = (fields: unknown): DecodedState =>
  decode(bytesOf(JSON.stringify(fields, null, 2)))

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

  const years = 'epoch milliseconds of the years 0 to 9999'
  const inHistory = full.history[0]!
  const { process } = execution
  it.each<[string, unknown, string, Partial<JobState>]>([
    ['last.nominal', 0.5, years, { last: { nominal: 0.5, outcome: 'missed', chosen: 0 } }],
    ['last.nominal', tooLate, years, { last: { nominal: tooLate, outcome: 'missed', chosen: 0 } }],
    ['last.chosen', tooLate, years, { last: { nominal: 0, outcome: 'missed', chosen: tooLate } }],
    ['responsibility.since', tooEarly, years, { responsibility: { timing: '', since: tooEarly } }],
    ['active.nominal', tooLate, years, { active: { ...execution, nominal: tooLate } }],
    ['active.startedAt', tooLate, years, { active: { ...execution, startedAt: tooLate } }],
    ['active.chosen', tooLate, years, { others: [{ ...execution, chosen: tooLate }] }],
    [
      'active.process.pid',
      Number.NaN,
      'a whole number, at least 1',
      { active: { ...execution, process: { ...process, pid: Number.NaN } } },
    ],
    [
      'active.process.pid',
      0,
      'a whole number, at least 1',
      { active: { ...execution, process: { ...process, pid: 0 } } },
    ],
    [
      'active.process.startTicks',
      -1,
      'a whole number, at least 0',
      { active: { ...execution, process: { ...process, startTicks: -1 } } },
    ],
    ['history.nominal', tooLate, years, { history: [{ ...inHistory, nominal: tooLate }] }],
    ['history.chosen', tooLate, years, { history: [{ ...inHistory, chosen: tooLate }] }],
    ['history.completedAt', tooLate, years, { history: [{ ...inHistory, completedAt: tooLate }] }],
    [
      'history.exitCode',
      0.5,
      'a whole number, at least -9007199254740991',
      { history: [{ ...inHistory, exitCode: 0.5 }] },
    ],
  ])('is not written when its %s could not be read back: %s', (field, value, allowed, broken) => {
    const encode = (): unknown => encodeState({ ...full, ...broken })
    expect(encode).toThrow(PersistenceError)
    expect(encode).toThrow(
      expect.objectContaining({
        code: 'KRON_PERSISTENCE',
        message: `${field} can't be written to a state file: it must be ${allowed}, got ${value}`,
        details: { field, value, allowed, operation: 'encode' },
      }),
    )
  })

  it('may be as large as a MiB, and no larger', () => {
    const spare = 1024 * 1024 - encodeState(emptyState('')).length
    expect(encodeState(emptyState('x'.repeat(spare)))).toHaveLength(1024 * 1024)
    expect(() => encodeState(emptyState('x'.repeat(spare + 1)))).toThrow(
      "state can't be written to a state file: it must be at most 1048576 bytes, got 1048577",
    )
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
  const noJson = 'it is not JSON'
  const mismatch = 'its checksum does not match'
  const unknown = (field: string): string => `it has no checksum and an unknown field "${field}"`
  const active = foreign['ActiveExecution'] as StateFields

  it.each([
    ['nothing', '', noJson],
    ['no JSON', 'Version: 1', noJson],
    ['an array', '[]', 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['a text', '"x"', 'it is not a JSON object'],
    ['zeros', '\0\0\0\0', noJson],
    ['a byte order mark', `\ufeff${JSON.stringify(foreign)}`, noJson],
    ['a wrong checksum', JSON.stringify({ ...foreign, Checksum: '0123456789abcdef' }), mismatch],
    ['a checksum that is no text', JSON.stringify({ ...foreign, Checksum: null }), mismatch],
    ['an unknown field', JSON.stringify({ ...foreign, Lastoutcome: '' }), unknown('Lastoutcome')],
    [
      'a version under another name',
      JSON.stringify({ ...foreign, Version: undefined, Xersion: '1' }),
      unknown('Xersion'),
    ],
    [
      'an unknown field of the execution',
      JSON.stringify({ ...foreign, ActiveExecution: { ...active, Pid: 1 } }),
      unknown('ActiveExecution.Pid'),
    ],
    [
      'an unknown field of another execution',
      JSON.stringify({ ...foreign, OtherActive: [active, { ...active, Pid: 1 }] }),
      unknown('OtherActive.Pid'),
    ],
    [
      'an unknown field of the history',
      JSON.stringify({ ...foreign, History: [{ Outcom: '' }] }),
      unknown('History.Outcom'),
    ],
    ['deep nesting', `{"Checksum":"","A":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, mismatch],
  ])('is corrupt with %s', (_, text, reason) => {
    expect(decode(bytesOf(text))).toEqual({ kind: 'corrupt', reason })
  })

  it('is corrupt when it is not UTF-8 or larger than a MiB', () => {
    expect(decode(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({ reason: 'it is not UTF-8' })
    const largest = JSON.stringify(foreign).padEnd(1024 * 1024 - 'ö'.length)
    expect(decode(bytesOf(largest)).kind).toBe('state')
    expect(decode(bytesOf(`${largest} `))).toEqual({
      kind: 'corrupt',
      reason: 'it is larger than 1048576 bytes',
    })
  })
})

describe('an incompatible state file', () => {
  const active = foreign['ActiveExecution'] as StateFields
  const time = 'an RFC 3339 time'
  const outcome = 'executed, skipped, missed, unschedulable'
  const without = (name: string): StateFields =>
    Object.fromEntries(Object.entries(foreign).filter(([key]) => key !== name))
  const running = (changed: StateFields): StateFields => ({
    ...foreign,
    ActiveExecution: { ...active, ...changed },
  })
  const unhandled = {
    ...foreign,
    LastHandledPeriodID: '',
    LastOutcome: '',
    LastChosenTime: '',
    LastNominalTime: '',
  }
  const empty = 'empty, as LastHandledPeriodID is'
  const refused: [string, string, StateFields][] = [
    ['Identity', JSON.stringify(identity), { ...foreign, Identity: 'another' }],
    ['Version', '"1"', { ...foreign, Version: '2' }],
    ['Version', '"1"', { ...foreign, Version: '1.0' }],
    ['Version', '"1"', { ...foreign, Version: '10' }],
    ['Version', '"1"', { ...foreign, Version: 'constructor' }],
    ['Version', 'text', { ...foreign, Version: 1 }],
    ['Version', 'text', without('Version')],
    ['Identity', 'text', without('Identity')],
    ['LastHandledPeriodID', 'text', without('LastHandledPeriodID')],
    ['LastOutcome', outcome, without('LastOutcome')],
    ['LastChosenTime', time, without('LastChosenTime')],
    ['LastNominalTime', time, without('LastNominalTime')],
    ['LastOutcome', outcome, { ...foreign, LastOutcome: 'done' }],
    ['LastOutcome', empty, { ...unhandled, LastOutcome: 'executed' }],
    ['LastChosenTime', empty, { ...unhandled, LastChosenTime: '2026-03-01T03:00:00Z' }],
    ['LastNominalTime', empty, { ...unhandled, LastNominalTime: '2026-03-01T03:00:00Z' }],
    [
      'LastHandledPeriodID',
      'the same time as LastNominalTime',
      { ...foreign, LastHandledPeriodID: '2026-03-01T03:00:00Z' },
    ],
    ['LastHandledPeriodID', time, { ...foreign, LastHandledPeriodID: 'yesterday' }],
    ['LastChosenTime', time, { ...foreign, LastChosenTime: 5 }],
    ['LastNominalTime', time, { ...foreign, LastNominalTime: '' }],
    ['ResponsibleSince', time, { ...foreign, Timing: 'x' }],
    ['ActiveExecution', 'an object or null', { ...foreign, ActiveExecution: [] }],
    ['ActiveExecution.PID', 'a whole number, at least 1', running({ PID: '4711' })],
    ['ActiveExecution.PID', 'a whole number, at least 1', running({ PID: 0 })],
    ['ActiveExecution.StartTicks', 'a whole number, at least 0', running({ StartTicks: -1 })],
    ['ActiveExecution.BootID', 'text', running({ BootID: 5 })],
    ['ActiveExecution.StartedAt', time, running({ StartedAt: 'now' })],
    ['OtherActive', 'objects', { ...foreign, OtherActive: {} }],
    ['OtherActive[1].PeriodID', time, { ...foreign, OtherActive: [active, {}] }],
    ['History', 'objects', { ...foreign, History: [null] }],
    ['History[0].NominalTime', time, { ...foreign, History: [{}] }],
  ]

  it.each(refused)('is refused for its %s, which must be %s', (field, allowed, fields) => {
    const code = 'KRON_STATE_INCOMPATIBLE'
    const details = { field, allowed, path: '/s/x.json' }
    expect(() => decodeFields(fields)).toThrow(IncompatibleStateError)
    expect(() => decodeFields(fields)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining(details) }),
    )
    const message = `state file "/s/x.json": ${field} must be ${allowed}, got `
    expect(() => decodeFields(fields)).toThrow(message)
  })

  it('may say that a period is named by another text of the same time', () => {
    const same = { ...foreign, LastHandledPeriodID: '2026-03-01T03:00:00+01:00' }
    expect(decodeFields(same)).toEqual(decodeFields(foreign))
  })

  it('is named with its version', () => {
    expect(() => decodeFields({ ...foreign, Version: '2' })).toThrow(
      'state file "/s/x.json": Version must be "1", got "2": ' +
        'another version of krond wrote it, and only that version can read it',
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
