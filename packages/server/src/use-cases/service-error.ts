/** Why a use case refused. What each means stands in the table of problems that the API shows. */
export type ServiceErrorCode =
  | 'not_found'
  | 'validation_failed'
  | 'precondition_failed'
  | 'quota_exceeded'
  | 'system_quota_exceeded'
  | 'name_taken'
  | 'job_archived'
  | 'endpoint_archived'
  | 'endpoint_deleted'
  | 'run_already_requested'
  | 'run_ended'
  | 'last_admin_key'
  | 'secret_in_use'
  | 'signup_full'
  | 'tenant_suspended'

/** One thing that is wrong with what was sent. */
export interface FieldError {
  /** Such as `retry.attempts`. */
  readonly field: string
  readonly code: string
  readonly message: string
  /** Index into the field's text, where one character is to blame. */
  readonly position?: number
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly errors: readonly FieldError[]

  constructor(code: ServiceErrorCode, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.code = code
    this.errors = errors
  }
}

/** The same for ids that are malformed, unknown or another tenant's: nobody learns which. */
export function notFound(what: string): ServiceError {
  return new ServiceError('not_found', `There is no such ${what}.`)
}

export const tenantSuspended = (): ServiceError =>
  new ServiceError('tenant_suspended', 'The operator of this server has suspended the tenant.')

export function invalidFields(errors: readonly FieldError[]): ServiceError {
  const [first, ...others] = errors
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return new ServiceError('validation_failed', `${first?.message ?? 'invalid'}${more}`, errors)
}

export function invalidField(field: string, code: string, message: string): ServiceError {
  return invalidFields([{ field, code, message }])
}
