import { ValidationError } from '@kron/core'
import type { AuditReport } from '../../src/audit/audit-report.js'
import { auditLog } from '../../src/audit/log-audit.js'
import { honestLog } from './honest-log.js'

/** A line of a log, as its members. */
export type Event = Record<string, unknown>

export const spring = Date.UTC(2026, 2, 27)
const good = await honestLog({ seed: 8, from: spring, hours: 120, crashChance: 0.1 })

/** The good log with its lines as objects; those that are torn stay text. */
export const parsed = (): (Event | string)[] =>
  good.map((line) => (line.endsWith('}') ? JSON.parse(line) : line))

export const audited = (log: readonly (Event | string)[]): AuditReport =>
  auditLog(log.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))))

export const field = (line: Event | string, name: string): unknown =>
  typeof line === 'string' ? undefined : line[name]

export const isEvent = (line: Event | string, event: string, more: Event = {}): line is Event =>
  field(line, 'event') === event &&
  Object.entries(more).every(([name, value]) => field(line, name) === value)

export const samePeriod = (a: Event | string, b: Event | string): boolean =>
  field(a, 'identity') === field(b, 'identity') && field(a, 'period_id') === field(b, 'period_id')

/** Index of the first line that fits; the log has one of everything. */
export function indexOf(
  log: readonly (Event | string)[],
  fits: (line: Event, index: number) => boolean,
): number {
  const index = log.findIndex((line, at) => typeof line !== 'string' && fits(line, at))
  if (index >= 0) return index
  throw new ValidationError('KRON_LOG_INVALID', 'the log has no such line', { field: 'log' })
}

export const rulesOf = (report: AuditReport): string[] => [
  ...new Set(report.violations.map(({ rule }) => rule)),
]

/** Changes the first event of a name and answers the report, with the number of the line. */
export function changed(event: string, change: Event, more: Event = {}): [AuditReport, number] {
  const log = parsed()
  const index = indexOf(log, (line) => isEvent(line, event, more))
  log[index] = { ...(log[index] as Event), ...change }
  return [audited(log), index + 1]
}

export const isSchedule = (line: Event | string, text: string): boolean =>
  String(field(line, 'schedule')).includes(text)

/** Another time, in the form that this one has. */
export const later = (time: unknown, ms: number): string => {
  const text = new Date(Date.parse(String(time)) + ms).toISOString()
  return String(time).includes('.') ? text : text.replace('.000Z', 'Z')
}
