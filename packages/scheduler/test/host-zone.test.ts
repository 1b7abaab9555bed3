import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { installedEngine } from '../../../tools/engines/installed-engine.js'

interface Outcome {
  readonly runs: number[][]
  readonly shown: number[][]
  readonly told: readonly { readonly type: string; readonly TZ?: string; readonly from?: string }[]
  readonly logged: readonly string[]
}

const script = fileURLToPath(new URL('host-clock.mjs', import.meta.url))
const expressions = ['0 9 * * *', '30 2 * * *', '30 1 * * *']

function onHost(TZ: string | null, from: string, to: string, node = process.execPath): Outcome {
  const { TZ: _, ...env } = process.env
  const output = execFileSync(node, [script, from, to, ...expressions], {
    env: TZ === null ? env : { ...env, TZ },
    encoding: 'utf8',
  })
  return JSON.parse(output) as Outcome
}

const nineOn = ({ runs }: Outcome): string =>
  new Date(runs[0]![0]!).toISOString().slice('2026-03-02T'.length, -':00.000Z'.length)

const tokyo = '/usr/share/zoneinfo/Asia/Tokyo'

/** TZ, and when it is 09:00 there in UTC, where that does not depend on the machine. */
const hosts: readonly (readonly [TZ: string | null, nine: string | null])[] = [
  [null, null],
  ['', '09:00'],
  ['UTC', '09:00'],
  [':/etc/localtime', null],
  [tokyo, existsSync(tokyo) ? '00:00' : null],
  [':Asia/Tokyo', '00:00'],
  ['JST-9', '00:00'],
  ['UTC-5', '04:00'],
  ['GMT', '09:00'],
  ['GMT+3', '12:00'],
  ['GMT-3', '06:00'],
  ['Asia/Kathmandu', '03:15'],
  ['America/New_York', '14:00'],
  ['America/Winnipeg', '15:00'],
  ['EST5EDT,M3.2.0,M11.1.0', null],
  ['Nowhere/Land', null],
]

const engines = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'].map((version) => {
  const engine = installedEngine(version)
  if ('missing' in engine) console.warn(`NOT TRIED on Node ${version}: ${engine.missing}`)
  return { version, node: 'node' in engine ? engine.node : null }
})

describe.each(engines)('without timeZone on Node $version', ({ node }) => {
  it.skipIf(node === null).each(hosts)('TZ=%s: tasks run when the clock shows it', (TZ, nine) => {
    const outcome = onHost(TZ, '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', node!)
    expect(outcome.runs).toEqual(outcome.shown)
    if (nine !== null) expect(nineOn(outcome)).toBe(nine)
  })

  it.skipIf(node === null)('tasks run as the host has its rules, be they old or new', () => {
    for (const TZ of ['America/Winnipeg', 'America/Vancouver', 'Africa/Casablanca']) {
      const outcome = onHost(TZ, '2026-10-31T00:00:00Z', '2026-11-03T00:00:00Z', node!)
      expect(outcome.runs, TZ).toEqual(outcome.shown)
    }
  })
})

describe('a host', () => {
  it.each([':/etc/localtime', 'JST-9', 'UTC-5', 'GMT+3', tokyo])(
    'whose TZ=%s is no name is reported once, with what its clock shows',
    (TZ) => {
      const { told, logged } = onHost(TZ, '2026-03-02T00:00:00Z', '2026-03-02T00:10:00Z')
      expect(told).toMatchObject([{ type: 'HostZoneUnnamed', TZ }])
      expect(logged).toEqual([expect.stringContaining(`TZ=${TZ} is not an IANA name`)])
    },
  )

  it('whose rules are not those of the database is reported once, if they differ', () => {
    const TZ = 'America/Winnipeg'
    const december = Date.UTC(2026, 11, 1)
    const { shown, told } = onHost(TZ, '2026-11-30T12:00:00Z', '2026-12-01T18:00:00Z')
    const hostShows = shown[0]!.at(-1)!
    const databaseShows = december + 9 * 3_600_000 - zone(TZ).offsetAt(december / 1000) * 1000
    const expected = { type: 'HostZoneDiffers', timeZone: TZ, from: '2026-11-30T12:00:00.000Z' }
    if (hostShows !== databaseShows) expect(told).toMatchObject([expected])
    else expect(told).toEqual([])
  })

  it('which agrees with the database is not told of', () => {
    const { told, logged } = onHost('Asia/Tokyo', '2026-03-02T00:00:00Z', '2026-03-02T00:10:00Z')
    expect([told, logged]).toEqual([[], []])
  })
})
