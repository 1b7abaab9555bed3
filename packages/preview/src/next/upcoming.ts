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

/** One period as `next` shows it. */
export interface UpcomingPeriod {
  readonly nominal: number
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
  readonly most: number
}

/** The periods of a job with a nominal time in a stretch, from its start on. */
export function upcoming(job: Job, { from, until, most }: Stretch): Upcoming {
  const periods: UpcomingPeriod[] = []
  const isInside = (nominal: number) => until === null || nominal < until
  let nominal = job.nextPeriod(from - 1)
  while (nominal !== null && isInside(nominal) && periods.length < most) {
    const { chosenTime: chosen } = job.decide(nominal)
    const superseded = takenOverAt(job, nominal, chosen) !== null
    periods.push({ nominal, chosen, superseded, clock: clockNote(nominal, job.zone) })
    nominal = job.nextPeriod(nominal)
  }
  const cut = nominal !== null && isInside(nominal)
  const lastSeen = (cut ? periods.at(-1)?.nominal : until) ?? periods.at(-1)?.nominal ?? from
  const skipped = clockChanges(job.zone, from, lastSeen)
    .map((change) => effectOn(job.cron, change))
    .filter((effect) => effect !== null)
    .filter(({ kind }) => kind === 'skipped')
  return { periods, skipped, cut }
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
    periods: periods.map(({ nominal, chosen, superseded, clock }) => ({
      nominal: formatInstant(nominal),
      nominalLocal: formatLocalRfc(nominal, zone),
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
