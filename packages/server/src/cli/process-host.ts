import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { descriptorOutlet, systemClock, type TextOutput } from '@kron/runtime'
import type { Host, HostFile } from './host.js'

const usualColumns = 80

/** The process that runs this program. */
export function processHost(): Host {
  return {
    clock: systemClock(),
    env: process.env,
    home: homedir(),
    readFile,
    readInput,
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    logOutlet: () => descriptorOutlet(2, 'kron'),
    interrupted: interruption(),
  }
}

/** The first signal asks to end; a second one ends the process as it always does. */
function interruption(): AbortSignal {
  const interrupted = new AbortController()
  const abort = (): void => interrupted.abort()
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  return interrupted.signal
}

function readFile(path: string): HostFile | null {
  try {
    // Permissions of Windows are not in the mode: there is nothing to judge by.
    const isPrivate = process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
    return { text: readFileSync(path, 'utf8'), isPrivate }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function readInput(): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function outputTo(stream: NodeJS.WriteStream): TextOutput {
  // A reader that has seen enough, such as head, closes the pipe: that is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 4)
  })
  return {
    write: (text) => void stream.write(text),
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.isTTY === true ? stream.columns || usualColumns : usualColumns
    },
  }
}
