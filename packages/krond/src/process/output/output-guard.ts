import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@kron/runtime'
import type { ProcessIdentity } from '../../state/index.js'
import { isGroupAlive, isProcessAlive, processIdentity, signalGroup } from '../process-identity.js'
import type { EndSignal } from '../processes.js'
import { type SpawnedProcess, type Spawner, searchPath } from '../spawn/spawner.js'

/** How much of a stream is kept while no daemon runs, in the blocks of `ulimit -f`. */
const spoolBlocks = 32_768

/**
 * A guard sleeps until the daemon that started it is gone, and from then on reads what running jobs
 * write, each stream into a file beside its pipe. So no job waits for a reader that does not come.
 *
 * - `read` ends with a line when the daemon has stopped and left nothing, and without one when the
 *   daemon is gone: the kernel closes descriptor 3, however the daemon ended.
 * - A line of the file of owners names the owner of a slot; slots without an owner are not read.
 * - A pipe is opened for writing first: to open it for reading alone would wait for a writer, and
 *   what a job wrote that has ended by now would be lost.
 * - A file that has grown to its limit ends its `cat` with an error; the rest is thrown away.
 */
const guardScript = `
IFS= read -r krond_word <&3 && exit 0
umask 077
trap '' XFSZ
krond_slot=0
while read -r krond_owner krond_rest; do
  for krond_stream in stdout stderr; do
    krond_pipe=$1/$krond_slot.$krond_stream.pipe
    [ -n "$krond_owner" ] && [ -p "$krond_pipe" ] || continue
    (
      exec 4<>"$krond_pipe" <"$krond_pipe" 4<&- 3<&-
      ulimit -f ${spoolBlocks}
      cat >>"\${krond_pipe%.pipe}.spool"
      exec cat >/dev/null
    ) &
  done
  krond_slot=$((krond_slot + 1))
done <"$1/owners"
wait
`

/** Written beside the pipes, so that the next daemon can end the guard before it reads itself. */
const guardFile = 'guard'
const patienceMs = 2000
const lookAgainMs = 10
const startAgainMs = 60_000

export interface GuardPorts {
  readonly spawner: Spawner
  readonly shellPath: string
  readonly clock: Clock
}

/** The guard of this daemon. One that is killed is started again, a minute later. */
export class OutputGuard {
  readonly #folder: string
  readonly #ports: GuardPorts
  readonly #over = new AbortController()
  #process: SpawnedProcess | null = null

  constructor(folder: string, ports: GuardPorts) {
    this.#folder = folder
    this.#ports = ports
  }

  async start(): Promise<void> {
    const { spawner, shellPath } = this.#ports
    const guard = await spawner({
      program: shellPath,
      words: ['-c', guardScript, 'krond-output', this.#folder],
      environment: { PATH: searchPath, LC_ALL: 'C' },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      become: null,
    })
    guard.channel.on('error', () => guard.channel.destroy())
    guard.channel.resume()
    guard.channel.unref()
    this.#process = guard
    const identity = processIdentity(guard.pid)
    writeFileSync(join(this.#folder, guardFile), JSON.stringify(identity), { mode: 0o600 })
    void guard.exit.then(() => this.#startAgain())
  }

  /** Nothing is left to be read when we end. */
  async dismiss(): Promise<void> {
    this.#over.abort('dismissed')
    this.#process?.channel.end('done\n')
    await this.#process?.exit
  }

  async #startAgain(): Promise<void> {
    if (this.#over.signal.aborted) return
    try {
      await this.#ports.clock.sleep(startAgainMs, this.#over.signal)
      await this.start()
    } catch {
      // Dismissed, or no process could be started; then jobs wait for the next daemon.
    }
  }
}

/** Ends what a former daemon left to read the pipes in this folder. */
export async function endGuard(folder: string, clock: Clock): Promise<void> {
  const guard = readGuard(folder)
  if (guard === null || !isProcessAlive(guard)) return
  for (const signal of ['SIGTERM', 'SIGKILL'] satisfies EndSignal[]) {
    signalGroup(guard, signal)
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainMs) {
      if (!isGroupAlive(guard.pid)) return
      await clock.sleep(lookAgainMs)
    }
  }
}

function readGuard(folder: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, guardFile), 'utf8'))
    const { pid, startTicks, bootId } = value as ProcessIdentity
    const isWhole = typeof pid === 'number' && typeof startTicks === 'number'
    return isWhole && typeof bootId === 'string' ? { pid, startTicks, bootId } : null
  } catch {
    // There was none, or its daemon died while it wrote this.
    return null
  }
}
