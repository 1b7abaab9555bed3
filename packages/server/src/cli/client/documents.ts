/** What the API answers, as far as commands look at it. */
export interface JobDocument {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly status: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

export interface HintDocument {
  readonly intervalMs?: number
  readonly nextRunAt?: string
  readonly expiresAt: string
  readonly reason: string | null
  readonly by: string
  /** Absent in answers of servers before 0.2, as in the others. */
  readonly giver?: string
}

export interface EndpointDocument {
  readonly id: string
  readonly jobId: string
  readonly name: string
  readonly description: string | null
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly cron: string | null
  readonly timezone: string | null
  readonly intervalMs: number | null
  readonly jitterMs: number | null
  readonly minIntervalMs: number | null
  readonly maxIntervalMs: number | null
  readonly timeoutMs: number
  readonly planner: string
  readonly status: string
  readonly nextRunAt: string | null
  readonly source: string | null
  readonly giver?: string | null
  readonly periodId: string | null
  readonly lastRunAt: string | null
  readonly lastStatus: string | null
  readonly failureCount: number
  readonly pausedUntil: string | null
  readonly pauseReason: string | null
  readonly hints: {
    readonly interval: HintDocument | null
    readonly oneShot: HintDocument | null
  }
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

export interface RunDocument {
  readonly id: string
  readonly endpointId: string
  readonly scheduledFor: string
  readonly periodId: string
  readonly source: string
  readonly status: string
  readonly reason: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly durationMs?: number | null
  readonly attempts: number
  readonly error: { readonly code: string; readonly message: string } | null
  readonly response: {
    readonly httpStatus: number | null
    readonly headers: Readonly<Record<string, string>>
    readonly bodyBytes: number
    readonly truncated: boolean
  } | null
  /** Absent in answers of servers before 0.2. */
  readonly notes?: readonly string[]
  readonly context?: {
    readonly intervalHint: { readonly giver?: string | null } | null
    readonly oneShotHint: { readonly giver?: string | null } | null
  }
}

export interface KeyDocument {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface SecretDocument {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly values: readonly { readonly createdAt: string; readonly expiresAt: string | null }[]
}

export interface AuditDocument {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}
