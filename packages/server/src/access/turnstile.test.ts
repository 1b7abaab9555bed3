import { describe, expect, it } from 'vitest'
import { Turnstile } from './turnstile.js'

/** Work that ends when it is told to. */
function work(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const start = () => {
    log.push(name)
    return promise
  }
  return { start, end: () => resolve(name), fail: () => reject(new Error(name)) }
}

describe('a turnstile', () => {
  it('lets so many through at once, and others in the order of their coming', async () => {
    const turnstile = new Turnstile(2, 10)
    const log: string[] = []
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(name, log)) as [
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
    ]
    const passed = [a, b, c, d].map(({ start }) => turnstile.pass(start))
    expect(log).toEqual(['a', 'b'])
    expect(turnstile.isIdle).toBe(false)
    b.end()
    expect(await passed[1]).toBe('b')
    expect(log).toEqual(['a', 'b', 'c'])
    c.fail()
    await expect(passed[2]).rejects.toThrow('c')
    expect(log).toEqual(['a', 'b', 'c', 'd'])
    a.end()
    d.end()
    expect(await Promise.all([passed[0], passed[3]])).toEqual(['a', 'd'])
    expect(turnstile.isIdle).toBe(true)
  })

  it('turns away those for whom there is no place to wait', async () => {
    const turnstile = new Turnstile(1, 1)
    const log: string[] = []
    const [first, second] = [work('first', log), work('second', log)]
    const passed = [turnstile.pass(first.start), turnstile.pass(second.start)]
    expect(turnstile.pass(work('third', log).start)).toBeNull()
    first.end()
    second.end()
    await Promise.all(passed)
    expect(log).toEqual(['first', 'second'])
    const again = turnstile.pass(async () => 'again')
    expect(await again).toBe('again')
  })
})
