import type { TextOutput } from '@kron/runtime'
import { type ExitCode, exitCodes } from './exit-code.js'

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
