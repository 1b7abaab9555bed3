export { KeyedQueue } from './keyed-queue.js'
export { type Lane, RequestLanes } from './request-lanes.js'
