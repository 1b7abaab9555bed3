export { Announcer, type EventListener, thrown } from './announcer.js'
export type * from './event.js'
export type { Logger } from './logger.js'
