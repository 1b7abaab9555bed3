import {
  addCompletion,
  appended,
  type Done,
  type ExitCode,
  runProgram,
  withHost,
} from '@kron/command'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import type { Configuration, ConfigurationSources } from '../configuration/index.js'
import type { StopOptions } from '../control/index.js'
import { type Surroundings, stateFolder } from '../start/folders.js'
import {
  type StartOptions,
  sourcesOf,
  startDefaults,
  startSettings,
} from '../start/start-settings.js'
import type { Host } from './host.js'
import { type CommonOptions, Invocation } from './invocation.js'
import { krondExamplesOf } from './krond-help.js'

// Each command brings its parts when it is called: the daemon stays in memory with what it needs.

interface WhereOptions extends CommonOptions {
  readonly state?: string
  readonly crontab?: readonly string[]
}

/** Runs `krond` with arguments (without the name of the program) and answers its exit code. */
export function runKrond(args: readonly string[], host: Host): Promise<ExitCode> {
  return runProgram((done) => krondProgram(host, done), args, host)
}

/** The commands; what one answers goes to `done`. */
export function krondProgram(host: Host, done: Done): Command {
  const program = new Command('krond')
    .description('Runs the jobs of krontabs and crontabs, and starts each period at most once')
    .version(versionText('krond'), '-V, --version', 'print the versions of krond and tzdata')
    .helpCommand(false)
    .addHelpText('after', krondExamplesOf.program)
  withHost(program, host)
  addStart(program, host, done)
  addStop(program, host, done)
  addReload(program, host, done)
  addStatus(program, host, done)
  addRun(program, host, done)
  addAudit(program, host, done)
  addCompletion(program)
  return program
}

function subcommand(program: Command, name: keyof typeof krondExamplesOf, host: Host): Command {
  return bareSubcommand(program, name, host).option('--format <format>', 'text or json', 'text')
}

const bareSubcommand = (
  program: Command,
  name: keyof typeof krondExamplesOf,
  host: Host,
): Command => withHost(program.command(name), host).addHelpText('after', krondExamplesOf[name])

const withState = (command: Command): Command =>
  command.option('--state <folder>', 'state folder (default: /var/lib/krond, or the own one)')

const withFiles = (command: Command): Command =>
  command
    .option('-f, --file <path>', 'a krontab, or a folder of them; repeatable', appended)
    .option('--crontab <path>', "one of cron's own files or folders; repeatable", appended)

const withoutColour = (command: Command): Command =>
  command.option('--no-color', 'no colours, as with NO_COLOR')

function addStart(program: Command, host: Host, done: Done): void {
  const start = bareSubcommand(program, 'start', host).option(
    '--format <format>',
    'text or json (default: sentences on a terminal, else text)',
  )
  withFiles(withState(start))
    .description('Run jobs in the foreground until told to stop')
    .option('--strict', 'do not start when a job is invalid, instead of leaving it out', false)
    .option('--max-running <number>', 'executions at once, others wait', startDefaults.maxRunning)
    .option('--grace <duration>', 'from SIGTERM to SIGKILL for jobs', startDefaults.grace)
    .option('--kill', 'end running jobs when stopped, instead of waiting for them', false)
    .option('--history <number>', 'periods remembered for each job', startDefaults.history)
    .option('--listen <address>', 'show metrics and jobs on host:port or unix:/path')
    .option('--log-level <level>', 'debug, info, warn or error', startDefaults.logLevel)
    .action((options: StartOptions) => {
      const settings = startSettings(options, surroundingsOf(host), host.stdout.isTerminal)
      done(import('../start/index.js').then(({ startCommand }) => startCommand(settings, host)))
    })
}

function addStop(program: Command, host: Host, done: Done): void {
  withoutColour(withState(subcommand(program, 'stop', host)))
    .description('Ask the daemon to stop, and wait until it has')
    .option('--leave', 'have it end at once, and leave its jobs to the next daemon', false)
    .option('--timeout <duration>', 'how long to wait', '1h')
    .action((options: WhereOptions & StopOptions) => {
      const stop = async (): Promise<ExitCode> => {
        const { stopCommand, systemContact } = await import('../control/index.js')
        const invocation = new Invocation(host, options, 'krond')
        return stopCommand(invocation, folderOf(options, host), options, systemContact())
      }
      done(stop())
    })
}

function addReload(program: Command, host: Host, done: Done): void {
  withoutColour(withState(subcommand(program, 'reload', host)))
    .description('Have the daemon read its files anew')
    .action((options: WhereOptions) => {
      const reload = async (): Promise<ExitCode> => {
        const { reloadCommand, systemContact } = await import('../control/index.js')
        const invocation = new Invocation(host, options, 'krond')
        return reloadCommand(invocation, folderOf(options, host), systemContact())
      }
      done(reload())
    })
}

function addStatus(program: Command, host: Host, done: Done): void {
  withoutColour(withFiles(withState(subcommand(program, 'status', host))))
    .description('Show what runs, what comes next and how it went last')
    .action((options: WhereOptions) => {
      const status = async (): Promise<ExitCode> => {
        const { statusCommand } = await import('../status/index.js')
        const invocation = new Invocation(host, options, 'krond')
        const usual = sourcesOf({}, surroundingsOf(host))
        const isNamed = options.file !== undefined || options.crontab !== undefined
        const named = isNamed ? sourcesOf(options, surroundingsOf(host)) : null
        const request = { folder: folderOf(options, host), named, usual }
        return statusCommand(invocation, request, await configurationReading(host))
      }
      done(status())
    })
}

function addRun(program: Command, host: Host, done: Done): void {
  withoutColour(withFiles(subcommand(program, 'run', host)))
    .description('Run a job now, in the foreground, outside of any period')
    .argument('<job>', 'the name of a job')
    .action((job: string, options: WhereOptions) => {
      const run = async (): Promise<ExitCode> => {
        const { runCommand } = await import('../run/index.js')
        const invocation = new Invocation(host, options, 'krond')
        return runCommand(invocation, await configurationOf(invocation, options), job)
      }
      done(run())
    })
}

function addAudit(program: Command, host: Host, done: Done): void {
  withoutColour(subcommand(program, 'audit', host))
    .description('Prove from its JSON log what the daemon did')
    .argument('<log...>', 'files, or - for standard input')
    .action((logs: string[], options: CommonOptions) => {
      const invocation = new Invocation(host, options, 'krond')
      done(import('../audit/index.js').then(({ auditCommand }) => auditCommand(invocation, logs)))
    })
}

function surroundingsOf(host: Host): Surroundings {
  const { uid, home, env } = host
  const invocation = new Invocation(host, { format: 'text', color: false }, 'krond')
  return { uid, home, env, absolute: (path) => invocation.absolute(path) }
}

function folderOf({ state }: WhereOptions, host: Host): string {
  return stateFolder(state, surroundingsOf(host))
}

/** What the same options would have a daemon run. */
async function configurationOf(
  invocation: Invocation,
  options: WhereOptions,
): Promise<Configuration> {
  const { host } = invocation
  const read = await configurationReading(host)
  return read(sourcesOf(options, surroundingsOf(host)))
}

async function configurationReading(
  host: Host,
): Promise<(sources: ConfigurationSources) => Configuration> {
  const { configurationPorts, readConfiguration } = await import('../configuration/index.js')
  return (sources) => readConfiguration(sources, configurationPorts(host.timezone()))
}
