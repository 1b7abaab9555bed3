export interface PostgresOptions {
  /** Settings of postgresql.conf; they win over ours. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether a commit is on disk when it is answered (default: true). */
  readonly durable?: boolean
  /** Where the data folder is created (default: the system's folder for temporary files). */
  readonly parentFolder?: string
}

export interface PostgresServer {
  /** Of the superuser, on a free port of 127.0.0.1. */
  readonly url: string
  /** The url of a new, empty database with a name of its own. */
  createDatabase(): Promise<string>
  /** Ends all its processes at once, as a crash would; resolves when none of them lives. */
  kill(): Promise<void>
  /** On the same data folder and port; resolves when it accepts connections again. */
  restart(): Promise<void>
  /** Shuts it down and removes its folder; may be called again. */
  stop(): Promise<void>
}
