import { PersistenceError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { CallKind, Fault } from '../../testing/disk/faulty-disk.js'

const at = '2026-03-01T10:00:00Z'
const job = sampleJob('*/5 * * * * @policy(deadline=1m)')
const write = ['create', 'write', 'sync', 'close', 'replace', 'syncFolder'] as const

describe('the effects of a start', () => {
  it('come in the order that makes it happen at most once', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
    await krond.start([job])
    await krond.clock.advanceBy(10_000)
    expect(krond.effects).toEqual([
      'log decision',
      'log trigger',
      'prepare',
      // Once in a life, before its first write.
      'syncFolder',
      ...write,
      'release',
      'log started',
      'log decision',
      'log completed',
      ...write,
    ])
  })

  it('have the process of the gate on disk when it is released', async () => {
    const krond = new VirtualKrond({ at })
    let onDisk: unknown
    const { processes } = krond
    const { prepare } = processes
    processes.prepare = async (start) => {
      const gate = await prepare.call(processes, start)
      const release = () => {
        onDisk = krond.stateOf(job)!['ActiveExecution']
        return gate.release()
      }
      return { ...gate, release }
    }
    await krond.start([job])
    expect(onDisk).toMatchObject({ PeriodID: at, PID: 2, StartTicks: 1 })
  })
})

const refused: Fault = { kind: 'refused', code: 'EIO' }
const doneButFailed: Fault = { kind: 'done-but-failed', code: 'ENOSPC' }
const places = write.flatMap((of) => [refused, doneButFailed].map((fault) => [of, fault] as const))
const placesOf = (write: number) =>
  places.map(([of, fault]) => {
    const call = of === 'syncFolder' ? write + 1 : write
    return [of, fault.kind, { of, fault, call }] as const
  })

/** The daemon with a second job, due a minute later, which must not be triggered any more. */
async function livedWithFault(plan: { of: CallKind; fault: Fault; call: number }) {
  const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
  const later = sampleJob('1 10 * * *', { name: 'later' })
  const { ended } = await krond.start([job, later], { fault: plan })
  await krond.clock.advanceBy(600_000)
  return { krond, error: await ended }
}

describe('a state write that fails before the release', () => {
  it.each(placesOf(2))('at %s (%s) ends the gate and the daemon', async (_of, _kind, plan) => {
    // The first write is that of the period which `later` missed yesterday.
    const { krond, error } = await livedWithFault(plan)
    expect(error).toBeInstanceOf(PersistenceError)
    expect(krond.executed).toEqual([])
    expect(krond.effects).toContain('abandon')
    expect(krond.effects).not.toContain('release')
    expect(krond.processes.running).toBe(0)
    expect(krond.events('error')).toMatchObject([
      {
        level: 'error',
        component: 'krond',
        identity: expect.stringMatching(/^\/jobs\.krontab:/),
        error_type: 'PersistenceError',
        operation: 'write_state',
        message: expect.stringMatching(/EIO|ENOSPC/),
      },
    ])
  })

  it('has no gate made for starts that have none yet', async () => {
    const krond = new VirtualKrond({ at })
    const many = Array.from({ length: 100 }, (_, number) =>
      sampleJob('*/5 * * * * @policy(deadline=1m)', { name: `job-${number}` }),
    )
    const { ended } = await krond.start(many, { fault: { of: 'sync', fault: refused, call: 1 } })
    await krond.clock.advanceBy(600_000)
    expect(await ended).toBeInstanceOf(PersistenceError)
    const gates = krond.effects.filter((effect) => effect === 'prepare').length
    expect(gates).toBeLessThan(many.length)
    const afterwards = krond.effects.slice(krond.effects.indexOf('log error'))
    expect(afterwards.filter((effect) => /prepare|trigger/.test(effect))).toEqual([])
    // Others whose own write is durable may still be released: they are recorded as executed.
    const recorded = many.filter((one) => krond.stateOf(one)?.['LastOutcome'] === 'executed')
    const names = new Set(recorded.map(({ name }) => `${name} ${at}`))
    expect(krond.executed.filter((text) => !names.has(text))).toEqual([])
  })

  it('is survived when only fewer bytes were written than given', async () => {
    const fault = { kind: 'short-write' } as const
    const krond = new VirtualKrond({ at })
    await krond.start([job], { fault: { of: 'write', fault, call: 1 } })
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.events('error')).toEqual([])
  })
})

describe('a state write that fails after the end of a job', () => {
  it.each(placesOf(2))('at %s (%s) ends the daemon', async (_of, _kind, plan) => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
    const { ended } = await krond.start([job], { fault: plan })
    await krond.clock.advanceBy(3_600_000)
    expect(await ended).toBeInstanceOf(PersistenceError)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.lines.at(-1)).toMatchObject({ event: 'error', operation: 'write_state' })
  })
})

describe('a state write that fails for a period that is not executed', () => {
  it.each(placesOf(1))('at %s (%s) ends the daemon', async (_of, _kind, plan) => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:02:00Z' })
    const { ended } = await krond.start([job], { fault: plan })
    await krond.clock.advanceBy(3_600_000)
    expect(await ended).toBeInstanceOf(PersistenceError)
    expect(krond.events('missed_deadline')).toEqual([])
    expect(krond.executed).toEqual([])
  })
})

describe('after any failing write', () => {
  it.each(placesOf(1))(
    'at %s (%s) the next daemon runs no period twice',
    async (_of, _kind, plan) => {
      const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
      const { ended } = await krond.start([job], { fault: plan })
      await krond.clock.advanceBy(20_000)
      expect(await ended).toBeInstanceOf(PersistenceError)
      krond.kill()
      await krond.start([job])
      await krond.clock.advanceBy(600_000)
      const { executed } = krond
      expect(new Set(executed).size).toBe(executed.length)
      expect(executed).toContain('job 2026-03-01T10:05:00Z')
      // What is on disk decides: an old state lets the period run, a new one has it as executed.
      const isNew = ['replace', 'syncFolder'].includes(plan.of) && plan.fault === doneButFailed
      const kept = isNew || plan.of === 'syncFolder'
      expect(executed.includes(`job ${at}`)).toBe(!kept)
      if (kept) expect(krond.events('recovered')).toMatchObject([{ alive: false, period_id: at }])
    },
  )
})
