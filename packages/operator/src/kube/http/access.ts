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
