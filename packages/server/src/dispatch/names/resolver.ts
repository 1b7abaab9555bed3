export interface ResolvedAddress {
  readonly address: string
  readonly family: number
  /** For how long the name's owner lets the answer be used. */
  readonly ttlSeconds?: number
}

/** Looks a name up. Rejects, or answers with nothing, when the name has no address. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** The same for one tenant, whose look-ups are bounded. */
export type TenantResolver = (
  hostname: string,
  tenantId: string,
) => Promise<readonly ResolvedAddress[]>
