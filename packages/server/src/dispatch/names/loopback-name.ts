import { plainName } from './hosts-file.js'
import type { ResolvedAddress } from './resolver.js'

export const loopbackAddresses: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Beside `localhost` and what is below it (RFC 6761), names that hosts files usually have. */
const aliases: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
])

/** Whether a name means the machine itself, on whichever machine it is looked up. */
export function isLoopbackName(hostname: string): boolean {
  const name = plainName(hostname)
  return aliases.has(name) || name.endsWith('.localhost')
}
