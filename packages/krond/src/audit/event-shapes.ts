import { formatInstant, quote } from '@kron/core'
import { type LogEvents, levelOf } from '../daemon/log-events.js'
import { instantOf } from './log-line.js'

interface Kind {
  readonly allowed: string
  readonly fits: (value: unknown) => boolean
}

const text: Kind = { allowed: 'text', fits: (value) => typeof value === 'string' }
const name: Kind = {
  allowed: 'text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
}
const number: Kind = { allowed: 'a number', fits: Number.isFinite }
const count: Kind = {
  allowed: 'a whole number, not negative',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
}
const pid: Kind = {
  allowed: 'the number of a process',
  fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
}
const signal: Kind = {
  allowed: 'the name of a signal',
  fits: (value) => typeof value === 'string' && /^SIG[A-Z\d]+$/.test(value),
}
const flag: Kind = { allowed: 'true or false', fits: (value) => typeof value === 'boolean' }
const object: Kind = {
  allowed: 'an object',
  fits: (value) => typeof value === 'object' && value !== null,
}
const instant: Kind = {
  allowed: 'an RFC 3339 time',
  fits: (value) => !Number.isNaN(instantOf(value)),
}
/** The one form in which a period, and every time that is a whole second, is written. */
const second: Kind = {
  allowed: 'an RFC 3339 time in UTC, to the second',
  fits: (value) => !Number.isNaN(instantOf(value)) && formatInstant(instantOf(value)) === value,
}
const millisecond: Kind = {
  allowed: 'an RFC 3339 time in UTC, to the millisecond',
  fits: (value) => !Number.isNaN(instantOf(value)) && isoText(instantOf(value)) === value,
}
const isoText = (instant: number): string => new Date(instant).toISOString()
const exactly = (...choices: readonly string[]): Kind => ({
  allowed: choices.join(' or '),
  fits: (value) => choices.includes(value as string),
})
const orNull = ({ allowed, fits }: Kind): Kind => ({
  allowed: `${allowed}, or null`,
  fits: (value) => value === null || fits(value),
})
const optional = ({ allowed, fits }: Kind): Kind => ({
  allowed,
  fits: (value) => value === undefined || value === null || fits(value),
})

type Shape<Event> = Readonly<Record<Extract<keyof Event, string>, Kind>>

const ofPeriod = { identity: name, period_id: second }

/** Every field of every event; one that `LogEvents` gains does not compile until it is here. */
const shapes: { readonly [Name in keyof LogEvents]: Shape<Required<LogEvents[Name]>> } = {
  start: {
    version: text,
    tzdata: name,
    state: text,
    jobs: count,
    pid,
    log_version: optional(count),
    boot_id: optional(name),
  },
  decision: {
    ...ofPeriod,
    schedule: text,
    dialect: text,
    nominal_time: second,
    window_start: second,
    window_end: second,
    chosen_time: orNull(second),
    timezone: text,
    tzdata: optional(name),
    distribution: object,
    seed_strategy: text,
    salt: text,
    seed_hash: text,
    attempts: count,
    constraints_applied: object,
    reason: optional(text),
  },
  reschedule: {
    ...ofPeriod,
    due: second,
    reason: exactly('retry', 'reload', 'clock', 'queue'),
  },
  not_responsible: { ...ofPeriod, due: second, responsible_since: instant },
  unplanned: {
    identity: name,
    reason: exactly('suspended', 'finished', 'removed'),
    schedule: text,
    dialect: text,
  },
  trigger: { ...ofPeriod, verdict: text, late_ms: number, judged_at: optional(millisecond) },
  started: { ...ofPeriod, outcome: exactly('executed'), pid },
  completed: {
    ...ofPeriod,
    pid,
    exit_code: orNull(count),
    signal: orNull(signal),
    duration_ms: count,
    error_type: optional(exactly('ExecutionError')),
    operation: optional(exactly('run_job')),
    message: optional(text),
  },
  skipped_concurrency: { ...ofPeriod, outcome: exactly('skipped'), reason: text },
  skipped_superseded: { ...ofPeriod, outcome: exactly('skipped'), reason: text },
  missed_deadline: { ...ofPeriod, outcome: exactly('missed'), reason: text },
  constraint_unsatisfiable: { ...ofPeriod, outcome: exactly('unschedulable'), reason: text },
  replaced: { ...ofPeriod, replaced_period_id: second, pid },
  timed_out: { ...ofPeriod, pid, timeout_ms: count },
  recovered: { ...ofPeriod, pid, alive: flag },
  state_lost: {
    identity: name,
    period_id: orNull(second),
    error_type: optional(text),
    operation: optional(text),
    message: optional(text),
    moved_to: text,
  },
  reload: { jobs: count, added: count, changed: count, removed: count },
  clock_jump: { from: second, to: second, jump_ms: number },
  output: { ...ofPeriod, stream: exactly('stdout', 'stderr'), line: text },
  stop: { running: count, jobs: optional(count) },
  left: { running: count },
}

const head: readonly (readonly [string, Kind])[] = [
  ['time', millisecond],
  ['component', exactly('krond')],
]

/** What an older krond does not say. */
const newFields: Partial<Record<keyof LogEvents, readonly string[]>> = {
  decision: ['tzdata'],
  trigger: ['judged_at'],
  stop: ['jobs'],
}

/** As the error model wants it. */
const errorShape: readonly (readonly [string, Kind])[] = [
  ...head,
  ['level', exactly('error')],
  ['identity', orNull(name)],
  ['period_id', optional(second)],
  ['error_type', name],
  ['operation', name],
  ['message', text],
]

export type EventName = keyof LogEvents

const kindsOf: ReadonlyMap<string, readonly (readonly [string, Kind])[]> = new Map(
  Object.entries(shapes).map(([event, shape]) => [event, [...head, ...Object.entries(shape)]]),
)

export const isKnownEvent = (event: string): event is EventName => kindsOf.has(event)

function flawIn(
  shape: readonly (readonly [string, Kind])[],
  fields: Readonly<Record<string, unknown>>,
): string | null {
  for (const [field, { allowed, fits }] of shape) {
    const value = fields[field]
    if (!fits(value)) return `${field} must be ${allowed}, got ${quote(value)}`
  }
  return null
}

/** What is wrong with the fields of an error, or null. */
export const errorFlaw = (fields: Readonly<Record<string, unknown>>): string | null =>
  flawIn(errorShape, fields)

/** What is wrong with the fields of an event, or null. */
export function shapeFlaw(
  event: EventName,
  fields: Readonly<Record<string, unknown>>,
  tellsAll: boolean,
): string | null {
  const flaw = flawIn(kindsOf.get(event) ?? [], fields)
  if (flaw !== null) return flaw
  const told = (field: string): boolean => Object.hasOwn(fields, field)
  const untold = tellsAll ? newFields[event]?.find((field) => !told(field)) : undefined
  if (untold !== undefined) return `${untold} is missing`
  const level = levelOf(event, fields)
  if (fields['level'] === level) return null
  return `level must be ${level}, got ${quote(fields['level'])}`
}
