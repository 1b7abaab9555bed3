import type { LogEvents } from '../daemon/log-events.js'
import type { AuditState } from './life.js'
import type { LogLine } from './log-line.js'

/** All jobs are planned at once: where those lines end, the log must have shown all of them. */
export function checkAllPlanned({ findings, life }: AuditState, line: LogLine): void {
  life.stage = 'running'
  const { jobs, activeJobs, tellsAll } = life
  if (jobs === null || !life.isWhole || activeJobs === jobs) return
  if (tellsAll || activeJobs > jobs) {
    const text = `the daemon began with ${jobs} jobs, and the log tells of ${activeJobs}`
    findings.violated('jobs', line, text)
  }
}

/** What a reload changed stands right before it. */
export function checkReload({ findings, life }: AuditState, line: LogLine): void {
  const { jobs, added, changed, removed } = line.fields as unknown as LogEvents['reload']
  const { activeJobs, underWay, removals } = life
  // One that comes with the first plans has theirs before it as well.
  const isFirst = life.stage === 'planning'
  const plans = isFirst ? life.plans - (life.jobs ?? 0) : life.changes.size - removals
  life.stage = 'running'
  life.changes.clear()
  life.removals = 0
  life.lastReload = line.index
  if (!life.isWhole) return
  if (!life.tellsAll) {
    life.unnamed += removed + changed
    return
  }
  const tell = (text: string): void => findings.violated('jobs', line, text)
  if (removed !== removals) tell(`${removed} jobs removed, and the log tells of ${removals}`)
  // A job that is being started is planned when that is over.
  const unplanned = added + changed - plans
  if (life.stopped) return
  if (unplanned < 0 || unplanned > underWay) {
    tell(`${added + changed} jobs added or changed, and the log tells of ${plans}`)
  }
  if (jobs < activeJobs || jobs > activeJobs + underWay) {
    tell(`there are ${jobs} jobs, and the log tells of ${activeJobs}`)
  }
}

/** Plans that nothing explains, when the line that follows is no reload. */
export function checkUnexplained({ findings, life }: AuditState): void {
  for (const place of life.changes.values()) {
    findings.violated('replanned', place, 'no reload follows, and the clock did not jump')
  }
  life.changes.clear()
  life.removals = 0
}

export function checkStop(state: AuditState, line: LogLine): void {
  const { findings, life, obligations } = state
  const { running, jobs } = line.fields as unknown as LogEvents['stop']
  if (life.stopped) findings.violated('after_stop', line, 'the daemon had stopped before')
  obligations.stopped(state, line)
  life.stopped = true
  if (!life.isWhole) return
  if (running !== life.running) {
    findings.violated('running', line, `${running} run, and the log tells of ${life.running}`)
  }
  const { activeJobs, underWay } = life
  if (jobs !== undefined && (jobs < activeJobs || jobs > activeJobs + underWay)) {
    findings.violated('jobs', line, `there are ${jobs} jobs, and the log tells of ${activeJobs}`)
  }
}
