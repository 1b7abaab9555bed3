import { networkInterfaces } from 'node:os'

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

/**
 * The families in turn, so that one that leads nowhere costs one attempt and not all of them
 * (RFC 8305). IPv6 goes first only where this machine has an address to use it with.
 */
export function inTurns(
  addresses: readonly ResolvedAddress[],
  hasIpv6: boolean,
): readonly ResolvedAddress[] {
  const four = addresses.filter(({ family }) => family === 4)
  const six = addresses.filter(({ family }) => family === 6)
  const [one, other] = hasIpv6 ? [six, four] : [four, six]
  const longer = Math.max(one.length, other.length)
  const turns = Array.from({ length: longer }, (_, n) => [
    ...one.slice(n, n + 1),
    ...other.slice(n, n + 1),
  ])
  return turns.flat()
}

/** Whether an interface has an IPv6 address that reaches further than the link. */
export function machineHasIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return addresses.some(
    ({ family, internal, address }) =>
      family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address),
  )
}
