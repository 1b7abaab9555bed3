import type { Dialect } from '../cron/dialect.js'
import {
  type DecisionInput,
  type DecisionSpec,
  identityOf,
  placementFields,
  placementOf,
} from './decision-spec.js'
import { choice, type Fields, readFields, required, wholeInput } from './fields.js'
import { invalid } from './flaw.js'
import { type PolicyInput, type PolicySpec, resolvePolicy } from './policy.js'

/** A job as people and programs write it; `compileJob` takes this. */
export interface JobDefinition extends DecisionInput {
  /** A cron expression. */
  readonly schedule: string
  readonly dialect?: Dialect | undefined
  readonly policy?: PolicyInput | undefined
}

/** The same, checked and with every default filled in; it resolves to itself. */
export interface JobSpec extends DecisionSpec {
  /** Trimmed, with single spaces; not yet parsed as cron. */
  readonly schedule: string
  readonly dialect: Dialect
  readonly policy: PolicySpec
}

/** All of a job that a schedule text can say. */
export type ScheduleSpec = Omit<JobSpec, 'identity'>

const known = ['identity', 'schedule', 'dialect', 'policy', ...placementFields]

export function resolveJobDefinition(input: unknown): JobSpec {
  const fields = readFields(input, wholeInput, known)
  return Object.freeze({ identity: identityOf(fields), ...scheduleOf(fields) })
}

/** The same of a definition whose identity, if it has one, does not matter. */
export function resolveScheduleSpec(input: unknown): ScheduleSpec {
  return Object.freeze(scheduleOf(readFields(input, wholeInput, known)))
}

function scheduleOf(fields: Fields): ScheduleSpec {
  return {
    schedule: cronTextOf(required(fields, 'schedule')),
    dialect: resolveDialect(fields.get('dialect')),
    ...placementOf(fields),
    policy: resolvePolicy(fields.get('policy')),
  }
}

export function resolveDialect(value: unknown): Dialect {
  return choice<Dialect>(value, 'dialect', ['standard', 'posix', 'extended'], 'KRON_FIELD_INVALID')
}

function cronTextOf(value: unknown): string {
  if (typeof value === 'string') return withSingleSpaces(value)
  throw invalid('KRON_FIELD_INVALID', 'schedule', value, 'a cron expression such as 0 2 * * *')
}

/** Spaces and tabs are what separates the fields of a cron expression; a newline is not. */
export function withSingleSpaces(text: string): string {
  return text.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')
}
