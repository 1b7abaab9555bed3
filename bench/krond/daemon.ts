import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from './scratch-folder.ts'

const krond = fileURLToPath(new URL('../../packages/krond/bin/krond.mjs', import.meta.url))

export interface LogLine {
  readonly event: string
  readonly time: string
  readonly period_id: string
}

/** A krontab and a state folder of their own, below a folder that is removed in the end. */
export interface Home {
  readonly krontab: string
  readonly state: string
  remove(): void
}

export function homeWith(lines: readonly string[]): Home {
  const folder = scratchFolder()
  const krontab = join(folder, 'jobs.krontab')
  writeFileSync(krontab, `${lines.join('\n')}\n`, { mode: 0o600 })
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  return {
    krontab,
    state: join(folder, 'state'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The real daemon, as its own command starts it. */
export class Daemon {
  readonly child: ChildProcess
  readonly lines: LogLine[] = []
  readonly startedAt = performance.now()
  #unfinished = ''
  #onLine: (line: LogLine) => void = () => {}

  constructor({ krontab, state }: Home, more: readonly string[] = []) {
    const args = ['start', '--file', krontab, '--state', state, '--format', 'json', ...more]
    // The command names its interpreter `node`: the one that runs this.
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
    this.child = spawn(krond, args, {
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#read(text))
  }

  /** Resolves with the first line from now on that is wanted. */
  until(isWanted: (line: LogLine) => boolean): Promise<LogLine> {
    return new Promise((resolve) => {
      this.#onLine = (line) => {
        if (isWanted(line)) resolve(line)
      }
    })
  }

  /** Resident kilobytes. */
  residentKb(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1])
  }

  /** Hundredths of a second of processor time, its threads included. */
  processorTicks(): number {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM')
    if (this.child.exitCode === null) await once(this.child, 'exit')
  }

  #read(text: string): void {
    const lines = (this.#unfinished + text).split('\n')
    this.#unfinished = lines.pop()!
    for (const line of lines) {
      const parsed = JSON.parse(line) as LogLine
      this.lines.push(parsed)
      this.#onLine(parsed)
    }
  }
}
