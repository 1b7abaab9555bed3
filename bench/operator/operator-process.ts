import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(
  new URL('../../packages/operator/bin/kron-operator.mjs', import.meta.url),
)
const ticksPerSecond = 100
const pageKb = 4

/** A real controller, looked at from outside. */
export class OperatorProcess {
  readonly #child: ChildProcess
  /** From its start until it has read everything. */
  readonly readyMs: Promise<number>

  constructor(kubeconfig: string, port: number) {
    const startedAt = performance.now()
    const args = ['start', '--kubeconfig', kubeconfig, '--no-leader-election', '--format', 'json']
    this.#child = spawn(
      process.execPath,
      [program, ...args, '--listen', `127.0.0.1:${port}`, '--log-level', 'info'],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, POD_NAMESPACE: 'default' } },
    )
    const lines = createInterface({ input: this.#child.stdout! })
    this.readyMs = new Promise((resolve) => {
      lines.on('line', (line) => {
        if (line.includes('"event":"ready"')) resolve(performance.now() - startedAt)
        if (line.includes('"level":"error"')) process.stderr.write(`${line.slice(0, 300)}\n`)
      })
    })
  }

  /** Seconds of processor time so far. */
  get cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  }

  get residentMb(): number {
    const pages = readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ')[1]
    return (Number(pages) * pageKb) / 1024
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    await ended
  }
}

/** The value of a metric without labels. */
export async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? Number.NaN)
}
