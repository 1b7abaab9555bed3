import {
  type Concurrency,
  formatDuration,
  limits,
  type PolicySpec,
  resolvePolicy,
  type ScheduleSpec,
} from '@kron/core'
import { defaultDefinition, type EndpointDefinition } from '../domain/index.js'

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
 * whoever makes or changes an endpoint is told if they don't. In what was stored before that was
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
