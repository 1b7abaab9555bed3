import { createHash } from 'node:crypto'
import { formatInstant } from '@kron/core'
import type { KronJob } from '../kronjob/index.js'
import { apiVersionOf, type KubeObject, kronJobs } from '../kube/index.js'

/** What happens to a KronJob: shown by `kubectl describe kronjob`. */
export const eventReasons = [
  'JobCreated',
  'JobAlreadyExists',
  'SkippedConcurrency',
  'SkippedSuperseded',
  'MissedDeadline',
  'Unschedulable',
  'Replaced',
  'ReplacementWaiting',
  'JobRefused',
  'NoDecision',
  'NotResponsible',
  'InvalidSpec',
  'TemplateWarning',
  'JobCompleted',
  'JobFailed',
] as const
export type EventReason = (typeof eventReasons)[number]

export interface KronEvent {
  readonly reason: EventReason
  readonly type: 'Normal' | 'Warning'
  readonly message: string
  /** Two events of one KronJob with the same reason and subject are the same event. */
  readonly subject: string
}

const component = 'kron-operator'
/** An event's name has at most 253 characters, and ends with a dot and 20 of ours. */
const longestBeginning = 253 - 21
const longestMessage = 1024

/**
 * The name says what the event is about, so that who tells it twice, since an answer got lost or the
 * first recorder died, tells it once.
 */
export function eventObject(
  kronJob: KronJob,
  event: KronEvent,
  now: number,
  instance: string,
): KubeObject {
  const { name, namespace = '', uid = '', resourceVersion } = kronJob.metadata
  const at = formatInstant(now)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(name, uid, event), namespace },
    involvedObject: {
      apiVersion: apiVersionOf(kronJobs),
      kind: kronJobs.kind,
      namespace,
      name,
      uid,
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    reason: event.reason,
    message: event.message.slice(0, longestMessage),
    type: event.type,
    source: { component },
    reportingComponent: component,
    reportingInstance: instance,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  }
}

function eventName(name: string, uid: string, { reason, subject }: KronEvent): string {
  const about = createHash('sha256').update(`${uid}\n${reason}\n${subject}`).digest('hex')
  const beginning = name.slice(0, longestBeginning).replace(/[^a-z0-9]+$/, '')
  return `${beginning}.${about.slice(0, 20)}`
}
