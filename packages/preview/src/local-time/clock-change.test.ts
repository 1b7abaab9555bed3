import { parseCron, utc, zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { changeText, clockChanges, effectOn } from './clock-change.js'

const at = (text: string): number => Date.parse(text)
const year = (name: string) =>
  clockChanges(zone(name), at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'))

describe('the clock changes of a year', () => {
  it('are found with what the wall clock shows', () => {
    expect(year('Europe/Paris').map((change) => [change.at, changeText(change)])).toEqual([
      [at('2026-03-29T01:00:00Z'), '02:00 → 03:00'],
      [at('2026-10-25T01:00:00Z'), '03:00 → 02:00'],
    ])
    expect(year('Australia/Lord_Howe').map(changeText)).toEqual(['02:00 → 01:30', '02:00 → 02:30'])
  })

  it('name the day when the clock jumps to another one', () => {
    expect(year('America/Santiago').map(changeText)).toEqual([
      '00:00 → 2026-04-04 23:00',
      '00:00 → 01:00',
    ])
    const apia = clockChanges(
      zone('Pacific/Apia'),
      at('2011-12-01T00:00Z'),
      at('2012-01-01T00:00Z'),
    )
    expect(apia.map(changeText)).toEqual(['00:00 → 2011-12-31 00:00'])
  })

  it('are none in UTC, and no more than asked for elsewhere', () => {
    expect(clockChanges(utc, 0, at('2030-01-01T00:00:00Z'))).toEqual([])
    expect(clockChanges(zone('Europe/Paris'), at('2026-01-01T00:00Z'), 8e15, 3)).toHaveLength(3)
  })
})

describe('what a clock change does to a schedule', () => {
  const [forward, back] = year('Europe/Paris')
  const effects = (expression: string) =>
    [forward!, back!].map((change) => effectOn(parseCron(expression), change)?.kind ?? null)

  it.each<[string, (string | null)[]]>([
    ['30 2 * * *', ['skipped', 'repeated']],
    ['0 2 * * *', ['skipped', 'repeated']],
    ['0 3 * * *', [null, null]],
    ['59 1 * * *', [null, null]],
    ['*/10 2 * * *', ['skipped', 'repeated']],
    ['0 * * * *', [null, null]],
    ['*/15 * * * *', [null, null]],
    ['30 2 * * MON', [null, null]],
    ['30 2 29 3 *', ['skipped', null]],
    ['0 2,4 * * *', ['skipped', 'repeated']],
  ])('%s: %j', (expression, kinds) => {
    expect(effects(expression)).toEqual(kinds)
  })

  it('names the first and the last time that it concerns', () => {
    const effect = effectOn(parseCron('*/10 2 * * *'), forward!)
    expect(effect).toMatchObject({
      first: at('2026-03-29T02:00:00Z'),
      last: at('2026-03-29T02:50:00Z'),
    })
  })
})
