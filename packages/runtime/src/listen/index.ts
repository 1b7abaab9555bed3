export { type Listener, listen } from './listen.js'
export { type ListenAddress, parseListenAddress } from './listen-address.js'
export { errorReply, failureReply, jsonReply, type Reply } from './reply.js'
