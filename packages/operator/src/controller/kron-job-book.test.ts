import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import type { KronJob } from '../kronjob/index.js'
import { EventLog } from './event-log.js'
import { KronJobBook } from './kron-job-book.js'

const key = 'default/backup'

function opened() {
  const world = sampleWorld()
  const { clock, lines, observed } = world
  const woken: string[] = []
  const book = new KronJobBook((each) => woken.push(each), new EventLog(world.log), world)
  return { book, woken, lines, observed, clock }
}

const version = (resourceVersion: string, uid = 'owner', generation = 1): KronJob => {
  const kronJob = kronJobOf({}, undefined, generation)
  return { ...kronJob, metadata: { ...kronJob.metadata, uid, resourceVersion } }
}

const jobsIn = (book: KronJobBook): string[] => [...(book.record(key)?.jobs.keys() ?? [])]

describe('the book of KronJobs', () => {
  it('wakes for what is new, and not for what we wrote ourselves', () => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    const record = book.record(key)
    expect([book.size, [...book.keys()]]).toEqual([1, [key]])
    book.putKronJob(key, version('1'))
    expect(woken).toEqual([key])
    book.putKronJob(key, version('2'))
    expect(woken).toEqual([key, key])
    expect(book.record(key)).toBe(record)
    expect(record?.kronJob.metadata.resourceVersion).toBe('2')
  })

  it('forgets one that is gone, and wakes so that nothing is due for it', () => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putKronJob(key, null)
    expect([book.size, book.record(key)]).toEqual([0, undefined])
    expect(woken).toEqual([key, key])
  })

  it('takes one of the same name for another', () => {
    const { book } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    const first = book.record(key)
    book.putKronJob(key, version('1', 'other'))
    expect(book.record(key)).not.toBe(first)
    expect(jobsIn(book)).toEqual([])
    book.putJob(jobOf('10:00:00', 'succeeded'), jobOf('10:00:00'))
    expect(jobsIn(book)).toEqual([])
  })

  it('counts the seconds of an edit from when it was seen', async () => {
    const { book, clock } = opened()
    book.putKronJob(key, version('1'))
    await clock.advanceBy(60_000)
    const edited = version('2', 'owner', 2)
    book.putKronJob(key, { ...edited, spec: { ...edited.spec, schedule: '5 * * * *' } })
    expect(book.record(key)?.responsibility.since).toBe(at('10:31:00'))
  })

  it('forgets what was planned when the clock is set', () => {
    const { book } = opened()
    book.putKronJob(key, version('1'))
    const record = book.record(key)!
    record.planned = {} as NonNullable<typeof record.planned>
    book.forgetPlans()
    expect(record.planned).toBeNull()
  })
})

describe('a Job in the book', () => {
  it('belongs to the KronJob of its owner, in any order of sight', () => {
    const { book, woken } = opened()
    book.putJob(jobOf('09:00:00'), null)
    book.putJob(jobOf('10:00:00'), null)
    book.putJob(null, jobOf('09:00:00'))
    expect(woken).toEqual([])
    book.putKronJob(key, version('1'))
    expect(jobsIn(book)).toEqual(['backup-10:00:00'])
    expect(book.record(key)?.lastHandled?.nominalTime).toBe(at('10:00:00'))
    book.putJob(jobOf('11:00:00'), null)
    expect(jobsIn(book)).toEqual(['backup-10:00:00', 'backup-11:00:00'])
    expect(woken).toEqual([key, key])
  })

  it('comes back with its KronJob, if that was only out of sight', () => {
    const { book } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    book.putKronJob(key, null)
    book.putKronJob(key, version('2'))
    expect(jobsIn(book)).toEqual(['backup-10:00:00'])
  })

  it('that went before its KronJob does not come back with it', () => {
    const { book } = opened()
    book.putJob(jobOf('10:00:00'), null)
    book.putKronJob(key, version('1'))
    book.putJob(null, jobOf('10:00:00'))
    book.putKronJob(key, null)
    book.putKronJob(key, version('2'))
    expect(jobsIn(book)).toEqual([])
  })

  it('that came while its KronJob was out of sight is known with it, and wakes nobody', () => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putKronJob(key, null)
    woken.length = 0
    book.putJob(jobOf('10:00:00'), null)
    expect(woken).toEqual([])
    book.putKronJob(key, version('2'))
    expect(jobsIn(book)).toEqual(['backup-10:00:00'])
  })

  it('that is of no period may change like others', () => {
    const { book, woken } = opened()
    const manual = jobOf('10:00:00', 'active', { period: null })
    book.putKronJob(key, version('1'))
    book.putJob(manual, null)
    woken.length = 0
    book.putJob({ ...manual, resourceVersion: '2' }, manual)
    expect(woken).toEqual([])
    book.putJob(jobOf('10:00:00'), manual)
    expect(woken).toEqual([key])
  })

  it('that is asked to go while it is active has not ended', () => {
    const { book, lines, observed, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    woken.length = 0
    book.putJob(jobOf('10:00:00', 'active', { deletingSince: 7 }), jobOf('10:00:00'))
    expect([woken, lines, observed]).toEqual([[key], [], []])
  })

  it('that is gone wakes its KronJob', () => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    woken.length = 0
    book.putJob(null, jobOf('10:00:00'))
    expect(woken).toEqual([key])
    expect(jobsIn(book)).toEqual([])
    expect(book.record(key)?.jobs.size).toBe(0)
  })

  it('that gets another owner leaves the one before', () => {
    const { book } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    book.putJob(jobOf('10:00:00', 'active', { ownerUid: 'other' }), jobOf('10:00:00'))
    expect(jobsIn(book)).toEqual([])
  })

  it.each([
    ['uid', { uid: 'other' }],
    ['state', { state: 'failed' }],
    ['finishedAt', { finishedAt: 7 }],
    ['deletingSince', { deletingSince: 7 }],
    ['period', { period: null }],
  ] as const)('wakes its KronJob when its %s changes', (_, change) => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    woken.length = 0
    book.putJob({ ...jobOf('10:00:00'), ...change }, jobOf('10:00:00'))
    expect(woken).toEqual([key])
  })

  it('wakes nobody when something else of it changes, but is known as it is', () => {
    const { book, woken } = opened()
    book.putKronJob(key, version('1'))
    book.putJob(jobOf('10:00:00'), null)
    woken.length = 0
    book.putJob(jobOf('10:00:00', 'active', { resourceVersion: '2' }), jobOf('10:00:00'))
    expect(woken).toEqual([])
    expect(book.record(key)?.jobs.get('backup-10:00:00')?.resourceVersion).toBe('2')
  })

  it('is logged and counted when it ends, once', () => {
    const { book, lines, observed } = opened()
    const [active, ended] = [jobOf('10:00:00'), jobOf('10:00:00', 'succeeded')]
    book.putKronJob(key, version('1'))
    book.putJob(active, null)
    expect(lines).toEqual([])
    book.putJob(ended, active)
    book.putJob({ ...ended, deletingSince: 7 }, ended)
    book.putJob(jobOf('11:00:00', 'failed'), null)
    const identity = 'default/backup'
    const completed = { event: 'completed', identity, job: ended.name, result: 'succeeded' }
    expect(lines).toMatchObject([completed])
    expect(observed).toEqual(['ended succeeded'])
  })
})
