import { describe, expect, it } from 'vitest'
import { reasonOf, textOf } from './event-text.js'

describe('the reason of a failure', () => {
  it('is one line, with where it was and what caused it, each said once', () => {
    const cause = { name: 'Error', message: 'disk\n  full' }
    expect(reasonOf({ name: 'Error', message: 'could not save', where: 'task "a"', cause })).toBe(
      'could not save (task "a"): disk full',
    )
    const repeated = { name: 'Error', message: 'could not save: disk full' }
    expect(reasonOf({ ...repeated, cause: { name: 'Error', message: 'disk full' } })).toBe(
      'could not save: disk full',
    )
  })

  it('is the name of what has no message', () => {
    expect(reasonOf({ name: 'TimeoutError', message: '' })).toBe('TimeoutError')
  })

  it('is cut where it is too long for a line', () => {
    expect(reasonOf({ name: 'Error', message: 'x'.repeat(300) })).toBe('x'.repeat(300))
    expect(reasonOf({ name: 'Error', message: 'x'.repeat(301) })).toBe(`${'x'.repeat(300)}...`)
  })
})

describe('the offset of a host', () => {
  it.each([
    [-330, 'UTC-05:30'],
    [-0.5, 'UTC-00:00'],
    [0, 'UTC+00:00'],
    [765, 'UTC+12:45'],
  ])('of %d minutes is %s', (hostOffsetMinutes, text) => {
    const time = new Date(0)
    const said = textOf({ type: 'HostZoneUnnamed', time, TZ: 'EST5', hostOffsetMinutes })
    expect(said).toContain(`which shows ${text} now`)
  })
})
