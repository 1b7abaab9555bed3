/** Of ranges that people have services of their own in. How to open others they have to know. */
const local: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'unique local',
  'carrier-grade NAT',
])

/** Whether an address that was denied for this reason is one that operators usually may allow. */
export const isLocalReason = (reason: string): boolean => local.has(reason)

/** What an operator does so that this address is called, as the rest of a sentence. */
export function allowRemedy(reason: string, address: string, port: number): string {
  const host = address.includes(':') ? `[${address}]` : address
  const options = [...(reason === 'loopback' ? ['--allow-local'] : []), `--allow ${host}:${port}`]
  return `the operator of this server can allow it: kron serve ${options.join(' or ')}`
}
