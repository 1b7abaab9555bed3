import type { HttpBindings } from '@hono/node-server'
import type { Clock, Log, MetricRegistry } from '@kron/runtime'
import type { Tracer } from '@opentelemetry/api'
import type { Context } from 'hono'
import type { KeyDirectory } from '../access/index.js'
import type { Quotas } from '../domain/index.js'
import type { TenantTurns } from '../domain/tenant-turns.js'
import type { UseCasePorts } from '../use-cases/index.js'
import type { Authenticator } from './authenticator.js'

export interface ApiEnv {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: {
    readonly requestId: string
    /** The path as it was declared, with placeholders; a label that stays small in number. */
    readonly route: string
  }
}

export type ApiContext = Context<ApiEnv>

/** What every operation may use. */
export interface ApiPorts extends UseCasePorts {
  readonly clock: Clock
  readonly log: Log
  readonly limits: ApiLimits
  readonly authenticator: Authenticator
  readonly keys: KeyDirectory
  readonly forecasts: TenantTurns
  readonly secureCookies: boolean
  readonly signup: 'closed' | 'open'
  readonly signupQuotas: Quotas
  readonly maxTenants: number
  readonly stopping: AbortSignal
}

export interface ApiLimits {
  readonly bodyBytes: number
  /** The same for those who have shown no key yet. */
  readonly strangerBodyBytes: number
  readonly jsonDepth: number
  /** Items of a list and members of an object. */
  readonly jsonItems: number
  /** Values in all. */
  readonly jsonValues: number
  /** Of a tenant whose quota says nothing. */
  readonly requestsPerMinute: number
  /** Attempts without a valid key, by network of the client. */
  readonly failuresPerMinute: number
  /** Look-ups at a time of keys that this process has not met, and how many may wait for one. */
  readonly keyLookUps: number
  readonly keyLookUpsWaiting: number
  /** Of a tenant, behind the one that is worked out. */
  readonly forecastsWaiting: number
  readonly streamsPerTenant: number
  /** Events that may wait for a slow reader before it is dropped. */
  readonly streamBacklog: number
  readonly heartbeatMs: number
  /** How often it is asked whether those who read streams still may. */
  readonly streamCheckMs: number
  readonly sessionMs: number
}

export const defaultLimits: ApiLimits = {
  bodyBytes: 256 * 1024,
  strangerBodyBytes: 4 * 1024,
  jsonDepth: 32,
  jsonItems: 1000,
  jsonValues: 10_000,
  requestsPerMinute: 6000,
  failuresPerMinute: 60,
  keyLookUps: 4,
  keyLookUpsWaiting: 1000,
  forecastsWaiting: 10,
  streamsPerTenant: 20,
  streamBacklog: 256,
  heartbeatMs: 15_000,
  streamCheckMs: 1_000,
  sessionMs: 12 * 3_600_000,
}

export interface ApiOptions extends UseCasePorts {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: MetricRegistry
  readonly tracer?: Tracer
  readonly signup: 'closed' | 'open'
  /** Of tenants that strangers make. */
  readonly signupQuotas?: Quotas
  /** With this many tenants nobody can sign up any more. */
  readonly maxTenants?: number
  /** Where people reach the server. With https, cookies are sent over nothing else. */
  readonly publicUrl?: string
  readonly limits?: Partial<ApiLimits>
  /** Aborts when the server is about to stop: event streams end then. */
  readonly stopping?: AbortSignal
}
