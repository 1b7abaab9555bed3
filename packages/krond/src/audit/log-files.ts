import { createReadStream } from 'node:fs'
import { SystemError } from '@kron/core'
import { LineSplitter } from '@kron/runtime'
import { fieldsOf, instantOf } from './log-line.js'

/** The bytes of a log, piece by piece; `-` is what the process is given. */
export type OpenLog = (path: string) => AsyncIterable<Uint8Array>

export const standardInput = '-'

const pieceBytes = 1024 * 1024

export const openLog: OpenLog = (path) =>
  path === standardInput ? process.stdin : createReadStream(path, { highWaterMark: pieceBytes })

/** Everything of a log. Rejects with a SystemError if it can't be read. */
export async function readLog(
  open: OpenLog,
  path: string,
  shown: string,
  onPiece: (piece: Uint8Array) => 'enough' | undefined,
): Promise<void> {
  try {
    for await (const piece of open(path)) if (onPiece(piece) === 'enough') return
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const reason = code === 'ENOENT' ? 'no such file' : code
    const details = { field: 'log', value: shown, reason }
    throw new SystemError('KRON_FILE_UNREADABLE', `can't read ${shown}: ${reason}`, details, {
      cause: error,
    })
  }
}

/** Longer than any line of the daemon is no such line: its beginning is enough to say so. */
export const logLines = (): LineSplitter =>
  new LineSplitter({ maxBytes: 4 * 1024 * 1024, overlong: 'shorten' })

/** When the first event of a log was written; NaN when that is not known. */
export async function beginningOf(open: OpenLog, path: string, shown: string): Promise<number> {
  let beginning = Number.NaN
  const lines = logLines()
  await readLog(open, path, shown, (piece) => {
    for (const line of lines.split(piece)) {
      if (Number.isNaN(beginning)) beginning = instantOf(fieldsOf(line)?.['time'])
    }
    return 'enough'
  })
  return beginning
}
