import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../../simulation/random.js'
import { controlPlaneAbsent } from '../../../../tools/kube/shared.ts'
import type { KronJob } from '../../src/kronjob/index.js'
import { clusterJob } from '../cluster/cluster-job.js'
import { Site } from '../cluster/site.js'
import { TestNamespace } from '../cluster/test-namespace.js'
import { type CrashPlane, startCrashPlane } from './crash-plane.js'
import { type JudgedJob, judge } from './judgement.js'
import { Misfortune } from './misfortune.js'
import { OperatorCrowd } from './operator-crowd.js'

const isLong = process.env['KRON_LONG'] !== undefined
const wanted = Number(process.env['KRON_PERIODS'] ?? (isLong ? 1000 : 150))
const seed = Number(process.env['KRON_SEED'] ?? 1)

/** Five minutes of the controllers take ten seconds on a machine that has nothing else to do. */
const fastest = 30
const minuteMs = 60_000
const periodMs = 5 * minuteMs
const windowMs = (index: number): number => (index % 3 === 0 ? minuteMs : 0)
const deadlineMs = 4.5 * minuteMs

const kronJobCount = wanted > 300 ? 50 : 30
const rounds = Math.ceil(wanted / kronJobCount)
const outageEveryMs = 22_000
/** A slow machine takes ten times as long. */
const limitMs = (isLong ? 60 : 20) * minuteMs

function concurrencyOf(index: number): JudgedJob['concurrency'] {
  if (index % 5 === 3) return 'forbid'
  return index % 10 === 4 ? 'replace' : 'allow'
}

/** With history limits of 0 and 1, so that the proof of a period is gone as soon as may be. */
function manifest(index: number): KronJob {
  const concurrency = concurrencyOf(index)
  const limit = index % 2
  return clusterJob(
    `job-${index}`,
    {
      schedule: '*/5 * * * *',
      window: { duration: `${windowMs(index) / 1000}s` },
      policy: { concurrency, deadline: '4m30s' },
      successfulJobsHistoryLimit: limit,
      failedJobsHistoryLimit: 1 - limit,
    },
    { fate: concurrency === 'replace' ? 'run' : index % 7 === 0 ? 'fail' : 'succeed' },
  )
}

describe.skipIf(controlPlaneAbsent())('kron-operator in a cluster where everything fails', () => {
  let world: CrashPlane
  let site: Site

  beforeAll(async () => {
    world = await startCrashPlane()
    site = await Site.open(world.plane, 'cluster')
  })

  afterAll(async () => {
    await site?.close()
    await world?.stop()
  })

  it(`creates one Job for each of ${wanted} periods`, { timeout: limitMs }, async () => {
    const { plane, ledger } = world
    const random = new Random(seed)
    const teams = await Promise.all([0, 1, 2].map(() => TestNamespace.create(plane)))
    const manifests = Array.from({ length: kronJobCount }, (_, index) => manifest(index))
    const teamOf = (index: number): TestNamespace => teams[index % teams.length]!
    await Promise.all(
      teams.map((team) => team.apply(...manifests.filter((_, index) => teamOf(index) === team))),
    )
    const jobs = manifests.map(({ metadata }, index) => ({
      identity: `${teamOf(index).name}/${metadata.name}`,
      concurrency: concurrencyOf(index),
      windowMs: windowMs(index),
    }))

    const slower = await site.slowness()
    const pace = { since: Date.now(), factor: fastest / slower }
    const roundMs = periodMs / pace.factor
    const crowd = new OperatorCrowd(site, pace, slower, random.fork())
    await crowd.start(2)
    const from = Date.now()
    // The first period begins within a round, and the last one ends with a round without trouble.
    const to = from + (rounds + 1) * roundMs
    const identities = jobs.map(({ identity }) => identity)
    const misfortune = new Misfortune(plane, site, identities, random.fork())
    await misfortune.strike(to - roundMs, outageEveryMs * slower)
    crowd.spare()
    await wait(Math.max(0, to - Date.now()))
    await crowd.stop()

    const observed = { from, to }
    const { outages, restarts, cuts, erasures, compactions } = misfortune
    const { lives } = crowd
    const scene = { pace, periodMs, deadlineMs, observed, outages, lives, jobs }
    const verdict = judge({ ...scene, entries: ledger.entries })
    const { periods, twice, lost, yielded, cutOff, overlapping } = verdict
    const executed = periods - yielded - cutOff.length - lost.length
    console.info(
      `${periods} periods at a pace of ${pace.factor.toFixed(1)}, ${crowd.kills} kills, ${restarts} restarts of the API server, ` +
        `${cuts} cuts, ${compactions} compactions, ${erasures} statuses erased, ` +
        `${executed} executed, ${yielded} yielded, ${cutOff.length} cut off, ` +
        `${twice.length} twice, ${lost.length} lost`,
    )
    if (cutOff.length > 0) console.info(`nobody there for ${cutOff.join(', ')}`)
    expect(ledger.gap).toBeNull()
    expect(twice).toEqual([])
    expect(lost).toEqual([])
    expect(overlapping).toEqual([])
    expect(crowd.unexpected).toEqual([])
    // Not all come to the moment that was meant for them, but all kinds have their turn.
    expect(crowd.moments.size).toBeGreaterThanOrEqual(isLong ? 6 : 2)
    // An API server that is starting refuses everybody until it has read who may do what.
    const isStarting = (at: number): boolean =>
      outages.some(({ from, to }) => at >= from && at <= to)
    expect(site.forbidden(isStarting)).toEqual([])
    expect(periods).toBeGreaterThanOrEqual(wanted - kronJobCount)
    // A run in which hardly anything ran shows nothing.
    expect(yielded + cutOff.length).toBeLessThan(periods / 2)
  })
})
