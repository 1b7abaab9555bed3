import { InvalidCronExpressionError, KronError } from '@kron/core'

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
