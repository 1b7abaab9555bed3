import { messageOf } from '@kron/runtime'
import { ApiFailure } from '../kube/index.js'

/** Enough for people; some answers of webhooks are pages long. */
const longest = 500

/** Why the last try to start a period failed, in words for its outcome. */
export function failureText(error: unknown): string {
  const message = messageOf(error)
  const isRefused = error instanceof ApiFailure && error.status !== null
  return isRefused ? refusedText(message) : `no answer: ${message}`
}

export const refusedText = (message: string): string => `refused: ${message}`

/** A period is missed by its deadline; whoever looks wants to know what kept it until then. */
export function missedReason(late: string, failure: string | null): string {
  return failure === null ? late : `${late}; ${failure}`.slice(0, longest)
}
