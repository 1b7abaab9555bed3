import { describe, expect, it } from 'vitest'
import * as whole from '../dist/index.js'
import * as zoneless from '../dist/zoneless.js'

const definition = {
  identity: 'prod/db-backup',
  schedule: '0 0 * * *',
  window: { mode: 'after', duration: '3h' },
} as const

describe('the engine without zone data', () => {
  it('has all that the whole one has', () => {
    expect(Object.keys(zoneless).sort()).toEqual(Object.keys(whole).sort())
  })

  it('decides the same in UTC, by any of its names', () => {
    for (const timezone of ['UTC', 'Etc/UTC', 'Zulu']) {
      const decided = [whole, zoneless].map(({ compileJob }) => {
        const job = compileJob({ ...definition, timezone })
        return job.decide(job.nextPeriod(0)!)
      })
      expect(decided[1]).toEqual(decided[0])
    }
    expect(zoneless.tzdataVersion).toBe('none')
  })

  it('says what to import for a zone', () => {
    expect(() => zoneless.zone('Europe/Paris')).toThrow(
      'unknown time zone "Europe/Paris", and @kron/core/zoneless has UTC alone: import @kron/core ' +
        'for the other zones',
    )
  })
})
