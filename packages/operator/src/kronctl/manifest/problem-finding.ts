import { type Finding, warningAt } from '@kron/preview'
import type { Problem } from '../../kronjob/manifest/problem.js'
import type { ManifestObject } from './manifest-object.js'

const newerFix = 'correct the field if it is misspelt; a newer Kubernetes may know it'

/** A problem at its place in the file. */
export function problemFinding(object: ManifestObject, problem: Problem): Finding {
  const { path, code, message } = problem
  const isAboutName = code === 'KRON_FIELD_UNKNOWN'
  const place = isAboutName ? object.keyPlace(path) : object.valuePlace(path)
  if (problem.isDoubtful) return warningAt(place, 'KRON_WARN_TEMPLATE_FIELD', message, newerFix)
  const text = code === 'KRON_CRON_INVALID' ? cronMessage(message) : message
  return { ...place, severity: 'error', code, category: 'ConfigurationError', message: text }
}

/** The expression is shown beside the message, and need not be in it. */
function cronMessage(message: string): string {
  const [, path = '', reason] = /^(.*?)Invalid cron expression ".*?": (.*)$/.exec(message) ?? []
  if (reason === undefined) return message
  const words = reason.replace(/^expression field/, 'the cron expression')
  const advice = /got 6$/.test(words) ? '; the first field is the minute, none is for seconds' : ''
  return `${path}${words}${advice}`
}
