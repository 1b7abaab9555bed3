import { ApiFailure } from '../api-failure.js'

/** What lets a request in: headers for each one, and TLS options for each connection. */
export interface Access {
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsOptions
}

export interface TlsOptions {
  readonly ca?: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly rejectUnauthorized?: boolean
  readonly servername?: string
}

/** Where the API server is, and who we are to it. */
export interface AccessSource {
  /** With a path, where there is one, and no slash at its end. */
  readonly server: string
  readonly proxyUrl: string | null
  /** As it is now: files may have changed, and tokens may have been renewed. */
  read(): Promise<Access>
  /** The server has refused what was read: nothing of it may be kept. */
  forget(): void
}

const keptMs = 10_000

/** The access of a source, read again from time to time, and after the server has refused it. */
export class Credentials {
  readonly #source: AccessSource
  readonly #now: () => number
  #access: Access | null = null
  #readAt = 0
  #reading: Promise<Access> | null = null

  constructor(source: AccessSource, now: () => number = () => performance.now()) {
    this.#source = source
    this.#now = now
  }

  /** Not a promise when it is at hand, as it is for nearly all requests. */
  current(): Access | Promise<Access> {
    if (this.#access !== null && this.#now() - this.#readAt < keptMs) return this.#access
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** Many requests may be refused at once; only what they used is dropped, not what came after. */
  refuse(access: Access): void {
    if (this.#access !== access) return
    this.#access = null
    this.#source.forget()
  }

  async #read(): Promise<Access> {
    try {
      this.#access = await this.#source.read()
    } catch (error) {
      // A file that is being replaced, a plugin that fails once: what we have may still do, unless
      // it was refused meanwhile.
      if (this.#access === null) throw unreadable(error)
    }
    this.#readAt = this.#now()
    return this.#access
  }
}

function unreadable(cause: unknown): ApiFailure {
  const { message } = cause as Error
  return new ApiFailure(`no credentials for the API server: ${message}`, { status: null, cause })
}
