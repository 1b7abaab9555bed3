import { type ChosenPeriod, type Decision, evaluate, type Job, nextToHandle } from '@kron/core'
import { concerned } from './concerning.js'

/** The next period of a job, and the one before it that this host was not responsible for. */
export interface NextPeriod {
  readonly decision: Decision | null
  /** The current one, when it was due before this host answered for the job. */
  readonly passedOver: Decision | null
}

export function nextPeriod(
  job: Job,
  now: number,
  handledThrough: number | null,
  responsibleSince: number | null,
): NextPeriod {
  const { policy } = job
  let nominal = nextToHandle(job, now, handledThrough)
  let passedOver: Decision | null = null
  while (nominal !== null) {
    const period = nominal
    const decision = concerned(job.identity, period, () => job.decide(period))
    const asked = { decision, policy, now, handledThrough, responsibleSince, active: false }
    if (evaluate(asked).kind !== 'notResponsible') return { decision, passedOver }
    passedOver ??= decision
    nominal = job.nextPeriod(nominal)
  }
  return { decision: null, passedOver }
}

/** The first run that comes of this period or those after it, however many have no time to run. */
export function runFrom(
  job: Job,
  { nominalTime, chosenTime }: Pick<Decision, 'nominalTime' | 'chosenTime'>,
): ChosenPeriod | null {
  if (chosenTime !== null) return { nominalTime, chosenTime }
  const next = job.nextSchedulable(nominalTime)
  return next === null ? null : runFrom(job, job.decide(next))
}
