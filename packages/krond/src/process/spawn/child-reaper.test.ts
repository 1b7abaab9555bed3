import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExitStatus } from '../processes.js'
import { ChildReaper } from './child-reaper.js'

const ended: ExitStatus = { code: 3, signal: null }

/** Children that run until they are in `over`. */
function reaperOf(over: Set<number>): ChildReaper {
  return new ChildReaper((pid) => (over.has(pid) ? ended : null))
}

describe('who waits for children', () => {
  const before = process.listeners('SIGCHLD')

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    for (const listener of process.listeners('SIGCHLD')) {
      if (!before.includes(listener)) process.off('SIGCHLD', listener)
    }
  })

  it('hears at once of one that has ended before', async () => {
    expect(await reaperOf(new Set([7])).exitOf(7)).toEqual(ended)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('hears of each one by a signal, and keeps this process alive for the others', async () => {
    const over = new Set<number>()
    const reaper = reaperOf(over)
    const heard: number[] = []
    const exits = [7, 8].map((pid) => reaper.exitOf(pid).then(() => heard.push(pid)))
    expect(vi.getTimerCount()).toBe(1)
    over.add(8)
    process.emit('SIGCHLD', 'SIGCHLD')
    await exits[1]
    expect([heard, vi.getTimerCount()]).toEqual([[8], 1])
    over.add(7)
    process.emit('SIGCHLD', 'SIGCHLD')
    await exits[0]
    expect([heard, vi.getTimerCount()]).toEqual([[8, 7], 0])
  })

  it('looks again by itself when a signal got lost, and after a pause too', async () => {
    const over = new Set<number>()
    const reaper = reaperOf(over)
    for (const pid of [7, 8]) {
      const exit = reaper.exitOf(pid)
      over.add(pid)
      vi.advanceTimersByTime(1000)
      expect(await exit).toEqual(ended)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('asks for each one until it has ended, and never after', async () => {
    const asked: number[] = []
    const reaper = new ChildReaper((pid) => (asked.push(pid) < 3 ? null : ended))
    const exit = reaper.exitOf(7)
    for (let n = 0; n < 5; n++) process.emit('SIGCHLD', 'SIGCHLD')
    expect(await exit).toEqual(ended)
    expect(asked).toEqual([7, 7, 7])
  })
})
