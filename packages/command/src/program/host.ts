import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Clock, systemClock, type TextOutput } from '@kron/runtime'
import { type FileSource, systemFiles } from '../files/index.js'
import { processOutput } from './process-output.js'

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
