export { type ListenAddress, type Listener, parseListenAddress } from '@kron/runtime/listen'
export { listen } from './listen.js'
export type { Shown } from './routes.js'
