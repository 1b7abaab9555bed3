import {
  ConfigurationError,
  compileJob,
  InvalidCronExpressionError,
  type Job,
  type JobDefinition,
  KronError,
  quote,
} from '@kron/core'
import { type KronJob, windowModes } from './kron-job.js'

/**
 * The job that a resource describes. What it leaves out is as the schema has it, which takes its
 * defaults from core; so a manifest that never was in a cluster compiles to the same job.
 * Throws a KronError that names the field as a path in the manifest.
 */
export function compileKronJob(kronJob: Pick<KronJob, 'metadata' | 'spec'>): Job {
  return withManifestPaths(() => {
    checkMode(kronJob.spec.window?.mode)
    return compileJob(definitionOf(kronJob))
  })
}

/** What seeds depend on; a manifest without a namespace is taken to be of `default`. */
export const identityOf = ({ name, namespace }: KronJob['metadata']): string =>
  `${namespace ?? 'default'}/${name}`

/** Values are passed on as they are: whether they are right is for core to say. */
function definitionOf({ metadata, spec }: Pick<KronJob, 'metadata' | 'spec'>): JobDefinition {
  const { schedule, timezone, window, distribution, seed, constraints, policy } = spec
  return {
    identity: identityOf(metadata),
    schedule,
    dialect: 'standard',
    timezone,
    window,
    distribution: distribution as JobDefinition['distribution'],
    seed,
    constraints,
    policy,
  }
}

export function checkMode(mode: unknown): void {
  const modes: readonly unknown[] = windowModes
  if (mode === undefined || modes.includes(mode)) return
  const field = 'window.mode'
  const allowed = `one of ${windowModes.join(', ')}`
  throw new ConfigurationError(
    'KRON_WINDOW_MODE_UNKNOWN',
    `${field} must be ${allowed}, got ${quote(mode)}`,
    { field, value: quote(mode), allowed },
  )
}

/** Runs a check of core, and makes its errors name fields as paths in the manifest. */
export function withManifestPaths<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw error instanceof KronError ? inManifest(error) : error
  }
}

/** The same error, of the same class; constructors differ, so it is changed in place. */
function inManifest<E extends KronError>(error: E): E {
  const { field } = error.details
  const path = pathOf(error)
  const message = error.message.startsWith(`${field} `)
    ? `${path}${error.message.slice(field.length)}`
    : `${path}: ${error.message}`
  Object.defineProperty(error, 'message', { value: message, configurable: true })
  return Object.defineProperty(error, 'details', { value: { ...error.details, field: path } })
}

function pathOf(error: KronError): string {
  if (error instanceof InvalidCronExpressionError) return 'spec.schedule'
  const { field } = error.details
  return field === 'identity' ? 'metadata.name' : `spec.${field}`
}
