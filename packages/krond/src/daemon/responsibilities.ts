import { responsibilityFor } from '@kron/core'
import type { JobRecord } from './job-record.js'
import type { Ledger } from './ledger.js'
import type { DaemonPorts } from './ports.js'
import type { Rush } from './rush.js'

/** A host that sees a hundred thousand jobs for the first time has better things to do. */
const writesAtOnce = 32

/** Of a job that was removed: no timing is equal to it, so one that comes back is a new one. */
const noTiming = ''

/**
 * Since when this host answers for each of its jobs, by the rule of the core. For krond that is the
 * first sight of the job, or of its new timing.
 *
 * It holds in memory at once and is written behind all starts. Dying before the write leaves a job
 * that the next daemon sees for the first time: it answers for less, and runs nothing twice.
 */
export class Responsibilities {
  readonly #ports: Pick<DaemonPorts, 'clock'>
  readonly #ledger: Ledger
  readonly #rush: Rush
  readonly #unwritten = new Set<JobRecord>()
  #writing: Promise<void> | null = null
  #isReady = false
  #isClosed = false

  constructor(ports: Pick<DaemonPorts, 'clock'>, ledger: Ledger, rush: Rush) {
    this.#ports = ports
    this.#ledger = ledger
    this.#rush = rush
  }

  /** The daemon runs: what was noted up to now may be written, and no start waits for it. */
  begin(): void {
    this.#isReady = true
    this.#writeSoon()
  }

  /** The job is there, with the timing that it has now. */
  assume(record: JobRecord): void {
    const { state, hostJob, handledThrough } = record
    const now = this.#ports.clock.now().getTime()
    const { timing } = hostJob.job
    const known = responsibilityFor(timing, state.responsibility, handledThrough, now, now)
    // What lies ahead was noted by a clock that has been set back since: it means now.
    this.#note(record, known.since > now ? { timing, since: now } : known)
  }

  /** The job was taken out of the configuration. */
  end(record: JobRecord): void {
    this.#note(record, { timing: noTiming, since: this.#ports.clock.now().getTime() })
  }

  /** Nothing is written any more: the folder may be another daemon's in a moment. */
  close(): void {
    this.#isClosed = true
    this.#unwritten.clear()
  }

  /** Until all of it is on disk; what can't be written ends the daemon elsewhere. */
  async written(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  #note(
    record: JobRecord,
    responsibility: NonNullable<JobRecord['state']['responsibility']>,
  ): void {
    const before = record.state.responsibility
    if (before?.timing === responsibility.timing && before.since === responsibility.since) return
    record.state = { ...record.state, responsibility }
    if (this.#isClosed) return
    this.#unwritten.add(record)
    this.#writeSoon()
  }

  #writeSoon(): void {
    if (this.#isReady) this.#writing ??= this.#write()
  }

  #some(): JobRecord[] {
    const some: JobRecord[] = []
    for (const record of this.#unwritten) {
      if (some.length === writesAtOnce) break
      some.push(record)
      this.#unwritten.delete(record)
    }
    return some
  }

  async #write(): Promise<void> {
    try {
      // Not before the caller is done: more may follow at once.
      await Promise.resolve()
      while (this.#unwritten.size > 0) {
        const turn = this.#rush.over()
        const writes = this.#some().map((record) =>
          this.#ledger.change(record, null, (state) => state, turn),
        )
        await Promise.all(writes)
      }
    } catch {
      // The ledger has reported it; what is left is for the next daemon.
      this.#unwritten.clear()
    } finally {
      this.#writing = null
    }
  }
}
