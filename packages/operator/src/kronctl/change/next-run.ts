import { periodStep } from '../../controller/period-step.js'
import { compileKronJob, type KronJob } from '../../kronjob/index.js'
import { lastHandled } from '../../record/handled-period.js'
import { responsibilityOf } from '../../record/responsibility.js'

/** When the controller will create the next Job, by its own rules; null if that can't be told. */
export function nextRun(kronJob: KronJob, now: number): number | null {
  try {
    return chosenTimeOfNext(kronJob, now)
  } catch {
    return null
  }
}

function chosenTimeOfNext(kronJob: KronJob, now: number): number | null {
  const job = compileKronJob(kronJob)
  const last = lastHandled([], kronJob.status, null)
  const known = { kronJob, timing: job.timing, remembered: null, lastHandled: last, seenAt: now }
  const step = periodStep({
    job,
    now,
    responsibleSince: responsibilityOf(known).since,
    lastHandled: last,
    isActive: false,
    planned: null,
    attempt: null,
  })
  if (step.kind === 'idle') return null
  if (step.kind === 'execute') return now
  const { chosenTime, nominalTime } = step.decision
  if (step.kind === 'wait' && chosenTime !== null) return chosenTime
  // This one is missed or has no allowed time.
  const next = job.nextSchedulable(nominalTime)
  return next === null ? null : job.decide(next).chosenTime
}
