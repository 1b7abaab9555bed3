import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { MemoryMachine } from '../../testing/start/memory-machine.js'
import { readStateLock } from '../lock/state-lock.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const hourly = (name: string) => sampleJob('0 * * * * @policy(deadline=50m)', { name })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-surroundings-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const machineWith = (...names: string[]) =>
  new MemoryMachine({ at, folder, configuration: { jobs: names.map(hourly), problems: [] } })

describe('what a daemon takes over and lets go', () => {
  it('is output that it discards only when its jobs had the chance to resume it', async () => {
    const machine = machineWith('a')
    const exit = machine.run()
    await machine.clock.advanceBy(minute)
    machine.stop()
    await machine.clock.advanceBy(minute)
    expect(await exit).toBe(0)
    expect(machine.outputs).toEqual([
      'open with 0 planned',
      'discard the rest with 1 planned',
      'close with 2 planned',
    ])
  })

  it('is state at which it looks only when the lock is its own', async () => {
    const machine = machineWith('a')
    const { disk } = machine
    const held: boolean[] = []
    machine.disk = {
      ...disk,
      list(path) {
        held.push(readStateLock(folder).held)
        return disk.list(path)
      },
    }
    const exit = machine.run()
    await machine.clock.advanceBy(minute)
    machine.leave()
    expect(await exit).toBe(0)
    expect(held).toEqual([true])
  })

  it('is the address that it listens on', async () => {
    const socket = join(folder, 'own.sock')
    const machine = machineWith('a')
    const exit = machine.run({ listen: `unix:${socket}` })
    await expect.poll(() => machine.events('listening')).toHaveLength(1)
    expect(existsSync(socket)).toBe(true)
    await machine.clock.advanceBy(2 * minute)
    machine.stop()
    expect(await exit).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })
})

describe('the health of a daemon', () => {
  it('is good while its loop turns, and is not when it has not for two minutes', async () => {
    const machine = machineWith('a')
    const exit = machine.run()
    await machine.clock.advanceBy(30 * minute)
    expect(machine.isHealthy()).toBe(true)
    machine.clock.step(3 * minute)
    expect(machine.isHealthy()).toBe(false)
    await machine.clock.advanceBy(minute)
    expect(machine.isHealthy()).toBe(true)
    machine.stop()
    expect(await exit).toBe(0)
  })

  it('is good while it waits for its jobs to end, however long', async () => {
    const machine = machineWith('a')
    machine.world = () => ({ durationMs: 20 * minute })
    const exit = machine.run()
    await machine.clock.advanceBy(minute)
    machine.stop()
    await machine.clock.advanceBy(10 * minute)
    expect(machine.isHealthy()).toBe(true)
    await machine.clock.advanceBy(10 * minute)
    expect(await exit).toBe(0)
  })
})

describe('what a daemon says of itself in its lock', () => {
  it('keeps the answer to a reload when starts wait, and the other way round', async () => {
    const machine = machineWith('a', 'b')
    machine.world = () => ({ durationMs: 5 * minute })
    const exit = machine.run({ maxRunning: 1 })
    await machine.clock.advanceBy(2000)
    machine.reload()
    await machine.clock.advanceBy(2000)
    const reloadedAt = expect.any(String)
    expect(readStateLock(folder).info).toMatchObject({ reloadedAt, waitingCount: 1 })
    await machine.clock.advanceBy(6 * minute)
    expect(readStateLock(folder).info).toMatchObject({ reloadedAt, waitingCount: 0 })
    machine.stop()
    await machine.clock.advanceBy(10 * minute)
    expect(await exit).toBe(0)
  })

  it('names as many starts that wait as fit, and counts them all', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `${n}-${'x'.repeat(990)}`)
    const machine = machineWith(...names)
    const exit = machine.run({ maxRunning: 1 })
    await machine.clock.advanceBy(2000)
    const { info } = readStateLock(folder)
    expect(info).toMatchObject({ pid: 4711, waitingCount: 19 })
    expect(info?.['waiting']).toHaveLength(11)
    machine.leave()
    expect(await exit).toBe(0)
  })
})
