import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jobName, nameLabel, nominalTimeOf, periodLabel, suffixed } from './job-name.js'

const dns = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/
const period = '2026-03-01T02:30:00Z'

/** Names that Kubernetes takes for a KronJob. */
const kronJobNames = fc
  .stringMatching(/^[a-z0-9][-.a-z0-9]{0,250}[a-z0-9]$/)
  .filter((name) => dns.test(name))

describe('the name of a Job', () => {
  it('is that of its KronJob with a hash of the period', () => {
    expect(jobName('backup', period)).toBe('backup-9d949f80f1')
    expect(jobName('backup', '2026-03-02T02:30:00Z')).not.toBe(jobName('backup', period))
  })

  it('is a valid one of at most 63 characters, whatever the KronJob is called', () => {
    fc.assert(
      fc.property(kronJobNames, (name) => {
        for (const made of [jobName(name, period), suffixed(name, 'manual-abcde')]) {
          expect(made.length).toBeLessThanOrEqual(63)
          expect(made).toMatch(dns)
        }
        expect(nameLabel(name).length).toBeLessThanOrEqual(63)
        expect(nameLabel(name)).toMatch(labelValue)
      }),
    )
  })

  it('tells long names apart that begin alike', () => {
    const long = 'a'.repeat(80)
    expect(jobName(`${long}b`, period)).not.toBe(jobName(`${long}c`, period))
    expect(nameLabel(`${long}b`)).not.toBe(nameLabel(`${long}c`))
  })

  it('does not end its first part with a dot or a dash where it is cut', () => {
    const name = `${'a'.repeat(42)}.-.${'b'.repeat(30)}`
      .replaceAll('.-.', '...')
      .replaceAll('..', '.x')
    expect(jobName(name, period)).toMatch(dns)
  })
})

describe('the label of a period', () => {
  it('has no colons, and is read back', () => {
    expect(periodLabel(period)).toBe('2026-03-01T02-30-00Z')
    expect(nominalTimeOf(periodLabel(period))).toBe(Date.parse(period))
    expect(nominalTimeOf(period)).toBe(Date.parse(period))
  })

  it.each([undefined, '', 'yesterday', '2026-13-01T02-30-00Z'])(
    'is nothing if it is %s',
    (text) => {
      expect(nominalTimeOf(text)).toBeNull()
    },
  )
})
