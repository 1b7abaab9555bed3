import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Clock, systemClock, type TextOutput } from '@kron/runtime'
import { type FileSource, systemFiles } from '../files/index.js'
import { type ExitCode, exitCodes } from './exit-code.js'

/** What every command has of the process it runs in; programs add what theirs need. */
export interface CommandHost {
  readonly clock: Pick<Clock, 'now'>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; relative paths of the command line start here. */
  readonly cwd: string
  writeFile(path: string, content: string): void
  readonly stdout: TextOutput
  readonly stderr: TextOutput
}

/** What is the same for all programs in a real process. */
export interface ProcessHost extends CommandHost {
  readonly clock: Clock
  readonly home: string
  readonly files: FileSource
  /** All of standard input. */
  readInput(): Promise<Uint8Array>
}

export function processHost(): ProcessHost {
  return {
    clock: systemClock(),
    env: process.env,
    cwd: process.cwd(),
    home: homeFolder(homedir),
    files: systemFiles,
    writeFile: (path, content) => writeFileSync(path, content),
    readInput,
    stdout: processOutput(process.stdout),
    stderr: processOutput(process.stderr),
  }
}

/** An account without a name or a home, as containers have them, is at home in the root folder. */
export function homeFolder(find: () => string): string {
  try {
    return find()
  } catch {
    return '/'
  }
}

async function readInput(): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const defaultColumns = 80

export function processOutput(stream: NodeJS.WriteStream): TextOutput {
  // A reader that has seen enough, such as head, closes the pipe: that is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.success : exitCodes.fatal)
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

/** Ends the process when a pipe has taken all that was printed, which may be more than fits. */
export async function endProcess(code: ExitCode): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve))
  }
  process.exit(code)
}
