import { compileJob, type Dialect, type Job, parseSchedule } from '@kron/core'
import type { LogEvents } from '../../packages/krond/src/daemon/index.js'
import type { Trace } from './host-simulation.js'

/** The loop may sleep a minute after a change of the clock, and a retry may be a minute away. */
const slackMs = 61_000
/** From the verdict to the start: the grace of what is replaced, a kill, and the work of starting. */
const startingMs = 30_000

const outcomeEvents: readonly string[] = [
  'started',
  'skipped_concurrency',
  'skipped_superseded',
  'missed_deadline',
  'constraint_unsatisfiable',
]

/**
 * What a daemon left open that nobody disturbed: every period that is planned comes to its outcome
 * in time, and the one after it is planned next, however many starts wait for a place.
 */
export function leftOpen({ lines, disturbances }: Trace): string[] {
  const found: string[] = []
  let stretch = new Stretch(found)
  let next = 0
  for (const [index, line] of lines.entries()) {
    while (next < disturbances.length && disturbances[next]!.line <= index) {
      stretch.end(disturbances[next++]!.wallMs)
      stretch = new Stretch(found)
    }
    stretch.read(JSON.parse(line) as Line)
  }
  for (const { wallMs } of disturbances.slice(next)) stretch.end(wallMs)
  return found
}

interface Line {
  readonly event: string
  readonly time: string
  readonly identity: string
  readonly period_id: string
}

interface Open {
  readonly period: string
  readonly schedule: Schedule
  due: number
  triggeredAt: number | null
}

type Schedule = Pick<LogEvents['decision'], 'schedule' | 'dialect' | 'identity'>

/** A part of the log in which nothing happened to the daemon from outside. */
class Stretch {
  readonly #found: string[]
  readonly #open = new Map<string, Open>()
  /** The last period of each job that was decided and handled in here. */
  readonly #handled = new Map<string, Open>()

  constructor(found: string[]) {
    this.#found = found
  }

  read(line: Line): void {
    const { event, identity, time } = line
    const open = this.#open.get(identity)
    if (event === 'decision') this.#decided(line as Line & LogEvents['decision'])
    if (open === undefined || line.period_id !== open.period) return
    if (event === 'reschedule') {
      open.due = Date.parse((line as Line & LogEvents['reschedule']).due)
      open.triggeredAt = null
    } else if (event === 'trigger') {
      open.triggeredAt = Date.parse(time)
      open.due = Math.max(open.due, open.triggeredAt)
    } else if (outcomeEvents.includes(event)) {
      if (event === 'started') this.#checkStart(open, line)
      this.#open.delete(identity)
      this.#handled.set(identity, open)
    }
  }

  end(wallMs: number): void {
    for (const [identity, { period, due }] of this.#open) {
      if (due + slackMs < wallMs) this.#found.push(`planned without outcome: ${identity} ${period}`)
    }
    this.#open.clear()
  }

  #decided(line: Line & LogEvents['decision']): void {
    const { identity, period_id, chosen_time, window_start } = line
    const open = this.#open.get(identity)
    const sameSchedule = (other: Open): boolean => other.schedule.schedule === line.schedule
    if (open !== undefined && open.period !== period_id && sameSchedule(open)) {
      this.#found.push(`planned without outcome: ${identity} ${open.period}, then ${period_id}`)
    }
    const before = this.#handled.get(identity)
    if (before !== undefined && sameSchedule(before)) this.#checkNext(before, line)
    this.#handled.delete(identity)
    // One that is late already is due when it is planned.
    const due = Math.max(Date.parse(chosen_time ?? window_start), Date.parse(line.time))
    this.#open.set(identity, { period: period_id, schedule: line, due, triggeredAt: null })
  }

  #checkNext(before: Open, { identity, period_id }: Line): void {
    const expected = jobOf(before.schedule).nextPeriod(Date.parse(before.period))
    if (expected === Date.parse(period_id)) return
    this.#found.push(`passed over what follows ${before.period}: ${identity} ${period_id}`)
  }

  #checkStart({ triggeredAt }: Open, { identity, period_id, time }: Line): void {
    if (triggeredAt === null || Date.parse(time) - triggeredAt <= startingMs) return
    this.#found.push(`started long after its verdict: ${identity} ${period_id}`)
  }
}

const compiled = new Map<string, Job>()

function jobOf({ identity, schedule, dialect }: Schedule): Job {
  const key = `${identity}\n${schedule}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const spec = parseSchedule(schedule, { dialect: dialect as Dialect })
  const job = compileJob({ ...spec, identity })
  compiled.set(key, job)
  return job
}
