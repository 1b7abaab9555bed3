import { closeSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { ExitStatus } from '../processes.js'
import { loadProcessCalls, type ProcessCalls } from './process-calls.js'
import { nodeSpawner, type SpawnedProcess, type Spawner, type SpawnRequest } from './spawner.js'

type Reap = (pid: number) => ExitStatus | null

/** A signal may get lost among others of its kind; and something must keep this process alive. */
const lookAgainMs = 1000

/** Waits for children that Node does not know of. One is enough for a process. */
export class ChildReaper {
  readonly #reap: Reap
  readonly #children = new Map<number, (status: ExitStatus) => void>()
  #timer: NodeJS.Timeout | null = null

  constructor(reap: Reap) {
    this.#reap = reap
    process.on('SIGCHLD', this.#look)
  }

  exitOf(pid: number): Promise<ExitStatus> {
    // It may have ended, and been signalled, before it was known here.
    const status = this.#reap(pid)
    if (status !== null) return Promise.resolve(status)
    this.#timer ??= setInterval(this.#look, lookAgainMs)
    return new Promise((resolve) => this.#children.set(pid, resolve))
  }

  readonly #look = (): void => {
    for (const [pid, resolve] of this.#children) {
      const status = this.#reap(pid)
      if (status === null) continue
      this.#children.delete(pid)
      resolve(status)
    }
    if (this.#children.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

/**
 * Starts processes with `posix_spawn`, which shares our memory with the child until it executes its
 * program, and copies nothing: several times as fast as Node's own way, whatever we weigh. What it
 * can't do goes Node's way: to become somebody else, and to write to a stream of Node's.
 */
export function nativeSpawner(calls: ProcessCalls): Spawner {
  const reaper = new ChildReaper((pid) => calls.reap(pid))
  const nowhere = openSync('/dev/null', 'r+')
  return async (request) => {
    const { stdout, stderr, become, program } = request
    const isForNode =
      become !== null ||
      typeof stdout === 'object' ||
      typeof stderr === 'object' ||
      !program.startsWith('/')
    return isForNode ? nodeSpawner(request) : spawn(request, calls, reaper, nowhere)
  }
}

async function spawn(
  { program, words, environment, stdin, stdout, stderr }: SpawnRequest,
  calls: ProcessCalls,
  reaper: ChildReaper,
  nowhere: number,
): Promise<SpawnedProcess> {
  const theirs: number[] = []
  const ours: number[] = []
  try {
    const input = stdin === 'pipe' ? inputPipe(calls, ours, theirs) : null
    const output = outputEnd(calls, stdout, nowhere, ours, theirs)
    const errors = outputEnd(calls, stderr, nowhere, ours, theirs)
    const [ourEnd, theirEnd] = calls.socketPair()
    ours.push(ourEnd)
    theirs.push(theirEnd)
    const descriptors = [input?.theirs ?? nowhere, output.theirs, errors.theirs, theirEnd]
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    const pid = await calls.spawn(program, [program, ...words], variables, descriptors)
    const exit = reaper.exitOf(pid)
    return {
      pid,
      exit,
      stdin: input === null ? null : socketOn(input.ours, 'write'),
      stdout: output.ours === null ? null : socketOn(output.ours, 'read'),
      stderr: errors.ours === null ? null : socketOn(errors.ours, 'read'),
      channel: socketOn(ourEnd, 'both'),
    }
  } catch (error) {
    for (const descriptor of ours) closeSync(descriptor)
    throw error
  } finally {
    for (const descriptor of theirs) closeSync(descriptor)
  }
}

function inputPipe(calls: ProcessCalls, ours: number[], theirs: number[]) {
  const [read, write] = calls.pipe()
  theirs.push(read)
  ours.push(write)
  return { theirs: read, ours: write }
}

/** Descriptors that were opened elsewhere are closed there. */
function outputEnd(
  calls: ProcessCalls,
  end: SpawnRequest['stdout'],
  nowhere: number,
  ours: number[],
  theirs: number[],
): { readonly theirs: number; readonly ours: number | null } {
  if (end !== 'pipe') return { theirs: typeof end === 'number' ? end : nowhere, ours: null }
  const [read, write] = calls.pipe()
  ours.push(read)
  theirs.push(write)
  return { theirs: write, ours: read }
}

const socketOn = (fd: number, use: 'read' | 'write' | 'both'): Socket =>
  new Socket({ fd, readable: use !== 'write', writable: use !== 'read' })

let fastest: Spawner | null = null

/** The fastest way to start processes that works here. */
export function systemSpawner(): Spawner {
  if (fastest === null) {
    const calls = loadProcessCalls()
    fastest = calls === null ? nodeSpawner : nativeSpawner(calls)
  }
  return fastest
}
