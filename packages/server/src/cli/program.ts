import { quote, suggestion } from '@kron/core'
import { versionText } from '@kron/runtime'
import { Command, CommanderError } from 'commander'
import { badArgument } from './argument.js'
import type { CommandFailure } from './command-failure.js'
import { addAudit } from './commands/audit.js'
import { addEndpoints } from './commands/endpoints.js'
import { addForecast } from './commands/forecast.js'
import { addJobs } from './commands/jobs.js'
import { addKeys } from './commands/keys.js'
import { pauseCommand } from './commands/pause.js'
import { addQuotas } from './commands/quotas.js'
import { addRunNow } from './commands/run-now.js'
import { addRuns } from './commands/runs.js'
import { addSecrets } from './commands/secrets.js'
import { addServe } from './commands/serve.js'
import { addTenants } from './commands/tenants.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { reportFailure } from './failure.js'
import { addExamples } from './help-text.js'
import type { Host } from './host.js'
import { type Done, type Surroundings, withHost } from './hosted-command.js'

/** Adds commands of its own to the program; `kron serve` comes in this way. */
export type AddCommands = (program: Command, surroundings: Surroundings) => void

const clientCommands: readonly AddCommands[] = [
  addServe,
  addTenants,
  addJobs,
  addEndpoints,
  addRuns,
  addRunNow,
  pauseCommand,
  addForecast,
  addKeys,
  addSecrets,
  addAudit,
  addQuotas,
]

/** The commands; what one answers goes to `done`. */
export function createProgram(
  host: Host,
  done: Done = () => undefined,
  more: readonly AddCommands[] = [],
): Command {
  const program = new Command('kron')
    .description('Schedules HTTP calls, and shows how they went')
    .version(versionText('kron'), '-V, --version', 'print the version')
    .option('--server <url>', 'the server (default: KRON_SERVER, or http://127.0.0.1:7077)')
    .option('--key <key>', 'the API key (default: KRON_KEY, or a file)')
    .option('--format <format>', 'text or json', 'text')
    .option('--no-color', 'no colours, as with NO_COLOR')
    .helpCommand(false)
  withHost(program, host)
  for (const add of [...more, ...clientCommands]) add(program, { host, done })
  addExamples(program)
  return program
}

/** Runs `kron` with arguments (without the name of the program) and answers its exit code. */
export async function runKron(
  args: readonly string[],
  host: Host,
  more: readonly AddCommands[] = [],
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.success
  const program = createProgram(
    host,
    (code) => {
      exitCode = code
    },
    more,
  )
  if (args.length === 0) {
    program.outputHelp()
    return exitCodes.input
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success
    const called = calledCommand(program, args)
    return reportFailure(mistyped(error, called, args) ?? error, host, pathOf(called))
  }
}

/** The command that the arguments name, as far as they name one. */
function calledCommand(program: Command, args: readonly string[]): Command {
  let command = program
  for (const word of args) {
    command = command.commands.find((each) => each.name() === word) ?? command
  }
  return command
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

/** A group lists when it is given no command; a word that is none was meant to be one. */
function mistyped(error: unknown, called: Command, args: readonly string[]): CommandFailure | null {
  const isExcess = error instanceof CommanderError && error.code === 'commander.excessArguments'
  if (!isExcess || called.commands.length === 0) return null
  const word = args[args.indexOf(called.name()) + 1] ?? ''
  const names = called.commands.map((command) => command.name())
  return badArgument(
    `unknown command ${quote(word)}${suggestion(word, names)}`,
    `hint: ${pathOf(called)} has ${names.join(', ')}`,
  )
}
