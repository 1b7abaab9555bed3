import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import type { KronJob } from '../kronjob/index.js'
import { eventObject, type KronEvent } from './kron-event.js'

const dns = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const news: KronEvent = {
  reason: 'MissedDeadline',
  type: 'Warning',
  message: 'was not started in time',
  subject: '2026-03-01T10:00:00Z',
}

const kronJob = (metadata: Partial<KronJob['metadata']> = {}): KronJob => ({
  ...kronJobOf(),
  metadata: { name: 'backup', namespace: 'shop', uid: 'u1', resourceVersion: '7', ...metadata },
})

const made = (metadata?: Partial<KronJob['metadata']>, event: Partial<KronEvent> = {}) =>
  eventObject(kronJob(metadata), { ...news, ...event }, at('10:00:00'), 'kron-1')

const nameOf = (...about: Parameters<typeof made>): string => made(...about).metadata.name

describe('the object of an event', () => {
  it('says what happened to which KronJob, when, and who tells it', () => {
    expect(made()).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: expect.stringMatching(/^backup\.[0-9a-f]{20}$/), namespace: 'shop' },
      involvedObject: {
        apiVersion: 'kron.io/v1alpha1',
        kind: 'KronJob',
        namespace: 'shop',
        name: 'backup',
        uid: 'u1',
        resourceVersion: '7',
      },
      reason: 'MissedDeadline',
      message: 'was not started in time',
      type: 'Warning',
      source: { component: 'kron-operator' },
      reportingComponent: 'kron-operator',
      reportingInstance: 'kron-1',
      firstTimestamp: '2026-03-01T10:00:00Z',
      lastTimestamp: '2026-03-01T10:00:00Z',
      count: 1,
    })
  })

  it('has the same name for every sender, time and wording', () => {
    const again = eventObject(kronJob(), { ...news, message: 'late' }, at('11:00:00'), 'kron-2')
    expect(again.metadata.name).toBe(nameOf())
  })

  it('has another name for another KronJob, reason or subject', () => {
    const names = [
      nameOf(),
      nameOf({ uid: 'u2' }),
      nameOf({}, { reason: 'Unschedulable' }),
      nameOf({}, { subject: '2026-03-01T11:00:00Z' }),
    ]
    expect(new Set(names).size).toBe(4)
  })

  it.each([
    ['a long name', 'a'.repeat(253)],
    ['a long name with a dash where it is cut', `${'a'.repeat(231)}-${'b'.repeat(21)}`],
    ['a long name with a dot where it is cut', `${'a'.repeat(231)}.${'b'.repeat(21)}`],
  ])('has a name that a server takes, of a KronJob with %s', (_, name) => {
    const { length } = nameOf({ name })
    expect(length).toBeGreaterThan(250)
    expect(length).toBeLessThanOrEqual(253)
    expect(nameOf({ name })).toMatch(dns)
  })

  it('has a message that a server takes', () => {
    expect(made({}, { message: 'x'.repeat(2000) })['message']).toBe('x'.repeat(1024))
  })
})
