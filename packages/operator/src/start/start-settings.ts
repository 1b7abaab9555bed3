import { badArgument, countArgument, logArguments, secondsArgument } from '@kron/command'
import { type ConfigurationError, formatDuration, quote } from '@kron/core'
import type { LogFormat, LogLevel } from '@kron/runtime'
import { type ControllerOptions, defaultOptions } from '../controller/ports.js'

/** What `kron-operator start` was asked for, checked. */
export interface StartSettings extends ControllerOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly listen: string | null
  /** Null: this is the only controller, or all are to act at once. */
  readonly lease: LeaseSettings | null
  /** `readable`: for people who look at a terminal. */
  readonly logFormat: LogFormat | 'readable'
  readonly logLevel: LogLevel
}

export interface LeaseSettings {
  readonly name: string
  /** That of the Pod, or of the context, if there is none. */
  readonly namespace: string | undefined
  readonly durationMs: number
}

/** As the command line has them. */
export interface StartOptions {
  readonly namespace?: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly listen?: string
  readonly leaderElection: boolean
  readonly leaseName: string
  readonly leaseNamespace?: string
  readonly leaseDuration: string
  readonly resync: string
  readonly requests: string
  /** If nothing was asked for, what suits the terminal or file that the log goes to. */
  readonly format?: string
  readonly logLevel: string
}

export const startDefaults = Object.freeze({
  leaseName: 'kron-operator',
  leaseDuration: '15s',
  resync: formatDuration(defaultOptions.resyncMs),
  requests: String(defaultOptions.maxRequests),
  logLevel: 'info',
})

/** The API has whole seconds, and there must be time to renew. */
const shortestLeaseMs = 2000
const longestLeaseMs = 600_000
const dayMs = 86_400_000
const maxRequests = 1000
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

export function startSettings(options: StartOptions, isTerminal = false): StartSettings {
  const { listen, namespace } = options
  return {
    namespace: namespace === undefined ? undefined : namespaceArgument('--namespace', namespace),
    kubeconfig: options.kubeconfig,
    context: options.context,
    listen: listen ?? null,
    lease: options.leaderElection ? leaseSettings(options) : null,
    resyncMs: secondsArgument('--resync', options.resync, 60_000, dayMs),
    maxRequests: Math.max(1, countArgument('--requests', options.requests, maxRequests)),
    ...logArguments(options, isTerminal),
  }
}

function leaseSettings({ leaseName, leaseNamespace, leaseDuration }: StartOptions): LeaseSettings {
  const option = '--lease-duration'
  return {
    name: namespaceArgument('--lease-name', leaseName),
    namespace:
      leaseNamespace === undefined
        ? undefined
        : namespaceArgument('--lease-namespace', leaseNamespace),
    durationMs: secondsArgument(option, leaseDuration, shortestLeaseMs, longestLeaseMs),
  }
}

function namespaceArgument(option: string, text: string): string {
  if (label.test(text)) return text
  throw notOneOf(option, text, 'lower-case letters, digits and -, at most 63')
}

function notOneOf(option: string, text: string, allowed: string): ConfigurationError {
  return badArgument(option, `${option} must be ${allowed}, got ${quote(text)}`)
}
