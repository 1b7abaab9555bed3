/**
 * Runs between a test process and PostgreSQL, in a session of its own, and lives as long as the
 * server does. Its stdin is a pipe from the test process, which the system closes however that
 * one ends, SIGKILL included: then the server is shut down and its folder removed.
 *
 * Nobody listens to its stdout; its stderr is the server's log. As every process of the server
 * holds the log open, its end says that none of them lives any more.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Account } from './account.ts'
import { killWithChildren } from './process-tree.ts'

export interface Guarded {
  readonly command: string
  readonly args: readonly string[]
  readonly account: Account
  /** Removed when the test process is gone. */
  readonly folder: string
}

export type Command = 'stop' | 'kill'

/** PostgreSQL itself kills backends that ignore an immediate shutdown for 5 s. */
const immediateLimitMs = 8000

const { command, args, account, folder } = JSON.parse(process.argv[2]!) as Guarded

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const) process.on(name, () => {})

const server = spawn(command, args, { ...account, cwd: folder, stdio: ['ignore', 2, 2] })
let isOrphan = false

server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.once('exit', (code) => {
  if (isOrphan) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit(code ?? 1)
})

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => {
  if (line === ('stop' satisfies Command)) server.kill('SIGINT')
  else if (line === ('kill' satisfies Command)) killWithChildren(server.pid!)
})
commands.once('close', () => {
  isOrphan = true
  // Not SIGKILL: its shared memory would stay behind in the system.
  server.kill('SIGQUIT')
  setTimeout(() => killWithChildren(server.pid!), immediateLimitMs)
})
