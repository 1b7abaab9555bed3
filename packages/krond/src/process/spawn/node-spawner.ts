import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { ExitStatus } from '../processes.js'
import type { Spawner } from './spawner.js'

/** Node's own way. It copies the tables of our memory for each process, so it gets slow with us. */
export const nodeSpawner: Spawner = async (request) => {
  const { program, words, environment, stdin, stdout, stderr, become } = request
  const child = spawn(program, words, {
    cwd: '/',
    env: environment,
    detached: true,
    shell: false,
    stdio: [stdin, stdout, stderr, 'pipe'],
    ...(become !== null && { uid: become.uid, gid: become.gid }),
  })
  await started(child)
  const exit = new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return {
    pid: child.pid!,
    stdin: child.stdin,
    stdout: child.stdout as Socket | null,
    stderr: child.stderr as Socket | null,
    channel: child.stdio[3] as Socket,
    exit,
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (child.pid !== undefined) {
      resolve()
      return
    }
    child.once('error', (error) => {
      for (const stream of child.stdio ?? []) stream?.destroy()
      reject(error)
    })
  })
}
