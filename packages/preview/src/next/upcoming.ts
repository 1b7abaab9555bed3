import { formatInstant, type Job, takenOverAt, type Zone } from '@kron/core'
import {
  type ClockChange,
  type ClockEffect,
  changeText,
  clockChanges,
  effectOn,
  formatLocalRfc,
  wallDate,
  wallMinute,
  wallTime,
} from '../local-time/index.js'

/** One period as `next` shows it, or a stretch of periods in a row of which none can run. */
export interface UpcomingPeriod {
  readonly nominal: number
  /** The last period of a stretch: the same for a single one, null when no later one can run. */
  readonly through: number | null
  /** null when the period is unschedulable. */
  readonly chosen: number | null
  /** Whether a clock change lets the next period take over before the chosen time. */
  readonly superseded: boolean
  /** What the clock does on the local day of the nominal time. */
  readonly clock: string | null
}

export interface Upcoming {
  readonly periods: readonly UpcomingPeriod[]
  /** Wall times of the schedule, in the stretch that was looked at, that don't exist. */
  readonly skipped: readonly ClockEffect[]
  /** Whether there are more periods than were asked for. */
  readonly cut: boolean
}

export interface Stretch {
  readonly from: number
  /** Not included; null for no end. */
  readonly until: number | null
  /** Periods that run; what can't run comes on top. */
  readonly most: number
}

/**
 * The periods of a job with a nominal time in a stretch, from its start on. Those in a row that
 * can't run are passed over by the calendar and shown as one.
 */
export function upcoming(job: Job, { from, until, most }: Stretch): Upcoming {
  const periods: UpcomingPeriod[] = []
  const isInside = (nominal: number) => until === null || nominal < until
  let nominal = job.nextPeriod(from - 1)
  for (let runs = 0; nominal !== null && isInside(nominal) && runs < most; ) {
    const { chosenTime: chosen } = job.decide(nominal)
    if (chosen === null) {
      const running = job.nextSchedulable(nominal)
      periods.push(passedOver(job, nominal, earlier(running, until)))
      nominal = running
      continue
    }
    const superseded = takenOverAt(job, nominal, chosen) !== null
    const clock = clockNote(nominal, job.zone)
    periods.push({ nominal, through: nominal, chosen, superseded, clock })
    nominal = job.nextPeriod(nominal)
    runs++
  }
  const cut = nominal !== null && isInside(nominal)
  const lastSeen = (cut ? periods.at(-1)?.nominal : until) ?? periods.at(-1)?.nominal ?? from
  const skipped = clockChanges(job.zone, from, lastSeen)
    .map((change) => effectOn(job.cron, change))
    .filter((effect) => effect !== null)
    .filter(({ kind }) => kind === 'skipped')
  return { periods, skipped, cut }
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

function passedOver(job: Job, nominal: number, end: number | null): UpcomingPeriod {
  const through = end === null ? null : job.cron.previous(end - 1, job.zone)
  const clock = through === nominal ? clockNote(nominal, job.zone) : null
  return { nominal, through, chosen: null, superseded: false, clock }
}

const hourMs = 3_600_000

/** What the clock does that day, and which of two the nominal time is if it happens twice. */
function clockNote(nominal: number, zone: Zone): string | null {
  const day = wallDate(wallTime(nominal, zone))
  const change = clockChanges(zone, nominal - 26 * hourMs, nominal + 26 * hourMs).find(
    ({ wallBefore, wallAfter }) => wallDate(wallBefore) === day || wallDate(wallAfter) === day,
  )
  if (change === undefined) return null
  const turn = turnOf(nominal, change, zone)
  return `${changeText(change)}${turn === null ? '' : `, ${turn}`}`
}

function turnOf(
  nominal: number,
  { at, wallBefore, wallAfter }: ClockChange,
  zone: Zone,
): string | null {
  const wall = wallTime(nominal, zone)
  if (wall < wallAfter || wall >= wallBefore) return null
  return `${nominal < at ? '1st' : '2nd'} ${wallMinute(wall)}`
}

/** The same as data. */
export function upcomingJson({ periods, skipped, cut }: Upcoming, zone: Zone): object {
  return {
    periods: periods.map(({ nominal, through, chosen, superseded, clock }) => ({
      nominal: formatInstant(nominal),
      nominalLocal: formatLocalRfc(nominal, zone),
      ...(through !== nominal && { through: through === null ? null : formatInstant(through) }),
      chosen: chosen === null ? null : formatInstant(chosen),
      chosenLocal: chosen === null ? null : formatLocalRfc(chosen, zone),
      delaySeconds: chosen === null ? null : (chosen - nominal) / 1000,
      unschedulable: chosen === null,
      superseded,
      clock,
    })),
    skipped: skipped.map(({ first, last, change }) => ({
      date: wallDate(first),
      from: wallMinute(first),
      to: wallMinute(last),
      clock: changeText(change),
    })),
    more: cut,
  }
}
