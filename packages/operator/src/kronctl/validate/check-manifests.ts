import { formatDuration } from '@kron/core'
import { type Finding, sameTime, scheduleRules, warningAt } from '@kron/preview'
import { compileKronJob, identityOf, type KronJob } from '../../kronjob/index.js'
import { checkKronJob } from '../../kronjob/manifest/check-manifest.js'
import { isRecord } from '../../kronjob/schema/json-schema.js'
import type { KronctlInvocation } from '../invocation.js'
import { type ManifestObject, problemFinding } from '../manifest/index.js'
import { printable } from '../manifest/manifest-text.js'
import { inNamespace } from '../source/assumed-namespace.js'
import { ManifestSubject } from './manifest-subject.js'

/** All that is wrong or doubtful about KronJobs, alone and beside each other. */
export function checkManifests(
  { notation, now }: KronctlInvocation,
  objects: readonly ManifestObject[],
  namespace: string,
): Finding[] {
  const findings: Finding[] = []
  const subjects: ManifestSubject[] = []
  for (const object of objects) {
    const problems = checkKronJob(object.value)
    findings.push(...problems.map((problem) => problemFinding(object, problem)))
    if (problems.some(({ isDoubtful }) => !isDoubtful)) continue
    const job = compileKronJob(inNamespace(object.value, namespace) as KronJob)
    subjects.push(new ManifestSubject(job, object, notation))
  }
  for (const subject of subjects) {
    findings.push(...scheduleRules.flatMap((rule) => rule(subject, now)))
    findings.push(...replaceDeadline(subject))
  }
  return [...findings, ...sameTime(subjects), ...repeatedNames(objects, namespace)]
}

/** Applied one after the other, the last one would win. */
function repeatedNames(objects: readonly ManifestObject[], namespace: string): Finding[] {
  const first = new Map<string, ManifestObject>()
  return objects.flatMap((object): Finding[] => {
    const { metadata } = inNamespace(object.value, namespace)
    if (!isRecord(metadata) || typeof metadata['name'] !== 'string') return []
    const identity = printable(identityOf(metadata as KronJob['metadata']))
    const before = first.get(identity)
    if (before === undefined) {
      first.set(identity, object)
      return []
    }
    const { file, line } = before.valuePlace(['metadata', 'name'])
    const where = file === object.text.path ? `line ${line}` : `${file}:${line}`
    return [
      {
        ...object.valuePlace(['metadata', 'name']),
        severity: 'error',
        code: 'KRON_NAME_REPEATED',
        category: 'ConfigurationError',
        message: `${identity} is already in ${where}`,
      },
    ]
  })
}

/** Less than this is rarely enough for Pods to end. */
const defaultGraceMs = 30_000

/** The running Job must be gone before the next one starts, and that takes time. */
export function replaceDeadline({ job, object }: ManifestSubject): readonly Finding[] {
  const { concurrency, deadline } = job.spec.policy
  // None at all leaves a replacement that began in time the minute that the controller grants.
  if (concurrency !== 'replace' || deadline === 0 || deadline >= defaultGraceMs) return []
  return [
    warningAt(
      object.valuePlace(['spec', 'policy', 'concurrency']),
      'KRON_WARN_REPLACE_DEADLINE',
      'replace waits until the running Job is gone, and a deadline of ' +
        `${formatDuration(deadline)} is short for that: the period may be missed`,
      'set spec.policy.deadline to at least the time that its Pods take to end, such as 5m',
    ),
  ]
}
