import { describe, expect, it } from 'vitest'
import type { Daemon } from './daemon.js'
import { sampleJob } from './testing/sample-job.js'
import { VirtualKrond } from './testing/virtual-krond.js'

const at = '2026-03-01T10:00:00Z'
const job = (policy = 'deadline=1h') => sampleJob(`0 * * * * @policy(${policy})`)

/** A host on which the gate of the first start is made when it is told to be. */
async function slowToPrepare() {
  const krond = new VirtualKrond({ at })
  const { processes } = krond
  const { prepare } = processes
  const made = Promise.withResolvers<void>()
  processes.prepare = async (start) => {
    await made.promise
    return prepare.call(processes, start)
  }
  const { daemon, ended } = await krond.start([job()])
  expect(krond.effects.at(-1)).toBe('prepare')
  const goOn = async (): Promise<void> => {
    made.resolve()
    await krond.clock.advanceBy(0)
  }
  return { krond, daemon, ended, goOn }
}

describe('a period whose gate is being made', () => {
  it.each<[string, (daemon: Daemon) => unknown]>([
    ['removed', (daemon) => daemon.reload([])],
    ['suspended', (daemon) => daemon.reload([job('deadline=1h,suspend=true')])],
    ['left behind by a daemon that stops', (daemon) => daemon.stop({ kill: false })],
  ])('does not run when its job is %s meanwhile', async (_, callOff) => {
    const { krond, daemon, goOn } = await slowToPrepare()
    void callOff(daemon)
    await goOn()
    await krond.clock.advanceBy(60_000)
    expect(krond.executed).toEqual([])
    expect(krond.effects).toContain('abandon')
    expect(krond.effects).not.toContain('release')
    expect(krond.processes.running).toBe(0)
    // Nothing says that it was handled, so that it can still be when the job is there again.
    expect(krond.stateOf(job())).toMatchObject({ LastHandledPeriodID: '', ActiveExecution: null })
  })

  it('runs when its job is only changed meanwhile', async () => {
    const { krond, daemon, goOn } = await slowToPrepare()
    await daemon.reload([job('deadline=2h')])
    await goOn()
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.effects).not.toContain('abandon')
  })
})
