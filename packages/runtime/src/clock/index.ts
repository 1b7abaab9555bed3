export type { Clock } from './clock.js'
export { systemClock } from './system-clock.js'
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.js'
