import { KronError, quote, zone } from '@kron/core'
import type { JsonRecord } from '../../kronjob/schema/json-schema.js'
import { type Note, Refusal } from './conversion.js'
import { goCronSchedule } from './go-cron-schedule.js'

export interface ConvertedTiming {
  readonly schedule: string
  readonly timezone: string
  readonly notes: readonly Note[]
}

const timezonePath = ['spec', 'timezone']

export function convertedTiming({ schedule, timeZone }: JsonRecord): ConvertedTiming | Refusal {
  if (typeof schedule !== 'string') return new Refusal('spec.schedule is missing')
  const read = goCronSchedule(schedule)
  if (read instanceof Refusal) return read
  const timezone = read.timezone ?? timeZone
  const notes: Note[] = []
  if (schedule !== read.cron) {
    notes.push({ path: ['spec', 'schedule'], message: `${quote(schedule)} in the CronJob.` })
  }
  if (read.timezone !== null && timeZone !== undefined) {
    const message =
      `The CronJob also has timeZone ${quote(timeZone)}, which Kubernetes ignores for the one ` +
      'in the schedule, and refuses in new CronJobs.'
    notes.push({ path: timezonePath, message })
  }
  if (timezone === undefined || (read.timezone !== null && timezone === 'Local')) {
    const message =
      'The CronJob follows the zone of kube-controller-manager, which is UTC unless it was changed.'
    return {
      schedule: read.cron,
      timezone: 'UTC',
      notes: [...notes, { path: timezonePath, message }],
    }
  }
  const flaw = zoneFlaw(timezone)
  if (flaw !== null) return new Refusal(flaw)
  return { schedule: read.cron, timezone: String(timezone), notes }
}

function zoneFlaw(name: unknown): string | null {
  try {
    zone(name as string)
    return null
  } catch (error) {
    if (error instanceof KronError) return `spec.timeZone: ${error.message}`
    throw error
  }
}
