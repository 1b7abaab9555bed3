import type { Version } from '../chronicle.js'
import type { Observation } from '../cluster-world.js'
import { type Stretch, textOf } from './past.js'

/** Nothing may be wrong from so long before the chosen time until so long after it. */
const beforeMs = 150_000
const afterMs = 30_000

/** Periods that had to be handled, since nothing kept operators from it. */
export function owedPeriods(observation: Observation, stretches: readonly Stretch[]): Owed[] {
  return stretches.flatMap((stretch) => owedIn(observation, stretch))
}

export interface Owed {
  readonly stretch: Stretch
  readonly nominal: number
  readonly chosen: number
}

function owedIn({ chronicle, startedAt, calmAt }: Observation, stretch: Stretch): Owed[] {
  const { job, isSuspended, from, to, identity } = stretch
  if (job === null || isSuspended) return []
  const owed: Owed[] = []
  const disturbances = chronicle.disturbances.filter(
    (each) => each.identity === undefined || each.identity === identity,
  )
  let nominal = job.nextPeriod(from)
  for (; nominal !== null && nominal < Math.min(to, calmAt); nominal = job.nextPeriod(nominal)) {
    const chosen = job.decide(nominal).chosenTime
    if (chosen === null) continue
    const [begin, end] = [chosen - beforeMs, chosen + afterMs]
    if (begin < Math.max(from, startedAt) || end > Math.min(to, calmAt)) continue
    if (disturbances.some((each) => each.from < end && each.to > begin)) continue
    owed.push({ stretch, nominal, chosen })
  }
  return owed
}

/** No period is lost in which nothing was wrong. */
export function lostPeriods(observation: Observation, owed: readonly Owed[]): string[] {
  const { versions, creations } = observation.chronicle
  const byUid = Map.groupBy(versions, ({ uid }) => uid)
  const jobs = new Set(creations.map(({ ownerUid, nominal }) => `${ownerUid} ${nominal}`))
  return owed.flatMap(({ stretch, nominal, chosen }) => {
    const { uid, identity, job } = stretch
    if (jobs.has(`${uid} ${nominal}`)) return []
    const own = byUid.get(uid) ?? []
    // A clock that ran ahead has handled it, and what is handled stays handled.
    if (lastPeriodAt(own, chosen - beforeMs) >= nominal) return []
    const marked = own.find(
      ({ kronJob }) => Date.parse(kronJob.status?.lastPeriodID ?? '') === nominal,
    )
    const { lastOutcome, lastReason } = marked?.kronJob.status ?? {}
    if (lastOutcome === 'skipped' && job?.policy.concurrency === 'forbid') return []
    // What is to be replaced may take longer to end than there is time: a second, if windows touch.
    const { terminationMs } = observation.scenario
    const isTouched = (job?.supersededAt(nominal) ?? Number.POSITIVE_INFINITY) <= chosen
    const isShort = terminationMs > (isTouched ? 0 : 1000)
    if (job?.policy.concurrency === 'replace' && isShort) return []
    const found = lastOutcome === undefined ? 'nothing' : `${lastOutcome} (${lastReason})`
    return [`${identity}@${textOf(nominal)}, due ${textOf(chosen)}, was lost: ${found}`]
  })
}

function lastPeriodAt(versions: readonly Version[], at: number): number {
  const last = versions.findLast((version) => version.at <= at)
  return Date.parse(last?.kronJob.status?.lastPeriodID ?? '') || Number.NEGATIVE_INFINITY
}
