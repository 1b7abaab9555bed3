import { readFile } from 'node:fs/promises'

/** A file that somebody else changes is looked at this often at most. */
const restMs = 5_000

/** What a file of the system says, read again from time to time. */
export class WatchedFile<Content> {
  readonly #path: string
  readonly #parse: (text: string | null) => Content
  readonly #now: () => number
  #content: Promise<Content> | null = null
  #readAt = 0

  /** `parse` is given null when the file can't be read. */
  constructor(path: string, parse: (text: string | null) => Content, now: () => number) {
    this.#path = path
    this.#parse = parse
    this.#now = now
  }

  content(): Promise<Content> {
    const ageMs = this.#now() - this.#readAt
    if (this.#content === null || ageMs < 0 || ageMs >= restMs) {
      this.#readAt = this.#now()
      this.#content = readFile(this.#path, 'utf8')
        .catch(() => null)
        .then(this.#parse)
    }
    return this.#content
  }
}
