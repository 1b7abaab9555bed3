import { isIP } from 'node:net'

/** Whom names are asked of, and how names that are not complete are completed. */
export interface NameService {
  readonly servers: readonly string[]
  readonly search: readonly string[]
  /** Names with as many dots are tried as they are first. */
  readonly ndots: number
  readonly timeoutMs: number
  readonly attempts: number
}

/** Shorter than the C library's 5 s: all attempts must fit into the time to connect. */
const defaultTimeoutMs = 2_000
const maxTimeoutMs = 5_000
const maxServers = 3
const maxSearch = 32

const defaults: NameService = {
  servers: [],
  search: [],
  ndots: 1,
  timeoutMs: defaultTimeoutMs,
  attempts: 2,
}

/** Reads resolv.conf(5). What it does not understand it passes over, as everybody does. */
export function parseResolvConf(text: string): NameService {
  let service = defaults
  for (const line of text.split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    service = withLine(service, word, rest)
  }
  return service
}

function withLine(service: NameService, word: string, rest: readonly string[]): NameService {
  const [first] = rest
  if (word === 'nameserver' && first !== undefined && isServer(first)) {
    return { ...service, servers: [...service.servers, first].slice(0, maxServers) }
  }
  // The last line of the two kinds holds.
  if (word === 'search') return { ...service, search: domains(rest) }
  if (word === 'domain') return { ...service, search: domains(rest.slice(0, 1)) }
  if (word === 'options') return rest.reduce(withOption, service)
  return service
}

const domains = (words: readonly string[]): readonly string[] =>
  words
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => word !== '')
    .slice(0, maxSearch)

function withOption(service: NameService, option: string): NameService {
  const [name, text = ''] = option.split(':')
  if (!/^\d{1,4}$/.test(text)) return service
  if (!/^\d+$/.test(text)) return service
  const value = Number(text)
  if (name === 'ndots') return { ...service, ndots: Math.min(value, 15) }
  if (name === 'attempts') return { ...service, attempts: Math.max(1, Math.min(value, 5)) }
  if (name !== 'timeout') return service
  return { ...service, timeoutMs: Math.max(1_000, Math.min(value * 1_000, maxTimeoutMs)) }
}

/** An address, with a port where the server has another one than 53. */
function isServer(text: string): boolean {
  const [, four] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  const [, six] = /^\[(.+)\]:\d{1,5}$/.exec(text) ?? []
  return isIP(four ?? six ?? text) !== 0
}

/**
 * The names to ask for, in order. A name with fewer dots than `ndots` is tried within the search
 * domains first: `api` in a container network, `api.shop` in Kubernetes.
 */
export function searchNames(hostname: string, { search, ndots }: NameService): readonly string[] {
  if (hostname.endsWith('.')) return [hostname.slice(0, -1)]
  const within = search.map((domain) => `${hostname}.${domain}`)
  const dots = hostname.split('.').length - 1
  return dots >= ndots ? [hostname, ...within] : [...within, hostname]
}
