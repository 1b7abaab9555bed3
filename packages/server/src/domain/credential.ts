export const scopes = ['read', 'write', 'run', 'admin'] as const
export type Scope = (typeof scopes)[number]

export interface ApiKey {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  /** The first characters, by which people recognise a key. The rest is stored as a hash only. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

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
