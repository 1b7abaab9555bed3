import { messageOf } from '@kron/runtime'
import { createAddressGuard, isLoopbackName } from '../../dispatch/index.js'
import type { Host } from '../../process/host.js'
import { keyFileOf } from '../../process/key-source.js'
import type { KeyKeeper } from '../../start/first-tenant.js'

/** Whether only this machine reaches what listens there, and so most likely one person. */
export function isLoopback(host: string): boolean {
  const verdict = createAddressGuard().check(host.replace(/^\[(.*)\]$/, '$1'), 1)
  return isLoopbackName(host) || (!verdict.allowed && verdict.reason === 'loopback')
}

/** What is there already is never replaced: it may be the only copy of another server's key. */
export function keyKeeperOf(host: Host): KeyKeeper {
  const { path } = keyFileOf(host)
  return {
    async keep(text) {
      if ((host.env['KRON_KEY'] ?? '') !== '') {
        return { path: null, why: 'KRON_KEY is set, and kron uses the key that it holds' }
      }
      try {
        if (await host.createFile(path, `${text}\n`)) return { path }
        return { path: null, why: `${path} was there already, and kron uses the key in it` }
      } catch (error) {
        const reason = messageOf(error)
        return { path: null, why: `${path} can't be written: ${reason}` }
      }
    },
    async forget(text) {
      // Somebody may have put another key there in the meantime.
      if (host.readFile(path)?.text.trim() === text) await host.removeFile(path)
    },
  }
}
