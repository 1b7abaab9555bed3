import { tzdataVersion, zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { HostZone } from './host-zone.js'
import { hostZoneNotice } from './host-zone-notice.js'

const now = Date.UTC(2026, 2, 2)
const hour = 3600
const noticeOf = (offsetAt: (seconds: number) => number, timeZone?: string, TZ?: string) =>
  hostZoneNotice(new HostZone(now, offsetAt), now, { TZ, timeZone })
const paris = (seconds: number): number => zone('Europe/Paris').offsetAt(seconds)

describe('of the zone of a host it is noted', () => {
  it('nothing when the database shows the same', () => {
    expect(noticeOf(paris, 'Europe/Paris')).toBe(null)
    expect(noticeOf(paris, 'Europe/Paris', ':Europe/Paris')).toBe(null)
    expect(noticeOf(() => 0, 'UTC')).toBe(null)
  })

  it.each([undefined, 'Etc/Unknown', '+03:00', 'GMT+03:00'])(
    'nothing when Node calls it %s, and nobody has set TZ',
    (name) => {
      expect(noticeOf(() => 3 * hour, name)).toBe(null)
      expect(noticeOf(() => 0, name, '')).toBe(null)
    },
  )

  it('from when on it differs from the database', () => {
    const withoutSummer = (seconds: number): number => Math.min(paris(seconds), hour)
    expect(noticeOf(withoutSummer, 'Europe/Paris')).toEqual({
      type: 'HostZoneDiffers',
      timeZone: 'Europe/Paris',
      from: new Date('2026-03-29T01:00:00Z'),
      hostOffsetMinutes: 60,
      databaseOffsetMinutes: 120,
      databaseVersion: tzdataVersion,
    })
    const always = noticeOf((seconds) => paris(seconds) - hour, 'Europe/Paris')
    expect(always).toMatchObject({ from: new Date(now), hostOffsetMinutes: 0 })
  })

  it('that it will differ, up to a year ahead', () => {
    const from = Math.floor(now / 1000) + 365 * 24 * hour
    const strangeSoon = (seconds: number): number => (seconds < from ? paris(seconds) : 5 * hour)
    expect(noticeOf(strangeSoon, 'Europe/Paris')).toMatchObject({
      from: new Date(from * 1000),
      hostOffsetMinutes: 300,
    })
  })

  it('nothing when it differed only in the past, or will in some years', () => {
    const year = 366 * 24 * hour
    const strange = (seconds: number): number =>
      Math.abs(seconds - now / 1000) > year + 1 ? 5 * hour : paris(seconds)
    const wasStrange = (seconds: number): number =>
      seconds < now / 1000 ? 5 * hour : paris(seconds)
    expect(noticeOf(strange, 'Europe/Paris')).toBe(null)
    expect(noticeOf(wasStrange, 'Europe/Paris')).toBe(null)
  })

  it.each([':/etc/localtime', '/usr/share/zoneinfo/Asia/Tokyo', 'JST-9', 'UTC-5', 'GMT+3'])(
    'that TZ=%s is no name',
    (TZ) => {
      const hostOffsetMinutes = 540
      expect(noticeOf(() => 9 * hour, undefined, TZ)).toEqual({
        type: 'HostZoneUnnamed',
        TZ,
        hostOffsetMinutes,
      })
    },
  )
})
