import { ownedJob } from '../../../packages/operator/src/job/index.js'
import type { KronJob } from '../../../packages/operator/src/kronjob/index.js'
import type { Observation } from '../cluster-world.js'
import { textOf } from './past.js'

const restMs = 8 * 60_000
/** Of one operator in a minute, also in the worst of times. */
const maxInAMinute = 600

/** When all is quiet, nobody asks for anything any more; and never for ever the same. */
export function restlessness({ chronicle, endedAt }: Observation): string[] {
  const late = chronicle.requests.filter(
    ({ at, verb }) => at > endedAt - restMs && verb !== 'watch' && verb !== 'list',
  )
  const perMinute = Map.groupBy(
    chronicle.requests,
    ({ process, at }) => `${process} ${Math.floor(at / 60_000)}`,
  )
  return [
    ...late.map(
      ({ process, verb, plural, at }) => `${process} at rest: ${verb} ${plural} ${textOf(at)}`,
    ),
    ...[...perMinute]
      .filter(([, requests]) => requests.length > maxInAMinute)
      .map(([who, requests]) => `${who}: ${requests.length} requests in a minute`),
  ]
}

/** In the end no more Jobs are kept than the limits say, and the status says what is. */
export function untidiness(observation: Observation): string[] {
  const jobs = observation.jobs.map(ownedJob).filter((job) => job !== null)
  return (observation.kronJobs as readonly KronJob[]).flatMap((kronJob) => {
    const { uid, name } = kronJob.metadata
    const own = jobs.filter(({ ownerUid }) => ownerUid === uid)
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = kronJob.spec
    const count = (state: string): number => own.filter((job) => job.state === state).length
    const flaws: string[] = []
    if (count('succeeded') > successfulJobsHistoryLimit) flaws.push('too many that succeeded')
    if (count('failed') > failedJobsHistoryLimit) flaws.push('too many that failed')
    const { activeCount = 0, observedGeneration, lastPeriodID } = kronJob.status ?? {}
    if (activeCount !== count('active')) flaws.push(`${activeCount} of ${count('active')} active`)
    if (observedGeneration !== kronJob.metadata.generation) flaws.push('an old generation')
    const newest = Math.max(...own.map(({ period }) => period?.nominalTime ?? 0), 0)
    if (newest > 0 && !(Date.parse(lastPeriodID ?? '') >= newest)) flaws.push('an old last period')
    return flaws.map((flaw) => `${name} in the end: ${flaw}`)
  })
}
