import { quote, SystemError } from '@kron/core'
import type { Gate, Release, StartRequest } from '../processes.js'

type Prepare = (start: StartRequest, checked: boolean) => Promise<Gate>

export async function checkGateOf(prepare: Prepare, shellPath: string): Promise<void> {
  const missing = await runOnce(prepare, '/krond/command/that/does/not/exist')
  if (missing.release.kind !== 'not-executed') {
    throw unfit(shellPath, 'it does not report a command that can not be executed')
  }
  const present = await runOnce(prepare, '/bin/true')
  if (present.release.kind !== 'running') {
    throw unfit(shellPath, `it could not execute /bin/true: ${quote(present.release.reason)}`)
  }
  if (present.code !== 0) throw unfit(shellPath, `/bin/true ended with ${present.code}`)
}

/** Without the gate's own look for the command, so that `exec` is what fails. */
async function runOnce(
  prepare: Prepare,
  program: string,
): Promise<{ release: Release; code: number | null }> {
  const gate = await prepare(startOf(program), false)
  const release = await gate.release()
  return { release, code: (await gate.exited).code }
}

function startOf(program: string): StartRequest {
  return {
    identity: 'krond:check',
    name: 'check',
    period: null,
    onLine: () => {},
    settings: {
      command: { kind: 'words', words: [program] },
      account: null,
      cwd: '/',
      env: {},
      umask: null,
      timeoutMs: null,
      stdout: { kind: 'discard' },
      stderr: { kind: 'discard' },
      stdin: null,
    },
  }
}

function unfit(shellPath: string, reason: string): SystemError {
  const message = `${shellPath} can't be used to start jobs: ${reason}`
  return new SystemError('KRON_SYSTEM', message, {
    field: 'shell',
    value: shellPath,
    allowed: 'a POSIX shell such as dash or bash',
  })
}
