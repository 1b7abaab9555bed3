/** What `startServer` takes. What is left out is as with `kron serve`. */
export interface ServerOptions {
  /** The folder of the embedded database and of the sealing key; it is created where it is missing. */
  readonly data: string
  /** A `postgres://` URL, or the path of an SQLite file. By default `kron.db` in `data`. */
  readonly database?: string
  /** The sealing key: 32 random bytes in base64. By default the file `secret.key` in `data`. */
  readonly secretKey?: string
  /** By default `api`, `worker` and `planner`. */
  readonly roles?: readonly Role[]
  /** By default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  /** By default 7077; 0 takes a port that is free. null: this server does not listen. */
  readonly port?: number | null
  /** Where people reach the server, such as `https://kron.example.com`. */
  readonly publicUrl?: string
  /** Private addresses or ranges that endpoints may call, such as `10.20.0.0/16`. */
  readonly allow?: readonly string[]
  /** How long runs under way have when the server is stopped. By default 30,000. */
  readonly graceMs?: number
  readonly log?: ServerLogOptions
}

export interface ServerLogOptions {
  /** By default `text`. */
  readonly format?: 'text' | 'json'
  /** The lowest level that is written, by default `info`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** Takes a line without its end. By default lines go to standard error. */
  readonly write?: (line: string) => void
}

/** A server that runs in this process. */
export interface Server {
  /** Where it listens, such as `http://127.0.0.1:7077`; null where it does not. */
  readonly url: string | null
  /** The tenant that was created because the database had none; nobody is shown its key again. */
  readonly created: CreatedTenant | null
  /** Lets runs under way end, records them, and closes everything. Calls after the first do nothing. */
  stop(): Promise<void>
}

export interface CreatedTenant {
  readonly id: string
  readonly name: string
  /** Its API key. */
  readonly key: string
  /** The secret that signs its requests. */
  readonly signingSecret: string
}

/**
 * Starts a server in this process. It rejects with an error whose `part` says what could not start,
 * `database`, `sealing-key`, `allow` or `listener`, and whose `code` says why; nothing stays open then.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  // Receivers that only verify signatures load none of this.
  const { startInProcess } = await import('./in-process.js')
  return startInProcess(options)
}

/** What a process does. By default it does everything. */
export const roles = ['api', 'worker', 'planner'] as const
export type Role = (typeof roles)[number]
