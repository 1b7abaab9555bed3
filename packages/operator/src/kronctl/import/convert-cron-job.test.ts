import { compileJob } from '@kron/core'
import { describe, expect, it } from 'vitest'
import vectors from '../../../test/vectors/k8s-cronjob-cases.json' with { type: 'json' }
import { GoCronOracle } from '../../../testing/kronctl/go-cron-oracle.js'
import { cronJobObject, jobTemplate } from '../../../testing/kronctl/samples.js'
import { compileKronJob, type KronJob } from '../../kronjob/index.js'
import { checkKronJob } from '../../kronjob/manifest/check-manifest.js'
import { type Conversion, Refusal } from './conversion.js'
import { convertCronJob } from './convert-cron-job.js'
import { longestGap, roundedUp } from './converted-policy.js'

const now = Date.UTC(2026, 2, 1)

const convert = (spec: object, windowMs: number | null = null) =>
  convertCronJob(cronJobObject('nightly', spec), { now, windowMs })

const specOf = (spec: object, windowMs: number | null = null): KronJob['spec'] =>
  ((convert(spec, windowMs) as Conversion).kronJob as unknown as KronJob).spec

const notesOf = (spec: object, windowMs: number | null = null): string[] =>
  (convert(spec, windowMs) as Conversion).notes.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

describe('a converted CronJob', () => {
  it('keeps what was said, in the words of KronJobs', () => {
    const spec = specOf({
      schedule: '0 3 * * ?',
      timeZone: 'Europe/Paris',
      startingDeadlineSeconds: 5400,
      concurrencyPolicy: 'Forbid',
      suspend: true,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 7,
    })
    expect(spec).toEqual({
      schedule: '0 3 * * *',
      timezone: 'Europe/Paris',
      policy: { concurrency: 'forbid', deadline: '1h30m', suspend: true },
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 7,
      jobTemplate,
    })
  })

  it('says what a CronJob does where it says nothing', () => {
    expect(specOf({}).policy).toEqual({ concurrency: 'allow', deadline: '24h' })
    expect(notesOf({})).toEqual([
      'spec.timezone: The CronJob follows the zone of kube-controller-manager, which is UTC ' +
        'unless it was changed.',
      'spec.policy.concurrency: Where a CronJob says nothing it allows this; a KronJob would ' +
        'forbid it.',
      'spec.policy.deadline: A CronJob without startingDeadlineSeconds starts its latest missed ' +
        'run however late; 24h covers the longest time between two runs.',
    ])
  })

  it('takes fields that are null for fields that are not there', () => {
    const nulls = { timeZone: null, startingDeadlineSeconds: null, suspend: null }
    expect(convert(nulls)).toEqual(convert({}))
  })

  it.each([
    ['*/15 * * * *', 'UTC', '15m'],
    ['0 3 * * *', 'Europe/Paris', '25h'],
    ['0 9-17 * * 1-5', 'UTC', '64h'],
    ['0 0 1 * *', 'UTC', '744h'],
    ['0 0 29 2 *', 'UTC', '8784h'],
  ])('starts %j in %s up to %s late, until the next run is due', (schedule, timeZone, deadline) => {
    expect(specOf({ schedule, timeZone }).policy?.deadline).toBe(deadline)
  })

  it('has the longest deadline that there is instead of a longer one', () => {
    const spec = { startingDeadlineSeconds: 1_000_000_000 }
    expect(specOf(spec).policy?.deadline).toBe('8784h')
    expect(notesOf(spec)).toContainEqual(expect.stringContaining('1000000000 seconds in the'))
  })

  it('follows the zone in the schedule, as Kubernetes does, and tells of the other one', () => {
    const spec = { schedule: 'TZ=UTC 0 3 * * *', timeZone: 'America/New_York' }
    expect(specOf(spec).timezone).toBe('UTC')
    expect(notesOf(spec)).toContainEqual(expect.stringContaining('timeZone "America/New_York"'))
  })

  it('keeps a template to the last field, known or not', () => {
    const template = {
      metadata: { creationTimestamp: null, annotations: { a: 'yes' } },
      spec: { ...jobTemplate.spec, podReplacementPolicy: 'Failed', x: [1, { y: null }] },
    }
    expect(specOf({ jobTemplate: template }).jobTemplate).toBe(template)
  })

  it('keeps labels and annotations, and nothing that a cluster or kubectl made', () => {
    const cronJob = {
      ...cronJobObject('a'),
      metadata: {
        name: 'a',
        namespace: 'shop',
        uid: '1',
        resourceVersion: '2',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
        managedFields: [],
        labels: { app: 'shop' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'ada' },
        finalizers: ['x/y'],
      },
      status: { active: [] },
    }
    const { kronJob, notes } = convertCronJob(cronJob, { now, windowMs: null }) as Conversion
    expect(kronJob).toEqual({
      apiVersion: 'kron.io/v1alpha1',
      kind: 'KronJob',
      metadata: {
        name: 'a',
        namespace: 'shop',
        labels: { app: 'shop' },
        annotations: { team: 'ada' },
      },
      spec: expect.anything(),
    })
    expect(notes).toContainEqual({
      path: ['metadata'],
      message: 'finalizers of the CronJob is left out.',
    })
  })

  it('keeps a long name, whatever its Jobs will be called', () => {
    const name = 'n'.repeat(100)
    const { kronJob } = convertCronJob(cronJobObject(name), { now, windowMs: null }) as Conversion
    expect(kronJob['metadata']).toEqual({ name, namespace: 'shop' })
  })

  it('gets the window that is asked for, where it fits', () => {
    expect(specOf({}, 1_800_000).window).toEqual({ mode: 'after', duration: '30m' })
    const often = { schedule: '*/10 * * * *' }
    expect(specOf(often, 1_800_000).window).toBeUndefined()
    expect(notesOf(often, 1_800_000)).toContainEqual(
      'spec.schedule: No window: runs are closer together than 30m.',
    )
  })

  it.each([
    [{ schedule: '0 0 31 2 *' }, 'never runs: no month has such a day'],
    [{ schedule: undefined }, 'spec.schedule is missing'],
    [{ jobTemplate: undefined }, 'spec.jobTemplate is missing'],
    [{ timeZone: 'Local' }, 'spec.timeZone: '],
    [{ timeZone: '' }, 'spec.timeZone: '],
    [{ concurrencyPolicy: 'Sometimes' }, 'must be one of Allow, Forbid, Replace'],
    [{ startingDeadlineSeconds: -1 }, 'must be a whole number from 0 on'],
    [{ suspend: 'maybe' }, 'as a KronJob it would be invalid: spec.policy.suspend'],
  ])('is refused with %j', (spec, reason) => {
    const refused = convert(spec)
    expect(refused).toBeInstanceOf(Refusal)
    expect((refused as Refusal).reason).toContain(reason)
  })

  it('tells of fields that have no counterpart', () => {
    expect(notesOf({ color: 'red' })).toContainEqual(
      'spec: color of the CronJob has no counterpart and is left out.',
    )
  })
})

/** The constants of the vectors, as CronJobs have them. */
const constants = vectors.constants as Readonly<Record<string, string>>
const seconds: Readonly<Record<string, number | undefined>> = {
  shortDead: 10,
  mediumDead: 2 * 60 * 60,
  longDead: 1_000_000,
  noDead: undefined,
}

interface Situation {
  readonly schedule: string
  readonly timeZone?: string
  readonly deadline?: string
  readonly concurrencyPolicy?: string
  readonly suspend?: boolean
}

function cronJobSpec(situation: Situation): object {
  const { schedule, timeZone, deadline = 'noDead', concurrencyPolicy, suspend } = situation
  const words = schedule.replaceAll('"', '').split(' + ')
  return {
    schedule: words.map((word) => constants[word] ?? word).join(''),
    timeZone: timeZone === undefined ? undefined : constants[timeZone.replace('&', '')],
    startingDeadlineSeconds: seconds[deadline],
    concurrencyPolicy,
    suspend,
  }
}

const situations = [
  ...new Set(
    (vectors.cases as readonly Situation[]).map(
      ({ schedule, timeZone, deadline, concurrencyPolicy, suspend }) =>
        JSON.stringify({ schedule, timeZone, deadline, concurrencyPolicy, suspend }),
    ),
  ),
].map((text) => JSON.parse(text) as Situation)

describe('situations of the controller of CronJobs', () => {
  it('are all there', () => {
    expect(situations.length).toBeGreaterThan(20)
  })

  it.each(situations)('%j converts, or is refused for a reason', (situation) => {
    const spec = cronJobSpec(situation)
    const result = convert(spec)
    const reasons: Readonly<Record<string, string>> = {
      errorSchedule: 'a schedule must have 5 fields',
      everyHour: 'counts from when the CronJob was created',
      '&errorTimeZone': 'spec.timeZone: ',
    }
    const reason = reasons[situation.schedule] ?? reasons[situation.timeZone ?? '']
    if (reason !== undefined) {
      expect((result as Refusal).reason).toContain(reason)
      return
    }
    const { kronJob } = result as Conversion
    expect(checkKronJob(kronJob)).toEqual([])
    const job = compileKronJob(kronJob as unknown as KronJob)
    const usual = { concurrencyPolicy: 'Allow', suspend: false, ...situation }
    expect(job.policy.concurrency).toBe(usual.concurrencyPolicy.toLowerCase())
    expect(job.policy.suspend).toBe(usual.suspend)
    const wanted = seconds[situation.deadline ?? 'noDead']
    expect(job.policy.deadline).toBe(wanted === undefined ? 3_600_000 : wanted * 1000)
    const timezone = situation.schedule.includes('TZ=') ? 'UTC' : job.spec.timezone
    const oracle = new GoCronOracle(constants['onTheHour']!, timezone)
    let at = Date.parse('2016-05-19T09:59:00Z')
    for (let run = 0; run < 100; run++) {
      const next = oracle.next(at)!
      expect(job.nextPeriod(at)).toBe(next)
      at = next
    }
  })
})

describe('the longest gap', () => {
  it('is looked for over clock changes', () => {
    const job = compileJob({ identity: 'a', schedule: '0 3 * * *', timezone: 'Europe/Paris' })
    expect(longestGap(job, now)).toBe(25 * 3_600_000)
  })

  it.each([
    [15 * 60_000, 15 * 60_000],
    [61_000, 120_000],
    [72.5 * 3_600_000, 73 * 3_600_000],
    [30.1 * 86_400_000, 31 * 86_400_000],
  ])('%d ms is rounded up to %d', (ms, rounded) => {
    expect(roundedUp(ms)).toBe(rounded)
  })
})
