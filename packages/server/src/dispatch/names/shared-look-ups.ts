import { TenantTurns } from '../../domain/tenant-turns.js'
import type { ResolvedAddress, Resolver, TenantResolver } from './resolver.js'

/** What is learned of a name serves this long at least, good or bad, whatever its TTL says. */
const shortestFreshMs = 1_000
/** And at most: the name may point elsewhere then. */
const longestFreshMs = 30_000
const patienceMs = 10_000
const maxNames = 10_000

/** Of one tenant. Names whose servers are silent take its places, and nobody else's. */
export const maxLookUpsAtOnce = 16
const maxLookUpsWaiting = 1_000

interface LookUp {
  readonly startedAt: number
  settledAt: number | null
  freshMs: number
  readonly answer: Promise<readonly ResolvedAddress[]>
}

/**
 * Asks once where many connections to one host are opened together, and asks for each tenant only
 * so many names at a time. An answer that is known, or on its way, is shared between tenants and
 * takes nobody's place; who needs a new one waits behind look-ups of the same tenant alone.
 */
export function sharedLookUps(resolve: Resolver, now: () => number): TenantResolver {
  const lookUps = new Map<string, LookUp>()
  const turns = new TenantTurns(maxLookUpsAtOnce, maxLookUpsWaiting)

  const known = (hostname: string): LookUp | null => {
    const lookUp = lookUps.get(hostname)
    return lookUp !== undefined && serves(lookUp, now()) ? lookUp : null
  }
  const begun = (hostname: string): LookUp => {
    const lookUp = begin(resolve, hostname, now)
    lookUps.delete(hostname)
    lookUps.set(hostname, lookUp)
    forgetOldest(lookUps, now())
    return lookUp
  }
  return async (hostname, tenantId) => {
    const shared = known(hostname)
    if (shared !== null) return shared.answer
    const askedAt = now()
    const answer = turns.pass(tenantId, async () => {
      // Others may have asked for it meanwhile; and who has waited for so long is gone.
      const found = known(hostname)
      if (found !== null) return found.answer
      if (now() - askedAt >= patienceMs) throw tooMany()
      return begun(hostname).answer
    })
    if (answer === null) throw tooMany()
    return answer
  }
}

const tooMany = (): Error => new Error('too many look-ups of this tenant are under way')

function begin(resolve: Resolver, hostname: string, now: () => number): LookUp {
  const answer = (async () => resolve(hostname))()
  const lookUp: LookUp = { startedAt: now(), settledAt: null, freshMs: shortestFreshMs, answer }
  answer.then(
    (addresses) => {
      lookUp.settledAt = now()
      lookUp.freshMs = freshMsOf(addresses)
    },
    () => {
      lookUp.settledAt = now()
    },
  )
  return lookUp
}

function freshMsOf(addresses: readonly ResolvedAddress[]): number {
  const ttlMs = Math.min(...addresses.map(({ ttlSeconds = 0 }) => ttlSeconds * 1_000))
  if (!Number.isFinite(ttlMs)) return shortestFreshMs
  return Math.max(shortestFreshMs, Math.min(ttlMs, longestFreshMs))
}

/** A look-up under way is joined, unless it has taken so long that it may never end. */
function serves({ startedAt, settledAt, freshMs }: LookUp, now: number): boolean {
  const ageMs = now - (settledAt ?? startedAt)
  // Below zero when the clock was set back; nobody knows how old the answer is then.
  return ageMs >= 0 && ageMs < (settledAt === null ? patienceMs : freshMs)
}

/** Look-ups stand in the order they began, so those that no longer serve are near the front. */
function forgetOldest(lookUps: Map<string, LookUp>, now: number): void {
  for (const [hostname, oldest] of lookUps) {
    if (serves(oldest, now) && lookUps.size <= maxNames) return
    lookUps.delete(hostname)
  }
}
