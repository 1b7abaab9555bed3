import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { slowFlow } from '../../../testing/process/slow-flow.js'
import { until } from '../../../testing/process/until.js'
import { makePipe } from '../../native/file-calls.js'
import { endlessFlow, type Flow } from './captured-stream.js'
import { LeftOutput } from './left-output.js'
import { OutputSlot } from './output-slot.js'

let folder = ''
let isFree = false
let slot: OutputSlot
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-left-'))
  isFree = false
  slot = new OutputSlot(folder, 0, () => {
    isFree = true
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

const spool = (): string => slot.pathOf('stdout', 'spool')

/** What is found of a job that has its pipe open. */
function findLeft(flow: Flow = endlessFlow) {
  const path = slot.pathOf('stdout', 'pipe')
  makePipe(path)
  const job = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const left = LeftOutput.find(slot, 'stdout', new Set(readdirSync(folder)), flow)!
  const lines: string[] = []
  const resume = (): void => left.resume((stream, line) => lines.push(`${stream} ${line}`), flow)
  return { job, left, lines, resume }
}

/** False: there is no room in the pipe. */
function hasWritten(job: number, bytes: number): boolean {
  try {
    return writeSync(job, Buffer.alloc(bytes)) === bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
    throw error
  }
}

describe('the output of a job that a former daemon started', () => {
  it('is none where the job had no pipe', () => {
    const files = new Set(['0.stderr.pipe', '1.stdout.pipe', '0.stdout.spool'])
    expect(LeftOutput.find(slot, 'stdout', files, endlessFlow)).toBeNull()
  })

  it('is what the guard read, then what comes, without a gap in a line', async () => {
    writeFileSync(spool(), 'one\ntw')
    const { job, left, lines, resume } = findLeft()
    expect(left.isResumed).toBe(false)
    resume()
    expect(left.isResumed).toBe(true)
    writeSync(job, 'o\nthree\nlast')
    closeSync(job)
    await left.ended
    expect(lines).toEqual(['stdout one', 'stdout two', 'stdout three', 'stdout last'])
    expect([existsSync(spool()), isFree, left.isWaiting]).toEqual([false, true, false])
  })

  it('is what comes, where the guard read nothing', async () => {
    const { job, left, lines, resume } = findLeft()
    resume()
    writeSync(job, 'one\n')
    await until(() => lines.length === 1)
    expect(isFree).toBe(false)
    closeSync(job)
    await left.ended
    expect(lines).toEqual(['stdout one'])
  })

  it('waits for room, and keeps its slot and its file until all was passed on', async () => {
    const { flow, state } = slowFlow()
    state.hasRoom = false
    writeFileSync(spool(), 'one\n')
    const { job, left, lines, resume } = findLeft(flow)
    resume()
    expect(left.isWaiting).toBe(true)
    const untouched = state.go
    await until(() => state.go !== untouched)
    closeSync(job)
    expect([lines, existsSync(spool()), isFree]).toEqual([[], true, false])
    state.hasRoom = true
    state.go()
    await left.ended
    expect(lines).toEqual(['stdout one'])
    expect([existsSync(spool()), isFree, left.isWaiting]).toEqual([false, true, false])
  })

  it('waits for room also with what comes', async () => {
    const { flow, state } = slowFlow()
    const { job, left, lines, resume } = findLeft(flow)
    resume()
    writeSync(job, 'one\n')
    await until(() => lines.length === 1)
    state.hasRoom = false
    writeSync(job, 'two\n')
    await until(() => left.isWaiting)
    closeSync(job)
    state.hasRoom = true
    state.go()
    await left.ended
    expect(lines).toEqual(['stdout one', 'stdout two'])
  })

  it('is what comes, where the file of the guard can not be read', async () => {
    mkdirSync(spool())
    const { job, left, lines, resume } = findLeft()
    resume()
    writeSync(job, 'one\n')
    closeSync(job)
    await left.ended
    expect([lines, left.isWaiting, isFree]).toEqual([['stdout one'], false, true])
  })

  it('is read for nobody when it is thrown away, and its file is gone', async () => {
    writeFileSync(spool(), 'one\n')
    const { job, left } = findLeft()
    left.discard()
    expect(existsSync(spool())).toBe(false)
    // More than a pipe holds, and more than is held of a job that is still to be known.
    for (let piece = 0; piece < 64; piece++) await until(() => hasWritten(job, 4096))
    expect(isFree).toBe(false)
    closeSync(job)
    await until(() => isFree)
    expect(left.isResumed).toBe(false)
  })

  it('is given up with the line that was begun', async () => {
    const { job, left, lines, resume } = findLeft()
    resume()
    writeSync(job, 'one\nbegun')
    await until(() => lines.length === 1)
    left.detach()
    expect(lines).toEqual(['stdout one', 'stdout begun'])
    closeSync(job)
    await until(() => isFree)
  })
})
