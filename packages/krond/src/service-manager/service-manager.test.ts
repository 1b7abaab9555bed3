import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceEnvironment, serviceManager } from './service-manager.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-service-'))
afterAll(() => rmSync(folder, { recursive: true }))

const record = join(folder, 'record')
beforeEach(() => writeFileSync(record, ''))

/** Stands in for systemd-notify: writes down when it begins, what it was given, and its end. */
const standIn = script(
  'notify',
  `echo "begin $NOTIFY_SOCKET" >> ${record}
for word in "$@"; do printf '%s\\n' "$word" >> ${record}; done
env | sed 's/=.*//; s/^/env /' >> ${record}
echo end >> ${record}`,
)

function script(name: string, body: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}

function told(): string[] {
  return readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('env '))
}

const clock = new VirtualClock(0)

function serviceWith(given: Partial<ServiceEnvironment> & { env: ServiceEnvironment['env'] }) {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = createLog({ format: 'json', level: 'info', component: 'krond', clock, write })
  const service = serviceManager({ pid: 42, clock, log, notifyPath: standIn, ...given })
  return { service, lines }
}

const env = { NOTIFY_SOCKET: '@kron/notify', PATH: process.env['PATH'], SECRET: 'x' }

describe('a service manager that asked for notifications', () => {
  it('is notified of readiness, with a status for people', async () => {
    const { service, lines } = serviceWith({ env })
    await service.ready('12 jobs')
    expect(told()).toEqual(['begin @kron/notify', 'READY=1', 'STATUS=12 jobs', 'end'])
    expect(lines).toEqual([])
  })

  it('can not be told anything else by a status', async () => {
    await serviceWith({ env }).service.stopping('bye\nMAINPID=1\r\u0085x')
    expect(told()).toEqual(['begin @kron/notify', 'STOPPING=1', 'STATUS=bye MAINPID=1 x', 'end'])
  })

  it('learns when a reload began, on the clock that only goes forward', async () => {
    const before = process.hrtime.bigint() / 1000n
    await serviceWith({ env }).service.reloading()
    const after = process.hrtime.bigint() / 1000n
    const [, first, second] = told()
    expect(first).toBe('RELOADING=1')
    const micros = BigInt(/^MONOTONIC_USEC=(\d+)$/.exec(second!)![1]!)
    expect(micros >= before && micros <= after).toBe(true)
  })

  it('hears everything in the order in which it was said', async () => {
    const { service } = serviceWith({ env })
    const said = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(said.map((status) => service.ready(status)))
    const expected = said.flatMap((status) => [
      'begin @kron/notify',
      'READY=1',
      `STATUS=${status}`,
      'end',
    ])
    expect(told()).toEqual(expected)
  })

  it('is not shown the environment of the daemon', async () => {
    await serviceWith({ env }).service.ready()
    const recorded = readFileSync(record, 'utf8')
    expect(recorded).toContain('env NOTIFY_SOCKET\n')
    expect(recorded).not.toContain('SECRET')
  })

  it('is found without a search path', async () => {
    const withoutPath = { NOTIFY_SOCKET: '/run/notify' }
    const { service, lines } = serviceWith({ env: withoutPath })
    await service.ready()
    expect(lines).toEqual([])
    expect(told()).toEqual(['begin /run/notify', 'READY=1', 'end'])
  })
})

describe('a service manager that can not be reached', () => {
  it.each([
    ['a program that fails', script('fails', 'exit 3'), 'ended with exit code 3'],
    ['a program that is killed', script('killed', 'kill -KILL $$'), 'ended with SIGKILL'],
    ['no program', join(folder, 'absent'), 'ENOENT'],
    ['a path that no process can have', 'a\0b', 'null bytes'],
  ])('because of %s is an error in the log, and no more', async (_, notifyPath, reason) => {
    const { service, lines } = serviceWith({ env, notifyPath })
    await service.ready()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      event: 'error',
      error_type: 'SystemError',
      code: 'KRON_SYSTEM',
      operation: 'notify_service_manager',
    })
    expect(lines[0]?.['message']).toContain('could not notify the service manager')
    expect(lines[0]?.['message']).toContain(reason)
  })

  it('is told the next thing all the same', async () => {
    const once = script(
      'once',
      `[ -e ${folder}/tried ] || { touch ${folder}/tried; exit 1; }
exec ${standIn} "$@"`,
    )
    const { service, lines } = serviceWith({ env, notifyPath: once })
    await Promise.all([service.reloading(), service.ready()])
    expect(lines).toHaveLength(1)
    expect(told()).toEqual(['begin @kron/notify', 'READY=1', 'end'])
  })
})

describe('without a service manager', () => {
  it.each([{}, { NOTIFY_SOCKET: '' }, { WATCHDOG_USEC: '1000000' }])(
    'in %j nobody is told anything',
    async (nothing) => {
      const { service, lines } = serviceWith({ env: nothing })
      await service.ready()
      await service.reloading()
      await service.stopping()
      await service.watch(() => true, new AbortController().signal)
      expect(told()).toEqual([])
      expect(lines).toEqual([])
    },
  )
})

describe('the watchdog of a service', () => {
  /** A clock on which no time passes; the third sleep is the end. */
  function countingClock(controller: AbortController) {
    const sleeps: number[] = []
    const sleep = async (ms: number): Promise<void> => {
      sleeps.push(ms)
      if (sleeps.length === 3) controller.abort()
    }
    return { sleeps, clock: { now: () => new Date(0), sleep } }
  }

  it('gets its signs of life, half an interval apart', async () => {
    const controller = new AbortController()
    const { sleeps, clock } = countingClock(controller)
    const { service } = serviceWith({ env: { ...env, WATCHDOG_USEC: '6000000' }, clock })
    await service.watch(() => true, controller.signal)
    expect(sleeps).toEqual([3000, 3000, 3000])
    expect(told().filter((line) => line === 'WATCHDOG=1')).toHaveLength(3)
  })

  it('gets none when it watches another process', async () => {
    const controller = new AbortController()
    const { sleeps, clock } = countingClock(controller)
    const other = { ...env, WATCHDOG_USEC: '6000000', WATCHDOG_PID: '7' }
    await serviceWith({ env: other, clock }).service.watch(() => true, controller.signal)
    expect(sleeps).toEqual([])
    expect(told()).toEqual([])
  })
})
