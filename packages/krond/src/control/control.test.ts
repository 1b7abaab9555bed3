import { ConfigurationError, SystemError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../testing/command/memory-host.js'
import { Invocation } from '../command/invocation.js'
import { reloadCommand, stopCommand } from './control-commands.js'
import {
  type DaemonContact,
  foundDaemon,
  type RunningDaemon,
  sourcesOfDaemon,
  toldSources,
} from './daemon-contact.js'

const now = Date.UTC(2026, 2, 1)

/** A daemon of which only the lock can be seen. */
class SeenDaemon implements DaemonContact {
  readonly clock = new VirtualClock(now)
  readonly signals: string[] = []
  daemon: RunningDaemon | null = { pid: 77, info: { pid: 77 } }
  /** What it does when it is signalled. */
  react: (signal: string) => void = () => {}

  find(): RunningDaemon | null {
    return this.daemon
  }

  signal(pid: number, signal: string): void {
    this.signals.push(`${signal} ${pid}`)
    this.react(signal)
  }

  /** Later it shows this, or is gone. */
  later(ms: number, daemon: RunningDaemon | null): void {
    void this.clock.sleep(ms).then(() => {
      this.daemon = daemon
    })
  }
}

const invocationOf = (format = 'text') => {
  const host = memoryHost({ now })
  return { host, invocation: new Invocation(host, { format, color: false }, 'krond') }
}

/** What a promise comes to when time passes. */
async function inTime<T>(contact: SeenDaemon, ms: number, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  await contact.clock.advanceBy(ms)
  return promise
}

describe('the holder of a lock', () => {
  const named = { held: true, info: { pid: 77 } }
  const nameless = { held: true, info: null }
  const free = { held: false, info: null }

  it.each([
    ['is found at once', [named], 77],
    ['is found while it writes its line', [nameless, nameless, named], 77],
    ['may have let go meanwhile', [nameless, free], null],
    ['is nobody when the lock is free', [free], null],
    ['is nobody when only its words are left', [{ ...named, held: false }], null],
    ['is nobody as long as it never says who it is', [nameless], null],
  ])('%s', (_, answers, pid) => {
    let looks = 0
    const found = foundDaemon(() => answers[Math.min(looks++, answers.length - 1)]!)
    expect(found?.pid ?? null).toBe(pid)
  })
})

describe('krond stop', () => {
  it.each([
    ['text', 'krond (process 77) has stopped\n'],
    ['json', '{\n  "stopped": true,\n  "pid": 77\n}\n'],
  ])('waits until the daemon has let go of its lock (%s)', async (format, output) => {
    const contact = new SeenDaemon()
    contact.react = () => contact.later(20_000, null)
    const { host, invocation } = invocationOf(format)
    const stopped = stopCommand(invocation, '/state', { leave: false, timeout: '1m' }, contact)
    await contact.clock.advanceBy(19_000)
    expect(host.output.stdout).toBe('')
    expect(await inTime(contact, 2000, stopped)).toBe(0)
    expect(host.output.stdout).toBe(output)
    expect(contact.signals).toEqual(['SIGTERM 77'])
  })

  it('has it leave its jobs behind when asked to', async () => {
    const contact = new SeenDaemon()
    contact.react = () => contact.later(100, null)
    const { invocation } = invocationOf()
    const stopped = stopCommand(invocation, '/state', { leave: true, timeout: '1m' }, contact)
    expect(await inTime(contact, 2000, stopped)).toBe(0)
    expect(contact.signals).toEqual(['SIGUSR2 77'])
  })

  it('is content when another daemon has taken its place', async () => {
    const contact = new SeenDaemon()
    contact.react = () => contact.later(1000, { pid: 78, info: { pid: 78 } })
    const stopped = stopCommand(
      invocationOf().invocation,
      '/s',
      { leave: false, timeout: '1m' },
      contact,
    )
    expect(await inTime(contact, 2000, stopped)).toBe(0)
  })

  it('says after its timeout that jobs still run', async () => {
    const contact = new SeenDaemon()
    const stopped = stopCommand(
      invocationOf().invocation,
      '/s',
      { leave: false, timeout: '5s' },
      contact,
    )
    const error = await inTime(contact, 6000, stopped).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      category: 'SystemError',
      message: 'krond (process 77) still runs',
      details: { hint: expect.stringContaining('krond stop --leave') },
    })
  })

  it.each(['5', '-1s', 'soon', '1.5s', '25h'])('refuses a timeout of %j', async (timeout) => {
    const contact = new SeenDaemon()
    const stopped = stopCommand(invocationOf().invocation, '/s', { leave: false, timeout }, contact)
    await expect(stopped).rejects.toMatchObject({ code: 'KRON_ARGUMENT_INVALID' })
    expect(contact.signals).toEqual([])
  })
})

describe('krond reload', () => {
  const other = { pid: 78, info: { pid: 78, reloadedAt: 'now', reloadFailure: null } }
  const answer = (info: object) => ({ pid: 77, info: { pid: 77, reloadedAt: 'now', ...info } })

  it.each([
    ['text', 'krond (process 77) has reloaded\n'],
    ['json', '{\n  "reloaded": true,\n  "pid": 77\n}\n'],
  ])('waits for the answer of the daemon (%s)', async (format, output) => {
    const contact = new SeenDaemon()
    contact.react = () => contact.later(3000, answer({ reloadFailure: null }))
    const { host, invocation } = invocationOf(format)
    const reloaded = reloadCommand(invocation, '/state', contact)
    expect(await inTime(contact, 4000, reloaded)).toBe(0)
    expect(host.output.stdout).toBe(output)
    expect(contact.signals).toEqual(['SIGHUP 77'])
  })

  it('does not take an earlier answer for its own', async () => {
    const contact = new SeenDaemon()
    contact.daemon = answer({ reloadedAt: 'before', reloadFailure: null })
    contact.react = () => contact.later(3000, answer({ reloadFailure: 'a.krontab:1:1: no' }))
    const reloaded = reloadCommand(invocationOf().invocation, '/state', contact)
    await expect(inTime(contact, 4000, reloaded)).rejects.toThrow(/a\.krontab:1:1/)
  })

  it('says why the daemon keeps its old jobs', async () => {
    const contact = new SeenDaemon()
    contact.react = () => contact.later(100, answer({ reloadFailure: 'a.krontab:3:1: no' }))
    const reloaded = reloadCommand(invocationOf().invocation, '/state', contact)
    const error = await inTime(contact, 1000, reloaded).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ message: 'krond keeps its old jobs: a.krontab:3:1: no' })
  })

  it.each([
    ['ends meanwhile', 1000, null, /process 77\) has ended/],
    ['is another one by then', 1000, other, /process 77\) has ended/],
    ['is silent', 31_000, undefined, /process 77\) does not answer/],
  ])('fails when the daemon %s', async (_, ms, later, message) => {
    const contact = new SeenDaemon()
    if (later !== undefined) contact.react = () => contact.later(100, later)
    const reloaded = reloadCommand(invocationOf().invocation, '/state', contact)
    const error = await inTime(contact, ms, reloaded).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SystemError)
    expect(error).toMatchObject({ message: expect.stringMatching(message) })
  })
})

describe('the files that a daemon tells of', () => {
  const told = (length: number) => ({ krontabs: [`/${'é'.repeat(length)}`], crontabs: ['/c'] })

  it('are told as long as they fit, in bytes, and then not at all', () => {
    expect(sourcesOfDaemon(toldSources(told(2000)))).toEqual(told(2000))
    expect(toldSources(told(2040))).toEqual({})
    expect(sourcesOfDaemon({})).toBeNull()
  })
})

describe('without a daemon', () => {
  it.each([
    [
      'stop',
      (contact: DaemonContact) =>
        stopCommand(invocationOf().invocation, '/s', { leave: false, timeout: '1s' }, contact),
    ],
    ['reload', (contact: DaemonContact) => reloadCommand(invocationOf().invocation, '/s', contact)],
  ])('krond %s says that there is none, and what to do', async (_, command) => {
    const contact = new SeenDaemon()
    contact.daemon = null
    await expect(command(contact)).rejects.toMatchObject({
      code: 'KRON_DAEMON_ABSENT',
      message: 'no krond runs on /s',
      details: { hint: expect.stringContaining('krond start') },
    })
    expect(contact.signals).toEqual([])
  })
})
