export { eventObject } from './event-object.js'
export { EventTeller, type EventTellerOptions } from './event-teller.js'
export { type EventReason, eventReasons, type KronEvent } from './kron-event.js'
