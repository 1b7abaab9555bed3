import { Coverage } from './coverage.js'
import type { InstantSet, InstantSpan } from './instant-set.js'
import { earlier, type Moment } from './moment.js'
import type { Occurrences } from './occurrences.js'
import { jumping, type Passage, running } from './passage.js'
import { Pending } from './pending.js'
import { RetryWait } from './retry-wait.js'
import { SuccessPeriods } from './success-periods.js'
import type { TraceTask } from './trace.js'

const minuteMs = 60_000

/** What is the same for all tasks. */
export interface World {
  active: boolean
  /** What the wall clock showed when a list was Active last. */
  lastActiveAt: number
  /** What the wall clock went through, except in the stretch that is under way. */
  readonly passed: InstantSet
}

/** A registration with its pulses. */
export interface KnownTask extends TraceTask {
  readonly occurrences: Occurrences
}

/** Whether the minute of an initialization matches: maybe, and if so surely, with its instant. */
export interface BootDue {
  readonly allowed: boolean
  readonly mustAt: number | null
  /** The minutes that the scheduler may have looked at. */
  readonly looked: readonly InstantSpan[]
  /** The latest match by then, if it is the same whenever the scheduler looked. */
  readonly latestMatch: number | null
}

/** What an initialization that never said how it ended may have done to a task. */
export type History = 'certain' | 'perhaps overridden' | 'perhaps forgotten'

/** Everything about one id, from its FirstComing on until it is no longer registered. */
export class TaskState {
  readonly #world: World
  /** DuePending and BootDuePending (T3: held until a start): no axiom tells them apart. */
  readonly #due = new Pending()
  readonly #orphan = new Pending()
  readonly #periods = new SuccessPeriods()
  #task: KnownTask
  #retry: RetryWait | null = null
  readonly #coverage = new Coverage()
  #passedTo: number
  #lastStart: Moment | null = null
  #lastEnd: Moment | null = null
  /** Where the clock has been since the last start, if it was set back since. */
  #roamed: InstantSpan | null = null
  /** An initialization without an end may have removed it, with its history. */
  #maybeForgotten = false
  /** A run is owed for what a step forward skipped, no minute has come since, and for nothing else. */
  #owesJumpAlone = false

  constructor(task: KnownTask, now: Moment, boot: BootDue, world: World) {
    this.#task = task
    this.#passedTo = now.wall
    this.#world = world
    this.#boot(boot, now)
  }

  get expression(): string {
    return this.#task.expression
  }

  /** S1: some bit is pending, or may be. */
  get mayStart(): boolean {
    return this.#due.allowed || this.#orphan.allowed || (this.#retry?.allowed ?? false)
  }

  /** L1: since when a bit is pending for sure. */
  get mustStartSince(): Moment | null {
    return earlier(earlier(this.#due.since, this.#orphan.since), this.#retry?.since ?? null)
  }

  get lastEnd(): Moment | null {
    return this.#lastEnd
  }

  /** Due and RetryDue up to now, before the action that happens now. */
  passTo(now: Moment): void {
    if (now.wall <= this.#passedTo) return
    this.#pass(running(this.#passedTo, now))
    this.#passedTo = now.wall
  }

  /** The clock was set; `passTo(before)` came first. */
  step(before: Moment, landing: Moment): void {
    const { wall } = landing
    if (this.#world.active) this.#coverage.unwatch(before.wall)
    if (wall > before.wall) this.#stepForward(before.wall, landing)
    if (wall < before.wall) this.#stepBack(before.wall, landing)
    this.#passedTo = wall
    if (this.#world.active) this.#coverage.watch(wall)
  }

  activate(now: Moment): void {
    this.#coverage.watch(now.wall)
  }

  /** Nothing on record says that the clock was watched in the unrecorded spans. */
  deactivate(now: Moment, unrecorded: readonly InstantSpan[]): void {
    this.#coverage.unwatch(now.wall)
    for (const { from, to } of unrecorded) this.#coverage.doubtAfter(from, to)
    const since = this.#lastStart?.wall ?? Number.POSITIVE_INFINITY
    const isOwedAnew = (instant: number) => instant > since && instant <= now.wall
    if (!this.#coverage.doubtMadeUp().some(isOwedAnew)) return
    this.#due.allow()
    this.#periods.due()
  }

  started(now: Moment): void {
    this.#due.clear()
    this.#orphan.clear()
    // Also one that is still to come: a cron minute before the retry time preempts the retry. Else
    // L1 would owe a start after a success for which S2 wants another Due.
    this.#retry = null
    this.#lastStart = now
    // A run that is due for another reason may count for the latest minute as well.
    this.#doubtLatest(now.wall)
    this.#roamed = null
    this.#maybeForgotten = false
    this.#owesJumpAlone = false
    this.#coverage.served()
    this.#periods.started()
  }

  failed(now: Moment): void {
    this.#lastEnd = now
    // A run from before the task was removed and added again has left nothing behind.
    if (this.#periods.runOpen) this.#retry = new RetryWait(now, this.#task.retryDelayMs)
    this.#periods.failed()
  }

  /** False: S2. */
  succeed(now: Moment): boolean {
    this.#lastEnd = now
    return this.#periods.succeed()
  }

  /** The process died while it ran (T7: at this crash, not at an earlier one). */
  orphaned(now: Moment): void {
    if (this.#periods.runOpen) this.#orphan.demand(now.wall, now)
    this.#periods.failed()
  }

  /** Its process was taken over and lives: no orphan, and no success that anybody hears of. */
  goesOnElsewhere(): void {
    this.#periods.failed()
  }

  /** A start or an end may or may not be on record: it may look like an orphan, or like none. */
  doubtRecord(): void {
    this.#orphan.waive()
    this.#orphan.allow()
    this.#periods.exemptNext()
  }

  /** Whether a record of it may have been in the making since then, in elapsed time. */
  mayHaveBeenWritingSince(elapsed: number): boolean {
    if (this.mayStart) return true
    return this.#lastEnd !== null && this.#lastEnd.elapsed >= elapsed
  }

  /** It is in the new list as it was in the one before: its bits and its history stay. */
  registerAgain(task: KnownTask, now: Moment, boot: BootDue, history: History): void {
    this.#due.restart()
    this.#coverage.doubtMadeUp()
    const expressionChanged = task.expression !== this.#task.expression
    this.#task = task
    const overridden = expressionChanged || history === 'perhaps overridden'
    if (overridden) {
      this.#coverage.doubtWatched()
      // One run may have made up for all that it matched so far.
      this.#coverage.doubt(this.#sinceStart(this.#lastStart?.wall ?? now.wall, now))
    }
    if (this.#lastStart === null) {
      // What a task that never ran has missed is not made up (Case B of the specification), so its
      // bit does not outlive a stop or a crash. Only the current minute counts.
      this.#due.clear()
      this.#coverage.doubtWatched()
      this.#boot(boot, now)
      return
    }
    if (overridden) this.#recomputeDue(this.#lastStart.wall, now, expressionChanged)
    // On record is when the last attempt was, not which expression it was for.
    else this.#doubtLatest(this.#lastStart.wall)
    // With the latest attempt on record still to come, nobody can tell what was missed.
    if (this.#lastStart.wall > now.wall) this.#due.waive()
    if (history === 'perhaps forgotten') {
      this.#maybeForgotten = true
      this.#coverage.doubtWatched()
    }
    if (this.#maybeForgotten) this.#doubtHistory(boot)
    else if (!overridden) this.#makeUpForMissed(boot.latestMatch)
  }

  /** What it missed while nothing was Active is one run, for the last match of all. */
  #makeUpForMissed(latest: number | null): void {
    const since = this.#roamed === null ? this.#lastStart?.wall : undefined
    const isMissed = latest !== null && since !== undefined && latest > since
    if (isMissed && this.#due.allowed && this.#coverage.isUntouched(latest)) {
      this.#coverage.makeUpFor(latest)
    }
  }

  #boot({ allowed, mustAt, looked }: BootDue, now: Moment): void {
    if (allowed) this.#due.allow()
    for (const span of looked) this.#coverage.doubt(span)
    if (mustAt === null) return
    this.#due.demand(mustAt, now)
    this.#coverage.watchInstant(mustAt)
    this.#coverage.pulsed(mustAt)
  }

  /** Another expression owes a run when it has matched since the last start. */
  #recomputeDue(lastStartAt: number, now: Moment, certain: boolean): void {
    const { from, to } = this.#sinceStart(lastStartAt, now)
    // The span since the last start has no meaning on a clock that was set back.
    const roamed = this.#roamed !== null
    const match = this.#firstWithin({ from: roamed ? from - minuteMs : from, to })
    if (certain && !roamed) this.#due.clear()
    else if (roamed || match === null) this.#due.waive()
    if (match === null) return
    if (certain && !roamed) this.#due.demand(match, now)
    this.#due.allow()
    this.#periods.due()
  }

  #doubtLatest(until: number): void {
    const latest = this.#task.occurrences.latestUntil(until)
    if (latest !== null) this.#coverage.doubt({ from: latest - 1, to: latest })
  }

  #sinceStart(lastStartAt: number, now: Moment): InstantSpan {
    const { from, to } = this.#roamed ?? { from: lastStartAt, to: now.wall }
    return { from: Math.min(from, lastStartAt), to: Math.max(to, now.wall) }
  }

  /** It is what it was, or new: S1 accepts what either allows, L1 wants what both demand. */
  #doubtHistory(boot: BootDue): void {
    if (boot.allowed) this.#due.allow()
    if (boot.mustAt === null) this.#due.waive()
    this.#orphan.waive()
    this.#retry?.waive()
    this.#periods.exemptNext()
  }

  #stepForward(from: number, landing: Moment): void {
    const passage = jumping(from, landing.wall, landing)
    if (!this.#world.active) {
      this.#pass(passage)
      return
    }
    this.#due.pass(passage)
    this.#retry?.pass(passage)
    const open = this.#coverage.mayPulse(passage)
    const { occurrences } = this.#task
    // Missed time: one pulse for all of it, that of the last match.
    const last = occurrences.lastWithin([passage])
    const lastOpen = occurrences.lastWithin(open)
    if (last === null || lastOpen === null) return
    this.#allowDue(lastOpen)
    if (lastOpen < last) {
      // The last match has pulsed before, others have not: to run for them or not are both right.
      this.#coverage.doubt(passage)
      return
    }
    const own = { from: last - 1, to: last }
    const isNew = this.#coverage.mustPulse([own], this.#world.passed).length > 0
    if (isNew && this.#due.since === null) this.#owesJumpAlone = true
    if (isNew) this.#due.demand(last, landing)
    this.#coverage.makeUpFor(last)
  }

  #stepBack(from: number, landing: Moment): void {
    const { wall } = landing
    const roamed = this.#roamed ?? { from: wall, to: from }
    this.#roamed = { from: Math.min(roamed.from, wall), to: Math.max(roamed.to, from) }
    this.#coverage.turnBack(from, wall)
    this.#due.turnBack(wall)
    this.#retry?.turnBack(landing)
    // The minute that is current now began before the clock came here, and may never have pulsed.
    // A scheduler that is asleep notices the step later, perhaps when this minute is over.
    const current = this.#task.occurrences.minuteOf(wall)
    if (current === null) return
    const own = { from: current - 1, to: current }
    if (this.#coverage.mayPulse(own).length === 0) return
    this.#allowDue(current)
    this.#coverage.doubt(own)
  }

  #pass(passage: Passage): void {
    this.#due.pass(passage)
    this.#retry?.pass(passage)
    // Dues of a task that never ran are lost while nothing is Active.
    if (!this.#world.active && this.#lastStart === null) return
    const open = this.#coverage.mayPulse(passage)
    const first = this.#task.occurrences.firstWithin(open)
    this.#noticeJump(passage, first)
    if (first === null) return
    this.#allowDue(first)
    const fresh = this.#coverage.mustPulse(open, this.#world.passed)
    const must = this.#task.occurrences.firstWithin(this.#noticed(fresh))
    if (must !== null) this.#due.demand(must, passage.momentOf(must))
  }

  /** Noticed with a minute that has run before, a jump may be taken for one that ends with it. */
  #noticeJump(passage: Passage, firstOpen: number | null): void {
    if (!this.#owesJumpAlone) return
    const first = this.#firstWithin(passage)
    if (first === null) return
    this.#owesJumpAlone = false
    if (first !== firstOpen) this.#due.waive()
  }

  #allowDue(instant: number): void {
    this.#due.allow()
    this.#periods.due()
    this.#coverage.pulsed(instant)
  }

  /** What a scheduler can know of, at the latest when it starts again. */
  #noticed(spans: readonly InstantSpan[]): readonly InstantSpan[] {
    const { active, lastActiveAt } = this.#world
    if (active) return spans
    // On a clock that was set back while nothing was there to see it, no time was missed; and before
    // the latest attempt on record nobody can tell.
    const known = Math.max(lastActiveAt, this.#lastStart?.wall ?? lastActiveAt)
    return spans.map(({ from, to }) => ({ from: Math.max(from, known), to }))
  }

  #firstWithin(span: InstantSpan): number | null {
    return this.#task.occurrences.firstWithin([span])
  }
}
