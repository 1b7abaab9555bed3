import { closeSync, constants, fchownSync, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { makePipe } from '../../native/make-pipe.js'
import type { Account } from '../account.js'
import { codeOf } from '../gate/failure.js'
import type { StreamName } from './line-splitter.js'

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

  /** By who took it. It is free when its streams have ended as well. */
  give(): void {
    if (--this.#users === 0) this.#onFree(this)
  }

  pipe(stream: StreamName, account: Account | null): LastingPipe {
    const path = this.pathOf(stream, 'pipe')
    const end = openedForJob(path)
    try {
      // Who opens /dev/stdout opens the pipe by its rights.
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

  /** The end that we read at, until all who write are gone. */
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
