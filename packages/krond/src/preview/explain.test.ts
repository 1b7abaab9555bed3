import { createHash } from 'node:crypto'
import { compileJob } from '@kron/core'
import type { Explanation } from '@kron/preview'
import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'
import { emptyState, encodeState, stateFileName } from '../state/index.js'

const schedule = '0 3 * * * @tz(Europe/Paris) @win(after,2h)'

function explained(...args: string[]): Explanation {
  const { stdout, exitCode } = runInMemory(['explain', ...args, '--format', 'json'])
  expect(exitCode).toBe(0)
  return JSON.parse(stdout)
}

describe('krontab explain', () => {
  it('takes a date in the zone of the job', () => {
    const { nominal } = explained(schedule, '--at', '2026-03-29')
    expect(nominal.local).toBe('2026-03-28T03:00:00+01:00')
    const nextOne = explained('30 0 * * * @tz(Asia/Tokyo)', '--at', '2026-03-29', '--next')
    expect(nextOne.nominal.local).toBe('2026-03-29T00:30:00+09:00')
  })

  it('shows each step so that anybody can repeat it', () => {
    const explanation = explained(
      schedule,
      '--at',
      '2026-03-29T06:00:00Z',
      '--identity',
      'shop:backup',
    )
    const { seed, samples, window, chosen, nominal } = explanation
    expect(nominal).toEqual({ utc: '2026-03-29T01:00:00Z', local: '2026-03-29T03:00:00+02:00' })
    expect(seed.input).toBe('shop:backup\n2026-03-29T01:00:00Z\n')
    expect(seed.sha256).toBe(createHash('sha256').update(seed.input).digest('hex'))
    expect(seed.state).toBe(seed.sha256.slice(0, 16))
    const [sample] = samples
    expect(sample!.u).toBe(firstDraw(seed.state))
    expect(sample!.x).toBe(sample!.u)
    expect(sample!.offsetSeconds).toBe(Math.floor(sample!.x! * (window.seconds + 1)))
    const candidate = Date.parse(window.start.utc) + sample!.offsetSeconds! * 1000
    expect(Date.parse(sample!.candidate!.utc)).toBe(candidate)
    expect(chosen).toEqual(sample!.candidate)
    expect(explanation.delaySeconds).toBe(sample!.offsetSeconds)
  })

  it('is what core decides', () => {
    const { chosen, identity, tzdata } = explained(schedule, '--at', '2026-03-29T06:00:00Z')
    const job = compileJob({
      identity,
      schedule: '0 3 * * *',
      timezone: 'Europe/Paris',
      window: { mode: 'after', duration: '2h' },
    })
    const { chosenTime } = job.decide(Date.parse('2026-03-29T01:00:00Z'))
    expect(Date.parse(chosen!.utc)).toBe(chosenTime)
    expect(identity).toBe(schedule)
    expect(tzdata).toMatch(/^20\d\d[a-z]+$/)
  })

  it('explains the current period, or with --next the one after', () => {
    expect(explained(schedule).period).toBe('2026-02-28T02:00:00Z')
    expect(explained(schedule, '--next').period).toBe('2026-03-01T02:00:00Z')
    const around = '0 3 * * * @win(around,2h)'
    const at = ['--at', '2026-03-05T02:00:00Z']
    expect(explained(around, ...at).period).toBe('2026-03-05T03:00:00Z')
    expect(explained(around, ...at, '--next').period).toBe('2026-03-06T03:00:00Z')
  })

  it('has every rejected sample with its reason in JSON, and ten lines in text', () => {
    const args = ['0 8 * * * @win(after,9h) @only(hours=12)', '--at', '2026-03-05T10:00:00Z']
    const identity = identityWithManyRejections(args)
    const { samples, attempts } = explained(...args, '--identity', identity)
    expect(samples).toHaveLength(attempts)
    expect(samples.slice(0, -1).every(({ rejectedBy }) => rejectedBy === 'only hours=12')).toBe(
      true,
    )
    expect(samples.at(-1)!.rejectedBy).toBeNull()
    const { stdout } = runInMemory(['explain', ...args, '--identity', identity])
    expect(stdout).toContain(`  ... ${attempts - 10} more, all rejected (--format json has them)\n`)
    expect(stdout.match(/rejected by only hours=12/g)).toHaveLength(9)
    expect(stdout).toContain(`\n  attempts  ${attempts}\n`)
  })

  it('says that a period is unschedulable and what to do', () => {
    const never = '0 8 * * * @win(after,1h) @avoid(dates=2020-01-01..2099-12-31)'
    const { stdout } = runInMemory(['explain', never])
    expect(stdout).toContain('unschedulable: no candidate accepted within MaxAttempts')
    expect(stdout).toContain('widen the window or drop the clause')
    const scarce = '0 8 * * * @win(after,9h) @only(between=12:00-12:00)'
    const lost = Array.from({ length: 50 }, (_, i) => `id-${i}`)
      .map((identity) => runInMemory(['explain', scarce, '--identity', identity]).stdout)
      .find((text) => text.includes('unschedulable:'))
    expect(lost).toContain('lost with probability 88.8%')
    expect(lost).toContain('Add sample=exact to @dist')
  })

  it('explains an exact draw', () => {
    const exact = '0 8 * * * @win(after,9h) @dist(normal,sigma=1h,sample=exact) @only(hours=12)'
    const { samples, chosen } = explained(exact)
    expect(samples).toMatchObject([{ attempt: 1, x: null, rejectedBy: null }])
    expect(chosen!.utc).toMatch(/T12:/)
    expect(runInMemory(['explain', exact]).stdout).toContain(
      'u picks one of the allowed seconds, weighted by normal, sigma=1h, sample=exact; only hours=12',
    )
  })

  it('needs no draw without a window', () => {
    const { stdout } = runInMemory(['explain', '0 3 * * *'])
    expect(stdout).toContain('window   none')
    expect(stdout).toContain('none drawn, the window is a single second; no constraints')
    expect(stdout).toContain('chosen    2026-02-28T03:00:00Z\n')
  })

  it('says that a clock change lets the next period take over', () => {
    const overlapping = '30 2 * * * @tz(Europe/Paris) @win(around,2h)'
    const args = ['explain', overlapping, '--at', '2026-10-25T00:00:00Z']
    const { stdout } = runInMemory(args)
    expect(stdout).toContain('nominal  2026-10-25T00:30:00Z')
    expect(stdout).toContain('superseded: the next period takes over at 2026-10-25T00:30:00Z')
  })

  it('says what policy and suspension mean', () => {
    const { stdout } = runInMemory([
      'explain',
      '0 3 * * * @policy(concurrency=replace,deadline=5m,suspend=true)',
    ])
    expect(stdout).toContain(
      'policy     concurrency replace; starts up to 5m after the chosen time; suspended: nothing runs',
    )
  })

  it('makes the newlines of the seed visible, and the identity harmless', () => {
    const { stdout } = runInMemory(['explain', schedule, '--identity', 'a\u001b[31m"b'])
    expect(stdout).toContain('input     "a\\u001b[31m\\"b\\n2026-02-28T02:00:00Z\\n"')
  })
})

/** SplitMix64 as its authors give it, on 64-bit integers. */
function firstDraw(state: string): number {
  const mask = (1n << 64n) - 1n
  let z = (BigInt(`0x${state}`) + 0x9e3779b97f4a7c15n) & mask
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask
  z ^= z >> 31n
  return Number(z >> 11n) / 2 ** 53
}

function identityWithManyRejections(args: readonly string[]): string {
  const found = Array.from({ length: 200 }, (_, i) => `id-${i}`).find(
    (identity) => explained(...args, '--identity', identity).attempts > 12,
  )
  expect(found).toBeDefined()
  return found!
}

describe('a period that was due before krond saw its job', () => {
  const krontab = '0 3 * * * name=backup command=/bin/backup\n'
  const path = '/home/ada/.config/krond/jobs.krontab'
  const identity = `${path}:backup`
  const timing = compileJob({ identity, schedule: '0 3 * * *' }).timing
  const stateFile = `/home/ada/.local/state/krond/${stateFileName(identity)}`
  const now = Date.parse('2026-03-01T10:00:00Z')

  function explainedAt(since: string, ...args: string[]) {
    const responsibility = { timing, since: Date.parse(since) }
    const state = encodeState({ ...emptyState(identity), responsibility })
    const files = { [path]: krontab, [stateFile]: state }
    return runInMemory(['explain', 'backup', ...args], { now, files })
  }

  it('is shown as not its business', () => {
    const { stdout, exitCode } = explainedAt('2026-03-01T09:00:00Z')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('not responsible: the host answers for this job since 2026-03-01T09:')
    expect(
      JSON.parse(explainedAt('2026-03-01T09:00:00Z', '--format', 'json').stdout),
    ).toMatchObject({
      period: '2026-03-01T03:00:00Z',
      responsibleSince: { utc: '2026-03-01T09:00:00Z' },
      answeredFor: false,
    })
  })

  it('is not mixed up with others', () => {
    for (const args of [['2026-03-01T09:00:00Z', '--next'], ['2026-03-01T02:00:00Z']] as const) {
      const [since, ...more] = args
      expect(explainedAt(since, ...more).stdout).not.toContain('not responsible')
    }
    const unknown = runInMemory(['explain', 'backup', '--format', 'json'], {
      now,
      files: { [path]: krontab },
    })
    expect(JSON.parse(unknown.stdout)).toMatchObject({ responsibleSince: null, answeredFor: true })
  })
})
