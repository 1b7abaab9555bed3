import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { encodeModule } from '../../../../tools/tzdata/encode.js'
import { readSource } from '../../../../tools/tzdata/source.js'
import { naiveZoneNames } from '../../test/naive-zone.js'
import { ConfigurationError, KronError } from '../errors/index.js'
import { tzdataVersion, zone, zoneNames } from './index.js'

function unknown(name: unknown): ConfigurationError {
  try {
    zone(name as string)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return error as ConfigurationError
  }
  throw new Error(`${String(name)} is a zone`)
}

const proposed = (name: unknown): string[] => unknown(name).details['nearest'] as string[]

describe('a zone by name', () => {
  it('exists for every name and alias of the source, and no others', () => {
    expect(zoneNames()).toEqual(naiveZoneNames().toSorted())
    expect(zoneNames().length).toBeGreaterThan(590)
  })

  it('is the same object each time', () => {
    expect(zone('Europe/Paris')).toBe(zone('Europe/Paris'))
  })

  it.each([
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['GB', 'Europe/London'],
    ['Zulu', 'Etc/UTC'],
  ])('%s is an alias with the clock of %s and a name of its own', (alias, target) => {
    expect(zone(alias).name).toBe(alias)
    expect(zone(alias).starts).toEqual(zone(target).starts)
    expect(zone(alias).offsets).toEqual(zone(target).offsets)
  })
})

describe('an unknown zone', () => {
  it.each([
    ['Europe/Pariss', 'Europe/Paris'],
    ['Europe/paris', 'Europe/Paris'],
    ['EUROPE/PARIS', 'Europe/Paris'],
    ['Paris', 'Europe/Paris'],
    [' paris ', 'Europe/Paris'],
    ['New York', 'America/New_York'],
    ['new york', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    ['America/NewYork', 'America/New_York'],
    ['Amercia/New_York', 'America/New_York'],
    ['utc?', 'UTC'],
    ['utc', 'UTC'],
    ['Etc/utc', 'Etc/UTC'],
    ['Asia/Calcuta', 'Asia/Calcutta'],
    ['Kiev', 'Europe/Kiev'],
    ['Knox', 'America/Indiana/Knox'],
    ['Louisville', 'America/Louisville'],
  ])('%j is answered with %s first', (name, nearest) => {
    expect(proposed(name)[0]).toBe(nearest)
    expect(unknown(name).message).toContain(`; did you mean ${nearest}`)
  })

  it.each([
    '',
    ' ',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(65),
    'Europe/Paris'.repeat(10_000),
    'Europe/Paris\n'.repeat(3),
    '\ud800\ud800\ud800',
  ])('%j is answered without a proposal', (name) => {
    expect(proposed(name)).toEqual([])
    expect(unknown(name).message).toMatch(/^unknown time zone .*, expected an IANA name/)
    expect(unknown(name).message.length).toBeLessThan(160)
  })

  const strange: unknown[] = [
    undefined,
    null,
    5,
    Number.NaN,
    true,
    5n,
    {},
    [],
    ['UTC'],
    Symbol('x'),
  ]
  strange.push(() => 'UTC', Object.create(null), new String('UTC'))
  it.each(strange.map((value) => [typeof value, value]))('may even be a %s', (_, value) => {
    expect(proposed(value)).toEqual([])
  })

  it('is a configuration error that says where, what and what else', () => {
    const error = unknown('Paris')
    expect(error).toBeInstanceOf(KronError)
    expect(error.code).toBe('KRON_ZONE_UNKNOWN')
    expect(error.message).toBe(
      'unknown time zone "Paris", expected an IANA name such as Europe/Paris' +
        '; did you mean Europe/Paris?',
    )
    expect(error.details).toEqual({
      field: 'timezone',
      value: 'Paris',
      allowed: 'an IANA time zone name',
      nearest: ['Europe/Paris'],
    })
  })

  it('proposes at most three names, all of which exist', () => {
    const names = new Set(zoneNames())
    for (const known of zoneNames().filter((_, index) => index % 20 === 0)) {
      const close = proposed(`${known}x`)
      expect(close.length).toBeLessThanOrEqual(3)
      expect(close).toContain(known)
      for (const each of close) expect(names.has(each)).toBe(true)
    }
  })
})

describe('the generated database', () => {
  const source = readSource()

  it('is what the tool makes of the installed data', () => {
    const path = new URL('./generated/tzdata.ts', import.meta.url)
    const isSame = readFileSync(path, 'utf8') === encodeModule(source)
    expect(isSame, 'run `npm run tzdata:update`').toBe(true)
  })

  it('carries the version of its source', () => {
    expect(tzdataVersion).toMatch(/^20\d\d[a-z]$/)
    expect(tzdataVersion).toBe(source.version)
  })
})
