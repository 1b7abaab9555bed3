import type { Zone } from '@kron/core'
import type { OpenInitialization } from './initializations.js'
import { InstantSet } from './instant-set.js'
import type { Moment, Position } from './moment.js'
import { Occurrences } from './occurrences.js'
import { RecordLog } from './record-log.js'
import type { Findings } from './report.js'
import { type BootDue, type History, type KnownTask, TaskState, type World } from './task-state.js'
import type { TraceTask } from './trace.js'

/** The list that was registered last, with what is known of each of its tasks. */
export class Registry {
  readonly records = new RecordLog()
  readonly world: World = {
    active: false,
    lastActiveAt: Number.NEGATIVE_INFINITY,
    passed: new InstantSet(),
  }
  readonly #zone: Zone
  readonly #findings: Findings
  readonly #occurrences = new Map<string, Occurrences | null>()
  #tasks = new Map<string, TaskState>()
  #stretchFrom: number

  constructor(zone: Zone, start: number, findings: Findings) {
    this.#zone = zone
    this.#stretchFrom = start
    this.#findings = findings
  }

  get size(): number {
    return this.#tasks.size
  }

  get entries(): Iterable<[string, TaskState]> {
    return this.#tasks
  }

  /** With its pulses up to now. */
  find(name: string, now: Moment): TaskState | undefined {
    const state = this.#tasks.get(name)
    state?.passTo(now)
    return state
  }

  passTo(now: Moment): void {
    for (const state of this.#tasks.values()) state.passTo(now)
  }

  step(before: Moment, landing: Moment): void {
    this.passTo(before)
    const { passed, active } = this.world
    passed.add(this.#stretchFrom, before.wall)
    this.records.stepped(before, landing)
    for (const state of this.#tasks.values()) state.step(before, landing)
    // A process that is not there sees no difference between time that passed and a step.
    if (!active) passed.add(before.wall, landing.wall)
    this.#stretchFrom = landing.wall
  }

  /** IEs: ids that are not in the list any more are forgotten, those that come are FirstComing. */
  register(
    initialization: OpenInitialization,
    now: Position,
    unsettled: readonly ReadonlyMap<string, string>[],
  ): void {
    this.passTo(now)
    const registered = new Map<string, TaskState>()
    for (const task of initialization.tasks) {
      const known = this.#known(task)
      if (known === null && initialization.valid) this.#refuse(task, now)
      if (known === null || registered.has(task.name)) continue
      const boot = bootDueOf(known.occurrences, initialization, now)
      const state = this.#tasks.get(task.name)
      state?.registerAgain(known, now, boot, historyOf(task.name, state.expression, unsettled))
      registered.set(task.name, state ?? new TaskState(known, now, boot, this.world))
    }
    this.#tasks = registered
  }

  activate(now: Moment): void {
    this.world.active = true
    this.records.initialized(now)
    for (const state of this.#tasks.values()) state.activate(now)
  }

  deactivate(now: Moment): void {
    this.passTo(now)
    this.world.active = false
    this.world.lastActiveAt = now.wall
    const unrecorded = this.records.unrecordedUntil(now)
    for (const state of this.#tasks.values()) state.deactivate(now, unrecorded)
  }

  #known(task: TraceTask): KnownTask | null {
    const { expression, retryDelayMs } = task
    let occurrences = this.#occurrences.get(expression)
    if (occurrences === undefined) {
      occurrences = occurrencesOf(expression, this.#zone)
      this.#occurrences.set(expression, occurrences)
    }
    return occurrences !== null && retryDelayMs >= 0 ? { ...task, occurrences } : null
  }

  #refuse({ name, expression, retryDelayMs }: TraceTask, now: Position): void {
    const message = `cannot follow ${JSON.stringify({ expression, retryDelayMs })}`
    this.#findings.refuse('malformed', now, message, name)
  }
}

function historyOf(
  name: string,
  expression: string,
  unsettled: readonly ReadonlyMap<string, string>[],
): History {
  if (unsettled.some((list) => !list.has(name))) return 'perhaps forgotten'
  if (unsettled.some((list) => list.get(name) !== expression)) return 'perhaps overridden'
  return 'certain'
}

function occurrencesOf(expression: string, zone: Zone): Occurrences | null {
  try {
    return new Occurrences(expression, zone)
  } catch {
    return null
  }
}

const minuteMs = 60_000

/**
 * Whether the minute of an initialization matches. The scheduler looks at the clock at some instant
 * between the call and its end: S1 accepts any minute of that time, L1 demands a start only when
 * the minute of the call and that of the end both match.
 */
function bootDueOf(
  occurrences: Occurrences,
  { shown, since }: OpenInitialization,
  now: Moment,
): BootDue {
  const allowed = shown.some(
    (span) => occurrences.minuteOf(span.from) !== null || occurrences.firstWithin([span]) !== null,
  )
  // On a clock that was set meanwhile the scheduler may have seen some other minute.
  const clockWasSet = shown.length > 1
  const matchesAtCall = occurrences.minuteOf(since.wall) !== null
  const mustAt = matchesAtCall && !clockWasSet ? occurrences.minuteOf(now.wall) : null
  const looked = shown.map(({ from, to }) => ({ from: from - minuteMs, to }))
  const latest = occurrences.latestUntil(now.wall)
  const isTheSame = !clockWasSet && latest === occurrences.latestUntil(since.wall)
  return { allowed, mustAt, looked, latestMatch: isTheSame ? latest : null }
}
