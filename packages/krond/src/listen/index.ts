export { type Listener, listen } from './listen.js'
export { type ListenAddress, parseListenAddress } from './listen-address.js'
export type { Shown } from './routes.js'
