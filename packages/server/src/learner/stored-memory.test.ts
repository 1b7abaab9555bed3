import { describe, expect, it } from 'vitest'
import { type Band, learn } from './learner.js'
import { type Memory, newMemory } from './memory.js'
import { memoryOf, type StoredMemory, storedMemory } from './stored-memory.js'

const minuteMs = 60_000
const band: Band = { baselineMs: 5 * minuteMs, minMs: 30_000, maxMs: 60 * minuteMs, budget: 1 }

function lived(looks: number): Memory {
  const memory = newMemory(band.baselineMs, 1_700_000_000_000)
  let at = memory.since
  for (let look = 0; look < looks; look++) at += Math.round(step(memory, at, look))
  return memory
}

const quiet = { kind: 'ok', changed: false, retryAfterMs: null } as const

function step(memory: Memory, at: number, look: number): number {
  const kind = look % 41 === 0 ? 'down' : look % 97 === 0 ? 'limited' : 'ok'
  return learn(memory, { at, kind, changed: look % 7 === 0, retryAfterMs: null }, band).gapMs
}

/** What a database holds once a memory was written: habits that are left out stay. */
function whole(written: StoredMemory, before?: StoredMemory): StoredMemory {
  return { numbers: written.numbers, habits: written.habits ?? before?.habits ?? null }
}

describe('a stored memory', () => {
  it('comes back as it was, to the bit', () => {
    const memory = lived(1000)
    expect(memoryOf(storedMemory(memory))).toEqual({ ...memory, hasNewCounts: false })
  })

  it('brings habits along only when they changed', () => {
    const { numbers, habits } = storedMemory(lived(1000))
    const memory = memoryOf({ numbers, habits })!
    learn(memory, { at: memory.lastSeenAt + minuteMs, ...quiet }, band)
    expect(storedMemory(memory).habits).toBeNull()
    learn(memory, { at: memory.lastSeenAt + minuteMs, ...quiet, changed: true }, band)
    expect(storedMemory(memory).habits).not.toBeNull()
  })

  it('decides as if it had never been stored', () => {
    const kept = lived(100)
    let stored = whole(storedMemory(lived(100)))
    let at = kept.lastLookAt + 5 * minuteMs
    for (let look = 100; look < 600; look++) {
      const memory = memoryOf(stored)!
      const gapMs = step(kept, at, look)
      expect(step(memory, at, look)).toBe(gapMs)
      stored = whole(storedMemory(memory), stored)
      at += Math.round(gapMs)
    }
  })

  it('has no habits before it has seen a change', () => {
    const memory = newMemory(band.baselineMs, 5)
    const { numbers } = storedMemory(memory)
    expect(memoryOf({ numbers, habits: null })).toEqual(memory)
  })

  it('is small', () => {
    const { numbers, habits } = storedMemory(lived(10))
    expect(numbers.byteLength).toBeLessThan(800)
    expect(habits!.byteLength).toBeLessThan(1200)
  })

  it('may lie anywhere in the bytes that a database answers', () => {
    const memory = lived(50)
    const { numbers, habits } = storedMemory(memory)
    const moved = (bytes: Uint8Array): Uint8Array => {
      const larger = new Uint8Array(bytes.byteLength + 8)
      larger.set(bytes, 3)
      return larger.subarray(3, 3 + bytes.byteLength)
    }
    for (const form of [moved, (bytes: Uint8Array) => Buffer.from(moved(bytes))]) {
      const stored = { numbers: form(numbers), habits: form(habits!) }
      expect(memoryOf(stored)).toEqual({ ...memory, hasNewCounts: false })
    }
  })

  it.each([
    ['is cut off', (bytes: Uint8Array) => bytes.subarray(0, 100)],
    [
      'has another layout',
      (bytes: Uint8Array) =>
        new Uint8Array(
          new Float64Array(
            bytes.slice().buffer.slice(0, bytes.byteLength - (bytes.byteLength % 8)),
          ).fill(2, 0, 1).buffer,
        ),
    ],
    [
      'has a number that is none',
      (bytes: Uint8Array) => {
        const damaged = bytes.slice()
        new DataView(damaged.buffer).setFloat64(8, Number.NaN, true)
        return damaged
      },
    ],
  ])('that %s is forgotten', (_, damage) => {
    const { numbers, habits } = storedMemory(lived(50))
    expect(memoryOf({ numbers: damage(numbers), habits })).toBeNull()
    expect(memoryOf({ numbers, habits: habits!.subarray(4) })).toBeNull()
  })
})
