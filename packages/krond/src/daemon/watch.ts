import type { ExitStatus } from '../process/index.js'
import type { ProcessIdentity } from '../state/index.js'
import type { DaemonPorts } from './ports.js'

const shortestMs = 1000
/** One that has run for long will do so for longer, and there may be hundreds of them. */
const longestMs = 5000
const looksPerAge = 12

/** Looks after a process that is not our child: nobody tells us when it is gone. */
export class Watch {
  /** Resolves when a look finds it gone; rejects when there is no way to look. */
  readonly exited: Promise<ExitStatus>
  readonly #ports: Pick<DaemonPorts, 'clock' | 'processes'>
  #isExpected = false
  #alarm = new AbortController()

  constructor(ports: Pick<DaemonPorts, 'clock' | 'processes'>, process: ProcessIdentity) {
    this.#ports = ports
    this.exited = this.#untilGone(process)
  }

  /** Its end is near and somebody waits for it. */
  expectEnd(): void {
    this.#isExpected = true
    this.#alarm.abort('expected')
  }

  async #untilGone(process: ProcessIdentity): Promise<ExitStatus> {
    let watchedMs = 0
    while (this.#ports.processes.isAlive(process)) {
      const unhurriedMs = Math.min(longestMs, Math.max(shortestMs, watchedMs / looksPerAge))
      const waitMs = this.#isExpected ? shortestMs : unhurriedMs
      await this.#sleep(waitMs)
      watchedMs += waitMs
    }
    return { code: null, signal: null }
  }

  async #sleep(ms: number): Promise<void> {
    this.#alarm = new AbortController()
    const { signal } = this.#alarm
    await this.#ports.clock.sleep(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}
