import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'
import type { Resource } from '../../kube/index.js'
import { printable } from '../manifest/manifest-text.js'

/** What Kubernetes itself has. */
export const cronJobs: Resource = {
  group: 'batch',
  version: 'v1',
  plural: 'cronjobs',
  kind: 'CronJob',
}

/** The parts of a CronJob, whatever they are; nothing is as good as null. */
export interface CronJobParts {
  /** `shop/backup`, or `backup` where no namespace is named. */
  readonly title: string
  readonly metadata: JsonRecord
  readonly spec: JsonRecord
}

export function cronJobParts(value: JsonRecord): CronJobParts {
  const metadata = withoutNulls(value['metadata'])
  const { name = '(no name)', namespace } = metadata
  const title = namespace === undefined ? name : `${namespace}/${name}`
  return { title: printable(title), metadata, spec: withoutNulls(value['spec']) }
}

function withoutNulls(value: unknown): JsonRecord {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
}
