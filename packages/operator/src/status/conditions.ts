import { formatInstant, type KronError } from '@kron/core'
import {
  type Condition,
  type ConditionType,
  conditionTypes,
  type KronJobStatus,
} from '../kronjob/index.js'
import type { HandledPeriod } from '../record/handled-period.js'
import { validWithWarnings } from '../record/template-verdict.js'
import type { Trouble } from '../record/trouble.js'

export interface ConditionInput {
  readonly before: KronJobStatus | undefined
  readonly generation: number
  readonly now: number
  /** Why the specification can't be used, if it can't. */
  readonly flaw: KronError | null
  readonly trouble: Trouble | null
  /** What the API server found wrong with the template, if it was asked. */
  readonly templateFlaw: Trouble | null
  readonly templateWarning: string | null
  readonly isSuspended: boolean
  /** No period will ever run again, of a KronJob that is neither invalid nor suspended. */
  readonly isFinished: boolean
  readonly lastHandled: HandledPeriod | null
}

type State = Pick<Condition, 'status' | 'reason' | 'message'>

/** All conditions, each with the time of its last change. */
export function conditionsOf(input: ConditionInput): Condition[] {
  const states = statesOf(input)
  return conditionTypes.map((type) => {
    const state = states[type]
    const before = input.before?.conditions?.find((condition) => condition.type === type)
    const since = before?.status === state.status ? before.lastTransitionTime : undefined
    return {
      type,
      ...state,
      lastTransitionTime: since ?? formatInstant(input.now),
      observedGeneration: input.generation,
    }
  })
}

function statesOf(input: ConditionInput): Record<ConditionType, State> {
  const InvalidSpec = invalidSpec(input)
  const SchedulingError = schedulingError(input)
  const Suspended = suspended(input)
  return {
    Ready: ready(input, [InvalidSpec, SchedulingError, Suspended]),
    InvalidSpec,
    SchedulingError,
    Unschedulable: unschedulable(input),
    Suspended,
  }
}

/** The first obstacle says why not. */
function ready({ isFinished }: ConditionInput, obstacles: readonly State[]): State {
  const obstacle = obstacles.find(({ status }) => status === 'True')
  if (obstacle !== undefined) return { ...obstacle, status: 'False' }
  if (isFinished) return no('Finished', 'no period can run any more: all allowed dates have passed')
  return yes('Scheduled', 'Jobs are created as scheduled')
}

function suspended({ isSuspended }: ConditionInput): State {
  return isSuspended
    ? yes('Suspended', 'policy.suspend is true: no Jobs are created')
    : no('NotSuspended', 'policy.suspend is false')
}

function invalidSpec({ flaw, trouble, templateFlaw, templateWarning }: ConditionInput): State {
  if (flaw !== null) return yes(reasonOf(flaw), flaw.message)
  if (trouble?.condition === 'InvalidSpec') return yes(trouble.reason, trouble.message)
  if (templateFlaw !== null) return yes(templateFlaw.reason, templateFlaw.message)
  if (templateWarning !== null) return no(validWithWarnings, templateWarning)
  return no('Valid', 'the specification is valid')
}

function schedulingError({ trouble }: ConditionInput): State {
  if (trouble?.condition !== 'SchedulingError')
    return no('None', 'no error prevents Jobs from being created')
  return yes(trouble.reason, trouble.message)
}

function unschedulable({ lastHandled }: ConditionInput): State {
  if (lastHandled?.outcome !== 'unschedulable')
    return no('Schedulable', 'the constraints allowed a time in the last period')
  const period = formatInstant(lastHandled.nominalTime)
  return yes('NoAllowedTime', `period ${period}: ${lastHandled.reason ?? 'no allowed time'}`)
}

const yes = (reason: string, message: string): State => ({ status: 'True', reason, message })
/** With a message: some API servers refuse an empty one. */
const no = (reason: string, message: string): State => ({ status: 'False', reason, message })

/** KRON_WINDOW_OVERLAP as Kubernetes spells reasons: WindowOverlap. */
function reasonOf({ code }: KronError): string {
  const words = code.toLowerCase().split('_').slice(1)
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}
