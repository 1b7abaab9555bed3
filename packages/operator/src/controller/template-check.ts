import { KronError } from '@kron/core'
import type { Clock } from '@kron/runtime'
import { checkedJob } from '../job/index.js'
import { hasStatus } from '../kube/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { warningText } from '../record/template-verdict.js'
import { blamed, isDryRunRefused, templateFlaw } from '../record/trouble.js'
import { LeadershipLost, type Requests } from '../requests/requests.js'
import type { EventLog } from './event-log.js'
import { invalidTemplateEvent, templateWarningEvent } from './period-events.js'
import type { Observer } from './ports.js'

/** So many at a time: a webhook that is slow must not keep requests from what is due. */
export const maxChecks = 8

export interface TemplateCheckPorts {
  readonly clock: Clock
  readonly observer: Observer
  readonly requests: Requests
  readonly events: EventLog
}

/** When the API server is to be asked about a template; null if it need not be. */
export function checkDueAt({ compiled, isDeleting, template }: KronJobRecord): number | null {
  // What can't be scheduled must be edited first, and that makes another generation of it.
  return compiled instanceof KronError || isDeleting ? null : template.askAt
}

/**
 * Asks the API server for a Job of the template, without creating it. So what is wrong with the
 * template shows when it is applied, not when the first period is due.
 */
export async function checkTemplate(
  { clock, observer, requests, events }: TemplateCheckPorts,
  record: KronJobRecord,
): Promise<void> {
  const { generation = 0 } = record.kronJob.metadata
  const { failure, warnings } = await outcomeOf(requests.tryJob(checkedJob(record.kronJob)))
  // Edited meanwhile: the next one is asked about soon.
  if (record.kronJob.metadata.generation !== generation) return
  const flaw = templateFlaw(failure)
  if (flaw !== null) {
    record.pendingEvents.push(invalidTemplateEvent(flaw, generation))
    events.failure(blamed(failure), 'check_template', record)
    record.template.settle(flaw)
  } else if (failure === null || hasNothingAgainst(failure)) {
    const warning = warningText(warnings)
    if (warning !== null) record.pendingEvents.push(templateWarningEvent(warning, generation))
    record.template.settle(null, warning)
  } else {
    observer.failed('check_template')
    const isFirst = record.template.putOff(clock.now().getTime())
    if (isFirst) events.failure(failure, 'check_template', record)
  }
}

interface Outcome {
  readonly failure: unknown
  readonly warnings: readonly string[]
}

async function outcomeOf(attempt: Promise<readonly string[]>): Promise<Outcome> {
  try {
    return { failure: null, warnings: await attempt }
  } catch (error) {
    if (error instanceof LeadershipLost) throw error
    return { failure: error, warnings: [] }
  }
}

/** The name is taken, which is looked at last; or a webhook can only be asked in earnest. */
const hasNothingAgainst = (failure: unknown): boolean =>
  hasStatus(failure, 409) || isDryRunRefused(failure)
