import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { SystemError } from '@kron/core'

/** Only the user who runs the daemon may connect. */
const socketMode = 0o600

/**
 * Removes what a daemon that was killed left behind: a socket that nobody answers on, and nothing
 * else. Rejects when the path is taken.
 */
export async function clearStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw taken(path, 'it exists and is not a socket')
  const code = await connectionFailure(path)
  if (code === null) throw taken(path, 'somebody listens on it')
  if (code !== 'ECONNREFUSED') throw taken(path, code)
  unlinkSync(path)
}

/** Why nobody answers, as a code of the system; null if somebody does. */
async function connectionFailure(path: string): Promise<string | null> {
  return await new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

/** The socket is born with its mode: between birth and a later change anybody could connect. */
export function withSocketMode(bind: () => void): void {
  const before = process.umask(0o777 & ~socketMode)
  try {
    bind()
  } finally {
    process.umask(before)
  }
}

export function restrictSocket(path: string): void {
  chmodSync(path, socketMode)
}

function taken(path: string, why: string): SystemError {
  const details = { field: '--listen', value: path }
  return new SystemError('KRON_SYSTEM', `can't listen on unix:${path}: ${why}`, details)
}
