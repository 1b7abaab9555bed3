import { WakeableSleep } from '@kron/runtime'
import type { ExitStatus } from '../process/index.js'
import type { ProcessIdentity } from '../state/index.js'
import type { DaemonPorts } from './ports.js'

const shortestMs = 1000
/** One that has run for long will do so for longer, and there may be hundreds of them. */
const longestMs = 5000
const looksPerAge = 12

/** Watches a process that is not our child: the kernel does not report its end to us. */
export class Watch {
  /** Resolves when a look finds it gone; rejects when there is no way to look. */
  readonly exited: Promise<ExitStatus>
  readonly #ports: Pick<DaemonPorts, 'clock' | 'processes'>
  #isExpected = false
  readonly #sleep: WakeableSleep

  constructor(ports: Pick<DaemonPorts, 'clock' | 'processes'>, process: ProcessIdentity) {
    this.#ports = ports
    this.#sleep = new WakeableSleep(ports.clock)
    this.exited = this.#untilGone(process)
  }

  /** Its end is near and somebody waits for it. */
  expectEnd(): void {
    this.#isExpected = true
    this.#sleep.wake()
  }

  async #untilGone(process: ProcessIdentity): Promise<ExitStatus> {
    let watchedMs = 0
    while (this.#ports.processes.isAlive(process)) {
      const unhurriedMs = Math.min(longestMs, Math.max(shortestMs, watchedMs / looksPerAge))
      const waitMs = this.#isExpected ? shortestMs : unhurriedMs
      await this.#sleep.for(waitMs)
      watchedMs += waitMs
    }
    return { code: null, signal: null }
  }
}
