import { ConfigurationError, ValidationError } from '@kron/core'
import { messageOf } from '@kron/runtime'
import { instantOf } from '../job/index.js'
import type { Condition, KronJob } from '../kronjob/index.js'
import { ApiFailure, hasStatus } from '../kube/index.js'

/** Why periods can't be executed at the moment. */
export interface Trouble {
  readonly condition: 'InvalidSpec' | 'SchedulingError'
  readonly reason: string
  readonly message: string
}

/** A replacement waits for a Job that is being deleted. */
export const replacementWaiting = 'ReplacementWaiting'
/** Of a template that the API server refuses; flaws of the spec are found by the core. */
export const templateInvalid = 'JobTemplateInvalid'
/** Of one that has fields which the API server does not know, and leaves out of the Job. */
const templateUnknownField = 'JobTemplateUnknownField'

/** What people have to repair when a Job is refused; everything else passes by itself. */
export function creationTrouble(error: unknown): Trouble | null {
  if (!(error instanceof ApiFailure) || error.causes.includes('NamespaceTerminating')) return null
  const { message } = error
  const webhook = webhookTrouble(error)
  if (webhook !== null) return webhook
  if (hasStatus(error, 400, 422)) return invalidTemplate(message)
  return hasStatus(error, 403, 404, 413) ? refusal(error) : null
}

/** Why the API server, asked beforehand, would refuse the Job; null for what passes by itself. */
export function templateFlaw(error: unknown): Trouble | null {
  const trouble = isDryRunRefused(error) ? null : creationTrouble(error)
  return trouble?.condition === 'InvalidSpec' ? trouble : null
}

/** The words of the API server without the name of the Job, which differs for each period. */
function invalidTemplate(message: string): Trouble {
  const words = message
    .replace(/^Job\.batch "[^"]*" is invalid: /, '')
    .replace(/^Job in version "v1" cannot be handled as a Job: /, '')
  const isUnknownField = /^strict decoding error: unknown field/.test(words)
  return {
    condition: 'InvalidSpec',
    reason: isUnknownField ? templateUnknownField : templateInvalid,
    message: `jobTemplate: ${words}${isUnknownField ? '; Jobs are created without this field' : ''}`,
  }
}

/** A webhook with side effects can't be asked what it would say. */
export const isDryRunRefused = (error: unknown): boolean =>
  error instanceof ApiFailure && /does not support dry run/.test(error.message)

/**
 * The same error in its right category: a template that the API server can't read, or finds
 * wrong, is a mistake of its author and not of the system.
 */
export function blamed(error: unknown): unknown {
  const flaw = templateFlaw(error)
  if (flaw === null) return error
  const details = { field: 'spec.jobTemplate', status: (error as ApiFailure).status }
  const Blame = hasStatus(error, 400) ? ConfigurationError : ValidationError
  return new Blame('KRON_TEMPLATE_INVALID', flaw.message, details, { cause: error })
}

/** The same where a Job can't be deleted to make room for the next. */
export function replacementTrouble(error: unknown): Trouble | null {
  if (!(error instanceof ApiFailure)) return null
  return webhookTrouble(error) ?? (hasStatus(error, 400, 403, 422) ? refusal(error) : null)
}

const noDecision = 'NoDecision'

/** The engine could not answer. */
export function undecidedTrouble(error: unknown): Trouble {
  const message = messageOf(error)
  return { condition: 'SchedulingError', reason: noDecision, message }
}

export const isUndecided = (trouble: Trouble | null): boolean => trouble?.reason === noDecision

const refusal = ({ reason, message }: ApiFailure): Trouble => ({
  condition: 'SchedulingError',
  reason: reason || 'Refused',
  message,
})

/**
 * Webhooks answer with any status they like, and one that can't be called is an error of the server:
 * only the words tell that this is no bad template and no fault that passes.
 */
function webhookTrouble({ status, message }: ApiFailure): Trouble | null {
  const trouble = (reason: string): Trouble => ({ condition: 'SchedulingError', reason, message })
  if (status === null) return null
  if (/admission webhook .* denied the request/.test(message)) return trouble('WebhookDenied')
  return /failed calling webhook/.test(message) ? trouble('WebhookFailed') : null
}

/**
 * What the leader before us found, as long as the specification is the same: without it a new leader
 * would call a KronJob ready that nobody has repaired, until its next period fails again.
 */
export function inheritedTrouble({ metadata, status }: KronJob): Trouble | null {
  if (status?.observedGeneration !== metadata.generation) return null
  const condition = status?.conditions?.find(isOfTrouble)
  if (condition === undefined) return null
  const { type, reason, message } = condition
  return { condition: type as Trouble['condition'], reason, message }
}

const isOfTrouble = ({ type, status, reason }: Condition): boolean =>
  status === 'True' &&
  (type === 'SchedulingError' || (type === 'InvalidSpec' && reason === templateInvalid))

/** What the API server said of the template when the leader before us asked. */
export function inheritedFlaw({ status }: KronJob): Trouble | null {
  const condition = status?.conditions?.find(isOfTemplate)
  if (condition === undefined) return null
  const { reason, message } = condition
  return { condition: 'InvalidSpec', reason, message }
}

const isOfTemplate = ({ type, status, reason }: Condition): boolean =>
  type === 'InvalidSpec' &&
  status === 'True' &&
  (reason === templateInvalid || reason === templateUnknownField)

/** Since when it has been so, to know whether it is about the period that is due. */
export function troubleSince({ status }: KronJob): number | null {
  return instantOf(status?.conditions?.find(isOfTrouble)?.lastTransitionTime)
}
