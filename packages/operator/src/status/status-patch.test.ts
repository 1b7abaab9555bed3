import { describe, expect, it } from 'vitest'
import type { KronJobStatus } from '../kronjob/index.js'
import { statusPatch } from './status-of.js'

const job = (name: string) => ({
  apiVersion: 'batch/v1' as const,
  kind: 'Job' as const,
  namespace: 'default',
  name,
  uid: name,
})

describe('the patch of a status', () => {
  it.each<[string, KronJobStatus | undefined, KronJobStatus, object | null]>([
    [
      'is none when nothing changes',
      { activeCount: 0, active: [] },
      { activeCount: 0, active: [] },
      null,
    ],
    ['is none when both say nothing', undefined, {}, null],
    ['is all of it when there was none', undefined, { activeCount: 0 }, { activeCount: 0 }],
    [
      'has only what changed',
      { activeCount: 0, timing: 'a', lastReason: 'b' },
      { activeCount: 1, timing: 'a', lastReason: 'b' },
      { activeCount: 1 },
    ],
    [
      'looks into lists',
      { active: [job('a')], activeCount: 1 },
      { active: [job('b')], activeCount: 1 },
      { active: [job('b')] },
    ],
    [
      'erases what is gone',
      { lastReason: 'late', nextPeriodID: 'x', activeCount: 0 },
      { activeCount: 0 },
      { lastReason: null, nextPeriodID: null },
    ],
    ['erases and sets', { lastReason: 'late' }, { timing: 'a' }, { timing: 'a', lastReason: null }],
  ])('%s', (_, before, after, patch) => {
    expect(statusPatch(before, after)).toEqual(patch)
  })
})
