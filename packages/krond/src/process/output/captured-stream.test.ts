import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@kron/runtime/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slowFlow } from '../../../testing/process/slow-flow.js'
import { CapturedStream, type Drainable, drained, type Flow } from './captured-stream.js'
import { StreamLines } from './stream-lines.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-captured-'))
let server: Server
beforeAll(async () => {
  server = createServer().listen(join(folder, 'socket'))
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** A stream that is read, and the end at which the job writes. */
async function make(flow?: Flow) {
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const job = connect(join(folder, 'socket'))
  const [socket] = await accepted
  const stream = new CapturedStream(socket, flow)
  const lines: string[] = []
  const splitter = new StreamLines((line) => lines.push(line))
  return { stream, socket, job, lines, splitter }
}

const turn = (): Promise<void> => new Promise(setImmediate)

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns === 100_000) throw new Error(`it never came to ${holds}`)
    await turn()
  }
}

describe('a stream of a gate that becomes a job', () => {
  it('is held until the job writes, and then comes as lines', async () => {
    const { stream, job, lines, splitter } = await make()
    job.write('one\ntw')
    await until(() => stream.heldText() === 'one\ntw')
    expect(lines).toEqual([])
    stream.deliver(splitter)
    expect([lines, stream.heldText()]).toEqual([['one'], ''])
    job.end('o\nthree')
    await stream.ended
    expect(lines).toEqual(['one', 'two', 'three'])
  })

  it('has all its lines when it had ended before they were asked for', async () => {
    const { stream, socket, job, lines, splitter } = await make()
    job.end('one\ntwo')
    await until(() => socket.closed)
    stream.deliver(splitter)
    expect(lines).toEqual(['one', 'two'])
  })

  it('is not read beyond 64 KiB while nobody wants its lines', async () => {
    const { stream, socket, job, lines, splitter } = await make()
    job.end(`${'x'.repeat(1000)}\n`.repeat(200))
    await until(() => socket.isPaused())
    expect(stream.heldText().length).toBeGreaterThan(65_536)
    expect(stream.heldText().length).toBeLessThan(200 * 1001)
    stream.deliver(splitter)
    await stream.ended
    expect(lines).toHaveLength(200)
  })

  it('waits for room, and has ended only when all was passed on', async () => {
    const { flow, state } = slowFlow()
    const { stream, job, lines, splitter } = await make(flow)
    stream.deliver(splitter)
    state.hasRoom = false
    job.end('one\ntwo')
    await until(() => stream.isWaiting)
    expect(lines).toEqual([])
    state.hasRoom = true
    state.go()
    await stream.ended
    expect([lines, stream.isWaiting]).toEqual([['one', 'two'], false])
  })

  it('says how many lines it dropped where there is no hope of room', async () => {
    const { flow, state } = slowFlow()
    const { stream, job, lines, splitter } = await make(flow)
    stream.deliver(splitter)
    job.write('one\nbeg')
    await until(() => lines.length === 1)
    state.isFull = true
    job.write('un\ntwo\nthree\n')
    await until(() => state.dropped === 3)
    state.isFull = false
    job.end('four\n')
    await stream.ended
    expect(lines).toEqual(['one', 'beg', 'four'])
  })

  it('is given up with the line that was begun, and read on for nobody', async () => {
    const { stream, socket, job, lines, splitter } = await make()
    stream.deliver(splitter)
    job.write('one\nbegun')
    await until(() => lines.length === 1)
    stream.detach()
    expect(lines).toEqual(['one', 'begun'])
    job.end('more\n')
    await until(() => socket.closed)
    expect(lines).toEqual(['one', 'begun'])
  })

  it('is read on for nobody also when it stood still, and keeps no process alive', async () => {
    const { stream, socket, job } = await make()
    job.end('x'.repeat(200_000))
    await until(() => socket.isPaused())
    const awake = (): number => process.getActiveResourcesInfo().length
    const before = awake()
    stream.detach()
    expect([stream.heldText(), awake()]).toEqual(['', before - 1])
    await until(() => socket.closed)
    expect(stream.heldText()).toBe('')
  })

  it('is not read any more once it is closed', async () => {
    const { stream, job, lines, splitter } = await make()
    stream.deliver(splitter)
    job.write('one\nbegun')
    await until(() => lines.length === 1)
    const closed = once(job.resume(), 'close')
    stream.close()
    await Promise.all([stream.ended, closed])
    expect(lines).toEqual(['one', 'begun'])
  })

  it('ends with what came when it can not be read any more', async () => {
    const { stream, socket, job, lines, splitter } = await make()
    stream.deliver(splitter)
    job.write('one\nbegun')
    await until(() => lines.length === 1)
    socket.destroy(new Error('EIO'))
    await stream.ended
    expect(lines).toEqual(['one', 'begun'])
  })

  it('leaves others a turn between pieces of much that comes at once', async () => {
    const { stream, job, lines, splitter } = await make()
    stream.deliver(splitter)
    job.end(`${'x'.repeat(511)}\n`.repeat(8))
    await until(() => lines.length > 0)
    expect(lines.length).toBeLessThan(8)
    await stream.ended
    expect(lines).toHaveLength(8)
  })

  it('drops at once all that waited when there is no hope of room any more', async () => {
    const { flow, state } = slowFlow()
    const { stream, job, lines, splitter } = await make(flow)
    stream.deliver(splitter)
    state.hasRoom = false
    job.end('a line\n'.repeat(1000))
    await until(() => stream.isWaiting)
    state.isFull = true
    state.go()
    await until(() => state.dropped > 0)
    expect([state.dropped, lines]).toEqual([1000, []])
    await stream.ended
  })
})

describe('streams of a job that is gone', () => {
  function drainable(isWaiting: () => boolean) {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const stream = {
      ended,
      detached: 0,
      detach: () => void stream.detached++,
      get isWaiting() {
        return isWaiting()
      },
    } satisfies Drainable & { detached: number }
    return { stream, end }
  }

  it('are read to their ends', async () => {
    const clock = new VirtualClock(0)
    const [one, other] = [drainable(() => false), drainable(() => false)]
    const over = drained([one.stream, other.stream], 1000, clock)
    one.end()
    other.end()
    await over
    expect([one.stream.detached, other.stream.detached]).toEqual([0, 0])
  })

  it('are given up when something holds one open, all of them', async () => {
    const clock = new VirtualClock(0)
    const [one, other] = [drainable(() => false), drainable(() => false)]
    const over = drained([one.stream, other.stream], 1000, clock)
    one.end()
    await clock.advanceBy(999)
    expect(other.stream.detached).toBe(0)
    await clock.advanceBy(1)
    await over
    expect([one.stream.detached, other.stream.detached]).toEqual([1, 1])
  })

  it('are waited for as long as lines of one wait for room', async () => {
    const clock = new VirtualClock(0)
    let isWaiting = true
    const [one, other] = [drainable(() => isWaiting), drainable(() => false)]
    const over = drained([one.stream, other.stream], 1000, clock)
    await clock.advanceBy(5500)
    expect(other.stream.detached).toBe(0)
    isWaiting = false
    await clock.advanceBy(1000)
    await over
    expect(other.stream.detached).toBe(1)
  })
})
