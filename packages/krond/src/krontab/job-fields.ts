import {
  ConfigurationError,
  formatDuration,
  parseDuration,
  quote,
  quotePath,
  suggestion,
  ValidationError,
} from '@kron/core'
import { krontabLimits } from './lines.js'
import { type OutputTarget, outputTargetOf } from './output-target.js'

/** What the fields of a line say, apart from the command. */
export interface JobFields {
  readonly name: string
  readonly user?: string
  readonly group?: string
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
  /** Whether a shell reads the command; never unless asked for. */
  readonly shell: boolean
  readonly umask?: number
  readonly timeoutMs?: number
  readonly stdout: OutputTarget
  readonly stderr: OutputTarget
  readonly description?: string
  /** What the job reads. Crontabs have it; a krontab line can't say it. */
  readonly stdin?: string
}

type Given = Partial<Omit<JobFields, 'env'>>

/** The fields of a line that were read so far. */
export interface FieldsDraft {
  given: Given
  readonly env: Map<string, string>
}

type ReadField = (text: string) => Given

/** All but `env`, which may come again, and `command`, which depends on `shell`. */
const readers: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ['name', (text) => ({ name: jobName(text) })],
  ['user', (text) => ({ user: accountName('user', text) })],
  ['group', (text) => ({ group: accountName('group', text) })],
  ['cwd', (text) => ({ cwd: absolutePath('cwd', text) })],
  ['shell', (text) => ({ shell: oneOf('shell', text, ['true', 'false']) === 'true' })],
  ['umask', (text) => ({ umask: octalMask(text) })],
  ['timeout', (text) => ({ timeoutMs: positiveDuration('timeout', text) })],
  ['stdout', (text) => ({ stdout: outputOf('stdout', text) })],
  ['stderr', (text) => ({ stderr: outputOf('stderr', text) })],
  ['description', (text) => ({ description: text })],
])

export const repeatableField = 'env'
export const fieldNames: readonly string[] = [...readers.keys(), 'command', repeatableField]

export function readField(name: string, text: string, draft: FieldsDraft): void {
  if (name === repeatableField) environmentEntry(text, draft.env)
  else draft.given = { ...draft.given, ...readers.get(name)?.(text) }
}

/** Shared: most jobs have these, and a host may have many jobs. */
const inherited: OutputTarget = Object.freeze({ kind: 'inherit' })
const noVariables: JobFields['env'] = Object.freeze({})

export function jobFieldsOf(name: string, { given, env }: FieldsDraft): JobFields {
  return Object.freeze({
    stdout: inherited,
    stderr: inherited,
    shell: false,
    ...given,
    name,
    env: env.size === 0 ? noVariables : Object.freeze(Object.fromEntries(env)),
  } satisfies JobFields)
}

function outputOf(field: string, text: string): OutputTarget {
  const target = outputTargetOf(text)
  if (target !== null) return target
  throw refuse(field, text, 'inherit, discard, syslog or file:<absolute path>')
}

function refuse(field: string, text: string, allowed: string, hint = ''): ConfigurationError {
  const shown = text.includes('/') ? quotePath(text) : quote(text)
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${shown}${hint}`,
    { field, value: text, allowed },
  )
}

function jobName(text: string): string {
  if (/^[a-z0-9/-]+$/.test(text)) return text
  const position = Math.max(0, text.search(/[^a-z0-9/-]/))
  const allowed = 'lower-case letters, digits, - and /'
  throw new ConfigurationError(
    'KRON_NAME_INVALID',
    text === '' ? 'name must not be empty' : `name must be of ${allowed}, got ${quote(text)}`,
    { field: 'name', value: text, allowed, ...(text !== '' && { position, length: 1 }) },
  )
}

function oneOf(field: string, text: string, names: readonly string[]): string {
  if (names.includes(text)) return text
  throw refuse(field, text, names.join(' or '), suggestion(text, names))
}

/** A name as the system's user and group files have it, or a number. */
export function accountName(field: string, text: string): string {
  if (/^(?:[A-Za-z_][A-Za-z0-9_.-]*\$?|\d{1,10})$/.test(text)) return text
  throw refuse(field, text, `the name or number of a ${field}`)
}

function absolutePath(field: string, text: string): string {
  if (text.startsWith('/')) return text
  throw refuse(field, text, 'an absolute path')
}

function environmentEntry(text: string, env: Map<string, string>): void {
  const match = /^([A-Za-z_]\w*)=/.exec(text)
  if (match === null) throw refuse('env', text, 'a variable such as LANG=C')
  const name = match[1]!
  if (env.has(name)) {
    throw new ConfigurationError('KRON_FIELD_REPEATED', `env sets ${name} a second time`, {
      field: 'env',
      value: name,
      allowed: 'each variable once',
      position: 0,
      length: name.length,
    })
  }
  env.set(name, text.slice(match[0].length))
}

function octalMask(text: string): number {
  if (/^0?[0-7]{1,3}$/.test(text)) return Number.parseInt(text, 8)
  throw refuse('umask', text, 'octal digits from 0 to 0777 such as 0027')
}

function positiveDuration(field: string, text: string): number {
  const duration = parseDuration(text, field)
  if (duration > 0 && duration <= krontabLimits.timeoutMs) return duration
  const allowed = `above 0s and at most ${formatDuration(krontabLimits.timeoutMs)}`
  throw new ValidationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${quote(text)}`,
    { field, value: text, allowed },
  )
}
