import { type Answer, badArgument, type Invocation, instantArgument } from '@kron/command'
import { utc, type Zone } from '@kron/core'
import type { NamedJob } from '../named-job.js'
import type { Notation } from '../notation.js'
import { explainText } from './explain-text.js'
import { explanationOf } from './explanation.js'

export interface ExplainOptions {
  readonly at?: string
  readonly next: boolean
}

/** Which period is asked about: the current one of a time, or the one after it. */
export interface WhichPeriod {
  readonly at: number
  readonly next: boolean
}

/** What `[--at <time>] [--next]` asks for, in the zone of a job. */
export function whichPeriod(
  { now }: Invocation,
  options: ExplainOptions,
): (zone: Zone) => WhichPeriod {
  const whichIn = (zone: Zone): WhichPeriod => {
    const at = options.at === undefined ? now : instantArgument('--at', options.at, zone)
    return { at, next: options.next }
  }
  // What is wrong in any zone is said before anybody looks for jobs.
  whichIn(utc)
  return whichIn
}

/** Every step from a schedule to the chosen time of a period. */
export function explainAnswer(
  named: NamedJob,
  whichIn: (zone: Zone) => WhichPeriod,
  notation: Notation,
): Answer {
  const { job } = named
  const { at, next } = whichIn(job.zone)
  const current = job.currentPeriod(at)
  const nominal = next ? job.nextPeriod(Math.max(at, current ?? at)) : current
  if (nominal === null) {
    const which = next ? 'after' : 'at or before'
    throw badArgument('--at', `the schedule has no period ${which} that time`)
  }
  const explanation = explanationOf(named, nominal, at)
  return { json: () => explanation, lines: (style) => explainText(explanation, notation, style) }
}
