import { lastHandled } from '../../controller/handled-period.js'
import { periodStep } from '../../controller/period-step.js'
import { instantOf } from '../../job/index.js'
import { compileKronJob, type KronJob } from '../../kronjob/index.js'

/** As many periods are looked at; the ones before are missed or have no allowed time. */
const mostPeriods = 100

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
  const createdAt = instantOf(kronJob.metadata.creationTimestamp) ?? 0
  let last = lastHandled([], kronJob.status, null)
  for (let looked = 0; looked < mostPeriods; looked++) {
    const isActive = false
    const common = { job, now, createdAt, isActive, planned: null, attempt: null }
    const step = periodStep({ ...common, lastHandled: last })
    if (step.kind === 'idle') return null
    const { nominalTime, chosenTime } = step.decision
    if (step.kind === 'execute') return now
    if (step.kind === 'wait' && chosenTime !== null) return chosenTime
    last = { nominalTime, chosenTime, outcome: 'missed' }
  }
  return null
}
