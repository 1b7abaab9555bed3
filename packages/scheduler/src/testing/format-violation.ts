import type { Violation } from './report.js'
import type { TraceEvent } from './trace.js'

const neighboursBefore = 4
const neighboursAfter = 2

/** For people: what is wrong, and what happened to the task around it. */
export function formatViolation(violation: Violation, trace: readonly TraceEvent[]): string {
  const { axiom, index, at, task, message } = violation
  const where = index < trace.length ? `event ${index}` : 'the end of the trace'
  const who = task === undefined ? '' : `task ${JSON.stringify(task)}: `
  const head = `${axiom} at ${timeText(at)}, ${where}: ${who}${message}`
  const concerns = (candidate: number): boolean => isAbout(trace[candidate]!, task)
  const before = nearest(index - 1, -1, neighboursBefore, trace.length, concerns).reverse()
  const after = nearest(index + 1, 1, neighboursAfter, trace.length, concerns)
  const own = index < trace.length ? [index] : []
  const lines = [...before, ...own, ...after].map((position) => {
    const mark = position === index ? '>' : ' '
    return `${mark} [${position}] ${eventText(trace[position]!)}`
  })
  return [head, ...lines].join('\n')
}

/** The runs of other tasks say nothing about this one; everything else does. */
function isAbout(event: TraceEvent, task: string | undefined): boolean {
  return task === undefined || !('task' in event) || event.task === task
}

function nearest(
  from: number,
  direction: 1 | -1,
  count: number,
  length: number,
  concerns: (position: number) => boolean,
): number[] {
  const found: number[] = []
  for (let at = from; at >= 0 && at < length && found.length < count; at += direction) {
    if (concerns(at)) found.push(at)
  }
  return found
}

function eventText(event: TraceEvent): string {
  const head = `${timeText(event.at)} ${event.event}`
  switch (event.event) {
    case 'IS': {
      const { call, tasks, valid } = event
      return `${head} call ${call}, ${tasks.length} tasks${valid ? '' : ', invalid'}`
    }
    case 'IEs':
    case 'SS':
    case 'SE':
      return `${head} call ${event.call}`
    case 'IEf':
      return `${head} call ${event.call}${event.excused ? ', excused' : ''}`
    case 'RS':
    case 'REs':
    case 'REf':
      return `${head} ${JSON.stringify(event.task)}`
    case 'ClockStep':
      return `${head} to ${timeText(event.to)}`
    default:
      return head
  }
}

/** A trace that is malformed may hold times that no date can. */
function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
