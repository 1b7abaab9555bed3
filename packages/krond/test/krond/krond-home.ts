import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stateFileName } from '../../src/state/index.js'
import { type KrondOptions, KrondProcess } from './krond-process.js'

/** Due from midnight on until the next: its current period runs at the first start. */
export const dueNow = '0 0 * * * @policy(deadline=24h,first=run)'

/** Waits for a file, half a minute at most, and exits with 7. */
const waitingJob =
  'n=0; until [ -e "$1" ] || [ $n -gt 6000 ]; do sleep 0.05; n=$((n+1)); done; exit 7'

/** A folder for one test: a krontab, a state folder, and the daemons that use them. */
export class KrondHome {
  readonly folder: string
  readonly state: string
  readonly krontab: string
  readonly #owner: Pick<KrondOptions, 'uid' | 'gid'>
  readonly #processes: KrondProcess[] = []

  constructor(owner: Pick<KrondOptions, 'uid' | 'gid'> = {}) {
    if (!existsSync(fileURLToPath(new URL('../../dist/cli/krond-program.js', import.meta.url)))) {
      throw new Error('the programs must be built first: npx tsc -b')
    }
    this.folder = mkdtempSync(join(tmpdir(), 'kron-krond-'))
    this.state = join(this.folder, 'state')
    this.krontab = join(this.folder, 'jobs.krontab')
    this.#owner = owner
    writeFileSync(join(this.folder, 'wait.sh'), waitingJob)
  }

  /** Puts jobs into the krontab, a line each. */
  jobs(...lines: string[]): void {
    this.file('jobs.krontab', `${lines.join('\n')}\n`)
  }

  file(name: string, text: string, mode = 0o600): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  /** A job that is due and runs until `finish(name)`. */
  waiting(name: string, fields = ''): string {
    const words = ['/bin/sh', join(this.folder, 'wait.sh'), join(this.folder, `${name}.done`)]
    return `${dueNow} name=${name} command="${words.join(' ')}" ${fields}`
  }

  finish(name: string): void {
    writeFileSync(join(this.folder, `${name}.done`), '')
  }

  /** The state file of a job of the krontab. */
  stateFile(name: string): string {
    return join(this.state, stateFileName(`${this.krontab}:${name}`))
  }

  makeState(mode = 0o700): void {
    mkdirSync(this.state)
    chmodSync(this.state, mode)
  }

  /** A daemon on the krontab, with a JSON log. */
  start(...options: string[]): KrondProcess {
    return this.startOf(['--file', this.krontab], ...options)
  }

  startOf(sources: string[], ...options: string[]): KrondProcess {
    return this.#run(['start', ...sources, '--state', this.state, '--format', 'json', ...options])
  }

  /** Any other command to its end. */
  async krond(
    ...args: string[]
  ): Promise<{ code: number | string; stdout: string; stderr: string }> {
    const child = this.command(...args)
    const code = await child.ended
    return { code, stdout: child.stdout, stderr: child.stderr }
  }

  command(...args: string[]): KrondProcess {
    return this.#run(args)
  }

  /** Ends what still runs, and removes everything. */
  async remove(): Promise<void> {
    for (const name of ['a', 'b']) this.finish(name)
    for (const child of this.#processes) child.kill('SIGKILL')
    await Promise.all(this.#processes.map(({ ended }) => ended))
    // What reads the output of jobs after a kill may write there until they have ended.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 })
  }

  #run(args: string[]): KrondProcess {
    const child = new KrondProcess(args, { cwd: this.folder, ...this.#owner })
    this.#processes.push(child)
    return child
  }
}
