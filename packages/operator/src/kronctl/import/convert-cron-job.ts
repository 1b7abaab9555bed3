import { formatDuration, type Job, KronError } from '@kron/core'
import { compileKronJob, type KronJob, kronJobApiVersion } from '../../kronjob/index.js'
import { checkKronJob } from '../../kronjob/manifest/check-manifest.js'
import type { Problem } from '../../kronjob/manifest/problem.js'
import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'
import { kronJobs } from '../../kube/index.js'
import { type Conversion, type Note, Refusal } from './conversion.js'
import { convertedPolicy } from './converted-policy.js'
import { type ConvertedTiming, convertedTiming } from './converted-timing.js'
import { cronJobParts } from './cron-job.js'

export interface ConvertOptions {
  readonly now: number
  /** To be added, in milliseconds; null for none, as CronJobs have it. */
  readonly windowMs: number | null
}

const knownFields: ReadonlySet<string> = new Set([
  'schedule',
  'timeZone',
  'startingDeadlineSeconds',
  'concurrencyPolicy',
  'suspend',
  'jobTemplate',
  'successfulJobsHistoryLimit',
  'failedJobsHistoryLimit',
])

/** The KronJob that runs when the CronJob does, and does what it does when it is late. */
export function convertCronJob(value: JsonRecord, options: ConvertOptions): Conversion | Refusal {
  const { metadata, spec } = cronJobParts(value)
  if (!isRecord(spec['jobTemplate'])) return new Refusal('spec.jobTemplate is missing')
  const timing = convertedTiming(spec)
  if (timing instanceof Refusal) return timing
  const job = compiled(timing)
  if (job instanceof Refusal) return job
  const policy = convertedPolicy(spec, job, options.now)
  if (policy instanceof Refusal) return policy
  const window = convertedWindow(timing, options.windowMs)
  const kept = convertedMetadata(metadata)
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit, jobTemplate } = spec
  const kronJob = {
    apiVersion: kronJobApiVersion,
    kind: kronJobs.kind,
    metadata: kept.metadata,
    spec: {
      schedule: timing.schedule,
      timezone: timing.timezone,
      ...(window.duration !== null && { window: { mode: 'after', duration: window.duration } }),
      policy: policy.policy,
      ...(successfulJobsHistoryLimit !== undefined && { successfulJobsHistoryLimit }),
      ...(failedJobsHistoryLimit !== undefined && { failedJobsHistoryLimit }),
      jobTemplate,
    },
  }
  const notes = [...kept.notes, ...timing.notes, ...window.notes, ...policy.notes]
  return checked({ kronJob, notes: [...notes, ...unknownFields(spec)] })
}

/** What was made must be right in the eyes of those who will read it. */
function checked(conversion: Conversion): Conversion | Refusal {
  const problems = checkKronJob(conversion.kronJob).filter((one) => !isOfNewerKubernetes(one))
  if (problems.length === 0) return conversion
  const messages = problems.map(({ message }) => message).join('; ')
  return new Refusal(`as a KronJob it would be invalid: ${messages}`)
}

/** A CronJob of a cluster has no field that its server does not know. */
const isOfNewerKubernetes = ({ path, code }: Problem): boolean =>
  code === 'KRON_FIELD_UNKNOWN' && path[1] === 'jobTemplate'

function compiled(timing: ConvertedTiming, window?: object): Job | Refusal {
  const { schedule, timezone } = timing
  const spec = { schedule, timezone, ...(window !== undefined && { window }) }
  try {
    return compileKronJob({ metadata: { name: 'job' }, spec: spec as KronJob['spec'] })
  } catch (error) {
    if (error instanceof KronError) return new Refusal(error.message)
    throw error
  }
}

function convertedWindow(
  timing: ConvertedTiming,
  windowMs: number | null,
): { duration: string | null; notes: readonly Note[] } {
  if (windowMs === null) return { duration: null, notes: [] }
  const duration = formatDuration(windowMs)
  const fits = !(compiled(timing, { duration }) instanceof Refusal)
  if (fits) return { duration, notes: [] }
  const message = `No window: runs are closer together than ${duration}.`
  return { duration: null, notes: [{ path: ['spec', 'schedule'], message }] }
}

const unknownFields = (spec: JsonRecord): Note[] =>
  Object.keys(spec)
    .filter((name) => !knownFields.has(name))
    .map((name) => ({
      path: ['spec'],
      message: `${name} of the CronJob has no counterpart and is left out.`,
    }))

/** Made by kubectl of the whole CronJob, and by no one for the KronJob. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** The metadata that people wrote; what a cluster added is left out. */
export function convertedMetadata(metadata: JsonRecord): { metadata: JsonRecord; notes: Note[] } {
  const { name, namespace, labels, annotations } = metadata
  const kept = isRecord(annotations)
    ? Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== lastApplied))
    : {}
  const isGone = (field: string): boolean => metadata[field] !== undefined
  const dropped = ['ownerReferences', 'finalizers'].filter(isGone)
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(Object.keys(kept).length > 0 && { annotations: kept }),
    },
    notes: dropped.map((field) => ({
      path: ['metadata'],
      message: `${field} of the CronJob is left out.`,
    })),
  }
}
