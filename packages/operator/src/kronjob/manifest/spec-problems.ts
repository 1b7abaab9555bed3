import {
  KronError,
  parseCron,
  resolveConstraints,
  resolveDistribution,
  resolvePolicy,
  resolveSeed,
  resolveWindow,
  zone,
} from '@kron/core'
import { checkMode, compileKronJob, withManifestPaths } from '../compile-kron-job.js'
import type { KronJob } from '../kron-job.js'
import { isRecord, type JsonRecord } from '../schema/json-schema.js'
import { type Problem, pathOfText } from './problem.js'

/** What core says: of each part by itself, and if there is nothing, of all of it together. */
export function specProblems(metadata: unknown, spec: JsonRecord): Problem[] {
  const found = checksOf(spec).flatMap((check) => problemsOf(() => withManifestPaths(check)))
  if (found.length > 0 || typeof spec['schedule'] !== 'string') return found
  const object: object = { metadata: isRecord(metadata) ? metadata : {}, spec }
  return problemsOf(() => compileKronJob(object as Pick<KronJob, 'metadata' | 'spec'>))
}

type Check = () => unknown

/** A part that is not of the type it should be is left to the schema. */
function checksOf(spec: JsonRecord): Check[] {
  const { schedule, timezone, window, distribution, seed, constraints, policy } = spec
  const checks: Check[] = []
  if (typeof schedule === 'string') checks.push(() => parseCron(schedule))
  if (typeof timezone === 'string') checks.push(() => zone(timezone))
  if (isRecord(window)) {
    const { mode, ...rest } = window
    if (typeof mode === 'string') checks.push(() => checkMode(mode))
    checks.push(() => resolveWindow(rest))
  }
  if (isRecord(distribution)) checks.push(() => resolveDistribution(distribution))
  if (isRecord(seed)) checks.push(() => resolveSeed(seed))
  if (isRecord(constraints)) checks.push(() => resolveConstraints(constraints))
  if (isRecord(policy)) checks.push(() => resolvePolicy(policy))
  return checks
}

function problemsOf(check: Check): Problem[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof KronError) return [problemOf(error)]
    throw error
  }
}

function problemOf({ code, message, details }: KronError): Problem {
  const { field, value } = details
  // The name of something unknown may have dots in it.
  if (code.endsWith('_UNKNOWN') && typeof value === 'string' && field.endsWith(`.${value}`)) {
    return { path: [...pathOfText(field.slice(0, -value.length - 1)), value], message, code }
  }
  return { path: pathOfText(field), message, code }
}
