import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dueNow, KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

const stateOf = (name: string) =>
  JSON.parse(readFileSync(home.stateFile(name), 'utf8')) as Record<string, unknown>

describe('krond start', () => {
  it('runs what is due, and krond stop waits for it', async () => {
    home.jobs(home.waiting('a'))
    const daemon = home.start()
    const { pid } = await daemon.event('started', { outcome: 'executed' })
    expect(stateOf('a')).toMatchObject({ LastOutcome: 'executed', ActiveExecution: { PID: pid } })
    const stopped = home.krond('stop', '--state', home.state)
    await daemon.event('stop', { running: 1 })
    home.finish('a')
    expect(await daemon.ended).toBe(0)
    expect(await stopped).toEqual({
      code: 0,
      stdout: `krond (process ${daemon.pid}) has stopped\n`,
      stderr: '',
    })
    expect(daemon.stderr).toBe('')
    expect(daemon.lines.map(({ event }) => event)).toEqual([
      'start',
      'decision',
      'trigger',
      'started',
      'decision',
      'stop',
      'completed',
    ])
    expect(stateOf('a')).toMatchObject({ ActiveExecution: null, History: [{ ExitCode: 7 }] })
  })

  it('does not run a period again after a restart', async () => {
    home.jobs(`${dueNow} name=a command=/bin/true`)
    const first = home.start()
    await first.event('completed')
    first.kill('SIGTERM')
    await first.ended
    const second = home.start()
    await second.event('decision')
    second.kill('SIGINT')
    expect(await second.ended).toBe(0)
    expect(second.events('trigger')).toEqual([])
  })
})

describe('krond stop', () => {
  it('sent twice leaves the job running, and the next daemon records its end', async () => {
    home.jobs(home.waiting('a'))
    const first = home.start()
    const { pid, period_id } = await first.event('started')
    first.kill('SIGTERM')
    await first.event('stop')
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const second = home.start()
    expect(await second.event('recovered')).toMatchObject({ pid, period_id, alive: true })
    home.finish('a')
    expect(await second.event('completed')).toMatchObject({ pid, period_id, exit_code: null })
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.events('started')).toEqual([])
    expect(stateOf('a')).toMatchObject({ ActiveExecution: null, History: [{ ExitCode: null }] })
  })

  it('ends jobs when the daemon was started with --kill', async () => {
    home.jobs(home.waiting('a'))
    const daemon = home.start('--kill')
    await daemon.event('started')
    const { code, stdout } = await home.krond('stop', '--state', home.state, '--format', 'json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { stopped: true, pid: daemon.pid }])
    expect(await daemon.ended).toBe(0)
    expect(daemon.events('completed')).toMatchObject([{ signal: 'SIGTERM', exit_code: null }])
  })

  it('gives up after its timeout, with a hint', async () => {
    home.jobs(home.waiting('a'))
    const daemon = home.start()
    await daemon.event('started')
    const { code, stderr } = await home.krond('stop', '--state', home.state, '--timeout', '0s')
    expect(code).toBe(4)
    expect(stderr).toMatch(/still runs\nhint: /)
    home.finish('a')
    expect(await daemon.ended).toBe(0)
  })
})

describe('a restart of krond', () => {
  /** Says a line, waits for a file, says another, and leaves a file of its own. */
  const talking = (): string => {
    const text = `echo before; until [ -e a.done ]; do sleep 0.05; done; echo after; touch a.end`
    return `${dueNow} name=a command="${text}" shell=true cwd=${home.folder}`
  }

  it('with krond stop --leave is no outage: its jobs run on, and others run beside them', async () => {
    home.jobs(talking())
    const first = home.start()
    await first.event('output', { line: 'before' })
    const { code } = await home.krond('stop', '--leave', '--state', home.state)
    expect([code, await first.ended]).toEqual([0, 0])
    expect(first.lines.slice(-2)).toMatchObject([
      { event: 'stop', running: 1 },
      { event: 'left', running: 1 },
    ])
    home.jobs(talking(), `${dueNow} name=b command=/bin/true`)
    const second = home.start()
    expect(await second.event('recovered')).toMatchObject({ alive: true })
    await second.event('completed', { identity: `${home.krontab}:b` })
    home.finish('a')
    expect(await second.event('output', { line: 'after' })).toMatchObject({
      identity: `${home.krontab}:a`,
      stream: 'stdout',
    })
    await second.event('completed', { identity: `${home.krontab}:a` })
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('after SIGKILL finds what jobs wrote meanwhile; none of them died of it', async () => {
    home.jobs(talking())
    const first = home.start()
    await first.event('output', { line: 'before' })
    first.kill('SIGKILL')
    await first.ended
    home.finish('a')
    while (!existsSync(join(home.folder, 'a.end'))) await new Promise(setImmediate)
    const second = home.start()
    expect(await second.event('output')).toMatchObject({ line: 'after' })
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.events('started')).toEqual([])
  })
})

describe('a log that nobody reads', () => {
  it('holds up no job, and tells later what was dropped', async () => {
    const text = 'until [ -e a.done ]; do sleep 0.05; done; exec yes'
    const flood = `${dueNow} name=a command="${text}" shell=true cwd=${home.folder}`
    home.jobs(flood)
    const daemon = home.start('--kill')
    await daemon.event('started')
    daemon.stopReading()
    home.finish('a')
    while (!daemon.stderr.includes('its reader does not read')) await daemon.more()
    home.jobs(flood, `${dueNow} name=b command="touch ${home.folder}/ran"`)
    daemon.kill('SIGHUP')
    while (!existsSync(join(home.folder, 'ran'))) await new Promise(setImmediate)
    daemon.kill('SIGTERM')
    daemon.readOn()
    expect(await daemon.ended).toBe(0)
    expect(daemon.events('log_dropped')[0]).toMatchObject({ lines: expect.any(Number) })
    expect(daemon.events('completed')).toHaveLength(2)
  })
})

describe('krond status', () => {
  it('shows a daemon that runs, and ends with 3 when none does', async () => {
    home.jobs(home.waiting('a'), `${dueNow} name=b command=/bin/false`)
    const daemon = home.start()
    const { pid } = await daemon.event('started', { identity: `${home.krontab}:a` })
    await daemon.event('completed', { identity: `${home.krontab}:b`, exit_code: 1 })
    // Without --file: the daemon says which files it runs.
    const about = ['status', '--state', home.state]
    const text = await home.krond(...about)
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(new RegExp(`^krond runs as process ${daemon.pid} since 20`))
    expect(text.stdout).toMatch(new RegExp(`^a .* executed +${pid}$`, 'm'))
    daemon.kill('SIGTERM')
    home.finish('a')
    await daemon.ended
    const json = await home.krond(...about, '--file', home.krontab, '--format', 'json')
    expect(json.code).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({
      daemon: { running: false, pid: null },
      jobs: [
        { name: 'a', last: { outcome: 'executed', exit_code: 7 }, running: [] },
        { name: 'b', last: { outcome: 'executed', exit_code: 1 } },
      ],
    })
  })

  it('and its like say so when no daemon runs', async () => {
    for (const command of ['stop', 'reload']) {
      const { code, stdout, stderr } = await home.krond(command, '--state', home.state)
      expect([command, code, stdout]).toEqual([command, 3, ''])
      expect(stderr).toBe(
        `krond: no krond runs on ${home.state}\n` +
          'hint: start one with krond start, or name another folder with --state\n',
      )
    }
  })
})

describe('krond reload', () => {
  it('takes up changes of valid files only, and says what is wrong with others', async () => {
    home.jobs(home.waiting('a'))
    const daemon = home.start()
    await daemon.event('started')
    home.jobs(home.waiting('a'), `${dueNow} name=b command=/bin/true`)
    const reload = () => home.krond('reload', '--state', home.state)
    expect(await reload()).toEqual({
      code: 0,
      stdout: `krond (process ${daemon.pid}) has reloaded\n`,
      stderr: '',
    })
    await daemon.event('completed', { identity: `${home.krontab}:b`, exit_code: 0 })
    home.jobs(home.waiting('a'), 'nonsense', `${dueNow} name=c command=/bin/true`)
    const refused = await reload()
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^krond: krond keeps its old jobs: .*jobs\.krontab:2:\d+: /)
    expect(daemon.events('error').at(-1)).toMatchObject({
      operation: 'reload',
      error_type: 'ConfigurationError',
    })
    home.jobs(home.waiting('a'), `${dueNow} name=c command=/bin/true`)
    expect(await reload()).toMatchObject({ code: 0 })
    await daemon.event('completed', { identity: `${home.krontab}:c` })
    expect(daemon.events('reload')).toMatchObject([
      { jobs: 2, added: 1, changed: 0, removed: 0 },
      { jobs: 2, added: 1, changed: 0, removed: 1 },
    ])
    expect(daemon.events('started')).toHaveLength(3)
    daemon.kill('SIGTERM')
    home.finish('a')
    expect(await daemon.ended).toBe(0)
  })
})
