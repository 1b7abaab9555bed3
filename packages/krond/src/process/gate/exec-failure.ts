import { quotePath } from '@kron/core'
import type { ExecFailure, ExitStatus } from '../processes.js'

export const notExecuted = (reason: string): ExecFailure => ({ kind: 'not-executed', reason })

/** From what the shell said when its `exec` returned, or else from the status it gave. */
export function execFailure(program: string, status: string, said: string): ExecFailure {
  const [first = ''] = said.split('\n')
  const words = first.replace(/^krond-gate: (?:line )?\d+: (?:exec: )?/, '')
  // Shells say that a script is not found when it is its interpreter that is missing.
  const hint = status === '127' && program.includes('/') ? '; is its interpreter there?' : ''
  if (words !== '') return notExecuted(`${words}${hint}`)
  const reason = status === '127' ? 'not found' : 'could not be executed'
  return notExecuted(`${quotePath(program)}: ${reason}${hint}`)
}

export function endedUnreleased({ code, signal }: ExitStatus): ExecFailure {
  return notExecuted(`the gate ended before it was released: ${signal ?? `exit code ${code}`}`)
}
