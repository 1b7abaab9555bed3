import { Refusal } from '../../src/kronctl/import/conversion.js'
import { convertCronJob } from '../../src/kronctl/import/convert-cron-job.js'
import type { KronJobSpec } from '../../src/kronjob/index.js'
import { type CronJobCase, constant, deadlineSeconds, nowOf } from './cron-job-case.js'

export interface Imported {
  readonly spec: Partial<KronJobSpec>
  /** Why `kronctl import` would not make it; then the specification is as it was written. */
  readonly refusal: string | null
}

const jobTemplate = {
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'main' }] } },
  },
}

/** The KronJob that `kronctl import` makes of a situation's CronJob. */
export function importedSpec(situation: CronJobCase): Imported {
  const { concurrencyPolicy = 'Allow', suspend, timeZone, successfulJobsHistoryLimit } = situation
  const schedule = constant(situation.schedule)
  const zone = timeZone === undefined ? undefined : constant(timeZone)
  const startingDeadlineSeconds = deadlineSeconds(situation)
  const limit = /\((\d+)\)$/.exec(successfulJobsHistoryLimit ?? '')?.[1]
  const spec = {
    concurrencyPolicy,
    schedule,
    jobTemplate,
    ...(suspend !== undefined && { suspend }),
    ...(zone !== undefined && { timeZone: zone }),
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
    ...(limit !== undefined && { successfulJobsHistoryLimit: Number(limit) }),
  }
  const cronJob = { metadata: { name: 'my', namespace: 'default' }, spec }
  const converted = convertCronJob(cronJob, { now: nowOf(situation), windowMs: null })
  if (!(converted instanceof Refusal)) {
    return { spec: converted.kronJob['spec'] as KronJobSpec, refusal: null }
  }
  const asWritten = { schedule, jobTemplate, ...(zone !== undefined && { timezone: zone }) }
  return { spec: asWritten as Partial<KronJobSpec>, refusal: converted.reason }
}
