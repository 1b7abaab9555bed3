export { EventRecorder, type EventRecorderOptions } from './event-recorder.js'
export { type EventReason, eventObject, eventReasons, type KronEvent } from './kron-event.js'
