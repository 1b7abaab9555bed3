import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { systemClock } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBelow } from '../../../testing/process/open-descriptors.js'
import { until } from '../../../testing/process/until.js'
import { makePipe } from '../../native/file-calls.js'
import { isProcessAlive } from '../process-identity.js'
import type { OutputOwner } from '../processes.js'
import { systemSpawner } from '../spawn/native-spawner.js'
import { endlessFlow } from './captured-stream.js'
import { OutputFolder } from './output-folder.js'
import { endGuard } from './output-guard.js'
import { ownerKey, SlotOwners } from './output-slot.js'

let folder = ''
let output: OutputFolder
let jobs: number[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-takeover-')))
  output = folderAt(folder)
})
afterEach(async () => {
  for (const job of jobs) closeSync(job)
  jobs = []
  await output.close()
  await endGuard(folder, systemClock())
  rmSync(folder, { recursive: true })
})

/** In a time that does not pass, so that no guard is started again. */
function folderAt(path: string): OutputFolder {
  const ports = { spawner: systemSpawner(), shellPath: '/bin/sh', clock: new VirtualClock(0) }
  return new OutputFolder(path, { ...ports, flow: endlessFlow })
}

const owner = (identity: string): OutputOwner => ({ identity, nominal: 0 })

const ownersOnDisk = (): string[] => {
  const text = readFileSync(join(folder, 'owners'), 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trim())
}

/** As a daemon that was killed leaves its slots; null: one that nobody has. */
function leave(...identities: readonly (string | null)[]): void {
  const owners = SlotOwners.open(folder)
  for (const [number, identity] of identities.entries()) {
    owners.write(number, identity === null ? null : owner(identity))
  }
  owners.close()
}

/** The end of a pipe that a job still has open. */
function jobAt(pipe: string): number {
  makePipe(join(folder, pipe))
  const job = openSync(join(folder, pipe), constants.O_RDWR)
  jobs.push(job)
  return job
}

function endJob(job: number): void {
  closeSync(job)
  jobs = jobs.filter((other) => other !== job)
}

const guard = () => JSON.parse(readFileSync(join(folder, 'guard'), 'utf8'))

describe('what a former daemon left', () => {
  it('comes to who resumes it, once, and to nobody else', async () => {
    leave('a', 'b')
    const [ofA, errorsOfA, ofB] = ['0.stdout.pipe', '0.stderr.pipe', '1.stdout.pipe'].map(jobAt)
    await output.open()
    const lines: string[] = []
    const say = (stream: string, line: string) => void lines.push(`${stream} ${line}`)
    const resumed = output.resume(owner('a'), say)
    expect(resumed).toHaveLength(2)
    expect(output.resume(owner('a'), say)).toEqual([])
    expect(output.resume(owner('c'), say)).toEqual([])
    expect(output.resume({ ...owner('b'), nominal: 1 }, say)).toEqual([])
    writeSync(ofB!, 'of b\n')
    writeSync(ofA!, 'of a\n')
    writeSync(errorsOfA!, 'error of a\n')
    endJob(ofA!)
    endJob(errorsOfA!)
    await Promise.all(resumed.map(({ ended }) => ended))
    expect(lines.sort()).toEqual(['stderr error of a', 'stdout of a'])
  })

  it('is read for nobody when nobody resumed it, and what was resumed goes on', async () => {
    leave('a', 'b')
    const [ofA, ofB] = ['0.stdout.pipe', '1.stdout.pipe'].map(jobAt)
    writeFileSync(join(folder, '1.stdout.spool'), 'of b\n')
    await output.open()
    const lines: string[] = []
    const resumed = output.resume(owner('a'), (_, line) => void lines.push(line))
    output.discardRest()
    expect(output.resume(owner('b'), () => {})).toEqual([])
    expect(existsSync(join(folder, '1.stdout.spool'))).toBe(false)
    writeSync(ofA!, 'of a\n')
    writeSync(ofB!, 'of b\n')
    endJob(ofA!)
    endJob(ofB!)
    await resumed[0]!.ended
    expect(lines).toEqual(['of a'])
    await until(() => ownersOnDisk().join('') === '')
  })

  it('keeps its slots until it has ended, while those that nobody has are free', async () => {
    leave('a', null, 'b')
    const ofA = jobAt('0.stdout.pipe')
    await output.open()
    // b left no pipe, so there is nothing to wait for.
    expect(ownersOnDisk()).toEqual([ownerKey(owner('a')), '', ''])
    const taken = ['c', 'd', 'e'].map((identity) => output.take(owner(identity)).number)
    expect(taken.sort()).toEqual([1, 2, 3])
    output.discardRest()
    endJob(ofA)
    await until(() => ownersOnDisk()[0] === '')
    expect(output.take(owner('f')).number).toBe(0)
    expect(ownersOnDisk()[0]).toBe(ownerKey(owner('f')))
  })
})

describe('a folder of output', () => {
  it('that can not be had is refused with its path and the reason', async () => {
    writeFileSync(join(folder, 'file'), '')
    const path = join(folder, 'file', 'output')
    const error = await folderAt(path)
      .open()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SystemError)
    const { message, details, cause } = error as SystemError
    expect(message).toBe(`output of jobs can't go through ${path}: ENOTDIR`)
    expect(details).toEqual({ field: 'output', value: path, errno: 'ENOTDIR' })
    expect(cause).toMatchObject({ code: 'ENOTDIR', syscall: 'mkdir' })
  })

  it('gives nothing before it is open, nor after', async () => {
    expect(() => output.take(owner('a'))).toThrow('the output folder is not open')
    await output.open()
    await output.close()
    expect(() => output.take(owner('a'))).toThrow('the output folder is not open')
    expect(openBelow(folder)).toEqual([])
  })

  it('is made with what it lies in, for us alone', async () => {
    const path = join(folder, 'new', 'output')
    const made = folderAt(path)
    await made.open()
    expect(statSync(path).mode & 0o777).toBe(0o700)
    await made.close()
  })

  it('leaves its guard to what still runs when it is closed, and the owner to the next', async () => {
    await output.open()
    const slot = output.take(owner('a'))
    await output.close()
    expect(isProcessAlive(guard())).toBe(true)
    slot.give()
    expect(ownersOnDisk()).toEqual([ownerKey(owner('a'))])
  })

  it('dismisses its guard when nothing runs', async () => {
    await output.open()
    output.take(owner('a')).give()
    const left = guard()
    await output.close()
    expect(isProcessAlive(left)).toBe(false)
    expect(ownersOnDisk()).toEqual([''])
  })

  it('ends the guard of the one before', async () => {
    await output.open()
    output.take(owner('a'))
    await output.close()
    const former = guard()
    const next = new OutputFolder(folder, {
      spawner: systemSpawner(),
      shellPath: '/bin/sh',
      clock: systemClock(),
      flow: endlessFlow,
    })
    await next.open()
    expect(isProcessAlive(former)).toBe(false)
    expect(isProcessAlive(guard())).toBe(true)
    await next.close()
  })
})
