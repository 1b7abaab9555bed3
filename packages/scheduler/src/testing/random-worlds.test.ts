import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDue, minutesBetween, naiveTrace } from '../../testing/trace/naive-scheduler.js'
import { checkTrace } from './check-trace.js'
import { formatViolation } from './format-violation.js'
import type { InitializeStart, InitializeSuccess, RunStart, TraceEvent } from './trace.js'

const lagMs = 60_000 + 6 * 4

function complaints(trace: readonly TraceEvent[]): string[] {
  return checkTrace(trace).violations.map((violation) => formatViolation(violation, trace))
}

/** A start whose obligation nothing but a cron minute explains, and nothing else would serve. */
interface PlainStart {
  readonly index: number
  readonly start: RunStart
  readonly endIndex: number
  /** The first due minute since the start before. */
  readonly minute: number
}

function plainStarts(trace: readonly TraceEvent[]): PlainStart[] {
  const found: PlainStart[] = []
  /** The last run of each task since the last event that is none of a run. */
  let lastRuns = new Map<string, { start: number; succeededAt: number | null }>()
  for (const [index, event] of trace.entries()) {
    if (event.event === 'RS') {
      const last = lastRuns.get(event.task)
      const minute =
        last && firstMinute(expressionOf(trace, index, event.task), last.start, event.at)
      const idle = last?.succeededAt ?? Number.POSITIVE_INFINITY
      const endIndex = endOf(trace, index)
      if (minute !== undefined && idle < minute - 1 && isQuietAround(trace, index, endIndex)) {
        found.push({ index, start: event, endIndex, minute })
      }
      lastRuns.set(event.task, { start: event.at, succeededAt: null })
    } else if (event.event === 'REs' || event.event === 'REf') {
      const last = lastRuns.get(event.task)
      if (last !== undefined && event.event === 'REs') last.succeededAt = event.at
    } else lastRuns = new Map()
  }
  return found
}

function firstMinute(expression: string, after: number, upTo: number): number | undefined {
  return minutesBetween(after, upTo).find((minute) => isDue(expression, minute))
}

function endOf(trace: readonly TraceEvent[], startIndex: number): number {
  const { task } = trace[startIndex] as RunStart
  return trace.findIndex(
    (event, index) =>
      index > startIndex && (event.event === 'REs' || event.event === 'REf') && event.task === task,
  )
}

/** No other start of the task, no start or end of the list, and no end of the trace within lag. */
function isQuietAround(trace: readonly TraceEvent[], index: number, endIndex: number): boolean {
  const { task, at } = trace[index] as RunStart
  const until = Math.max(at + lagMs, trace[endIndex]?.at ?? Number.POSITIVE_INFINITY)
  if (trace.at(-1)!.at <= until) return false
  return trace.slice(index + 1).every((event) => {
    if (event.at > until) return true
    if (event.event === 'RS') return event.task !== task
    return event.event === 'REs' || event.event === 'REf'
  })
}

function sorted(trace: readonly TraceEvent[]): TraceEvent[] {
  return [...trace].sort((a, b) => a.at - b.at)
}

describe('what a naive scheduler does', () => {
  it.each([
    { clockSteps: false, crashes: false },
    { clockSteps: false, crashes: true },
    { clockSteps: true, crashes: false },
    { clockSteps: true, crashes: true },
  ])('is accepted in random worlds with %j', (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        expect(complaints(naiveTrace({ seed, ticks: 600, ...kind }))).toEqual([])
      }),
      { numRuns: 150, seed: 7 },
    )
  })

  it('happens in those worlds at all', () => {
    const kinds = new Map<string, number>()
    for (let seed = 0; seed < 20; seed++) {
      for (const { event } of naiveTrace({ seed, ticks: 600, clockSteps: true, crashes: true })) {
        kinds.set(event, (kinds.get(event) ?? 0) + 1)
      }
    }
    const all = ['IS', 'IEs', 'IEf', 'SS', 'SE', 'RS', 'REs', 'REf', 'Crash', 'ClockStep']
    for (const kind of all) expect([kind, (kinds.get(kind) ?? 0) > 20]).toEqual([kind, true])
  })
})

describe('what a scheduler that is wrong once does', () => {
  const kind = { clockSteps: false, crashes: true }

  function refusedWhen(spoil: (trace: readonly TraceEvent[], start: PlainStart) => TraceEvent[]) {
    let spoilt = 0
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        const trace = naiveTrace({ seed, ticks: 600, ...kind })
        for (const start of plainStarts(trace)) {
          spoilt++
          expect(complaints(spoil(trace, start))).not.toEqual([])
        }
      }),
      { numRuns: 25, seed: 7 },
    )
    expect(spoilt).toBeGreaterThan(100)
  }

  it('is refused when it leaves out a start', () => {
    refusedWhen((trace, { index, endIndex }) =>
      trace.filter((_, position) => position !== index && position !== endIndex),
    )
  })

  it('is refused when it starts twice at once', () => {
    refusedWhen((trace, { index, start }) => trace.toSpliced(index, 0, start))
  })

  it('is refused when it starts again after the end', () => {
    refusedWhen((trace, { start, endIndex }) => {
      const { at, event } = trace[endIndex]!
      const again = { ...start, at }
      // Unless a minute fell inside of the run, or a failure is tried again without a delay.
      const minute = firstMinute(expressionOf(trace, endIndex, start.task), start.at, at)
      if (minute !== undefined || event === 'REf') return trace.toSpliced(endIndex, 0, again)
      return trace.toSpliced(endIndex + 1, 0, again, { event: 'REs', at, task: start.task })
    })
  })

  it('is refused when it starts before the minute', () => {
    refusedWhen((trace, { index, minute }) =>
      sorted(trace.with(index, { ...trace[index]!, at: minute - 1 })),
    )
  })
})

function expressionOf(trace: readonly TraceEvent[], before: number, task: string): string {
  const ended = trace.findLastIndex(({ event }, index) => event === 'IEs' && index < before)
  const { call } = trace[ended] as InitializeSuccess
  const list = trace.slice(0, ended).findLast((one) => one.event === 'IS' && one.call === call)
  return (list as InitializeStart).tasks.find(({ name }) => name === task)!.expression
}
