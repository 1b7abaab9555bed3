import { describe, expect, it } from 'vitest'
import { coalescing, type ResolvedAddress, systemResolver } from './resolver.js'

const answer: readonly ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }]

/** Counts the look-ups made, each of which waits for `settle` unless there is an answer. */
function counting(settle: Promise<readonly ResolvedAddress[]> = Promise.resolve(answer)) {
  const clock = { now: 1_000_000, lookups: 0 }
  const resolve = coalescing(
    () => {
      clock.lookups++
      return settle
    },
    () => clock.now,
  )
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
    const resolve = coalescing(() => {
      throw new Error('thrown')
    }, Date.now)
    await expect(resolve('a.test')).rejects.toThrow('thrown')
  })
})

it('look-ups of different names are different', async () => {
  const { clock, resolve } = counting()
  await resolve('a.test')
  await resolve('b.test')
  expect(clock.lookups).toBe(2)
})

it('the system knows this machine', async () => {
  const addresses = (await systemResolver('localhost')).map(({ address }) => address)
  expect(addresses.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true)
})
