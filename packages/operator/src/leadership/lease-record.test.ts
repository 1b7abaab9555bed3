import { describe, expect, it } from 'vitest'
import { leaseObject, leaseRecord, microTime } from './lease-record.js'

const name = { namespace: 'kron', name: 'kron-operator' }
const record = {
  holder: 'a',
  durationMs: 15_000,
  transitions: 3,
  acquireTime: '2026-03-01T10:00:00.000000Z',
  renewTime: '2026-03-01T10:00:02.000000Z',
}

describe('a lease', () => {
  it('is written as Kubernetes has it, and read back', () => {
    const object = leaseObject(name, record, '7')
    expect(object).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...name, resourceVersion: '7' },
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        leaseTransitions: 3,
        acquireTime: '2026-03-01T10:00:00.000000Z',
        renewTime: '2026-03-01T10:00:02.000000Z',
      },
    })
    expect(leaseRecord(object)).toEqual(record)
  })

  it('has no version before it exists, and no times that nobody knows', () => {
    const object = leaseObject(name, { ...record, acquireTime: '', renewTime: '' })
    expect(object.metadata).toStrictEqual(name)
    expect(object['spec']).toStrictEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 3,
    })
  })

  it.each([
    [0, 1],
    [1000, 1],
    [1001, 2],
    [15_000, 15],
  ])('of %i ms is one of %i seconds', (durationMs, seconds) => {
    const { spec } = leaseObject(name, { ...record, durationMs })
    expect(spec).toMatchObject({ leaseDurationSeconds: seconds })
  })

  it.each([undefined, null, {}, { holderIdentity: null, leaseDurationSeconds: null }])(
    'that says %j is free',
    (spec) => {
      expect(leaseRecord({ metadata: name, spec })).toEqual({
        holder: '',
        durationMs: 0,
        transitions: 0,
        acquireTime: '',
        renewTime: '',
      })
    },
  )

  it('has times with microseconds', () => {
    expect(microTime(new Date(Date.UTC(2026, 2, 1, 10, 0, 0, 7)))).toBe(
      '2026-03-01T10:00:00.007000Z',
    )
  })
})
