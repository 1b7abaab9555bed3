import { formatDuration } from '@kron/core'
import { instantText, type Plan, systemQuotaText } from '../domain/index.js'
import {
  type CompiledEndpoint,
  scheduledPeriod,
  type UndoneRun,
  verdictOn,
} from '../scheduling/index.js'
import type { CandidateKind } from './candidate.js'
import type { Explanation } from './explanation.js'

type Facts = Omit<Explanation, 'sentences'>

interface Explained {
  readonly plan: Plan
  readonly undone: readonly UndoneRun[]
  readonly compiled: CompiledEndpoint
  /** Runs that all tenants together may have; null is no limit. */
  readonly systemPerMonth: number | null
  readonly now: number
}

/** The explanation for people. */
export function sentencesOf(facts: Facts, explained: Explained): readonly string[] {
  const { plan, undone, compiled, now } = explained
  return [
    ...(plan.held === null ? [] : [heldSentence(plan.held.scheduledFor)]),
    ...undone.map(undoneSentence),
    planSentence(facts, explained),
    ...clampSentences(facts),
    ...earlierSentences(plan, compiled, now),
    ...windowSentences(facts),
    ...failureSentences(plan),
  ]
}

function heldSentence(scheduledFor: number): string {
  const run = `The run of ${instantText(scheduledFor)} is under way.`
  return `${run} The next plan is made when it ends; if it ended now:`
}

function undoneSentence({ nextRunAt, hintEndsAt }: UndoneRun): string {
  const run = `The run at ${instantText(nextRunAt)} that a hint asks for will not start`
  return `${run}: the hint ends before it, at ${instantText(hintEndsAt)}.`
}

function planSentence({ state, plan, candidates }: Facts, explained: Explained): string {
  const { compiled, systemPerMonth, now } = explained
  if (state === 'suspended') {
    return compiled.policy.suspend
      ? 'Nothing is planned: its schedule says suspend=true.'
      : 'Nothing is planned: the endpoint is archived, or its job is not active.'
  }
  if (plan.nextRunAt === null) {
    return `It has finished: no time of ${baselineText(compiled)} is left.`
  }
  const when = `${plan.nextRunAt}${distance(Date.parse(plan.nextRunAt), now)}`
  if (plan.source === 'quota') {
    return `The quota of runs is used up; it is planned again when the quota starts again, at ${when}.`
  }
  if (plan.source === 'system-quota') {
    return `${systemText(systemPerMonth)}; it is planned again when the quota starts again, at ${when}.`
  }
  const chosen = candidates.find((candidate) => candidate.chosen)
  if (plan.source === 'paused') return `It is ${chosen?.why ?? 'paused'}. It is planned again then.`
  return `It runs next at ${when}, because of ${becauseOf(chosen?.kind, compiled)}.`
}

/** A process that was not given the quota knows of it only that an endpoint waits for it. */
function systemText(perMonth: number | null): string {
  if (perMonth === null) return 'The quota of runs for the whole system is used up'
  return `The ${systemQuotaText(perMonth, 'runs')} is used up`
}

function becauseOf(kind: CandidateKind | undefined, compiled: CompiledEndpoint): string {
  if (kind === 'ai-oneshot') return 'a one-shot hint'
  if (kind === 'ai-interval') return 'an interval hint'
  return `its baseline, ${baselineText(compiled)}`
}

function baselineText({ endpoint, job }: CompiledEndpoint): string {
  const { cron, intervalMs } = endpoint.definition.baseline
  if (job === null) return `every ${formatDuration(intervalMs!)}`
  return `${JSON.stringify(cron)} in ${job.spec.timezone}`
}

/** Durations end at some 290 years; nobody counts hours that far. */
const countedMs = 100 * 365 * 24 * 3_600_000

function distance(at: number, now: number): string {
  if (at <= now) return ''
  if (at - now > countedMs) return ' (in more than 100 years)'
  return ` (in ${formatDuration(Math.ceil((at - now) / 1000) * 1000)})`
}

/** The current period is not the server's business: the schedule counts only since after it. */
function earlierSentences(plan: Plan, compiled: CompiledEndpoint, now: number): string[] {
  const { job } = compiled
  const nominal = job?.currentPeriod(now) ?? null
  const period = nominal === null ? null : scheduledPeriod(job!, nominal)
  if (period === null || period.at > now || plan.responsibility === null) return []
  if (verdictOn(period, compiled, plan, now, false).kind !== 'notResponsible') return []
  const since = instantText(plan.responsibility.since)
  return [
    `The period of ${period.periodId} does not run: this schedule applies only since ${since}.`,
  ]
}

function clampSentences({ clamp }: Facts): string[] {
  if (clamp === null) return []
  const bound = clamp.limit === 'minIntervalMs' ? 'minimum' : 'maximum'
  const wanted = clamp.wanted === null ? 'never' : clamp.wanted
  const interval = formatDuration(clamp.intervalMs)
  return [
    `That is the ${bound} interval of ${interval} since ${clamp.since}; without it: ${wanted}.`,
  ]
}

function windowSentences({ decision, plan }: Facts): string[] {
  if (decision === null || decision.window === null || plan.source !== 'baseline-cron') return []
  const { window, draws, seed } = decision
  const rejected = draws.filter(({ rejectedBy }) => rejectedBy !== null).length
  const drawn =
    rejected === 0 ? '' : ` ${rejected} of ${draws.length} draws were rejected by constraints.`
  return [
    `The time was drawn from the window of ${window.duration} between ${window.start} and ` +
      `${window.end}, by the seed ${seed.hash.slice(0, 12)}.${drawn}`,
  ]
}

function failureSentences({ failureCount, lastStatus }: Plan): string[] {
  if (failureCount === 0 || lastStatus === 'success') return []
  return [`Its last run ended as ${lastStatus}; the count of failures is ${failureCount}.`]
}
