import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import { at } from '../../testing/cluster/samples.js'
import { template } from '../../testing/cluster/virtual-cluster.js'
import { type ApiCall, MemoryKubeApi, passingKubeApi } from '../../testing/kube-api/index.js'
import { type GuardableKubeApi, jobs, type KubeApi, type KubeObject } from '../kube/index.js'
import { LeadershipLost, NoLongerDue, Requests } from './requests.js'

const name = { namespace: 'default', name: 'backup-1' }
const job: KubeObject = { metadata: name, ...template }

interface Conditions {
  /** So long a request waits for its connection, and for its answer. */
  readonly connectMs?: number
  readonly answerMs?: number
  readonly maxRequests?: number
}

function requesting({ connectMs = 0, answerMs = 0, maxRequests = 4 }: Conditions = {}) {
  const clock = new VirtualClock(at('10:00:00'))
  const server = new MemoryKubeApi({ clock })
  const sent: string[] = []
  const term = new AbortController()
  let isLeading = true
  const through = (guard: () => void): KubeApi =>
    passingKubeApi(server, {
      act: async ({ verb, resource }: ApiCall, effect, signal) => {
        if (connectMs > 0) await clock.sleep(connectMs, signal)
        guard()
        sent.push(`${verb} ${resource.plural}`)
        const done = await effect(signal)
        if (answerMs > 0) await clock.sleep(answerMs, signal)
        return done
      },
      follow: (_, open, signal) => open(signal),
    })
  const api: GuardableKubeApi = Object.assign(
    through(() => undefined),
    { guardedBy: through },
  )
  const world = sampleWorld(api, () => isLeading, clock)
  const requests = new Requests(world, maxRequests, term.signal)
  const lose = (): void => {
    isLeading = false
  }
  return { clock, server, requests, sent, term, lose }
}

const always = (): boolean => true
const never = (): boolean => false

describe('a request', () => {
  it('is not made without the lease, nor after the term', async () => {
    const lost = requesting()
    lost.lose()
    await expect(lost.requests.createJob(job, always)).rejects.toThrow(LeadershipLost)
    const over = requesting()
    over.term.abort()
    await expect(over.requests.job(name)).rejects.toThrow(LeadershipLost)
    expect([lost.sent, over.sent]).toEqual([[], []])
  })

  it('that is cut off with the term is no failure', async () => {
    const { clock, requests, term } = requesting({ answerMs: 5000 })
    const cut = expect(requests.createJob(job, always)).rejects.toThrow(LeadershipLost)
    await clock.advanceBy(1000)
    term.abort(new Error('stopped'))
    await cut
  })

  it.each<[string, (requests: Requests) => Promise<unknown>]>([
    ['a Job', (requests) => requests.createJob(job, always)],
    ['a trial', (requests) => requests.tryJob(job)],
    ['a look at a Job', (requests) => requests.job(name)],
    ['a replacement', (requests) => requests.replaceJob(name, 'u', always)],
    ['the history', (requests) => requests.pruneJob(name, 'u')],
    ['a look at a KronJob', (requests) => requests.kronJob(name)],
    ['a status', (requests) => requests.patchStatus(name, {})],
    ['an event', (requests) => requests.createEvent({ metadata: name })],
  ])('for %s waits for nothing any more when the term is over', async (_, send) => {
    const { clock, requests, term, sent } = requesting({ connectMs: 5000 })
    const over = expect(send(requests)).rejects.toThrow(LeadershipLost)
    await clock.advanceBy(1000)
    term.abort(new Error('stopped'))
    expect(clock.pending).toBe(0)
    await over
    expect(sent).toEqual([])
  })

  it('fails as the API server does', async () => {
    const { requests } = requesting()
    await requests.createJob(job, always)
    await expect(requests.createJob(job, always)).rejects.toMatchObject({ status: 409 })
  })

  it('waits for its turn, which is counted', async () => {
    const { clock, requests, sent } = requesting({ answerMs: 1000, maxRequests: 1 })
    const first = requests.createJob(job, always)
    const second = requests.job(name)
    expect(requests.waiting).toBe(1)
    await clock.advanceBy(500)
    expect(sent).toEqual(['create jobs'])
    await clock.advanceBy(2000)
    await Promise.all([first, second])
    expect(requests.waiting).toBe(0)
  })
})

describe('a Job that is asked for', () => {
  it('at once is not judged again', async () => {
    const { requests, sent } = requesting()
    await requests.createJob(job, never)
    expect(sent).toEqual(['create jobs'])
  })

  it('after a wait for its turn is judged again', async () => {
    const { clock, requests, sent } = requesting({ answerMs: 1000, maxRequests: 1 })
    const first = requests.createJob(job, always)
    const late = expect(requests.createJob(job, never)).rejects.toThrow(NoLongerDue)
    await clock.advanceBy(2000)
    await first
    await late
    expect(sent).toEqual(['create jobs'])
  })

  it.each([
    ['a second', 1000, []],
    ['less than a second', 999, ['create jobs']],
  ])('after %s of waiting for a connection is judged again or not', async (_, ms, expected) => {
    const { clock, requests, sent } = requesting({ connectMs: ms })
    const settled = requests.createJob(job, never).catch((error: unknown) => error)
    await clock.advanceBy(1000)
    if (expected.length === 0) expect(await settled).toBeInstanceOf(NoLongerDue)
    else expect(await settled).toMatchObject({ metadata: name })
    expect(sent).toEqual(expected)
  })

  it('only to see what the server says is not made', async () => {
    const { requests, server } = requesting()
    expect(await requests.tryJob(job)).toEqual([])
    expect(server.objects.all(jobs)).toEqual([])
  })
})

describe('a Job that is to go', () => {
  it('for a period goes in the foreground, and stays until its Pods are gone', async () => {
    const { requests, server } = requesting()
    const { uid = '' } = server.objects.create(jobs, job).metadata
    await requests.replaceJob(name, uid, always)
    expect(server.objects.get(jobs, name).metadata.finalizers).toEqual(['foregroundDeletion'])
  })

  it('from history goes at once', async () => {
    const { requests, server } = requesting()
    const { uid = '' } = server.objects.create(jobs, job).metadata
    await requests.pruneJob(name, uid)
    expect(server.objects.all(jobs)).toEqual([])
  })

  it('is the one that was meant, not another of the same name', async () => {
    const { requests, server } = requesting()
    server.objects.create(jobs, job)
    await expect(requests.replaceJob(name, 'other', always)).rejects.toMatchObject({ status: 409 })
    await expect(requests.pruneJob(name, 'other')).rejects.toMatchObject({ status: 409 })
    expect(server.objects.all(jobs)).toHaveLength(1)
  })

  it('may be gone already', async () => {
    const { requests, sent } = requesting()
    await requests.replaceJob(name, 'gone', always)
    await requests.pruneJob(name, 'gone')
    expect(sent).toEqual(['delete jobs', 'delete jobs'])
  })
})
