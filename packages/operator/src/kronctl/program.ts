import {
  addCompletion,
  appended,
  type Done,
  type ExitCode,
  runProgram,
  withHost,
} from '@kron/command'
import type { ExplainOptions, NextOptions, SimulateOptions } from '@kron/preview'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import type { RunOptions, SuspendOptions } from './change/index.js'
import { helpTexts } from './help-text.js'
import type { KronctlHost } from './host.js'
import type { ImportOptions } from './import/import-command.js'
import { KronctlInvocation } from './invocation.js'
import type { ProgramName } from './program-name.js'
import type { ClusterOptions, SourceOptions } from './source/index.js'
import type { ValidateOptions } from './validate/validate-command.js'

// Each command brings its parts when it is called, so that none waits for those of the others.

/** Runs `kronctl` with arguments (without the name of the program) and answers its exit code. */
export function runKronctl(
  args: readonly string[],
  host: KronctlHost,
  name: ProgramName = 'kronctl',
): Promise<ExitCode> {
  return runProgram((done) => new KronctlProgram(host, name, done).command, args, host)
}

/** The commands; what one answers goes to `done`. */
export class KronctlProgram {
  readonly command: Command
  readonly #host: KronctlHost
  readonly #name: ProgramName
  readonly #done: Done
  readonly #help: ReturnType<typeof helpTexts>

  constructor(host: KronctlHost, name: ProgramName, done: Done) {
    this.#host = host
    this.#name = name
    this.#done = done
    this.#help = helpTexts(name)
    this.command = new Command(name)
      .description('Checks, explains, simulates, imports and operates KronJobs')
      .version(versionText(name), '-V, --version', 'print the versions of the program and tzdata')
      .helpCommand(false)
      .addHelpText('after', this.#help.program)
    withHost(this.command, host)
    this.#addNext()
    this.#addExplain()
    this.#addSimulate()
    this.#addValidate()
    this.#addImport()
    this.#addSuspend('suspend', 'Have KronJobs start nothing until they are resumed', true)
    this.#addSuspend('resume', 'Have suspended KronJobs run again', false)
    this.#addRun()
    // kubectl completes its plugins by other means.
    if (name === 'kronctl') addCompletion(this.command)
  }

  #addNext(): void {
    withSource(this.#subcommand('next'))
      .description('List the next periods and their chosen times')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--count <number>', 'how many (default: 10, or all with --until)')
      .option('--from <time>', 'first nominal time, or its date (default: now)')
      .option('--until <time>', 'nominal times before this one, or this date')
      .action((names: string[], options: SourceOptions & NextOptions) =>
        this.#run(options, async (invocation) => {
          const { nextCommand } = await import('./preview/preview-commands.js')
          return nextCommand(invocation, names, options)
        }),
      )
  }

  #addExplain(): void {
    withSource(this.#subcommand('explain'))
      .description('Show every step from a schedule to the chosen time')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--at <time>', 'explain the current period at this time or date (default: now)')
      .option('--next', 'explain the period after it', false)
      .action((names: string[], options: SourceOptions & ExplainOptions) =>
        this.#run(options, async (invocation) => {
          const { explainCommand } = await import('./preview/preview-commands.js')
          return explainCommand(invocation, names, options)
        }),
      )
  }

  #addSimulate(): void {
    withSource(this.#subcommand('simulate'))
      .description('Count how many KronJobs start in each minute, with and without windows')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--from <time>', 'start, a time or a date (default: now)')
      .option('--for <duration>', 'how long', '24h')
      .option('--bucket <duration>', 'count in steps of this', '1m')
      .option('--tz <zone>', 'show times in this zone (default: the zone of all, or UTC)')
      .option('--out <file>', 'also write the chart, as .svg or .png')
      .action((names: string[], options: SourceOptions & SimulateOptions) =>
        this.#run(options, async (invocation) => {
          const { simulateCommand } = await import('./preview/preview-commands.js')
          return simulateCommand(invocation, names, options)
        }),
      )
  }

  #addValidate(): void {
    withNamespace(withFiles(this.#subcommand('validate')))
      .description('Check manifests without a cluster, and warn of what is seldom meant')
      .option('--strict', 'warnings count as errors', false)
      .allowExcessArguments()
      .action((options: ValidateOptions, { args }: Command) =>
        this.#run(options, async (invocation) => {
          const { validateCommand } = await import('./validate/validate-command.js')
          return validateCommand(invocation, options, args)
        }),
      )
  }

  #addImport(): void {
    withSource(this.#subcommand('import'))
      .description('Convert CronJobs to KronJobs, as YAML or JSON')
      .argument('[names...]', 'CronJobs, such as nightly or shop/nightly (default: all)')
      .option('--window <duration>', 'add a window of this length (default: none)')
      .option('-o, --output <format>', 'yaml or json, as kubectl has it (default: yaml)')
      .option('--out <file>', 'write this file (default: print)')
      .option('--force', 'overwrite the file', false)
      .action((names: string[], options: ImportOptions) =>
        this.#run(options, async (invocation) => {
          const { importCommand } = await import('./import/import-command.js')
          return importCommand(invocation, names, options)
        }),
      )
  }

  #addSuspend(name: 'suspend' | 'resume', description: string, suspend: boolean): void {
    withCluster(this.#subcommand(name))
      .description(description)
      .argument('[names...]', 'KronJobs, such as backup or shop/backup')
      .option('--all', 'all of the namespace, or with -A of all namespaces', false)
      .action((names: string[], options: SuspendOptions) =>
        this.#run(options, async (invocation) => {
          const { suspendCommand } = await import('./change/index.js')
          return suspendCommand(invocation, names, options, suspend)
        }),
      )
  }

  #addRun(): void {
    withContext(withNamespace(this.#subcommand('run')))
      .description('Create a Job now, outside of any period')
      .argument('<name>', 'a KronJob, such as backup or shop/backup')
      .option('--dry-run', 'print the Job and create nothing', false)
      .action((kronJob: string, options: RunOptions) =>
        this.#run(options, async (invocation) => {
          const { runCommand } = await import('./change/index.js')
          return runCommand(invocation, kronJob, options)
        }),
      )
  }

  #subcommand(name: Exclude<keyof ReturnType<typeof helpTexts>, 'program'>): Command {
    return withHost(this.command.command(name), this.#host)
      .option('--format <format>', 'text or json', 'text')
      .option('--no-color', 'no colours, as with NO_COLOR')
      .addHelpText('after', this.#help[name])
  }

  #run(
    options: Partial<ClusterOptions>,
    command: (invocation: KronctlInvocation) => Promise<ExitCode>,
  ): void {
    const { format = 'text', color = true } = options
    this.#done(command(new KronctlInvocation(this.#host, { format, color }, this.#name)))
  }
}

const withFiles = (command: Command): Command =>
  command.option(
    '-f, --filename <path>',
    'manifests: a file, a folder, or - for standard input; repeatable',
    appended,
  )

const withNamespace = (command: Command): Command =>
  command.option('-n, --namespace <name>', "the namespace (default: the context's)")

const withContext = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'as kubectl has it')
    .option('--context <name>', 'a context of it (default: the current one)')

const withCluster = (command: Command): Command =>
  withContext(
    withNamespace(command)
      .option('-A, --all-namespaces', 'all namespaces', false)
      .option('-l, --selector <labels>', 'those with these labels, such as app=shop,tier!=test'),
  )

const withSource = (command: Command): Command => withCluster(withFiles(command))
