import { KronError } from '@kron/core'
import type { Endpoint } from '../../domain/index.js'
import { type CompiledEndpoint, compileEndpoint } from '../../scheduling/index.js'
import { type FieldError, invalidFields } from '../service-error.js'

/** Compiles an endpoint; what the core says against its schedule becomes an error of a field. */
export function compileChecked(endpoint: Endpoint): CompiledEndpoint {
  try {
    return compileEndpoint(endpoint)
  } catch (error) {
    if (error instanceof KronError) throw invalidFields([scheduleError(error)])
    throw error
  }
}

function scheduleError(error: KronError): FieldError {
  const { code, message, details } = error
  const inZone = code === 'KRON_ZONE_UNKNOWN' && !details.field.startsWith('@')
  const { position } = details
  return {
    field: inZone ? 'timezone' : 'cron',
    code,
    message,
    ...(typeof position === 'number' && !inZone && { position }),
  }
}
