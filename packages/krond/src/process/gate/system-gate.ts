import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SystemError } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { ProcessIdentity } from '../../state/index.js'
import { CapturedStream, drained, type Flow } from '../output/captured-stream.js'
import { StreamLines } from '../output/stream-lines.js'
import { processIdentity } from '../process-identity.js'
import type { ExitStatus, Gate, OnLine, Release, StartRequest } from '../processes.js'
import type { SpawnedProcess } from '../spawn/spawner.js'
import { within } from '../time-limit.js'
import { GateChannel } from './gate-channel.js'
import type { GateLaunch, LaunchedGate } from './gate-launch.js'
import { endedUnreleased, execFailure, gateRefusal, notExecuted } from './gate-refusal.js'

export interface GateLimits {
  /** From the start of a gate until it is ready. */
  readonly readyMs: number
  /** For `exec`; after that the job counts as running, since it may be. */
  readonly execMs: number
  /** For a gate that was asked to end, before it is killed. */
  readonly endMs: number
  /** For the output of a job that is gone, when something it left behind holds it open. */
  readonly drainMs: number
}

/** What all gates have in common. */
export interface GatePorts {
  readonly clock: Clock
  readonly limits: GateLimits
  readonly flow: Flow
}

/** A gate as a process of this machine. Its protocol is described in gate-script.ts. */
export class SystemGate implements Gate {
  readonly process: ProcessIdentity
  readonly exited: Promise<ExitStatus>
  readonly #gate: GateProcess
  #status: ExitStatus | null = null
  #release: Promise<Release> | null = null
  #abandoned = false
  #delivering: Promise<void> | null = null

  constructor(process: ProcessIdentity, gateProcess: GateProcess) {
    this.process = process
    this.#gate = gateProcess
    this.exited = this.#finish()
  }

  release(): Promise<Release> {
    this.#release ??= this.#become()
    return this.#release
  }

  abandon(): void {
    if (this.#release !== null || this.#abandoned) return
    this.#abandoned = true
    void this.#gate.end()
  }

  async #become(): Promise<Release> {
    const { channel, child, input, limits, clock } = this.#gate
    if (this.#abandoned) return notExecuted('the gate was abandoned')
    if (this.#status !== null) return endedUnreleased(this.#status)
    // Before the gate is opened, so that the job finds its input even if this process dies now.
    if (input !== null) child.stdin?.end(input)
    channel.send('go\n')
    if (!(await this.#gate.isGoing())) return endedUnreleased(await this.#gate.end())
    const line = await within(channel.next(), limits.execMs, clock)
    const [, status] = /^failed (\d+)$/.exec(line ?? '') ?? []
    if (status === undefined) {
      channel.close()
      this.#delivering = this.#deliverNext()
      return { kind: 'running' }
    }
    await this.#gate.end()
    return execFailure(this.#gate.launch.words[0], status, await this.#gate.said())
  }

  /** Not at once: the caller that waits for the release gets its answer before the first line. */
  async #deliverNext(): Promise<void> {
    await nextTurn()
    this.#gate.deliverLines()
  }

  async #finish(): Promise<ExitStatus> {
    const { exit, clock, limits, streams } = this.#gate
    this.#status = await exit
    const release = await this.#release
    if (release?.kind === 'running') {
      await this.#delivering
      await drained(streams, limits.drainMs, clock)
    } else {
      for (const stream of streams) stream.close()
    }
    this.#gate.child.stdin?.destroy()
    return this.#status
  }
}

/** The process of a gate and all that is connected to it. */
export class GateProcess {
  readonly launch: GateLaunch
  readonly input: string | null
  readonly child: SpawnedProcess
  readonly channel: GateChannel
  readonly exit: Promise<ExitStatus>
  readonly streams: readonly CapturedStream[]
  readonly clock: Clock
  readonly limits: GateLimits
  readonly #stdout: CapturedStream | null
  readonly #stderr: CapturedStream | null
  readonly #onLine: OnLine
  readonly #variables: string
  #isGone = false
  #found: string | null = null

  constructor(
    { child, variables, read }: LaunchedGate,
    launch: GateLaunch,
    start: StartRequest,
    { clock, limits, flow }: GatePorts,
  ) {
    this.launch = launch
    this.input = start.settings.stdin
    this.child = child
    this.clock = clock
    this.limits = limits
    this.#onLine = start.onLine
    this.exit = child.exit.then((status) => {
      this.#isGone = true
      return status
    })
    // A job that does not read its input, or not all of it, is no failure.
    child.stdin?.on('error', () => child.stdin?.destroy())
    this.channel = new GateChannel(child.channel)
    const captured = (stream: Socket | null): CapturedStream | null =>
      stream === null ? null : new CapturedStream(stream, flow)
    this.#stdout = captured(read.stdout ?? child.stdout)
    this.#stderr = captured(read.stderr ?? child.stderr)
    this.streams = [this.#stdout, this.#stderr].filter((stream) => stream !== null)
    this.#variables = variables
  }

  /** The identity of the gate's process once all was checked; nothing is left when it rejects. */
  async ready(): Promise<ProcessIdentity> {
    const line = await within(this.#checked(), this.limits.readyMs, this.clock)
    try {
      const identity = line === 'ready' ? processIdentity(this.child.pid) : null
      if (identity !== null) return identity
    } catch (error) {
      await this.#giveUp(0)
      throw error
    }
    const status = await this.#giveUp(line === 'late' ? 0 : this.limits.endMs)
    if (line === 'late') throw lateGate(this.launch, this.limits.readyMs)
    throw gateRefusal(this.launch, line, await this.said(), status)
  }

  async #giveUp(graceMs: number): Promise<ExitStatus> {
    const status = await this.end(graceMs)
    await this.said()
    for (const stream of this.streams) stream.close()
    this.child.stdin?.destroy()
    return status
  }

  async #checked(): Promise<string | null> {
    let line = await this.channel.next()
    if (line === 'variables') {
      this.channel.send(this.#variables)
      line = await this.channel.next()
    }
    if (line?.startsWith('found ') !== true) return line
    this.#found = line.slice('found '.length)
    // The path may have line breaks in it, of a strange PATH.
    while (line !== null && line !== 'ready') line = await this.channel.next()
    return line
  }

  /** The file that `exec` takes, as this process finds it; null when the gate did not say. */
  get programPath(): string | null {
    const [program] = this.launch.words
    const path = program.includes('/') ? program : this.#found
    if (path === null || path.startsWith('/')) return path
    return path.includes('/') ? `/proc/${this.child.pid}/cwd/${path}` : null
  }

  /**
   * Whether the gate took the word to go. One that hangs is killed, and what it said last counts:
   * once it is gone without having said so, it has not executed anything.
   */
  async isGoing(): Promise<boolean> {
    const answer = this.channel.next()
    const line = await within(answer, this.limits.execMs, this.clock)
    if (line !== 'late') return line === 'going'
    if (!this.#isGone) killGroup(this.child.pid)
    return (await answer) === 'going'
  }

  /** Ends a gate that did not become a job: by itself, or else by force. */
  async end(graceMs = this.limits.endMs): Promise<ExitStatus> {
    this.channel.close()
    await within(this.exit, graceMs, this.clock)
    if (!this.#isGone) killGroup(this.child.pid)
    return this.exit
  }

  deliverLines(): void {
    this.#stdout?.deliver(new StreamLines((line) => this.#onLine('stdout', line)))
    this.#stderr?.deliver(new StreamLines((line) => this.#onLine('stderr', line)))
  }

  /** What a gate that is gone wrote to the job's stderr, if that is read here. */
  async said(): Promise<string> {
    if (this.#stderr === null) return ''
    await within(this.#stderr.ended, this.limits.drainMs, this.clock)
    return this.#stderr.heldText().trim().slice(0, 500)
  }
}

/** Of a child that was not waited for yet: its number can't be another's. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended just now, or runs as a user that this process may not signal; then it ends with
    // its end of the channel, which is closed.
  }
}

function lateGate({ words }: GateLaunch, readyMs: number): SystemError {
  const message = `the gate was not ready within ${readyMs} ms; a file system may not answer`
  const details = { field: 'gate', value: words[0], allowed: `at most ${readyMs} ms` }
  return new SystemError('KRON_SYSTEM', message, details)
}
