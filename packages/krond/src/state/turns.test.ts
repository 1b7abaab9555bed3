import { describe, expect, it } from 'vitest'
import { Turns } from './turns.js'

const turn = (): Promise<void> => new Promise(setImmediate)

function make(most: number) {
  const turns = new Turns(most)
  const begun: string[] = []
  const work = new Map<string, PromiseWithResolvers<string>>()
  const take = (name: string): Promise<string> =>
    turns.take(() => {
      begun.push(name)
      const pending = Promise.withResolvers<string>()
      work.set(name, pending)
      return pending.promise
    })
  return { begun, take, end: (name: string) => work.get(name)!.resolve(name), work }
}

describe('turns', () => {
  it('let as many work at a time as that, and the others in their order', async () => {
    const { begun, take, end } = make(2)
    const taken = ['a', 'b', 'c', 'd'].map(take)
    await turn()
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await turn()
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) end(name)
    await turn()
    end('d')
    expect(await Promise.all(taken)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are free again when nobody waits, and after a failure', async () => {
    const { begun, take, end, work } = make(1)
    const failing = take('a')
    const waiting = take('b')
    work.get('a')!.reject(new Error('no'))
    await expect(failing).rejects.toThrow('no')
    await turn()
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await waiting
    const later = [take('c'), take('d')]
    await turn()
    expect(begun).toEqual(['a', 'b', 'c'])
    end('c')
    await turn()
    end('d')
    expect(await Promise.all(later)).toEqual(['c', 'd'])
  })
})
