import { type Answer, hourMs, minuteMs, type World } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const meanMs = 2 * hourMs
const allowed: Answer = { status: 200, durationMs: 150 }
const refused: Answer = { status: 429, durationMs: 20 }

/** A target that answers 429 to about half of what the baseline asks. */
const limited = (name: string, limiter: () => (at: number) => Answer): World =>
  world(name, 'rate limits', (random, end) => {
    const rate = (): number => 1 / meanMs
    return { changes: instants(random, rate, rate(), end), rate, respond: limiter() }
  })

/** So many in each full hour, and it says when the hour is over. */
function byHour(most: number): (at: number) => Answer {
  let hour = -1
  let calls = 0
  return (at) => {
    const current = Math.floor(at / hourMs)
    if (current !== hour) calls = 0
    hour = current
    if (++calls <= most) return allowed
    return { ...refused, retryAfterMs: Math.ceil((current + 1) * hourMs - at) }
  }
}

/** So many in any hour. */
function inAnyHour(most: number): (at: number) => Answer {
  const taken: number[] = []
  return (at) => {
    while (taken.length > 0 && taken[0]! <= at - hourMs) taken.shift()
    if (taken.length >= most) return refused
    taken.push(at)
    return allowed
  }
}

/** A bucket that gets a token now and then. */
function byBucket(everyMs: number, size: number): (at: number) => Answer {
  let tokens = size
  let last = 0
  return (at) => {
    tokens = Math.min(size, tokens + (at - last) / everyMs)
    last = at
    if (tokens < 1) return refused
    tokens--
    return allowed
  }
}

export default [
  limited('limit of an hour', () => byHour(6)),
  limited('limit of any hour', () => inAnyHour(6)),
  limited('bucket of tokens', () => byBucket(10 * minuteMs, 5)),
]
