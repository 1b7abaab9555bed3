import {
  type ClockEffect,
  changeText,
  clockChanges,
  effectOn,
  wallDate,
  wallMinute,
} from '../../local-time/index.js'
import { warningAt } from '../finding.js'
import type { Rule } from '../subject.js'

/** Long enough for a change in each direction wherever the clock changes twice a year. */
const horizonMs = 400 * 86_400_000
const maxChanges = 16

export const clockChange: Rule = (subject, now) => {
  const { cron, zone } = subject.job
  const effects = clockChanges(zone, now, now + horizonMs, maxChanges)
    .map((change) => effectOn(cron, change))
    .filter((effect) => effect !== null)
  const first = (kind: ClockEffect['kind']) => effects.find((effect) => effect.kind === kind)
  const found = [first('skipped'), first('repeated')].filter((effect) => effect !== undefined)
  if (found.length === 0) return []
  const parts = found.sort((a, b) => a.change.at - b.change.at).map(effectText)
  return [
    warningAt(
      subject.cronPlace(),
      'KRON_WARN_CLOCK_CHANGE',
      `in ${zone.name} ${parts.join('; ')}`,
      `choose an hour that no clock change touches, or ${subject.notation.utc}`,
    ),
  ]
}

function effectText({ kind, change, first, last }: ClockEffect): string {
  const single = first === last
  const times = single ? wallMinute(first) : `${wallMinute(first)}-${wallMinute(last)}`
  const day = `${wallDate(first)} (clock ${changeText(change)})`
  if (kind === 'repeated') {
    return `${times} ${single ? 'happens' : 'happen'} twice on ${day}, and the job runs twice`
  }
  return `${times} ${single ? 'does' : 'do'} not exist on ${day}, and the job does not run`
}
