import { runningIn } from '../state/index.js'
import type { JobPhase, JobView } from './daemon-view.js'
import type { JobRecord } from './job-record.js'

export function viewOf(record: JobRecord): JobView {
  const { hostJob, planned, state } = record
  return {
    hostJob,
    phase: phaseOf(record),
    get planned() {
      return planned === null ? null : hostJob.job.decide(planned.nominalTime)
    },
    responsibleSince: record.responsibleSince,
    last: state.last,
    running: runningIn(state),
    history: state.history,
  }
}

function phaseOf({ busy, queued, suspended, planned }: JobRecord): JobPhase {
  if (busy) return 'starting'
  if (queued) return 'queued'
  if (suspended) return 'suspended'
  return planned === null ? 'finished' : 'waiting'
}
