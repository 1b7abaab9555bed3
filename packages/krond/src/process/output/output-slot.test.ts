import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
import { OutputSlot, ownerKey, SlotOwners } from './output-slot.js'

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

const first = { identity: '/etc/krond.d/a.krontab:first', nominal: Date.UTC(2026, 2, 1) }
const second = { identity: '/etc/krond.d/a.krontab:second', nominal: 8.64e15 }

describe('who has which slot', () => {
  it('is known to the next daemon, also where one has changed hands or is free', () => {
    const owners = SlotOwners.open(folder)
    expect(owners.read()).toEqual([])
    owners.write(0, first)
    owners.write(1, second)
    owners.write(2, first)
    owners.write(0, second)
    owners.write(1, null)
    owners.close()
    const next = SlotOwners.open(folder)
    expect(next.read()).toEqual([ownerKey(second), '', ownerKey(first)])
    next.close()
  })

  it('does not include a line that is not whole', () => {
    const owners = SlotOwners.open(folder)
    owners.write(0, first)
    owners.close()
    writeFileSync(join(folder, 'owners'), 'half a li', { flag: 'a' })
    const next = SlotOwners.open(folder)
    expect(next.read()).toEqual([ownerKey(first)])
    next.close()
  })

  it('is told by a key that no other execution has', () => {
    const keys = [first, second, { ...first, nominal: 0 }, { ...second, nominal: 0 }].map(ownerKey)
    expect(new Set(keys).size).toBe(4)
    expect(keys[0]).toBe(ownerKey({ ...first }))
  })

  it('is for us alone to read, and no longer open when it is closed', () => {
    const owners = SlotOwners.open(folder)
    expect(statSync(join(folder, 'owners')).mode & 0o777).toBe(0o600)
    expect(openBelow(folder)).toEqual(['owners'])
    owners.close()
    expect(openBelow(folder)).toEqual([])
  })

  it('is not written behind a link', () => {
    writeFileSync(join(folder, 'elsewhere'), 'theirs')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'owners'))
    expect(() => SlotOwners.open(folder)).toThrow(/ELOOP/)
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('theirs')
  })
})
