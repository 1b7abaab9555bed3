import { describe, expect, it } from 'vitest'
import { jobAt } from '../../testing/cluster/samples.js'
import type { OwnedJob } from '../job/index.js'
import { type HistoryInput, pruning } from './history.js'

const minute = 60_000
const now = 1000 * minute

/** Its period is the minute of its name, and it ended half a minute later. */
const job = (
  at: number,
  state: OwnedJob['state'] = 'succeeded',
  more: Partial<OwnedJob> = {},
): OwnedJob => jobAt(at * minute, state, { name: `at-${at}`, uid: `uid-${at}`, ...more })

function pruned(jobs: readonly OwnedJob[], more: Partial<HistoryInput> = {}) {
  const input = { jobs, successfulLimit: 3, failedLimit: 1, deadlineMs: 0, now, ...more }
  const { remove, again } = pruning(input)
  return { remove: remove.map(({ name }) => name), again }
}

describe('pruning', () => {
  it('removes the oldest beyond each limit, oldest first', () => {
    const succeeded = [105, 101, 103, 102, 104].map((at) => job(at))
    const failed = [203, 201, 202].map((at) => job(at, 'failed'))
    expect(pruned([...succeeded, ...failed])).toEqual({
      remove: ['at-101', 'at-102', 'at-201', 'at-202'],
      again: null,
    })
  })

  it('leaves those alone that are active or on their way out', () => {
    const jobs = [job(1, 'active'), job(2, 'succeeded', { deletingSince: 0 }), job(3), job(4)]
    expect(pruned(jobs, { successfulLimit: 1 }).remove).toEqual(['at-3'])
  })

  it('counts Jobs that somebody wanted like others', () => {
    const jobs = [job(1, 'succeeded', { period: null }), job(2), job(3), job(4)]
    expect(pruned(jobs).remove).toEqual(['at-1'])
  })

  it('keeps the newest one until its period can not be executed any more', () => {
    const jobs = [job(997), job(998)]
    const limits = { successfulLimit: 0, deadlineMs: 5 * minute }
    const lastChance = (998 + 5 + 1) * minute
    expect(pruned(jobs, limits)).toEqual({ remove: ['at-997'], again: lastChance + 1000 })
    expect(pruned(jobs, { ...limits, now: lastChance }).remove).toEqual(['at-997'])
    expect(pruned(jobs, { ...limits, now: lastChance + 1 })).toEqual({
      remove: ['at-997', 'at-998'],
      again: null,
    })
  })

  it('removes the oldest first, whether they failed or succeeded', () => {
    const jobs = [job(997), job(995), job(996, 'failed'), job(998, 'failed')]
    const none = { successfulLimit: 0, failedLimit: 0 }
    const inOrder = ['at-995', 'at-996', 'at-997']
    expect(pruned(jobs, { ...none, deadlineMs: 5 * minute }).remove).toEqual(inOrder)
    expect(pruned(jobs, none).remove).toEqual([...inOrder, 'at-998'])
  })

  it('keeps the newest one in whatever order they are known', () => {
    const limits = { successfulLimit: 0, deadlineMs: 5 * minute }
    expect(pruned([job(998), job(997)], limits).remove).toEqual(['at-997'])
    expect(pruned([job(996), job(998), job(997)], limits).remove).toEqual(['at-996', 'at-997'])
  })

  it('does not keep a Job for a period that a later Job has followed', () => {
    const jobs = [job(998), job(999, 'active')]
    expect(pruned(jobs, { successfulLimit: 0, deadlineMs: 5 * minute }).remove).toEqual(['at-998'])
  })

  it('keeps as many as the limit says', () => {
    expect(pruned([job(1), job(2), job(3)])).toEqual({ remove: [], again: null })
    expect(pruned([job(1), job(2), job(3), job(4)]).remove).toEqual(['at-1'])
  })

  it('keeps no Job for a period whose time nobody knows', () => {
    const timeless = job(999, 'succeeded', { period: { nominalTime: now, chosenTime: null } })
    const limits = { successfulLimit: 0, deadlineMs: 5 * minute }
    expect(pruned([timeless], limits)).toEqual({ remove: ['at-999'], again: null })
  })

  it('orders by the end, else by the beginning, and else by name', () => {
    const at = { createdAt: 5 * minute, finishedAt: 6 * minute }
    const jobs = [
      job(1, 'succeeded', { ...at, name: 'c', createdAt: 5 * minute + 1 }),
      job(2, 'succeeded', { ...at, name: 'b' }),
      job(3, 'succeeded', { ...at, name: 'a' }),
      job(4, 'succeeded', { name: 'd', createdAt: 5 * minute, finishedAt: null }),
      job(5, 'succeeded', { name: 'e', createdAt: 1, finishedAt: 9 * minute }),
      job(6, 'succeeded', { name: 'f' }),
    ]
    expect(pruned(jobs, { successfulLimit: 0 }).remove).toEqual(['d', 'a', 'b', 'c', 'f', 'e'])
  })
})
