import { type ExitCode, exitCodes } from './exit-code.js'

/** Why a command failed before or after the server had its say. Codes keep their meaning. */
const kinds = {
  argument_invalid: exitCodes.input,
  name_unknown: exitCodes.input,
  name_ambiguous: exitCodes.input,
  key_missing: exitCodes.input,
  key_unsafe: exitCodes.input,
  server_unreachable: exitCodes.unavailable,
  answer_invalid: exitCodes.unavailable,
  wait_ended: exitCodes.unavailable,
  start_failed: exitCodes.fatal,
} as const satisfies Readonly<Record<string, ExitCode>>

export type CommandFailureCode = keyof typeof kinds

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code: CommandFailureCode
  /** Lines that say what to do. */
  readonly hints: readonly string[]

  constructor(code: CommandFailureCode, message: string, hints: readonly string[] = []) {
    super(message)
    this.code = code
    this.hints = hints
  }

  get exitCode(): ExitCode {
    return kinds[this.code]
  }
}
