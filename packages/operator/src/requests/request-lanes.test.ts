import { describe, expect, it } from 'vitest'
import { type Lane, RequestLanes } from './request-lanes.js'

/** Requests that end when the test says so. */
class Traffic {
  readonly sent: string[] = []
  readonly #ends: (() => void)[] = []
  readonly #lanes: RequestLanes
  isAllowed = true

  constructor(maxRequests: number) {
    this.#lanes = new RequestLanes({
      maxRequests,
      checkAllowed: () => {
        if (!this.isAllowed) throw new Error('not allowed')
      },
    })
  }

  send(lane: Lane, name: string = lane): Promise<void> {
    return this.#lanes.through(lane, () => {
      this.sent.push(name)
      return new Promise<void>((resolve) => this.#ends.push(resolve))
    })
  }

  get underWay(): number {
    return this.#ends.length
  }

  async endOne(): Promise<void> {
    this.#ends.shift()!()
    for (let hop = 0; hop < 5; hop++) await Promise.resolve()
  }
}

describe('request lanes', () => {
  it('let as many through as they may, the most urgent first', async () => {
    const traffic = new Traffic(2)
    for (const lane of ['tidy', 'event', 'record', 'tidy', 'start', 'event'] as const) {
      void traffic.send(lane)
    }
    expect(traffic.sent).toEqual(['tidy', 'event'])
    for (let left = 0; left < 4; left++) await traffic.endOne()
    expect(traffic.sent).toEqual(['tidy', 'event', 'start', 'record', 'event', 'tidy'])
    expect(traffic.underWay).toBe(2)
  })

  it('let requests of one kind through in the order in which they came', async () => {
    const traffic = new Traffic(1)
    for (const name of ['a', 'b', 'c', 'd']) void traffic.send('start', name)
    for (let ended = 0; ended < 3; ended++) await traffic.endOne()
    expect(traffic.sent).toEqual(['a', 'b', 'c', 'd'])
  })

  it('let others through while many starts wait, but few', async () => {
    const traffic = new Traffic(4)
    for (let start = 0; start < 200; start++) void traffic.send('start')
    for (let record = 0; record < 10; record++) void traffic.send('record')
    for (let ended = 0; ended < 190; ended++) await traffic.endOne()
    const records = traffic.sent.filter((lane) => lane === 'record').length
    expect(records).toBeGreaterThanOrEqual(2)
    expect(records).toBeLessThanOrEqual(4)
  })

  it('ask whether a request is allowed at the moment when it would be sent', async () => {
    const traffic = new Traffic(1)
    void traffic.send('start')
    const waiting = traffic.send('start', 'late')
    traffic.isAllowed = false
    await traffic.endOne()
    await expect(waiting).rejects.toThrow('not allowed')
    expect(traffic.sent).toEqual(['start'])
    traffic.isAllowed = true
    void traffic.send('start', 'after')
    expect(traffic.sent).toEqual(['start', 'after'])
  })
})
