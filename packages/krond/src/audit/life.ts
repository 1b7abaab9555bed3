import { type LogEvents, logVersion } from '../daemon/log-events.js'
import type { Findings } from './findings.js'
import type { JobRecord } from './job-record.js'
import { type LogLine, type Place, placeOf } from './log-line.js'
import type { Obligations } from './obligations.js'

/** One daemon from its `start` on, as far as the log shows. */
export class Life {
  /** Counted from 1; 0 before the first `start`, in a log that begins in the middle of a life. */
  readonly number: number
  /** The time zone database; null when it is not known. */
  readonly tzdata: string | null
  readonly began: Place
  readonly pid: unknown
  readonly bootId: string | null
  /** How many jobs it began with; null when that is not known. */
  readonly jobs: number | null
  /** Whether it names every job that it does not plan; one of an older krond does not. */
  readonly tellsAll: boolean
  /** Whether it says more than we know of. */
  readonly isNewer: boolean
  stopped = false
  /** An error ended it: nothing is planned or triggered any more. */
  halted = false
  /** How often lines of it were lost; what was known before such a gap may not hold after it. */
  gaps: number
  stage: 'starting' | 'planning' | 'running'
  /** Jobs that are planned, or said not to be. */
  activeJobs = 0
  /** Lines that planned a job, or said that it is not. */
  plans = 0
  /** Verdicts whose outcome is still to come. */
  underWay = 0
  running = 0
  /** Jobs that a reload may have taken away or changed, where the log does not say which. */
  unnamed = 0
  lastReload = -1
  /** By how much the clock jumped, all in all. */
  jumpedMs = 0
  lastTime: number
  /** Whether the next line follows the one before: none is missing in between. */
  isOrdered = true
  lastJump: { readonly index: number; readonly from: number; readonly to: number } | null = null
  /** Since a jump back, until all jobs are planned again. */
  replanning: LogLine | null = null
  /** A job of which a period was passed over, until the line that plans another one. */
  passing: JobRecord | null = null
  /** Plans that only a reload explains, which must be the next line. */
  readonly changes = new Map<string, Place>()
  removals = 0

  constructor(number: number, line: LogLine) {
    const { tzdata, jobs, log_version, boot_id } = line.fields as Partial<LogEvents['start']>
    const isWhole = number > 0
    this.number = number
    this.began = placeOf(line)
    this.pid = line.fields['pid']
    this.bootId = typeof boot_id === 'string' ? boot_id : null
    this.tzdata = isWhole && typeof tzdata === 'string' ? tzdata : null
    this.jobs = isWhole && typeof jobs === 'number' ? jobs : null
    this.tellsAll = typeof log_version === 'number' && log_version >= logVersion
    this.isNewer = typeof log_version === 'number' && log_version > logVersion
    this.gaps = isWhole ? 0 : 1
    this.stage = isWhole ? 'starting' : 'running'
    this.lastTime = line.time
  }

  /** Whether all of its lines are there so far. */
  get isWhole(): boolean {
    return this.gaps === 0
  }

  /** Whether it still plans and triggers. */
  get acts(): boolean {
    return !this.stopped && !this.halted
  }
}

/** How the life before ended. */
export interface LifeEnd {
  readonly number: number
  /** Whether it was stopped, so that it wrote all it had to say. */
  readonly inOrder: boolean
  readonly time: number
  /** The machine has started again since: it may have lost what was written last. */
  readonly machineEnded: boolean
}

/** What an audit knows of the daemon as a whole, at the line it is at. */
export interface AuditState {
  readonly findings: Findings
  readonly obligations: Obligations
  life: Life
  /** Null in the first life of the log. */
  before: LifeEnd | null
}
