import {
  distributionParameters,
  distributions,
  formatDuration,
  limits,
  parseCron,
  parseDuration,
  resolveConstraints,
  resolveScheduleSpec,
  zoneNames,
} from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kronJobCrd } from './crd.js'
import type { JsonSchema } from './schema/json-schema.js'
import { specSchema } from './schema/kron-job-schema.js'

const { openAPIV3Schema } = kronJobCrd.spec.versions[0].schema

/** Every schema below one, by its path. */
function* parts(schema: JsonSchema, path: string): Iterable<[path: string, schema: JsonSchema]> {
  yield [path, schema]
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* parts(property, `${path}.${name}`)
  }
  if (schema.items !== undefined) yield* parts(schema.items, `${path}[]`)
}

function part(path: string): JsonSchema {
  return [...parts(specSchema, 'spec')].find(([name]) => name === path)![1]
}

/** What the rules of a field that are but patterns say against a text. */
function complaints(path: string, text: string): string[] {
  const rules = part(path)['x-kubernetes-validations'] ?? []
  return rules.filter(({ rule }) => !holds(rule, text)).map(({ message }) => message)
}

function holds(rule: string, text: string): boolean {
  const [premise, conclusion] = rule.split(' || ')
  if (conclusion !== undefined && premise?.startsWith('!self.matches')) {
    return !holds(premise.slice(1), text) || holds(conclusion, text)
  }
  const list = /^self in \[(.*)\]$/.exec(rule)
  if (list !== null) return list[1]!.split(', ').includes(`r'${text}'`)
  const pattern = /^self\.matches\(r'(\(\?i\))?([^']*)'\)$/.exec(rule)
  return pattern === null || new RegExp(pattern[2]!, pattern[1] ? 'ui' : 'u').test(text)
}

const matches = (path: string, text: string): boolean => complaints(path, text).length === 0

describe('the definition of KronJob', () => {
  it('has a type for every field, or lets it be anything', () => {
    const untyped = [...parts(openAPIV3Schema, 'kronjob')].filter(
      ([, schema]) => schema.type === undefined && !schema['x-kubernetes-preserve-unknown-fields'],
    )
    expect(untyped).toEqual([])
  })

  it('describes every field of the spec and the status', () => {
    const { spec, status } = openAPIV3Schema.properties!
    const all = [...parts(spec!, 'spec'), ...parts(status!, 'status')]
    const silent = all.filter(([path, schema]) => !schema.description && !path.endsWith('s[]'))
    expect(
      silent.map(([path]) => path).filter((path) => !/\.(command|args)\[\]$/.test(path)),
    ).toEqual([])
    expect(all.length).toBeGreaterThan(50)
  })

  it('gives an object that has defaults inside a default of its own', () => {
    const lost = [...parts(specSchema, 'spec')].filter(
      ([path, { properties = {}, default: own }]) =>
        path !== 'spec' &&
        // An item of a list is there, or it is not.
        !path.endsWith('[]') &&
        own === undefined &&
        Object.values(properties).some((property) => property.default !== undefined),
    )
    expect(lost).toEqual([])
  })

  it('is small enough for kubectl apply, which keeps a copy of it in an annotation', () => {
    expect(JSON.stringify(kronJobCrd).length).toBeLessThan(100_000)
  })

  it.each([
    ['containers', ['name']],
    ['initContainers', ['name']],
    ['volumes', ['name']],
    ['imagePullSecrets', ['name']],
    ['containers[].env', ['name']],
    ['containers[].volumeMounts', ['mountPath']],
    ['initContainers[].ports', ['containerPort', 'protocol']],
  ])('merges %s by %j, as a Job does', (path, keys) => {
    const list = part(`spec.jobTemplate.spec.template.spec.${path}`)
    expect(list['x-kubernetes-list-type']).toBe('map')
    expect(list['x-kubernetes-list-map-keys']).toEqual(keys)
  })

  it('has the defaults of core', () => {
    const { timezone, window, distribution, seed, policy } = resolveScheduleSpec({
      schedule: '@daily',
    })
    expect(part('spec.timezone').default).toBe(timezone)
    expect(part('spec.window.mode').default).toBe(window.mode)
    expect(part('spec.window.duration').default).toBe(formatDuration(window.duration))
    expect(part('spec.distribution.name').default).toBe(distribution.name)
    expect(part('spec.seed.strategy').default).toBe(seed.strategy)
    expect(part('spec.seed.salt').default).toBe(seed.salt)
    expect(part('spec.policy.concurrency').default).toBe(policy.concurrency)
    expect(part('spec.policy.deadline').default).toBe(formatDuration(policy.deadline))
    expect(part('spec.policy.suspend').default).toBe(policy.suspend)
    expect(part('spec.policy.first').default).toBe(policy.first)
  })

  it('has the distributions and parameters of core', () => {
    const { properties = {}, 'x-kubernetes-validations': rules = [] } = part('spec.distribution')
    expect(properties['name']!.enum).toEqual(Object.keys(distributions))
    expect(Object.keys(properties['params']!.properties!)).toEqual(
      Object.keys(distributionParameters),
    )
    for (const name of Object.keys(distributionParameters)) {
      expect(properties['params']!.description).toMatch(new RegExp(`\\b${name}: `))
    }
    expect(rules.map(({ message }) => message)).toEqual([
      'sigma is a parameter of normal only',
      'mu is a parameter of normal only',
      'dir is a parameter of exponential only',
    ])
  })

  it('has the limits of core', () => {
    expect(part('spec.constraints.only').maxItems).toBe(limits.clauses)
    expect(part('spec.seed.salt').maxLength).toBe(limits.saltBytes)
    expect(part('spec.distribution.params.shape').maximum).toBe(limits.shape)
    expect(() => parseCron(`0 2 * * *${' '.repeat(1024 - 9)}`)).not.toThrow()
    expect(() => parseCron(`0 2 * * *${' '.repeat(1025 - 9)}`)).toThrow(/1024/)
    expect(part('spec.schedule').maxLength).toBe(1024)
  })

  it('lets all time zones pass', () => {
    expect(zoneNames().filter((name) => !matches('spec.timezone', name))).toEqual([])
    expect(matches('spec.timezone', 'Europe/Pari')).toBe(false)
    expect(Math.max(...zoneNames().map((name) => name.length))).toBeLessThan(64)
  })

  it.each(['0 2 * * *', ' */15\t8-18 1,15 JAN-mar/2 MON-FRI ', '@daily', ' @WEEKLY '])(
    'lets the schedule %j pass',
    (text) => {
      expect(() => parseCron(text)).not.toThrow()
      expect(matches('spec.schedule', text)).toBe(true)
    },
  )

  it.each(['', '0 2 * *', '0 0 2 * * *', '0 2 ? * *', '0 2 * * 5#2', '@ daily', '0\n2 * * *'])(
    'stops the schedule %j',
    (text) => {
      expect(() => parseCron(text)).toThrow()
      expect(matches('spec.schedule', text)).toBe(false)
    },
  )

  it.each([
    ['60 2 * * *', 'minutes are 0 to 59'],
    ['0 24 * * *', 'hours are 0 to 23'],
    ['0 2 0 * *', 'days of the month are 1 to 31'],
    ['0 2 * 13 *', 'months are 1 to 12 or JAN to DEC'],
    ['0 2 * * 8', 'days of the week are 0 to 7 or SUN to SAT'],
    ['0 2 ? * *', 'days of the month are 1 to 31'],
    ['*/0 2 * * *', 'minutes are 0 to 59'],
    ['0 2 * *', 'must have five fields'],
    ['@fortnightly', 'the macros are @hourly'],
  ])('says of the schedule %j that %s, and nothing else', (text, words) => {
    expect(complaints('spec.schedule', text)).toEqual([expect.stringContaining(words)])
  })

  it('stops no schedule that core can read, and of others all but ranges that run backwards', () => {
    const piece = fc.constantFrom(
      ...'* 0 1 5 7 07 12 13 23 24 31 32 59 60 SUN sat JAN dec'.split(' '),
    )
    const element = fc.oneof(
      piece,
      fc.tuple(piece, piece).map((pair) => pair.join('-')),
      fc.tuple(piece, fc.constantFrom('0', '2', '15', '')).map((pair) => pair.join('/')),
    )
    const field = fc.oneof(
      { weight: 3, arbitrary: fc.constant('*') },
      fc.array(element, { minLength: 1, maxLength: 2 }).map((list) => list.join(',')),
    )
    const property = fc.property(fc.array(field, { minLength: 4, maxLength: 6 }), (fields) => {
      const text = fields.join(' ')
      const reason = reasonOf(() => parseCron(text))
      if (!/backwards/.test(reason)) expect(matches('spec.schedule', text)).toBe(reason === '')
    })
    fc.assert(property, { numRuns: 5000 })
  })

  function reasonOf(check: () => unknown): string {
    try {
      check()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    ['hours=24', 'hours are 0 to 23'],
    ['dow=8', 'days of the week are 0 to 7'],
    ['dow=MON-FRY', 'days of the week are 0 to 7'],
    ['dom=0', 'days of the month are 1 to 31'],
    ['hours=8; months=13', 'months are 1 to 12'],
    ['between=22:00-24:00', 'times are 00:00 to 23:59'],
    ['date=2026-13-01', 'dates are such as date=2026-12-24'],
    ['dates=2026-12-24', 'ranges are such as dates=2026-12-24..2027-01-02'],
    ['hour=8', 'clauses are hours='],
    ['hours=8;', 'clauses are hours='],
  ])('says of the clause %j that %s, and nothing else', (text, words) => {
    expect(complaints('spec.constraints.only[]', text)).toEqual([expect.stringContaining(words)])
  })

  it('stops no clause that core can read, and of others all but a few', () => {
    const value = fc.constantFrom(
      ...'0 7 8 08 12 13 23 24 31 32 SUN sat JAN dec 8:00 08:30 24:00 2026-12-24 2026-02-30'.split(
        ' ',
      ),
    )
    const item = fc.oneof(
      value,
      fc.tuple(value, fc.constantFrom('-', ' - ', '..', ' .. '), value).map((all) => all.join('')),
    )
    const kind = fc.constantFrom('hours', 'DOW', 'dom', 'Months ', 'between', 'date', 'dates', 'x')
    const clause = fc
      .tuple(kind, fc.array(item, { minLength: 1, maxLength: 2 }))
      .map(([name, items]) => `${name}=${items.join(', ')}`)
    const property = fc.property(fc.array(clause, { minLength: 1, maxLength: 2 }), (list) => {
      const text = list.join('; ')
      const reason = reasonOf(() => resolveConstraints({ only: [text] }))
      if (/backwards|no such day/.test(reason)) return
      expect([text, complaints('spec.constraints.only[]', text).length > 0]).toEqual([
        text,
        reason !== '',
      ])
    })
    fc.assert(property, { numRuns: 5000 })
  })

  it('says what resuming does, as the documentation has it', () => {
    expect(part('spec.policy.suspend').description).toMatch(
      /only the current period is considered: it is started if its\s+deadline allows/,
    )
  })

  it('lets exactly those durations pass that core can read, but those with a minus', () => {
    // Of short numbers: those too long for core are stopped by the rule on 366 days.
    const piece = fc.constantFrom(
      '1',
      '3',
      '.',
      '.5',
      'h',
      'm',
      's',
      'ms',
      'us',
      '\u00b5s',
      '+',
      '-',
      '0',
      'd',
    )
    const property = fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      expect(matches('spec.window.duration', text)).toBe(isDuration(text))
    })
    fc.assert(property, { numRuns: 5000 })
  })

  function isDuration(text: string): boolean {
    try {
      parseDuration(text)
      return !text.startsWith('-')
    } catch {
      return false
    }
  }

  it('shows in its columns when it runs next, in a form that can be in the future', () => {
    const columns = kronJobCrd.spec.versions[0].additionalPrinterColumns
    expect(columns.map(({ name }) => name)).toEqual(
      'Schedule Timezone Window Suspend Active Last Outcome Next Age'.split(' '),
    )
    expect(columns.find(({ name }) => name === 'Next')?.type).toBe('string')
  })
})
