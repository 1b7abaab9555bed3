import { lookup } from 'node:dns/promises'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Looks a name up. Rejects, or answers with nothing, when the name has no address. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** As the operating system does it, `/etc/hosts` included. */
export const systemResolver: Resolver = (hostname) =>
  lookup(hostname, { all: true, order: 'verbatim' })

const freshMs = 1000
const patienceMs = 10_000
const mostNames = 10_000

interface Lookup {
  readonly startedAt: number
  settledAt: number | null
  readonly answer: Promise<readonly ResolvedAddress[]>
}

/**
 * Asks once where many connections to one host are opened together. Answers, good or bad, serve
 * for a second and no longer: the name may point elsewhere then. A look-up under way is joined,
 * unless it has taken so long that it may never end.
 */
export function coalescing(resolve: Resolver, now: () => number): Resolver {
  const lookups = new Map<string, Lookup>()
  return (hostname) => {
    const known = lookups.get(hostname)
    if (known !== undefined && serves(known, now())) return known.answer
    const lookup = begin(resolve, hostname, now)
    lookups.delete(hostname)
    lookups.set(hostname, lookup)
    forgetOldest(lookups, now())
    return lookup.answer
  }
}

function begin(resolve: Resolver, hostname: string, now: () => number): Lookup {
  const answer = (async () => resolve(hostname))()
  const lookup: Lookup = { startedAt: now(), settledAt: null, answer }
  const settled = (): void => {
    lookup.settledAt = now()
  }
  answer.then(settled, settled)
  return lookup
}

function serves({ startedAt, settledAt }: Lookup, now: number): boolean {
  const ageMs = now - (settledAt ?? startedAt)
  // Below zero when the clock was set back; nobody knows how old the answer is then.
  return ageMs >= 0 && ageMs < (settledAt === null ? patienceMs : freshMs)
}

/** Look-ups stand in the order they began, so those that no longer serve are at the front. */
function forgetOldest(lookups: Map<string, Lookup>, now: number): void {
  for (const [hostname, oldest] of lookups) {
    if (serves(oldest, now) && lookups.size <= mostNames) return
    lookups.delete(hostname)
  }
}
