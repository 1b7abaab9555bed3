import { hash } from 'node:crypto'
import { formatInstant, PersistenceError, quote } from '@kron/core'
import type { ActiveExecution, HistoryEntry, JobState } from './job-state.js'
import { currentVersion, largestStateBytes } from './state-fields.js'

export const checksumField = 'Checksum'

/**
 * Over JSON without blanks, with the fields in the order of the file. A text that is one byte off
 * either parses to the same fields or has another checksum.
 */
export function checksumOf(json: string): string {
  return hash('sha256', json, 'hex').slice(0, 16)
}

const encoder = new TextEncoder()

/** The bytes of a state file: the seed's schema, and last a checksum over all the rest. */
export function encodeState(state: JobState): Uint8Array {
  const { identity, responsibility, last, active, others, history } = state
  const json = JSON.stringify({
    Version: currentVersion,
    Identity: identity,
    ...(responsibility !== null && {
      Timing: responsibility.timing,
      ResponsibleSince: instantText(responsibility.since, 'responsibility.since'),
    }),
    LastHandledPeriodID: last === null ? '' : instantText(last.nominal, 'last.nominal'),
    LastOutcome: last?.outcome ?? '',
    LastChosenTime: optionalInstantText(last?.chosen ?? null, 'last.chosen'),
    LastNominalTime: last === null ? '' : instantText(last.nominal, 'last.nominal'),
    ActiveExecution: active === null ? null : activeFields(active),
    OtherActive: others.map(activeFields),
    History: history.map(historyFields),
  })
  const text = `${json.slice(0, -1)},"${checksumField}":"${checksumOf(json)}"}\n`
  const bytes = encoder.encode(text)
  if (bytes.length <= largestStateBytes) return bytes
  throw unwritable('state', bytes.length, `at most ${largestStateBytes} bytes`)
}

function activeFields({ nominal, chosen, startedAt, process }: ActiveExecution): object {
  return {
    PeriodID: instantText(nominal, 'active.nominal'),
    PID: integer(process.pid, 'active.process.pid', 1),
    StartedAt: instantText(startedAt, 'active.startedAt'),
    ChosenTime: instantText(chosen, 'active.chosen'),
    StartTicks: optionalInteger(process.startTicks, 'active.process.startTicks', 0),
    BootID: process.bootId,
  }
}

function historyFields(entry: HistoryEntry): object {
  const { nominal, outcome, chosen, completedAt, exitCode } = entry
  return {
    PeriodID: instantText(nominal, 'history.nominal'),
    Outcome: outcome,
    NominalTime: instantText(nominal, 'history.nominal'),
    ChosenTime: optionalInstantText(chosen, 'history.chosen'),
    CompletedAt: instantText(completedAt, 'history.completedAt'),
    ExitCode: optionalInteger(exitCode, 'history.exitCode', Number.MIN_SAFE_INTEGER),
  }
}

const shortestInstant = '2026-03-01T02:32:20Z'

/** RFC 3339 in UTC, with milliseconds only if there are any: nothing is lost by writing it. */
function instantText(instant: number, field: string): string {
  const text = Number.isSafeInteger(instant) ? formatInstant(instant) : ''
  if (text.length !== shortestInstant.length) {
    throw unwritable(field, instant, 'epoch milliseconds of the years 0 to 9999')
  }
  const ms = instant - Math.floor(instant / 1000) * 1000
  return ms === 0 ? text : `${text.slice(0, -1)}.${String(ms).padStart(3, '0')}Z`
}

function optionalInstantText(instant: number | null, field: string): string {
  return instant === null ? '' : instantText(instant, field)
}

function integer(value: number, field: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw unwritable(field, value, `a whole number, at least ${least}`)
}

function optionalInteger(value: number | null, field: string, least: number): number | null {
  return value === null ? null : integer(value, field, least)
}

/** What could not be read back must not replace what can. */
function unwritable(field: string, value: unknown, allowed: string): PersistenceError {
  return new PersistenceError(
    'KRON_PERSISTENCE',
    `${field} can't be written to a state file: it must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed, operation: 'encode' },
  )
}
