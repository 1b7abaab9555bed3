import { describe, expect, it } from 'vitest'
import { KronError } from '../errors/index.js'
import {
  resolveDecisionRequest,
  resolveDistribution,
  resolveJobDefinition,
  resolvePolicy,
  resolveSeed,
  resolveWindow,
} from './index.js'

function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const trap = (): never => {
  throw new TypeError('trap')
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function cycle(): object {
  const itself: Record<string, unknown> = {}
  itself['window'] = itself
  return itself
}

const throwingGetter = () => Object.defineProperty({}, 'mode', { get: trap, enumerable: true })
const withoutPrototype = () => Object.create(null, { x: { value: 1, enumerable: true } })

const hostile: [what: string, value: () => unknown][] = [
  ['a revoked proxy', revokedProxy],
  ['a proxy that throws on every look', () => new Proxy({ x: 1 }, { ownKeys: trap, get: trap })],
  ['an array whose length throws', () => new Proxy([], { get: trap })],
  ['an object that throws when converted', () => ({ toString: trap, valueOf: trap })],
  ['a throwing Symbol.toPrimitive', () => ({ [Symbol.toPrimitive]: trap, x: 1 })],
  ['a getter that throws', throwingGetter],
  ['a symbol', () => Symbol('trap')],
  ['a bigint', () => 10n],
  ['a sparse array', () => new Array(3)],
  ['a very long array', () => new Array(4_294_967_295)],
  ['an object without a prototype', withoutPrototype],
  ['a boxed text', () => Object('after')],
  ['a function', () => trap],
  ['a cyclic object', cycle],
]

const paths = [
  'identity schedule nominalTime timezone dialect window window.mode window.duration',
  'distribution distribution.name distribution.params distribution.params.sigma',
  'distribution.params.shape seed seed.strategy seed.salt constraints constraints.only',
  'constraints.avoid constraints.only.0 policy policy.concurrency policy.deadline policy.suspend',
].flatMap((line) => line.split(' '))

function inputWith(path: string, value: unknown): object {
  if (path === 'constraints.only.0') return { constraints: { only: [value] } }
  const [first, second, third] = path.split('.') as [string, string?, string?]
  if (third !== undefined) {
    const name = third === 'sigma' ? 'normal' : 'skewLate'
    return { distribution: { name, params: { [third]: value } } }
  }
  return { [first]: second === undefined ? value : { [second]: value } }
}

describe.each(hostile)('%s', (_, value) => {
  it.each(paths)('as %s is refused with a typed error', (path) => {
    const more = inputWith(path, value())
    const error = outcome(() =>
      path === 'nominalTime'
        ? resolveDecisionRequest({ identity: 'a', ...more })
        : resolveJobDefinition({ identity: 'a', schedule: '@daily', ...more }),
    )
    expect(error).toBeInstanceOf(KronError)
    const { category, details } = error as KronError
    expect(['ConfigurationError', 'ValidationError']).toContain(category)
    expect(details.field.startsWith(path.split('.')[0]!)).toBe(true)
    expect(JSON.parse(JSON.stringify(details))).toHaveProperty('field', details.field)
  })

  it('as the whole input is refused with a typed error', () => {
    for (const resolve of [resolveJobDefinition, resolveDecisionRequest]) {
      expect(outcome(() => resolve(value()))).toBeInstanceOf(KronError)
    }
  })

  it('as a section on its own is refused with a typed error', () => {
    for (const resolve of [resolveWindow, resolveDistribution, resolveSeed, resolvePolicy]) {
      expect(outcome(() => resolve(value()))).toBeInstanceOf(KronError)
    }
  })
})

describe('details of errors', () => {
  it('have no object of the input in them', () => {
    const error = outcome(() => resolveJobDefinition({ identity: { password: 'x' } }))
    expect((error as KronError).details.value).toBe('an object')
  })

  it('name the section that could not be read, with the cause beside them', () => {
    const error = outcome(() => resolveWindow(throwingGetter())) as KronError
    expect(error.code).toBe('KRON_FIELD_INVALID')
    expect(error.details.field).toBe('window')
    expect(error.cause).toBeInstanceOf(TypeError)
  })
})

describe('a number with a million digits and a letter', () => {
  // Looked at again from every digit, it would take hours.
  it('is refused', () => {
    const params = { shape: `${'1'.repeat(1_000_000)}x` }
    const error = outcome(() => resolveDistribution({ name: 'skewLate', params }))
    expect(error).toBeInstanceOf(KronError)
  })
})
