import { utc, zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  choiceArgument,
  countArgument,
  durationArgument,
  instantArgument,
  secondsArgument,
  startOfDay,
  zoneArgument,
} from './argument.js'

const at = (text: string): number => Date.parse(text)

describe('a day', () => {
  it.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00:00Z'],
    ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Paris', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
    ['Europe/Paris', '1800-01-01', '1799-12-31T23:50:39Z'],
  ])('in %s, %s, begins at %s', (name, date, instant) => {
    expect(startOfDay(at(`${date}T00:00:00Z`), zone(name))).toBe(at(instant))
  })
})

const dayMs = 86_400_000

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['7d', 7 * dayMs],
    ['1d12h', 1.5 * dayMs],
    ['0d', 0],
    ['250ms', 250],
  ])('%s has %d ms', (text, ms) => {
    expect(durationArgument('--for', text, 0)).toBe(ms)
  })

  it.each([
    ['9000h', '--for must be whole seconds from 1s to 366d, got "9000h"'],
    ['1500ms', '--for must be whole seconds from 1s to 366d, got "1500ms"'],
    ['0s', '--for must be whole seconds from 1s to 366d, got "0s"'],
    ['12h1d', '--for must be a duration such as'],
    ['d', '--for must be a duration such as'],
    ['1.5d', '--for must be a duration such as'],
    ['-1d', '--for must be a duration such as'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => secondsArgument('--for', text, 1000, 366 * dayMs)).toThrow(message)
  })
})

describe('an argument that is wrong', () => {
  it.each<[() => unknown, string]>([
    [
      () => durationArgument('--every', '0s'),
      '--every must be at least 1ms, in whole milliseconds',
    ],
    [
      () => countArgument('--limit', '0', 20_000),
      '--limit must be a whole number from 1 to 20,000',
    ],
    [
      () => countArgument('--port', '-1', 9, 0),
      '--port must be a whole number from 0 to 9, got "-1"',
    ],
    [
      () => choiceArgument('--format', 'jsn', ['text', 'json']),
      '--format must be text or json, got "jsn"; did you mean json?',
    ],
    [() => instantArgument('--from', 'today', utc), '--from must be an RFC 3339 time'],
    [() => zoneArgument('--timezone', 'Mars'), '--timezone: unknown time zone "Mars"'],
  ])('names the option, what is expected and what came', (parse, message) => {
    expect(parse).toThrow(message)
    expect(parse).toThrow(expect.objectContaining({ code: 'KRON_ARGUMENT_INVALID' }))
  })
})
