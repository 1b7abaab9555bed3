import { describe, expect, it } from 'vitest'
import { SharedSync } from './shared-sync.js'

/** Syncs that end when the test says so. */
function make() {
  const ends: { succeed: () => void; fail: (reason: unknown) => void }[] = []
  const count = { underWay: 0, most: 0 }
  const shared = new SharedSync(async () => {
    count.most = Math.max(count.most, ++count.underWay)
    await new Promise<void>((succeed, fail) => void ends.push({ succeed, fail }))
    count.underWay--
  })
  const done: string[] = []
  const ask = (name: string): Promise<unknown> =>
    shared.request().then(
      () => done.push(name),
      (reason) => done.push(`${name} ${reason}`),
    )
  return { ends, ask, done, count }
}

describe('a shared sync', () => {
  it('serves all who ask during one sync by the next', async () => {
    const { ends, ask, done } = make()
    const first = ask('first')
    const others = [ask('second'), ask('third')]
    expect(ends).toHaveLength(1)
    ends[0]!.succeed()
    await first
    expect(done).toEqual(['first'])
    await Promise.resolve()
    expect(ends).toHaveLength(2)
    const late = ask('late')
    ends[1]!.succeed()
    await Promise.all(others)
    expect(done).toEqual(['first', 'second', 'third'])
    await Promise.resolve()
    ends[2]!.succeed()
    await late
    expect(ends).toHaveLength(3)
  })

  it('begins at once when none is under way', async () => {
    const { ends, ask } = make()
    for (const index of [0, 1, 2]) {
      const asked = ask('x')
      expect(ends).toHaveLength(index + 1)
      ends[index]!.succeed()
      await asked
    }
  })

  it('never serves by a sync that began before it was asked, nor has two under way', async () => {
    for (let turns = 0; turns < 8; turns++) {
      const { ends, ask, count } = make()
      void ask('first')
      void ask('second')
      ends[0]!.succeed()
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      const begunBefore = ends.length
      let served = false
      const asked = ask('third').then(() => {
        served = true
      })
      for (let end = 1; end < begunBefore; end++) ends[end]!.succeed()
      await new Promise(setImmediate)
      expect(served).toBe(false)
      for (let end = begunBefore; end < ends.length; end++) ends[end]!.succeed()
      await asked
      expect(count.most).toBe(1)
    }
  })

  it('fails all who wait, and all who come later, without another sync', async () => {
    const { ends, ask, done } = make()
    const waiting = [ask('first'), ask('second'), ask('third')]
    ends[0]!.fail('EIO')
    await Promise.all(waiting)
    await ask('later')
    expect(done).toEqual(['first EIO', 'second EIO', 'third EIO', 'later EIO'])
    expect(ends).toHaveLength(1)
  })
})
