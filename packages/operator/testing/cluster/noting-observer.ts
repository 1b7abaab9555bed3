import type { Observer } from '../../src/controller/ports.js'

/** Notes all but how often something was looked at. */
export function notingObserver(observed: string[]): Observer {
  return {
    handled: (outcome) => void observed.push(`handled ${outcome}`),
    started: (lateMs) => void observed.push(`started ${lateMs}`),
    ended: (state) => void observed.push(`ended ${state}`),
    failed: (operation) => void observed.push(`failed ${operation}`),
    reconciled: () => undefined,
  }
}
