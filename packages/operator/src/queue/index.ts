export { KeyedQueue, type Urgency } from './keyed-queue.js'
export { type Lane, RequestLanes } from './request-lanes.js'
