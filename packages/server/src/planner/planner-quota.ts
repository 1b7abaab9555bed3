import { type SystemQuotas, type SystemUsage, systemQuotaText } from '../domain/index.js'
import type { TenantTransaction } from '../store/index.js'
import type { Planner, Proposal } from './planner.js'

/** Both of a tenant and of all tenants together have these. */
type AiQuotas = Pick<SystemQuotas, 'aiCallsPerMonth' | 'aiTokensPerMonth'>
type AiUsage = Pick<SystemUsage, 'aiCalls' | 'aiTokens'>

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
  const { quotas } = await rows.tenant.get()
  const refused = refusal(quotas, await rows.tenant.usage(), callsEach, tenantQuotaText)
  if (refused !== null) return refused
  const ofAll = await systemRefusal(rows, callsEach)
  if (ofAll !== null) return ofAll
  await rows.tenant.count({ aiCalls: callsEach })
  return null
}

/** Only where there is a limit do sessions wait for each other, until the calls are counted. */
async function systemRefusal(
  { system }: TenantTransaction,
  callsEach: number,
): Promise<string | null> {
  const { quotas } = system
  if (quotas.aiCallsPerMonth === null && quotas.aiTokensPerMonth === null) return null
  return refusal(quotas, await system.lockUsage(), callsEach, systemQuotaText)
}

function refusal(
  { aiCallsPerMonth, aiTokensPerMonth }: AiQuotas,
  { aiCalls, aiTokens }: AiUsage,
  callsEach: number,
  quotaText: (limit: number, what: string) => string,
): string | null {
  if (aiCallsPerMonth !== null && aiCalls + callsEach > aiCallsPerMonth) {
    return `the ${quotaText(aiCallsPerMonth, 'AI calls')} is used up`
  }
  if (aiTokensPerMonth !== null && aiTokens >= aiTokensPerMonth) {
    return `the ${quotaText(aiTokensPerMonth, 'AI tokens')} is used up`
  }
  return null
}

const tenantQuotaText = (limit: number, what: string): string => `quota of ${limit} ${what} a month`

export async function countRest(
  rows: TenantTransaction,
  { callsEach }: Planner,
  { calls, tokens }: Proposal['cost'],
): Promise<void> {
  const aiCalls = Math.max(0, calls - callsEach)
  if (aiCalls > 0 || tokens > 0) await rows.tenant.count({ aiCalls, aiTokens: tokens })
}
