import { describe, expect, it } from 'vitest'
import { Slots } from './slots.js'

/** What has happened once everything that can happen at once has happened. */
const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('Slots', () => {
  it('lets in as many as there are places, then in the order of coming', async () => {
    const slots = new Slots(2)
    const entered: number[] = []
    for (const guest of [1, 2, 3, 4]) void slots.take().then(() => entered.push(guest))
    await soon()
    expect([entered, slots.waiting]).toEqual([[1, 2], 2])
    slots.give()
    await soon()
    expect([entered, slots.waiting]).toEqual([[1, 2, 3], 1])
    slots.give()
    slots.give()
    await soon()
    expect([entered, slots.waiting]).toEqual([[1, 2, 3, 4], 0])
  })

  it('counts what is there already, even beyond its places', async () => {
    const slots = new Slots(1)
    slots.occupy()
    slots.occupy()
    let entered = false
    void slots.take().then(() => {
      entered = true
    })
    slots.give()
    await soon()
    expect(entered).toBe(false)
    slots.give()
    await soon()
    expect(entered).toBe(true)
  })

  it('sends away those who wait, and all who come later, once it is closed', async () => {
    const slots = new Slots(1)
    expect(await slots.take()).toBe(true)
    const waiting = slots.take()
    slots.close()
    expect(await waiting).toBe(false)
    slots.give()
    expect(await slots.take()).toBe(false)
  })
})
