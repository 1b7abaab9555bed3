/** One value of a secret. While two are valid both sign, so that receivers can change over. */
export interface SecretValue {
  readonly sealed: string
  readonly createdAt: number
  /** After this instant it no longer signs. */
  readonly expiresAt: number | null
}

export interface SigningSecret {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly values: readonly SecretValue[]
}
