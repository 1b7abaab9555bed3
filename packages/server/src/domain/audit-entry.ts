/** One change: who, what, before, after. Secrets never appear in it. */
export interface AuditEntry {
  readonly id: string
  readonly tenantId: string
  readonly at: number
  /** `key:<id>`, `planner:rules`, `system`. */
  readonly actor: string
  /** Such as `endpoint.pause`. */
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}
