import { ConfigurationError } from '@kron/core'
import { afterEach, describe, expect, it } from 'vitest'
import { expandTimeTokens, outputTargetOf } from './output-target.js'

const instant = Date.UTC(2026, 2, 1, 2, 3, 4, 567)

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

describe('the path of an output file', () => {
  it.each([
    ['/var/log/a.log', '/var/log/a.log'],
    ['/var/log/%Y/%m/%d-%H%M%S.log', '/var/log/2026/03/01-020304.log'],
    ['/var/log/%j.log', '/var/log/060.log'],
    ['/var/log/100%%Y', '/var/log/100%Y'],
    ['/var/log/%%%Y', '/var/log/%2026'],
    ['/var/log/😀-%d', '/var/log/😀-01'],
  ])('such as %s becomes %s', (path, expanded) => {
    expect(outputTargetOf(`file:${path}`)).toEqual({ kind: 'file', path })
    expect(expandTimeTokens(path, instant)).toBe(expanded)
  })

  it.each(['Asia/Kolkata', 'America/Los_Angeles'])('is in UTC on a machine in %s', (other) => {
    process.env['TZ'] = other
    expect(new Date(instant).getHours()).not.toBe(2)
    expect(expandTimeTokens('%Y%m%d-%H%M%S %j', instant)).toBe('20260301-020304 060')
    expect(expandTimeTokens('%Y %j', Date.UTC(2026, 0, 1))).toBe('2026 001')
  })

  it.each([
    [Date.UTC(2026, 0, 1), '001'],
    [Date.UTC(2026, 11, 31, 23, 59, 59), '365'],
    [Date.UTC(2024, 11, 31, 23, 59, 59), '366'],
    [Date.UTC(2024, 2, 1), '061'],
  ])('counts the days of the year at %d as %s', (at, day) => {
    expect(expandTimeTokens('%j', at)).toBe(day)
  })

  it.each([
    ['/var/log/%y.log', '"%y"', 14],
    ['/var/log/%Y%', '"%"; write %% for a percent sign', 16],
    ['/var/log/% d', '"% "', 14],
    ['/var/log/%😀', '"%😀"', 14],
    ['/var/%{name}', '"%{"', 10],
  ])('must not be %s', (path, shown, position) => {
    const read = () => outputTargetOf(`file:${path}`)
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(`may have the time tokens %Y %m %d %H %M %S %j %%, got ${shown}`)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'KRON_FIELD_INVALID',
        details: expect.objectContaining({ position }),
      }),
    )
  })

  it.each(['file:relative', 'file:', 'other', ''])('is no target when it is %j', (text) => {
    expect(outputTargetOf(text)).toBeNull()
  })
})
