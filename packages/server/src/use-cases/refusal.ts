/** Why a use case refused. What each means stands in the table of problems that the API shows. */
export type RefusalCode =
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

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly errors: readonly FieldError[]

  constructor(code: RefusalCode, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.code = code
    this.errors = errors
  }
}

/** The same for ids that are malformed, unknown or another tenant's: nobody learns which. */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', `There is no such ${what}.`)
}

/** What was found, if anything was. */
export function existing<Found>(found: Found | null, what: string): Found {
  if (found === null) throw notFound(what)
  return found
}

export const tenantSuspended = (): Refusal =>
  new Refusal('tenant_suspended', 'The operator of this server has suspended the tenant.')

export function invalidFields(errors: readonly FieldError[]): Refusal {
  const [first, ...others] = errors
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return new Refusal('validation_failed', `${first?.message ?? 'invalid'}${more}`, errors)
}

export function invalidField(field: string, code: string, message: string): Refusal {
  return invalidFields([{ field, code, message }])
}
