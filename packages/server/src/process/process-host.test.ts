import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { interruption } from './process-host.js'

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s asks to end the first time, and is left to the system after that',
    (signal) => {
      const source = new EventEmitter()
      const interrupted = interruption(source)
      expect([interrupted.aborted, source.listenerCount(signal)]).toEqual([false, 1])
      source.emit(signal)
      expect([interrupted.aborted, source.listenerCount(signal)]).toEqual([true, 0])
    },
  )
})
