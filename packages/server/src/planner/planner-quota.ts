import type { TenantTransaction } from '../store/index.js'
import type { Planner, Proposal } from './planner.js'

/**
 * Counts the calls of a session before they are made. Answers why it may not be held, or null.
 * What a session costs beyond that is known only afterwards, and counted then: the next session
 * is the first that it can stop.
 */
export async function reserveCalls(
  rows: TenantTransaction,
  { callsEach }: Planner,
): Promise<string | null> {
  if (callsEach === 0) return null
  const { aiCallsPerMonth, aiTokensPerMonth } = (await rows.tenant.get()).quotas
  const { aiCalls, aiTokens } = await rows.tenant.usage()
  if (aiCallsPerMonth !== null && aiCalls + callsEach > aiCallsPerMonth) {
    return `the quota of ${aiCallsPerMonth} AI calls a month is used up`
  }
  if (aiTokensPerMonth !== null && aiTokens >= aiTokensPerMonth) {
    return `the quota of ${aiTokensPerMonth} AI tokens a month is used up`
  }
  await rows.tenant.count({ aiCalls: callsEach })
  return null
}

export async function countRest(
  rows: TenantTransaction,
  { callsEach }: Planner,
  { calls, tokens }: Proposal['cost'],
): Promise<void> {
  const aiCalls = Math.max(0, calls - callsEach)
  if (aiCalls > 0 || tokens > 0) await rows.tenant.count({ aiCalls, aiTokens: tokens })
}
