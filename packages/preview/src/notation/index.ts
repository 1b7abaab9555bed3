export type { Notation, SchedulePart } from './notation.js'
