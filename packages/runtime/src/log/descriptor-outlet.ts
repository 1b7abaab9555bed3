import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { isatty } from 'node:tty'
import type { Clock } from '../clock/index.js'
import { type ByteSink, LineOutlet } from './line-outlet.js'

/**
 * Lines for a descriptor of this process, such as standard output. Nothing here waits for who
 * reads them, but for two seconds when the process exits. Trouble is said on standard error.
 */
export function descriptorOutlet(descriptor: number, program: string): LineOutlet {
  const outlet = new LineOutlet({
    sink: descriptorSink(descriptor),
    clock: unhurriedClock,
    onTrouble: (reason) => {
      const text = `${program}: the log is not written: ${reason}; lines that do not fit are dropped`
      complain(`${text}\n`)
    },
  })
  process.on('exit', () => outlet.finish(pause))
  return outlet
}

/** Bytes for a descriptor, none of which block this thread. */
export function descriptorSink(descriptor: number): ByteSink {
  const open = unblocked(descriptor)
  return {
    write(bytes) {
      try {
        return writeSync(open, bytes)
      } catch (error) {
        if (codeOf(error) === 'EAGAIN') return 0
        throw new Error(codeOf(error) ?? String(error), { cause: error })
      }
    },
  }
}

/**
 * Files are written at once, whatever happens. A pipe or terminal is opened a second time: whether
 * a write waits is a matter of what was opened, which we may share with the shell that started us.
 * A socket can't be opened again; the service manager that created it has given it to us alone.
 */
function unblocked(descriptor: number): number {
  const status = fstatSync(descriptor)
  const isTerminal = isatty(descriptor)
  if (!isTerminal && !status.isFIFO() && !status.isSocket()) return descriptor
  if (!status.isSocket()) {
    try {
      const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY
      return openSync(`/proc/self/fd/${descriptor}`, flags)
    } catch {
      // It belongs to another user, has no reader, or there is no such path here.
    }
  }
  // Node sets what it makes a stream of to not wait, and keeps it so.
  if (!isTerminal) kept.push(new Socket({ fd: descriptor, readable: false }).unref())
  return descriptor
}

const kept: Socket[] = []

/** Once, and as much as there is room for: standard error may be just as stuck. */
function complain(text: string): void {
  try {
    descriptorSink(2).write(new TextEncoder().encode(text))
  } catch {
    // Nobody is left to read it.
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Lines that wait for room keep no process alive. */
const unhurriedClock: Clock = {
  now: () => new Date(),
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms).unref()),
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
