import { quote } from '@kron/core'
import { everySchedule } from './every-schedule.js'
import { goCronField } from './go-cron-field.js'
import { Refusal } from './refusal.js'

/** A schedule of a CronJob, in our syntax. */
export interface GoCronSchedule {
  readonly cron: string
  /** Of `TZ=` or `CRON_TZ=` before the schedule. */
  readonly timezone: string | null
}

const macros = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
] as const

/** Reads a schedule as the cron library of Kubernetes does (`ParseStandard` of robfig/cron). */
export function goCronSchedule(text: string): GoCronSchedule | Refusal {
  const zoned = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s.exec(text)
  const timezone = zoned === null ? null : zoned[1]! || 'UTC'
  const cron = cronIn((zoned?.[2] ?? text).trim())
  return cron instanceof Refusal ? cron : { cron, timezone }
}

function cronIn(text: string): string | Refusal {
  if (text.startsWith('@every ')) return everySchedule(text)
  if (text.startsWith('@')) {
    if ((macros as readonly string[]).includes(text)) return text
    return new Refusal(`${quote(text)} must be one of ${macros.join(', ')}`)
  }
  const fields = text.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== 5) {
    return new Refusal(`a schedule must have 5 fields, ${quote(text)} has ${fields.length}`)
  }
  const read: string[] = []
  for (const [index, field] of fields.entries()) {
    const converted = goCronField(field, index)
    if (converted instanceof Refusal) return converted
    read.push(converted)
  }
  return read.join(' ')
}
