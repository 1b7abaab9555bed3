import {
  compileJob,
  type Decision,
  type Dialect,
  formatInstant,
  type Job,
  KronError,
  parseSchedule,
  quote,
} from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { CompiledSchedule, JobRecord } from './job-record.js'
import { instantOf } from './log-line.js'

export type DecisionFields = LogEvents['decision']

/** The job of a decision, or why it has none. */
export function jobOf(record: JobRecord, fields: DecisionFields): Job | Error {
  const { schedule, dialect } = fields
  const { compiled } = record
  if (compiled !== null && compiled.schedule === schedule && compiled.dialect === dialect) {
    return compiled.job
  }
  const fresh: CompiledSchedule = { schedule, dialect, job: compile(fields) }
  record.compiled = fresh
  return fresh.job
}

function compile({ identity, schedule, dialect }: DecisionFields): Job | Error {
  try {
    const spec = parseSchedule(schedule, { dialect: dialect as Dialect })
    return compileJob({ ...spec, identity })
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
}

/** Every field that is not what the decision of this period comes out as. */
export function differences(fields: DecisionFields, decision: Decision): string[] {
  const found: string[] = []
  const compare = (field: keyof DecisionFields, ours: unknown): void => {
    if (!sameValue(fields[field] ?? null, ours)) {
      found.push(`${field} is ${shown(fields[field])}, recomputed ${shown(ours)}`)
    }
  }
  const compareTime = (field: keyof DecisionFields, ours: number | null): void => {
    const text = ours === null ? null : formatInstant(ours)
    if (fields[field] !== text && !sameInstant(fields[field], ours)) compare(field, text)
  }
  compareTime('nominal_time', decision.nominalTime)
  compareTime('window_start', decision.windowStart)
  compareTime('window_end', decision.windowEnd)
  compareTime('chosen_time', decision.chosenTime)
  compare('timezone', decision.timezone)
  compare('distribution', decision.distribution)
  compare('seed_strategy', decision.seed.strategy)
  compare('salt', decision.seed.salt)
  compare('seed_hash', decision.seedHash)
  compare('attempts', decision.attempts)
  compare('constraints_applied', decision.constraintsApplied)
  compare('reason', decision.reason ?? null)
  return found
}

const sameInstant = (logged: unknown, ours: number | null): boolean =>
  ours !== null && instantOf(logged) === ours

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? quoteJson(value) : quote(value)

const longestJson = 120

function quoteJson(value: object): string {
  try {
    const text = JSON.stringify(value)
    return text.length <= longestJson ? text : `${text.slice(0, longestJson)}…`
  } catch {
    // Nested so deeply that it can be read but not written again.
    return quote(value)
  }
}

/** Equal as JSON, whatever the order of the members. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}
