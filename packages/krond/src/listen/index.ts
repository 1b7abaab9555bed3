export { type ListenAddress, type Listener, parseListenAddress } from '@kron/runtime/listen'
export { listen, type Shown } from './routes.js'
