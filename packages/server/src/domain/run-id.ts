import { isId } from './id.js'

/** The two values that make a run unique, in the store as well. */
export interface RunKey {
  readonly endpointId: string
  readonly scheduledFor: number
}

/**
 * A run's id spells out its key, so that no second index is needed to find a run by its id, and
 * two runs of one period can't have different ids.
 */
export function runId({ endpointId, scheduledFor }: RunKey): string {
  return `run_${endpointId.slice(3)}_${scheduledFor.toString(36)}`
}

/** What every run's id looks like, as a regular expression. */
export const runIdPattern = '^run_[0-9a-hjkmnp-tv-z]{26}_[0-9a-z]{1,11}$'

/** The key in a run's id, or null when the text is no run's id. */
export function parseRunId(text: string): RunKey | null {
  const match = /^run_([0-9a-z]{26})_([0-9a-z]{1,11})$/.exec(text)
  if (match === null) return null
  const endpointId = `ep_${match[1]}`
  const scheduledFor = Number.parseInt(match[2]!, 36)
  if (!isId('ep', endpointId) || scheduledFor > 8.64e15) return null
  return { endpointId, scheduledFor }
}
