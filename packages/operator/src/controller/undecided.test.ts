import { type Job, SchedulingError } from '@kron/core'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { compileKronJob, type KronJob } from '../kronjob/index.js'
import { applyDefaults } from '../kronjob/schema/kron-job-schema.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import { EventLog } from './event-log.js'
import { Reconciler } from './reconciler.js'

const ten = Date.UTC(2026, 2, 1, 10)
const manifest = {
  metadata: {
    name: 'backup',
    namespace: 'default',
    uid: '1',
    generation: 1,
    creationTimestamp: '2026-02-01T00:00:00Z',
  },
  spec: { schedule: '0 * * * *', policy: { deadline: '30m' }, jobTemplate: {} },
}

/** A reconciler that can ask nothing of an API server, and a KronJob whose engine may fail. */
function reconciling() {
  const clock = new VirtualClock(ten)
  const lines: Record<string, unknown>[] = []
  const write = (line: string): number => lines.push(JSON.parse(line))
  const log = createLog({ format: 'json', level: 'info', component: 'test', clock, write })
  const nothing = () => undefined
  const failed: string[] = []
  const observer = {
    handled: nothing,
    started: nothing,
    ended: nothing,
    failed: (operation: string) => void failed.push(operation),
    reconciled: nothing,
  }
  const ports = { clock, observer }
  const events = new EventLog(log)
  const reconciler = new Reconciler({ ...ports, events, noteJob: nothing } as never)
  const kronJob = applyDefaults(manifest) as unknown as KronJob
  const record = new KronJobRecord('default/backup', kronJob, ten)
  const sound = compileKronJob(kronJob)
  const failing = new Proxy(sound, {
    get(target, name) {
      if (name === 'decide') throw new SchedulingError('KRON_INVARIANT', 'no', { field: 'x' })
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  }) as Job
  let isFailing = true
  Object.defineProperty(record, 'compiled', { get: () => (isFailing ? failing : sound) })
  const look = () => reconciler.handlePeriods(record, () => false, null)
  const mend = () => {
    isFailing = false
  }
  return { clock, lines, failed, record, look, mend, sound }
}

describe('an engine that can not decide', () => {
  it('is logged, handles nothing, and is asked again later and later', async () => {
    const { record, look, lines, failed, clock } = reconciling()
    const waits: number[] = []
    for (let tries = 0; tries < 4; tries++) {
      const again = await look()
      waits.push(again! - clock.now().getTime())
      // As after each status that was written.
      record.writeFailures = 0
      await clock.advanceTo(again!)
    }
    expect(waits[0]).toBeGreaterThan(0)
    expect(waits[3]).toBeGreaterThan(waits[0]!)
    expect(record.lastHandled).toBeNull()
    expect(failed).toEqual(Array(4).fill('decide'))
    expect(lines.map(({ event }) => event)).toEqual(Array(4).fill('error'))
    expect(lines[0]).toMatchObject({
      level: 'error',
      identity: 'default/backup',
      error_type: 'SchedulingError',
      operation: 'decide',
      message: 'no',
    })
  })

  it('is a condition of the KronJob until it can, and an event', async () => {
    const { record, look, mend, clock } = reconciling()
    for (let tries = 0; tries < 3; tries++) await clock.advanceTo((await look())!)
    expect(record.trouble).toEqual({
      condition: 'SchedulingError',
      reason: 'NoDecision',
      message: 'no',
    })
    const message = "no Job is created: the time of the next period can't be decided: no"
    expect(record.pendingEvents).toMatchObject([{ reason: 'NoDecision', type: 'Warning', message }])
    mend()
    record.remembered = { nominalTime: ten, chosenTime: ten, outcome: 'executed' }
    expect(await look()).toBe(ten + 3_600_000)
    expect(record.trouble).toBeNull()
  })

  it('does not change the decision that is made in the end', async () => {
    const { record, look, mend, sound, lines } = reconciling()
    await look()
    mend()
    // To execute it takes an API server, which is not there.
    await look()
    expect(record.planned).toEqual(sound.decide(ten))
    expect(lines.filter(({ event }) => event === 'decision')).toMatchObject([
      { seed_hash: sound.decide(ten).seedHash },
    ])
  })
})
