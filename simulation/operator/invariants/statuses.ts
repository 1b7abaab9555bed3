import type { KronJobStatus } from '../../../packages/operator/src/kronjob/index.js'
import type { Version } from '../chronicle.js'
import type { Observation } from '../cluster-world.js'
import { believable, type Stretch, textOf } from './past.js'

/**
 * Who has asked for the Job of a period does not call it missed while the Job may still come. How
 * long that is goes by the wall clock, so not where that was set; a period that is superseded does
 * not wait, so that the next one is not late; and a new term, which begins with a list, knows
 * nothing of what the one before it has asked for.
 */
export function hastyOutcomes(
  { chronicle, scenario }: Observation,
  stretches: readonly Stretch[],
): string[] {
  return chronicle.creations.flatMap(({ ownerUid, nominal, identity, by }) => {
    if (by === null) return []
    const hasty = chronicle.versions.find(
      ({ uid, at, kronJob: { status }, by: writer }) =>
        uid === ownerUid &&
        writer?.process === by.process &&
        at >= by.at &&
        Date.parse(status?.lastPeriodID ?? '') === nominal &&
        status?.lastOutcome !== 'executed',
    )
    if (hasty === undefined || wasClockSet(chronicle, by.at, hasty.at)) return []
    const lists = chronicle.jobLists.get(by.process) ?? []
    if (lists.some((listedAt) => listedAt > by.at && listedAt <= hasty.at)) return []
    const { lastOutcome } = hasty.kronJob.status ?? {}
    const isTakenOver = believable(stretches, ownerUid, hasty.at).some(
      ({ job }) => (job?.supersededAt(nominal) ?? hasty.at) <= hasty.at + scenario.skewMs,
    )
    if (isTakenOver) return []
    return [`${identity}@${textOf(nominal)} has a Job and was called ${lastOutcome} by who asked`]
  })
}

const wasClockSet = ({ disturbances }: Observation['chronicle'], from: number, to: number) =>
  disturbances.some((each) => each.what === 'step' && each.from <= to && each.to >= from)

/** Outcomes are for good, the last period only moves on, and what is executed has had its Job. */
export function wrongStatuses({ chronicle }: Observation): string[] {
  const jobs = new Set(chronicle.creations.map(({ ownerUid, nominal }) => `${ownerUid} ${nominal}`))
  const byUid = Map.groupBy(chronicle.versions, ({ uid }) => uid)
  return [...byUid.values()].flatMap((versions) =>
    versions.flatMap((version, index) => {
      const before = versions[index - 1]?.kronJob.status
      return version.by === null ? [] : flawsOf(version, before, jobs)
    }),
  )
}

function flawsOf(
  { identity, uid, kronJob, at, by }: Version,
  before: KronJobStatus | undefined,
  jobs: ReadonlySet<string>,
): string[] {
  const { status } = kronJob
  const period = Date.parse(status?.lastPeriodID ?? '')
  const periodBefore = Date.parse(before?.lastPeriodID ?? '')
  const where = `${identity} at ${textOf(at)} by ${by?.process}`
  const flaws: string[] = []
  if (!Number.isNaN(periodBefore) && !(period >= periodBefore)) {
    flaws.push(`${where}: the last period went back to ${status?.lastPeriodID ?? 'none'}`)
  }
  const hadJob = jobs.has(`${uid} ${period}`)
  const [outcome, outcomeBefore] = [status?.lastOutcome, before?.lastOutcome]
  if (period === periodBefore && outcome !== outcomeBefore) {
    if (outcome !== 'executed' || !hadJob) {
      flaws.push(`${where}: ${status?.lastPeriodID} was ${outcomeBefore} and is ${outcome}`)
    }
  }
  if (outcome === 'executed' && !hadJob) {
    flaws.push(`${where}: ${status?.lastPeriodID} is executed, but had no Job`)
  }
  const isMoved = status?.responsibleSince !== before?.responsibleSince
  if (before?.timing !== undefined && before.timing === status?.timing && isMoved) {
    flaws.push(`${where}: responsible since ${status?.responsibleSince} with the same timing`)
  }
  return flaws
}
