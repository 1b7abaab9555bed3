import { writeSync } from 'node:fs'

const mostHeld = 65_536

/**
 * Writes lines to a descriptor, those of one turn of the event loop together: ten thousand jobs that
 * are planned at once are a few writes, not ten thousand. What is durable later than a line was
 * logged is so turns later, hence after the line was written; and the last line before the end of
 * the process is written then.
 */
export function lineWriter(descriptor: number): (line: string) => void {
  let held = ''
  let isPlanned = false
  const flush = (): void => {
    const text = held
    held = ''
    writeAll(descriptor, text)
  }
  process.on('exit', flush)
  return (line) => {
    held += `${line}\n`
    if (held.length > mostHeld) flush()
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      flush()
    })
  }
}

/** A reader that is gone is no reason to end. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}
