import { type ExitCode, exitCodes, printAnswer } from '@kron/command'
import { type NextOptions as NextQuestion, nextAnswer, nextStretch } from '@kron/preview'
import type { Invocation } from '../command/invocation.js'
import { selectJob } from '../command/job-selection.js'
import { krontabNotation } from '../command/notation.js'

export interface NextOptions extends NextQuestion {
  readonly identity?: string
}

/** `krontab next <job> [--limit N] [--from <time>] [--until <time>]`. */
export function nextCommand(
  invocation: Invocation,
  argument: string,
  options: NextOptions,
): ExitCode {
  const stretch = nextStretch(invocation, options)
  const selected = selectJob(invocation, argument, options.identity)
  printAnswer(invocation, nextAnswer(selected, stretch, krontabNotation))
  return exitCodes.success
}
