import { type EndpointDefinition, instantText, isPlanners, type Plan } from '../domain/index.js'
import {
  type Account,
  accountOf,
  accountSentence,
  comingLooks,
  type Memory,
  peakText,
} from '../learner/index.js'
import {
  type CompiledEndpoint,
  type Preview,
  previewPlans,
  pupilOf,
  type RunAllowance,
  replan,
} from '../scheduling/index.js'

/** What a schedule costs, and how late it sees a change. */
interface Figures {
  readonly callsPerDay: number
  /** From a change to the run that sees it, in the mean; null when none was seen lately. */
  readonly delayMs: number | null
}

/** What the learner knows of an endpoint, and what it makes of that, for people. */
export interface Advice {
  readonly endpointId: string
  readonly planner: EndpointDefinition['planner']
  readonly said: string
  readonly learned:
    | (Pick<Account, 'changesEveryMs' | 'changedPart' | 'pattern' | 'profile' | 'limitMs'> & {
        readonly since: string
        readonly peak: string | null
        readonly downSince: string | null
      })
    | null
  /** Of the last weeks: the baseline, and the learner whether it acts or only suggests. */
  readonly compared: {
    readonly days: number
    readonly baseline: Figures
    readonly learner: Figures
  } | null
  /** The next runs without any planner, and with the learner. */
  readonly next: { readonly baseline: readonly string[]; readonly learner: readonly string[] }
}

const shownRuns = 5

export function adviceOn(
  plan: Plan,
  compiled: CompiledEndpoint,
  memory: Memory | null,
  allowance: RunAllowance,
  now: number,
): Advice {
  const { id, definition } = compiled.endpoint
  const { planner } = definition
  const { band, calendar } = pupilOf(compiled)
  const account = memory && accountOf(memory, band.baselineMs)
  const own = withoutPlanners(plan, compiled, now)
  const baseline = previewPlans(own, compiled, now, shownRuns, allowance).map(runText)
  const lastAt = plan.lastRunAt
  const looks =
    memory === null || lastAt === null
      ? null
      : comingLooks(memory, band, calendar, lastAt, shownRuns).map((at) =>
          instantText(Math.max(at, now)),
        )
  return {
    endpointId: id,
    planner,
    said: saidOf(planner, account),
    learned: account && learnedOf(account),
    compared: account && comparedOf(account, planner === 'on'),
    next: { baseline, learner: looks ?? baseline },
  }
}

const runText = ({ nextRunAt }: Preview): string => instantText(nextRunAt)

/** As if no planner had ever given a hint. */
function withoutPlanners(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  const { intervalHint, oneShotHint } = plan
  if (!isPlanners(intervalHint) && !isPlanners(oneShotHint)) return plan
  const bare: Plan = {
    ...plan,
    intervalHint: isPlanners(intervalHint) ? null : intervalHint,
    oneShotHint: isPlanners(oneShotHint) ? null : oneShotHint,
  }
  return replan(bare, compiled, now)
}

function saidOf(planner: Advice['planner'], account: Account | null): string {
  if (planner === 'off') return 'Planners leave this endpoint alone: it has planner: off.'
  if (account === null) return 'Nothing was learned yet: the learner begins with the second run.'
  return accountSentence(account, planner === 'on')
}

function learnedOf(account: Account): Advice['learned'] {
  const { changesEveryMs, changedPart, pattern, peak, profile, limitMs, since, downSince } = account
  return {
    since: instantText(since),
    changesEveryMs,
    changedPart,
    pattern,
    peak: peak && peakText(pattern, peak),
    profile,
    downSince: downSince === null ? null : instantText(downSince),
    limitMs,
  }
}

function comparedOf({ compared }: Account, isFollowed: boolean): Advice['compared'] {
  if (compared === null) return null
  const { days, callsPerDay, otherCallsPerDay, delayMs, otherDelayMs } = compared
  const inForce: Figures = { callsPerDay, delayMs }
  const other: Figures = { callsPerDay: otherCallsPerDay, delayMs: otherDelayMs }
  return isFollowed
    ? { days, baseline: other, learner: inForce }
    : { days, baseline: inForce, learner: other }
}
