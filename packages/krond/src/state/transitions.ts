import { formatInstant, SchedulingError } from '@kron/core'
import type { ActiveExecution, HandledPeriod, HistoryEntry, JobState } from './job-state.js'

/** When something happened, and how many entries of history are kept. */
export interface Occasion {
  readonly at: number
  readonly historyLength: number
}

/** Some 200 bytes each: a state file of this many stays well below its limit. */
export const maxHistory = 1000

/** The state of a job of which nothing is known. */
export function emptyState(identity: string): JobState {
  return {
    identity,
    responsibility: null,
    last: null,
    active: null,
    others: nothing,
    history: nothing,
  }
}

/** Shared by the many jobs that have never run. */
const nothing: readonly never[] = Object.freeze([])

/** All executions that run, oldest first. */
export function runningIn({ active, others }: JobState): readonly ActiveExecution[] {
  return active === null ? others : [...others, active]
}

/**
 * The state with every period as handled that has an execution. Ours always is so. The order of the
 * specification, which others may keep to, writes what is handled only when the execution has
 * ended: dying before that must not leave a period that is executed again.
 */
export function withRunningHandled(state: JobState): JobState {
  const { last } = state
  const newest = runningIn(state).reduce<HandledPeriod | null>((latest, { nominal, chosen }) => {
    const isLater = latest === null || nominal > latest.nominal
    return isLater ? { nominal, outcome: 'executed', chosen } : latest
  }, last)
  return newest === last ? state : { ...state, last: newest }
}

/** A period has its outcome without an execution: skipped, missed or unschedulable. */
export function handled(state: JobState, period: HandledPeriod, occasion: Occasion): JobState {
  checkLater(state, period.nominal)
  const { nominal, outcome, chosen } = period
  const entry = { nominal, outcome, chosen, completedAt: occasion.at, exitCode: null }
  const history = withEntry(state.history, entry, occasion)
  return { ...state, last: { nominal, outcome, chosen }, history }
}

/** A period is executed: from now on it counts as handled, whatever becomes of the execution. */
export function started(state: JobState, execution: ActiveExecution): JobState {
  checkLater(state, execution.nominal)
  const { nominal, chosen } = execution
  const last: HandledPeriod = { nominal, outcome: 'executed', chosen }
  return { ...state, last, active: execution, others: runningIn(state) }
}

/**
 * Takes back a start that never came to execute anything, so that its period may be tried again.
 * `before` is the state that was given to `started`. What else has happened since then stays:
 * executions that completed, and a later period that was handled.
 */
export function givenBack(state: JobState, before: JobState): JobState {
  const known = runningIn(before)
  const isKnown = (execution: ActiveExecution) => known.some((other) => isSame(other, execution))
  const returned = runningIn(state).filter((execution) => !isKnown(execution))
  const isLast = returned.some(({ nominal }) => nominal === state.last?.nominal)
  const last = isLast ? before.last : state.last
  return { ...withRunning(state, runningIn(state).filter(isKnown)), last }
}

/** An execution has ended. One that is not recorded as running is not recorded again. */
export function completed(
  state: JobState,
  execution: ActiveExecution,
  exitCode: number | null,
  occasion: Occasion,
): JobState {
  const running = runningIn(state)
  const left = running.filter((other) => !isSame(other, execution))
  if (left.length === running.length) return state
  const { nominal, chosen } = execution
  const outcome = 'executed'
  const entry: HistoryEntry = { nominal, outcome, chosen, completedAt: occasion.at, exitCode }
  return { ...withRunning(state, left), history: withEntry(state.history, entry, occasion) }
}

function withRunning(state: JobState, running: readonly ActiveExecution[]): JobState {
  return { ...state, active: running.at(-1) ?? null, others: running.slice(0, -1) }
}

function isSame(a: ActiveExecution, b: ActiveExecution): boolean {
  return (
    a.nominal === b.nominal &&
    a.process.pid === b.process.pid &&
    a.process.startTicks === b.process.startTicks &&
    a.process.bootId === b.process.bootId
  )
}

function withEntry(
  history: readonly HistoryEntry[],
  entry: HistoryEntry,
  { historyLength }: Occasion,
): readonly HistoryEntry[] {
  const most = Math.min(Math.max(historyLength, 0), maxHistory)
  return [...history, entry].slice(Math.max(history.length + 1 - most, 0))
}

/** A period that is not after the last one has been handled, and its outcome is final. */
function checkLater({ identity, last }: JobState, nominal: number): void {
  if (last === null || nominal > last.nominal) return
  const allowed = `a period after ${formatInstant(last.nominal)}, which is handled`
  throw new SchedulingError(
    'KRON_INVARIANT',
    `${identity}: ${formatInstant(nominal)} can't be handled, it must be ${allowed}`,
    { field: 'nominal', value: nominal, allowed, identity },
  )
}
