import type { Clock, Log } from '@kron/runtime'
import type { Outcome } from '../kronjob/index.js'
import type { GuardableKubeApi } from '../kube/index.js'

/** All through which a controller acts. */
export interface ControllerPorts {
  readonly api: GuardableKubeApi
  /** Prepares the API for so many requests at once, which come in a moment. */
  readonly warmUp?: ((requests: number) => Promise<void>) | undefined
  readonly clock: Clock
  readonly log: Log
  readonly observer: Observer
  /** Asked before each request that changes something: a lease may have ended in the meantime. */
  readonly isLeading: () => boolean
}

/** Counts what happens. */
export interface Observer {
  readonly handled: (outcome: Outcome) => void
  /** A Job was created, this long after its chosen time. */
  readonly started: (lateMs: number) => void
  readonly ended: (state: 'succeeded' | 'failed') => void
  readonly failed: (operation: string) => void
  readonly reconciled: () => void
}

export interface ControllerOptions {
  /** All namespaces if there is none. */
  readonly namespace?: string | undefined
  readonly resyncMs: number
  /** Requests at once. */
  readonly maxRequests: number
}

export const defaultOptions: ControllerOptions = { resyncMs: 1_800_000, maxRequests: 32 }
