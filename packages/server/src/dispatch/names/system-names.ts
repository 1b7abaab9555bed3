import { getServers } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type HostsFile,
  isLoopbackName,
  loopbackAddresses,
  parseHostsFile,
  plainName,
} from './hosts-file.js'
import { NameFailure, NameQuery } from './name-query.js'
import { type NameService, parseResolvConf, searchNames } from './resolv-conf.js'
import type { ResolvedAddress } from './resolver.js'
import { inTurns, machineHasIpv6 } from './resolver.js'

/** Files in which a machine says what it knows of names. */
export interface NameFiles {
  readonly hosts: string
  readonly resolvConf: string
}

export const systemNameFiles: NameFiles = {
  hosts:
    process.platform === 'win32'
      ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
      : '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
}

/**
 * Names as programs on this machine know them: the hosts file, then `localhost`, then DNS with the
 * search domains of resolv.conf. Other sources that a C library may be told to ask are not asked.
 */
export class SystemNames {
  readonly #hosts: WatchedFile<HostsFile>
  readonly #service: WatchedFile<NameService>
  readonly #queries = new Set<NameQuery>()

  constructor(now: () => number, files = systemNameFiles) {
    this.#hosts = new WatchedFile(files.hosts, (text) => parseHostsFile(text ?? ''), now)
    this.#service = new WatchedFile(files.resolvConf, serviceOf, now)
  }

  readonly resolve = async (hostname: string): Promise<readonly ResolvedAddress[]> => {
    const name = plainName(hostname)
    const listed = (await this.#hosts.content()).get(name)
    const found = listed ?? (isLoopbackName(name) ? loopbackAddresses : await this.#ask(hostname))
    return inTurns(found, machineHasIpv6())
  }

  /** Look-ups under way fail. */
  close(): void {
    for (const query of this.#queries) query.cancel()
  }

  async #ask(hostname: string): Promise<readonly ResolvedAddress[]> {
    const service = await this.#service.content()
    const query = new NameQuery(service)
    this.#queries.add(query)
    try {
      return await firstFound(searchNames(hostname, service), query)
    } finally {
      query.end()
      this.#queries.delete(query)
    }
  }
}

/** A server that is silent ends the search: the name it knows must not be taken for another. */
async function firstFound(
  names: readonly string[],
  query: NameQuery,
): Promise<readonly ResolvedAddress[]> {
  let failure = new NameFailure('ENOTFOUND')
  for (const name of names) {
    try {
      return await query.addresses(name)
    } catch (error) {
      if (!(error instanceof NameFailure)) throw error
      failure = error
      if (!error.mayBeElsewhere) break
    }
  }
  throw failure
}

/** Without the file, whom this platform asks. */
const serviceOf = (text: string | null): NameService =>
  text === null ? { ...parseResolvConf(''), servers: getServers() } : parseResolvConf(text)

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
