import { describe, expect, it } from 'vitest'
import { KeyedQueue } from './keyed-queue.js'

const settled = async (): Promise<void> => {
  for (let hop = 0; hop < 5; hop++) await Promise.resolve()
}

function queueOf(maxAtOnce = 10) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const queue = new KeyedQueue((key) => {
    begun.push(key)
    return new Promise<void>((resolve) => ends.push(resolve))
  }, maxAtOnce)
  const endOne = async (): Promise<void> => {
    ends.shift()!()
    await settled()
  }
  return { queue, begun, endOne }
}

describe('a keyed queue', () => {
  it('works on different keys beside each other, and on one key by one at a time', async () => {
    const { queue, begun, endOne } = queueOf()
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key)
    expect(begun).toEqual(['a', 'b'])
    await endOne()
    expect(begun).toEqual(['a', 'b', 'a'])
    await endOne()
    await endOne()
    expect(begun).toEqual(['a', 'b', 'a'])
    expect(queue.depth).toBe(0)
  })

  it('begins no more than it may', async () => {
    const { queue, begun, endOne } = queueOf(1)
    for (const key of ['a', 'b', 'c']) queue.add(key)
    expect(begun).toEqual(['a'])
    await endOne()
    expect(begun).toEqual(['a', 'b'])
  })

  it('begins with those that are due, in places of their own', async () => {
    const { queue, begun, endOne } = queueOf(1)
    for (const key of ['calm', 'later', 'hurried']) queue.add(key)
    for (const key of ['due', 'hurried']) queue.add(key, 'due')
    expect(begun).toEqual(['calm', 'due'])
    expect(queue.hasDue).toBe(true)
    await endOne()
    expect(begun).toEqual(['calm', 'due', 'later'])
    await endOne()
    expect(begun).toEqual(['calm', 'due', 'later', 'hurried'])
    expect(queue.hasDue).toBe(false)
  })

  it('begins few others while some that are due wait', async () => {
    const { queue, begun, endOne } = queueOf(4)
    for (let key = 0; key < 5; key++) queue.add(`due ${key}`, 'due')
    for (let key = 0; key < 5; key++) queue.add(`calm ${key}`)
    expect(begun.filter((key) => key.startsWith('calm'))).toEqual(['calm 0', 'calm 1'])
    await endOne()
    expect(begun).toContain('due 4')
    expect(begun.filter((key) => key.startsWith('calm'))).toHaveLength(4)
  })

  it('works once on a key that waits, however often and urgently it is added', async () => {
    const { queue, begun, endOne } = queueOf(1)
    queue.add('calm')
    queue.add('due', 'due')
    for (const urgency of ['calm', 'due', 'calm'] as const) queue.add('a', urgency)
    expect(queue.depth).toBe(3)
    for (let ended = 0; ended < 3; ended++) await endOne()
    expect(begun).toEqual(['calm', 'due', 'a'])
    expect(queue.depth).toBe(0)
  })

  it('frees the place that a key had, whatever it is to be next', async () => {
    const { queue, begun, endOne } = queueOf(1)
    queue.add('a')
    queue.add('a', 'due')
    queue.add('b')
    await endOne()
    expect(begun).toEqual(['a', 'a', 'b'])
    queue.add('c')
    queue.add('d', 'due')
    expect(begun).toHaveLength(3)
    await endOne()
    expect(begun).toEqual(['a', 'a', 'b', 'd'])
    await endOne()
    expect(begun).toEqual(['a', 'a', 'b', 'd', 'c'])
  })

  it('remembers of a key at work that it is due', async () => {
    const { queue, begun, endOne } = queueOf(1)
    queue.add('a')
    queue.add('a', 'due')
    queue.add('a')
    queue.add('b')
    await endOne()
    expect(begun).toEqual(['a', 'a', 'b'])
  })

  it('closes when what was begun is over, and begins nothing after', async () => {
    const { queue, begun, endOne } = queueOf(1)
    for (const key of ['a', 'b', 'a']) queue.add(key)
    let isClosed = false
    const closed = queue.close().then(() => {
      isClosed = true
    })
    await settled()
    expect(isClosed).toBe(false)
    await endOne()
    await closed
    queue.add('c')
    expect(begun).toEqual(['a'])
  })
})
