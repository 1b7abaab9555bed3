import { afterEach, describe, expect, it, vi } from 'vitest'
import { consoleLogger } from './logger.js'

afterEach(() => void vi.restoreAllMocks())

describe('the console as a logger', () => {
  it.each(['warn', 'error'] as const)('is told by %s what was thrown, with its stack', (level) => {
    const told = vi.spyOn(console, level).mockReturnValue(undefined)
    const error = new Error('disk full')
    consoleLogger[level]!('the storage failed', { error, failure: { message: 'disk full' } })
    consoleLogger[level]!('polling is late', { failures: 2 })
    consoleLogger[level]!('that is all')
    expect(told.mock.calls).toEqual([
      ['kron: the storage failed', error],
      ['kron: polling is late'],
      ['kron: that is all'],
    ])
  })

  it('is not told what is in order', () => {
    expect([consoleLogger.debug, consoleLogger.info]).toEqual([undefined, undefined])
  })
})
