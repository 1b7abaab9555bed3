/** null is no limit. */
export interface Quotas {
  readonly endpoints: number | null
  readonly runsPerMonth: number | null
  readonly aiCallsPerMonth: number | null
  readonly aiTokensPerMonth: number | null
  /** API requests a minute. */
  readonly requestsPerMinute: number | null
  /** No endpoint runs more often than this. */
  readonly minIntervalMs: number | null
}

/** What is kept of a tenant's runs: the rows, and for a shorter time their response bodies. */
export interface Retention {
  readonly runDays: number
  readonly runsPerEndpoint: number
  readonly bodyDays: number
}

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly quotas: Quotas
  readonly retention: Retention
  /** Since when the operator lets it do nothing. Absent: it may. */
  readonly suspendedAt?: number
}

export const unlimited: Quotas = {
  endpoints: null,
  runsPerMonth: null,
  aiCallsPerMonth: null,
  aiTokensPerMonth: null,
  requestsPerMinute: null,
  minIntervalMs: null,
}

/**
 * Of tenants that anybody can make: each has a limit, whatever the operator says. Planners that
 * cost are for those whom the operator knows.
 */
export const signupQuotas: Quotas = {
  endpoints: 50,
  runsPerMonth: 100_000,
  aiCallsPerMonth: 0,
  aiTokensPerMonth: 0,
  requestsPerMinute: 300,
  minIntervalMs: 10_000,
}

/** Of all tenants together: with this many, nobody can sign up any more. */
export const defaultMaxTenants = 1_000

export const defaultRetention: Retention = { runDays: 30, runsPerEndpoint: 10_000, bodyDays: 7 }

/** What a tenant has used of its quotas: a counter for each, never a count of rows. */
export interface Usage {
  /** The month as YYYY-MM, in UTC. */
  readonly month: string
  readonly endpoints: number
  readonly runs: number
  readonly aiCalls: number
  readonly aiTokens: number
}

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
