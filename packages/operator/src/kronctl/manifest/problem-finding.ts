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
  return { ...place, severity: 'error', code, category: 'ConfigurationError', message }
}
