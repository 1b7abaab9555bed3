import type { Moment, Position } from './moment.js'

export type Liveness = 'L1' | 'L2' | 'L3'

export type Axiom =
  | 'S1'
  | 'S2'
  | 'S3'
  | 'S4'
  | 'S5'
  | 'S6'
  | 'Th1'
  | 'Th2'
  | 'Th3'
  | Liveness
  | 'malformed'

export interface Violation {
  /** `malformed` blames who wrote the trace, everything else the scheduler. */
  readonly axiom: Axiom
  /** Position in the trace, or its length for the end. */
  readonly index: number
  readonly at: number
  readonly task?: string
  readonly message: string
}

/** Something that was still owed when the observation ended, and not late yet. */
export interface OpenObligation {
  readonly axiom: Liveness
  readonly task?: string
  readonly since: number
}

export interface TraceReport {
  readonly violations: readonly Violation[]
  readonly open: readonly OpenObligation[]
}

/** Collects a report, in the order of the trace. */
export class Findings implements TraceReport {
  readonly violations: Violation[] = []
  readonly open: OpenObligation[] = []

  refuse(axiom: Axiom, position: Position, message: string, task?: string): void {
    const { index, wall: at } = position
    this.violations.push({ axiom, index, at, ...(task === undefined ? {} : { task }), message })
  }

  leaveOpen(axiom: Liveness, since: Moment, task?: string): void {
    this.open.push({ axiom, ...(task === undefined ? {} : { task }), since: since.wall })
  }
}
