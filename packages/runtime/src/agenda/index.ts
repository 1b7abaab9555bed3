export { Agenda, type ClockJump } from './agenda.js'
