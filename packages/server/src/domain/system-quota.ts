import type { Quotas, Usage } from './tenant.js'

/** What all tenants together may do in a month; null is no limit. */
export type SystemQuotas = Pick<Quotas, 'runsPerMonth' | 'aiCallsPerMonth' | 'aiTokensPerMonth'>

/** What all tenants together have done this month, also those that have been deleted since. */
export type SystemUsage = Omit<Usage, 'endpoints'>

export const noSystemQuotas: SystemQuotas = {
  runsPerMonth: null,
  aiCallsPerMonth: null,
  aiTokensPerMonth: null,
}

/** `what`: such as runs. Whose quota it is has to be said: a tenant can do nothing about this one. */
export const systemQuotaText = (limit: number, what: string): string =>
  `quota of ${limit} ${what} a month for the whole system`
