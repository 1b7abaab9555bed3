import { badArgument, kindOfPath } from '@kron/command'
import { quotePath } from '@kron/core'
import type { Invocation, Replacement } from '../command/invocation.js'
import { errnoOf, errnoText } from '../disk/disk.js'
import { krontabLimits, readText } from '../krontab/index.js'

/** The text of a krontab that is to be changed; null when there is no such file yet. */
export function textToEdit(invocation: Invocation, path: string): string | null {
  const { files } = invocation.host
  const kind = kindOfPath(path, files)
  if (kind === 'missing') return null
  if (kind !== 'file') throw badArgument('--file', `${quotePath(path)} is not a file`)
  const text = readText(path, files)
  if (typeof text === 'string') return text
  throw badArgument('--file', `${invocation.shown(path)}: ${text.problems[0]?.message}`)
}

/** Krontabs of the system may be read by all, those of a user only by the user. */
export function putText(
  { host }: Invocation,
  path: string,
  text: string,
  before: string | null | undefined,
  secret = host.uid !== 0,
): void {
  if (Buffer.byteLength(text) > krontabLimits.fileBytes) {
    const most = `at most ${krontabLimits.fileBytes} bytes`
    throw badArgument('--file', `a krontab must have ${most}, ${quotePath(path)} would have more`)
  }
  const modes = secret
    ? { fileMode: 0o600, folderMode: 0o700 }
    : { fileMode: 0o644, folderMode: 0o755 }
  const replacement: Replacement = { ...modes, ...(before !== undefined && { before }) }
  try {
    host.replaceFile(path, text, replacement)
  } catch (error) {
    const code = errnoOf(error) ?? ''
    if (!/^E[A-Z]+$/.test(code)) throw error
    throw badArgument('--file', `can't write ${quotePath(path)}: ${errnoText(code)}`)
  }
}
