import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.js'

const turn = (): Promise<void> => new Promise(setImmediate)

/** Work by name that ends when the test says so. */
function make(permits: number) {
  const semaphore = new Semaphore(permits)
  const begun: string[] = []
  const pending = new Map<string, PromiseWithResolvers<string>>()
  const work = (name: string) => (): Promise<string> => {
    begun.push(name)
    const deferred = Promise.withResolvers<string>()
    pending.set(name, deferred)
    return deferred.promise
  }
  return {
    semaphore,
    begun,
    work,
    run: (name: string) => semaphore.run(work(name)),
    end: (name: string) => pending.get(name)!.resolve(name),
    fail: (name: string) => pending.get(name)!.reject(new Error(name)),
  }
}

describe('a semaphore', () => {
  it('begins as much work at once as it has permits, and the rest in its order', async () => {
    const { begun, run, end } = make(2)
    const results = ['a', 'b', 'c', 'd'].map(run)
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await turn()
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) end(name)
    await turn()
    end('d')
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('has its permit back after work that failed', async () => {
    const { semaphore, begun, run, end, fail } = make(1)
    const failing = run('a')
    const waiting = run('b')
    fail('a')
    await expect(failing).rejects.toThrow('a')
    expect([begun, semaphore.isIdle]).toEqual([['a', 'b'], false])
    end('b')
    expect([await waiting, semaphore.isIdle]).toEqual(['b', true])
    const later = [run('c'), run('d')]
    expect(begun).toEqual(['a', 'b', 'c'])
    end('c')
    await turn()
    end('d')
    expect(await Promise.all(later)).toEqual(['c', 'd'])
  })

  it('has its permit back after work that throws before it is a promise', async () => {
    const { semaphore, run, end } = make(1)
    const thrown = semaphore.run(() => {
      throw new Error('at once')
    })
    const next = run('next')
    await expect(thrown).rejects.toThrow('at once')
    end('next')
    expect(await next).toBe('next')
  })

  it('turns away work for which there is no place to wait', async () => {
    const { semaphore, begun, work, end } = make(1)
    const accepted = [semaphore.tryRun(work('a'), 1), semaphore.tryRun(work('b'), 1)]
    expect(semaphore.tryRun(work('c'), 1)).toBeNull()
    end('a')
    await turn()
    end('b')
    expect(await Promise.all(accepted)).toEqual(['a', 'b'])
    expect(begun).toEqual(['a', 'b'])
    expect(await semaphore.tryRun(async () => 'again', 0)).toBe('again')
  })

  it('never does more at a time, keeps the order, and ends all of it', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), lengths, async (permits, turns) => {
        const semaphore = new Semaphore(permits)
        const order: number[] = []
        let [working, most] = [0, 0]
        const all = turns.map((count, index) =>
          semaphore.run(async () => {
            order.push(index)
            most = Math.max(most, ++working)
            for (let n = 0; n < count; n++) await Promise.resolve()
            working--
          }),
        )
        await Promise.all(all)
        expect(order).toEqual(turns.map((_, index) => index))
        expect(most).toBe(Math.min(permits, turns.length))
        expect(semaphore.isIdle).toBe(true)
      }),
      { numRuns: 200, seed: 18 },
    )
  })
})
