import { ConfigurationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { createLog } from './index.js'
import { plainValue } from './plain-value.js'

/** The fields of a line as a reader of the JSON log gets them. */
function logged(fields: unknown): Record<string, unknown> {
  const lines: string[] = []
  const clock = new VirtualClock(0)
  const write = (line: string): void => void lines.push(line)
  const options = { level: 'info', component: 'c', clock, write } as const
  createLog({ ...options, format: 'json' }).info('e', fields as Record<string, unknown>)
  createLog({ ...options, format: 'text' }).info('e', fields as Record<string, unknown>)
  expect(lines).toHaveLength(2)
  const { time, level, component, event, ...rest } = JSON.parse(lines[0]!)
  expect({ time, level, component, event }).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    component: 'c',
    event: 'e',
  })
  return rest
}

const fail = (): never => {
  throw new RangeError('not for you')
}

describe('the fields of a line', () => {
  it('hold numbers that JSON has no form for as text', () => {
    expect(logged({ a: Number.NaN, b: -Infinity, c: 12345678901234567890n })).toEqual({
      a: 'NaN',
      b: '-Infinity',
      c: '12345678901234567890',
    })
  })

  it('leave out what is undefined, and keep its place in a list', () => {
    expect(logged({ a: undefined, b: [undefined, 1], c: { d: undefined } })).toEqual({
      b: [null, 1],
      c: {},
    })
  })

  it('hold dates in UTC with milliseconds, and say so when one is not valid', () => {
    expect(logged({ a: new Date(1), b: [new Date(Number.NaN)] })).toEqual({
      a: '1970-01-01T00:00:00.001Z',
      b: ['[invalid-date]'],
    })
  })

  it('hold name, code and message of errors, and no stack', () => {
    const error = new ConfigurationError('KRON_FIELD_MISSING', 'name is missing', { field: 'name' })
    expect(logged({ error, other: new TypeError('t') })).toEqual({
      error: { name: 'ConfigurationError', code: 'KRON_FIELD_MISSING', message: 'name is missing' },
      other: { name: 'TypeError', message: 't' },
    })
  })

  it('hold maps, sets, bytes, symbols and functions in some form', () => {
    const fields = {
      map: new Map<unknown, unknown>([
        ['k', 1],
        [{}, 2],
      ]),
      set: new Set([1, 'x']),
      bytes: new Uint8Array(4),
      symbol: Symbol('s'),
      function: fail,
    }
    expect(logged(fields)).toEqual({
      map: { k: 1, '[object]': 2 },
      set: [1, 'x'],
      bytes: '[4 bytes]',
      symbol: 'Symbol(s)',
      function: '[function]',
    })
  })

  it('follow toJSON, also when it answers the object itself', () => {
    const self = { a: 1, toJSON: () => self }
    expect(logged({ url: new URL('http://h/p'), self })).toEqual({
      url: 'http://h/p',
      self: { a: 1, toJSON: '[function]' },
    })
  })

  it('mark a circle, but not an object that is there twice', () => {
    const twice = { a: 1 }
    const circle: Record<string, unknown> = { twice, again: twice }
    circle['self'] = circle
    circle['list'] = [circle]
    expect(logged({ circle })).toEqual({
      circle: { twice, again: twice, self: '[circular]', list: ['[circular]'] },
    })
    expect(logged(circle)).toMatchObject({ self: '[circular]' })
  })

  it('keep what can be read beside what throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const fields = {
      get getter() {
        return fail()
      },
      toJson: { toJSON: fail },
      proxy,
      keys: new Proxy({}, { ownKeys: fail }),
      after: 1,
    }
    expect(logged(fields)).toEqual({
      getter: '[unreadable]',
      toJson: '[unreadable]',
      proxy: '[unreadable]',
      keys: '[unreadable]',
      after: 1,
    })
    expect(logged(proxy)).toEqual({ value: '[unreadable]' })
  })

  it('may have names that mean something to objects', () => {
    const fields = JSON.parse('{"__proto__":{"__proto__":1},"constructor":2,"toString":3}')
    expect(Object.entries(logged(fields))).toEqual([
      ['__proto__', JSON.parse('{"__proto__":1}')],
      ['constructor', 2],
      ['toString', 3],
    ])
  })

  it('escape halves of characters', () => {
    expect(logged({ a: '\ud800x', '\udfff': 1 })).toEqual({ a: '\ud800x', '\udfff': 1 })
  })

  it('may be something else by mistake, which is not lost', () => {
    expect(logged(new TypeError('t'))).toEqual({ name: 'TypeError', message: 't' })
    expect(logged('text')).toEqual({ value: 'text' })
    expect(logged([1])).toEqual({ value: [1] })
    expect(logged(null)).toEqual({})
  })
})

describe('a line too large', () => {
  it('is cut in depth', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const text = JSON.stringify(logged({ deep }))
    expect(text).toContain('…')
    expect(text).not.toContain('bottom')
  })

  it('is cut in number', () => {
    const list = logged({ list: new Array(1e9), after: 1 })['list'] as unknown[]
    expect(list.length).toBeLessThanOrEqual(10_001)
    expect(list.at(-1)).toBe('…')
  })

  it('is cut in length, all values together', () => {
    const long = 'x'.repeat(200_000)
    const { a, b, c } = logged({ a: long, b: long, c: long }) as Record<string, string>
    expect(a).toBe(long)
    expect(b).toMatch(/^x+…$/)
    expect(b!.length).toBeLessThan(long.length)
    expect(c).toBe('…')
    expect(Object.keys(logged({ ['k'.repeat(1000)]: 1 }))).toEqual([`${'k'.repeat(256)}…`])
  })

  it.each([
    [10_000, '0', '9999'],
    [10_001, '0', '…'],
  ])('has up to ten thousand values: of %i the last is %s', (count, first, last) => {
    const list = plainValue(Array.from({ length: count }, (_, n) => String(n))) as string[]
    expect([list.length, list[0], list.at(-1)]).toEqual([count, first, last])
    const entries = Array.from({ length: count }, (_, n) => [`k${n}`, String(n)] as const)
    const values = Object.values(plainValue(new Map(entries)) as Record<string, string>)
    expect([values.length, values[0], values.at(-1)]).toEqual([count, first, last])
  })

  it('has up to 262,144 characters of text, 256 of a name and sixteen levels', () => {
    const long = 'x'.repeat(262_144)
    expect(plainValue(long)).toBe(long)
    expect(plainValue(`${long}y`)).toBe(`${long}…`)
    const name = 'k'.repeat(256)
    expect(Object.keys(plainValue({ [name]: 1, [`${name}k`]: 2 })!)).toEqual([name, `${name}…`])
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : [nested(levels - 1)])
    expect(JSON.stringify(plainValue(nested(16)))).toContain('end')
    expect(JSON.stringify(plainValue(nested(17)))).toContain('…')
  })

  it('ends, even if toJSON answers something new for ever', () => {
    const endless = (): object => ({ toJSON: endless })
    expect(logged({ endless: endless() })).toEqual({ endless: '…' })
  })
})
