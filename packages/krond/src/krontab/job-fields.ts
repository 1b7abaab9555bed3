import {
  absolutePath,
  accountName,
  environmentEntry,
  jobName,
  octalMask,
  oneOf,
  positiveDuration,
  refuse,
} from './field-readers.js'
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
