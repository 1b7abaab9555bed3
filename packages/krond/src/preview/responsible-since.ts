import { type Job, responsibilityFor } from '@kron/core'
import { stateFolder } from '../command/folders.js'
import type { Invocation } from '../command/invocation.js'
import { decodeState } from '../state/decode-state.js'
import { migrations } from '../state/migrations.js'
import { largestStateBytes } from '../state/state-fields.js'
import { stateFileName } from '../state/state-folder.js'

/**
 * Since when the daemon answers for a job, as its state file says; null when there is none, or none
 * that can be read: the explanation is right without it.
 */
export function responsibleSince(
  invocation: Invocation,
  job: Job,
  state: string | undefined,
): number | null {
  const { host, now } = invocation
  const { uid, home, env, files } = host
  const { identity } = job
  const absolute = (path: string): string => invocation.absolute(path)
  try {
    const folder = stateFolder(state, { uid, home, env, absolute })
    const file = `${folder}/${stateFileName(identity)}`
    if (files.kindOf(file) !== 'file') return null
    const bytes = files.read(file, largestStateBytes)
    const decoded = decodeState(bytes, { file, identity, migrations })
    if (decoded.kind !== 'state') return null
    const { responsibility, last } = decoded.state
    return responsibilityFor(job.timing, responsibility, last?.nominal ?? null, now, now).since
  } catch {
    return null
  }
}
