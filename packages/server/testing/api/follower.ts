/** Reads a stream piece by piece. */
export class Follower {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''

  constructor(response: Response) {
    this.#reader = response.body!.getReader()
  }

  /** Everything up to and with this text. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error(`the stream ended after ${JSON.stringify(this.#text)}`)
      this.#text += new TextDecoder().decode(value)
    }
    const end = this.#text.indexOf(text) + text.length
    const [seen, rest] = [this.#text.slice(0, end), this.#text.slice(end)]
    this.#text = rest
    return seen
  }

  /** All that is left, once it has ended. */
  async rest(): Promise<string> {
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return this.#text
      this.#text += new TextDecoder().decode(value)
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}
