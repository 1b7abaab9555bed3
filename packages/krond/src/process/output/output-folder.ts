import {
  closeSync,
  constants,
  createReadStream,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { makePipe } from '../../native/make-pipe.js'
import type { Account } from '../account.js'
import { codeOf } from '../gate/failure.js'
import type { OnLine, OutputOwner } from '../processes.js'
import { CapturedStream, type Drainable, type Flow } from './captured-stream.js'
import { LineSplitter } from './line-splitter.js'
import { endGuard, type GuardMeans, OutputGuard } from './output-guard.js'
import {
  outputName,
  outputOfFile,
  ownerPrefix,
  pipeName,
  type StreamName,
  spoolName,
} from './output-name.js'

/** Both ends of a stream of a job. */
export interface LastingPipe {
  /** For the job. It can also read there, so that its writes fail for no lack of a reader. */
  readonly end: number
  readonly stream: Socket
}

const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
const jobFlags = constants.O_RDWR | constants.O_NOFOLLOW

/**
 * Named pipes for what jobs write, so that it outlives the daemon that reads it. Who reads when:
 *
 *   this daemon       as long as it lives;
 *   its guard         from the moment it is gone, however it went, into files beside the pipes;
 *   the next daemon   once it has ended the guard: first the files, then the pipes.
 *
 * A job has its pipe open for reading as well, so there is no moment at which it could write into
 * a broken pipe. Dying between any two steps leaves a pipe that the guard and the next daemon find
 * by its name, or one that nobody writes to, which the next daemon reads to its end and removes.
 * A guard that is ended between reading and writing loses what it has in its hands: of a job that
 * writes without pause at most 128 KiB.
 */
export class OutputFolder {
  readonly #path: string
  readonly #means: GuardMeans
  readonly #flow: Flow
  readonly #guard: OutputGuard
  readonly #left = new Map<string, LeftOutput>()
  #serial = 0
  #open = 0

  constructor(path: string, means: GuardMeans & { readonly flow: Flow }) {
    this.#path = path
    this.#means = means
    this.#flow = means.flow
    this.#guard = new OutputGuard(path, means)
  }

  /** Takes over from a former daemon. What it left can be resumed until `discardRest`. */
  async open(): Promise<void> {
    try {
      mkdirSync(this.#path, { recursive: true, mode: 0o700 })
      await endGuard(this.#path, this.#means.clock)
      for (const file of readdirSync(this.#path)) this.#find(file)
      await this.#guard.start()
    } catch (cause) {
      const details = { field: 'output', value: this.#path, errno: codeOf(cause) }
      const message = `output of jobs can't pass through ${this.#path}: ${codeOf(cause)}`
      throw new SystemError('KRON_SYSTEM', message, details, { cause })
    }
  }

  /** A new pipe; its name is removed when all who wrote to it are gone. */
  pipe(owner: OutputOwner, stream: StreamName, account: Account | null): LastingPipe {
    const name = outputName(owner, `${process.pid}-${this.#serial++}`, stream)
    const path = join(this.#path, pipeName(name))
    makePipe(path)
    const ends: number[] = []
    try {
      ends.push(openSync(path, jobFlags), openSync(path, readFlags))
      // Who opens /dev/stdout opens the pipe by its rights.
      if (account !== null) fchownSync(ends[0]!, account.uid, account.gid)
    } catch (error) {
      for (const end of ends) closeSync(end)
      rmSync(path, { force: true })
      throw error
    }
    return { end: ends[0]!, stream: this.#read(ends[1]!, path) }
  }

  /** Delivers what an execution of a former daemon wrote since, and what it goes on to write. */
  resume(owner: OutputOwner, onLine: OnLine): readonly Drainable[] {
    const prefix = ownerPrefix(owner)
    const found = [...this.#left].filter(([name]) => name.startsWith(prefix))
    return found.map(([name, left]) => {
      this.#left.delete(name)
      left.resume(onLine, this.#flow)
      return left
    })
  }

  /** What nobody has resumed belongs to no job any more: it is read, so that nobody waits. */
  discardRest(): void {
    for (const left of this.#left.values()) left.discard()
    this.#left.clear()
  }

  /** Leaves what still runs to the guard, which needs no word for that. */
  async close(): Promise<void> {
    if (this.#open === 0) await this.#guard.dismiss()
  }

  #find(file: string): void {
    const output = outputOfFile(file)
    if (output === null) return
    const { name, stream } = output
    const left = this.#left.get(name) ?? new LeftOutput(stream)
    this.#left.set(name, left)
    const path = join(this.#path, file)
    if (file === spoolName(name)) left.spool = path
    else left.captured = new CapturedStream(this.#read(openedPipe(path), path), this.#flow)
  }

  #read(descriptor: number, path: string): Socket {
    const socket = new Socket({ fd: descriptor, readable: true, writable: false })
    this.#open++
    socket.once('close', () => {
      this.#open--
      rmSync(path, { force: true })
    })
    return socket
  }
}

/** The output of an execution that a former daemon started. */
class LeftOutput implements Drainable {
  readonly #stream: StreamName
  readonly #done = Promise.withResolvers<void>()
  #isSpooling = false
  spool: string | null = null
  captured: CapturedStream | null = null

  constructor(stream: StreamName) {
    this.#stream = stream
  }

  get ended(): Promise<void> {
    return this.#done.promise
  }

  get isWaiting(): boolean {
    return this.#isSpooling || this.captured?.isWaiting === true
  }

  resume(onLine: OnLine, flow: Flow): void {
    const lines = new LineSplitter((line) => onLine(this.#stream, line))
    void this.#deliver(lines, flow).finally(this.#done.resolve)
  }

  detach(): void {
    this.captured?.detach()
  }

  discard(): void {
    this.detach()
    if (this.spool !== null) rmSync(this.spool, { force: true })
  }

  /** One splitter for both, so that a line which the guard had begun to read is whole. */
  async #deliver(lines: LineSplitter, flow: Flow): Promise<void> {
    if (this.spool !== null) await this.#deliverSpool(this.spool, lines, flow)
    if (this.captured === null) lines.end()
    else this.captured.deliver(lines)
    await this.captured?.ended
  }

  /** Removed when all of it was logged: dying before that has it logged twice, but not lost. */
  async #deliverSpool(path: string, lines: LineSplitter, flow: Flow): Promise<void> {
    this.#isSpooling = true
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: 4096 })) {
        if (!flow.hasRoom) await flow.room()
        lines.push(chunk as Buffer)
      }
      rmSync(path, { force: true })
    } catch {
      // A disk that can't be read any more: what comes through the pipe is worth more.
    }
    this.#isSpooling = false
  }
}

/** Only what we made ourselves: opening a device could do anything. */
function openedPipe(path: string): number {
  const descriptor = openSync(path, readFlags)
  if (fstatSync(descriptor).isFIFO()) return descriptor
  closeSync(descriptor)
  throw Object.assign(new Error(`${path} is no pipe`), { code: 'EINVAL' })
}
