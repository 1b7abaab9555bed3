import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBelow } from '../../../testing/process/open-descriptors.js'
import { daemon, games } from '../../../testing/process/sample-start.js'
import { OutputSlot } from './output-slot.js'

const isRoot = process.getuid?.() === 0

let folder = ''
let freed: OutputSlot[] = []
let slot: OutputSlot
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-slot-')))
  const ofThisTest: OutputSlot[] = []
  freed = ofThisTest
  slot = new OutputSlot(folder, 3, (free) => ofThisTest.push(free))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a pipe of a job', () => {
  it('brings what the job writes, and ends with the job', async () => {
    const { end, stream } = slot.pipe('stdout', null)
    expect(fstatSync(end).isFIFO()).toBe(true)
    writeSync(end, 'said')
    closeSync(end)
    expect(await text(stream)).toBe('said')
  })

  it('serves the next job as well', async () => {
    for (const word of ['one', 'two']) {
      const { end, stream } = slot.pipe('stderr', null)
      writeSync(end, word)
      closeSync(end)
      expect(await text(stream)).toBe(word)
    }
    expect(readdirSync(folder)).toEqual(['3.stderr.pipe'])
  })

  it.runIf(isRoot)('belongs to the user of its job, and to us again after that', () => {
    const owners = [games, { ...games, gid: daemon.gid }, daemon, null].map((account) => {
      const { end, stream } = slot.pipe('stdout', account)
      closeSync(end)
      stream.destroy()
      const { uid, gid, mode } = statSync(slot.pathOf('stdout', 'pipe'))
      return [uid, gid, mode & 0o777]
    })
    const own = [process.getuid!(), process.getgid!(), 0o600]
    expect(owners).toEqual([[5, 60, 0o600], [5, 1, 0o600], [1, 1, 0o600], own])
  })

  it('is refused behind a link, for the reason that the system gives', () => {
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), slot.pathOf('stdout', 'pipe'))
    expect(() => slot.pipe('stdout', null)).toThrow(/ELOOP/)
    expect(openBelow(folder)).toEqual([])
  })

  it('is refused and not left open when it is a file', () => {
    writeFileSync(slot.pathOf('stdout', 'pipe'), '')
    expect(() => slot.pipe('stdout', null)).toThrow(/ERR_INVALID_FD_TYPE|fd type/)
    expect(openBelow(folder)).toEqual([])
  })

  it('is not left open when it can be given to no such user', () => {
    const account = { ...games, uid: 2 ** 32 }
    expect(() => slot.pipe('stdout', account)).toThrow(/out of range/)
    expect(openBelow(folder)).toEqual([])
  })
})

describe('a slot', () => {
  it('is free once it was given back and both streams have ended', async () => {
    slot.take()
    const pipes = [slot.pipe('stdout', null), slot.pipe('stderr', null)]
    slot.give()
    for (const { end, stream } of pipes) {
      expect(freed).toEqual([])
      closeSync(end)
      await once(stream.resume(), 'close')
    }
    expect(freed).toEqual([slot])
    expect(openBelow(folder)).toEqual([])
  })

  it('is not free before it was given back, though its streams have ended', async () => {
    slot.take()
    const { end, stream } = slot.pipe('stdout', null)
    closeSync(end)
    await once(stream.resume(), 'close')
    expect(freed).toEqual([])
    slot.give()
    expect(freed).toEqual([slot])
  })
})

describe('a pipe that a former daemon left', () => {
  /** Made, and open to nobody. */
  function leavePipe(): void {
    const { end, stream } = slot.pipe('stdout', null)
    closeSync(end)
    stream.destroy()
  }

  it('ends at once when nobody writes any more', async () => {
    leavePipe()
    expect(await text(slot.readLeft('stdout'))).toBe('')
    expect(openBelow(folder)).toEqual([])
  })

  it('ends with the job that still writes', async () => {
    const job = new OutputSlot(folder, 3, () => {}).pipe('stdout', null)
    job.stream.destroy()
    const stream = slot.readLeft('stdout')
    writeSync(job.end, 'still here')
    closeSync(job.end)
    expect(await text(stream)).toBe('still here')
  })
})
