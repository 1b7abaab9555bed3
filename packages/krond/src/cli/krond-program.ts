import {
  addCompletion,
  appended,
  type Done,
  type ExitCode,
  exitCodesText,
  runProgram,
  withHost,
  withOutput,
} from '@kron/command'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import { type Caller, stateFolder } from '../command/folders.js'
import type { Host } from '../command/invocation.js'
import { type CommonOptions, Invocation } from '../command/invocation.js'
import type { Configuration } from '../configuration/configuration.js'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import type { StopOptions } from '../control/control-commands.js'
import {
  type StartOptions,
  sourcesOf,
  startDefaults,
  startSettings,
} from '../start/start-settings.js'

export { endProcess, processHost } from './process-host.js'

// Each command brings its parts when it is called: the daemon stays in memory with what it needs.
// Every line of an example that begins with `krond` works as it stands.

interface WhereOptions extends CommonOptions {
  readonly state?: string
  readonly crontab?: readonly string[]
}

/** Runs `krond` with arguments (without the name of the program) and answers its exit code. */
export async function runKrond(args: readonly string[], host: Host): Promise<ExitCode> {
  return runProgram((done) => krondProgram(host, done), args, host)
}

/** The commands; what one answers goes to `done`. */
export function krondProgram(host: Host, done: Done): Command {
  const program = withHost(new Command('krond'), host)
    .description('Runs the jobs of krontabs and crontabs, and starts each period at most once')
    .version(versionText('krond'), '-V, --version', 'print the versions of krond and tzdata')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
A period is started at most once, also if krond is killed or the power fails meanwhile. Each
period that krond answers for gets exactly one outcome: executed, skipped, missed or
unschedulable. A job that fails is not run again for its period.

Examples:
  krond start                                   run the jobs of /etc/krond.d
  krond status                                  what runs, what comes next
  krond reload                                  after a krontab was changed
  krond audit /var/log/krond.jsonl              prove what the daemon did

${exitCodesText}`,
    )
  addStart(program, host, done)
  addStop(program, host, done)
  addReload(program, host, done)
  addStatus(program, host, done)
  addRun(program, host, done)
  addAudit(program, host, done)
  addCompletion(program)
  return program
}

const withState = (command: Command): Command =>
  command.option(
    '--state <folder>',
    'state folder (default: /var/lib/krond as root, else ~/.local/state/krond)',
  )

const withFiles = (command: Command): Command =>
  command
    .option('-f, --file <path>', 'a krontab, or a folder of them; repeatable', appended)
    .option('--crontab <path>', "one of cron's own files or folders; repeatable", appended)

function addStart(program: Command, host: Host, done: Done): void {
  withFiles(withState(program.command('start')))
    .description('Run jobs in the foreground, until SIGTERM, SIGINT or krond stop')
    .option('--strict', 'refuse to start when a job is invalid (default: leave it out)', false)
    .option('--max-running <number>', 'executions at once, others wait', startDefaults.maxRunning)
    .option('--grace <duration>', 'time from SIGTERM to SIGKILL for jobs', startDefaults.grace)
    .option('--kill', 'end running jobs when stopped (default: wait for them)', false)
    .option('--history <number>', 'periods remembered for each job', startDefaults.history)
    .option('--listen <address>', 'serve metrics and jobs on host:port or unix:/path')
    .option(
      '--format <format>',
      'of the log: text or json (default: sentences on a terminal, else text)',
    )
    .option('--log-level <level>', 'debug, info, warn or error', startDefaults.logLevel)
    .addHelpText(
      'after',
      `
Examples:
  krond start --file ./jobs --state ./state     other folders, in the foreground
  krond start --crontab /etc/crontab --crontab /etc/cron.d
  krond start --format json --listen 127.0.0.1:9180`,
    )
    .action((options: StartOptions) => {
      const settings = startSettings(options, callerOf(host), host.stdout.isTerminal)
      done(
        import('../start/start-command.js').then(({ startCommand }) =>
          startCommand(settings, host),
        ),
      )
    })
}

function addStop(program: Command, host: Host, done: Done): void {
  withOutput(withState(program.command('stop')))
    .description('Ask the daemon to stop, and wait until it has')
    .option('--leave', 'have it end at once, and leave its jobs to the next daemon', false)
    .option('--timeout <duration>', 'how long to wait', '1h')
    .addHelpText(
      'after',
      `
Examples:
  krond stop                                    wait for running jobs, then end
  krond stop --leave                            end at once, leave jobs to the next krond
  krond stop --state ./state --timeout 5m`,
    )
    .action((options: WhereOptions & StopOptions) => {
      const stop = async (): Promise<ExitCode> => {
        const { stopCommand } = await import('../control/control-commands.js')
        const invocation = new Invocation(host, options, 'krond')
        return stopCommand(invocation, folderOf(options, host), options)
      }
      done(stop())
    })
}

function addReload(program: Command, host: Host, done: Done): void {
  withOutput(withState(program.command('reload')))
    .description('Have the daemon read its krontabs and crontabs again')
    .addHelpText(
      'after',
      `
Examples:
  krond reload
  krond reload --state ./state --format json`,
    )
    .action((options: WhereOptions) => {
      const reload = async (): Promise<ExitCode> => {
        const { reloadCommand } = await import('../control/control-commands.js')
        const invocation = new Invocation(host, options, 'krond')
        return reloadCommand(invocation, folderOf(options, host))
      }
      done(reload())
    })
}

function addStatus(program: Command, host: Host, done: Done): void {
  withOutput(withFiles(withState(program.command('status'))))
    .description('Show what runs, what comes next and how it went last')
    .addHelpText(
      'after',
      `
Examples:
  krond status
  krond status --state ./state --file ./jobs --format json`,
    )
    .action((options: WhereOptions) => {
      const status = async (): Promise<ExitCode> => {
        const { statusCommand } = await import('../status/status-command.js')
        const invocation = new Invocation(host, options, 'krond')
        const usual = sourcesOf({}, callerOf(host))
        const isNamed = options.file !== undefined || options.crontab !== undefined
        const named = isNamed ? sourcesOf(options, callerOf(host)) : null
        const request = { folder: folderOf(options, host), named, usual }
        return statusCommand(invocation, request, await configurationReading(host))
      }
      done(status())
    })
}

function addRun(program: Command, host: Host, done: Done): void {
  withOutput(withFiles(program.command('run')))
    .description('Run a job now, in the foreground, outside of any period')
    .argument('<job>', 'the name of a job')
    .addHelpText(
      'after',
      `
Examples:
  krond run backup                              now, as the daemon would, outside of any period
  krond run backup --file ./jobs`,
    )
    .action((job: string, options: WhereOptions) => {
      const run = async (): Promise<ExitCode> => {
        const { runCommand } = await import('../run/run-command.js')
        const invocation = new Invocation(host, options, 'krond')
        return runCommand(invocation, await configurationOf(invocation, options), job)
      }
      done(run())
    })
}

function addAudit(program: Command, host: Host, done: Done): void {
  withOutput(program.command('audit'))
    .description('Prove from its JSON log what the daemon did')
    .argument('<log...>', 'files, or - for standard input')
    .addHelpText(
      'after',
      `
Examples:
  krond audit krond.jsonl                       check each decision and each rule
  krond audit --format json krond.jsonl
  journalctl -u krond -o cat | krond audit -`,
    )
    .action((logs: string[], options: CommonOptions) => {
      const invocation = new Invocation(host, options, 'krond')
      done(
        import('../audit/audit-command.js').then(({ auditCommand }) =>
          auditCommand(invocation, logs),
        ),
      )
    })
}

function callerOf(host: Host): Caller {
  const { uid, home, env } = host
  const invocation = new Invocation(host, { format: 'text', color: false }, 'krond')
  return { uid, home, env, absolute: (path) => invocation.absolute(path) }
}

function folderOf({ state }: WhereOptions, host: Host): string {
  return stateFolder(state, callerOf(host))
}

/** What the same options would have a daemon run. */
async function configurationOf(
  invocation: Invocation,
  options: WhereOptions,
): Promise<Configuration> {
  const { host } = invocation
  const read = await configurationReading(host)
  return read(sourcesOf(options, callerOf(host)))
}

async function configurationReading(
  host: Host,
): Promise<(sources: ConfigurationSources) => Configuration> {
  const { configurationPorts, readConfiguration } = await import(
    '../configuration/read-configuration.js'
  )
  return (sources) => readConfiguration(sources, configurationPorts(host.timezone()))
}
