import {
  type Concurrency,
  compileJob,
  evaluate,
  formatDuration,
  type Job,
  KronError,
  limits,
  type PolicySpec,
  parseSchedule,
  resolvePolicy,
  type ScheduleSpec,
} from '@kron/core'
import { defaultDefinition, type Endpoint, type EndpointDefinition } from '../domain/index.js'

/** An endpoint with everything that does not depend on the period done once. */
export interface CompiledEndpoint {
  readonly endpoint: Endpoint
  /** The baseline's schedule; null for an interval. */
  readonly job: Job | null
  /** What `job.timing` says; null for an interval, which has no periods to answer for. */
  readonly timing: string | null
  readonly policy: PolicySpec
  readonly overlap: Overlap
}

/**
 * What becomes of a run that is due while another is under way. `held`: it is skipped, so a run
 * holds its endpoint. `beside`: it starts. `instead`: it starts and ends the other.
 */
type Overlap = 'held' | 'beside' | 'instead'

/** Throws what the core says about a schedule that can't be followed. */
export function compileEndpoint(endpoint: Endpoint): CompiledEndpoint {
  const { definition } = endpoint
  const { cron } = definition.baseline
  const spec = cron === null ? null : scheduleOf(definition)
  const job = spec === null ? null : compileJob({ ...spec, identity: endpoint.identity })
  const { policy } = endpointPolicy(definition, spec, cron)
  return { endpoint, job, timing: job?.timing ?? null, policy, overlap: overlapOf(policy) }
}

/** The policy of an endpoint for those who show it, whatever else is wrong with its schedule. */
export function statedPolicy(definition: EndpointDefinition): PolicySpec {
  const { cron } = definition.baseline
  try {
    const spec = mayHavePolicy(cron) ? scheduleOf(definition) : null
    return endpointPolicy(definition, spec, cron).policy
  } catch (error) {
    if (error instanceof KronError) return endpointPolicy(definition, null, null).policy
    throw error
  }
}

/** With an optional field for seconds, and what people know from Quartz. */
export function scheduleOf({ baseline }: Pick<EndpointDefinition, 'baseline'>) {
  const options = { dialect: 'extended', timezone: baseline.timezone ?? undefined } as const
  return parseSchedule(baseline.cron!, options)
}

function overlapOf(policy: PolicySpec): Overlap {
  const verdict = evaluate({
    decision: { nominalTime: 0, windowStart: 0, chosenTime: 0 },
    policy: policy.suspend ? { ...policy, suspend: false } : policy,
    now: 0,
    handledThrough: null,
    active: true,
  })
  if (verdict.kind !== 'execute') return 'held'
  return verdict.replace ? 'instead' : 'beside'
}

/** What both the text of a schedule and the endpoint's own fields may say. */
type PolicyField = 'concurrency' | 'deadlineMs'

export type SaidPolicy = {
  readonly [Field in PolicyField]?: EndpointDefinition[Field] | null | undefined
}

interface EndpointPolicy {
  readonly policy: PolicySpec
  /** Fields that say something else than the text. */
  readonly conflicts: readonly PolicyConflict[]
}

interface PolicyConflict {
  readonly field: PolicyField
  readonly message: string
}

/**
 * The one policy of an endpoint, of what `@policy(...)` in its text and its own fields say. A field
 * that has its default says nothing: there the text decides. Where both speak they must agree, and
 * creating or changing an endpoint is refused if they don't. In what was stored before that was
 * checked the field stands, which alone counted then.
 */
export function endpointPolicy(
  definition: Pick<EndpointDefinition, PolicyField>,
  schedule: ScheduleSpec | null,
  text: string | null,
  said: SaidPolicy = {},
): EndpointPolicy {
  const { concurrency, deadlineMs } = { ...saidBy(definition), ...said }
  const written = schedule === null ? {} : writtenIn(text!, schedule.policy)
  const policy = shared({
    concurrency: concurrency ?? written.concurrency ?? defaultPolicy.concurrency,
    deadline: deadlineMs ?? written.deadline ?? defaultPolicy.deadline,
    suspend: schedule?.policy.suspend ?? defaultPolicy.suspend,
    first: schedule?.policy.first ?? defaultPolicy.first,
  })
  return { policy, conflicts: conflictsOf({ concurrency, deadlineMs }, written) }
}

/** The fields as they count, for people: null is no limit. */
export function effectiveFields({
  concurrency,
  deadline,
}: PolicySpec): Pick<EndpointDefinition, PolicyField> {
  return { concurrency, deadlineMs: deadline === limits.deadlineMs ? null : deadline }
}

function saidBy({ concurrency, deadlineMs }: Pick<EndpointDefinition, PolicyField>): SaidPolicy {
  return {
    ...(concurrency !== defaultDefinition.concurrency && { concurrency }),
    deadlineMs,
  }
}

const defaultPolicy = resolvePolicy({
  concurrency: defaultDefinition.concurrency,
  // An HTTP job that is late is usually wanted.
  deadline: limits.deadlineMs,
})

/** One policy for the many endpoints that say nothing about it. */
function shared(policy: PolicySpec): PolicySpec {
  const names = Object.keys(defaultPolicy) as (keyof PolicySpec)[]
  return names.every((name) => policy[name] === defaultPolicy[name])
    ? defaultPolicy
    : resolvePolicy(policy)
}

interface WrittenPolicy {
  readonly concurrency?: Concurrency
  readonly deadline?: number
}

const quoted = /"(?:[^"\\]|\\.)*"/g
const policyModifier = /@policy\s*\(([^)]*)\)/

/** Whether a text has a policy at all: most have none, and need not be read for it. */
export const mayHavePolicy = (text: string | null): text is string =>
  text?.includes('@policy') === true

/** What the text itself says, without the core's defaults. The text has been read already. */
function writtenIn(text: string, policy: PolicySpec): WrittenPolicy {
  if (!mayHavePolicy(text)) return {}
  const inside = policyModifier.exec(text.replace(quoted, '""'))?.[1] ?? ''
  const names = inside.split(',').map((part) => part.split('=')[0]!.trim())
  return {
    ...(names.includes('concurrency') && { concurrency: policy.concurrency }),
    ...(names.includes('deadline') && { deadline: policy.deadline }),
  }
}

function conflictsOf(said: SaidPolicy, written: WrittenPolicy): PolicyConflict[] {
  const conflicts: PolicyConflict[] = []
  const compare = (field: PolicyField, name: string, own: unknown, inText: unknown): void => {
    if (own === undefined || own === null || inText === undefined || own === inText) return
    const other = typeof inText === 'number' ? formatDuration(inText) : inText
    const message = `${field} is ${own}, and @policy in cron says ${name}=${other}: say it in one place`
    conflicts.push({ field, message })
  }
  compare('concurrency', 'concurrency', said.concurrency, written.concurrency)
  compare('deadlineMs', 'deadline', said.deadlineMs, written.deadline)
  return conflicts
}
