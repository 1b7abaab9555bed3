import { Resolver as Client } from 'node:dns/promises'
import type { NameService } from './resolv-conf.js'
import type { ResolvedAddress } from './resolver.js'

/** All questions about one host together; less than the time there is to connect. */
const patienceMs = 8_000

interface Answered {
  readonly address: string
  readonly ttl: number
}

/** A look-up that gave no address, and whether that is the last word about the name. */
export class NameFailure extends Error {
  override readonly name = 'NameFailure'
  readonly code: string

  constructor(code: string) {
    super(words[code] ?? `the look-up failed (${code})`)
    this.code = code
  }

  /** There is no such name here, or this server can't tell: the next domain may have it. */
  get mayBeElsewhere(): boolean {
    return this.code === 'ENOTFOUND' || this.code === 'ENODATA' || this.code === 'ESERVFAIL'
  }
}

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  ENODATA: 'it has no address',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused to answer',
  ECONNREFUSED: 'the name server does not listen',
  ETIMEOUT: 'the name server does not answer',
  ECANCELLED: 'the name server does not answer',
  EBADNAME: 'it is not a name that DNS can have',
}

/**
 * Asks name servers about one host, over sockets of its own. `dns.lookup` would take one of four
 * threads, which files and compression need too, for as long as a dead server is waited for. And a
 * socket that nobody else uses has a port that nobody can guess who wants to answer in its place.
 */
export class NameQuery {
  readonly #client: Client
  readonly #timer: NodeJS.Timeout

  constructor({ servers, timeoutMs, attempts }: NameService) {
    this.#client = new Client({ timeout: timeoutMs, tries: attempts })
    if (servers.length > 0) this.#client.setServers([...servers])
    this.#timer = setTimeout(() => this.cancel(), patienceMs)
  }

  /** Both families. What one of them answers counts, whatever becomes of the other. */
  async addresses(name: string): Promise<readonly ResolvedAddress[]> {
    const [four, six] = await Promise.all([
      this.#client.resolve4(name, { ttl: true }).catch(failureOf),
      this.#client.resolve6(name, { ttl: true }).catch(failureOf),
    ])
    const found = [...resolved(four, 4), ...resolved(six, 6)]
    if (found.length > 0) return found
    const failures = [four, six].filter((each) => each instanceof NameFailure)
    const worst = failures.find((failure) => !failure.mayBeElsewhere) ?? failures[0]
    throw worst ?? new NameFailure('ENODATA')
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** Those that wait for an answer learn that there is none. */
  cancel(): void {
    this.end()
    this.#client.cancel()
  }
}

function failureOf(error: unknown): NameFailure {
  const { code = 'unknown' } = error as { readonly code?: string }
  return new NameFailure(code)
}

function resolved(answer: readonly Answered[] | NameFailure, family: number): ResolvedAddress[] {
  if (answer instanceof NameFailure) return []
  return answer.map(({ address, ttl }) => ({ address, family, ttlSeconds: ttl }))
}
