import type { ConfigurationSources } from '../configuration/index.js'
import type { LockInfo } from '../lock/holder-file.js'

/** Of the paths that a daemon tells: all that it says of itself has to fit into one line. */
const maxBytes = 4096

/** What a daemon says of the files that it was started with, so that others need not guess. */
export function toldSources({ krontabs, crontabs }: ConfigurationSources): LockInfo {
  const told = { krontabs, crontabs }
  return Buffer.byteLength(JSON.stringify(told)) <= maxBytes ? told : {}
}

/** The files of a running daemon; null when it did not say, as one of an older version. */
export function sourcesOfDaemon(info: LockInfo): ConfigurationSources | null {
  const { krontabs, crontabs } = info
  return isPaths(krontabs) && isPaths(crontabs) ? { krontabs, crontabs } : null
}

const isPaths = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path.startsWith('/'))
