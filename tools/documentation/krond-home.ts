import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileJob } from '@kron/core'
import { runKrond } from '../../packages/krond/src/cli/index.js'
import { acquireStateLock, type StateLock } from '../../packages/krond/src/lock/state-lock.js'
import {
  encodeState,
  type HandledPeriod,
  type JobState,
  stateFileName,
} from '../../packages/krond/src/state/index.js'
import { memoryHost } from '../../packages/krond/testing/command/memory-host.js'
import { documentationNow, fixtures, repository } from './documentation-host.js'

/** The home of the reader, as the documentation names it. */
export const seenHome = '/home/ada'
const krontabFolder = '.config/krond'
const stateFolder = '.local/state/krond'

/**
 * A home on the real disk, since krond trusts files and locks folders only there. A daemon has been
 * at work in it for a minute: the lock is held in its name, and the job `hello` ran once.
 */
export class KrondHome {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-documentation-')))
  readonly #lock: StateLock

  /** With the files that commands of the documentation wrote, by the paths they showed. */
  constructor(files: ReadonlyMap<string, string>) {
    for (const [path, text] of files) this.#put(path.slice(seenHome.length + 1), text)
    const state = helloState(`${this.#folder}/${krontabFolder}/jobs.krontab:hello`)
    this.#put(`${stateFolder}/${stateFileName(state.identity)}`, encodeState(state))
    const startedAt = new Date(documentationNow - 90_000).toISOString()
    this.#lock = acquireStateLock(join(this.#folder, stateFolder), { pid: 4711, startedAt })
  }

  /** What `krond` prints, with the home by its shown name, and its exit code. */
  async run(words: readonly string[]): Promise<{ text: string; exitCode: number }> {
    const host = memoryHost({
      now: documentationNow,
      cwd: join(repository, fixtures),
      home: this.#folder,
    })
    const exitCode = await runKrond(words, host)
    return { text: host.output.both.replaceAll(this.#folder, seenHome), exitCode }
  }

  remove(): void {
    this.#lock.release()
    rmSync(this.#folder, { recursive: true })
  }

  #put(path: string, content: string | Uint8Array): void {
    const file = join(this.#folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, content, { mode: 0o600 })
  }
}

function helloState(identity: string): JobState {
  const nominal = documentationNow - 60_000
  const last: HandledPeriod = { nominal, outcome: 'executed', chosen: nominal }
  const history = [{ ...last, completedAt: nominal + 12, exitCode: 0 }]
  const { timing } = compileJob({ identity, schedule: '* * * * *' })
  const responsibility = { timing, since: documentationNow - 90_000 }
  return { identity, responsibility, last, active: null, others: [], history }
}
