import type { Concurrency } from '@kron/core'
import type { Body } from './request-body.js'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]

export const plannerModes = ['off', 'suggest', 'on'] as const
/**
 * `suggest`: what planners propose is kept and shown with what it would have changed, and nothing
 * moves. `on`: it is done.
 */
export type PlannerMode = (typeof plannerModes)[number]

/** How far a planner may go. */
export interface Adaptive {
  /** Whether it may have a cron endpoint run at times that its schedule does not have. */
  readonly outsideCron: boolean
}

/** The baseline: exactly one of the two. */
export interface Baseline {
  /** Schedule text, with everything that Kron's syntax has. */
  readonly cron: string | null
  readonly timezone: string | null
  readonly intervalMs: number | null
  readonly jitterMs: number | null
}

export interface Retry {
  /** Attempts in all, the first one included. */
  readonly attempts: number
  readonly backoffMs: number
  readonly maxDelayMs: number
  /** Part of each delay that is drawn, from 0 to 1. */
  readonly jitter: number
}

/** All that a user says about an endpoint. It changes as a whole; `version` counts the changes. */
export interface EndpointDefinition {
  readonly name: string
  readonly description: string | null
  readonly url: string
  readonly method: Method
  /** Values are sealed wherever they are stored. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | null
  readonly baseline: Baseline
  readonly minIntervalMs: number | null
  readonly maxIntervalMs: number | null
  readonly timeoutMs: number
  /** The lease: how long a worker holds the endpoint at most. */
  readonly maxExecutionTimeMs: number
  readonly maxResponseSizeKb: number
  readonly concurrency: Concurrency
  /** How late a run may start; null is no limit. */
  readonly deadlineMs: number | null
  readonly retry: Retry | null
  readonly onWorkerLoss: 'cancel' | 'redeliver'
  readonly redirects: 'refuse' | 'follow'
  readonly failureCountPolicy: 'reset' | 'increment'
  /** Whether a response may steer the schedule through its headers. */
  readonly steering: boolean
  readonly planner: PlannerMode
  readonly adaptive: Adaptive
  /** Name of the secret that signs requests, or null for the tenant's own. */
  readonly secret: string | null
  /** Whether response bodies are kept. */
  readonly keepResponses: boolean
}

export interface Endpoint {
  readonly id: string
  readonly tenantId: string
  readonly jobId: string
  /** What its windows and its jitter are drawn from. It stays when the endpoint is renamed. */
  readonly identity: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  readonly definition: EndpointDefinition
}
