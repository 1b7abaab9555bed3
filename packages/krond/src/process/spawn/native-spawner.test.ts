import { once } from 'node:events'
import { closeSync, createWriteStream, fstatSync, openSync, readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExitStatus } from '../processes.js'
import { ChildReaper, nativeSpawner } from './native-spawner.js'
import { loadProcessCalls } from './process-calls.js'
import type { SpawnRequest } from './spawner.js'

const calls = loadProcessCalls()
if (calls === null) console.warn('posix_spawn is not tested: koffi does not load on this machine')
const onlyNative = it.skipIf(calls === null)
const spawner = calls === null ? null : nativeSpawner(calls)

const shell = (script: string, more: Partial<SpawnRequest> = {}): SpawnRequest => ({
  program: '/bin/sh',
  words: ['-c', script],
  environment: { GREETING: 'hello' },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'pipe',
  become: null,
  ...more,
})

const openDescriptors = (): number => readdirSync('/proc/self/fd').length

onlyNative('gives a process its words, variables and streams, and nothing else', async () => {
  const child = await spawner!(
    shell('cat; echo $GREETING; echo oops >&2; env; ls /proc/self/fd | tr "\\n" " "; exit 7', {
      stdin: 'pipe',
    }),
  )
  child.stdin!.end('input\n')
  child.channel.destroy()
  const [output, errors, status] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    child.exit,
  ])
  expect(output).toMatch(/^input\nhello\n/)
  expect(output).not.toContain('PATH=/')
  expect(output).toMatch(/0 1 2 3 4 $/)
  expect([errors, status]).toEqual(['oops\n', { code: 7, signal: null }])
})

onlyNative('lets a job open its output by name, which a socket would not', async () => {
  const child = await spawner!(shell('echo named > /dev/stdout'))
  child.channel.destroy()
  expect(await text(child.stdout!)).toBe('named\n')
})

onlyNative('restores the signals that Node ignores', async () => {
  const child = await spawner!(shell('grep -E "^Sig(Ign|Blk)" /proc/self/status'))
  child.channel.destroy()
  const sets = (await text(child.stdout!)).match(/[0-9a-f]{16}/g)!
  // 32 and 33 belong to the C library itself.
  const named = sets.map((set) => BigInt(`0x${set}`) & 0x7fff_ffffn)
  expect(named).toEqual([0n, 0n])
})

onlyNative('tells which signal ended a process, however short it was', async () => {
  const endings = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const child = await spawner!(shell('kill -KILL $$', { stdout: 'ignore', stderr: 'ignore' }))
      child.channel.destroy()
      return child.exit
    }),
  )
  expect(new Set(endings.map(({ signal }) => signal))).toEqual(new Set(['SIGKILL']))
})

onlyNative('leaves no descriptor open when there is no process', async () => {
  const before = openDescriptors()
  for (const program of ['/no/such/program', '/etc/passwd']) {
    await expect(spawner!(shell('', { program, stdin: 'pipe' }))).rejects.toHaveProperty('code')
  }
  const zero = spawner!(shell('', { words: ['-c', 'true\0false'] }))
  await expect(zero).rejects.toHaveProperty('code', 'ERR_INVALID_ARG_VALUE')
  expect(openDescriptors()).toBe(before)
})

onlyNative('writes to a descriptor that was opened for it', async () => {
  const file = openSync('/dev/null', 'w')
  const child = await spawner!(
    shell('at=$(readlink /proc/$$/fd/1); echo $at >&2', { stdout: file }),
  )
  child.channel.destroy()
  expect(child.stdout).toBeNull()
  expect(await text(child.stderr!)).toBe('/dev/null\n')
})

onlyNative(
  'is connected in the directions that streams have, and in both by its channel',
  async () => {
    const child = await spawner!(shell('cat <&3', { stdin: 'pipe' }))
    const { stdin, stdout, stderr, channel } = child
    expect((stdin as Socket).readable).toBe(false)
    expect([stdout!.writable, stderr!.writable]).toEqual([false, false])
    channel.end('asked\n')
    expect(await text(stdout!)).toBe('asked\n')
    stdin!.destroy()
    expect(await child.exit).toEqual({ code: 0, signal: null })
  },
)

onlyNative('leaves a descriptor that was opened for it to who opened it', async () => {
  const file = openSync('/dev/null', 'w')
  const child = await spawner!(shell('exit 0', { stdout: file, stderr: file }))
  child.channel.destroy()
  await child.exit
  expect(fstatSync(file).isCharacterDevice()).toBe(true)
  closeSync(file)
})

onlyNative('has nothing of a process open that is gone', async () => {
  const before = openDescriptors()
  for (let n = 0; n < 5; n++) {
    const child = await spawner!(shell('echo x', { stdin: 'pipe' }))
    const streams = [child.stdin!, child.stdout!, child.stderr!, child.channel]
    const closed = streams.map((stream) => once(stream, 'close'))
    for (const stream of [child.stdin!, child.channel]) stream.destroy()
    await Promise.all([text(child.stdout!), text(child.stderr!), child.exit, ...closed])
  }
  expect(openDescriptors()).toBe(before)
})

onlyNative.each(['stdout', 'stderr'] as const)(
  'gives a process a stream for its %s',
  async (name) => {
    const stream = createWriteStream('/dev/zero')
    await once(stream, 'open')
    const other = name === 'stdout' ? 'stderr' : 'stdout'
    const descriptor = name === 'stdout' ? 1 : 2
    const script = `at=$(readlink /proc/$$/fd/${descriptor}); echo $at >&${3 - descriptor}`
    const child = await spawner!(shell(script, { [name]: stream }))
    expect(child[name]).toBeNull()
    expect(await text(child[other]!)).toBe('/dev/zero\n')
    stream.destroy()
  },
)

onlyNative('looks for a program without a path in PATH', async () => {
  const child = await spawner!(
    shell('echo found', { program: 'sh', environment: { PATH: '/bin' } }),
  )
  child.channel.destroy()
  expect(await text(child.stdout!)).toBe('found\n')
})

const asRoot = it.skipIf(calls === null || process.getuid?.() !== 0)
asRoot('becomes another user with no other groups', async () => {
  const script = 'grep -E "^(Uid|Gid|Groups):" /proc/self/status'
  const child = await spawner!(shell(script, { become: { uid: 65_534, gid: 60 } }))
  child.channel.destroy()
  const lines = (await text(child.stdout!)).trimEnd().split('\n')
  expect(lines.map((line) => line.split(/\s+/).filter(Boolean))).toEqual([
    ['Uid:', ...Array(4).fill('65534')],
    ['Gid:', ...Array(4).fill('60')],
    ['Groups:'],
  ])
})

const ended: ExitStatus = { code: 3, signal: null }

/** Children that run until they are in `over`. */
function reaperOf(over: Set<number>): ChildReaper {
  return new ChildReaper((pid) => (over.has(pid) ? ended : null))
}

describe('who waits for children', () => {
  const before = process.listeners('SIGCHLD')

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    for (const listener of process.listeners('SIGCHLD')) {
      if (!before.includes(listener)) process.off('SIGCHLD', listener)
    }
  })

  it('hears at once of one that has ended before', async () => {
    expect(await reaperOf(new Set([7])).exitOf(7)).toEqual(ended)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('hears of each one by a signal, and keeps this process alive for the others', async () => {
    const over = new Set<number>()
    const reaper = reaperOf(over)
    const heard: number[] = []
    const exits = [7, 8].map((pid) => reaper.exitOf(pid).then(() => heard.push(pid)))
    expect(vi.getTimerCount()).toBe(1)
    over.add(8)
    process.emit('SIGCHLD', 'SIGCHLD')
    await exits[1]
    expect([heard, vi.getTimerCount()]).toEqual([[8], 1])
    over.add(7)
    process.emit('SIGCHLD', 'SIGCHLD')
    await exits[0]
    expect([heard, vi.getTimerCount()]).toEqual([[8, 7], 0])
  })

  it('looks again by itself when a signal got lost, and after a pause too', async () => {
    const over = new Set<number>()
    const reaper = reaperOf(over)
    for (const pid of [7, 8]) {
      const exit = reaper.exitOf(pid)
      over.add(pid)
      vi.advanceTimersByTime(1000)
      expect(await exit).toEqual(ended)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('asks for each one until it has ended, and never after', async () => {
    const asked: number[] = []
    const reaper = new ChildReaper((pid) => (asked.push(pid) < 3 ? null : ended))
    const exit = reaper.exitOf(7)
    for (let n = 0; n < 5; n++) process.emit('SIGCHLD', 'SIGCHLD')
    expect(await exit).toEqual(ended)
    expect(asked).toEqual([7, 7, 7])
  })
})
