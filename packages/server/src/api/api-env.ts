import type { HttpBindings } from '@hono/node-server'
import type { Clock, Log } from '@kron/runtime'
import type { Context } from 'hono'
import type { KeyDirectory, TenantTurns } from '../access/index.js'
import type { Quotas } from '../domain/index.js'
import type { UseCasePorts } from '../use-cases/index.js'
import type { ApiLimits } from './api-options.js'
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
