import { createHash } from 'node:crypto'

/**
 * A second, plain implementation of a decision, written from the contract with BigInt, node's
 * hash and the engine's own Math, to compare the fast one with. It shares no code with it.
 */
export interface NaiveRequest {
  readonly identity: string
  readonly nominal: number
  readonly mode: 'after' | 'around' | 'before'
  readonly windowMs: number
  readonly distribution: 'uniform' | 'skewEarly' | 'skewLate' | 'normal' | 'exponential'
  readonly shape?: number
  readonly lambda?: number
  readonly dir?: 'early' | 'late'
  readonly strategy: 'stable' | 'daily' | 'weekly'
  readonly salt: string
  readonly only: readonly NaiveClause[]
  readonly avoid: readonly NaiveClause[]
  /** Milliseconds east of UTC at an instant. */
  readonly offsetAt: (instant: number) => number
}

export interface NaiveClause {
  readonly text: string
  readonly kind: string
  readonly holds: (local: Date) => boolean
}

export interface NaiveDecision {
  readonly periodKey: string
  readonly seedHash: string
  readonly windowStart: number
  readonly windowEnd: number
  readonly chosenTime: number | null
  readonly attempts: number
}

export function naiveDecide(request: NaiveRequest): NaiveDecision {
  const periodKey = keyOf(request)
  const text = `${request.identity}\n${periodKey}\n${request.salt}`
  const seedHash = createHash('sha256').update(text).digest('hex')
  const before = { after: 0, around: request.windowMs / 2, before: request.windowMs }[request.mode]
  const floored = (instant: number) => Math.floor(instant / 1000) * 1000
  const windowStart = floored(request.nominal - before)
  const windowEnd = floored(request.nominal - before + request.windowMs)
  const width = (windowEnd - windowStart) / 1000
  const result = (chosenTime: number | null, attempts: number) => ({
    periodKey,
    seedHash,
    windowStart,
    windowEnd,
    chosenTime,
    attempts,
  })
  if (width === 0) return result(allowed(request, windowStart) ? windowStart : null, 0)
  const numbers = splitMix64(BigInt(`0x${seedHash.slice(0, 16)}`))
  for (let attempt = 1; attempt <= 64; attempt++) {
    const x = Math.min(Math.max(mapped(request, numbers.next().value), 0), 1 - 2 ** -53)
    const candidate = windowStart + Math.min(Math.floor(x * (width + 1)), width) * 1000
    if (allowed(request, candidate)) return result(candidate, attempt)
  }
  return result(null, 64)
}

function keyOf({ strategy, nominal, offsetAt }: NaiveRequest): string {
  const utc = `${new Date(nominal).toISOString().slice(0, 19)}Z`
  if (strategy === 'stable') return utc
  const local = new Date(nominal + offsetAt(nominal))
  if (strategy === 'daily') return local.toISOString().slice(0, 10)
  const thursday = new Date(local)
  thursday.setUTCDate(local.getUTCDate() + 4 - (local.getUTCDay() || 7))
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const midnight = Math.floor(thursday.getTime() / 86_400_000) * 86_400_000
  const week = Math.floor((midnight - newYear) / 604_800_000) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

function allowed({ only, avoid, offsetAt }: NaiveRequest, instant: number): boolean {
  const local = new Date(instant + offsetAt(instant))
  if (avoid.some((clause) => clause.holds(local))) return false
  const kinds = [...new Set(only.map((clause) => clause.kind))]
  return kinds.every((kind) => only.some((clause) => clause.kind === kind && clause.holds(local)))
}

function mapped(request: NaiveRequest, u: number): number {
  const { distribution, shape = 2, lambda = 1, dir = 'early' } = request
  if (distribution === 'skewEarly') return u ** shape
  if (distribution === 'skewLate') return 1 - (1 - u) ** shape
  if (distribution === 'exponential') {
    const early = (v: number) => -Math.log1p(v * Math.expm1(-lambda)) / lambda
    return dir === 'early' ? early(u) : 1 - early(1 - u)
  }
  if (distribution === 'normal') return truncatedNormal(u)
  return u
}

/** Centred in the window, sigma a sixth of it: found by bisection of its distribution function. */
function truncatedNormal(u: number): number {
  const total = phi(3) - phi(-3)
  let low = 0
  let high = 1
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if ((phi((middle - 0.5) * 6) - phi(-3)) / total < u) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The normal distribution function from its power series, good enough within ±3. */
function phi(z: number): number {
  let term = z
  let sum = z
  for (let k = 1; Math.abs(term) > 1e-19; k++) {
    term *= (z * z) / (2 * k + 1)
    sum += term
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

function* splitMix64(seed: bigint): Generator<number, never> {
  const mask = (1n << 64n) - 1n
  let state = seed
  for (;;) {
    state = (state + 0x9e3779b97f4a7c15n) & mask
    let z = state
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask
    yield Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53
  }
}
