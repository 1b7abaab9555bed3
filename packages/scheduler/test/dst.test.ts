import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { naiveMinutes } from './naive-minutes.js'
import { World } from './world.js'

const expressions = ['30 2 * * *', '0,30 1 * * *', '* * * * *']

/** Around each change: zone, from, to. */
const changes = [
  ['America/New_York', 'forward', '2026-03-08T03:00:00Z', '2026-03-09T09:00:00Z'],
  ['America/New_York', 'back', '2026-11-01T03:00:00Z', '2026-11-02T09:00:00Z'],
  ['Europe/Paris', 'forward', '2026-03-28T22:00:00Z', '2026-03-30T04:00:00Z'],
  ['Europe/Paris', 'back', '2026-10-24T22:00:00Z', '2026-10-26T04:00:00Z'],
  ['Australia/Lord_Howe', 'forward', '2026-10-03T12:00:00Z', '2026-10-04T20:00:00Z'],
  ['Australia/Lord_Howe', 'back', '2026-04-04T12:00:00Z', '2026-04-05T20:00:00Z'],
  ['America/Santiago', 'forward', '2026-09-06T01:00:00Z', '2026-09-07T08:00:00Z'],
  ['America/Santiago', 'back', '2026-04-05T00:00:00Z', '2026-04-06T08:00:00Z'],
  ['Pacific/Apia', 'forward', '2020-09-26T10:00:00Z', '2020-09-27T20:00:00Z'],
  ['Pacific/Apia', 'back', '2021-04-03T10:00:00Z', '2021-04-04T20:00:00Z'],
  ['Pacific/Apia', 'over a whole day', '2011-12-29T20:00:00Z', '2011-12-31T16:00:00Z'],
] as const

/** When the task of each expression ran, as epoch milliseconds. */
async function runsOf(timeZone: string, from: string, to: string): Promise<number[][]> {
  const world = new World(from, { timeZone })
  const scheduler = world.scheduler()
  await scheduler.initialize(expressions.map((expression) => world.task(expression, expression)))
  await world.until(to)
  await scheduler.stop()
  return expressions.map((name) => world.attemptsOf(name).map((at) => Date.parse(at)))
}

describe.each(changes)('in %s, when the clock goes %s', (timeZone, _direction, from, to) => {
  const expected = expressions.map((expression) =>
    naiveMinutes(expression, timeZone, Date.parse(from), Date.parse(to)),
  )

  it('skipped minutes never run, repeated ones both times, and nothing else does', async () => {
    expect(await runsOf(timeZone, from, to)).toEqual(expected)
  })

  it.each(['Pacific/Kiritimati', 'America/St_Johns', 'Europe/Paris'])(
    'it is the same on a host in %s',
    (hostZone) => {
      expect(runsOnHost({ TZ: hostZone, KRON_ZONE: timeZone }, from, to)).toEqual(expected)
    },
  )

  it('it is the same on a host in that zone which names none', () => {
    expect(runsOnHost({ TZ: timeZone }, from, to)).toEqual(expected)
  })
})

function runsOnHost(env: Record<string, string>, from: string, to: string): number[][] {
  const script = fileURLToPath(new URL('dst-on-host.mjs', import.meta.url))
  const output = execFileSync(process.execPath, [script, from, to, ...expressions], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return JSON.parse(output) as number[][]
}

describe('30 2 * * *', () => {
  it('does not run in New York on the day on which 02:30 is skipped', async () => {
    const [runs] = await runsOf('America/New_York', '2026-03-07T00:00:00Z', '2026-03-10T00:00:00Z')
    expect(runs!.map((at) => new Date(at).toISOString())).toEqual([
      '2026-03-07T07:30:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ])
  })
})

describe('0,30 1 * * *', () => {
  it('runs four times in New York on the day on which the hour from one is repeated', async () => {
    const [, runs] = await runsOf(
      'America/New_York',
      '2026-11-01T00:00:00Z',
      '2026-11-02T00:00:00Z',
    )
    expect(runs!.map((at) => new Date(at).toISOString())).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:00:00.000Z',
      '2026-11-01T06:30:00.000Z',
    ])
  })

  it('runs three times on Lord Howe, where half an hour is repeated', async () => {
    const [, runs] = await runsOf(
      'Australia/Lord_Howe',
      '2026-04-04T13:00:00Z',
      '2026-04-05T12:00:00Z',
    )
    expect(runs!.map((at) => new Date(at).toISOString())).toEqual([
      '2026-04-04T14:00:00.000Z',
      '2026-04-04T14:30:00.000Z',
      '2026-04-04T15:00:00.000Z',
    ])
  })
})
