import {
  addCompletion,
  calledCommand,
  type Done,
  type ExitCode,
  exitCodes,
  type Failure,
  isCommanderError,
  pathOf,
  runProgram,
  withHost,
  withOutput,
} from '@kron/command'
import { quote, suggestion } from '@kron/core'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import type { Host } from '../process/host.js'
import { addAudit } from './commands/audit.js'
import { addEndpoints } from './commands/endpoints.js'
import { addForecast } from './commands/forecast.js'
import { addJobs } from './commands/jobs.js'
import { addKeys } from './commands/keys.js'
import { pauseCommand } from './commands/pause.js'
import { addQuotas } from './commands/quotas.js'
import { addRunNow, addRuns } from './commands/runs.js'
import { addSecrets } from './commands/secrets.js'
import { addServe } from './commands/serve.js'
import { addTenants } from './commands/tenants.js'
import { problemOf } from './failure.js'
import { addExamples } from './help-text.js'

const commands = [
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
] as const

/** The commands; what one answers goes to `done`. */
export function createProgram(host: Host, done: Done = () => undefined): Command {
  const program = withHost(new Command('kron'), host, { showGlobalOptions: true })
    .description('Schedules HTTP calls, and shows how they went')
    .version(versionText('kron'), '-V, --version', 'print the versions of kron and tzdata')
    .option('--server <url>', 'the server (default: KRON_SERVER, or http://127.0.0.1:7077)')
    .option('--key <key>', 'the API key (default: KRON_KEY, or a file)')
    .helpCommand(false)
  withOutput(program)
  for (const add of commands) add(program, { host, done })
  for (const group of program.commands) group.helpCommand(false)
  addCompletion(program)
  addExamples(program)
  return program
}

/** Runs `kron` with arguments (without the name of the program) and answers its exit code. */
export async function runKron(args: readonly string[], host: Host): Promise<ExitCode> {
  let program: Command | null = null
  const programFor = (done: Done): Command => {
    program = createProgram(host, done)
    return program
  }
  const explain = (error: unknown): Failure | null =>
    problemOf(error, host) ?? mistyped(error, program!, args)
  return runProgram(programFor, args, host, explain)
}

/** What people type who know other programs. */
const otherWords: Readonly<Record<string, string>> = {
  start: 'kron serve',
  server: 'kron serve',
  run: 'kron run-now',
  trigger: 'kron run-now',
  logs: 'kron runs',
  status: 'kron runs',
}

/** A word that is no command was meant to be one: ours, or one of another program. */
function mistyped(error: unknown, program: Command, args: readonly string[]): Failure | null {
  if (!isCommanderError(error)) return null
  const called = calledCommand(program, args)
  if (error.code === 'commander.unknownCommand') {
    const word = /'(.*?)'/.exec(error.message)?.[1] ?? ''
    if (!Object.hasOwn(otherWords, word)) return null
    const message = `unknown command ${quote(word)}; did you mean ${otherWords[word]}?`
    return failure(message, `hint: ${pathOf(called)} --help shows how it is used`)
  }
  // A group lists when it is given no command.
  if (error.code !== 'commander.excessArguments' || called.commands.length === 0) return null
  const word = args[args.indexOf(called.name()) + 1] ?? ''
  const names = called.commands.map((command) => command.name())
  return failure(
    `unknown command ${quote(word)}${suggestion(word, names)}`,
    `hint: ${pathOf(called)} has ${names.join(', ')}`,
  )
}

const failure = (message: string, hint: string): Failure => ({
  message,
  more: [hint],
  exitCode: exitCodes.input,
})
