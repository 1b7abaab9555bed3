import type { Job } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import { NoLongerDue, type Requests } from '../requests/requests.js'
import {
  endWait,
  replaceActive,
  replacedEvent,
  replacementWait,
  takeReplaced,
  waitText,
} from './replacement.js'

const now = at('10:00:00')

function recordWith(...jobs: readonly ReturnType<typeof jobOf>[]): KronJobRecord {
  return new KronJobRecord('default/backup', kronJobOf(), now, jobs)
}

/** Deletes, or fails to. */
function replacing(record: KronJobRecord, error: Error | null = null) {
  const asked: string[] = []
  const replaceJob: Requests['replaceJob'] = async ({ namespace, name }, uid, isStillDue) => {
    asked.push(`${namespace}/${name} ${uid} ${isStillDue()}`)
    if (error !== null) throw error
  }
  return {
    asked,
    done: replaceActive(
      { replaceJob },
      record,
      () => true,
      () => now,
    ),
  }
}

const names = (jobs: readonly { readonly name: string }[]): string[] => jobs.map(({ name }) => name)

describe('a replacement', () => {
  it('ends what is active, but not what is on its way out or has ended', async () => {
    const leaving = jobOf('08:00:00', 'active', { deletingSince: at('09:59:00') })
    const record = recordWith(jobOf('09:00:00'), leaving, jobOf('07:00:00', 'succeeded'))
    const { asked, done } = replacing(record)
    expect(names([...record.doomed.values()])).toEqual(['backup-09:00:00'])
    await done
    expect(asked).toEqual(['default/backup-09:00:00 uid-09:00:00 true'])
    expect(record.jobs.get('backup-09:00:00')?.deletingSince).toBe(now)
    expect(record.jobs.get('backup-08:00:00')?.deletingSince).toBe(at('09:59:00'))
  })

  it('does not overwrite what the watch has told meanwhile', async () => {
    const record = recordWith(jobOf('09:00:00'))
    const { done } = replacing(record)
    record.putJob(jobOf('09:00:00', 'succeeded'))
    await done
    expect(record.jobs.get('backup-09:00:00')?.deletingSince).toBeNull()
  })

  it('whose answer got lost is told all the same, when the Job goes', async () => {
    const record = recordWith(jobOf('09:00:00'), jobOf('08:00:00'))
    await expect(replacing(record, new Error('cut')).done).rejects.toThrow('cut')
    expect(takeReplaced(record)).toEqual([])
    record.jobs.delete('backup-09:00:00')
    expect(names(takeReplaced(record))).toEqual(['backup-09:00:00'])
    record.putJob(jobOf('08:00:00', 'active', { deletingSince: now }))
    expect(names(takeReplaced(record))).toEqual(['backup-08:00:00'])
    expect(takeReplaced(record)).toEqual([])
  })

  it('is told also when another Job has the name by then', async () => {
    const record = recordWith(jobOf('09:00:00'))
    await expect(replacing(record, new Error('cut')).done).rejects.toThrow('cut')
    record.putJob(jobOf('09:00:00', 'active', { uid: 'other' }))
    expect(names(takeReplaced(record))).toEqual(['backup-09:00:00'])
  })

  it('that was not asked for any more is nothing to tell', async () => {
    const record = recordWith(jobOf('09:00:00'))
    await expect(replacing(record, new NoLongerDue()).done).rejects.toThrow(NoLongerDue)
    record.jobs.clear()
    expect(takeReplaced(record)).toEqual([])
  })

  it('has an event for each Job and period', () => {
    const decision = (recordWith().compiled as Job).decide(now)
    expect(replacedEvent(jobOf('09:00:00'), decision)).toEqual({
      reason: 'Replaced',
      type: 'Normal',
      message: 'deleted active Job backup-09:00:00 to start period 2026-03-01T10:00:00Z',
      subject: 'uid-09:00:00 2026-03-01T10:00:00Z',
    })
  })
})

describe('the wait for a Job that is being deleted', () => {
  const job = jobOf('09:00:00', 'active', { deletingSince: now })
  const told = (afterMs: number, loggedAfterMs: number | null = null) => {
    const loggedAt = loggedAfterMs === null ? null : now + loggedAfterMs
    const { trouble, isToBeLogged, nextWordAt } = replacementWait(job, now, loggedAt, now + afterMs)
    return [trouble?.reason ?? null, isToBeLogged, nextWordAt - now]
  }

  it.each<[string, [number, number?], (string | boolean | number | null)[]]>([
    ['is usual for a while', [9999], [null, false, 10_000]],
    ['is worth a word after ten seconds', [10_000], ['ReplacementWaiting', true, 70_000]],
    ['has none soon after', [69_999, 10_000], ['ReplacementWaiting', false, 70_000]],
    ['has another after a minute', [70_000, 10_000], ['ReplacementWaiting', true, 130_000]],
  ])('%s', (_, given, expected) => {
    expect(told(...given)).toEqual(expected)
  })

  it('says which Job that is', () => {
    expect(waitText(job)).toBe(
      'Job backup-09:00:00 was deleted at 2026-03-01T10:00:00Z and is not gone yet',
    )
  })

  it('is over when nothing is being deleted any more', () => {
    const { trouble } = replacementWait(job, now, null, now + 10_000)
    const record = recordWith(job, jobOf('08:00:00'))
    record.trouble = trouble
    endWait(record)
    expect(record.trouble).toBe(trouble)
    record.jobs.delete(job.name)
    endWait(record)
    expect(record.trouble).toBeNull()
    const other = { condition: 'SchedulingError', reason: 'Forbidden', message: 'no' } as const
    record.trouble = other
    endWait(record)
    expect(record.trouble).toBe(other)
  })
})
