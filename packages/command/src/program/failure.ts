import { KronError } from '@kron/core'
import { messageOf, type TextOutput } from '@kron/runtime'
import type { CommanderError } from 'commander'
import { clean } from '../text/clean.js'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.js'

/** What people read of an error: what went wrong, then where, then what to do. */
export interface Failure {
  readonly message: string
  /** Lines below it, such as `hint: ...`. */
  readonly more: readonly string[]
  readonly exitCode: ExitCode
}

/** A failure that a command expects, with its own exit code. */
export class CommandFailure extends Error implements Failure {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode
  readonly more: readonly string[]

  constructor(exitCode: ExitCode, message: string, more: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.more = more
  }
}

/** What a program knows of errors of its own; null for any other. */
export type Explain = (error: unknown) => Failure | null

/**
 * Whether commander threw it, to end a program or since arguments are wrong. By its code: where npm
 * has installed two copies of commander, the class of one is not the class of the other.
 */
export const isCommanderError = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('commander.')

/** `program: what, where, what was expected`, then `hint: what to do`; never a stack trace. */
export function reportFailure(
  error: unknown,
  { stderr }: { readonly stderr: TextOutput },
  program: string,
  called = program,
  explain: Explain = () => null,
): ExitCode {
  const { message, more, exitCode } = explain(error) ?? failureOf(error, called)
  stderr.write(`${[`${program}: ${clean(message)}`, ...more].join('\n')}\n`)
  return exitCode
}

function failureOf(error: unknown, called: string): Failure {
  if (isCommanderError(error)) {
    const more = [`hint: ${called} --help shows how it is used`]
    return { message: commanderText(error), more, exitCode: exitCodes.input }
  }
  if (error instanceof CommandFailure) return error
  if (error instanceof KronError) {
    const { hint } = error.details
    const more = typeof hint === 'string' ? [hint] : []
    return { message: error.message, more, exitCode: exitCodeOf(error) }
  }
  const message = `internal error: ${messageOf(error)}`
  return { message, more: ['hint: this is a bug, please report it'], exitCode: exitCodes.fatal }
}

/** In our voice: `unknown option "--frm"; did you mean --from?` */
const commanderText = (error: CommanderError): string =>
  error.message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean (.*)\?\)$/, '; did you mean $1?')
    .replaceAll(/'([^']*)'/g, '"$1"')
    .replaceAll('\n', ' ')
    .trim()
