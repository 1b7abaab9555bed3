import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import { changedKubeApi, MemoryKubeApi } from '../../testing/kube-api/index.js'
import { EventRecorder, type KronEvent } from '../event/index.js'
import type { KronJob, KronJobStatus } from '../kronjob/index.js'
import { ApiFailure, events, type KubeApi, type KubeObject, kronJobs } from '../kube/index.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import { Requests } from '../requests/requests.js'
import { StatusWriter } from './status-writer.js'

const name = { namespace: 'default', name: 'backup' }
const now = at('10:30:00')
const conflict = (): ApiFailure => new ApiFailure('changed', { status: 409, reason: 'Conflict' })

/** As somebody applies it. */
const applied = (): KubeObject => ({ ...kronJobOf(), metadata: name })

/** A KronJob of an API server, and a writer of its status. */
function writing(change: (api: KubeApi, log: string[]) => Partial<KubeApi> = () => ({})) {
  const { clock } = sampleWorld()
  const server = new MemoryKubeApi({ clock })
  const done: string[] = []
  const logged: KubeApi = changedKubeApi(server, {
    get: (...asked) => noted('get', server.get(...asked)),
    create: (...asked) => noted('tell', server.create(...asked)),
    patch: (...asked) => noted('patch', server.patch(...asked)),
  })
  async function noted<T>(what: string, answer: Promise<T>): Promise<T> {
    const answered = await answer
    done.push(what)
    return answered
  }
  const world = sampleWorld(changedKubeApi(logged, change(logged, done)), () => true, clock)
  const { signal } = new AbortController()
  const requests = new Requests(world, 8, signal)
  const recorder = new EventRecorder({
    create: (event) => requests.createEvent(event),
    clock,
    instance: 'test',
    signal,
    onFailure: () => undefined,
  })
  const taken: KubeObject[] = []
  const note = (object: KubeObject): void => void taken.push(object)
  const writer = new StatusWriter({ requests, recorder, clock, note })
  const kronJob = server.objects.create(kronJobs, applied()) as KronJob
  const record = new KronJobRecord('default/backup', kronJob, now)
  const status = (): KronJobStatus => (server.objects.get(kronJobs, name) as KronJob).status ?? {}
  const edit = (patch: object): KubeObject => server.objects.patch(kronJobs, name, patch)
  const told = (): unknown[] => server.objects.all(events).map((event) => event['message'])
  return { clock, server, record, writer, done, noted: taken, status, edit, told }
}

const news = (subject: string): KronEvent => ({
  reason: 'InvalidSpec',
  type: 'Warning',
  message: `about ${subject}`,
  subject,
})

describe('a status', () => {
  it('is written after its events are told, and then taken as it is', async () => {
    const { record, writer, done, noted, status } = writing()
    record.pendingEvents.push(news('a'))
    record.putJob(jobOf('10:00:00', 'succeeded'))
    expect(await writer.write(record, now)).toBeNull()
    expect(done).toEqual(['tell', 'tell', 'tell', 'patch'])
    expect(status()).toMatchObject({ lastPeriodID: '2026-03-01T10:00:00Z', observedGeneration: 1 })
    expect(record.kronJob.status).toEqual(status())
    expect(noted).toEqual([record.kronJob])
    expect(record.pendingEvents).toEqual([])
  })

  it('is not written when it says the same, nor are events told again', async () => {
    const { record, writer, done } = writing()
    await writer.write(record, now)
    await writer.write(record, now + 60_000)
    expect(done).toEqual(['patch'])
  })

  it('keeps news that come while others are told', async () => {
    const { record, writer, told } = writing((api) => ({
      create: async (...asked) => {
        if (record.pendingEvents.length < 2) record.pendingEvents.push(news('later'))
        return api.create(...asked)
      },
    }))
    record.pendingEvents.push(news('a'))
    await writer.write(record, now)
    expect(record.pendingEvents).toEqual([news('later')])
    expect(told()).toEqual(['about a'])
  })

  it('keeps news that could not be told because the term ended', async () => {
    const { record, writer, status } = writing(() => ({
      create: () => Promise.reject(new Error('cut')),
    }))
    record.pendingEvents.push(news('a'))
    await expect(writer.write(record, now)).rejects.toThrow('cut')
    expect(record.pendingEvents).toEqual([news('a')])
    expect(status()).toEqual({})
  })

  it('is made again for a KronJob that somebody has changed', async () => {
    const { record, writer, done, status, edit } = writing()
    edit({ spec: { schedule: '5 * * * *' } })
    await writer.write(record, now)
    expect(done).toEqual(['get', 'patch'])
    expect(status().observedGeneration).toBe(2)
    expect(record.kronJob.spec.schedule).toBe('5 * * * *')
  })

  it('is given up after some conflicts in a row', async () => {
    const tries: number[] = []
    const { record, writer, done } = writing(() => ({
      patch: () => {
        tries.push(1)
        return Promise.reject(conflict())
      },
    }))
    await expect(writer.write(record, now)).rejects.toMatchObject({ status: 409 })
    expect(tries).toHaveLength(6)
    expect(done).toEqual(Array(5).fill('get'))
  })

  it('that can not be written is an error, and is not tried again here', async () => {
    const { record, writer, done } = writing(() => ({
      patch: () => Promise.reject(new ApiFailure('broken', { status: 500 })),
    }))
    await expect(writer.write(record, now)).rejects.toMatchObject({ status: 500 })
    expect(done).toEqual([])
  })

  it('of a KronJob that is gone is no error', async () => {
    const { record, writer, server } = writing()
    server.objects.delete(kronJobs, name, { propagation: 'Background' })
    expect(await writer.write(record, now)).toBeNull()
    await writer.refresh(record)
  })

  it('is not that of another KronJob of the same name', async () => {
    const { record, writer, server, noted, status } = writing()
    server.objects.delete(kronJobs, name, { propagation: 'Background' })
    const other = server.objects.create(kronJobs, applied()) as KronJob
    expect(other.metadata.uid).not.toBe(record.uid)
    const { kronJob } = record
    await expect(writer.write(record, now)).rejects.toMatchObject({ status: 409 })
    expect(record.kronJob).toBe(kronJob)
    expect(status()).toEqual({})
    expect(noted.at(-1)).toEqual(other)
  })

  it('that somebody keeps changing back is written once a second after a while', async () => {
    const { record, writer, server, status } = writing()
    const answers: (number | null)[] = []
    await writer.write(record, now)
    for (let time = 0; time < 7; time++) {
      const undo = { status: { activeCount: 7 } }
      const undone = server.objects.patch(kronJobs, name, undo, { subresource: 'status' })
      record.update(undone as KronJob, now)
      answers.push(await writer.write(record, now + time))
    }
    expect(answers).toEqual([null, null, null, null, null, now + 1004, now + 1004])
    expect(status().activeCount).toBe(7)
  })

  it('can be read, and a failure to read it is one', async () => {
    const fine = writing()
    fine.edit({ spec: { schedule: '5 * * * *' } })
    await fine.writer.refresh(fine.record)
    expect(fine.record.kronJob.spec.schedule).toBe('5 * * * *')
    const broken = writing(() => ({
      get: () => Promise.reject(new ApiFailure('broken', { status: 500 })),
    }))
    await expect(broken.writer.refresh(broken.record)).rejects.toMatchObject({ status: 500 })
  })
})
