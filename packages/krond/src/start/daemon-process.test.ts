import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError, SystemError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { MemoryMachine } from '../../testing/start/memory-machine.js'
import type { Configuration } from '../configuration/configuration.js'
import { readStateLock } from '../lock/state-lock.js'
import { stateFileName } from '../state/index.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const job = sampleJob('*/5 * * * * @policy(deadline=1m)')
const invalid = new ConfigurationError('KRON_KRONTAB_SYNTAX', '/jobs.krontab:3:1: nonsense', {
  field: 'file',
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-daemon-process-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const machineWith = (configuration: Partial<Configuration> = { jobs: [job] }) =>
  new MemoryMachine({ at, folder, configuration: { jobs: [], problems: [], ...configuration } })

describe('a daemon', () => {
  it('says what it is, runs, and ends with 0 when it is told to stop', async () => {
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(6 * minute)
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
    expect(machine.lines[0]).toMatchObject({
      event: 'start',
      level: 'info',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      tzdata: expect.stringMatching(/^20\d\d[a-z]/),
      state: folder,
      jobs: 1,
      pid: 4711,
    })
    expect(machine.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
    expect(machine.told).toEqual(['ready', 'stopping'])
  })

  it('tells who looks on how many jobs there are, and which is first', async () => {
    const hourly = sampleJob('30 * * * *', { name: 'hourly' })
    const machine = machineWith({ jobs: [hourly, job] })
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    machine.stop()
    await machine.clock.advanceBy(minute)
    await exit
    const next = { identity: job.identity, due: Date.parse(at) }
    expect(machine.greeted).toEqual([{ jobs: 2, next }])
  })

  it('is named in the lock as long as it lives', async () => {
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    expect(readStateLock(folder)).toMatchObject({
      held: true,
      info: { pid: 4711, krontabs: [], crontabs: [] },
    })
    machine.stop()
    await machine.clock.advanceBy(minute)
    await exit
    expect(readStateLock(folder).held).toBe(false)
  })

  it.each([
    [2, ['/srv/jobs', '/srv/jobs'], ['/etc/crontab']],
    [2000, undefined, undefined],
  ])(
    'tells others which files it runs, if they are not too many: %i',
    async (count, files, cron) => {
      const machine = machineWith()
      const krontabs = Array.from({ length: count }, () => '/srv/jobs')
      const exit = machine.run({ krontabs, crontabs: ['/etc/crontab'] })
      await machine.clock.advanceBy(0)
      const { info } = readStateLock(folder)
      expect([info?.['krontabs'], info?.['crontabs']]).toEqual([files, cron])
      machine.stop()
      await machine.clock.advanceBy(minute)
      expect(await exit).toBe(0)
    },
  )

  it('ends what runs when it was started so', async () => {
    const machine = machineWith()
    machine.world = () => ({})
    const exit = machine.run({ kill: true })
    await machine.clock.advanceBy(0)
    machine.stop()
    await machine.clock.advanceBy(0)
    expect(await exit).toBe(0)
    expect(machine.events('completed')).toMatchObject([{ signal: 'SIGTERM' }])
  })

  it('ends at once when it is told to stop a second time', async () => {
    const machine = machineWith()
    machine.world = () => ({})
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    machine.stop()
    machine.stop()
    expect(await exit).toBe(0)
    expect(machine.processes.running).toBe(1)
  })
})

describe('a daemon that is asked to leave', () => {
  it('ends at once in order, and a new one takes up what runs', async () => {
    const machine = machineWith()
    machine.world = () => ({})
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    machine.leave()
    expect(await exit).toBe(0)
    expect(machine.told).toContain('stopping')
    expect(machine.events('stop', 'left')).toMatchObject([{ running: 1 }, { running: 1 }])
    expect(machine.processes.running).toBe(1)
    machine.processes.crash()
    const next = machine.run()
    await machine.clock.advanceBy(0)
    expect(machine.events('recovered')).toMatchObject([{ alive: true }])
    machine.leave()
    expect(await next).toBe(0)
  })
})

describe('a daemon that may not start', () => {
  it.each([
    ['no job is valid', { problems: [invalid] }, {}, 2],
    [
      'one of its jobs is invalid and it is strict',
      { jobs: [job], problems: [invalid] },
      { strict: true },
      2,
    ],
  ] as const)('because %s ends with its code', async (_, configuration, settings, code) => {
    const machine = machineWith(configuration)
    expect(await machine.run(settings)).toBe(code)
    expect(machine.events('error').at(-1)).toMatchObject({
      level: 'error',
      identity: null,
      error_type: 'ConfigurationError',
      operation: 'start',
      message: invalid.message,
    })
    expect(machine.events('start', 'decision')).toEqual([])
    expect(readStateLock(folder).held).toBe(false)
  })

  it('because the folder has one already ends with 3, and touches nothing', async () => {
    const first = machineWith()
    const exit = first.run()
    await first.clock.advanceBy(0)
    const second = machineWith()
    expect(await second.run()).toBe(3)
    expect(second.events('error')).toMatchObject([
      { operation: 'start', error_type: 'SystemError', code: 'KRON_STATE_LOCKED' },
    ])
    expect(second.executed).toEqual([])
    first.stop()
    await first.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })

  it('because the machine can not start jobs ends with 4', async () => {
    const machine = machineWith()
    machine.gateFailure = new SystemError('KRON_SYSTEM', 'no shell', { field: 'shell' })
    expect(await machine.run()).toBe(4)
    expect(machine.events('error')).toMatchObject([{ operation: 'start', message: 'no shell' }])
  })

  it('because it can not write who holds the lock ends with 3', async () => {
    mkdirSync(join(folder, 'krond.lock'))
    const machine = machineWith()
    expect(await machine.run()).toBe(3)
    expect(machine.events('error')).toMatchObject([
      { operation: 'start', error_type: 'SystemError', code: 'KRON_STATE_LOCK' },
    ])
  })

  it('because of the state of one job names the job', async () => {
    const path = join(folder, stateFileName(job.identity))
    writeFileSync(path, '{"Version":"2"}', { mode: 0o600 })
    const machine = machineWith()
    expect(await machine.run()).toBe(3)
    expect(machine.events('error')).toMatchObject([
      {
        identity: job.identity,
        component: 'krond',
        error_type: 'IncompatibleStateError',
        operation: 'start',
        message: expect.stringContaining('got "2"'),
      },
    ])
  })

  it('because one job is invalid names the job', async () => {
    const details = { field: 'file', identity: '/jobs.krontab:bad' }
    const problem = new ConfigurationError('KRON_KRONTAB_SYNTAX', 'nonsense', details)
    const machine = machineWith({ problems: [problem] })
    expect(await machine.run()).toBe(2)
    expect(machine.events('error')).toMatchObject([
      { operation: 'read_configuration', identity: details.identity },
      { operation: 'start', identity: details.identity },
    ])
  })

  it('because its folder is open to others ends with 3', async () => {
    chmodSync(folder, 0o755)
    const machine = machineWith()
    expect(await machine.run()).toBe(3)
    expect(machine.events('error')).toMatchObject([{ code: 'KRON_STATE_UNSAFE' }])
  })

  it('because of state that it does not understand ends with 3, and says so', async () => {
    const path = join(folder, stateFileName(job.identity))
    writeFileSync(path, JSON.stringify({ Version: '99', Identity: job.identity }), { mode: 0o600 })
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(6 * minute)
    expect(await exit).toBe(3)
    expect(machine.events('error')).toMatchObject([
      {
        level: 'error',
        error_type: 'IncompatibleStateError',
        message: expect.stringMatching(/"99"/),
      },
    ])
    expect(machine.events('decision', 'trigger')).toEqual([])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ Version: '99' })
  })

  it('because it can not listen says so, and runs nothing', async () => {
    const machine = machineWith()
    const exit = machine.run({ listen: 'unix:/no/such/folder/socket' })
    await machine.clock.advanceBy(6 * minute)
    expect(await exit).not.toBe(0)
    expect(machine.events('error')).toMatchObject([
      { operation: 'start', message: expect.stringMatching(/\/no\/such\/folder/) },
    ])
    expect(machine.executed).toEqual([])
  })
})

describe('a configuration with invalid jobs', () => {
  it('is used without them, and each is reported', async () => {
    const machine = machineWith({ jobs: [job], problems: [invalid] })
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    expect(machine.events('error')).toMatchObject([
      { operation: 'read_configuration', message: invalid.message, level: 'error' },
    ])
    expect(machine.executed).toEqual([`job ${at}`])
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })
})

describe('a reload', () => {
  const other = sampleJob('* * * * *', { name: 'other' })
  const answerIn = () => {
    const { info } = readStateLock(folder)
    return [info?.['reloadedAt'] !== undefined, info?.['reloadFailure']]
  }

  it('logs each job that is invalid, and each notice', async () => {
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(0)
    const problems = ['a', 'b'].map(
      (name) =>
        new ConfigurationError('KRON_KRONTAB_SYNTAX', `${name} is nonsense`, {
          field: 'file',
          identity: `/jobs.krontab:${name}`,
        }),
    )
    machine.configuration = { jobs: [], problems, notices: ['there is more'] }
    machine.reload()
    await machine.clock.advanceBy(1000)
    expect(machine.events('error')).toMatchObject([
      { operation: 'read_configuration', identity: '/jobs.krontab:a', message: 'a is nonsense' },
      { operation: 'read_configuration', identity: '/jobs.krontab:b', message: 'b is nonsense' },
      { operation: 'reload', identity: '/jobs.krontab:a' },
    ])
    expect(machine.events('notice')).toMatchObject([{ level: 'warn', message: 'there is more' }])
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })

  it('says in the lock which starts wait for a place, until they do not any more', async () => {
    const hourly = (name: string) => sampleJob('0 * * * * @policy(deadline=50m)', { name })
    const jobs = ['a', 'b', 'c'].map(hourly)
    const machine = machineWith({ jobs, problems: [] })
    const exit = machine.run({ maxRunning: 1 })
    await machine.clock.advanceBy(2000)
    expect(readStateLock(folder).info).toMatchObject({
      pid: 4711,
      waitingCount: 2,
      waiting: [jobs[1]!.identity, jobs[2]!.identity],
    })
    await machine.clock.advanceBy(5 * minute)
    expect(readStateLock(folder).info).toMatchObject({ waitingCount: 0, waiting: [] })
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })

  it('takes up the new jobs and says so in the lock', async () => {
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(1000)
    expect(answerIn()).toEqual([false, undefined])
    machine.configuration = { jobs: [job, other], problems: [] }
    machine.reload()
    await machine.clock.advanceBy(minute)
    expect(answerIn()).toEqual([true, null])
    expect(machine.events('reload')).toMatchObject([{ jobs: 2, added: 1 }])
    expect(machine.told).toEqual(['ready', 'reloading', 'ready'])
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })

  it.each([
    ['has a single invalid job', { jobs: [other], problems: [invalid] }, /nonsense/],
    ['can not be read at all', invalid, /nonsense/],
    [
      'has more to say than fits',
      new ConfigurationError('KRON_KRONTAB_SYNTAX', 'x'.repeat(1e5), { field: 'file' }),
      /^x+$/,
    ],
  ])('of a configuration that %s leaves all as it was', async (_, configuration, message) => {
    const machine = machineWith()
    const exit = machine.run()
    await machine.clock.advanceBy(1000)
    machine.configuration = configuration
    machine.reload()
    await machine.clock.advanceBy(1000)
    expect(answerIn()).toEqual([true, expect.stringMatching(message)])
    expect(machine.events('error').at(-1)).toMatchObject({
      operation: 'reload',
      error_type: 'ConfigurationError',
      level: 'error',
    })
    await machine.clock.advanceBy(5 * minute)
    expect(machine.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
    machine.configuration = { jobs: [], problems: [] }
    machine.reload()
    await machine.clock.advanceBy(minute)
    expect(machine.events('reload')).toMatchObject([{ removed: 1 }])
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })

  it('that comes while the daemon starts waits for it', async () => {
    const machine = machineWith()
    machine.onConfigure = () => {
      machine.onConfigure = () => {}
      machine.reload()
    }
    const exit = machine.run()
    await machine.clock.advanceBy(5 * minute)
    expect(machine.events('reload')).toMatchObject([{ jobs: 1, added: 0, changed: 0, removed: 0 }])
    expect(machine.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
  })
})

describe('a stop that comes while the daemon starts', () => {
  it('has it end in order before anything runs', async () => {
    const machine = machineWith()
    machine.onConfigure = () => machine.stop()
    expect(await machine.run()).toBe(0)
    expect(machine.executed).toEqual([])
    expect(readdirSync(folder)).toEqual(['krond.lock'])
  })
})
