import { ConfigurationError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import type { SchedulerEvent } from '../event/index.js'
import { memoryStorage } from '../storage/index.js'
import { portsOf, type SchedulerOptions } from './scheduler-options.js'

const names = 'storage, whenInUse, clock, timeZone, onEvent, logger'
const storageMethods = 'an object with open, change, save, close'
const callable = (): void => undefined

describe('options of a scheduler', () => {
  it.each([
    { field: 'options', options: null, allowed: 'an object', got: ', got null' },
    { field: 'options', options: 5, allowed: 'an object', got: ', got 5' },
    { field: 'retries', options: { retries: 1 }, allowed: `one of ${names}`, got: '' },
    {
      field: 'timezone',
      options: { timezone: 'UTC' },
      allowed: `one of ${names}`,
      got: '; did you mean timeZone?',
    },
    { field: 'storage', options: { storage: null }, allowed: storageMethods, got: ', got null' },
    {
      field: 'storage',
      options: { storage: 'a.db' },
      allowed: storageMethods,
      got: ', got "a.db"',
    },
    {
      field: 'storage',
      options: { storage: { ...memoryStorage(), own: true } },
      allowed: 'an object with own',
      got: null,
    },
    {
      field: 'whenInUse',
      options: { whenInUse: 'wait' },
      allowed: 'one of refuse, takeOver',
      got: ', got "wait"',
    },
    { field: 'clock', options: { clock: 0 }, allowed: 'an object with now, sleep', got: ', got 0' },
    {
      field: 'logger',
      options: { logger: null },
      allowed: 'an object with debug, info, warn, error',
      got: ', got null',
    },
    {
      field: 'logger',
      options: { logger: 'console' },
      allowed: 'an object with debug, info, warn, error',
      got: ', got "console"',
    },
    {
      field: 'onEvent',
      options: { onEvent: 'log' },
      allowed: 'a function that takes an event',
      got: ', got "log"',
    },
  ])('refuse $field as in $options', ({ field, options, allowed, got }) => {
    const refused = () => portsOf(options as SchedulerOptions)
    expect(refused).toThrow(ConfigurationError)
    const message = `createScheduler: ${field} must be ${allowed}${got ?? ''}`
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'KRON_FIELD_INVALID',
        message: got === null ? expect.stringContaining(message) : message,
        details: expect.objectContaining({ field, allowed }),
      }),
    )
  })

  it.each(['open', 'change', 'save', 'close'])('refuse a storage without %s', (method) => {
    const storage = { ...memoryStorage(), [method]: undefined }
    expect(() => portsOf({ storage: storage as never })).toThrow(storageMethods)
  })

  it.each(['now', 'sleep'])('refuse a clock without %s', (method) => {
    const clock = { now: callable, sleep: callable, [method]: 1 }
    expect(() => portsOf({ clock: clock as never })).toThrow('an object with now, sleep')
  })

  it('are all optional, and what is given is used', async () => {
    const clock = new VirtualClock(0)
    const given = portsOf({ clock, storage: memoryStorage(), whenInUse: 'takeOver' })
    expect([given.clock, given.whenInUse]).toEqual([clock, 'takeOver'])
    expect(given.storage.place).toBeUndefined()
    const usual = portsOf({})
    expect(usual.whenInUse).toBe('refuse')
    expect(usual.storage.place).toMatch(/[/\\]kron-scheduler\.db$/)
    expect(usual.clock.now()).toBeInstanceOf(Date)
  })

  it('with a name of a zone keep it, and without one read that of the host', () => {
    const events: SchedulerEvent[] = []
    const onEvent = (event: SchedulerEvent) => void events.push(event)
    const named = portsOf({ timeZone: 'Asia/Tokyo', storage: memoryStorage(), onEvent })
    expect(named.zoneAt(0)).toBe(named.zoneAt(1))
    const host = portsOf({ storage: memoryStorage(), onEvent })
    expect(host.zoneAt(0)).not.toBe(host.zoneAt(0))
    expect(() => portsOf({ timeZone: 'Nowhere/Land' })).toThrow('Nowhere/Land')
  })
})
