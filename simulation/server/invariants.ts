import { nextChosenPeriod } from '@kron/core'
import {
  type Endpoint,
  isPlanners,
  type Run,
  runId,
} from '../../packages/server/src/domain/index.js'
import { compileEndpoint } from '../../packages/server/src/scheduling/index.js'
import type { Observation } from './server-world.js'
import type { Arrival } from './virtual-network.js'

/** Runs that one row may have been sent as: a lost one is delivered again five times at most. */
const maxDeliveries = 5
/** The end of a world may cut off a period that has just come. */
const cutOffMs = 70_000

const textOf = (at: number): string => new Date(at).toISOString().slice(11, 23)

/** What must hold in every world, whatever went wrong in it. */
export function violationsOf(observation: Observation): string[] {
  const { endpoints, runs, arrivals, plans, overwritten } = observation
  const byEndpoint = Map.groupBy(runs, ({ endpointId }) => endpointId)
  const arrivalsByRun = Map.groupBy(arrivals, (arrival) => arrival.runId)
  const known = new Set(runs.map(runId))
  return [
    ...arrivals
      .filter((arrival) => !known.has(arrival.runId))
      .map((arrival) => `${arrival.runId} was sent at ${textOf(arrival.at)} and has no row`),
    ...runs
      .filter(({ status }) => status === 'running' || status === 'pending')
      .map((run) => `${nameOf(run)} never ended: ${run.status}`),
    ...plans
      .filter(({ held }) => held !== null)
      .map(({ endpointId }) => `${endpointId} is still held when everything is at rest`),
    ...overwritten,
    ...endpoints.flatMap((endpoint) => {
      const own = (byEndpoint.get(endpoint.id) ?? []).toReversed()
      return [
        ...own.flatMap((run) => sentOnce(endpoint, run, arrivalsByRun.get(runId(run)) ?? [])),
        ...own.flatMap((run) => notStuck(endpoint, run, observation)),
        ...oneAtATime(endpoint, own, arrivalsByRun),
        ...everyPeriod(endpoint, own, observation),
        ...everyStretch(endpoint, own, observation),
        ...own.flatMap((run) => inTime(endpoint, run)),
        ...keptApart(endpoint, own, observation),
        ...leftAlone(endpoint, own, observation),
      ]
    }),
  ]
}

const nameOf = (run: Run): string => `${run.endpointId.slice(-2)}@${textOf(run.scheduledFor)}`

function sentOnce({ definition }: Endpoint, run: Run, sent: readonly Arrival[]): string[] {
  const deliveries = definition.onWorkerLoss === 'redeliver' ? maxDeliveries : 1
  const most = (definition.retry?.attempts ?? 1) * deliveries
  const violations: string[] = []
  if (sent.length > most) violations.push(`${nameOf(run)} was sent ${sent.length} times`)
  if (deliveries === 1 && new Set(sent.map(({ attempt }) => attempt)).size !== sent.length) {
    violations.push(`${nameOf(run)} sent an attempt twice`)
  }
  if (sent.some(({ at }) => at < run.scheduledFor)) violations.push(`${nameOf(run)} was sent early`)
  const isUnsent = ['skipped', 'missed', 'unschedulable'].includes(run.status)
  if (isUnsent && sent.length > 0) violations.push(`${nameOf(run)} is ${run.status} and was sent`)
  const wasSent = run.attempts > 0 && ['success', 'failure', 'timeout'].includes(run.status)
  if (wasSent && sent.length === 0) violations.push(`${nameOf(run)} is ${run.status} and unsent`)
  return violations
}

/** A run ends with its lease at the latest, as soon as somebody can look. */
function notStuck({ definition }: Endpoint, run: Run, { scenario }: Observation): string[] {
  if (run.claimedAt === null || run.endedAt === null) return []
  const { trouble } = scenario
  const isCalm =
    trouble.slowestCallMs <= 50 && trouble.refused <= 0.05 && trouble.lostAnswers <= 0.1
  // A lone worker that is killed every few seconds, on a store that hardly answers, needs luck.
  const isLone = scenario.workers === 1 && trouble.killsPerMinute > 0
  const troubledMs = isLone ? 180_000 : 60_000
  const slackMs = isCalm ? 10_000 : troubledMs
  const leaseEnd = Math.max(run.claimedAt, run.scheduledFor) + definition.maxExecutionTimeMs
  if (run.endedAt <= leaseEnd + slackMs) return []
  return [`${nameOf(run)} ended ${run.endedAt - leaseEnd} ms after its lease`]
}

function oneAtATime(
  endpoint: Endpoint,
  own: readonly Run[],
  arrivalsByRun: ReadonlyMap<string, readonly Arrival[]>,
): string[] {
  if (compileEndpoint(endpoint).policy.concurrency !== 'forbid') return []
  const sent = own
    .map((run) => ({ run, first: arrivalsByRun.get(runId(run))?.[0]?.at ?? null }))
    .filter((entry): entry is { run: Run; first: number } => entry.first !== null)
    .sort((a, b) => a.first - b.first)
  return sent.slice(1).flatMap(({ run, first }, index) => {
    const before = sent[index]!.run
    if (before.endedAt !== null && first >= before.endedAt) return []
    return [`${nameOf(run)} was sent while ${nameOf(before)} was under way`]
  })
}

/** Each period of an untouched cron schedule has a row, and each such row is a period. */
function everyPeriod(
  endpoint: Endpoint,
  own: readonly Run[],
  { touched, startedAt, endedAt }: Observation,
): string[] {
  const { job } = compileEndpoint(endpoint)
  const { minIntervalMs, maxIntervalMs } = endpoint.definition
  const isClamped = minIntervalMs !== null || maxIntervalMs !== null
  if (job === null || isClamped || touched.has(endpoint.id)) return []
  const ofPeriods = own.filter(({ status }) => status !== 'unschedulable')
  const rows = new Map(ofPeriods.map((run) => [run.scheduledFor, run]))
  const violations: string[] = []
  let next = nextChosenPeriod(job, startedAt)
  while (next !== null && next.chosenTime < endedAt - cutOffMs) {
    // A planner that may act leaves times out, and never adds one.
    if (!rows.delete(next.chosenTime) && endpoint.definition.planner !== 'on') {
      violations.push(`${endpoint.id.slice(-2)} has no row for ${textOf(next.chosenTime)}`)
    }
    next = nextChosenPeriod(job, next.chosenTime)
  }
  for (const run of rows.values()) {
    if (run.scheduledFor >= endedAt - cutOffMs) continue
    violations.push(`${nameOf(run)} is no period of the schedule`)
  }
  return violations
}

/** Periods that can't be scheduled have one row together, once a later one has come that can. */
function everyStretch(
  endpoint: Endpoint,
  own: readonly Run[],
  { touched, startedAt, endedAt }: Observation,
): string[] {
  const { job } = compileEndpoint(endpoint)
  const { minIntervalMs, maxIntervalMs } = endpoint.definition
  const isClamped = minIntervalMs !== null || maxIntervalMs !== null
  if (job === null || isClamped || touched.has(endpoint.id)) return []
  const told = own.flatMap(({ context }) => (context.stretch ? [context.stretch] : []))
  const wanted: string[] = []
  let stretch: number[] = []
  let nominal = job.nextPeriod(startedAt)
  for (; nominal !== null && nominal < endedAt - cutOffMs; nominal = job.nextPeriod(nominal)) {
    if (job.decide(nominal).unschedulable) stretch.push(nominal)
    else if (stretch.length > 0) {
      wanted.push(`${textOf(stretch[0]!)} ${textOf(stretch.at(-1)!)} ${stretch.length}`)
      stretch = []
    }
  }
  const found = told.map(
    ({ first, last, count }) => `${textOf(Date.parse(first))} ${textOf(Date.parse(last))} ${count}`,
  )
  return wanted
    .filter((text) => found.filter((other) => other === text).length !== 1)
    .map((text) => `${endpoint.id.slice(-2)} has not one stretch ${text}`)
}

/** Nothing is claimed after its deadline, which is judged at the second. */
function inTime(endpoint: Endpoint, run: Run): string[] {
  const { policy } = compileEndpoint(endpoint)
  const isAsked = run.source === 'manual' || run.source === 'replay'
  if (isAsked || run.claimedAt === null) return []
  if (endpoint.definition.onWorkerLoss === 'redeliver') return []
  const late = run.claimedAt - run.scheduledFor - policy.deadline
  return late < 1000 ? [] : [`${nameOf(run)} was claimed ${late} ms after its deadline`]
}

/** Where planners may not act nothing runs because of them, and with `off` nothing is learned. */
function leftAlone(
  { id, definition }: Endpoint,
  own: readonly Run[],
  { plans, touched, remembered, sessions }: Observation,
): string[] {
  const name = id.slice(-2)
  const violations: string[] = []
  if (definition.planner === 'off' && remembered.has(id)) violations.push(`${name} is learned from`)
  if (definition.planner === 'off' && sessions.has(id)) violations.push(`${name} has a session`)
  if (definition.planner === 'on') return violations
  const plan = plans.find(({ endpointId }) => endpointId === id)!
  const isHinted = isPlanners(plan.intervalHint) || isPlanners(plan.oneShotHint)
  if (isHinted) violations.push(`${name} has the hint of a planner`)
  const moved = touched.has(id) ? [] : own.filter(({ source }) => source.startsWith('ai-'))
  return [...violations, ...moved.map((run) => `${nameOf(run)} was moved by a planner`)]
}

function keptApart(endpoint: Endpoint, own: readonly Run[], { touched }: Observation): string[] {
  const { minIntervalMs } = endpoint.definition
  const { concurrency } = compileEndpoint(endpoint).policy
  if (minIntervalMs === null || concurrency !== 'forbid' || touched.has(endpoint.id)) return []
  const started = own.filter(({ startedAt }) => startedAt !== null)
  return started.slice(1).flatMap((run, index) => {
    const apart = run.startedAt! - started[index]!.startedAt!
    return apart < minIntervalMs ? [`${nameOf(run)} started ${apart} ms after the last one`] : []
  })
}
