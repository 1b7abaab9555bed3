import { processHost as commonHost } from '@kron/command'
import { descriptorOutlet } from '@kron/runtime'
import type { Host } from './host.js'
import { userFiles } from './user-files.js'

/** The process that runs this program. */
export const processHost = (): Host => ({
  ...commonHost(),
  ...userFiles,
  logOutlet: () => descriptorOutlet(2, 'kron'),
  interrupted: interruption(process),
})

/** Where signals of a process are heard. */
export interface SignalSource {
  once(signal: NodeJS.Signals, listener: () => void): unknown
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal asks to end, and so does closing the terminal, which sends SIGHUP. A second one
 * ends the process as it always does. (`nohup` makes no difference: Node itself undoes it.)
 */
export function interruption(source: SignalSource): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of signals) source.once(signal, () => interrupted.abort())
  return interrupted.signal
}
