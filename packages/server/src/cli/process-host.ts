import { homedir } from 'node:os'
import { descriptorOutlet, systemClock, type TextOutput } from '@kron/runtime'
import type { Host } from './host.js'
import { interruption } from './interruption.js'
import { userFiles } from './user-files.js'

const defaultColumns = 80

/** The process that runs this program. */
export function processHost(): Host {
  return {
    clock: systemClock(),
    env: process.env,
    home: homeOf(homedir),
    ...userFiles,
    readInput,
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    logOutlet: () => descriptorOutlet(2, 'kron'),
    interrupted: interruption(process),
  }
}

/** An account without a name or a home, as containers have them, is at home in the root folder. */
export function homeOf(find: () => string): string {
  try {
    return find()
  } catch {
    return '/'
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
      return stream.isTTY === true ? stream.columns || defaultColumns : defaultColumns
    },
  }
}
