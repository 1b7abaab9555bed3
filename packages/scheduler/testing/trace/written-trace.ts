import { checkTrace } from '../../src/testing/check-trace.js'
import type { TraceEvent, TraceOptions } from '../../src/testing/trace.js'
import { instant, readTrace, type TaskNotation } from './trace-notation.js'

/** The tasks of the traces that tests write down. */
const definitions: Record<string, TaskNotation> = {
  x: '0,10,20,30,40,50 * * * *',
  y: '0,10,20,30,40,50 * * * *',
  slow: ['0,10,20,30,40,50 * * * *', 1_800_000],
  minutely: '* * * * *',
  hourly: '0 * * * *',
  patient: ['0,30 * * * *', 600_000],
  at15: '15 * * * *',
  at12: '12 * * * *',
  once: ['0 10 * * *', 0],
}

export const running = '10:05:00 IS x\n10:05:01 IEs'
export const ranOnce = `${running}\n10:10:00 RS x\n10:10:01 REs x`

export const writtenTrace = (text: string): TraceEvent[] => readTrace(text, definitions)

/** Which axioms a trace breaks, each with the task that does. */
export function broken(text: string, options?: TraceOptions): string[] {
  const { violations } = checkTrace(writtenTrace(text), options)
  return violations.map(({ axiom, task }) => (task === undefined ? axiom : `${axiom} ${task}`))
}

export function until(end: string): TraceOptions {
  return { endAt: instant(end) }
}
