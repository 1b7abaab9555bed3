import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isBusy, whenFree } from './busy.js'

const busy = (code = 'SQLITE_BUSY'): Error =>
  Object.assign(new Error('database is locked'), { code })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a file that is busy', () => {
  it('is tried at once, and again with longer and longer pauses', async () => {
    const attempts: number[] = []
    const answer = whenFree(() => {
      attempts.push(performance.now())
      if (attempts.length < 9) throw busy('SQLITE_BUSY_SNAPSHOT')
      return 'done'
    })
    expect(attempts).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await answer).toBe('done')
    const pauses = attempts.slice(1).map((at, index) => Math.round(at - attempts[index]!))
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 50, 50])
  })

  it('for two seconds is a failure', async () => {
    const seen: { error: unknown; at: number } = { error: null, at: 0 }
    const failure = busy()
    const begun = performance.now()
    void whenFree(() => {
      throw failure
    }).catch((error) => {
      seen.error = error
      seen.at = performance.now() - begun
    })
    await vi.advanceTimersByTimeAsync(1950)
    expect(seen.error).toBeNull()
    await vi.advanceTimersByTimeAsync(100)
    expect(seen.error).toBe(failure)
    expect(seen.at).toBeGreaterThanOrEqual(2000)
  })

  it('is not tried again after anything else', async () => {
    let attempts = 0
    const failing = whenFree(() => {
      attempts++
      throw new Error('disk full')
    })
    await expect(failing).rejects.toThrow('disk full')
    expect(attempts).toBe(1)
  })

  it.each([
    [busy(), true],
    [busy('SQLITE_BUSY_RECOVERY'), true],
    [busy('SQLITE_LOCKED'), false],
    [busy('X_SQLITE_BUSY'), false],
    [{ code: 5 }, false],
    [new Error('SQLITE_BUSY'), false],
    [null, false],
    [undefined, false],
  ])('is known by the code of SQLite: %o', (error, is) => {
    expect(isBusy(error)).toBe(is)
  })
})
