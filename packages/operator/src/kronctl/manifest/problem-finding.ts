import type { Finding } from '@kron/preview'
import type { Problem } from '../../kronjob/manifest/problem.js'
import type { ManifestObject } from './manifest-object.js'

/** A problem at its place in the file. */
export function problemFinding(object: ManifestObject, problem: Problem): Finding {
  const { path, code, message } = problem
  const isAboutName = code === 'KRON_FIELD_UNKNOWN'
  const place = isAboutName ? object.keyPlace(path) : object.valuePlace(path)
  return { ...place, severity: 'error', code, category: 'ConfigurationError', message }
}
