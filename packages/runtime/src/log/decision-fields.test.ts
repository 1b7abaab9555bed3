import { compileJob, type JobDefinition, parseInstant, tzdataVersion } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { decisionFields } from './decision-fields.js'

function fieldsOf(definition: Partial<JobDefinition>, time: string) {
  const job = compileJob({ identity: 'job', schedule: '0 12 * * *', ...definition })
  return decisionFields(job, job.decide(parseInstant(time)))
}

describe('the fields of a decision', () => {
  it('are all that reproduces it', () => {
    const window = { mode: 'after', duration: '1h' } as const
    const fields = fieldsOf({ window, timezone: 'Europe/Berlin' }, '2026-03-05T11:00:00Z')
    expect(fields).toEqual({
      schedule: '0 12 * * * @tz(Europe/Berlin) @win(after,1h)',
      dialect: 'standard',
      nominal_time: '2026-03-05T11:00:00Z',
      window_start: '2026-03-05T11:00:00Z',
      window_end: '2026-03-05T12:00:00Z',
      chosen_time: '2026-03-05T11:57:19Z',
      timezone: 'Europe/Berlin',
      tzdata: tzdataVersion,
      distribution: { name: 'uniform', params: {} },
      seed_strategy: 'stable',
      salt: '',
      seed_hash: 'fe62e47d7a5f9ded01b604b8e264559d1736964244b95eee39e27fce6169b355',
      attempts: 1,
      constraints_applied: { only: [], avoid: [] },
    })
  })

  it('have a reason and no time where nothing was chosen', () => {
    const fields = fieldsOf({ constraints: { only: 'months=4' } }, '2026-03-05T12:00:00Z')
    expect(fields).toMatchObject({
      chosen_time: null,
      reason: 'no candidate accepted within MaxAttempts',
    })
  })
})
