import { describe, expect, it } from 'vitest'
import { Stop, type Stoppable } from './stop.js'

class Listener implements Stoppable {
  cancelled = 0

  cancel(): void {
    this.cancelled++
  }
}

describe('a stop', () => {
  it('tells all who listen, once, and keeps its first reason', () => {
    const stop = new Stop()
    const listeners = [new Listener(), new Listener(), new Listener()]
    for (const listener of listeners) stop.add(listener)
    expect([stop.isStopped, stop.reason]).toEqual([false, null])
    stop.stop('user')
    stop.stop('shutdown')
    expect(listeners.map(({ cancelled }) => cancelled)).toEqual([1, 1, 1])
    expect([stop.isStopped, stop.reason]).toEqual([true, 'user'])
  })

  it.each([0, 1, 2])('tells nothing to the listener that left, number %d', (left) => {
    const stop = new Stop()
    const listeners = [new Listener(), new Listener(), new Listener()]
    for (const listener of listeners) stop.add(listener)
    stop.remove(listeners[left]!)
    stop.remove(new Listener())
    stop.stop('user')
    const told = listeners.map(({ cancelled }) => cancelled)
    expect(told).toEqual([0, 1, 2].map((number) => (number === left ? 0 : 1)))
  })

  it('lets listeners leave while they are told', () => {
    const stop = new Stop()
    const told: number[] = []
    const listeners = [0, 1, 2].map((number) => ({
      cancel() {
        told.push(number)
        for (const listener of listeners) stop.remove(listener)
      },
    }))
    for (const listener of listeners) stop.add(listener)
    stop.stop('user')
    expect(told).toEqual([0, 1, 2])
  })

  it.each([
    ['before', true],
    ['after', false],
  ])('has a signal, whether it was asked for %s the stop', (_, isBefore) => {
    const stop = new Stop()
    const signal = isBefore ? stop.signal : null
    expect(signal?.aborted ?? false).toBe(false)
    stop.stop('shutdown')
    expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, 'shutdown'])
    expect(signal ?? stop.signal).toBe(stop.signal)
  })
})
