import type { PlannerAction } from '../../domain/index.js'
import type { PlannerInput } from '../planner.js'

/** What a rule makes of an endpoint: a sentence for people, and what is to be done. */
export interface Advice {
  readonly said: string
  readonly actions: readonly PlannerAction[]
}

/** null when the rule has nothing to say. */
export type Rule = (input: PlannerInput) => Advice | null

export const onlySaid = (said: string): Advice => ({ said, actions: [] })

/** The latest run that was sent and has ended. */
export function latestSent({ runs }: PlannerInput): PlannerInput['runs'][number] | null {
  return runs.find(({ status }) => sentStatuses.has(status)) ?? null
}

const sentStatuses: ReadonlySet<string> = new Set(['success', 'failure', 'timeout'])
