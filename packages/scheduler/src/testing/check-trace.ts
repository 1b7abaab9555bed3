import { zone } from '@kron/core'
import { Initializations } from './initializations.js'
import type { Position } from './moment.js'
import { Outages } from './outages.js'
import { Patience } from './patience.js'
import { Registry } from './registry.js'
import { Findings, type TraceReport } from './report.js'
import { Runs } from './runs.js'
import { Stops } from './stops.js'
import { type Timeline, timelineOf } from './timeline.js'
import type { Crash, TraceEvent, TraceOptions } from './trace.js'

/**
 * Checks what a scheduler did against its theory: safety (S1 to S6, with the theorems Th1 to Th3
 * that follow) and bounded liveness (L1 to L3). The Due and RetryDue pulses of the theory are not
 * in the trace; they come from the expressions, the time zone and the failures, each before any
 * action with the same time.
 */
export function checkTrace(trace: readonly TraceEvent[], options: TraceOptions = {}): TraceReport {
  const timeline = timelineOf(trace, options.endAt)
  const checker = new TraceChecker(timeline, options)
  for (const [index, event] of trace.entries()) checker.check(event, timeline.positions[index]!)
  return checker.finish()
}

class TraceChecker {
  readonly #timeline: Timeline
  readonly #findings = new Findings()
  readonly #registry: Registry
  readonly #runs: Runs
  readonly #initializations: Initializations
  readonly #stops: Stops

  constructor(timeline: Timeline, options: TraceOptions) {
    this.#timeline = timeline
    const outages = new Outages(options.storageDown ?? [], timeline.stretches)
    const patience = new Patience(options, outages)
    const findings = this.#findings
    const start = timeline.stretches[0]!.from.wall - 1
    this.#registry = new Registry(zone(options.timeZone ?? 'UTC'), start, findings)
    const mayOutliveStop = options.mayOutliveStop ?? []
    this.#runs = new Runs(this.#registry, findings, patience, outages, mayOutliveStop)
    this.#initializations = new Initializations(findings, patience)
    this.#stops = new Stops(findings, patience)
  }

  check(event: TraceEvent, now: Position): void {
    this.#refuseFlaws(now)
    switch (event.event) {
      case 'IS':
        this.#initializations.start(event, now, this.#runs.active, this.#stops.someOpen)
        break
      case 'IEs':
        this.#initialized(event.call, now)
        break
      case 'IEf':
        this.#initializations.fail(event, now)
        this.#stops.initializationEnded(event.call, now, this.#runs.quiescent)
        break
      case 'SS':
        this.#stopStarted(event.call, now)
        break
      case 'SE':
        this.#stopEnded(event.call, now)
        break
      case 'RS':
        this.#runs.start(event.task, now)
        break
      case 'REs':
      case 'REf':
        this.#runs.end(event.task, event.event === 'REs', now)
        if (this.#runs.quiescent) this.#stops.quiescent(now)
        break
      case 'Crash':
        this.#crashed(event, now)
        break
      case 'ClockStep':
        this.#stepped(now)
        break
      default: {
        const { event: unknown } = event as { event: unknown }
        this.#findings.refuse('malformed', now, `there is no event ${String(unknown)}`)
      }
    }
  }

  finish(): TraceReport {
    const { end } = this.#timeline
    this.#refuseFlaws(end)
    this.#runs.finish(end)
    this.#initializations.finish(end)
    this.#stops.finish(end, this.#registry.size)
    const { violations, open } = this.#findings
    return { violations, open }
  }

  #refuseFlaws(now: Position): void {
    const flaws = this.#timeline.flaws.get(now.index) ?? []
    for (const flaw of flaws) this.#findings.refuse('malformed', now, flaw)
  }

  #initialized(call: number, now: Position): void {
    const initialization = this.#initializations.succeed(call, now)
    if (initialization === null) return
    if (this.#runs.active) this.#runs.deactivate(now, 'SS')
    this.#registry.register(initialization, now, this.#initializations.takeUnsettled())
    // After a stop was called nothing starts, also when the initialization ends after that.
    if (initialization.cut === 'no') this.#runs.activate(now)
    this.#stops.initializationEnded(call, now, this.#runs.quiescent)
  }

  #stopStarted(call: number, now: Position): void {
    this.#runs.deactivate(now, 'SS')
    this.#initializations.stopStarted()
    this.#stops.start(call, now, this.#initializations.calls, this.#runs.quiescent)
  }

  #stopEnded(call: number, now: Position): void {
    if (!this.#stops.end(call, now, this.#registry.size)) return
    this.#runs.stopped(now)
    this.#initializations.stopEnded()
  }

  #crashed({ uncertain = [], elsewhere = [] }: Crash, now: Position): void {
    this.#runs.crashed(now, uncertain, new Set(elsewhere))
    this.#initializations.crashed(now)
    this.#stops.crashed(now, this.#registry.size)
  }

  #stepped(now: Position): void {
    const landing = this.#timeline.landings.get(now.index)!
    this.#registry.step(now, landing)
    this.#initializations.stepped(now, landing)
  }
}
