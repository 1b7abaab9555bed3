/**
 * Runs between a test process and a control plane, in a session of its own. Its stdin is a pipe
 * from the test process, which the system closes however that one ends, SIGKILL included: then all
 * components are killed and their folder is removed.
 *
 * One for all components, since the folder can only go when the last of them has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A line of stdin. */
export type Order =
  | { readonly start: string; readonly command: string; readonly args: readonly string[] }
  | { readonly signal: NodeJS.Signals; readonly to: string }

/** A line of stdout. */
export type Notice =
  | { readonly started: string; readonly pid: number }
  | { readonly ended: string; readonly how: string }

const [folder] = process.argv.slice(2) as [string]
const running = new Map<string, ChildProcess>()
let isOrphan = false

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const) process.on(name, () => {})
process.stdout.on('error', () => {})

function tell(notice: Notice): void {
  process.stdout.write(`${JSON.stringify(notice)}\n`)
}

function start(name: string, command: string, args: readonly string[]): void {
  const log = openSync(`${folder}/${name}.log`, 'a')
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log] })
  closeSync(log)
  const end = (how: string): void => {
    if (running.get(name) !== child) return
    running.delete(name)
    tell({ ended: name, how })
    if (isOrphan) leaveIfLast()
  }
  running.set(name, child)
  child.once('error', (error) => end(error.message))
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  if (child.pid !== undefined) tell({ started: name, pid: child.pid })
}

function leaveIfLast(): void {
  if (running.size > 0) return
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit(0)
}

const orders = createInterface({ input: process.stdin })
orders.on('line', (line) => {
  const order = JSON.parse(line) as Order
  if ('start' in order) start(order.start, order.command, order.args)
  else running.get(order.to)?.kill(order.signal)
})
orders.once('close', () => {
  isOrphan = true
  for (const child of running.values()) child.kill('SIGKILL')
  leaveIfLast()
})
