import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExecutionError } from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { runToEnd, sampleStart } from '../../../testing/process/sample-start.js'
import type { Account } from '../processes.js'
import { systemProcesses } from '../system-processes.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-output-')))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

const processes = systemProcesses()
const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('output files of other users are not tested: only root can make them')

const say = (text: string) => ['/bin/sh', '-c', text] as const

describe('the output of a job', () => {
  it('comes line by line, each stream by its name', async () => {
    const text = 'echo one; echo two >&2; printf "\\377\\n"; printf last'
    const { stdout, stderr } = await runToEnd(processes, sampleStart(say(text)))
    expect(stdout).toEqual(['one', '\ufffd', 'last'])
    expect(stderr).toEqual(['two'])
  })

  it('is complete before the job counts as ended', async () => {
    const text = 'i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i + 1)); done'
    const { stdout } = await runToEnd(processes, sampleStart(say(text)))
    expect(stdout).toEqual(Array.from({ length: 20_000 }, (_, n) => `${n}`))
  })

  it('comes after the word that the job runs', async () => {
    const events: string[] = []
    const onLine = (_: string, line: string): void => void events.push(line)
    const gate = await processes.prepare(sampleStart(say('echo line'), {}, { onLine }))
    await gate.release().then(() => events.push('running'))
    await gate.exited
    expect(events).toEqual(['running', 'line'])
  })

  it('is not waited for when something that the job left behind holds it open', async () => {
    const pidFile = join(folder, 'left-behind')
    const asked: number[] = []
    const clock: Clock = {
      ...systemClock(),
      sleep(ms, signal) {
        if (ms !== 77) return systemClock().sleep(ms, signal)
        asked.push(ms)
        return Promise.resolve()
      },
    }
    const text = `sleep 1000 & echo $! >${pidFile}; echo said; printf unfinished; exit 5`
    const draining = systemProcesses({ clock, limits: { drainMs: 77 } })
    const { exit, stdout } = await runToEnd(draining, sampleStart(say(text)))
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
    expect(exit).toEqual({ code: 5, signal: null })
    expect(asked).toEqual([77])
    expect(stdout).toEqual(['said', 'unfinished'])
  })

  it('can be thrown away', async () => {
    const discard = { kind: 'discard' } as const
    const start = sampleStart(say('echo a; echo b >&2'), {
      stdout: discard,
      stderr: discard,
    })
    const { stdout, stderr } = await runToEnd(processes, start)
    expect([stdout, stderr]).toEqual([[], []])
  })
})

describe('an output file', () => {
  const target = (path: string) => ({ stdout: { kind: 'file', path } as const })

  it('is made with its mode, and appended to', async () => {
    const path = join(folder, 'appended.log')
    const before = process.umask(0o077)
    await runToEnd(processes, sampleStart(say('echo one'), target(path)))
    process.umask(before)
    await runToEnd(processes, sampleStart(say('echo two'), target(path)))
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })

  it('may be the same for both streams', async () => {
    const file = { kind: 'file', path: join(folder, 'both.log') } as const
    const start = sampleStart(say('echo a; echo b >&2; echo c'), { stdout: file, stderr: file })
    await runToEnd(processes, start)
    expect(readFileSync(file.path, 'utf8')).toBe('a\nb\nc\n')
  })

  it('has the time that was chosen in its name, or else the present', async () => {
    const period = { nominal: Date.UTC(2026, 2, 1), chosen: Date.UTC(2026, 2, 1, 1, 30) }
    const path = join(folder, 'at-%Y%m%d-%H%M%S.log')
    await runToEnd(processes, sampleStart(say('echo chosen'), target(path), { period }))
    expect(readFileSync(join(folder, 'at-20260301-013000.log'), 'utf8')).toBe('chosen\n')
    const clock: Clock = { ...systemClock(), now: () => new Date(Date.UTC(2027, 0, 2)) }
    await runToEnd(systemProcesses({ clock }), sampleStart(say('echo now'), target(path)))
    expect(readFileSync(join(folder, 'at-20270102-000000.log'), 'utf8')).toBe('now\n')
  })

  it.each([
    ['in a folder that does not exist', () => join(folder, 'no/such/folder.log'), /ENOENT/],
    ['that is a folder', () => folder, /EISDIR/],
    ['that is a device', () => '/dev/null', /is not a regular file/],
    [
      'that is a symbolic link',
      () => {
        symlinkSync(join(folder, 'elsewhere'), join(folder, 'link.log'))
        return join(folder, 'link.log')
      },
      /ELOOP/,
    ],
  ])('%s is refused, and nothing is run', async (_, make, message) => {
    const marker = join(folder, 'ran')
    const prepared = processes.prepare(sampleStart(['touch', marker], target(make())))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow(message)
    expect(existsSync(marker)).toBe(false)
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })
})

describe.runIf(isRoot)('an output file of another user', () => {
  const account: Account = { name: 'games', uid: 5, gid: 60, groups: [60], home: '/' }
  const start = (path: string) =>
    sampleStart(say('echo written'), { account, stdout: { kind: 'file', path } })

  it('belongs to that user when it is made, and is appended to later', async () => {
    const path = join(folder, 'of-games.log')
    await runToEnd(processes, start(path))
    await runToEnd(processes, start(path))
    const { uid, gid, mode } = statSync(path)
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 5, gid: 60, mode: 0o640 })
    expect(readFileSync(path, 'utf8')).toBe('written\nwritten\n')
  })

  it('may be one of ours', async () => {
    const path = join(folder, 'of-root.log')
    writeFileSync(path, 'root\n', { mode: 0o600 })
    await runToEnd(processes, start(path))
    expect(readFileSync(path, 'utf8')).toBe('root\nwritten\n')
  })

  it('is refused when it could be what that user has no right to', async () => {
    const foreign = join(folder, 'of-daemon.log')
    writeFileSync(foreign, '')
    chownSync(foreign, 1, 1)
    await expect(processes.prepare(start(foreign))).rejects.toThrow(
      'belongs to user 1, not to games',
    )
    const named = join(folder, 'first-name')
    writeFileSync(named, '')
    linkSync(named, join(folder, 'second-name'))
    const second = processes.prepare(start(join(folder, 'second-name')))
    await expect(second).rejects.toThrow('has a second name')
  })

  it('is refused behind a link in its path, which that user may have made', async () => {
    const [secret, home] = [join(folder, 'secret'), join(folder, 'home')]
    mkdirSync(secret)
    mkdirSync(home)
    symlinkSync(secret, join(home, 'logs'))
    const prepared = processes.prepare(start(join(home, 'logs', 'a.log')))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow(/ENOTDIR|ELOOP/)
    expect(readdirSync(secret)).toEqual([])
  })
})

describe('output to the system log', () => {
  const syslog = { kind: 'syslog' } as const
  const both = { stdout: syslog, stderr: syslog }

  it('is refused without the program for it', async () => {
    const loggerPath = '/no/such/logger'
    const prepared = systemProcesses({ loggerPath }).prepare(sampleStart(['/bin/true'], both))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow('stdout=syslog needs /no/such/logger')
  })

  it('goes to one logger for each stream, which has the name of the job', async () => {
    const [loggerPath, log] = [join(folder, 'logger'), join(folder, 'logger.log')]
    const script = `#!/bin/sh\nwhile read -r line; do echo "$* <$line>"; done >>${log}.$2\n`
    writeFileSync(loggerPath, script, { mode: 0o755 })
    const start = sampleStart(say('echo out; echo err >&2'), both, { name: 'backup/db' })
    const { exit } = await runToEnd(systemProcesses({ loggerPath }), start)
    expect(exit).toEqual({ code: 0, signal: null })
    const text = (priority: string): string => {
      const path = `${log}.--priority=${priority}`
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }
    while (!text('cron.info').endsWith('\n') || !text('cron.err').endsWith('\n')) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(text('cron.info')).toBe('--tag=backup/db --priority=cron.info <out>\n')
    expect(text('cron.err')).toBe('--tag=backup/db --priority=cron.err <err>\n')
  })

  const realLogger = ['/usr/bin/logger', '/bin/logger'].find((path) => existsSync(path))
  if (realLogger === undefined) console.warn('the real logger is not tested: there is none')

  it.runIf(realLogger !== undefined)('arrives at the socket of the log', async () => {
    const socket = join(folder, 'log.socket')
    let received = ''
    let onLines = (): void => {}
    const arrived = new Promise<void>((resolve) => {
      onLines = resolve
    })
    const server = createServer((connection) => {
      connection.on('data', (chunk) => {
        received += chunk
        if (received.includes('from the job') && received.includes('trouble')) onLines()
      })
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    const loggerPath = join(folder, 'logger-to-socket')
    writeFileSync(loggerPath, `#!/bin/sh\nexec ${realLogger} --socket ${socket} "$@"\n`, {
      mode: 0o755,
    })
    const start = sampleStart(say('echo from the job; echo trouble >&2'), both)
    await runToEnd(systemProcesses({ loggerPath }), start)
    await arrived
    server.close()
    // cron is facility 9; info is 6 and err is 3.
    expect(received).toMatch(/<78>.*sample: from the job/)
    expect(received).toMatch(/<75>.*sample: trouble/)
  })
})
