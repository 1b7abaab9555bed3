export { EventTeller, type EventTellerOptions } from './event-teller.js'
export { type EventReason, eventObject, eventReasons, type KronEvent } from './kron-event.js'
