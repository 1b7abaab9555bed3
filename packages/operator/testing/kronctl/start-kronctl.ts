import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface ProgramRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface StartOptions {
  readonly folder: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program of this package as a process, with nothing of the user's. */
export async function startProgram(
  program: 'kronctl' | 'kubectl-kron',
  args: readonly string[],
  { folder, input = '', env = {} }: StartOptions,
): Promise<ProgramRun> {
  const path = fileURLToPath(new URL(`../../bin/${program}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code))
  })
  child.stdin.end(input)
  const [status, stdout, stderr] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ])
  return { status, stdout, stderr }
}
