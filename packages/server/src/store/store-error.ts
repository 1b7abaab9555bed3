export type StoreErrorCode = 'unavailable' | 'timeout' | 'conflict' | 'incompatible' | 'broken'

/** A call of the store that failed. Unless `applied` is false, it may have taken effect. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  readonly applied: 'no' | 'unknown'

  constructor(
    code: StoreErrorCode,
    message: string,
    applied: 'no' | 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.applied = applied
  }
}
