import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { afterAll, describe, expect, it } from 'vitest'
import { systemProcesses } from '../system-processes.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-check-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

function shell(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const opened = 'echo ready >&3; read -r line <&3; echo going >&3'

describe('a shell that is not fit for jobs', () => {
  it.each([
    [
      'takes every command for executed',
      shell('blind', opened),
      'it does not report a command that can not be executed',
    ],
    [
      'executes nothing',
      shell('idle', `${opened}; echo failed 126 >&3`),
      'it could not execute /bin/true: "\\"/bin/true\\": could not be executed"',
    ],
    [
      'has its own end for a command',
      shell('odd', `case "$*" in *" /bin/true") ${opened}; exit 7;; *) exec /bin/sh "$@";; esac`),
      '/bin/true ended with 7',
    ],
  ])('is named as one that %s', async (_, shellPath, reason) => {
    const check = systemProcesses({ shellPath }).checkGate()
    await expect(check).rejects.toBeInstanceOf(SystemError)
    await expect(check).rejects.toMatchObject({
      code: 'KRON_SYSTEM',
      message: `${shellPath} can't be used to start jobs: ${reason}`,
      details: { field: 'shell', value: shellPath, allowed: 'a POSIX shell such as dash or bash' },
    })
  })
})
