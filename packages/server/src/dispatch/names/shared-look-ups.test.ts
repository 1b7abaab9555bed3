import { describe, expect, it } from 'vitest'
import type { ResolvedAddress } from './resolver.js'
import { maxLookUpsAtOnce, sharedLookUps } from './shared-look-ups.js'

const answer: readonly ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }]

/** Counts the look-ups made, each of which waits for `settle` unless there is an answer. */
function counting(settle: Promise<readonly ResolvedAddress[]> = Promise.resolve(answer)) {
  const clock = { now: 1_000_000, lookups: 0 }
  const shared = sharedLookUps(
    () => {
      clock.lookups++
      return settle
    },
    () => clock.now,
  )
  const resolve = (hostname: string, tenantId = 'a tenant') => shared(hostname, tenantId)
  return { clock, resolve }
}

describe('look-ups of one name', () => {
  it('share an answer for a second', async () => {
    const { clock, resolve } = counting()
    expect(await resolve('a.test')).toBe(answer)
    clock.now += 999
    expect(await resolve('a.test')).toBe(answer)
    expect(clock.lookups).toBe(1)
    clock.now += 1
    await resolve('a.test')
    expect(clock.lookups).toBe(2)
  })

  it('share a failure in the same way', async () => {
    const { clock, resolve } = counting(Promise.reject(new Error('no')))
    await expect(resolve('a.test')).rejects.toThrow('no')
    await expect(resolve('a.test')).rejects.toThrow('no')
    expect(clock.lookups).toBe(1)
    clock.now += 1_000
    await expect(resolve('a.test')).rejects.toThrow('no')
    expect(clock.lookups).toBe(2)
  })

  it('join one that is under way, until it has taken too long', async () => {
    const { promise, resolve: settle } = Promise.withResolvers<readonly ResolvedAddress[]>()
    const { clock, resolve } = counting(promise)
    const waiting = [resolve('a.test')]
    clock.now += 9_999
    waiting.push(resolve('a.test'))
    expect(clock.lookups).toBe(1)
    clock.now += 1
    waiting.push(resolve('a.test'))
    expect(clock.lookups).toBe(2)
    settle(answer)
    expect(await Promise.all(waiting)).toEqual([answer, answer, answer])
  })

  it('trust no answer from before the clock was set back', async () => {
    const { clock, resolve } = counting()
    await resolve('a.test')
    clock.now -= 1
    await resolve('a.test')
    expect(clock.lookups).toBe(2)
  })

  it('reject when the resolver throws', async () => {
    const resolve = sharedLookUps(() => {
      throw new Error('thrown')
    }, Date.now)
    await expect(resolve('a.test', 'a tenant')).rejects.toThrow('thrown')
  })
})

it('look-ups of different names are different', async () => {
  const { clock, resolve } = counting()
  await resolve('a.test')
  await resolve('b.test')
  expect(clock.lookups).toBe(2)
})

it('an answer serves as long as its owner says, and no longer than half a minute', async () => {
  const ofTtl = async (ttlSeconds: number, ageMs: number): Promise<number> => {
    const { clock, resolve } = counting(
      Promise.resolve([
        { address: '192.0.2.1', family: 4, ttlSeconds },
        { address: '192.0.2.2', family: 4, ttlSeconds: 86_400 },
      ]),
    )
    await resolve('a.test')
    clock.now += ageMs
    await resolve('a.test')
    return clock.lookups
  }
  expect(await ofTtl(5, 4_999)).toBe(1)
  expect(await ofTtl(5, 5_000)).toBe(2)
  expect(await ofTtl(0, 999)).toBe(1)
  expect(await ofTtl(0, 1_000)).toBe(2)
  expect(await ofTtl(3_600, 29_999)).toBe(1)
  expect(await ofTtl(3_600, 30_000)).toBe(2)
})

describe('a tenant whose look-ups are never answered', () => {
  const never = new Promise<readonly ResolvedAddress[]>(() => {})

  it('has only so many of them at a time, and holds up nobody else', async () => {
    const { clock, resolve } = counting(never)
    const waiting = Array.from({ length: 100 }, (_, n) => resolve(`${n}.dead.test`, 'unlucky'))
    expect(clock.lookups).toBe(maxLookUpsAtOnce)
    waiting.push(resolve('live.test', 'another'))
    expect(clock.lookups).toBe(maxLookUpsAtOnce + 1)
    expect(waiting).toHaveLength(101)
  })

  it('can be helped by another that asks for the same name', async () => {
    const { clock, resolve } = counting(never)
    for (let n = 0; n < maxLookUpsAtOnce; n++) void resolve(`${n}.dead.test`, 'unlucky')
    void resolve('live.test', 'unlucky')
    void resolve('live.test', 'another')
    expect(clock.lookups).toBe(maxLookUpsAtOnce + 1)
  })

  it('is told at once when too many wait', async () => {
    const { resolve } = counting(never)
    for (let n = 0; n < maxLookUpsAtOnce + 1_000; n++) void resolve(`${n}.test`, 'unlucky')
    await expect(resolve('one.test', 'unlucky')).rejects.toThrow('too many look-ups')
  })
})

it('a look-up that has waited longer than anybody waits for it is not made', async () => {
  const { promise, resolve: settle } = Promise.withResolvers<readonly ResolvedAddress[]>()
  const { clock, resolve } = counting(promise)
  const first = Array.from({ length: maxLookUpsAtOnce }, (_, n) => resolve(`${n}.test`))
  const late = resolve('late.test')
  clock.now += 10_000
  settle(answer)
  await Promise.all(first)
  await expect(late).rejects.toThrow('too many look-ups')
  expect(clock.lookups).toBe(maxLookUpsAtOnce)
})
