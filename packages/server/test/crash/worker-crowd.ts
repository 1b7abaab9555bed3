import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../../../simulation/random.js'

const script = fileURLToPath(new URL('mortal-worker.mjs', import.meta.url))
/** Clocks of machines that nobody keeps. */
const maxSkewMs = 2_000
/** One that stood still is not killed before it has said what it has to say. */
const lastWordsMs = 3_000

/** Worker processes that are killed and replaced. */
export class WorkerCrowd {
  kills = 0
  freezes = 0
  /** Workers that ended although nobody killed them. */
  deaths = 0
  /** Outcomes that were refused because the run was no longer the worker's. */
  fenced = 0
  readonly #about: object
  readonly #random: Random
  readonly #children: ChildProcess[] = []
  readonly #spared = new Set<ChildProcess>()
  #thaws: Promise<void>[] = []
  #starts: Promise<void>[] = []

  constructor(about: object, random: Random) {
    this.#about = about
    this.#random = random
  }

  async start(): Promise<void> {
    const skewMs = this.#random.between(-maxSkewMs, maxSkewMs)
    const child = spawn(process.execPath, [script, JSON.stringify({ ...this.#about, skewMs })], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    })
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.fenced += text.split('outcome_fenced').length - 1
    })
    this.#children.push(child)
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (said === 'started') {
      child.once('exit', () => {
        if (this.#children.includes(child)) this.deaths++
        this.#forget(child)
      })
      return
    }
    // Killed before it had started: another one has its place.
    if (!this.#children.includes(child)) return
    // PostgreSQL is down: the keeper of the process starts it again.
    this.#forget(child)
    await this.start()
  }

  /** Another one takes its place, as soon as it has started. */
  killOne(): void {
    const child = this.#pick()
    this.#forget(child)
    child.kill('SIGKILL')
    this.kills++
    this.#starts.push(this.start())
  }

  /** Stands still for longer than its leases, and then goes on as if nothing had happened. */
  freezeOne(ms: number): void {
    const child = this.#pick()
    child.kill('SIGSTOP')
    this.freezes++
    this.#spared.add(child)
    this.#thaws.push(this.#thaw(child, ms))
  }

  async #thaw(child: ChildProcess, ms: number): Promise<void> {
    await pause(ms)
    child.kill('SIGCONT')
    await pause(lastWordsMs)
    this.#spared.delete(child)
  }

  /** Somebody who is awake, if anybody is. */
  #pick(): ChildProcess {
    const awake = this.#children.filter((child) => !this.#spared.has(child))
    return this.#random.pick(awake.length > 0 ? awake : this.#children)
  }

  async end(): Promise<void> {
    await Promise.all([...this.#thaws, ...this.#starts])
    for (const child of this.#children.splice(0)) child.kill('SIGKILL')
  }

  /** No worker stands still, and each that was killed has been replaced. */
  async complete(): Promise<void> {
    await Promise.all([...this.#thaws, ...this.#starts])
  }

  #forget(child: ChildProcess): void {
    const index = this.#children.indexOf(child)
    if (index >= 0) this.#children.splice(index, 1)
  }
}
