import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  isGroupAlive,
  isProcessAlive,
  parseProcessStatus,
  processIdentity,
  signalGroup,
} from './process-identity.js'
import type { EndSignal } from './processes.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function untilGone(pid: number): Promise<void> {
  while (isProcessAlive({ pid, startTicks: null, bootId: null })) await nextTurn()
}

/** A shell in a group of its own, and the number that its script prints. */
async function shellThatPrints(script: string): Promise<{ shell: ChildProcess; pid: number }> {
  const shell = spawn('/bin/sh', ['-c', script], { detached: true })
  const [line] = (await once(shell.stdout, 'data')) as [Buffer]
  return { shell, pid: Number(line.toString()) }
}

/**
 * A child that has ended, and a parent that never waits for it. The shell would, so the child ends
 * only when the shell has become a program that does not: until then it waits for a line.
 */
async function zombie(start = ''): Promise<{ parent: ChildProcess; pid: number }> {
  // Standard input of what a shell has in the background is empty, so the child has it as 3.
  const child = `${start} sh -c 'read line <&3'`
  const { shell, pid } = await shellThatPrints(`exec 3<&0; ${child} & echo $!; exec sleep 1000`)
  const program = () => readFileSync(`/proc/${shell.pid}/cmdline`, 'latin1').split('\0')[0]
  while (program() !== 'sleep') await nextTurn()
  shell.stdin!.write('end\n')
  const state = () => readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '')[0]
  while (state() !== 'Z') await nextTurn()
  return { parent: shell, pid }
}

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`).join(' ')

describe('the status of a process', () => {
  it.each(['cat', 'a b', ') R 1 2 3', '((', '', 'x\ny', ')'])(
    'is read whatever its name: %j',
    (name) => {
      const line = `7 (${name}) S ${numbers(4, 52)}\n`
      expect(parseProcessStatus(line)).toEqual({ state: 'S', group: 5, startTicks: 22 })
    },
  )

  it.each(['', '7', '7 (cat) S 1 2', '7 (cat) '])('is unknown when the line is %j', (line) => {
    expect(parseProcessStatus(line)).toBeNull()
  })
})

describe('the identity of a process', () => {
  const own = processIdentity(process.pid)!

  it('has the boot and the time it was started at', () => {
    expect(own).toEqual({
      pid: process.pid,
      startTicks: expect.any(Number),
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    })
    expect(isProcessAlive(own)).toBe(true)
    expect(isProcessAlive({ pid: process.pid, startTicks: null, bootId: null })).toBe(true)
  })

  it.each([0, -1, 1.5, Number.NaN, 4_194_305])('does not exist for number %d', (pid) => {
    expect(processIdentity(pid)).toBeNull()
    const unknown = { pid, startTicks: null, bootId: null }
    expect(isProcessAlive(unknown)).toBe(false)
    expect(signalGroup(unknown, 'SIGKILL')).toBe(false)
  })

  it('is not that of a zombie, nor of one that is gone', async () => {
    const { parent, pid } = await zombie()
    const identity = processIdentity(pid)!
    expect(isProcessAlive(identity)).toBe(false)
    const parentIdentity = processIdentity(parent.pid!)!
    expect(signalGroup(parentIdentity, 'SIGKILL')).toBe(true)
    await once(parent, 'exit')
    expect(isProcessAlive(parentIdentity)).toBe(false)
  })

  it('is never taken for the group of all processes', () => {
    expect(signalGroup({ pid: 1, startTicks: null, bootId: null }, 'SIGTERM')).toBe(false)
  })

  it('reaches the whole group', async () => {
    const script = 'sleep 1000 & echo $!; wait'
    const leader = spawn('/bin/sh', ['-c', script], { detached: true })
    const [line] = (await once(leader.stdout, 'data')) as [Buffer]
    const follower = processIdentity(Number(line.toString()))!
    expect(signalGroup(processIdentity(leader.pid!)!, 'SIGTERM')).toBe(true)
    await once(leader, 'exit')
    while (isProcessAlive(follower)) await new Promise((resolve) => setImmediate(resolve))
    expect(isProcessAlive(follower)).toBe(false)
  })

  it('is not signalled where it leads no group', async () => {
    const follower = spawn('sleep', ['1000'])
    expect(signalGroup(processIdentity(follower.pid!)!, 'SIGKILL')).toBe(false)
    expect(isProcessAlive(processIdentity(follower.pid!)!)).toBe(true)
    follower.kill('SIGKILL')
    await once(follower, 'exit')
  })

  it('has an error that names the group when a signal can not be sent', async () => {
    const leader = spawn('sleep', ['1000'], { detached: true })
    const pid = leader.pid!
    const identity = processIdentity(pid)!
    const errno = 'ERR_UNKNOWN_SIGNAL'
    const signal = () => signalGroup(identity, 'SIGNONE' as EndSignal)
    expect(signal).toThrow(SystemError)
    expect(signal).toThrow(
      expect.objectContaining({
        code: 'KRON_SYSTEM',
        message: `SIGNONE can't be sent to process group ${pid}: ${errno}`,
        details: { field: 'pid', value: pid, errno },
        cause: expect.objectContaining({ code: errno }),
      }),
    )
    expect(signalGroup(identity, 'SIGKILL')).toBe(true)
    await once(leader, 'exit')
  })
})

describe('a group of processes', () => {
  it('is alive without its leader as long as any process of it is', async () => {
    const { shell, pid: follower } = await shellThatPrints('sleep 1000 >&2 & echo $!')
    const group = shell.pid!
    if (shell.exitCode === null) await once(shell, 'exit')
    expect(processIdentity(group)).toBeNull()
    expect(isGroupAlive(group)).toBe(true)
    process.kill(-group, 'SIGKILL')
    await untilGone(follower)
    expect(isGroupAlive(group)).toBe(false)
  })

  it('is not alive by zombies', async () => {
    const { parent, pid } = await zombie('setsid')
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
    expect(parseProcessStatus(status)).toMatchObject({ state: 'Z', group: pid })
    expect(isGroupAlive(pid)).toBe(false)
    expect(isGroupAlive(parent.pid!)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })
})
