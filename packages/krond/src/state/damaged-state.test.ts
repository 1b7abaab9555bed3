import { IncompatibleStateError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { type DecodedState, decodeState } from './decode-state.js'
import { encodeState } from './encode-state.js'
import type { ActiveExecution, JobState } from './job-state.js'
import { migrations } from './migrations.js'
import { emptyState } from './transitions.js'

const identity = '/etc/krond.d/backup:döner "1"'
const execution: ActiveExecution = {
  nominal: 60_000,
  chosen: 75_000,
  startedAt: 75_004,
  process: { pid: 4711, startTicks: 123456789, bootId: '0f6b4e0a-8f6e-4a8e-9a5c-3a1d5c1b2e77' },
}
const full: JobState = {
  identity,
  responsibility: { timing: '5f3a', since: 1250 },
  last: { nominal: 60_000, outcome: 'executed', chosen: 75_000 },
  active: execution,
  others: [{ ...execution, nominal: 0, process: { pid: 1, startTicks: null, bootId: null } }],
  history: [
    { nominal: 0, outcome: 'executed', chosen: 60_000, completedAt: 90_000, exitCode: -1 },
    { nominal: 5000, outcome: 'unschedulable', chosen: null, completedAt: 5000, exitCode: null },
  ],
}

function decode(bytes: Uint8Array): DecodedState {
  return decodeState(bytes, { file: '/s/x.json', identity, migrations })
}

describe('damage to a state file', () => {
  /** Whether the damage was noticed, or changed nothing. */
  function isHarmless(damaged: Uint8Array, state: JobState): boolean {
    try {
      const decoded = decode(damaged)
      return decoded.kind === 'corrupt' || JSON.stringify(decoded.state) === JSON.stringify(state)
    } catch (error) {
      return error instanceof IncompatibleStateError
    }
  }

  it.each([
    ['a full one', full],
    ['an empty one', emptyState(identity)],
  ])('is never another state after one byte or bit has changed: %s', (_, state) => {
    const original = encodeState(state)
    const damaged = original.slice()
    const harmful: string[] = []
    for (let index = 0; index < original.length; index++) {
      for (let byte = 0; byte < 256; byte++) {
        damaged[index] = byte
        if (!isHarmless(damaged, state)) harmful.push(`byte ${index} as ${byte}`)
      }
      damaged[index] = original[index]!
    }
    expect(harmful).toEqual([])
  })

  it.each([
    ['a full one', full],
    ['an empty one', emptyState(identity)],
  ])('is never another state after it was cut, at either end: %s', (_, state) => {
    const original = encodeState(state)
    for (let length = 0; length < original.length; length++) {
      expect(isHarmless(original.slice(0, length), state)).toBe(true)
      expect(isHarmless(original.slice(original.length - length), state)).toBe(true)
    }
    expect(decode(original.slice(0, -1))).toEqual({ kind: 'state', state })
    expect(decode(original.slice(0, -2)).kind).toBe('corrupt')
  })
})
