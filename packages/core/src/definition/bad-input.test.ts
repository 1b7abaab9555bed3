import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { ConfigurationError, type ErrorCode, errorCodes, ValidationError } from '../errors/index.js'
import { resolveDecisionRequest, resolveJobDefinition } from './index.js'

const day = 86_400_000
const nominalTime = Date.parse('2026-03-01T02:00:00Z')
const decide = (more: object) => resolveDecisionRequest({ identity: 'a', nominalTime, ...more })
const job = (more: object) =>
  resolveJobDefinition({ identity: 'a', schedule: '0 2 * * *', ...more })
const window = (value: unknown) => ({ window: value })
const lasting = (duration: unknown) => window({ duration })
const params = (name: string, given: unknown) => ({ distribution: { name, params: given } })
const skew = (shape: unknown) => params('skewLate', { shape })
const exponential = (lambda: unknown) => params('exponential', { lambda })
const normal = (sigma: unknown) => params('normal', { sigma })
const seed = (value: unknown) => ({ seed: value })
const policy = (value: unknown) => ({ policy: value })
const constraints = (value: unknown) => ({ constraints: value })
const times = (count: number, clause: string) => Array.from({ length: count }, () => clause)

type Row = [field: string, input: object]

function refuses(
  category: typeof ConfigurationError | typeof ValidationError,
  code: ErrorCode,
  resolve: (more: object) => unknown,
  rows: Row[],
) {
  describe(`${category.name} ${code}`, () => {
    it.each(rows)('at %s for %j', (field, input) => {
      const error = failure(() => resolve(input))
      expect(error).toBeInstanceOf(category)
      expect(error.code).toBe(code)
      expect(errorCodes).toHaveProperty(code)
      expect(error.details.field).toBe(field)
      expect(error.details.allowed).toBeTruthy()
      expect(error.message).toContain(field)
    })
  })
}

describe('the whole input', () => {
  it.each([null, '0 2 * * *', 5, [], () => {}])('must be an object, not %j', (input) => {
    for (const resolve of [resolveJobDefinition, resolveDecisionRequest]) {
      const error = failure(() => resolve(input))
      expect(error).toBeInstanceOf(ConfigurationError)
      expect(error.code).toBe('KRON_FIELD_INVALID')
      expect(error.details.field).toBe('definition')
    }
  })

  it('must not have a field named __proto__', () => {
    const error = failure(() => resolveJobDefinition(JSON.parse('{"__proto__":{"identity":"a"}}')))
    expect(error.code).toBe('KRON_FIELD_UNKNOWN')
    expect(error.details.field).toBe('__proto__')
  })
})

refuses(ConfigurationError, 'KRON_FIELD_MISSING', resolveJobDefinition, [
  ['identity', {}],
  ['identity', { schedule: '@daily' }],
  ['identity', { identity: undefined, schedule: '@daily' }],
  ['schedule', { identity: 'a' }],
])
refuses(ConfigurationError, 'KRON_FIELD_MISSING', resolveDecisionRequest, [
  ['identity', { nominalTime }],
  ['nominalTime', { identity: 'a' }],
])
refuses(ConfigurationError, 'KRON_FIELD_UNKNOWN', decide, [['policy', policy({})]])
refuses(ConfigurationError, 'KRON_FIELD_UNKNOWN', job, [
  ['widnow', { widnow: {} }],
  ['widnow', { widnow: undefined }],
  ['nominalTime', { nominalTime }],
  ['toString', { toString: 1 }],
  ['window.durration', window({ durration: 1 })],
  ['distribution.shape', { distribution: { shape: 2 } }],
  ['seed.pepper', seed({ pepper: '' })],
  ['policy.retries', policy({ retries: 1 })],
  ['constraints.never', constraints({ never: [] })],
])
refuses(ConfigurationError, 'KRON_FIELD_INVALID', job, [
  ['schedule', { schedule: ['0 2 * * *'] }],
  ['schedule', { schedule: null }],
  ['dialect', { dialect: 'quartz' }],
  ['dialect', { dialect: null }],
  ['timezone', { timezone: '' }],
  ['timezone', { timezone: null }],
  ['window', window(null)],
  ['window', window('after')],
  ['distribution', { distribution: 5 }],
  ['distribution', { distribution: null }],
  ['distribution.params', params('uniform', [])],
  ['distribution.params', params('uniform', 'shape=2')],
  ['seed', seed('stable')],
  ['policy', policy(false)],
  ['constraints', constraints(['hours=1'])],
  ['constraints.only', constraints({ only: null })],
  ['constraints.avoid', constraints({ avoid: {} })],
])
refuses(ConfigurationError, 'KRON_IDENTITY_INVALID', decide, [
  ['identity', { identity: '' }],
  ['identity', { identity: 5 }],
  ['identity', { identity: null }],
])
refuses(ValidationError, 'KRON_IDENTITY_INVALID', decide, [
  ['identity', { identity: 'a\ud800b' }],
  ['identity', { identity: '\udc00' }],
  ['identity', { identity: 'x'.repeat(1025) }],
  ['identity', { identity: '\u00e9'.repeat(513) }],
  ['identity', { identity: '\u0800'.repeat(342) }],
  ['identity', { identity: `${'\u{1f570}'.repeat(256)}x` }],
])
refuses(ValidationError, 'KRON_INSTANT_INVALID', decide, [
  ['nominalTime', { nominalTime: 1.5 }],
  ['nominalTime', { nominalTime: '2026-01-01T00:00:00Z' }],
  ['nominalTime', { nominalTime: new Date(0) }],
  ['nominalTime', { nominalTime: null }],
  ['nominalTime', { nominalTime: 8.64e15 + 1 }],
])
refuses(ConfigurationError, 'KRON_WINDOW_MODE_UNKNOWN', decide, [
  ['window.mode', window({ mode: 'aftr' })],
  ['window.mode', window({ mode: 'After' })],
  ['window.mode', window({ mode: null })],
])
refuses(ConfigurationError, 'KRON_DURATION_INVALID', job, [
  ['window.duration', lasting('3 hours')],
  ['window.duration', lasting('')],
  ['window.duration', lasting(null)],
  ['window.duration', lasting(Number.NaN)],
  ['policy.deadline', policy({ deadline: Infinity })],
  ['policy.deadline', policy({ deadline: true })],
  ['distribution.params.sigma', normal('600')],
])
refuses(ConfigurationError, 'KRON_DURATION_NEGATIVE', job, [
  ['window.duration', lasting('-1h')],
  ['window.duration', lasting(-1)],
  ['policy.deadline', policy({ deadline: '-1s' })],
  ['distribution.params.sigma', normal('-1s')],
])
refuses(ValidationError, 'KRON_DURATION_TOO_LONG', job, [
  ['window.duration', lasting('8784h1us')],
  ['window.duration', lasting(366 * day + 1)],
  ['window.duration', lasting('3000000h')],
  ['policy.deadline', policy({ deadline: 367 * day })],
])
refuses(ConfigurationError, 'KRON_DISTRIBUTION_UNKNOWN', decide, [
  ['distribution', { distribution: 'unifrom' }],
  ['distribution', { distribution: 'skewearly' }],
  ['distribution', { distribution: '' }],
  ['distribution.name', { distribution: { name: 'toString' } }],
  ['distribution.name', { distribution: { name: null } }],
])
refuses(ConfigurationError, 'KRON_PARAMETER_UNKNOWN', decide, [
  ['distribution.params.shape', params('uniform', { shape: 2 })],
  ['distribution.params.lambda', params('skewEarly', { lambda: 2 })],
  ['distribution.params.sigma', params('skewLate', { sigma: '1s' })],
  ['distribution.params.dir', params('normal', { dir: 'late' })],
  ['distribution.params.mu', params('exponential', { mu: 'mid' })],
  ['distribution.params.toString', params('uniform', { toString: 1 })],
])
refuses(ConfigurationError, 'KRON_PARAMETER_INVALID', decide, [
  ['distribution.params.shape', skew(Number.NaN)],
  ['distribution.params.shape', skew('NaN')],
  ['distribution.params.shape', skew('')],
  ['distribution.params.shape', skew('.')],
  ['distribution.params.shape', skew('0x2')],
  ['distribution.params.shape', skew(' 2')],
  ['distribution.params.shape', skew('Infinity')],
  ['distribution.params.shape', skew(true)],
  ['distribution.params.shape', skew(null)],
  ['distribution.params.lambda', exponential('1,5')],
  ['distribution.params.mu', params('normal', { mu: 'middle' })],
  ['distribution.params.dir', params('exponential', { dir: 'erly' })],
  ['distribution.params.sample', params('uniform', { sample: 'exat' })],
])
refuses(ValidationError, 'KRON_PARAMETER_RANGE', decide, [
  ['distribution.params.shape', skew(0)],
  ['distribution.params.shape', skew('-2')],
  ['distribution.params.shape', skew(1000.001)],
  ['distribution.params.shape', skew(Infinity)],
  ['distribution.params.shape', skew('1e999')],
  ['distribution.params.lambda', exponential('0')],
  ['distribution.params.lambda', exponential(1001)],
  ['distribution.params.sigma', normal('0s')],
  ['distribution.params.sigma', normal(1e-9)],
  ['distribution.params.sigma', normal('8785h')],
])
refuses(ConfigurationError, 'KRON_SEED_STRATEGY_UNKNOWN', decide, [
  ['seed.strategy', seed({ strategy: 'hourly' })],
  ['seed.strategy', seed({ strategy: '' })],
])
refuses(ConfigurationError, 'KRON_SALT_INVALID', decide, [
  ['seed.salt', seed({ salt: 5 })],
  ['seed.salt', seed({ salt: null })],
])
refuses(ValidationError, 'KRON_SALT_INVALID', decide, [
  ['seed.salt', seed({ salt: '\udc00' })],
  ['seed.salt', seed({ salt: 'x'.repeat(1025) })],
])
refuses(ConfigurationError, 'KRON_POLICY_INVALID', job, [
  ['policy.concurrency', policy({ concurrency: 'forbidden' })],
  ['policy.suspend', policy({ suspend: 'true' })],
  ['policy.suspend', policy({ suspend: null })],
  ['policy.first', policy({ first: 'now' })],
])
refuses(ValidationError, 'KRON_CONSTRAINT_INVALID', decide, [
  ['constraints.only[1]', constraints({ only: ['hours=1', 8] })],
  ['constraints.avoid[0]', constraints({ avoid: ['hours=24'] })],
  ['constraints.avoid', constraints({ avoid: 'hours=1;' })],
])
refuses(ValidationError, 'KRON_CONSTRAINT_LIMIT', decide, [
  ['constraints.only', constraints({ only: times(65, 'hours=1') })],
  ['constraints.avoid', constraints({ only: times(33, 'dow=1'), avoid: times(32, 'dow=2') })],
])

describe('unknown names', () => {
  it('bring up the nearest known one', () => {
    const unknownField = failure(() => job({ widnow: {} }))
    expect(unknownField.message).toContain('did you mean window?')
    expect(unknownField.details['nearest']).toEqual(['window'])
    const unknownParameter = failure(() => decide(params('skewLate', { shpae: 2 })))
    expect(unknownParameter.details['nearest']).toEqual(['shape'])
    const messages: [input: object, hint: string][] = [
      [{ distribution: 'skewearly' }, 'did you mean skewEarly?'],
      [window({ mode: 'aftr' }), 'did you mean after?'],
      [seed({ strategy: 'dayly' }), 'did you mean daily?'],
    ]
    for (const [input, hint] of messages)
      expect(failure(() => decide(input)).message).toContain(hint)
  })
})
