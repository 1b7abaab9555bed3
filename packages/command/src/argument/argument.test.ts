import { zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { startOfDay } from './argument.js'

const at = (text: string): number => Date.parse(text)

describe('local time', () => {
  it.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00:00Z'],
    ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Paris', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
    ['Europe/Paris', '1800-01-01', '1799-12-31T23:50:39Z'],
  ])('has in %s a day %s that begins at %s', (name, date, instant) => {
    expect(startOfDay(at(`${date}T00:00:00Z`), zone(name))).toBe(at(instant))
  })
})
