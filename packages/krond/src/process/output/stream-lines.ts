import { LineSplitter } from '@kron/runtime'

export type StreamName = 'stdout' | 'stderr'

export const longestLineBytes = 8192

/** The lines of a job's stream, as they come. One over 8 KiB comes in pieces. */
export class StreamLines {
  readonly #onLine: (line: string) => void
  readonly #lines = new LineSplitter({
    maxBytes: longestLineBytes,
    overlong: 'cut',
    dropsCarriageReturn: true,
  })

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    for (const line of this.#lines.split(chunk)) this.#onLine(line)
  }

  /** Delivers a last line that has no end. */
  end(): void {
    const last = this.#lines.end()
    if (last !== '') this.#onLine(last)
  }
}
