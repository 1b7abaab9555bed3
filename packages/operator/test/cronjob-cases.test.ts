import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../testing/cluster/virtual-cluster.js'
import { casesDocument } from './cronjob/cases-document.js'
import { type CronJobCase, cases, cronJobOutcome } from './cronjob/cron-job-case.js'
import { differenceIn, differences } from './cronjob/differences.js'
import { importedSpec } from './cronjob/imported-spec.js'
import { playedCase } from './cronjob/played-case.js'

const isSame = (situation: CronJobCase): boolean => differenceIn(situation) === undefined

describe('in the situations of the CronJob controller', () => {
  it('all 74 are there', () => {
    expect(cases).toHaveLength(74)
  })

  it.each(cases.filter(isSame))('a KronJob does the same: $name', async (situation) => {
    expect(await playedCase(situation)).toEqual(cronJobOutcome(situation))
  })

  it.each(cases.filter((each) => !isSame(each)))(
    'a KronJob differs on purpose: $name',
    async (situation) => {
      const cronJob = cronJobOutcome(situation)
      const expected = { ...cronJob, ...differenceIn(situation)?.outcome(situation) }
      expect(await playedCase(situation)).toEqual(expected)
      expect(expected).not.toEqual(cronJob)
    },
  )

  it.each(cases)('no Job runs that a CronJob would not start: $name', async (situation) => {
    const { created } = await playedCase(situation)
    expect(created).toBeLessThanOrEqual(cronJobOutcome(situation).created)
  })

  it('each difference is one of exactly one kind', () => {
    for (const situation of cases) {
      const kinds = differences.filter(({ isMeant }) => isMeant(situation))
      expect(kinds.length).toBeLessThanOrEqual(1)
    }
    for (const { isMeant } of differences) expect(cases.some(isMeant)).toBe(true)
  })

  it('kronctl import refuses what can not be a KronJob, and nothing else', () => {
    const refused = cases.filter((situation) => importedSpec(situation).refusal !== null)
    expect(new Set(refused.map(({ schedule, timeZone }) => timeZone ?? schedule))).toEqual(
      new Set(['errorSchedule', '&errorTimeZone', 'everyHour']),
    )
  })

  it('the documentation says where they differ', async () => {
    const document = '../../../docs/operator-cronjob-cases.md'
    await expect(casesDocument()).toMatchFileSnapshot(document)
  })
})

it('a period that forbid has skipped is not made up for when the Job ends', async () => {
  const cluster = new VirtualCluster()
  cluster.apply('my', {
    schedule: '*/10 * * * *',
    policy: { concurrency: 'forbid', deadline: '10m' },
  })
  const { stop } = cluster.startController()
  await cluster.until('10:10:30')
  expect(cluster.status('my')).toMatchObject({ lastOutcome: 'skipped' })
  cluster.world.complete(cluster.world.running[0]!.job)
  await cluster.until('10:19:50')
  expect(cluster.world.runs).toHaveLength(1)
  await cluster.until('10:20:10')
  expect(cluster.world.runs).toHaveLength(2)
  await stop()
})
