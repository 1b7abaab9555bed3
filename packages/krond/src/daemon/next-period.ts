import {
  type ChosenPeriod,
  evaluate,
  type Job,
  nextToHandle,
  type PlannedPeriod,
  plannedPeriod,
} from '@kron/core'

/** The period that a job comes to next, and the one that was not its business on the way. */
export interface NextPeriod {
  readonly nominal: number | null
  /** The current one, when it was due before this host answered for the job. */
  readonly passedOver: PlannedPeriod | null
}

export function nextPeriod(
  job: Job,
  now: number,
  handledThrough: number | null,
  responsibleSince: number | null,
): NextPeriod {
  let nominal = nextToHandle(job, now, handledThrough)
  let passedOver: PlannedPeriod | null = null
  while (nominal !== null) {
    const planned = plannedPeriod(job.decide(nominal))
    const { policy } = job
    const asked = { decision: planned, policy, now, handledThrough, responsibleSince }
    if (evaluate({ ...asked, active: false }).kind !== 'notResponsible') break
    passedOver ??= planned
    nominal = job.nextPeriod(nominal)
  }
  return { nominal, passedOver }
}

/** The first run that comes of this period or those after it, however many have no time to run. */
export function runFrom(job: Job, nominal: number): ChosenPeriod | null {
  const chosen = job.decide(nominal).chosenTime
  if (chosen !== null) return { nominalTime: nominal, chosenTime: chosen }
  const next = job.nextSchedulable(nominal)
  return next === null ? null : runFrom(job, next)
}
