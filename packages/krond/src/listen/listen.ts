import { type Listener, listen as listenOn } from '@kron/runtime/listen'
import { answer, type Shown } from './routes.js'

/** Shows a running daemon over HTTP, read-only, at `host:port` or `unix:/path`. */
export const listen = (address: string, shown: Shown): Promise<Listener> =>
  listenOn(address, (target) => answer(shown, target))
