import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { makePipe } from '../../native/file-calls.js'
import { codeOf } from '../failure.js'
import type { Account, OutputOwner } from '../processes.js'
import type { StreamName } from './stream-lines.js'

/** Both ends of a stream of a job. */
export interface LastingPipe {
  /** For the job. It can also read there, so that its writes fail for no lack of a reader. */
  readonly end: number
  readonly stream: Socket
}

const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
const jobFlags = constants.O_RDWR | constants.O_NOFOLLOW

/**
 * Two named pipes that serve one execution at a time. They stay when it is over, since to make one
 * takes longer than all else here, and serve another once nobody has them open any more.
 */
export class OutputSlot {
  readonly number: number
  readonly #folder: string
  readonly #onFree: (slot: OutputSlot) => void
  #users = 0

  constructor(folder: string, number: number, onFree: (slot: OutputSlot) => void) {
    this.#folder = folder
    this.number = number
    this.#onFree = onFree
  }

  pathOf(stream: StreamName, kind: 'pipe' | 'spool'): string {
    return join(this.#folder, `${this.number}.${stream}.${kind}`)
  }

  take(): void {
    this.#users++
  }

  /** Called by the one that took the slot, which is free when its streams have ended as well. */
  give(): void {
    if (--this.#users === 0) this.#onFree(this)
  }

  pipe(stream: StreamName, account: Account | null): LastingPipe {
    const path = this.pathOf(stream, 'pipe')
    const end = openedForJob(path)
    try {
      // A job that opens /dev/stdout opens the pipe, whose rights decide.
      const { uid, gid } = account ?? { uid: process.getuid!(), gid: process.getgid!() }
      const status = fstatSync(end)
      if (status.uid !== uid || status.gid !== gid) fchownSync(end, uid, gid)
      return { end, stream: this.read(stream) }
    } catch (error) {
      closeSync(end)
      throw error
    }
  }

  /**
   * The same of a stream that a former daemon opened, which may have nobody left who writes. The
   * kernel tells a reader of that end only if somebody has written since it came: so we do come and
   * go as one who could.
   */
  readLeft(stream: StreamName): Socket {
    const socket = this.read(stream)
    closeSync(openSync(this.pathOf(stream, 'pipe'), jobFlags))
    return socket
  }

  /** The end that we read at, until no process has it open for writing. */
  read(stream: StreamName): Socket {
    const socket = readingSocket(openSync(this.pathOf(stream, 'pipe'), readFlags))
    this.take()
    socket.once('close', () => this.give())
    return socket
  }
}

/** Throws for what is no pipe, such as a file that a restored backup has in its place. */
function readingSocket(descriptor: number): Socket {
  try {
    return new Socket({ fd: descriptor, readable: true, writable: false })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function openedForJob(path: string): number {
  try {
    return openSync(path, jobFlags)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    makePipe(path)
    return openSync(path, jobFlags)
  }
}

const fileName = 'owners'
const recordBytes = 96

/**
 * Which execution has which slot, a line of fixed length for each: the next daemon has to know. One
 * write at a place, and no sync: a line has to outlive this process, and neither it nor the job
 * outlives the machine.
 */
export class SlotOwners {
  readonly #descriptor: number

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  static open(folder: string): SlotOwners {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW
    return new SlotOwners(openSync(join(folder, fileName), flags, 0o600))
  }

  /** The keys of owners by slot, as the one before has left them. */
  read(): string[] {
    const lines = readFileSync(this.#descriptor, 'latin1').split('\n')
    return lines.slice(0, -1).map((line) => line.trim())
  }

  /** null: nobody has it, so that neither a guard nor the next daemon looks at it. */
  write(slot: number, owner: OutputOwner | null): void {
    const key = owner === null ? '' : ownerKey(owner)
    const line = `${key.padEnd(recordBytes - 1)}\n`
    writeSync(this.#descriptor, line, slot * recordBytes, 'latin1')
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

export function ownerKey({ identity, nominal }: OutputOwner): string {
  return `${hash('sha256', identity, 'hex')} ${nominal}`
}
