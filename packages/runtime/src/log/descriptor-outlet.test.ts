import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { descriptorOutlet, descriptorSink } from './descriptor-outlet.js'
import { LineOutlet } from './line-outlet.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-descriptor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Both ends of a pipe of this process; the one for writing waits, as that of a shell does. */
function pipe(name: string) {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  const writer = openSync(path, O_WRONLY)
  const room = Buffer.alloc(1 << 20)
  /** All that is in it. */
  const read = (): string => {
    let text = ''
    try {
      for (;;) text += room.toString('utf8', 0, readSync(reader, room))
    } catch {
      // It is empty.
    }
    return text
  }
  return { reader, writer, read }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a descriptor', () => {
  it('of a pipe that is full takes nothing, waits for nobody, and goes on when it is read', () => {
    const { writer, read } = pipe('full')
    const sink = descriptorSink(writer)
    const bytes = bytesOf('x'.repeat(4096))
    let written = 0
    // More than any pipe holds.
    for (let n = 0; n < 1000; n++) written += sink.write(bytes)
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(1000 * bytes.length)
    expect([sink.write(bytes), sink.write(bytes)]).toEqual([0, 0])
    expect(read()).toHaveLength(written)
    expect(sink.write(bytesOf('again'))).toBe(5)
    expect(read()).toBe('again')
  })

  it('of a pipe that is full for a while loses no line', async () => {
    const { writer, read } = pipe('slow')
    const clock = new VirtualClock(0)
    const outlet = new LineOutlet({ sink: descriptorSink(writer), clock })
    const lines = Array.from({ length: 5000 }, (_, n) => `line ${n} ${'x'.repeat(60)}`)
    for (const line of lines) outlet.write(line)
    await turn()
    await clock.advanceBy(500)
    let text = ''
    for (let rounds = 0; text.length < 5000 * 60 && rounds < 100; rounds++) {
      text += read()
      await clock.advanceBy(200)
    }
    text += read()
    expect(text.split('\n').slice(0, -1)).toEqual(lines)
    expect(outlet.trouble).toBeNull()
  })

  it('of a pipe whose reader is gone says so', () => {
    const { reader, writer } = pipe('left')
    const sink = descriptorSink(writer)
    closeSync(reader)
    expect(() => sink.write(bytesOf('x'))).toThrow(
      expect.objectContaining({
        message: 'EPIPE',
        cause: expect.objectContaining({ syscall: 'write' }),
      }),
    )
  })

  it('of a pipe that never had a reader says so as well', () => {
    const { reader, writer } = pipe('alone')
    closeSync(reader)
    const sink = descriptorSink(writer)
    expect(() => sink.write(bytesOf('x'))).toThrow('EPIPE')
  })

  it('of a file is written at its place', () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'before\n')
    const file = openSync(path, 'a')
    expect(descriptorSink(file).write(bytesOf('after\n'))).toBe(6)
    closeSync(file)
    expect(readFileSync(path, 'utf8')).toBe('before\nafter\n')
  })

  it('gets what is left when the process exits', () => {
    const { writer, read } = pipe('exit')
    const before = new Set(process.listeners('exit'))
    const outlet = descriptorOutlet(writer, 'host')
    const added = process.listeners('exit').filter((listener) => !before.has(listener))
    for (const listener of added) process.removeListener('exit', listener)
    outlet.write('last words')
    for (const listener of added) listener.call(process, 0)
    expect(read()).toBe('last words\n')
  })
})
