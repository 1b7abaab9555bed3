import { formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { JobRecord } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine } from './log-line.js'

/** Smaller steps are the clock being adjusted, and the daemon does not mention them. */
const smallestBackMs = 1000
const smallestForwardMs = 5000
const secondMs = 1000
/** A line may be written so long after its event. */
const writingMs = 120_000

/** No line is earlier than the one before, or the log goes on to say that the clock was set. */
export function checkOrder({ findings, life }: AuditState, line: LogLine): void {
  const backMs = life.lastTime - line.time
  const { isOrdered } = life
  life.isOrdered = true
  if (isOrdered && backMs >= smallestBackMs) {
    findings.suspected('time_order', line, `${backMs} ms before the line before`, 'back')
  }
  life.lastTime = line.time
}

export function checkClockJump(
  state: AuditState,
  records: Iterable<JobRecord>,
  line: LogLine,
): void {
  const { findings, life, obligations } = state
  const jump = line.fields as unknown as LogEvents['clock_jump']
  const from = instantOf(jump.from)
  const to = instantOf(jump.to)
  const flaw = flawOf(state, line, from, to, jump.jump_ms)
  if (flaw !== null) findings.violated('clock', line, flaw)
  const isBack = jump.jump_ms < 0
  findings.forgive(isBack ? 'back' : 'forward')
  life.jumpedMs += jump.jump_ms
  life.lastJump = { index: line.index, from, to }
  if (!isBack) {
    obligations.turned(state, to, line)
    return
  }
  life.replanning = line
  // What the clock had said then is not later any more than what it says now.
  for (const record of records) record.responsibleSince = null
}

/** Times are logged to the second, and the jump to the millisecond. */
function flawOf(
  { life }: AuditState,
  line: LogLine,
  from: number,
  to: number,
  jumpMs: number,
): string | null {
  if (Math.abs(jumpMs - (to - from)) >= secondMs) return `jump_ms is ${jumpMs}, not ${to - from}`
  if (jumpMs > -smallestBackMs && jumpMs <= smallestForwardMs) return `${jumpMs} ms are no jump`
  if (Math.abs(line.time - to) >= writingMs) {
    return `it was ${new Date(line.time).toISOString()}, not ${formatInstant(to)}`
  }
  const { lastJump } = life
  if (lastJump !== null && from < lastJump.to) {
    return `the clock had shown ${formatInstant(lastJump.to)} before`
  }
  return null
}

/** After a jump back every job that waits for its time is planned again, at once. */
export function checkReplanned(state: AuditState, records: Iterable<JobRecord>): void {
  const { findings, life } = state
  const jump = life.replanning
  life.replanning = null
  if (jump === null || !life.isWhole) return
  for (const { phase, plan, life: of } of records) {
    if (of !== life.number || phase !== 'planned' || plan!.dueSince > jump.index) continue
    findings.violated('clock', plan!.place, 'not planned again after the clock was set back')
  }
}
