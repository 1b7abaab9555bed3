import { badArgument, choiceArgument, countArgument, durationArgument } from '@kron/command'
import { quote } from '@kron/core'
import type { LogFormat, LogLevel } from '@kron/runtime'
import { loopbackRanges } from '../../dispatch/index.js'
import type { Host } from '../../process/host.js'
import type { ServeOptions } from '../../start/serve-options.js'
import { type Role, roles } from '../../start/server.js'
import { type TracingSettings, tracingSettings } from '../../tracing/index.js'
import { type DataArguments, dataOptions } from './data-arguments.js'
import { signupQuotasArgument, systemQuotasArgument } from './quota-list.js'

/** Options as they stand on the command line. */
export interface ServeArguments extends DataArguments {
  readonly role?: readonly string[]
  readonly lostKey?: boolean
  readonly host: string
  readonly port?: string
  readonly publicUrl?: string
  readonly allow?: readonly string[]
  readonly allowLocal?: boolean
  readonly signup: string
  readonly signupQuotas?: string
  readonly systemQuotas?: string
  readonly maxTenants: string
  readonly inFlight: string
  readonly connections?: string
  readonly perHost: string
  readonly databaseConnections: string
  readonly restored?: boolean
  readonly grace: string
  /** Of the log. */
  readonly format: string
  /** What `--format` was called before. */
  readonly logFormat?: string
  readonly logLevel: string
}

const most = 1_000_000
const defaultPort = '7077'
const defaultConnections = 512

/** Where the environment may say it as well, the command line wins. */
export function serveOptions(given: ServeArguments, host: Host): ServeOptions {
  const { env } = host
  const roles = rolesOf(given.role ?? [])
  const perHost = countArgument('--per-host', given.perHost, most)
  const databaseConnections = countArgument(
    '--database-connections',
    given.databaseConnections,
    1_000,
  )
  return {
    ...dataOptions(given, host, databaseConnections),
    roles,
    lostKey: given.lostKey ?? false,
    host: given.host,
    port: portOf(given.port, roles),
    publicUrl: publicUrlOf(given.publicUrl ?? env['KRON_PUBLIC_URL']),
    signup: choiceArgument('--signup', given.signup, ['closed', 'open'] as const),
    signupQuotas: signupQuotasArgument(given.signupQuotas),
    systemQuotas: systemQuotasArgument(given.systemQuotas),
    maxTenants: countArgument('--max-tenants', given.maxTenants, most),
    allow: [
      ...(given.allow ?? []),
      ...listOf(env['KRON_ALLOW']),
      ...(given.allowLocal === true ? loopbackRanges : []),
    ],
    maxInFlight: countArgument('--in-flight', given.inFlight, most),
    connections:
      given.connections === undefined
        ? Math.max(defaultConnections, perHost)
        : countArgument('--connections', given.connections, most),
    connectionsPerOrigin: perHost,
    tracing: tracingOf(env),
    restored: given.restored === true,
    graceMs: durationArgument('--grace', given.grace, 0),
  }
}

/** Without the API there is nothing that everybody looks for in the usual place. */
function portOf(given: string | undefined, roles: readonly Role[]): number | null {
  const text = given ?? (roles.includes('api') ? defaultPort : null)
  return text === null ? null : countArgument('--port', text, 65_535, 0)
}

export function logOptions(given: ServeArguments): { format: LogFormat; level: LogLevel } {
  return {
    format: choiceArgument('--format', given.logFormat ?? given.format, ['text', 'json'] as const),
    level: choiceArgument('--log-level', given.logLevel, [
      'debug',
      'info',
      'warn',
      'error',
    ] as const),
  }
}

function rolesOf(given: readonly string[]): readonly Role[] {
  if (given.length === 0) return roles
  return given.map((role) => choiceArgument('--role', role, roles))
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin
  throw badArgument('--public-url', `--public-url must be an http or https URL, got ${quote(text)}`)
}

function tracingOf(env: Host['env']): TracingSettings | null {
  const settings = tracingSettings(env)
  if (settings === null || isHttp(settings.url)) return settings
  throw badArgument(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    `OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, got ${quote(settings.url)}`,
  )
}

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
