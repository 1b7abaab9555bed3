import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  isProcessAlive,
  parseProcessStatus,
  processIdentity,
  signalGroup,
} from './process-identity.js'

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
    // The parent becomes a program that never waits for its child.
    const script = 'sh -c "exit 0" & echo $!; exec sleep 1000'
    const parent = spawn('/bin/sh', ['-c', script], { detached: true })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    const stateOf = (): string =>
      readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '')[0]!
    while (stateOf() !== 'Z') await new Promise((resolve) => setImmediate(resolve))
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
})
