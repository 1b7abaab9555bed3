import { compileJob, KronError, parseSchedule } from '@kron/core'
import type { HostJob } from '../../packages/krond/src/daemon/index.js'
import type { RunSettings } from '../../packages/krond/src/process/index.js'
import type { Random } from '../random.js'

export const zones = [
  'UTC',
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
] as const

const crons = [
  '*/5 * * * *',
  '*/20 * * * *',
  '0 * * * *',
  '30 * * * *',
  '30 2 * * *',
  '0,30 1 * * *',
  '0 */3 * * *',
  '15 0 * * *',
  '45 23 * * 1-5',
]
const windows = ['', '@win(after,4m)', '@win(around,5m)', '@win(after,20m)', '@win(around,40m)']
const distributions = ['', '@dist(normal)', '@dist(exponential)', '@dist(triangular)']
const constraints = [
  '',
  '',
  '',
  '@avoid(hours=2)',
  '@only(dow=mon-fri)',
  '@only(dates=2001-01-01..2001-12-31)',
]
const deadlines = ['0s', '30s', '10m', '1h', '6h']

/** A few jobs of all kinds. Names stay the same, so that a later mix changes them. */
export function jobMix(random: Random, count: number): HostJob[] {
  const jobs: HostJob[] = []
  for (let number = 1; number <= count; number++) jobs.push(someJob(random, `job-${number}`))
  return jobs
}

function someJob(random: Random, name: string): HostJob {
  const identity = `/sim/jobs.krontab:${name}`
  for (;;) {
    const text = someSchedule(random)
    try {
      const timezone = 'UTC'
      const job = compileJob({ ...parseSchedule(text, { timezone }), identity })
      return { identity, name, job, settings: someSettings(random) }
    } catch (error) {
      // The window was longer than the smallest gap, or the like: draw again.
      if (!(error instanceof KronError)) throw error
    }
  }
}

function someSchedule(random: Random): string {
  const concurrency = random.pick(['allow', 'forbid', 'replace'])
  const suspend = random.chance(0.1) ? ',suspend=true' : ''
  const first = random.chance(0.2) ? ',first=run' : ''
  return [
    random.pick(crons),
    `@tz(${random.pick(zones)})`,
    random.pick(windows),
    random.pick(distributions),
    random.pick(constraints),
    `@policy(concurrency=${concurrency},deadline=${random.pick(deadlines)}${suspend}${first})`,
  ]
    .filter(Boolean)
    .join(' ')
}

function someSettings(random: Random): RunSettings {
  return {
    command: { kind: 'words', words: ['/bin/job'] },
    account: null,
    cwd: null,
    env: {},
    umask: null,
    timeoutMs: random.chance(0.2) ? random.pick([60_000, 1_800_000]) : null,
    stdout: { kind: 'discard' },
    stderr: { kind: 'discard' },
    stdin: null,
  }
}
