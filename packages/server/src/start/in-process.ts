import { join } from 'node:path'
import { ConfigurationError, type ErrorCode, quote, suggestion } from '@kron/core'
import { type Clock, createLog, type Log, systemClock } from '@kron/runtime'
import { defaultServeOptions, type ServeOptions } from './serve-options.js'
import type { Server, ServerLogOptions, ServerOptions } from './server.js'
import { roles } from './server.js'
import { startService } from './service.js'

/** `startServer`, once it is called: with the clock, the log and the chance of this process. */
export async function startInProcess(given: ServerOptions): Promise<Server> {
  const options = serveOptionsOf(given)
  const clock = systemClock()
  const log = logOf(given.log ?? {}, clock)
  const elapsed = () => performance.now()
  const service = await startService(options, { clock, log, elapsed, random: Math.random })
  const { url, created } = service
  let stopped: Promise<void> | null = null
  return {
    url,
    created: created && {
      id: created.tenant.id,
      name: created.tenant.name,
      key: created.text,
      signingSecret: created.signingSecret,
    },
    stop: () => {
      stopped ??= service.stop()
      return stopped
    },
  }
}

function logOf({ format = 'text', level = 'info', write }: ServerLogOptions, clock: Clock): Log {
  const toStandardError = (line: string): void => void process.stderr.write(`${line}\n`)
  return createLog({ format, level, clock, component: 'kron', write: write ?? toStandardError })
}

/** What the value of each option must be; a Record, so that none is forgotten. */
const rules: Readonly<Record<keyof ServerOptions, readonly [(value: unknown) => boolean, string]>> =
  {
    data: [isFilled, 'the path of a folder'],
    database: [isFilled, 'a postgres:// URL or the path of an SQLite file'],
    secretKey: [isFilled, '32 bytes in base64'],
    roles: [
      (value) => isList(value) && value.length > 0 && value.every((each) => isOneOf(roles, each)),
      `a list of ${roles.join(', ')}`,
    ],
    host: [isFilled, 'an address of this machine'],
    port: [
      (value) => value === null || isCount(value, 65_535),
      'a whole number from 0 to 65535, or null',
    ],
    publicUrl: [
      (value) => isFilled(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      'an http or https URL',
    ],
    allow: [(value) => isList(value) && value.every(isFilled), 'a list of addresses and ranges'],
    graceMs: [(value) => isCount(value, Number.MAX_SAFE_INTEGER), 'a whole number of milliseconds'],
    log: [
      (value) => typeof value === 'object' && value !== null,
      'an object with format, level and write',
    ],
  }

/** A value may be a key or hold a password: errors show none of these. */
const secretOptions: ReadonlySet<string> = new Set(['secretKey', 'database'])

function serveOptionsOf(given: ServerOptions): ServeOptions {
  check(given)
  const { data, database, secretKey, publicUrl, log, ...rest } = given
  const hasApi = given.roles?.includes('api') ?? true
  return {
    ...defaultServeOptions,
    port: hasApi ? defaultServeOptions.port : null,
    ...rest,
    folder: data,
    database: database ?? join(data, 'kron.db'),
    secretKey,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
  }
}

function check(given: ServerOptions): void {
  const names = Object.keys(rules)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const text = `startServer has no option ${quote(name)}${suggestion(name, names)}`
    throw problem('KRON_FIELD_UNKNOWN', text, name, names.join(', '))
  }
  for (const [name, [isRight, allowed]] of Object.entries(rules)) {
    const value = given[name as keyof ServerOptions]
    if (value === undefined && name !== 'data') continue
    if (isRight(value)) continue
    const got = secretOptions.has(name) ? '' : `, got ${quote(value)}`
    const code = value === undefined ? 'KRON_FIELD_MISSING' : 'KRON_FIELD_INVALID'
    throw problem(code, `${name} must be ${allowed}${got}`, name, allowed)
  }
}

const problem = (code: ErrorCode, text: string, field: string, allowed: string) =>
  new ConfigurationError(code, text, { field, allowed })

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isOneOf = (choices: readonly unknown[], value: unknown): boolean => choices.includes(value)

const isCount = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
